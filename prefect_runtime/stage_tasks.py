"""Prefect tasks that a held run executes without Prefect's engine, as long as they end well.

    @stage(name="fetch", task_run_name="fetch {job.shown_name}", timeout_seconds=300.0)
    async def fetch(job: ExtractJob) -> StagedFile: ...

In any other run such a task is Prefect's own: in one that is recorded already, in one that is run again, in a worker. A stage that raises
is handed to Prefect's engine with what it raised: the engine retries it or not, logs and records its end, as if it had run it.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Final, ParamSpec, TypeVar, cast

from prefect import Task
from prefect.cache_policies import CachePolicy
from prefect.client.schemas.objects import TaskRunPolicy, TaskRunResult
from prefect.context import FlowRunContext, TaskRunContext
from prefect.task_engine import AsyncTaskRunEngine, TaskRunTimeoutError
from prefect.transactions import AsyncTransaction

from prefect_runtime.held_runs import HeldRun, HeldRuns
from prefect_runtime.held_stages import HeldStage
from prefect_runtime.result_storage import HeldResults

P = ParamSpec("P")
T = TypeVar("T")

SPECIAL: Final = frozenset({"return_state", "wait_for"})
"""Arguments of a call that are Prefect's own."""


class StageTask(Task[P, T]):
    """A task of a flow. Its function is asynchronous."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task: in a held run here, else by Prefect."""
        context = FlowRunContext.get()
        held = _held_run(context) if SPECIAL.isdisjoint(kwargs) else None
        if context is None or held is None or TaskRunContext.get() is not None:
            return super().__call__(*args, **kwargs)
        parameters = inspect.signature(self.fn).bind(*args, **kwargs).arguments
        return _run(self, parameters, context, held)

    @cached_property
    def constants(self) -> dict[str, Any]:
        """What all runs of this task have in common."""
        policy = TaskRunPolicy(
            retries=self.retries, retry_delay=self.retry_delay_seconds, retry_jitter_factor=self.retry_jitter_factor
        )
        said = policy.model_dump(mode="json")
        return {"task_key": self.task_key, "empirical_policy": said, "tags": sorted(self.tags), "labels": {}}

    def run_name(self, parameters: dict[str, Any]) -> str:
        """The name of a run with these parameters."""
        return self.task_run_name.format(**parameters) if isinstance(self.task_run_name, str) else self.name


def stage(**options: Any) -> Callable[[Callable[P, Awaitable[T]]], StageTask[P, Any]]:
    """Decorate the function of a stage, as `prefect.task` does."""
    return lambda function: StageTask(fn=cast(Any, function), **options)


def _held_run(context: FlowRunContext | None) -> HeldRun | None:
    """The run of a flow, if the server knows nothing of it and its results are held."""
    client, run = getattr(context, "client", None), getattr(context, "flow_run", None)
    return client.unsent(run.id) if isinstance(client, HeldRuns) and run is not None else None


async def _run(task: StageTask[..., T], parameters: dict[str, Any], context: FlowRunContext, held: HeldRun) -> T:
    """Run a stage of a held run. Raises: what it raises."""
    made_by = {id(made.result): made.id for made in held.stages if made.result is not None}
    running = HeldStage(
        flow_run_id=held.run.id,
        name=task.run_name(parameters),
        constants=task.constants,
        inputs={name: [made_by[id(value)]] if id(value) in made_by else [] for name, value in parameters.items()},
        context=copy_context(),
    )
    held.stages.append(running)
    deadline = asyncio.timeout(task.timeout_seconds)
    try:
        async with deadline:
            result: T = await cast(Any, task.fn)(**parameters)
    except BaseException as error:  # noqa: BLE001  # also the end of the run: Prefect's engine knows what becomes of each
        held.stages.remove(running)
        timeout = f"Scope timed out after {task.timeout_seconds} second(s)."
        raised = TaskRunTimeoutError(timeout) if deadline.expired() else error
        return cast(T, await _EndedEngine(task=task, parameters=parameters, raised=raised, stage=running).go())
    running.end(result)
    if task.persist_result:
        await _hold_result(task, result, context, running)
    return result


async def _hold_result(task: StageTask[..., Any], result: object, context: FlowRunContext, of: HeldStage) -> None:
    """Hold the result of a stage for a retry of its run, under the key that Prefect's engine looks for."""
    store, policy = context.result_store, task.cache_policy
    if not isinstance(store.result_storage, HeldResults) or not isinstance(policy, CachePolicy):
        return
    asking: Any = SimpleNamespace(task=task, task_run=SimpleNamespace(id=of.id, flow_run_id=of.flow_run_id))

    async def make() -> None:
        own = await store.aupdate_for_task(task)
        key = policy.compute_key(task_ctx=asking, inputs={}, flow_parameters={})
        await own.apersist_result_record(own.create_result_record(result, key=key))

    await store.result_storage.hold(make)


@dataclass
class _EndedEngine(AsyncTaskRunEngine[Any, Any]):
    """Prefect's engine for a stage that has run once already, from its beginning to the error that it raised."""

    raised: BaseException | None = None
    stage: HeldStage = field(default=cast(Any, None))

    async def go(self) -> Any:
        """End the stage, or run it again; returns its result. Raises: what it raises."""
        inputs = {name: {TaskRunResult(id=id) for id in ids} for name, ids in self.stage.inputs.items()}
        async with self.start(task_run_id=self.stage.id, dependencies=cast(Any, inputs)):
            while self.is_running():
                await self.wait_until_ready()
                async with self.run_context(), self.transaction_context() as transaction:
                    await self.call_task_fn(transaction)
        return await self.result()

    async def begin_run(self) -> None:
        """Begin when the stage began."""
        await super().begin_run()
        if self.raised is not None and self.task_run is not None and self.task_run.state is not None:
            began = cast(Any, self.stage.began)  # pendulum's own type, as Prefect annotates it
            self.task_run.expected_start_time = self.task_run.start_time = began
            self.task_run.state.timestamp = self.stage.began

    async def call_task_fn(self, transaction: AsyncTransaction) -> Any:
        """Raise what the stage raised, once."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
        return await super().call_task_fn(transaction)
