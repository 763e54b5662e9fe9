"""What waits in the database: batches, usage rows on their way to Parquet and to Stripe, notifications, ingest runs. One record per metric.

To add a metric, add a row to METRICS and its row to the table of docs/operations.md; `GET /metrics` shows every row. Several rows may share
a query, which then runs once per scrape. Moments are compared by the database's clock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.batch_states import UNFINISHED
from storage.postgres.meter_events import UNSENT
from storage.postgres.schema import batch_items, batches, ingest_runs, meter_events, usage, webhook_deliveries

Values = Mapping[tuple[str, ...], float]
"""Label values to a number; the key is () for a metric without labels."""

Query = Callable[[AsyncConnection], Awaitable[Sequence[Any]]]


@dataclass(frozen=True)
class BacklogMetric:
    """One gauge."""

    name: str
    description: str
    labels: tuple[str, ...]
    query: Query
    """Reads the rows that the values are made of."""
    values: Callable[[Sequence[Any]], Values]


async def read(connection: AsyncConnection) -> list[tuple[BacklogMetric, Values]]:
    """Every metric with its values now."""
    found: dict[Query, Sequence[Any]] = {}
    for metric in METRICS:
        if metric.query not in found:
            found[metric.query] = await metric.query(connection)
    return [(metric, metric.values(found[metric.query])) for metric in METRICS]


# Queries ------------------------------------------------------------------------------------------------------------------


async def _batches(connection: AsyncConnection) -> Sequence[Any]:
    """state, number, oldest (s): one row per state of unfinished batches."""
    age = _seconds_since(sa.func.min(batches.c.submitted_at)).label("oldest")
    query = sa.select(batches.c.state, sa.func.count().label("number"), age)
    return (await connection.execute(query.where(_is_unfinished()).group_by(batches.c.state))).all()


async def _items(connection: AsyncConnection) -> Sequence[Any]:
    """state, number: one row per state of unfinished items of unfinished batches."""
    query = sa.select(batch_items.c.state, sa.func.count().label("number")).join(batches)
    unfinished = sa.and_(_is_unfinished(), batch_items.c.state.in_(UNFINISHED))
    return (await connection.execute(query.where(unfinished).group_by(batch_items.c.state))).all()


async def _unexported_usage(connection: AsyncConnection) -> Sequence[Any]:
    """number, oldest (s): one row."""
    age = _seconds_since(sa.func.min(usage.c.created_at)).label("oldest")
    query = sa.select(sa.func.count().label("number"), age).where(usage.c.object_id.is_(None))
    return (await connection.execute(query)).all()


async def _meter_events(connection: AsyncConnection) -> Sequence[Any]:
    """state, number, oldest (s): one row per state of events that Stripe does not have."""
    age = _seconds_since(sa.func.min(meter_events.c.occurred_at)).label("oldest")
    query = sa.select(meter_events.c.state, sa.func.count().label("number"), age)
    waiting = [query.where(meter_events.c.state == state).group_by(meter_events.c.state) for state in METERED]
    return (await connection.execute(sa.union_all(*waiting))).all()


async def _ingest(connection: AsyncConnection) -> Sequence[Any]:
    """kind, state, runs, total, done, failed, skipped, seconds since the last change: one row per kind and state."""
    counts = {name: sa.func.coalesce(sa.func.sum(ingest_runs.c[name]), 0) for name in ("total", *ENDINGS)}
    last = sa.func.max(sa.func.coalesce(ingest_runs.c.ended_at, ingest_runs.c.updated_at))
    query = sa.select(
        ingest_runs.c.kind,
        ingest_runs.c.state,
        sa.func.count().label("runs"),
        *(sa.cast(count, sa.BigInteger).label(name) for name, count in counts.items()),
        _seconds_since(last).label("seconds"),
    )
    return (await connection.execute(query.group_by(ingest_runs.c.kind, ingest_runs.c.state))).all()


async def _deliveries(connection: AsyncConnection) -> Sequence[Any]:
    """pending, failed, late (s): one row."""
    pending, failed = (webhook_deliveries.c.state == state for state in ("pending", "failed"))
    late = _seconds_since(sa.func.min(webhook_deliveries.c.next_attempt_at).filter(pending)).label("late")
    counts = (sa.func.count().filter(pending).label("pending"), sa.func.count().filter(failed).label("failed"))
    return (await connection.execute(sa.select(*counts, late).select_from(webhook_deliveries))).all()


METERED: Final = ("pending", *UNSENT)
"""States of meter events that Stripe does not have."""

ENDINGS: Final = ("done", "failed", "skipped")
"""How files of an ingest run end."""


def _is_unfinished() -> sa.ColumnElement[bool]:
    return sa.and_(batches.c.state.in_(UNFINISHED), batches.c.expires_at > sa.func.clock_timestamp())


def _seconds_since(moment: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    """Seconds from the moment till now; 0 where the moment is NULL."""
    passed = sa.func.extract("epoch", sa.func.clock_timestamp() - moment)
    return sa.cast(sa.func.greatest(0, sa.func.coalesce(passed, 0)), sa.Double)


# Values -------------------------------------------------------------------------------------------------------------------


def _by_state(rows: Sequence[Any]) -> Values:
    """The number of each unfinished state, 0 where no row has it."""
    numbers = {row.state: row.number for row in rows}
    return {(state,): numbers.get(state, 0) for state in UNFINISHED}


def _oldest_queued(rows: Sequence[Any]) -> Values:
    return {(): next((row.oldest for row in rows if row.state == "queued"), 0.0)}


def _number(rows: Sequence[Any]) -> Values:
    return {(): rows[0].number}


def _oldest(rows: Sequence[Any]) -> Values:
    return {(): rows[0].oldest}


def _deliveries_by_state(rows: Sequence[Any]) -> Values:
    return {("pending",): rows[0].pending, ("failed",): rows[0].failed}


def _latest(rows: Sequence[Any]) -> Values:
    return {(): rows[0].late}


def _metered(rows: Sequence[Any]) -> Values:
    numbers = {row.state: row.number for row in rows}
    return {(state,): numbers.get(state, 0) for state in METERED}


def _oldest_metered(rows: Sequence[Any]) -> Values:
    return {(): next((row.oldest for row in rows if row.state == "pending"), 0.0)}


def _of_running(rows: Sequence[Any], column: str) -> dict[str, float]:
    """Kind to a column of the runs under way, 0 where only ended runs of the kind are known."""
    numbers = {row.kind: getattr(row, column) for row in rows if row.state == "running"}
    return {row.kind: numbers.get(row.kind, 0) for row in rows}


def _ingest_runs(rows: Sequence[Any]) -> Values:
    return {(kind,): number for kind, number in _of_running(rows, "runs").items()}


def _found_files(rows: Sequence[Any]) -> Values:
    return {(kind,): number for kind, number in _of_running(rows, "total").items()}


def _ended_files(rows: Sequence[Any]) -> Values:
    return {(kind, end): number for end in ENDINGS for kind, number in _of_running(rows, end).items()}


def _last_seconds(rows: Sequence[Any]) -> Values:
    return {(row.kind, row.state): row.seconds for row in rows}


METRICS: Final = (
    BacklogMetric("spatial_batches", "Batches to be done", ("state",), _batches, _by_state),
    BacklogMetric("spatial_batch_items", "Items to be done", ("state",), _items, _by_state),
    BacklogMetric(
        "spatial_batch_oldest_seconds", "How long the oldest queued batch waits", (), _batches, _oldest_queued
    ),
    BacklogMetric(
        "spatial_ledger_unexported_rows", "Usage rows not yet in the Parquet ledger", (), _unexported_usage, _number
    ),
    BacklogMetric("spatial_ledger_lag_seconds", "Age of the oldest such row", (), _unexported_usage, _oldest),
    BacklogMetric(
        "spatial_notifications",
        "Notifications to be delivered, and those of the last 30 days that failed",
        ("state",),
        _deliveries,
        _deliveries_by_state,
    ),
    BacklogMetric("spatial_notification_lag_seconds", "How long the next attempt is overdue", (), _deliveries, _latest),
    BacklogMetric(
        "spatial_meter_events", "Meter events that Stripe does not have", ("state",), _meter_events, _metered
    ),
    BacklogMetric(
        "spatial_meter_oldest_seconds", "Age of the oldest pending meter event", (), _meter_events, _oldest_metered
    ),
    BacklogMetric("spatial_ingest_runs", "Ingest and reprocess runs under way", ("kind",), _ingest, _ingest_runs),
    BacklogMetric(
        "spatial_ingest_found_files", "Files that the runs under way have found", ("kind",), _ingest, _found_files
    ),
    BacklogMetric(
        "spatial_ingest_ended_files",
        "Files that the runs under way have ended",
        ("kind", "ended"),
        _ingest,
        _ended_files,
    ),
    BacklogMetric(
        "spatial_ingest_last_seconds",
        "How long ago a run of that kind last showed that state",
        ("kind", "state"),
        _ingest,
        _last_seconds,
    ),
)
"""One row per metric."""
