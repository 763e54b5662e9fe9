"""The Postgres server behind a database URL: its other databases, made when missing."""

from __future__ import annotations

import asyncpg
from sqlalchemy.engine import make_url

from storage.postgres.database import CONNECT_SECONDS, DatastoreUnavailable


def sibling_url(url: str, database: str) -> str:
    """The URL of another database on the same server."""
    return make_url(url).set(database=database).render_as_string(hide_password=False)


async def create_database(url: str) -> None:
    """Create the database that the URL names, where it does not exist; needs CREATEDB only then.

    Raises: DatastoreUnavailable if the server is unavailable or refuses.
    """
    target = make_url(url)
    try:
        connection = await asyncpg.connect(
            sibling_url(url, "postgres").replace("+asyncpg", "", 1), timeout=CONNECT_SECONDS, command_timeout=30
        )
        try:
            known = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", target.database)
            if not known:
                quoted = str(target.database).replace('"', '""')
                await connection.execute(f'CREATE DATABASE "{quoted}"')
        except asyncpg.DuplicateDatabaseError:
            pass  # another process was quicker
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise DatastoreUnavailable(
            f"the database {target.database} cannot be created: {error}; check SPATIAL_DATABASE_URL"
        ) from error
