"""The schedule of the deployment `ingest` according to the settings. Schedules that users add in the Prefect UI are not changed."""

from __future__ import annotations

from typing import Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.schedules import CronSchedule

from storage.settings import Settings

SLUG: Final = "spatial-settings"
"""Slug that identifies this schedule."""


async def register(client: PrefectClient, settings: Settings) -> str:
    """Create, update or delete the schedule according to the settings. A paused schedule stays paused."""
    deployment = await client.read_deployment_by_name("ingest/ingest")
    registered = [schedule for schedule in deployment.schedules if schedule.slug == SLUG and schedule.id is not None]
    if settings.ingest_source is None or settings.ingest_cron is None:
        for schedule in registered:
            await client.delete_deployment_schedule(deployment.id, schedule.id)
        return "no schedule of ingest" + (
            "" if settings.ingest_source == settings.ingest_cron else ": it needs a source and a cron"
        )
    cron, parameters = CronSchedule(cron=settings.ingest_cron, timezone="UTC"), {"source": settings.ingest_source}
    for schedule in registered:
        await client.update_deployment_schedule(deployment.id, schedule.id, schedule=cron, parameters=parameters)
    if not registered:
        wanted = DeploymentScheduleCreate(schedule=cron, parameters=parameters, slug=SLUG)
        await client.create_deployment_schedules(deployment.id, [wanted])
    return f"schedule of ingest: {settings.ingest_cron} of {settings.ingest_source}"
