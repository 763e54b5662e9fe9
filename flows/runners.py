"""Run the chunks of a bulk run: in this process, or in the processes of a Dask or Ray cluster.

In this process two chunks run at a time, so that the converter is busy while one of them hashes or commits. A cluster gets all chunks
at once; each of its processes opens its own connections from its environment, so the SPATIAL_ and PREFECT_ variables must be set there.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from typing import Any, Final, Literal

from prefect.task_runners import TaskRunner
from prefect.utilities.annotations import quote

from pipelines.ingest.plan import Chunk, Incomplete, Report
from spatial.errors import InvalidRequest
from tasks.ingest import ingest_chunk

Runner = Literal["local", "dask", "ray"]

LANES: Final = 2
"""Number of concurrent chunks in this process."""

CANCEL_POLL_SECONDS: Final = 0.5
"""Interval at which a thread that waits for a cluster checks whether its run was cancelled."""

Outcome = Report | BaseException
"""The report of a chunk, or the exception that it raised."""


def check_installed(runner: Runner) -> None:
    """Raise InvalidRequest, with the name of the package, if a package that the runner needs is not installed."""
    if runner != "local":
        _cluster(runner, None, 1)


async def run_chunks(runner: Runner, chunks: Sequence[Chunk], *, cluster: str | None, processes: int) -> list[Outcome]:
    """Run every chunk; returns the outcomes in the order of the chunks, without chunks that were not started.

    cluster: address of a Dask scheduler or a Ray head; if None, a local cluster of `processes` processes is started for this run.
    """
    if runner == "local" or not chunks:
        return await _run_locally(chunks)
    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(_on_cluster, _cluster(runner, cluster, processes), chunks, cancelled)
    except asyncio.CancelledError:
        cancelled.set()
        raise


async def _run_locally(chunks: Sequence[Chunk]) -> list[Outcome]:
    """Run LANES chunks at a time. Stop after a chunk that settled no file: a part of the service has been unavailable for long."""
    outcomes: dict[int, Outcome] = {}
    waiting = iter(chunks)
    stopped = asyncio.Event()

    async def lane() -> None:
        for chunk in waiting:
            outcomes[chunk.number] = await _outcome(chunk)
            if _has_settled_nothing(outcomes[chunk.number]):
                stopped.set()
            if stopped.is_set():
                return

    async with asyncio.TaskGroup() as group:
        for _ in range(LANES):
            group.create_task(lane())
    return [outcomes[chunk.number] for chunk in chunks if chunk.number in outcomes]


async def _outcome(chunk: Chunk) -> Outcome:
    state = await ingest_chunk(quote(chunk), return_state=True)  # type: ignore[misc]  # Prefect types it as a synchronous call
    outcome: Outcome = await state.aresult(raise_on_failure=False)
    return outcome


def _has_settled_nothing(outcome: Outcome) -> bool:
    return isinstance(outcome, Incomplete) and not outcome.report.done + outcome.report.failed


def _on_cluster(runner: TaskRunner[Any], chunks: Sequence[Chunk], cancelled: threading.Event) -> list[Outcome]:
    """Run the chunks on a cluster, in a thread, because runners block. A cluster that this run started is stopped at the end."""
    with runner:
        futures = [runner.submit(ingest_chunk, parameters={"chunk": chunk}) for chunk in chunks]
        return [_result(future, cancelled) for future in futures]


def _result(future: Any, cancelled: threading.Event) -> Outcome:
    while not cancelled.is_set():
        try:
            outcome: Outcome = future.result(timeout=CANCEL_POLL_SECONDS, raise_on_failure=False)
        except TimeoutError:
            continue
        except Exception as error:  # noqa: BLE001  # a cluster process that died counts as a failed chunk
            return error
        else:
            return outcome
    return asyncio.CancelledError()


def _cluster(runner: Runner, address: str | None, processes: int) -> TaskRunner[Any]:
    """The task runner of a cluster. Raises: InvalidRequest if its package is not installed."""
    try:
        if runner == "dask":
            from prefect_dask.task_runners import DaskTaskRunner

            logging.getLogger("distributed").setLevel(logging.WARNING)
            # One thread per process: chunks are asynchronous. The status page is for this machine only.
            cluster_kwargs = {"n_workers": processes, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
            return DaskTaskRunner(address=address) if address else DaskTaskRunner(cluster_kwargs=cluster_kwargs)
        from prefect_ray.task_runners import RayTaskRunner

        init_kwargs = {"num_cpus": processes, "include_dashboard": False}
        ray: TaskRunner[Any] = RayTaskRunner(address=address, init_kwargs={} if address else init_kwargs)
        return ray
    except ImportError as error:
        raise InvalidRequest(
            f"the runner {runner} is not installed: pip install 'spatial-geometry-service[{runner}]' where the worker runs, "
            "or use the runner local"
        ) from error
