"""Flows that keep the house: scheduled, small, safe to run twice."""

from __future__ import annotations

from prefect import flow, get_run_logger

from storage import usage
from tasks import resources


@flow(name="export-usage", persist_result=False)
async def export_usage() -> int:
    """Copy usage rows that are not exported yet into append-only Parquet; returns how many."""
    here = resources.current()
    rows = await usage.export(here.database, here.lake)
    if rows:
        get_run_logger().info("exported %d usage rows to Parquet", rows)
    return rows
