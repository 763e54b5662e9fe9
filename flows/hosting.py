"""The flow host of a process, with the connections that the tasks use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pipelines.resources import Resources, open_resources, use_resources
from prefect_runtime import result_storage
from prefect_runtime.host import FlowHost
from storage.settings import Settings


def flow_host(settings: Settings) -> FlowHost[Resources]:
    """A host whose flows get their connections by `current_resources()`."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Resources]:
        async with open_resources(settings) as opened:
            with use_resources(opened):
                yield opened

    return FlowHost(connect, lambda: result_storage.load(settings))
