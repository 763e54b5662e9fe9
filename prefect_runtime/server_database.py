"""Connections of the Prefect server to Postgres: one that is closed is known as such without being asked.

Prefect has SQLAlchemy ask the server before each use of a pooled connection, which on asyncpg takes the three round trips of a transaction,
as many as most uses themselves. asyncpg knows that its socket was closed, for example by a server that was restarted; a network that
went silent would not answer the question either (storage/postgres/database.py does the same). Connections that were not needed for a
while are closed, as there.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg

from storage.postgres.idle_connections import IdleConnections

idle_connections: Final = cache(IdleConnections)
"""Those of an engine."""


def ask_no_connection() -> None:
    """Look whether a pooled connection is open, instead of asking the server."""
    PGDialect_asyncpg.do_ping = _is_open  # type: ignore[method-assign]  # its engine is made in Prefect


def _is_open(_: PGDialect_asyncpg, dbapi_connection: Any) -> bool:
    """Whether a connection may be used; the pool replaces one that may not."""
    return not dbapi_connection.driver_connection.is_closed()
