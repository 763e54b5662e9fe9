"""What the API asks of the floor below, `flows.dispatch.Dispatch` in earnest; and where a route finds it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, cast

from starlette.requests import Request

from flows.dispatch import Answer, ExtractJob, RuntimeStatus
from storage.database import Database
from storage.lake import Lake
from storage.settings import Settings
from storage.subscriptions import BillingProvider


class Dispatching(Protocol):
    """Runs the billed operations, and holds what their bookkeeping needs. Its methods raise SpatialError only."""

    settings: Settings
    database: Database
    lake: Lake
    billing: BillingProvider

    async def extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        """Run one extraction; its usage is written and its result lies in the lake when this returns."""
        ...

    async def runtime_status(self) -> RuntimeStatus:
        """Whether a reasoning runtime could take a request now."""
        ...

    async def converter_health(self) -> dict[str, Any]:
        """What the converter says of itself."""
        ...

    async def prefect_health(self) -> dict[str, Any]:
        """What the flow engine says of itself."""
        ...


DispatchFactory = Callable[[Settings], AbstractAsyncContextManager[Dispatching]]
"""Opens a dispatch for the length of a block: `flows.dispatch.opened`."""


def of(request: Request) -> Dispatching:
    """The dispatch that serves this request."""
    return cast(Dispatching, request.app.state.dispatch)
