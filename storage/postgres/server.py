"""The Postgres server behind a database URL: its other databases, made when missing."""

from __future__ import annotations

import asyncpg

from storage.postgres.address import database_of, sibling_url
from storage.postgres.database import CONNECT_SECONDS, DatastoreUnavailable


async def create_database(url: str) -> None:
    """Create the database that the URL names, where it does not exist; needs CREATEDB only then.

    Raises: DatastoreUnavailable if the server is unavailable or refuses.
    """
    name = database_of(url)
    try:
        connection = await asyncpg.connect(
            sibling_url(url, "postgres").replace("+asyncpg", "", 1), timeout=CONNECT_SECONDS, command_timeout=30
        )
        try:
            known = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name)
            if not known:
                quoted = name.replace('"', '""')
                await connection.execute(f'CREATE DATABASE "{quoted}"')
        except asyncpg.DuplicateDatabaseError:
            pass  # another process was quicker
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise DatastoreUnavailable(
            f"the database {name} cannot be created: {error}; check SPATIAL_DATABASE_URL"
        ) from error
