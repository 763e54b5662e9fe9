"""The flow `respond`: solve one task of spatial reasoning on a desktop worker."""

from __future__ import annotations

from typing import TypeVar, cast

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from prefect.utilities.annotations import quote

from pipelines.desktop import FAILED, TaskEnded
from pipelines.jobs import RespondJob
from spatial.errors import SpatialError
from tasks.reasoning import deliver, fetch_scene, solve

T = TypeVar("T")


@flow(name="respond", flow_run_name="{job.shown_name}", persist_result=False)
async def respond(job: RespondJob) -> State[None]:
    """Solve one task and deliver its answer to the request that waits for it.

    A run that is started again after its request has ended has nothing to do: the scene is deleted with the request.
    """
    try:
        content, seconds = await fetch_scene(job)
        try:
            solved = await solve(job, unmapped(content), seconds)
        except SpatialError as error:
            await deliver(job, unmapped(error))
            return Failed(message=f"{error.type}: {error.message}")
        except Exception:  # noqa: BLE001 - whatever it is, the caller must not wait for it
            await deliver(job, unmapped(FAILED))
            return Failed(message="the solver failed; its task run has the log")
        await deliver(job, unmapped(solved))
    except TaskEnded as ended:
        return Failed(message=ended.message)
    get_run_logger().info("%s took %.0f ms", solved.solver, solved.solve_ms)
    return Completed(message=f"{solved.solver}, {solved.runtime}")


def unmapped(value: T) -> T:
    """Pass a value to a task unchanged: otherwise Prefect searches all of it for task futures."""
    return cast(T, quote(value))
