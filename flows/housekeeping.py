"""Housekeeping flows: scheduled, short, safe to repeat, with at most one run per flow at a time in all processes.

An advisory lock in Postgres enforces that limit. Prefect keeps the leases of its concurrency limits in the memory of its server: if
both worker and server are killed, the slot is never released.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from prefect import flow, get_client, get_run_logger
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import ArtifactFilter, FlowRunFilter
from prefect.client.schemas.objects import FlowRun

from billing import push
from pipelines.resources import Resources, current_resources
from spatial.contract import limits
from spatial.counting import count_of
from storage.objects.lake import EPHEMERAL
from storage.postgres import (
    batch_expiry,
    console_sessions,
    idempotency,
    probe_results,
    sign_in_failures,
    upload_files,
    webhook_deliveries,
)
from storage.postgres.advisory_lock import advisory_lock
from storage.tables import ingest, ledger

TRIM_AT_ONCE = 100
"""Number of flow runs per request."""

PROBLEMS_SHOWN = 10
"""Reasons of refused meter events that a run logs."""


@asynccontextmanager
async def _only_run(name: str) -> AsyncIterator[Resources | None]:
    """The resources for the length of a block; None if another run of the flow is running."""
    resources = current_resources()
    async with advisory_lock(resources.database, name) as only:
        if not only:
            get_run_logger().info("another run of %s is running; this run does nothing", name)
        yield resources if only else None


@flow(name="export-usage", persist_result=False)
async def export_usage() -> int:
    """Copy usage rows that are not exported yet into append-only Parquet; returns how many."""
    async with _only_run("export-usage") as resources:
        rows = await ledger.export(resources.database, resources.lake) if resources else 0
    get_run_logger().info("exported %d usage rows to Parquet", rows)
    return rows


@flow(name="compact-usage", persist_result=False)
async def compact_usage() -> int:
    """Merge small Parquet objects of the usage ledger; returns how many were merged. Readers never see a row twice."""
    async with _only_run("compact-usage") as resources:
        merged = await ledger.compact(resources.database, resources.lake) if resources else 0
    get_run_logger().info("merged %d objects of the usage ledger", merged)
    return merged


@flow(name="push-usage", persist_result=False)
async def push_usage() -> dict[str, int]:
    """Send the tokens of usage rows to Stripe's meters, each once; returns how many events ended how."""
    logger = get_run_logger()
    async with _only_run("push-usage") as resources:
        if resources is None:
            return {}
        if resources.settings.stripe_key is None:
            logger.info("Stripe is not configured; nothing is sent")
            return {}
        pushed = await push.push_usage(resources.settings, resources.database)
    for problem, events in pushed.problems.most_common(PROBLEMS_SHOWN):
        logger.error("Stripe refuses %s: %s", count_of(events, "meter event"), problem)
    if pushed.expired or pushed.uncertain:
        logger.error(
            "%d meter events are too old for Stripe and %d may be counted or not; they are not sent, see: spatial accounts unsent",
            pushed.expired,
            pushed.uncertain,
        )
    counts = pushed.counts()
    logger.info("meter events: %s", ", ".join(f"{name} {count}" for name, count in counts.items()))
    return counts


@flow(name="compact-tables", persist_result=False)
async def compact_tables() -> int:
    """Merge small Parquet objects of the ingest tables and drop superseded rows; returns how many were replaced.

    Afterwards it deletes objects that no reader uses.
    """
    async with _only_run("compact-tables") as resources:
        replaced = await ingest.compact_tables(resources.database, resources.lake) if resources else 0
    get_run_logger().info("replaced %d objects of the ingest tables", replaced)
    return replaced


@flow(name="expire", persist_result=False)
async def expire() -> dict[str, int]:
    """Delete files, results, uploads, batches and Idempotency-Keys that are past their retention; returns how many of each."""
    async with _only_run("expire") as resources:
        deleted = await _delete_expired(resources) if resources else {}
    counts = {what: count for what, count in deleted.items() if count}
    get_run_logger().info("deleted after %d hours: %s", limits.RETENTION_HOURS, counts or "nothing")
    return deleted


async def _delete_expired(resources: Resources) -> dict[str, int]:
    """Delete the objects that rows name together with the rows, then all other objects past their retention."""
    age = timedelta(hours=limits.RETENTION_HOURS)
    deleted = {
        "batches": await _expire_batches(resources),
        "uploads": await upload_files.expire(resources.database, resources.lake),
    }
    deleted |= {prefix: await resources.lake.expire(prefix, age) for prefix in EPHEMERAL}
    async with resources.database.transaction() as connection:
        deleted["idempotency keys"] = await idempotency.expire(connection)
        deleted["forgotten batches"] = await batch_expiry.delete_expired(connection)
        deleted["old notifications"] = await webhook_deliveries.delete_old(connection)
        deleted["console sessions"] = await console_sessions.delete_expired(connection)
        deleted["failed sign-ins"] = await sign_in_failures.delete_old(connection)
        deleted["probe results"] = await probe_results.delete_old(connection)
    return deleted


async def _expire_batches(resources: Resources) -> int:
    """Delete staged files and results of every batch past its retention; then mark the batch as expired."""
    async with resources.database.transaction() as connection:
        overdue = await batch_expiry.find_expired(connection)
    for batch_id, operation_id in overdue:
        for key in [
            *await resources.lake.list(f"staged/{operation_id}"),
            *await resources.lake.list(f"results/{operation_id}"),
        ]:
            await resources.lake.delete(key)
        async with resources.database.transaction() as connection:
            await batch_expiry.mark_expired(connection, batch_id)
    return len(overdue)


@flow(name="trim-prefect", persist_result=False)
async def trim_prefect() -> int:
    """Delete flow runs that ended long ago, with their logs and artifacts; returns how many.

    For Prefect servers whose own vacuum is off. Only the server can delete events: its API has no call for that.
    """
    async with _only_run("trim-prefect") as resources, get_client() as client:
        if resources is None:
            return 0
        before = datetime.now(UTC) - timedelta(days=resources.settings.prefect_retention_days)
        chosen = FlowRunFilter.model_validate({"end_time": {"before_": before}, "tags": {"all_": ["spatial"]}})
        deleted = 0
        while old := await client.read_flow_runs(flow_run_filter=chosen, limit=TRIM_AT_ONCE):
            for run in old:
                await _delete(client, run)
            deleted += len(old)
    get_run_logger().info("deleted %d flow runs", deleted)
    return deleted


async def _delete(client: PrefectClient, run: FlowRun) -> None:
    """Delete a flow run and its artifacts; the server deletes its logs and task runs with it."""
    of_run = ArtifactFilter.model_validate({"flow_run_id": {"any_": [run.id]}})
    for artifact in await client.read_artifacts(artifact_filter=of_run):
        await client.delete_artifact(artifact.id)
    await client.delete_flow_run(run.id)
