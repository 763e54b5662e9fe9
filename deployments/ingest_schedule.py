"""The schedule that the settings give the deployment `ingest`; those that people add in the Prefect UI are left alone."""

from __future__ import annotations

from typing import Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.schedules import CronSchedule

from storage.settings import Settings

SLUG: Final = "spatial-settings"
"""What our schedule is known by."""


async def register(client: PrefectClient, settings: Settings) -> str:
    """Have the schedule as the settings say; none where they do not. It stays paused where somebody paused it."""
    deployment = await client.read_deployment_by_name("ingest/ingest")
    ours = [schedule for schedule in deployment.schedules if schedule.slug == SLUG and schedule.id is not None]
    if settings.ingest_source is None or settings.ingest_cron is None:
        for schedule in ours:
            await client.delete_deployment_schedule(deployment.id, schedule.id)
        return "no schedule of ingest" + (
            "" if settings.ingest_source == settings.ingest_cron else ": it needs a source and a cron"
        )
    cron, parameters = CronSchedule(cron=settings.ingest_cron, timezone="UTC"), {"source": settings.ingest_source}
    for schedule in ours:
        await client.update_deployment_schedule(deployment.id, schedule.id, schedule=cron, parameters=parameters)
    if not ours:
        wanted = DeploymentScheduleCreate(schedule=cron, parameters=parameters, slug=SLUG)
        await client.create_deployment_schedules(deployment.id, [wanted])
    return f"schedule of ingest: {settings.ingest_cron} of {settings.ingest_source}"
