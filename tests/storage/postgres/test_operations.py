"""Operations: completed once, by a living owner, all or nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres import operations
from storage.postgres.database import Database, DatastoreUnavailable
from tests.storage.actors import (
    Customer,
    begun,
    billed,
    charge,
    completed,
    failed,
    fetch_column,
    lapse,
    outcome,
    renewed,
)


@pytest.mark.requirement("operation.lease")
async def test_a_lapsed_operation_bills_nothing_unless_its_owner_was_only_slow(
    database: Database, who: Customer
) -> None:
    operation_id = await begun(database, who)
    await lapse(database, operation_id)
    assert not await completed(database, who, operation_id)
    assert await billed(database, who) == 0
    assert await renewed(database, operation_id)
    assert await completed(database, who, operation_id)
    assert await billed(database, who) == 1


@pytest.mark.requirement("operation.lease")
async def test_renewing_keeps_an_operation_alive(database: Database, who: Customer) -> None:
    operation_id = await begun(database, who, lease_seconds=0.001)
    assert await renewed(database, operation_id)
    async with database.transaction() as connection:
        known = await operations.find(connection, operation_id)
        assert known is not None and known.is_alive and known.state == "open"
        assert await operations.find(connection, "op_none") is None


@pytest.mark.requirement("operation.completes-once")
async def test_an_operation_is_completed_once_however_many_try(database: Database, who: Customer) -> None:
    operation_id = await begun(database, who)
    outcomes = await asyncio.gather(*(completed(database, who, operation_id) for _ in range(12)))
    assert Counter(outcomes) == {True: 1, False: 11}
    assert await billed(database, who) == 1
    assert not await renewed(database, operation_id)
    assert not await failed(database, operation_id, 500)


@pytest.mark.requirement("operation.completes-once")
async def test_completing_and_failing_exclude_each_other(database: Database, who: Customer) -> None:
    for _ in range(10):
        operation_id = await begun(database, who)
        before = await billed(database, who)
        done, dropped = await asyncio.gather(
            completed(database, who, operation_id), failed(database, operation_id, 503)
        )
        assert done != dropped
        assert await billed(database, who) - before == done


@pytest.mark.requirement("operation.completes-once")
async def test_completing_is_all_or_nothing(database: Database, who: Customer) -> None:
    operation_id = await begun(database, who)
    with pytest.raises(IntegrityError):  # its usage names a key that does not exist
        await completed(database, Customer(who.account_id, "key_none"), operation_id)
    assert await billed(database, who) == 0
    assert await completed(database, who, operation_id)


@pytest.mark.requirement("operation.completes-once")
async def test_a_batch_is_charged_item_by_item(database: Database, who: Customer) -> None:
    operation_id = await begun(database, who)
    items = [charge(who, operation_id, item=n) for n in (0, 1, 2, 2)]
    async with database.transaction() as connection:
        assert await operations.complete(connection, operation_id, **outcome(who, operation_id) | {"usage": items})
    query = "SELECT item FROM usage WHERE operation_id = :id ORDER BY item"
    assert await fetch_column(database, query, id=operation_id) == [0, 1, 2]


@dataclass
class _BreaksOnce(Database):
    """A database whose first transaction ends in a broken connection, before its commit or after it."""

    inner: Database
    after_commit: bool
    broken: bool = False

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        breaks, self.broken = not self.broken, True
        async with self.inner.transaction() as connection:
            yield connection
            if breaks and not self.after_commit:
                raise DatastoreUnavailable("the connection broke before the commit")
        if breaks:
            raise DatastoreUnavailable("the connection broke in the commit")

    statements = transaction  # a statement by itself is committed, or not, as a transaction is


@pytest.mark.requirement("operation.completes-once")
@pytest.mark.parametrize("after_commit", [False, True])
async def test_a_connection_that_breaks_around_the_commit_is_settled_by_asking_again(
    database: Database, who: Customer, after_commit: bool
) -> None:
    operation_id = await begun(database, who)
    breaking = _BreaksOnce(database, after_commit)
    assert await operations.conclude(breaking, operation_id, **outcome(who, operation_id))
    assert await billed(database, who) == 1


@pytest.mark.requirement("operation.completes-once")
async def test_concluding_what_another_run_completed_is_refused_even_after_a_broken_connection(
    database: Database, who: Customer
) -> None:
    operation_id = await begun(database, who)
    await completed(database, who, operation_id)
    other = outcome(who, operation_id) | {"result_key": "results/other.json"}
    assert not await operations.conclude(database, operation_id, **other)
    assert not await operations.conclude(_BreaksOnce(database, after_commit=False), operation_id, **other)
