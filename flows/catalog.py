"""Every flow by name: what a deployment may run, and how it is deployed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from prefect import Flow

from flows.extract import extract
from flows.extract_batch import extract_batch
from flows.extract_item import extract_item
from flows.housekeeping import compact_tables, compact_usage, expire, export_usage, trim_prefect
from flows.ingest import ingest
from flows.pools import DESKTOP_POOL, POOL, QUEUES, WORKER_TYPE, Queue
from flows.reconcile import reconcile
from flows.reprocess import reprocess

__all__ = ["CATALOG", "DESKTOP_POOL", "POOL", "QUEUES", "WORKER_TYPE", "Deployed", "Queue"]


@dataclass(frozen=True)
class Deployed:
    """One deployment: named like its flow."""

    flow: Flow[..., Any]
    entrypoint: str
    every: timedelta | None = None
    """Its schedule; at most one of `every` and `cron`."""
    cron: str | None = None
    """In UTC."""
    scheduled: bool = True
    """Whether its schedule is active from the start; what operators then make of it stays."""
    description: str = ""
    queue: Queue = "default"
    """housekeeping has places of its own in every worker, so that no load keeps the house from being kept."""


def _kept(flow: Flow[..., Any], every: timedelta, description: str) -> Deployed:
    """A flow that keeps the house."""
    entrypoint = f"{flow.fn.__module__.replace('.', '/')}.py:{flow.fn.__name__}"
    return Deployed(flow, entrypoint, every, description=description, queue="housekeeping")


CATALOG: Final = {
    row.flow.name: row
    for row in (
        Deployed(extract, "flows/extract.py:extract", description="One CAD file to cad.extraction.v1"),
        Deployed(
            extract_batch,
            "flows/extract_batch.py:extract_batch",
            description="A batch of CAD files, one task run per item and stage",
        ),
        Deployed(
            extract_item,
            "flows/extract_item.py:extract_item",
            description="One failed item of an ended batch again, into a result of its own",
        ),
        Deployed(
            ingest,
            "flows/ingest.py:ingest",
            description="Every new or changed file under a prefix into documents and tables",
            queue="bulk",
        ),
        Deployed(
            reprocess,
            "flows/reprocess.py:reprocess",
            description="Files that were ingested before, read again",
            queue="bulk",
        ),
        _kept(reconcile, timedelta(minutes=1), "Lost, crashed and never submitted runs put right"),
        _kept(export_usage, timedelta(minutes=1), "Usage rows from Postgres to append-only Parquet"),
        _kept(compact_usage, timedelta(hours=1), "Many small Parquet objects of usage into few"),
        _kept(compact_tables, timedelta(minutes=10), "Many small Parquet objects of the ingest tables into few"),
        _kept(expire, timedelta(minutes=10), "Staged files, results and batches past their 24 hours"),
        _kept(trim_prefect, timedelta(hours=6), "Ended flow runs that Prefect has kept long enough"),
    )
}
