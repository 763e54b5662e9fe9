"""Every flow by name: what a deployment may run, and how it is deployed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from prefect import Flow

from flows.extract import extract
from flows.housekeeping import compact_usage, expire, export_usage

POOL = "extraction"
"""Work pool that the warm workers serve."""

WORKER_TYPE = "spatial-warm"
"""Type of that pool and of its workers (deployments/worker.py)."""


@dataclass(frozen=True)
class Deployed:
    """One deployment: named like its flow."""

    flow: Flow[..., Any]
    entrypoint: str
    every: timedelta | None = None
    description: str = ""


CATALOG = {
    row.flow.name: row
    for row in (
        Deployed(extract, "flows/extract.py:extract", description="One CAD file to cad.extraction.v1"),
        Deployed(
            export_usage,
            "flows/housekeeping.py:export_usage",
            every=timedelta(minutes=1),
            description="Usage rows from Postgres to append-only Parquet",
        ),
        Deployed(
            compact_usage,
            "flows/housekeeping.py:compact_usage",
            every=timedelta(hours=1),
            description="Many small Parquet objects of usage into few",
        ),
        Deployed(
            expire,
            "flows/housekeeping.py:expire",
            every=timedelta(minutes=10),
            description="Staged files and results past their 24 hours",
        ),
    )
}
