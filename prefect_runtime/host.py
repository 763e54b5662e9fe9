"""The flow host: a thread with its own event loop, in which this process runs Prefect flows.

The API and the warm worker each have one. Its event loop, its Prefect clients and its connections live as long as the host, so that no
run has to open them. Prefect replaces signal handlers only in the main thread, and this is not the main thread.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from contextvars import Context, copy_context
from copy import copy
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from prefect import Flow
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun
from prefect.context import AsyncClientContext, SyncClientContext
from prometheus_client import CollectorRegistry, Counter, Gauge

from prefect_runtime import lost_connections, result_storage
from prefect_runtime.engine import CreateRun, SharedProcessEngine, StopReason
from prefect_runtime.held_runs import HeldRuns
from prefect_runtime.recorder import Recorder
from prefect_runtime.result_storage import HeldResults, ResultStorage
from spatial import logs
from storage.shutdown import RUNS_SECONDS

T = TypeVar("T")

HEARTBEAT_SECONDS = 15.0
"""Interval between the heartbeats of a run; a run that is shorter has no heartbeat."""

CALLS_SECONDS = 2.0
"""How long `close` waits for calls whose callers left, after the runs have ended; then they are cancelled."""

log = logging.getLogger(__name__)


class Connections(Protocol):
    """Connections that the flows of this process share; the host needs the registry for its metrics."""

    registry: CollectorRegistry


C = TypeVar("C", bound=Connections)


class FlowHost(Generic[C]):
    """The thread, its event loop and its connections. All methods except `open`, `close` and `call` run inside the thread.

    connect: opens the connections for the length of a block, and makes them current for the flows that run in it.
    storage: returns the storage where flow runs persist their results, called once; None where they persist none.
    folder_of: the folder of that storage for the results of a run with these parameters.
    """

    def __init__(
        self,
        connect: Callable[[], AbstractAsyncContextManager[C]],
        storage: Callable[[], Awaitable[ResultStorage]] | None,
        folder_of: Callable[[Mapping[str, Any]], str],
    ) -> None:
        self.connections: C
        self.recorder: Recorder
        self._connect = connect
        self._open_storage = storage
        self._storage: ResultStorage | None = None
        self._folder_of = folder_of
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_forever, name="flow-host", daemon=True)
        self._closing = False
        self._context: Context
        self._ended: Counter
        self._released = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._flows: dict[str, Flow[..., Any]] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self._calls: set[asyncio.Task[Any]] = set()
        self._engines: dict[UUID, tuple[SharedProcessEngine, asyncio.Task[Any]]] = {}

    async def open(self) -> None:
        """Start the thread and open its connections; no server is contacted yet."""
        self._thread.start()
        await self._from_outside(self._begin())

    async def close(self) -> None:
        """Wait for running flow runs and calls, close the connections, and end the thread."""
        await self._from_outside(self._end())
        self._closing = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    async def call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine function inside the thread and wait for it; it continues if the caller is cancelled."""
        return await self._from_outside(self._in_context(work))

    @property
    def client(self) -> PrefectClient:
        """The Prefect client of the thread."""
        context = self._context.get(AsyncClientContext.__var__)
        assert context is not None  # set by `_live` while the host is open
        return context.client

    def start(self, flow: Flow[..., Any], parameters: dict[str, Any], *, run: FlowRun | CreateRun) -> asyncio.Task[Any]:
        """Start one flow run: an existing one, or the one that `run` creates."""
        existing = run if isinstance(run, FlowRun) else None
        create = None if isinstance(run, FlowRun) else run
        engine = SharedProcessEngine(flow=flow, parameters=parameters, flow_run=existing, create=create)

        async def run_engine() -> Any:
            is_new = existing is None or existing.run_count == 0
            engine.flow, results = await self._with_result_storage(flow, self._folder_of(parameters), is_new=is_new)
            try:
                return await engine.run()
            except BaseException as error:
                if results is not None:
                    await _write_held(results)
                if isinstance(error, (SystemExit, KeyboardInterrupt)):
                    raise RuntimeError(f"a flow tried to end the process: {error!r}") from error
                raise

        task = self._loop.create_task(run_engine(), context=self._named_context())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: self._count(engine))
        if existing is not None:
            self._engines[existing.id] = engine, task
            task.add_done_callback(lambda _: self._engines.pop(existing.id, None))
        return task

    async def stop(self, reason: StopReason, flow_run_ids: Collection[UUID] | None = None) -> int:
        """Stop existing runs (all if no ids are given) and wait until each has reported its end; returns how many."""
        chosen = [pair for key, pair in self._engines.items() if flow_run_ids is None or key in flow_run_ids]
        for engine, task in chosen:
            if engine.stop_reason is None:
                engine.stop_reason = reason
                task.cancel()
        if chosen:
            await asyncio.wait([task for _, task in chosen], timeout=RUNS_SECONDS)
        return len(chosen)

    async def _with_result_storage(
        self, flow: Flow[..., Any], folder: str, *, is_new: bool
    ) -> tuple[Flow[..., Any], HeldResults | None]:
        if self._open_storage is None:
            return flow, None
        if self._storage is None:
            self._storage = await self._open_storage()
        if flow.name not in self._flows:
            self._flows[flow.name] = flow.with_options(
                result_storage=self._storage, result_serializer=result_storage.SERIALIZER
            )
        # `with_options` inspects the flow's function again, which takes longer than a copy.
        own = copy(self._flows[flow.name])
        results = HeldResults.of(result_storage.below(self._storage, folder), is_new=is_new)
        own.result_storage = results
        return own, results

    async def _begin(self) -> None:
        """Open the connections. Raises: any error of opening them."""
        ready = asyncio.Event()
        self._life = asyncio.create_task(self._live(ready))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({self._life, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            await self._life

    async def _live(self, ready: asyncio.Event) -> None:
        """Keep the connections open. One task opens and closes them, because context variables require it."""
        client = HeldRuns()
        await lost_connections.watch(client)
        context = AsyncClientContext()
        context.client = client
        async with self._connect() as self.connections, context:
            with SyncClientContext.get_or_create():
                self._context = copy_context()
                self._register_metrics(self.connections.registry)
                self.recorder = Recorder(client)
                self.recorder.install()
                beside = {asyncio.create_task(self._emit_heartbeats()), asyncio.create_task(self.recorder.run())}
                ready.set()
                await self._released.wait()
                for task in beside:
                    task.cancel()
                await asyncio.wait(beside)

    def _register_metrics(self, registry: CollectorRegistry) -> None:
        under_way = Gauge(
            "spatial_flow_runs_under_way", "Flow runs that are running in this process", registry=registry
        )
        under_way.set_function(lambda: len(self._running))
        self._ended = Counter(
            "spatial_flow_runs_total",
            "Flow runs that ended in this process, by flow and final state; never: the run ended before it had a state",
            ("flow", "state"),
            registry=registry,
        )

    async def _emit_heartbeats(self) -> None:
        """Emit the heartbeats of all runs of a worker in this process, which the zombie automation expects."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for engine, _ in list(self._engines.values()):
                try:
                    engine.emit_heartbeat()
                except Exception:  # the heartbeats of the other runs must go on
                    log.exception("flow run %s cannot emit its heartbeat", engine.flow_run and engine.flow_run.id)

    def _run_forever(self) -> None:
        """Run the event loop. A flow that raises SystemExit or KeyboardInterrupt stops the loop, which is then run again."""
        while not self._closing:
            try:
                self._loop.run_forever()
            except (SystemExit, KeyboardInterrupt):
                log.exception("a flow tried to end the process; the process continues")

    async def _end(self) -> None:
        if self._running:
            await asyncio.wait(self._running, timeout=RUNS_SECONDS)
        # A call whose caller left is still under way, and needs the connections; the loop must not end with it.
        if self._calls:
            _, late = await asyncio.wait(self._calls, timeout=CALLS_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._released.set()
        if self._life is not None:
            await self._life

    def _count(self, engine: SharedProcessEngine) -> None:
        state = engine.flow_run.state if engine.flow_run is not None else None
        self._ended.labels(engine.flow.name, state.type.value.lower() if state is not None else "never").inc()

    async def _in_context(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        task = self._loop.create_task(work(), context=self._named_context())
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return await task

    def _named_context(self) -> Context:
        """The host's context, with the log fields of the caller."""
        context = self._context.copy()
        context.run(logs.adopt, logs.names())
        return context

    async def _from_outside(self, work: Coroutine[Any, Any, T]) -> T:
        ending = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))
        # Retrieved also where the caller was cancelled: asyncio would log an exception that nobody retrieves.
        ending.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(ending)


async def _write_held(results: HeldResults) -> None:
    """Write the results of a run that did not end well. A retry does again what cannot be written."""
    try:
        await results.write_held()
    except Exception as error:  # noqa: BLE001  # whatever a storage raises: the run has ended with an error of its own
        log.warning("results of stages cannot be kept for a retry: %r", error)
