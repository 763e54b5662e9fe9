"""The flows of the service, with the settings of their deployments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from prefect import Flow

from flows.extract import extract
from flows.extract_batch import extract_batch
from flows.extract_item import extract_item
from flows.housekeeping import compact_tables, compact_usage, expire, export_usage, push_usage, trim_prefect
from flows.ingest import ingest
from flows.notifications import deliver_notifications
from flows.pools import DESKTOP_POOL, POOL, QUEUES, WORKER_TYPE, Queue
from flows.reconcile import reconcile
from flows.reprocess import reprocess
from flows.rerun_batch import rerun_batch
from flows.respond import respond
from flows.respond_batch import respond_batch

__all__ = ["CATALOG", "DESKTOP_POOL", "POOL", "QUEUES", "WORKER_TYPE", "Deployed", "Queue"]


@dataclass(frozen=True)
class Deployed:
    """One deployment; it has the name of its flow."""

    flow: Flow[..., Any]
    entrypoint: str
    every: timedelta | None = None
    """Its schedule as an interval; at most one of `every` and `cron` is set."""
    cron: str | None = None
    """Its schedule as a cron expression in UTC."""
    scheduled: bool = True
    """Whether its schedule is active when it is first registered; later changes by operators are kept."""
    description: str = ""
    pool: str = POOL
    """Work pool in which its runs wait."""
    queue: Queue = "default"
    """Every worker has a separate concurrency limit for the queue `housekeeping`, so that other runs cannot delay it."""


def _housekeeping(flow: Flow[..., Any], every: timedelta | None, description: str) -> Deployed:
    """The deployment of a maintenance flow, in the queue `housekeeping`."""
    entrypoint = f"{flow.fn.__module__.replace('.', '/')}.py:{flow.fn.__name__}"
    return Deployed(flow, entrypoint, every, description=description, queue="housekeeping")


CATALOG: Final = {
    row.flow.name: row
    for row in (
        Deployed(extract, "flows/extract.py:extract", description="Extracts one CAD file to cad.extraction.v1"),
        Deployed(
            extract_batch,
            "flows/extract_batch.py:extract_batch",
            description="Extracts a batch of CAD files, one task run per item and stage",
        ),
        Deployed(
            extract_item,
            "flows/extract_item.py:extract_item",
            description="Extracts one failed item of an ended batch again, into a separate result",
        ),
        Deployed(
            rerun_batch,
            "flows/rerun_batch.py:rerun_batch",
            description="Extracts every failed item of an ended batch again, each into a separate result",
        ),
        Deployed(
            respond,
            "flows/respond.py:respond",
            description="Solves one task of spatial reasoning on a desktop worker, for a request that waits",
            pool=DESKTOP_POOL,
        ),
        Deployed(
            respond_batch,
            "flows/respond_batch.py:respond_batch",
            description="Answers some items of a responses batch on a desktop worker, for a request that waits",
            pool=DESKTOP_POOL,
        ),
        Deployed(
            ingest,
            "flows/ingest.py:ingest",
            description="Extracts every new or changed file under a prefix into documents and tables",
            queue="bulk",
        ),
        Deployed(
            reprocess,
            "flows/reprocess.py:reprocess",
            description="Extracts ingested files again",
            queue="bulk",
        ),
        _housekeeping(reconcile, timedelta(minutes=15), "Finds lost, crashed and unsubmitted runs and repairs them"),
        _housekeeping(export_usage, timedelta(minutes=15), "Copies usage rows from Postgres to append-only Parquet"),
        _housekeeping(compact_usage, timedelta(hours=1), "Merges small Parquet objects of the usage ledger"),
        _housekeeping(push_usage, None, "Sends usage to Stripe's meters where Stripe is configured"),
        _housekeeping(compact_tables, timedelta(hours=2), "Merges small Parquet objects of the ingest tables"),
        _housekeeping(expire, timedelta(hours=2), "Deletes staged files, results and batches after 24 hours"),
        _housekeeping(deliver_notifications, None, "Sends the notifications of ended batches and ingest runs"),
        _housekeeping(trim_prefect, timedelta(hours=6), "Deletes flow runs that ended before the retention period"),
    )
}
