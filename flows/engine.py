"""The engine room: a thread with an event loop of its own, in which this process runs Prefect flows.

Prefect's engine was made for one flow a process. In a process that serves many at once three of its habits hurt, all
measured on 3.8.8: it takes over SIGTERM while a flow runs (so a server could no longer drain), it blocks the event loop
while it starts and joins a thread that listens for suspension (45 ms and up to 200 ms a run), and each run of a flow with
result storage builds an HTTP client with an SSL context (43 ms). Signals are only taken over in a main thread, so flows
run in another one; the engine below leaves the listener out; and both kinds of client are kept open for the thread's life.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from prefect import Flow
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun, State
from prefect.context import AsyncClientContext, SyncClientContext
from prefect.flow_engine import AsyncFlowRunEngine

from flows import results
from storage.settings import Settings
from tasks import resources
from tasks.resources import Resources

T = TypeVar("T")

CLOSE_SECONDS = 30.0
"""How long runs under way may take to end when the room closes."""

Creator = Callable[[PrefectClient], Awaitable[FlowRun]]


@dataclass
class SharedProcessEngine(AsyncFlowRunEngine[..., Any]):
    """Prefect's engine for one run, in a process that has others."""

    create: Creator | None = None
    """Makes the flow run, where it does not exist yet; the engine then spares the update it owes to a foreign one."""

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
        """No heartbeat thread a run either; our own store says whether an operation is alive."""
        return None

    async def run(self) -> Any:
        """The flow's result. Raises: what the flow raises."""
        async with self.start():
            while self.is_running():
                async with self.run_context():
                    await self.call_flow_fn()  # type: ignore[unused-coroutine]  # annotated a coroutine too many
        return await self.result()


class EngineRoom:
    """The thread, its loop, its connections. Every method but `open` and `close` runs inside the room."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.here: Resources
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="engine-room", daemon=True)
        self._context: Context
        self._leaving = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._kept: dict[str, Flow[..., Any]] = {}
        self._running: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Start the thread and connect its resources; nothing remote is contacted yet."""
        self._thread.start()
        await self._across(self._move_in())

    async def close(self) -> None:
        """Wait for runs under way, let the connections go, end the thread."""
        await self._across(self._move_out())
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

        async def through() -> Any:
            kept = await self._with_results(flow)
            return await SharedProcessEngine(flow=kept, parameters=parameters, flow_run=existing, create=creator).run()

        task = self._loop.create_task(through(), context=self._context.copy())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

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
                here.set()
                await self._leaving.wait()

    async def _move_out(self) -> None:
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSE_SECONDS)
        self._leaving.set()
        if self._life is not None:
            await self._life

    async def _in_context(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await self._loop.create_task(work(), context=self._context.copy())

    async def _across(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop)))
