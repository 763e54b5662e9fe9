"""The engine room: a thread with an event loop of its own, in which this process runs Prefect flows.

Prefect's engine was made for one flow a process. In a process that serves many at once three of its habits hurt, all
measured on 3.8.8: it takes over SIGTERM while a flow runs (so a server could no longer drain), it blocks the event loop
while it starts and joins a thread that listens for suspension (45 ms and up to 200 ms a run), and each run of a flow with
result storage builds an HTTP client with an SSL context (43 ms). Signals are only taken over in a main thread, so flows
run in another one; the engine below leaves the listener out; and both kinds of client are kept open for the thread's life.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Generator
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar
from uuid import UUID

import httpx
from anyio import CancelScope
from prefect import Flow
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun, State
from prefect.context import AsyncClientContext, SyncClientContext
from prefect.exceptions import CancelledRun, FailedRun, UnfinishedRun
from prefect.flow_engine import AsyncFlowRunEngine
from prefect.states import AwaitingRetry
from prometheus_client import Counter, Gauge

from flows import results
from spatial import logs
from spatial.errors import SpatialError
from storage.settings import Settings
from tasks import resources
from tasks.resources import Resources

T = TypeVar("T")

CLOSE_SECONDS = 30.0
"""How long runs under way may take to end when the room closes."""

HEARTBEAT_SECONDS = 15.0
"""How often a run under way says that it lives; one that is shorter says nothing."""

FINAL_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, *[30.0] * 20)
"""Pauses (s) between attempts to report how a run ended while the Prefect server is out of reach."""

Creator = Callable[[PrefectClient], Awaitable[FlowRun]]

log = logging.getLogger(__name__)


class Told(Enum):
    """Why a run is stopped from outside."""

    CANCEL = "cancel"
    """Somebody cancelled it: it becomes Cancelled, after its own hooks."""
    HAND_BACK = "hand back"
    """This process leaves: it becomes AwaitingRetry, which another worker takes up at once."""


EXPECTED: Final = (SpatialError, FailedRun, CancelledRun, UnfinishedRun)
"""How a run may end without a fault of ours: a refused file, a state that the flow returned, a cancellation."""


@dataclass
class SharedProcessEngine(AsyncFlowRunEngine[..., Any]):
    """Prefect's engine for one run, in a process that has others."""

    create: Creator | None = None
    """Makes the flow run, where it does not exist yet; the engine then spares the update it owes to a foreign one."""
    told: Told | None = None
    """Why it is being stopped, once it is."""

    async def create_flow_run(self, client: PrefectClient) -> FlowRun:
        """The run that `create` makes, already named, else what Prefect would make."""
        if self.create is None:
            return await super().create_flow_run(client)
        self._flow_run_name_set = True
        return await self.create(client)

    async def begin_run(self) -> State:
        """Into state Running; a run that was created so is there, which spares a request."""
        if self.create is not None and self.state.is_running():
            self.parameters = self.flow.validate_parameters(self.parameters or {})
            return self.state
        return await super().begin_run()

    @contextmanager
    def setup_flow_run_suspension_request(self) -> Generator[Any, None, None]:
        """No listener thread: our runs last seconds, and a suspended one is not ours to resume."""
        yield self._get_flow_run_suspension_request()

    @property
    def heartbeat_seconds(self) -> int | None:
        """No heartbeat thread a run either; the room has one heart for all (`EngineRoom._beat`)."""
        return None

    def beat(self) -> None:
        """Tell Prefect's automations that this run lives."""
        if self.flow_run is not None and self.flow_run.state is not None and self.flow_run.state.is_running():
            self._emit_flow_run_heartbeat()

    async def set_state(self, state: State, force: bool = False) -> State:
        """Report a state; how a run ended is reported again while the server is out of reach."""
        for pause in FINAL_PAUSES if state.is_final() else ():
            try:
                return await super().set_state(state, force)
            except httpx.HTTPError as error:
                if isinstance(error, httpx.HTTPStatusError) and error.response.is_client_error:
                    raise
                await asyncio.sleep(pause)
        return await super().set_state(state, force)

    async def handle_crash(self, exc: BaseException) -> None:
        """A run that was told to stop ends as it was told; any other has crashed."""
        if self.told is Told.CANCEL:
            await self.handle_cancellation(exc)
        elif self.told is Told.HAND_BACK:
            with CancelScope(shield=True):
                await self.set_state(AwaitingRetry(message="handed back by a worker that leaves"), force=True)
        else:
            await super().handle_crash(exc)

    async def run(self) -> Any:
        """The flow's result. Raises: what the flow raises."""
        began = time.perf_counter()
        try:
            async with self.start():
                logs.adopt(self._names())
                while self.is_running():
                    async with self.run_context():
                        await self.call_flow_fn()  # type: ignore[unused-coroutine]  # annotated a coroutine too many
            result = await self.result()
        except BaseException as error:
            self._say_ended(began, error)
            raise
        self._say_ended(began)
        return result

    def _names(self) -> dict[str, str | None]:
        """What log lines of this run carry."""
        asked = self.parameters or {}
        batch = asked.get("batch_id")
        return {
            "request_id": getattr(asked.get("job"), "request_id", None),
            "batch_id": batch if isinstance(batch, str) else None,
            "flow": self.flow.name,
            "flow_run_id": str(self.flow_run.id) if self.flow_run is not None else None,
        }

    def _say_ended(self, began: float, error: BaseException | None = None) -> None:
        """One line a run; a refused file, or a run that was cancelled, is no failure of ours and needs no traceback."""
        state = self.flow_run.state if self.flow_run is not None else None
        fields: dict[str, Any] = {
            "state": state.type.value.lower() if state is not None else None,
            "ms": round((time.perf_counter() - began) * 1000, 1),
        }
        if isinstance(error, SpatialError):
            fields["error"] = error.type
        expected = self.told is not None or isinstance(error, EXPECTED)
        unexpected = isinstance(error, Exception) and not expected
        said = "run failed" if unexpected else "run ended"
        log.log(
            logging.ERROR if unexpected else logging.INFO,
            said,
            extra={logs.FIELDS: fields},
            exc_info=error if unexpected else None,
        )


