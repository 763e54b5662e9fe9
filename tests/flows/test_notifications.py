"""The flow that sends notifications, its schedule, and the run that a worker creates for a new delivery."""

from __future__ import annotations

from typing import Any

import pytest
from prefect.client.orchestration import PrefectClient

from deployments import notification_schedule
from flows.notifications import DEPLOYMENT, deliver_notifications, start_if_due
from pipelines.resources import Resources
from prefect_runtime.client import PrefectApi
from storage import settings
from tests.flows.conftest import RunFlow
from tests.storage import webhook_actors
from tests.storage.actors import customer, execute
from tests.support.receiver import receiving


def switched(resources: Resources, **values: Any) -> None:
    """The settings of this process with others."""
    resources.settings = resources.settings.model_copy(update=values)


async def deployed(prefect: PrefectClient) -> None:
    """The deployment, without a schedule."""
    flow_id = await prefect.create_flow_from_name(deliver_notifications.name)
    await prefect.create_deployment(flow_id, DEPLOYMENT.split("/")[1], entrypoint="none")


@pytest.mark.requirement("notifications.off")
async def test_nothing_is_sent_unless_the_operator_asks_for_it(run_flow: RunFlow, resources: Resources) -> None:
    async with receiving() as receiver:
        address = f"127.0.0.1:{receiver.port}"
        who = await customer(resources.database)
        url = f"http://{address}/hook"
        endpoint_id, secret = await webhook_actors.endpoint(resources.database, who.account_id, url)
        message_id = await webhook_actors.announced(resources.database, endpoint_id)
        switched(resources, notifications_allow=(address,))
        assert await (await run_flow(deliver_notifications)).aresult() == {} and receiver.posts == []
        switched(resources, notifications=True)
        assert await (await run_flow(deliver_notifications)).aresult() == {"delivered": 1}
        [post] = receiver.posts
        assert post.message_id == message_id and post.verified(secret)["type"] == "endpoint.test"
    assert not settings.load().notifications


@pytest.mark.requirement("notifications.prompt")
async def test_workers_create_one_run_for_a_delivery_that_waits(resources: Resources, prefect: PrefectClient) -> None:
    await deployed(prefect)
    await execute(resources.database, "DELETE FROM webhook_deliveries")
    assert await start_if_due(PrefectApi.sharing(prefect)) is None
    who = await customer(resources.database)
    endpoint_id, _ = await webhook_actors.endpoint(resources.database, who.account_id)
    await webhook_actors.announced(resources.database, endpoint_id)
    first = await start_if_due(PrefectApi.sharing(prefect))
    assert first is not None and await start_if_due(PrefectApi.sharing(prefect)) == first
    await webhook_actors.announced(resources.database, endpoint_id)
    assert await start_if_due(PrefectApi.sharing(prefect)) != first


@pytest.mark.requirement("notifications.prompt")
async def test_the_setting_gives_the_deployment_a_schedule_and_takes_it_away(prefect: PrefectClient) -> None:
    await deployed(prefect)

    async def schedules(*, is_on: bool) -> list[float]:
        await notification_schedule.register(prefect, settings.load(notifications=is_on))
        known = (await prefect.read_deployment_by_name(DEPLOYMENT)).schedules
        return [schedule.schedule.interval.total_seconds() for schedule in known]  # type: ignore[union-attr]  # an interval

    assert await schedules(is_on=False) == []
    assert await schedules(is_on=True) == await schedules(is_on=True) == [60.0]
    assert await schedules(is_on=False) == []
