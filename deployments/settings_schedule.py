"""The schedule that the settings give to a deployment. Schedules that users add in the Prefect UI are not changed."""

from __future__ import annotations

from typing import Any, Final

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.responses import DeploymentResponse
from prefect.client.schemas.schedules import SCHEDULE_TYPES

SLUG: Final = "spatial-settings"
"""Slug that identifies this schedule."""


async def set_schedule(
    client: PrefectClient,
    deployment: DeploymentResponse,
    schedule: SCHEDULE_TYPES | None,
    parameters: dict[str, Any],
) -> None:
    """Create, update or (None) delete the schedule. A paused schedule stays paused."""
    registered = [known.id for known in deployment.schedules if known.slug == SLUG and known.id is not None]
    for schedule_id in registered:
        if schedule is None:
            await client.delete_deployment_schedule(deployment.id, schedule_id)
        else:
            await client.update_deployment_schedule(
                deployment.id, schedule_id, schedule=schedule, parameters=parameters
            )
    if schedule is not None and not registered:
        wanted = DeploymentScheduleCreate(schedule=schedule, parameters=parameters, slug=SLUG)
        await client.create_deployment_schedules(deployment.id, [wanted])
