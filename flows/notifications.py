"""The flow `deliver-notifications`: send the notifications that wait in the outbox (storage/postgres/webhook_deliveries.py).

Its schedule makes the later attempts. The first one does not wait for it: a worker that Postgres notifies of a new delivery creates a run.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, NoReturn

from prefect import flow, get_run_logger

from flows.submission import OUT_OF_REACH
from pipelines.resources import Resources, current_resources
from pipelines.webhooks.deliver import Sender, deliver_due
from prefect_runtime.client import PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import Unavailable
from storage.postgres import webhook_deliveries

DEPLOYMENT: Final = "deliver-notifications/deliver-notifications"

PAUSE_SECONDS: Final = 1.5
"""Pause between a notification and the look whether a run is needed: one that is sending takes new deliveries by itself."""

log = logging.getLogger(__name__)


@flow(name="deliver-notifications", persist_result=False)
async def deliver_notifications() -> dict[str, int]:
    """Send the notifications that are due; returns the number of attempts by the state that they led to."""
    resources = current_resources()
    if not resources.settings.notifications:
        get_run_logger().info("SPATIAL_NOTIFICATIONS is not set on this worker; nothing is sent")
        return {}
    done = await deliver_due(Sender(resources.database, resources.settings.notifications_allow))
    get_run_logger().info("attempts: %s", dict(done) or "none, nothing was due")
    return dict(done)


async def start_on_notification(host: FlowHost[Resources], notified: asyncio.Event) -> NoReturn:
    """Create a run whenever a delivery waits; until cancelled. What cannot be reached is left to the schedule.

    notified: set when Postgres reports a new delivery.
    """
    while True:
        await notified.wait()
        await asyncio.sleep(PAUSE_SECONDS)
        notified.clear()
        try:
            await host.call(lambda: start_if_due(PrefectApi.sharing(host.client)))
        except (*OUT_OF_REACH, Unavailable) as error:
            log.warning("no run can be created for a new notification now, the schedule sends it: %r", error)


async def start_if_due(api: PrefectApi) -> str | None:
    """Create a run if a delivery waits for its first attempt; returns the run's id. All workers that notice it create the same run."""
    async with current_resources().database.transaction() as connection:
        delivery_id = await webhook_deliveries.find_newest_due(connection)
    if delivery_id is None:
        return None
    run = await api.create_run(DEPLOYMENT, name=f"for {delivery_id}", idempotency_key=delivery_id)
    return str(run["id"])
