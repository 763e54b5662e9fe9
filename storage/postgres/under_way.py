"""Whether work is under way that outlives a request, or a worker was found silent: else no run is lost, and nothing waits for repair."""

from __future__ import annotations

import sqlalchemy as sa

from storage.postgres.batch_states import IN_FLIGHT, in_states
from storage.postgres.database import Database

QUERY = sa.text(
    f"SELECT EXISTS (SELECT 1 FROM batches WHERE {in_states(IN_FLIGHT)}) "  # noqa: S608  # names of our own
    "OR EXISTS (SELECT 1 FROM ingest_runs WHERE state = 'running') OR EXISTS (SELECT 1 FROM silent_workers)"
)


async def is_any(database: Database) -> bool:
    """Whether a batch has not ended, or a run of bulk ingest, or a silent worker is noted. Raises: DatastoreUnavailable."""
    async with database.transaction() as connection:
        return bool((await connection.execute(QUERY)).scalar_one())
