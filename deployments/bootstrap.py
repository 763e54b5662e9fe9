"""Set up what a deployment needs; safe to run again.

It creates the database's schema and the bucket and, in the Prefect server, the result storage, work pools with their queues,
deployments with their schedules, and the zombie automation. Changes by operators are kept: limits and pauses of pools and queues,
schedules that were paused or given another interval, parameters and tags of deployments.

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

from deployments import ingest_schedule
from flows.catalog import CATALOG, DESKTOP_POOL, POOL, QUEUES, WORKER_TYPE, Deployed
from prefect_runtime import environment, result_storage
from storage import settings as settings_module
from storage.objects import bucket
from storage.objects.lake import LakeUnavailable
from storage.postgres.database import migrate
from storage.settings import Settings
from storage.tables import ingest

RETRY_SECONDS = 0.5

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
"""Events of a flow run, most of them named after its states, that prove that it is not a zombie."""

TEMPLATE = {
    "job_configuration": {"name": "{{ name }}"},
    "variables": {"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}},
}
"""An in-process run has no infrastructure to configure; Prefect requires a template that is not empty."""

log = logging.getLogger(__name__)


async def register(settings: Settings) -> list[str]:
    """Register everything; returns one line per registered object."""
    await bucket.ensure_bucket(settings)
    await result_storage.save(settings)
    lines = [f"object storage {settings.storage_url}", f"result storage {result_storage.BLOCK}"]
    async with get_client() as client:
        lines += [await _pool(client, POOL), await _pool(client, DESKTOP_POOL)]
        lines += [await _queue(client, name, *QUEUES[name]) for name in QUEUES]
        lines += [await _deployment(client, settings, row, POOL) for row in CATALOG.values()]
        lines.append(await ingest_schedule.register(client, settings))
        lines.append(await _zombie_automation(client))
    return lines


async def until_registered(settings: Settings) -> None:
    """Register as soon as the Prefect server and object storage answer; retries while they are unreachable."""
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


async def _pool(client: PrefectClient, name: str) -> str:
    pool = WorkPoolCreate(
        name=name,
        type=WORKER_TYPE,
        description="Runs the flows of the service inside warm worker processes; start one with python -m deployments.worker",
        base_job_template=TEMPLATE,
    )
    with suppress(ObjectAlreadyExists):  # changes by operators to a registered pool are kept
        await client.create_work_pool(pool)
    return f"work pool {name}"


async def _queue(client: PrefectClient, name: str, priority: int, limit: int | None) -> str:
    with suppress(ObjectAlreadyExists):
        await client.create_work_queue(name, priority=priority, concurrency_limit=limit, work_pool_name=POOL)
    return f"work queue {POOL}/{name}"


async def _deployment(client: PrefectClient, settings: Settings, row: Deployed, pool: str) -> str:
    """Create the deployment, or update the fields that the code defines."""
    name = f"{row.flow.name}/{row.flow.name}"
    fields: dict[str, Any] = {
        "description": row.description or row.flow.description,
        "entrypoint": row.entrypoint,
        "path": ".",
        "work_pool_name": pool,
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
    """The schedule that the code defines; its slug states its interval, so that a later version can detect changes by operators."""
    every = timedelta(seconds=settings.reconcile_seconds) if row.flow.name == "reconcile" else row.every
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
    """Update the schedule that an earlier version registered; a paused one stays paused, one that an operator changed stays as it is."""
    for registered in known:
        current = registered.schedule
        interval = current.cron if isinstance(current, CronSchedule) else getattr(current, "interval", None)
        is_unchanged = interval is not None and registered.slug == _slug(interval)
        if is_unchanged and registered.slug != wanted.slug and registered.id is not None:
            await client.update_deployment_schedule(
                deployment_id, registered.id, schedule=wanted.schedule, slug=wanted.slug, active=registered.active
            )


async def _zombie_automation(client: PrefectClient) -> str:
    """A run whose process was killed becomes Crashed. The automation works only if the server's trigger service is on.

    The flow `reconcile` finds these runs too; the automation is faster, and operators can attach their own actions to it.
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


async def _everything(settings: Settings) -> list[str]:
    """Migrate the schema first: API and worker depend on it."""
    await migrate(settings.need_database_url())
    return ["database schema", *await register(settings)]


def main() -> int:
    """Register everything and print what is registered."""
    try:
        settings = settings_module.load()
        environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    for line in asyncio.run(_everything(settings)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
