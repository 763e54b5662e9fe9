"""Prefect's engine for one flow run, in a process that executes several runs at a time.

Prefect's engine is designed for one flow per process. In a process that serves requests it has three costs, measured on 3.8.8: it
replaces the handler of SIGTERM while a flow runs, so that the server could not drain; it blocks the event loop while it starts and joins
a thread that listens for suspension (45 ms, and up to 200 ms per run); and each run of a flow with result storage builds an HTTP client
with an SSL context (43 ms). The subclass has no listener and no heartbeat thread. `host.py` runs it outside the main thread, where
Prefect replaces no signal handler, and keeps both kinds of client open.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from anyio import CancelScope
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun, State
from prefect.exceptions import CancelledRun, FailedRun, UnfinishedRun
from prefect.flow_engine import AsyncFlowRunEngine
from prefect.states import AwaitingRetry

from prefect_runtime.client import is_out_of_reach
from spatial import logs
from spatial.errors import SpatialError
from storage.retry import retry

FINAL_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, *[30.0] * 20)
"""Pauses (s) between attempts to report a final state while the Prefect server is unreachable."""

EXPECTED: Final = (SpatialError, FailedRun, CancelledRun, UnfinishedRun)
"""Errors that end a run and are not defects of the service: a refused file, a state that the flow returned, a cancellation."""

CreateRun = Callable[[PrefectClient], Awaitable[FlowRun]]

log = logging.getLogger("flows.engine")  # operators filter by this name: docs/operations.md, "Logs"


class StopReason(Enum):
    """Why a process stops a run before its end."""

    CANCEL = "cancel"
    """The run was cancelled in Prefect: it becomes Cancelled after its hooks."""
    REQUEUE = "requeue"
    """This process is shutting down: the run becomes AwaitingRetry, and another worker starts it at once."""


@dataclass
class SharedProcessEngine(AsyncFlowRunEngine[..., Any]):
    """Prefect's engine for one run, without signal handlers, listener thread and heartbeat thread."""

    create: CreateRun | None = None
    """Creates the flow run if none exists; the engine then skips the update request that an existing run needs."""
    stop_reason: StopReason | None = None
    """Set when the run is being stopped."""

    async def create_flow_run(self, client: PrefectClient) -> FlowRun:
        """Create the run with `create`, which also names it; without `create`, use Prefect's method."""
        if self.create is None:
            return await super().create_flow_run(client)
        self._flow_run_name_set = True
        return await self.create(client)

    async def begin_run(self) -> State:
        """Set the state to Running, without a request if the run was created in that state.

        The parameters of such a run come from this process with their types; Prefect would build a model of them anew, in 3 ms.
        """
        if self.create is not None and self.state.is_running():
            return self.state
        return await super().begin_run()

    @contextmanager
    def setup_flow_run_suspension_request(self) -> Generator[Any, None, None]:
        """Start no listener thread: runs last seconds, and this process cannot resume a suspended run."""
        yield self._get_flow_run_suspension_request()

    @property
    def heartbeat_seconds(self) -> int | None:
        """None, so that Prefect starts no heartbeat thread: the host emits the heartbeats of its runs (`FlowHost`)."""
        return None

    def emit_heartbeat(self) -> None:
        """Emit the heartbeat event that Prefect's automations expect, if the run is in state Running."""
        if self.flow_run is not None and self.flow_run.state is not None and self.flow_run.state.is_running():
            self._emit_flow_run_heartbeat()

    async def set_state(self, state: State, force: bool = False) -> State:
        """Report a state; a final state is reported again while the server is unreachable."""
        pauses = FINAL_PAUSES if state.is_final() else ()
        # `super()` without arguments works only directly in the method, not in a lambda.
        report = super().set_state
        return await retry(lambda: report(state, force), pauses, is_retryable=is_out_of_reach)

    async def handle_crash(self, exc: BaseException) -> None:
        """End a stopped run according to its reason; any other run has crashed."""
        if self.stop_reason is StopReason.CANCEL:
            await self.handle_cancellation(exc)
        elif self.stop_reason is StopReason.REQUEUE:
            with CancelScope(shield=True):
                await self.set_state(AwaitingRetry(message="requeued, because its worker is shutting down"), force=True)
        else:
            await super().handle_crash(exc)

    async def run(self) -> Any:
        """Run the flow; returns its result. Raises: any error of the flow."""
        began = time.perf_counter()
        try:
            async with self.start():
                logs.adopt(self._log_names())
                while self.is_running():
                    async with self.run_context():
                        await self.call_flow_fn()  # type: ignore[unused-coroutine]  # Prefect's annotation has one coroutine too many
            result = await self.result()
        except BaseException as error:
            self._log_end(began, error)
            raise
        self._log_end(began)
        return result

    def _log_names(self) -> dict[str, str | None]:
        """Fields of every log line of this run."""
        parameters = self.parameters or {}
        batch_id = parameters.get("batch_id")
        return {
            "request_id": getattr(parameters.get("job"), "request_id", None),
            "batch_id": batch_id if isinstance(batch_id, str) else None,
            "flow": self.flow.name,
            "flow_run_id": str(self.flow_run.id) if self.flow_run is not None else None,
        }

    def _log_end(self, began: float, error: BaseException | None = None) -> None:
        """Log one line per run; only an unexpected end is logged as an error with a traceback."""
        state = self.flow_run.state if self.flow_run is not None else None
        fields: dict[str, Any] = {
            "state": state.type.value.lower() if state is not None else None,
            "ms": round((time.perf_counter() - began) * 1000, 1),
        }
        if isinstance(error, SpatialError):
            fields["error"] = error.type
        expected = self.stop_reason is not None or isinstance(error, EXPECTED)
        unexpected = isinstance(error, Exception) and not expected
        log.log(
            logging.ERROR if unexpected else logging.INFO,
            "run failed" if unexpected else "run ended",
            extra={logs.FIELDS: fields},
            exc_info=error if unexpected else None,
        )
