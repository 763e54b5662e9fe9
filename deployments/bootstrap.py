"""Create the resources that a deployment needs; idempotent.

It creates the database's schema and the bucket and, in the Prefect server, the result storage, work pools with their queues,
deployments with their schedules, and the zombie automation. Changes by operators are kept: limits and pauses of pools and queues,
paused or changed schedules, parameters and tags of deployments.

Run as `python -m deployments.bootstrap`; the embedded stack and the compose file do so at every start.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
from prefect import get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate, DeploymentUpdate, WorkPoolCreate
from prefect.client.schemas.objects import DeploymentSchedule, StateType
from prefect.client.schemas.schedules import CronSchedule, IntervalSchedule
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound
from prefect.utilities.callables import parameter_schema

from deployments import ingest_schedule, notification_schedule, usage_push_schedule
from flows.catalog import CATALOG, DESKTOP_POOL, POOL, QUEUES, WORKER_TYPE, Deployed
from prefect_runtime import environment, result_storage
from storage import settings as settings_module
from storage.objects.lake import LakeUnavailable
from storage.postgres.database import migrate
from storage.settings import Settings
from storage.tables import ingest

RETRY_SECONDS = 0.5

RARELY = 15
"""Interval of the schedule of `reconcile`, in searches, which start it where there is work (flows/watch.py): for what none has seen."""

ZOMBIES = "crash zombie runs"
"""Name of the automation that marks runs without heartbeats as crashed."""

SILENCE = timedelta(seconds=90)
"""How long a run may have no heartbeat before that automation marks it as crashed; the interval of heartbeats is 15 s."""

PROOFS = (
    "heartbeat",
    "Completed",
    "Failed",
    "Cancelled",
    "Crashed",
    "AwaitingRetry",
    "Scheduled",
    "Paused",
    "Suspended",
    ingest.UNNEEDED,
    ingest.WITH_FAILURES,
)
"""Suffixes of the event names that prove that a flow run is not a zombie; most are names of states."""

TEMPLATE = {
    "job_configuration": {"name": "{{ name }}"},
    "variables": {"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}},
}
"""Base job template. An in-process run has no infrastructure to configure, but Prefect requires a template that is not empty."""

log = logging.getLogger(__name__)


async def register(settings: Settings) -> list[str]:
    """Register all objects except the database schema; returns one line per object."""
    if settings.storage_url.startswith("s3://"):
        from storage.objects import bucket  # the clients of S3 take a second to import, which a directory does not need

        await bucket.ensure_bucket(settings)
    await result_storage.save(settings)
    lines = [f"object storage {settings.storage_url}", f"result storage {result_storage.BLOCK}"]
    async with get_client() as client:
        lines += [await _register_pool(client, POOL), await _register_pool(client, DESKTOP_POOL)]
        lines += [await _register_queue(client, name, *QUEUES[name]) for name in QUEUES]
        lines += [await _register_deployment(client, settings, row) for row in CATALOG.values()]
        lines.append(await ingest_schedule.register(client, settings))
        lines.append(await notification_schedule.register(client, settings))
        lines.append(await usage_push_schedule.register(client, settings))
        lines.append(await _register_zombie_automation(client))
    return lines


async def register_when_reachable(settings: Settings) -> None:
    """Register all objects; retries while the Prefect server or object storage is unreachable."""
    while True:
        try:
            for line in await register(settings):
                log.info("registered %s", line)
            return
        except httpx.HTTPStatusError as error:
            if error.response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                raise
            log.info("the Prefect server is not ready: %r", error)
        except (httpx.TransportError, LakeUnavailable) as error:
            log.info("waiting for the Prefect server and object storage: %r", error)
        await asyncio.sleep(RETRY_SECONDS)


async def _register_pool(client: PrefectClient, name: str) -> str:
    pool = WorkPoolCreate(
        name=name,
        type=WORKER_TYPE,
        description="Runs the flows of the service inside warm worker processes; start one with python -m deployments.worker",
        base_job_template=TEMPLATE,
    )
    with suppress(ObjectAlreadyExists):  # changes by operators to a registered pool are kept
        await client.create_work_pool(pool)
    return f"work pool {name}"


async def _register_queue(client: PrefectClient, name: str, priority: int, limit: int | None) -> str:
    with suppress(ObjectAlreadyExists):
        await client.create_work_queue(name, priority=priority, concurrency_limit=limit, work_pool_name=POOL)
    return f"work queue {POOL}/{name}"


async def _register_deployment(client: PrefectClient, settings: Settings, row: Deployed) -> str:
    """Create the deployment, or update the fields that the code defines."""
    name = f"{row.flow.name}/{row.flow.name}"
    fields: dict[str, Any] = {
        "description": row.description or row.flow.description,
        "entrypoint": row.entrypoint,
        "path": ".",
        "work_pool_name": row.pool,
        "work_queue_name": row.queue,
        "parameter_openapi_schema": parameter_schema(row.flow.fn).model_dump_for_openapi(),
    }
    schedule = _schedule(settings, row)
    try:
        known = await client.read_deployment_by_name(name)
    except ObjectNotFound:
        flow_id = await client.create_flow_from_name(row.flow.name)
        schedules = [schedule] if schedule else []
        await client.create_deployment(flow_id, row.flow.name, tags=["spatial"], schedules=schedules, **fields)
        return f"deployment {name}"
    await client.update_deployment(known.id, DeploymentUpdate.model_validate(fields))
    if schedule is not None:
        await _reschedule(client, known.id, known.schedules, schedule)
    return f"deployment {name}"


def _schedule(settings: Settings, row: Deployed) -> DeploymentScheduleCreate | None:
    """The schedule that the code defines. Its slug contains its interval, so that a later version can detect changes by operators."""
    every = RARELY * timedelta(seconds=settings.reconcile_seconds) if row.flow.name == "reconcile" else row.every
    if row.cron is not None:
        return DeploymentScheduleCreate(
            schedule=CronSchedule(cron=row.cron, timezone="UTC"), active=row.scheduled, slug=_slug(row.cron)
        )
    if every is None:
        return None
    return DeploymentScheduleCreate(schedule=IntervalSchedule(interval=every), active=row.scheduled, slug=_slug(every))


def _slug(interval: str | timedelta) -> str:
    return f"spatial: {interval if isinstance(interval, str) else f'every {interval.total_seconds():g} s'}"


async def _reschedule(
    client: PrefectClient, deployment_id: UUID, known: list[DeploymentSchedule], wanted: DeploymentScheduleCreate
) -> None:
    """Update the schedule that an earlier version registered; it stays paused if it is, and is kept if an operator changed it."""
    for registered in known:
        current = registered.schedule
        interval = current.cron if isinstance(current, CronSchedule) else getattr(current, "interval", None)
        is_unchanged = interval is not None and registered.slug == _slug(interval)
        if is_unchanged and registered.slug != wanted.slug and registered.id is not None:
            await client.update_deployment_schedule(
                deployment_id, registered.id, schedule=wanted.schedule, slug=wanted.slug, active=registered.active
            )


async def _register_zombie_automation(client: PrefectClient) -> str:
    """Create the automation that sets runs of killed processes to Crashed. It needs the server's trigger service.

    The flow `reconcile` finds these runs too, but later. Operators can attach their own actions to the automation.
    """
    if not await client.read_automations_by_name(ZOMBIES):
        beats, proofs = {"prefect.flow-run.heartbeat"}, {f"prefect.flow-run.{proof}" for proof in PROOFS}
        trigger = EventTrigger(
            match=ResourceSpecification.model_validate({"prefect.resource.id": ["prefect.flow-run.*"]}),
            after=beats,
            expect=proofs,
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=SILENCE,
        )
        action = ChangeFlowRunState(state=StateType.CRASHED, message="its heartbeats stopped")
        await client.create_automation(AutomationCore(name=ZOMBIES, trigger=trigger, actions=[action]))
    return f"automation {ZOMBIES}"


async def _migrate_and_register(settings: Settings) -> list[str]:
    """Migrate the database schema, then register all other objects."""
    await migrate(settings.need_database_url())
    return ["database schema", *await register(settings)]


def main() -> int:
    """Set up everything and print one line per object."""
    try:
        settings = settings_module.load()
        environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    for line in asyncio.run(_migrate_and_register(settings)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