class EngineRoom:
    """The thread, its loop, its connections. Every method but `open` and `close` runs inside the room."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.here: Resources
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_forever, name="engine-room", daemon=True)
        self._closing = False
        self._context: Context
        self._ended: Counter
        self._leaving = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._kept: dict[str, Flow[..., Any]] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self._engines: dict[UUID, tuple[SharedProcessEngine, asyncio.Task[Any]]] = {}

    async def open(self) -> None:
        """Start the thread and connect its resources; nothing remote is contacted yet."""
        self._thread.start()
        await self._across(self._move_in())

    async def close(self) -> None:
        """Wait for runs under way, let the connections go, end the thread."""
        await self._across(self._move_out())
        self._closing = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    async def call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine function inside the room and wait for it from outside; a caller that goes away leaves it running."""
        return await self._across(self._in_context(work))

    @property
    def client(self) -> PrefectClient:
        """The room's one Prefect client."""
        context = self._context.get(AsyncClientContext.__var__)
        assert context is not None  # set by `_connect` for the room's life
        return context.client

    def start(self, flow: Flow[..., Any], parameters: dict[str, Any], *, run: FlowRun | Creator) -> asyncio.Task[Any]:
        """Begin one flow run: an existing one, or one that `run` will create."""
        existing = run if isinstance(run, FlowRun) else None
        creator = None if isinstance(run, FlowRun) else run
        engine = SharedProcessEngine(flow=flow, parameters=parameters, flow_run=existing, create=creator)

        async def through() -> Any:
            engine.flow = await self._with_results(flow)
            try:
                return await engine.run()
            except (SystemExit, KeyboardInterrupt) as error:
                raise RuntimeError(f"a flow asked the process to end: {error!r}") from error

        task = self._loop.create_task(through(), context=self._named())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: self._count(engine))
        if existing is not None:
            self._engines[existing.id] = engine, task
            task.add_done_callback(lambda _: self._engines.pop(existing.id, None))
        return task

    async def stop(self, told: Told, flow_run_ids: Collection[UUID] | None = None) -> int:
        """Stop existing runs, all where no ids are given, and wait until each has reported what became of it; how many."""
        chosen = [pair for key, pair in self._engines.items() if flow_run_ids is None or key in flow_run_ids]
        for engine, task in chosen:
            if engine.told is None:
                engine.told = told
                task.cancel()
        if chosen:
            await asyncio.wait([task for _, task in chosen], timeout=CLOSE_SECONDS)
        return len(chosen)

    async def _with_results(self, flow: Flow[..., Any]) -> Flow[..., Any]:
        if flow.name not in self._kept:
            storage = await results.load(self.settings)
            self._kept[flow.name] = flow.with_options(result_storage=storage, result_serializer=results.SERIALIZER)
        return self._kept[flow.name]

    async def _move_in(self) -> None:
        here = asyncio.Event()
        self._life = asyncio.create_task(self._live(here))
        arrived = asyncio.create_task(here.wait())
        await asyncio.wait({self._life, arrived}, return_when=asyncio.FIRST_COMPLETED)
        if not arrived.done():
            arrived.cancel()
            await self._life

    async def _live(self, here: asyncio.Event) -> None:
        """Hold the connections open; one task enters and leaves them, as context variables want it."""
        async with resources.opened(self.settings) as self.here, AsyncClientContext.get_or_create():
            with resources.use(self.here), SyncClientContext.get_or_create():
                self._context = copy_context()
                self._counted()
                beating = asyncio.create_task(self._beat())
                here.set()
                await self._leaving.wait()
                beating.cancel()

    def _counted(self) -> None:
        """Count the runs of this process among its other metrics."""
        registry = self.here.registry
        under_way = Gauge("spatial_flow_runs_under_way", "Flow runs that this process carries now", registry=registry)
        under_way.set_function(lambda: len(self._running))
        self._ended = Counter(
            "spatial_flow_runs_total",
            "Flow runs that this process carried to their end, by the state they ended in; never: not even begun",
            ("flow", "state"),
            registry=registry,
        )

    async def _beat(self) -> None:
        """A heartbeat for every run that a worker carries here, which the zombie automation waits for."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for engine, _ in list(self._engines.values()):
                try:
                    engine.beat()
                except Exception:  # one heart for all must not stop for one of them
                    log.exception("flow run %s cannot show its heartbeat", engine.flow_run and engine.flow_run.id)

    def _run_forever(self) -> None:
        """The thread's life. A task that asks the process to end ends the loop's turn, and the loop goes on."""
        while not self._closing:
            try:
                self._loop.run_forever()
            except (SystemExit, KeyboardInterrupt):
                log.exception("a flow asked the process to end; it goes on")

    async def _move_out(self) -> None:
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSE_SECONDS)
        self._leaving.set()
        if self._life is not None:
            await self._life

    def _count(self, engine: SharedProcessEngine) -> None:
        state = engine.flow_run.state if engine.flow_run is not None else None
        self._ended.labels(engine.flow.name, state.type.value.lower() if state is not None else "never").inc()

    async def _in_context(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await self._loop.create_task(work(), context=self._named())

    def _named(self) -> Context:
        """The room's context, with the names that the caller's log lines carry."""
        context = self._context.copy()
        context.run(logs.adopt, logs.names())
        return context

    async def _across(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop)))
