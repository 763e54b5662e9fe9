"""Postgres: one pool per process, short transactions, and one error for every way it can be unavailable.

A dead server is noticed when a pooled connection is taken out, because its socket was closed: the next request gets a new
connection and no error. A frozen server or a silent network is noticed by the clock: three seconds to connect, five to
answer a statement, and two more to close the connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final

import asyncpg
import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from spatial.errors import BillingUnavailable, InternalError, InvalidRequest
from storage.postgres.idle_connections import IdleConnections

if TYPE_CHECKING:
    from alembic.config import Config

CONNECT_SECONDS: Final = 3.0
"""How long a new connection may take, authentication included."""

ANSWER_SECONDS: Final = 5.0
"""How long we wait for the answer to one statement. The server itself gives up a little earlier, waits for locks included. What is not
answered, or cancelled by its caller, takes its connection along: SQLAlchemy says farewell to it for two seconds and drops it."""

POOL_SECONDS: Final = 15.0
"""How long we wait for a connection of a busy pool: each of them comes back within seconds, and a queue says nothing of Postgres."""

IDLE_IN_TRANSACTION_SECONDS: Final = 15.0
"""How long a transaction may stand still before the server ends it: a frozen owner must not keep row locks."""

KEEPALIVE: Final = {"tcp_keepalives_idle": "60", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3"}
"""Idle connections are kept alive by the server: load balancers forget them after some minutes without telling either side."""

POOL_SIZE: Final = 8
"""Connections that a process keeps while it needs them; as many again may be opened for a burst."""

MIGRATION_LOCK: Final = 0x5350_4154_4941_4C
"""Advisory lock that lets one process migrate while the others wait."""

_log = logging.getLogger(__name__)


class DatastoreUnavailable(BillingUnavailable):
    """Postgres is out of reach, or too slow to answer. Whether a commit that it cut short took place is for the next asking to find out."""


class SchemaMismatch(InternalError):
    """The database was migrated by another version of this service."""


class Database:
    """A pool of connections to one database. Usable from the event loop that first used it."""

    def __init__(self, url: str, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        """answer_seconds: how long to wait for the answer to one statement."""
        pool = {"pool_size": POOL_SIZE, "max_overflow": POOL_SIZE, "pool_timeout": max(POOL_SECONDS, answer_seconds)}
        self._engine = _engine(url, answer_seconds, **pool)
        self._unpooled = _engine(url, answer_seconds, poolclass=NullPool)
        event.listen(self._engine.sync_engine, "checkout", _refuse_closed)
        event.listen(self._engine.sync_engine, "handle_error", _drop_confused)
        self._idle = IdleConnections(self._engine)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction that commits at the end of the block, and rolls back when the block raises.

        Nothing but the database is to be waited for inside: a timeout or an OSError in the block is taken for Postgres's.

        Raises: DatastoreUnavailable when Postgres is out of reach, too slow, or broke the connection;
            InvalidRequest for a text with U+0000.
        """
        with _translate_errors():
            async with self._engine.connect() as connection:
                yield connection
                await connection.commit()
            await self._idle.close()

    @asynccontextmanager
    async def statements(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose statements each commit by themselves, which spares a lookup the two round trips around it.

        Raises: as `transaction`.
        """
        with _translate_errors():
            async with self._engine.connect() as connection:
                yield await connection.execution_options(isolation_level="AUTOCOMMIT")
            await self._idle.close()

    @asynccontextmanager
    async def unpooled(self) -> AsyncIterator[asyncpg.Connection[Any]]:
        """A connection of its own, as the driver has it, for what outlives transactions; closed after the block.

        Raises: DatastoreUnavailable.
        """
        with _translate_errors():
            async with self._unpooled.connect() as connection:
                driver: asyncpg.Connection[Any] = (await connection.get_raw_connection()).driver_connection
                yield driver

    async def ping(self) -> None:
        """One round trip.

        Raises: DatastoreUnavailable.
        """
        asking = asyncio.ensure_future(self._ask())
        asking.add_done_callback(_retrieve_exception)
        try:
            await asyncio.wait({asking}, timeout=CONNECT_SECONDS)
            if not asking.done():
                raise _unavailable("no answer in time", TimeoutError())
            asking.result()
        finally:
            asking.cancel()  # not awaited: a frozen server does not answer the termination message either

    async def _ask(self) -> None:
        async with self.transaction() as connection:
            await connection.execute(sa.select(1))

    async def close(self) -> None:
        """Close the pool."""
        await self._engine.dispose()
        await self._unpooled.dispose()


async def migrate(url: str, revision: str = "head") -> None:
    """Bring the schema up to date, or up to a revision, in one transaction; any number of processes may do this at once.

    Raises: DatastoreUnavailable; SchemaMismatch where a newer version of this service has migrated the database.
    """
    from alembic.util import CommandError  # alembic takes a third of a second to import; most processes migrate nothing

    engine = _engine(url, None, poolclass=NullPool)
    with _translate_errors():
        try:
            async with engine.begin() as connection:
                await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                await connection.run_sync(_upgrade, revision)
        except CommandError as error:
            raise SchemaMismatch(
                f"the database's schema is unknown to this version: {error}; use the version of this service that made it"
            ) from error
        finally:
            await engine.dispose()


def _upgrade(connection: sa.Connection, revision: str) -> None:
    from alembic import command

    config = _scripts()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def revisions() -> list[str]:
    """Every revision of the schema that this version knows, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(_scripts()).walk_revisions()]


