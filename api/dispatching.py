"""What the API asks of the floor below, `flows.dispatch.Dispatch` in earnest; and where a route finds it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, cast

from prometheus_client import CollectorRegistry
from starlette.requests import Request

from flows.dispatch import Answer, ExtractJob, RuntimeStatus
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.subscriptions import BillingProvider
from storage.settings import Settings


class Dispatching(Protocol):
    """Runs the billed operations, and holds what their bookkeeping needs. Its methods raise SpatialError only."""

    settings: Settings
    database: Database
    lake: Lake
    billing: BillingProvider
    registry: CollectorRegistry
    """What this process counts."""

    async def extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        """Run one extraction; its usage is written and its result lies in the lake when this returns."""
        ...

    async def submit_batch(self, batch_id: str) -> None:
        """Have a queued batch run; what is out of reach now is tried again by others, so this raises nothing for it."""
        ...

    async def cancel_batch(self, flow_run_id: str) -> None:
        """Tell the run of a cancelled batch, if it can be reached."""
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

    async def worker_heartbeats(self, *pools: str) -> dict[str, dict[str, float]]:
        """Of each work pool its workers, and the seconds since each one's last heartbeat."""
        ...


DispatchFactory = Callable[[Settings], AbstractAsyncContextManager[Dispatching]]
"""Opens a dispatch for the length of a block: `flows.dispatch.opened`."""


def of(request: Request) -> Dispatching:
    """The dispatch that serves this request."""
    return cast(Dispatching, request.app.state.dispatch)
