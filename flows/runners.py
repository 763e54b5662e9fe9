"""Where the chunks of a bulk run are worked on: in this process, or on the processes of a Dask or Ray cluster.

In this process two chunks are under way at a time, so that the converter is busy while one of them hashes or commits. A cluster takes all
of them; each of its processes opens connections of its own from its environment, so the SPATIAL_ and PREFECT_ variables must be set there.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from typing import Any, Final, Literal

import httpx
from prefect.exceptions import PrefectException
from prefect.task_runners import TaskRunner
from prefect.utilities.annotations import quote

from spatial.errors import InvalidRequest
from tasks.ingest import Chunk, Incomplete, Report, ingest_chunk

Runner = Literal["local", "dask", "ray"]

LANES: Final = 2
"""Chunks at a time in this process."""

GLANCE_SECONDS: Final = 0.5
"""How often a thread that waits for a cluster looks whether it is still wanted."""

OUT_OF_REACH: Final = (httpx.HTTPError, PrefectException, OSError, TimeoutError)
"""What a flow engine that is down or restarting raises through Prefect's client."""

Ended = Report | BaseException
"""A chunk's report, or what it raised."""


def checked(runner: Runner) -> None:
    """Raises: InvalidRequest where what the runner needs is not installed; says what to install."""
    if runner != "local":
        _cluster(runner, None, 1)


async def work_off(runner: Runner, chunks: Sequence[Chunk], *, cluster: str | None, processes: int) -> list[Ended]:
    """Every chunk to its end, in their order; those that were not begun are missing.

    cluster: address of a Dask scheduler or a Ray head; without one a cluster of so many processes is started here for the moment.
    """
    if runner == "local" or not chunks:
        return await _here(chunks)
    unwanted = threading.Event()
    try:
        return await asyncio.to_thread(_on_cluster, _cluster(runner, cluster, processes), chunks, unwanted)
    except asyncio.CancelledError:
        unwanted.set()
        raise


async def _here(chunks: Sequence[Chunk]) -> list[Ended]:
    """When a chunk ends without having settled anything, something is away for long: no further one is begun."""
    ended: dict[int, Ended] = {}
    waiting = iter(chunks)
    hopeless = asyncio.Event()

    async def lane() -> None:
        for chunk in waiting:
            ended[chunk.number] = await _outcome(chunk)
            if _settled_nothing(ended[chunk.number]):
                hopeless.set()
            if hopeless.is_set():
                return

    async with asyncio.TaskGroup() as group:
        for _ in range(LANES):
            group.create_task(lane())
    return [ended[chunk.number] for chunk in chunks if chunk.number in ended]


async def _outcome(chunk: Chunk) -> Ended:
    state = await ingest_chunk(quote(chunk), return_state=True)  # type: ignore[misc]  # typed as if it were no coroutine
    result: Ended = await state.aresult(raise_on_failure=False)
    return result


def _settled_nothing(ended: Ended) -> bool:
    return isinstance(ended, Incomplete) and not ended.report.done + ended.report.failed


def _on_cluster(runner: TaskRunner[Any], chunks: Sequence[Chunk], unwanted: threading.Event) -> list[Ended]:
    """In a thread: the runners' waiting blocks. At the end of the block a cluster of our own goes, whatever it is doing."""
    with runner:
        futures = [runner.submit(ingest_chunk, parameters={"chunk": chunk}) for chunk in chunks]
        return [_result(future, unwanted) for future in futures]


def _result(future: Any, unwanted: threading.Event) -> Ended:
    while not unwanted.is_set():
        try:
            ended: Ended = future.result(timeout=GLANCE_SECONDS, raise_on_failure=False)
        except TimeoutError:
            continue
        except Exception as error:  # noqa: BLE001  # a process of the cluster that died is as any other chunk that failed
            return error
        else:
            return ended
    return asyncio.CancelledError()


def _cluster(runner: Runner, address: str | None, processes: int) -> TaskRunner[Any]:
    """Raises: InvalidRequest."""
    try:
        if runner == "dask":
            from prefect_dask.task_runners import DaskTaskRunner

            logging.getLogger("distributed").setLevel(logging.WARNING)
            # One thread a process: chunks are asynchronous in themselves. The status page is for this machine alone.
            own = {"n_workers": processes, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
            return DaskTaskRunner(address=address) if address else DaskTaskRunner(cluster_kwargs=own)
        from prefect_ray.task_runners import RayTaskRunner

        alone = {"num_cpus": processes, "include_dashboard": False}
        ray: TaskRunner[Any] = RayTaskRunner(address=address, init_kwargs={} if address else alone)
        return ray
    except ImportError as error:
        raise InvalidRequest(
            f"the runner {runner} is not installed: pip install 'spatial-geometry-service[{runner}]' where the worker runs, "
            "or use the runner local"
        ) from error
