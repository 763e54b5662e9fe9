"""A request to the stack's Prefect server over a connection that died, which neither end is told."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
from prefect.client.orchestration import PrefectClient

from benchmarks.stack import free_port
from prefect_runtime import lost_connections
from siege.proxy import proxied
from tests.support.stack import RunningStack

pytestmark = pytest.mark.usefixtures("patient")


@pytest.mark.requirement("runtime.lost-connection", "siege.faults")
async def test_a_request_whose_connection_died_is_sent_again_over_a_new_one(
    stack: RunningStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prefect_runtime.lost_connections.LOOK_SECONDS", 0.2)
    known = stack.addresses
    server = urlsplit(known["prefect_api_url"])
    with proxied(free_port(), (str(server.hostname), int(server.port or 0))) as proxy:
        client = PrefectClient(f"http://127.0.0.1:{proxy.port}{server.path}", auth_string=known["prefect_auth"])
        await lost_connections.watch(client)
        async with client:
            right = await client.read_work_pools()
            proxy.fault = "half-open"
            reading = asyncio.create_task(client.read_work_pools())
            while not proxy.struck:
                await asyncio.sleep(0.01)
            proxy.fault = "none"
            found = await asyncio.wait_for(reading, 50)
    assert {pool.name for pool in found} == {pool.name for pool in right}
