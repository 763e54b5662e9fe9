"""The stages of one file from its source to its document, in running order; what the flows that show each stage have in common."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from prefect import Task
from prefect.cache_policies import NO_CACHE
from prefect.utilities.annotations import quote

from converter.client import ReadingHandle
from pipelines.jobs import Draft, ExtractJob
from tasks import extraction

T = TypeVar("T")


@dataclass(frozen=True)
class StageTasks:
    """A task per stage."""

    fetch: Task[..., Any] = extraction.fetch
    convert: Task[..., Any] = extraction.convert
    interpret: Task[..., Any] = extraction.interpret
    sample: Task[..., Any] = extraction.sample
    assemble: Task[..., Any] = extraction.assemble

    def with_options(self, **options: Any) -> StageTasks:
        """The same tasks with other options of Prefect."""
        return StageTasks(**{name: getattr(self, name).with_options(**options) for name in self.__dataclass_fields__})


KEPT: Final = StageTasks()
"""Results are kept: a flow run that is retried redoes only what is missing. For flows of one file."""

NOT_KEPT: Final = KEPT.with_options(persist_result=False, cache_policy=NO_CACHE)
"""For flows of several files: kept results are found by flow run and stage, not by file."""


async def run_stages(job: ExtractJob, tasks: StageTasks) -> tuple[ReadingHandle, Draft]:
    """Fetch, convert, interpret, sample where points are wanted, assemble. Raises: SpatialError of any stage."""
    staged = await tasks.fetch(job)
    reading = await tasks.convert(staged)
    passed = unmapped(reading)
    if job.target_contract.has_points:
        meaning, clouds = await asyncio.gather(tasks.interpret(staged, passed), tasks.sample(staged, passed))
    else:
        meaning, clouds = await tasks.interpret(staged, passed), None
    return reading, await tasks.assemble(job, staged, passed, unmapped(meaning), unmapped(clouds))


def unmapped(value: T) -> T:
    """Pass a value to a task as it is: Prefect would search every face of a model for task futures."""
    return cast(T, quote(value))
