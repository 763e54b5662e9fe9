"""Alembic's entry: runs the steps on the connection that the caller brings, in the caller's transaction.

A new step: `alembic -c storage/postgres/migrations/alembic.ini revision --autogenerate -m "what"`, with SPATIAL_DATABASE_URL set.
"""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from alembic import context
from sqlalchemy.ext.asyncio import create_async_engine

from storage import settings
from storage.postgres.schema import metadata


def _run(connection: sa.Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()


async def _connect_and_run() -> None:
    engine = create_async_engine(settings.load().need_database_url())
    async with engine.begin() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


brought = context.config.attributes.get("connection")
if brought is not None:
    _run(brought)
else:
    asyncio.run(_connect_and_run())
