"""The flow host of this process, with the connections that our tasks use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prefect_runtime import result_storage
from prefect_runtime.host import FlowHost
from storage.settings import Settings
from tasks import resources
from tasks.resources import Resources


def flow_host(settings: Settings) -> FlowHost[Resources]:
    """A host whose flows find their connections by `resources.current()`."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Resources]:
        async with resources.opened(settings) as opened:
            with resources.use(opened):
                yield opened

    return FlowHost(connect, lambda: result_storage.load(settings))
