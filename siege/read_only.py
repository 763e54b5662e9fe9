"""A Postgres database that only reads, as a standby or a server whose operator has stopped writes does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg

END: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
"""Ends the connections that were made before a setting of the database changed."""


@contextmanager
def reading_only(url: str) -> Iterator[None]:
    """The database of a URL refuses every write for the length of a block (ALTER DATABASE, default_transaction_read_only)."""
    asyncio.run(_set(url, "on"))
    try:
        yield
    finally:
        asyncio.run(_set(url, "off"))


async def _set(url: str, value: str) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", "", 1))
    try:
        name = await connection.fetchval("SELECT quote_ident(current_database())")
        await connection.execute("SET default_transaction_read_only = off")
        await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        await connection.execute(END)
    finally:
        await connection.close()
