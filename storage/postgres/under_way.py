"""Whether any work is under way that outlives a request: where none is, no run can be lost, and nothing waits to be repaired."""

from __future__ import annotations

import sqlalchemy as sa

from storage.postgres.batch_states import IN_FLIGHT, in_states
from storage.postgres.database import Database

QUERY = sa.text(
    f"SELECT EXISTS (SELECT 1 FROM batches WHERE {in_states(IN_FLIGHT)}) "  # noqa: S608  # names of our own
    "OR EXISTS (SELECT 1 FROM ingest_runs WHERE state = 'running')"
)


async def is_any(database: Database) -> bool:
    """Whether a batch has not ended, or a run of bulk ingest. Raises: DatastoreUnavailable."""
    async with database.transaction() as connection:
        return bool((await connection.execute(QUERY)).scalar_one())