def _scripts() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "storage:postgres/migrations")
    return config


def _engine(url: str, answer_seconds: float | None, **pool: Any) -> AsyncEngine:
    target, ssl = _without_sslmode(make_url(url))
    statement_seconds = 0.8 * answer_seconds if answer_seconds else 0
    limits = {
        "application_name": "spatial",
        "statement_timeout": str(round(statement_seconds * 1000)),
        "idle_in_transaction_session_timeout": str(round(IDLE_IN_TRANSACTION_SECONDS * 1000)),
        "tcp_user_timeout": str(round(ANSWER_SECONDS * 1000)),
        **KEEPALIVE,
    }
    patience = {"timeout": CONNECT_SECONDS, "command_timeout": answer_seconds}
    arguments = {"server_settings": limits, **patience, **ssl, "async_creator_fn": _connect}
    return create_async_engine(target, connect_args=arguments, **pool)


async def _connect(**arguments: Any) -> Any:
    """A new connection. A caller who is cancelled meanwhile does not cancel the handshake, which asyncpg takes badly."""
    connecting = asyncio.ensure_future(asyncpg.connect(**arguments))
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        connecting.add_done_callback(_terminate)
        raise


def _terminate(connecting: asyncio.Task[Any]) -> None:
    if not connecting.cancelled() and connecting.exception() is None:
        connecting.result().terminate()


def _drop_confused(context: ExceptionContext) -> None:
    """A session that the server is just ending confuses asyncpg before it is closed: such a connection is not to be kept."""
    if isinstance(_cause(context.original_exception), asyncpg.InternalClientError):
        context.is_disconnect = True


def _retrieve_exception(asked: asyncio.Task[None]) -> None:
    """Retrieve the exception of a task that may no longer be awaited."""
    if not asked.cancelled():
        asked.exception()


def _without_sslmode(url: URL) -> tuple[URL, dict[str, str]]:
    """libpq's `sslmode` is asyncpg's `ssl`, same words."""
    mode = url.query.get("sslmode")
    return url.difference_update_query(["sslmode"]), {"ssl": str(mode)} if mode else {}


def _refuse_closed(dbapi_connection: Any, _record: Any, _proxy: Any) -> None:
    """A connection whose server went away is replaced, and with it all that are as old.

    asyncpg knows that its socket was closed, so asking costs nothing, where a ping costs a transaction's three round trips.
    """
    if dbapi_connection.driver_connection.is_closed():
        failure = exc.DisconnectionError("the server closed the connection")
        failure.invalidate_pool = True
        raise failure


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Every way Postgres can be unavailable becomes DatastoreUnavailable, and a text that it cannot hold InvalidRequest; programming errors
    stay unchanged."""
    try:
        yield
    except exc.DBAPIError as error:
        if getattr(_cause(error.orig), "sqlstate", None) in NOT_HELD:
            raise InvalidRequest("a text has the character U+0000, which cannot be stored; send it without") from error
        reason = _reason(error.orig)
        if reason is None:
            raise
        raise _unavailable(reason, error) from error
    except (exc.TimeoutError, TimeoutError) as error:
        raise _unavailable("no answer in time", error) from error
    except (asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        raise _unavailable("connection lost", error) from error
    except asyncpg.PostgresError as error:
        raise _unavailable(_state_reason(error) or "refused", error) from error
    except OSError as error:
        raise _unavailable("connection refused or lost", error) from error


def _unavailable(reason: str, error: Exception) -> DatastoreUnavailable:
    _log.warning("Postgres is unavailable: %s (%s: %s)", reason, type(error).__name__, error)
    return DatastoreUnavailable(f"the datastore is unavailable ({reason}); try again shortly")


NOT_HELD: Final = ("22021", "22P05")
"""SQLSTATEs of a text with U+0000, in a column and in JSON (PostgreSQL, appendix A): our own texts have none, so a caller sent it."""

REASONS: Final = {
    "08": "connection lost",
    "28": "credentials refused",
    "3D": "database missing",
    "40": "conflicting transactions",
    "53": "server out of disk, memory or connections",
    "55P03": "no answer in time",
    "42P01": "schema missing: run python -m deployments.bootstrap",
    "57": "server stopping, starting or too slow",
    "58": "server cannot use its files",
    "25006": "server is read-only",
    "25P03": "transaction ended by the server",
    "XX": "server failure",
}
"""SQLSTATE classes and codes of temporary conditions, as opposed to errors in the request (PostgreSQL, appendix A)."""


def _reason(original: BaseException | None) -> str | None:
    cause = _cause(original)
    if isinstance(cause, asyncpg.PostgresError):
        return _state_reason(cause)
    lost = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
    ours = isinstance(cause, ValueError)  # an argument that Postgres's type cannot hold
    return "connection lost" if isinstance(cause, lost) and not ours else None


def _cause(original: BaseException | None) -> BaseException | None:
    """The exception that asyncpg raised; SQLAlchemy wraps it twice."""
    return original.__cause__ if original is not None else None


def _state_reason(error: asyncpg.PostgresError) -> str | None:
    state = error.sqlstate or ""
    return REASONS.get(state) or REASONS.get(state[:2])
