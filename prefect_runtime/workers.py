"""The warm workers of one process: one for the queue `housekeeping`, if the pool has it, and one for all other queues of the pool.

Each has a separate concurrency limit, which Prefect's worker enforces, so that other runs do not delay housekeeping. The workers share
the flow host, and start, drain and stop together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

import httpx
from prefect import Flow
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import StateType

from prefect_runtime.engine import StopReason
from prefect_runtime.host import FlowHost
from prefect_runtime.worker import WarmWorker

HOUSEKEEPING_LIMIT: Final = 3
"""Concurrency limit of the queue `housekeeping` per process, in addition to the limit of other runs."""

CANCEL_POLL_SECONDS: Final = 2.0
"""Interval at which a process checks whether one of its runs was cancelled."""

DRAIN_POLL_SECONDS: Final = 0.1

log = logging.getLogger(__name__)


class WarmWorkers:
    """The workers of a process.

    housekeeping: name of that queue; None for a pool without one.
    flows: the flows that they may run, by name.
    limit: concurrency limit of the other queues.
    polled: called after every poll of the other queues that the Prefect server answered.
    name: name of the worker in Prefect; None for one that Prefect makes.
    """

    def __init__(
        self,
        pool: str,
        *,
        host: FlowHost[Any],
        flows: Mapping[str, Flow[..., Any]],
        housekeeping: str | None,
        limit: int,
        polled: Callable[[], None],
        name: str | None = None,
    ) -> None:
        self._host = host
        others = [] if housekeeping is None else [housekeeping]
        self._worker = WarmWorker(
            pool, host=host, flows=flows, limit=limit, other_queues=others, polled=polled, name=name
        )
        self._housekeepers = [
            WarmWorker(pool, host=host, flows=flows, limit=HOUSEKEEPING_LIMIT, queues=[queue]) for queue in others
        ]

    async def run(self) -> None:
        """Poll until cancelled. Raises: the unexpected error of a worker, which ends both."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._worker.start(printer=log.info))
            for housekeeper in self._housekeepers:
                group.create_task(housekeeper.start(printer=log.info))
            group.create_task(self._watch_cancellations())

    async def poll_now(self) -> None:
        """Start the runs that are due now, without waiting for the next poll."""
        await self._worker.get_and_submit_flow_runs(certainly=True)

    async def leave(self) -> None:
        """Remove the worker from the list of its pool, so that nobody expects it to take a run; it takes none after that."""
        await self._worker.leave()

    async def drain(self, seconds: float, hurry: asyncio.Event) -> int:
        """Take no new runs, wait `seconds` or until `hurry` for runs to end, and requeue the others; returns how many were requeued."""
        for worker in self._workers:
            worker.draining = True
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self._is_idle and loop.time() < deadline and not hurry.is_set():
            await asyncio.sleep(DRAIN_POLL_SECONDS)
        return await self._host.call(lambda: self._host.stop(StopReason.REQUEUE))

    @property
    def _is_idle(self) -> bool:
        return all(worker.is_idle for worker in self._workers)

    @property
    def _workers(self) -> list[WarmWorker]:
        return [self._worker, *self._housekeepers]

    async def _watch_cancellations(self) -> NoReturn:
        """Stop runs that were cancelled in Prefect. BaseWorker does not do this; it expects a runner in the process of the run."""
        while True:
            await asyncio.sleep(CANCEL_POLL_SECONDS)
            under_way = frozenset().union(*(worker.under_way for worker in self._workers))
            if not under_way:
                continue
            condition = {"id": {"any_": list(under_way)}, "state": {"type": {"any_": [StateType.CANCELLING]}}}
            chosen = FlowRunFilter.model_validate(condition)
            try:
                cancelled = await self._worker.client.read_flow_runs(flow_run_filter=chosen)
            except httpx.HTTPError as error:
                self._worker.note_out_of_reach(error)
                continue
            if ids := {run.id for run in cancelled}:
                log.info("cancelled in Prefect: %s", ", ".join(map(str, ids)))
                await self._host.call(lambda ids=ids: self._host.stop(StopReason.CANCEL, ids))  # type: ignore[misc]  # bound per turn
