"""What the API asks of the layer below; `flows.dispatch.Dispatch` implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, Literal, Protocol, cast

from fastapi import Depends
from prometheus_client import CollectorRegistry
from starlette.requests import HTTPConnection

from flows.dispatch import Answer, ExtractJob, OnStage, RespondJob, RuntimeStatus, Solution
from spatial.contract.feature_tree import FeatureTreeImport
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.subscriptions import BillingProvider
from storage.settings import Settings


class Dispatcher(Protocol):
    """Runs the billed operations, and holds what their bookkeeping needs. Its methods raise SpatialError only."""

    settings: Settings
    database: Database
    lake: Lake
    billing: BillingProvider
    registry: CollectorRegistry
    """The counters of this process."""

    async def extract(self, job: ExtractJob, data: bytes | None, on_stage: OnStage | None = None) -> Answer:
        """Run one extraction; when this returns, its usage is written and its result is in the lake.

        on_stage: told when a stage of it begins and how it ends, from any thread.
        """
        ...

    async def respond(self, job: RespondJob, content: bytes, deadline: float) -> Solution:
        """Answer one reasoning request, which is metered by the caller.

        content: the validated `input` as JSON, with every scene in it; deadline: when to stop waiting, by the event loop's clock.
        Raises: InputRejected; DesktopInferenceUnavailable; InternalError.
        """
        ...

    async def respond_to_batch(
        self, request_id: str, asked: Sequence[tuple[RespondJob, bytes]], deadline: float
    ) -> list[Solution | BaseException]:
        """The same for requests of a batch, each with its content: its solution, or what `respond` would raise. Raises nothing."""
        ...

    async def submit_batch(self, batch_id: str) -> None:
        """Start the flow run of a queued batch. Where Prefect is out of reach this raises nothing: the reconciler submits it again."""
        ...

    async def cancel_batch(self, flow_run_id: str) -> None:
        """Cancel the flow run of a batch, if Prefect can be reached."""
        ...

    async def mesh(self, file_name: str, format: str, data: bytes) -> bytes:
        """The mesh of a STEP or IGES file, as binary glTF.

        format: name of a row of FORMATS. Raises: InvalidRequest for a file without surfaces; what an extraction raises.
        """
        ...

    async def cancel_ingest(self, flow_run_id: str) -> None:
        """Cancel the flow run of an ingest run. Raises: ConverterUnavailable; NotFound."""
        ...

    async def start_ingest(self, flow: Literal["ingest", "reprocess"], name: str, parameters: dict[str, Any]) -> str:
        """Start a run of bulk ingest; the id of its flow run. Raises: ConverterUnavailable."""
        ...

    async def find_flow_run(self, tag: str) -> str | None:
        """The id of the latest flow run with this tag. Raises: ConverterUnavailable."""
        ...

    async def wait_for_desktop_task(self, seconds: float) -> None:
        """Return when a task may wait for a desktop worker, or after `seconds`."""
        ...

    async def forward_to_prefect(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        """Send a desktop worker's request to the Prefect server; returns status and body."""
        ...

    async def import_tree(self, tree: FeatureTreeImport, data: bytes, request_id: str, account_id: str) -> bytes:
        """The scene of a partner's feature tree, as the JSON of a document."""
        ...

    async def runtime_status(self) -> RuntimeStatus:
        """Whether a reasoning runtime could take a request now."""
        ...

    def converter_away(self) -> float:
        """How long the converter is expected to be out of reach still, in seconds; 0 where it is not."""
        ...

    async def converter_health(self) -> dict[str, Any]:
        """The health report of the converter."""
        ...

    async def prefect_health(self) -> dict[str, Any]:
        """The health report of the Prefect server."""
        ...

    async def worker_heartbeats(self, *pools: str) -> dict[str, dict[str, float]]:
        """Seconds since the last heartbeat, by work pool and worker."""
        ...


DispatcherFactory = Callable[[Settings], AbstractAsyncContextManager[Dispatcher]]
"""Opens a dispatcher for the length of a block: `flows.dispatch.open_dispatch`."""


async def dispatcher_of(request: HTTPConnection) -> Dispatcher:
    """The dispatcher that serves this request."""
    return cast(Dispatcher, request.app.state.dispatcher)


DispatcherDep = Annotated[Dispatcher, Depends(dispatcher_of)]
