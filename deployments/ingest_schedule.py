"""The schedule of the deployment `ingest` according to the settings. Schedules that users add in the Prefect UI are not changed."""

from __future__ import annotations

import logging

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.schedules import CronSchedule

from deployments.settings_schedule import set_schedule
from storage.settings import Settings

log = logging.getLogger(__name__)


async def register(client: PrefectClient, settings: Settings) -> str:
    """Create, update or delete the schedule according to the settings. A paused schedule stays paused."""
    deployment = await client.read_deployment_by_name("ingest/ingest")
    for schedule in deployment.schedules:
        if not {**deployment.parameters, **schedule.parameters}.get("source"):
            log.warning(
                "schedule %s of ingest/ingest has no source: give it the parameter, or its runs fail",
                schedule.slug or schedule.id,
            )
    if settings.ingest_source is None or settings.ingest_cron is None:
        await set_schedule(client, deployment, None, {})
        return "no schedule of ingest"
    cron = CronSchedule(cron=settings.ingest_cron, timezone="UTC")
    await set_schedule(client, deployment, cron, {"source": settings.ingest_source})
    return f"schedule of ingest: {settings.ingest_cron} of {settings.ingest_source}"
