"""The flow `respond-batch`: answer some items of a responses batch on one desktop worker.

A flow run costs the Prefect server as much as several solves of a small scene, so the items of a batch share a few.
"""

from __future__ import annotations

import asyncio

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from pipelines.jobs import RespondBatchJob
from spatial.counting import count_of
from tasks.reasoning import answer


@flow(name="respond-batch", flow_run_name="{batch.shown_name}", persist_result=False)
async def respond_batch(batch: RespondBatchJob) -> State[None]:
    """Answer the items at the same time, as far as the worker has places; one that fails fails alone.

    A run that is started again after its request has ended has nothing to do: the scenes are deleted with the request.
    """
    ended = await asyncio.gather(*(answer(job) for job in batch.jobs), return_exceptions=True)
    failed = [
        f"item {job.item}: {error}"
        for job, error in zip(batch.jobs, ended, strict=True)
        if isinstance(error, BaseException)
    ]
    items = count_of(len(ended), "item")
    if failed:
        return Failed(message=f"{len(failed)} of {items} failed; {'; '.join(failed[:3])}")
    return Completed(message=f"{items} answered")
