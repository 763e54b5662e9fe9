"""The schedule of the deployment `push-usage`: it has one where Stripe is configured."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.schedules import IntervalSchedule

from deployments.settings_schedule import set_schedule
from storage.settings import Settings

DEPLOYMENT: Final = "push-usage/push-usage"

EVERY: Final = timedelta(minutes=5)

EARLIER: Final = "spatial: every 300 s"
"""Slug of the schedule that earlier versions registered, with or without Stripe."""


async def register(client: PrefectClient, settings: Settings) -> str:
    """Create or delete the schedule according to the settings; one of an earlier version stays as it is where Stripe is configured."""
    deployment = await client.read_deployment_by_name(DEPLOYMENT)
    earlier = [known.id for known in deployment.schedules if known.slug == EARLIER and known.id is not None]
    if settings.stripe_key is None:
        for schedule_id in earlier:
            await client.delete_deployment_schedule(deployment.id, schedule_id)
        await set_schedule(client, deployment, None, {})
        return "no schedule of usage for Stripe"
    if not earlier:
        await set_schedule(client, deployment, IntervalSchedule(interval=EVERY), {})
    return f"schedule of usage for Stripe: every {EVERY}"
