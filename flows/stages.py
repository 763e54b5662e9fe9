"""The stages that extract one file, in execution order; all extraction flows use them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

from prefect import Task
from prefect.cache_policies import NO_CACHE

from pipelines.jobs import Draft, ExtractJob
from tasks import extraction


@dataclass(frozen=True)
class StageTasks:
    """One Prefect task per stage."""

    fetch: Task[..., Any] = extraction.fetch
    convert: Task[..., Any] = extraction.convert
    interpret: Task[..., Any] = extraction.interpret
    sample: Task[..., Any] = extraction.sample
    assemble: Task[..., Any] = extraction.assemble

    def with_options(self, **options: Any) -> StageTasks:
        """The same tasks with other Prefect options."""
        return StageTasks(**{name: getattr(self, name).with_options(**options) for name in self.__dataclass_fields__})


KEPT: Final = StageTasks()
"""Tasks that persist their results: a retried flow run repeats only missing stages. For flows of one file."""

NOT_KEPT: Final = KEPT.with_options(persist_result=False, cache_policy=NO_CACHE)
"""Tasks that persist nothing, for flows of several files: Prefect finds results by flow run and stage, not by file."""


async def run_stages(job: ExtractJob, tasks: StageTasks) -> Draft:
    """Run the stages: fetch, convert, interpret, sample if points are requested, assemble. Raises: SpatialError of any stage."""
    staged = await tasks.fetch(job)
    reading = await tasks.convert(staged)
    if job.target_contract.has_points:
        await asyncio.gather(tasks.interpret(staged, reading), tasks.sample(staged, reading))
    else:
        await tasks.interpret(staged, reading)
    made: Draft = await tasks.assemble(job, staged, reading)
    return made


async def extract_item_in_stages(job: ExtractJob) -> Draft:
    """The document of an item of a batch, not yet metered. Raises: SpatialError of any stage."""
    return await run_stages(job, NOT_KEPT)
