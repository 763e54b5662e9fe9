"""What waits in the database: batches, usage rows on their way to Parquet, ingest runs. One question each, by the database's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import batch_items, batches, ingest_runs, usage

UNDER_WAY: Final = ("queued", "running")
"""States in which a batch or an item is still work to be done."""


@dataclass(frozen=True)
class Progress:
    """The runs of one kind that are under way, together."""

    runs: int
    found: int
    """Files that they have found so far."""
    done: int
    failed: int
    skipped: int


@dataclass(frozen=True)
class Backlog:
    """One moment."""

    batches: dict[str, int]
    """Of each state of UNDER_WAY, how many batches."""
    items: dict[str, int]
    """The same of items, in such batches."""
    oldest_batch_seconds: float
    """How long the oldest batch has waited for its run; 0 where none waits."""
    unexported_rows: int
    oldest_unexported_seconds: float
    ingest: dict[str, Progress]
    """By kind of run: ingest, reprocess. A kind that was never run is not here."""
    ingest_seconds: dict[tuple[str, str], float]
    """By kind and state, how long ago a run of that kind last showed that state."""


async def read(connection: AsyncConnection) -> Backlog:
    """The backlog now."""
    waiting = await _batches(connection)
    rows, oldest = (
        await connection.execute(
            sa.select(sa.func.count(), _since(sa.func.min(usage.c.created_at))).where(usage.c.object_id.is_(None))
        )
    ).one()
    runs = await _runs(connection)
    return Backlog(
        batches={state: waiting.get(state, (0, 0.0))[0] for state in UNDER_WAY},
        items=await _items(connection),
        oldest_batch_seconds=waiting.get("queued", (0, 0.0))[1],
        unexported_rows=rows,
        oldest_unexported_seconds=oldest,
        ingest={kind: _sum_runs([run for run in runs if run.kind == kind]) for kind in {run.kind for run in runs}},
        ingest_seconds={(run.kind, run.state): run.seconds for run in runs},
    )


async def _batches(connection: AsyncConnection) -> dict[str, tuple[int, float]]:
    """State to the number of batches, and the age of the oldest (s)."""
    question = (
        sa.select(batches.c.state, sa.func.count(), _since(sa.func.min(batches.c.submitted_at)))
        .where(batches.c.state.in_(UNDER_WAY), batches.c.expires_at > sa.func.clock_timestamp())
        .group_by(batches.c.state)
    )
    return {state: (count, oldest) for state, count, oldest in await connection.execute(question)}


async def _items(connection: AsyncConnection) -> dict[str, int]:
    question = (
        sa.select(batch_items.c.state, sa.func.count().label("number"))
        .join(batches, batches.c.id == batch_items.c.batch_id)
        .where(
            batches.c.state.in_(UNDER_WAY),
            batches.c.expires_at > sa.func.clock_timestamp(),
            batch_items.c.state.in_(UNDER_WAY),
        )
        .group_by(batch_items.c.state)
    )
    counted = {row.state: row.number for row in await connection.execute(question)}
    return {state: counted.get(state, 0) for state in UNDER_WAY}


async def _runs(connection: AsyncConnection) -> list[Any]:
    """One row a kind and state."""
    counted = {name: sa.func.coalesce(sa.func.sum(ingest_runs.c[name]), 0) for name in ("total", *COUNTS)}
    question = sa.select(
        ingest_runs.c.kind,
        ingest_runs.c.state,
        sa.func.count().label("runs"),
        *(sa.cast(total, sa.BigInteger).label(name) for name, total in counted.items()),
        _since(sa.func.max(sa.func.coalesce(ingest_runs.c.ended_at, ingest_runs.c.updated_at))).label("seconds"),
    ).group_by(ingest_runs.c.kind, ingest_runs.c.state)
    return list(await connection.execute(question))


COUNTS: Final = ("done", "failed", "skipped")
"""How files of a run end."""


def _sum_runs(runs: list[Any]) -> Progress:
    now = next((run for run in runs if run.state == "running"), None)
    if now is None:
        return Progress(runs=0, found=0, done=0, failed=0, skipped=0)
    return Progress(runs=now.runs, found=now.total, done=now.done, failed=now.failed, skipped=now.skipped)


def _since(moment: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    """Seconds from then till now; 0 where there is no then."""
    passed = sa.func.extract("epoch", sa.func.clock_timestamp() - moment)
    return sa.cast(sa.func.greatest(0, sa.func.coalesce(passed, 0)), sa.Double)
