"""The schedule of the deployment `deliver-notifications`: it has one where SPATIAL_NOTIFICATIONS is set."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.schedules import IntervalSchedule

from deployments.settings_schedule import set_schedule
from flows.notifications import DEPLOYMENT
from storage.settings import Settings

EVERY: Final = timedelta(minutes=1)
"""Interval of the attempts that are repeated; the first one is not scheduled."""


async def register(client: PrefectClient, settings: Settings) -> str:
    """Create or delete the schedule according to the settings."""
    deployment = await client.read_deployment_by_name(DEPLOYMENT)
    await set_schedule(client, deployment, IntervalSchedule(interval=EVERY) if settings.notifications else None, {})
    return f"schedule of notifications: every {EVERY}" if settings.notifications else "no schedule of notifications"
