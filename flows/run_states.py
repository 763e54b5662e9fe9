"""Flow runs and workers as the Prefect server has them: read in whole, page by page, and ended from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter, TaskRunFilter
from prefect.client.schemas.objects import FlowRun, State, StateType, Worker
from prefect.client.schemas.sorting import FlowRunSort, TaskRunSort
from prefect.exceptions import ObjectNotFound
from prefect.states import Crashed

from flows.pools import WORKER_TYPE

T = TypeVar("T")

GONE: Final = "its worker was killed, or lost its connection"
"""What a run's state says of a process that ended without a report."""

AFTER_LOSS: Final = "after a loss"
"""Name of the runs of `reconcile` that a process runs by itself, because it saw that a run was lost."""

PAGE: Final = 200
"""Objects per request: the most that the Prefect server returns."""


async def read_all(read: Callable[[int], Awaitable[list[T]]]) -> list[T]:
    """Everything that `read` returns from one offset after another, PAGE objects at a time."""
    found: list[T] = []
    while page := await read(len(found)):
        found += page
        if len(page) < PAGE:
            break
    return found


async def read_flow_runs(client: PrefectClient, chosen: FlowRunFilter) -> list[FlowRun]:
    """Every flow run of the filter; all are read before any of them is changed, which would move the pages."""
    return await read_all(
        lambda offset: client.read_flow_runs(
            flow_run_filter=chosen, sort=FlowRunSort.ID_DESC, limit=PAGE, offset=offset
        )
    )


async def read_warm_workers(client: PrefectClient) -> list[Worker]:
    """Every worker of the pools that warm workers serve."""
    workers: list[Worker] = []
    for pool in await read_all(lambda offset: client.read_work_pools(limit=PAGE, offset=offset)):
        if pool.type == WORKER_TYPE:
            workers += await read_all(
                lambda offset, name=pool.name: client.read_workers_for_work_pool(name, limit=PAGE, offset=offset)  # type: ignore[misc]  # bound per turn
            )
    return workers


async def find_run(client: PrefectClient, flow_run_id: str | None) -> FlowRun | None:
    """The flow run of this id; None where Prefect has none."""
    if flow_run_id is None:
        return None
    try:
        return await client.read_flow_run(UUID(flow_run_id))
    except ObjectNotFound:
        return None


async def close(client: PrefectClient, run: FlowRun, end: State[Any]) -> None:
    """Set the final state of a run, unless Prefect has one."""
    if run.state is not None and not run.state.is_final():
        await client.set_flow_run_state(run.id, end, force=True)


async def crash_tasks(client: PrefectClient, run: FlowRun) -> None:
    """End task runs whose process was killed; nothing else ends them."""
    under_way = TaskRunFilter.model_validate({"state": {"type": {"any_": [StateType.RUNNING, StateType.PENDING]}}})
    chosen = FlowRunFilter.model_validate({"id": {"any_": [run.id]}})
    dropped = await read_all(
        lambda offset: client.read_task_runs(
            flow_run_filter=chosen, task_run_filter=under_way, sort=TaskRunSort.ID_DESC, limit=PAGE, offset=offset
        )
    )
    for task_run in dropped:
        await client.set_task_run_state(task_run.id, Crashed(message=GONE), force=True)


def is_recent(state: State[Any], within: timedelta) -> bool:
    """Whether the state was reported so recently that it is too early to decide."""
    return datetime.now(UTC) - state.timestamp < within
