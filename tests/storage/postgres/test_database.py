"""The pool under a server that dies, freezes, stops and comes back; cancelled callers; migrations."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable

import psutil
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from deployments.postgres import EmbeddedPostgres
from spatial.errors import BillingUnavailable
from storage.postgres.database import Database, DatastoreUnavailable, SchemaMismatch, migrate
from storage.postgres.idle_connections import IdleConnections
from storage.postgres.schema import metadata

pytestmark = pytest.mark.requirement("storage.datastore-unavailable")


async def _repeated(work: Callable[[], Awaitable[object]]) -> None:
    while True:
        await work()


async def _executed(database: Database, *statements: str) -> None:
    async with database.transaction() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))


async def _answer(database: Database) -> int:
    async with database.transaction() as connection:
        return int((await connection.execute(sa.text("SELECT 42"))).scalar_one())


async def test_a_dead_server_is_unavailable_and_the_next_request_after_its_return_succeeds(
    own_postgres: EmbeddedPostgres,
) -> None:
    database = Database(own_postgres.url("spatial"))
    await asyncio.gather(
        *(_answer(database) for _ in range(8))
    )  # a pool of several connections, all of which will be dead
    assert own_postgres.pid is not None
    os.kill(own_postgres.pid, signal.SIGKILL)
    with pytest.raises(DatastoreUnavailable):
        await _repeated(lambda: _answer(database))  # the sessions notice their postmaster's death a moment later
    await asyncio.to_thread(own_postgres.restart)
    assert await asyncio.gather(*(_answer(database) for _ in range(20))) == [42] * 20
    await database.close()


async def test_a_restart_between_requests_costs_no_request(own_postgres: EmbeddedPostgres) -> None:
    database = Database(own_postgres.url("spatial"))
    await asyncio.gather(*(_answer(database) for _ in range(8)))
    await asyncio.to_thread(own_postgres.restart)
    assert await asyncio.gather(*(_answer(database) for _ in range(20))) == [42] * 20
    await database.close()


@pytest.mark.usefixtures("usual_patience")
async def test_a_frozen_server_is_unavailable_for_old_and_for_new_connections(own_postgres: EmbeddedPostgres) -> None:
    database = Database(own_postgres.url("spatial"), answer_seconds=0.5)
    await _answer(database)
    frozen = _family(own_postgres)
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        outcomes = await asyncio.gather(*(_answer(database) for _ in range(4)), database.ping(), return_exceptions=True)
        assert all(isinstance(outcome, DatastoreUnavailable) for outcome in outcomes), outcomes
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    assert await _answer(database) == 42
    await database.close()


def _family(server: EmbeddedPostgres) -> list[int]:
    postmaster = psutil.Process(server.pid)
    return [postmaster.pid, *(child.pid for child in postmaster.children())]


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    database = Database("postgresql+asyncpg://nobody:nothing@127.0.0.1:9/none")
    with pytest.raises(DatastoreUnavailable) as refusal:
        await database.ping()
    assert isinstance(refusal.value, BillingUnavailable)
    assert refusal.value.retry_after
    await database.close()


@pytest.mark.parametrize(("user", "name"), [("spatial:wrong", "migrated"), (None, "no_such_database")])
async def test_a_wrong_address_is_unavailable(postgres_server: EmbeddedPostgres, user: str | None, name: str) -> None:
    url = postgres_server.url(name)
    if user is not None:
        url = f"postgresql+asyncpg://{user}@127.0.0.1:{postgres_server.port}/{name}"
    database = Database(url)
    with pytest.raises(DatastoreUnavailable):
        await database.ping()
    await database.close()


async def test_a_statement_that_takes_too_long_is_unavailable(database: Database) -> None:
    with pytest.raises(DatastoreUnavailable):
        await _executed(database, "SET LOCAL statement_timeout = '50ms'", "SELECT pg_sleep(30)")
    assert await _answer(database) == 42


async def test_a_broken_connection_in_mid_transaction_is_unavailable(database: Database) -> None:
    with pytest.raises(DatastoreUnavailable):
        await _executed(database, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert await _answer(database) == 42


async def test_our_own_mistakes_are_not_mistaken_for_an_outage(database: Database) -> None:
    with pytest.raises(ProgrammingError):
        await _executed(database, "SELECT no_such_column FROM accounts")
    with pytest.raises(KeyError):
        async with database.transaction():
            raise KeyError("ours")


async def test_a_block_that_raises_changes_nothing(database: Database) -> None:
    insert = "INSERT INTO accounts (id, name) VALUES ('acct_half', 'half')"
    with pytest.raises(DBAPIError):
        await _executed(database, insert, "SELECT 1 / 0")
    async with database.transaction() as connection:
        assert (await connection.execute(sa.text("SELECT count(*) FROM accounts WHERE id = 'acct_half'"))).scalar() == 0


async def test_cancelled_callers_leave_no_connection_behind(fresh_postgres_url: str) -> None:
    database = Database(fresh_postgres_url)
    seeded = random.Random(7)

    insert = "INSERT INTO accounts VALUES (gen_random_uuid(), gen_random_uuid())"

    async def interrupted() -> None:
        work = _repeated(lambda: _executed(database, "SELECT pg_sleep(0.002)", insert))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(work, seeded.random() * 0.02)

    for _ in range(6):
        await asyncio.gather(*(interrupted() for _ in range(30)))
    pool = database._engine.sync_engine.pool
    assert pool.checkedout() == 0  # type: ignore[attr-defined]  # a QueuePool, which the base class does not say
    assert await asyncio.gather(*(_answer(database) for _ in range(40))) == [42] * 40
    await database.close()


@pytest.mark.requirement("storage.postgres.migrations")
async def test_migrations_make_exactly_the_tables_of_the_metadata(empty_postgres_url: str) -> None:
    await migrate(empty_postgres_url)
    engine = create_async_engine(empty_postgres_url)
    async with engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    await engine.dispose()


@pytest.mark.requirement("storage.postgres.migrations")
async def test_processes_that_migrate_at_once_do_not_disturb_each_other(empty_postgres_url: str) -> None:
    await asyncio.gather(*(migrate(empty_postgres_url) for _ in range(4)))
    await migrate(empty_postgres_url)
    database = Database(empty_postgres_url)
    async with database.transaction() as connection:
        assert (await connection.execute(sa.text("SELECT count(*) FROM alembic_version"))).scalar() == 1
    await database.close()


@pytest.mark.requirement("storage.postgres.migrations")
async def test_a_database_of_a_newer_version_is_left_alone(fresh_postgres_url: str) -> None:
    database = Database(fresh_postgres_url)
    async with database.transaction() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await database.close()
    with pytest.raises(SchemaMismatch, match="9999"):
        await migrate(fresh_postgres_url)


@pytest.mark.requirement("storage.postgres.migrations")
async def test_migrating_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(DatastoreUnavailable):
        await migrate("postgresql+asyncpg://nobody:nothing@127.0.0.1:9/none")


def _differences(connection: sa.Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_server_default": True})
    return list(compare_metadata(context, metadata))


@pytest.mark.requirement("storage.idle-connections")
async def test_connections_that_were_not_needed_for_a_while_are_closed_and_memory_is_given_back(
    database: Database, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back: list[bool] = []
    monkeypatch.setattr("storage.postgres.idle_connections.give_back", lambda: given_back.append(True))
    engine = create_async_engine(postgres_url, connect_args={"server_settings": {"application_name": "idle"}})
    idle = IdleConnections(engine, seconds=0.0)
    await _use_together(engine, 4)
    await idle.close()
    assert await _sessions(database) == 4 and not given_back, "all of them were needed"
    await _use_together(engine, 1)
    await idle.close()
    assert given_back == [True]
    while await _sessions(database):  # the server ends a session a moment after its connection is closed
        await asyncio.sleep(0.01)
    await _use_together(engine, 2)
    await engine.dispose()


@pytest.mark.requirement("storage.idle-connections")
async def test_no_connection_is_closed_while_one_is_in_use(database: Database, postgres_url: str) -> None:
    engine = create_async_engine(postgres_url, connect_args={"server_settings": {"application_name": "idle"}})
    await _use_together(engine, 3)
    idle = IdleConnections(engine, seconds=0.0)
    async with engine.connect() as connection:
        await idle.close()
        assert await _sessions(database) == 3
        await connection.execute(sa.select(1))
    await engine.dispose()


async def _use_together(engine: AsyncEngine, connections: int) -> None:
    """Have so many connections in use at the same time."""
    together = asyncio.Barrier(connections)

    async def use() -> None:
        async with engine.connect() as connection:
            await connection.execute(sa.select(1))
            await together.wait()

    await asyncio.gather(*(use() for _ in range(connections)))


async def _sessions(database: Database) -> int:
    """How many sessions the server has of the engine of a test."""
    counted = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'idle' AND datname = current_database()"
    )
    async with database.transaction() as connection:
        return int((await connection.execute(counted)).scalar_one())
