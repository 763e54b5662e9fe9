"""Flows that keep the house: scheduled, small, safe to run twice."""

from __future__ import annotations

from datetime import timedelta

from prefect import flow, get_run_logger

from spatial.contract import limits
from storage import idempotency, usage
from storage.lake import EPHEMERAL
from tasks import resources


@flow(name="export-usage", persist_result=False)
async def export_usage() -> int:
    """Copy usage rows that are not exported yet into append-only Parquet; returns how many."""
    here = resources.current()
    rows = await usage.export(here.database, here.lake)
    if rows:
        get_run_logger().info("exported %d usage rows to Parquet", rows)
    return rows


@flow(name="compact-usage", persist_result=False)
async def compact_usage() -> int:
    """Merge small Parquet objects of the usage ledger; returns how many were merged. Readers never see a row twice."""
    here = resources.current()
    return await usage.compact(here.database, here.lake)


@flow(name="expire", persist_result=False)
async def expire() -> dict[str, int]:
    """Delete files, results and Idempotency-Keys that are past their retention; returns how many of each."""
    here = resources.current()
    age = timedelta(hours=limits.RETENTION_HOURS)
    deleted = {prefix: await here.lake.expire(prefix, age) for prefix in EPHEMERAL}
    async with here.database.transaction() as connection:
        deleted["idempotency keys"] = await idempotency.expire(connection)
    if any(deleted.values()):
        get_run_logger().info("deleted after %d hours: %s", limits.RETENTION_HOURS, deleted)
    return deleted
