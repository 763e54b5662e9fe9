"""The schedule of the deployment `ingest` according to the settings. Schedules that users add in the Prefect UI are not changed."""

from __future__ import annotations

import logging
from typing import Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.schedules import CronSchedule

from storage.settings import Settings

log = logging.getLogger(__name__)

SLUG: Final = "spatial-settings"
"""Slug that identifies this schedule."""


async def register(client: PrefectClient, settings: Settings) -> str:
    """Create, update or delete the schedule according to the settings. A paused schedule stays paused."""
    deployment = await client.read_deployment_by_name("ingest/ingest")
    registered = [schedule for schedule in deployment.schedules if schedule.slug == SLUG and schedule.id is not None]
    for schedule in deployment.schedules:
        if not {**deployment.parameters, **schedule.parameters}.get("source"):
            log.warning(
                "schedule %s of ingest/ingest has no source: give it the parameter, or its runs fail",
                schedule.slug or schedule.id,
            )
    if settings.ingest_source is None or settings.ingest_cron is None:
        for schedule in registered:
            await client.delete_deployment_schedule(deployment.id, schedule.id)
        return "no schedule of ingest"
    cron, parameters = CronSchedule(cron=settings.ingest_cron, timezone="UTC"), {"source": settings.ingest_source}
    for schedule in registered:
        await client.update_deployment_schedule(deployment.id, schedule.id, schedule=cron, parameters=parameters)
    if not registered:
        wanted = DeploymentScheduleCreate(schedule=cron, parameters=parameters, slug=SLUG)
        await client.create_deployment_schedules(deployment.id, [wanted])
    return f"schedule of ingest: {settings.ingest_cron} of {settings.ingest_source}"
