"""The stages of an extraction as Prefect tasks, in running order; `flows.stages` strings them together.

The result of a finished stage is kept (`KEEP`) until its run has ended well, so that a retry redoes only what is missing. Stages have
no tags: Prefect asks its server for concurrency slots before every task run that has one, which the caller would wait for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, get_type_hints

from prefect.cache_policies import CachePolicy
from prefect.context import TaskRunContext
from prefect.utilities.hashing import hash_objects
from pydantic import BaseModel

from converter.client import MeaningFacts, PointFacts, ReadingHandle
from pipelines import extraction
from pipelines.jobs import Draft, ExtractJob, Receipt, StagedFile
from prefect_runtime.stage_tasks import stage
from spatial.document.version import EXTRACTOR_VERSION
from tasks.retrying import RETRIES, when_unavailable

CONVERTER_SECONDS: Final = 960.0
"""Time limit of a converter stage: longer than the client waits for an answer, so that it ends only what hangs beyond that."""

STORAGE_SECONDS: Final = 300.0
"""Time limit of the other stages: above the deadlines of downloads, lake and database."""


@dataclass
class OnePerRun(CachePolicy):
    """One result per run, stage and version of the stage. Policies that are added hash their parts anew for every task run."""

    def compute_key(
        self, task_ctx: TaskRunContext, inputs: dict[str, Any], flow_parameters: dict[str, Any], **kwargs: Any
    ) -> str:
        """The key of the result of a stage."""
        run = task_ctx.task_run
        return f"{run.flow_run_id or run.id}-{result_version(task_ctx.task.fn)}"


@cache
def result_version(function: Callable[..., Any]) -> str:
    """What a kept result depends on beyond the run: the source of the stage, the extractor's version, the path and the fields of the
    result's class.

    A result that an earlier version of the service wrote is then not found, instead of found and not readable.
    """
    result: type[BaseModel] = get_type_hints(function)["return"]
    path = f"{result.__module__}.{result.__qualname__}"
    parts = inspect.getsource(function), EXTRACTOR_VERSION, path, result.model_json_schema()
    return str(hash_objects(*parts, raise_on_failure=True))


KEEP: Final[dict[str, Any]] = {
    "persist_result": True,
    "cache_policy": OnePerRun(),
    "refresh_cache": False,  # otherwise Prefect looks it up in its settings for every task run
}

STAGE: Final[dict[str, Any]] = {**KEEP, **RETRIES, "retry_condition_fn": when_unavailable}


@stage(name="fetch", task_run_name="fetch {job.shown_name}", timeout_seconds=STORAGE_SECONDS, **STAGE)
async def fetch(job: ExtractJob) -> StagedFile:
    """Have the file in the lake: the inline upload, or what content_url serves."""
    return await extraction.fetch(job)


@stage(name="convert", task_run_name="convert {staged.shown_name}", timeout_seconds=CONVERTER_SECONDS, **STAGE)
async def convert(staged: StagedFile) -> ReadingHandle:
    """Read the file in the converter, in a process of its own."""
    return await extraction.convert(staged)


@stage(name="interpret", task_run_name="interpret {staged.shown_name}", timeout_seconds=CONVERTER_SECONDS, **STAGE)
async def interpret(staged: StagedFile, reading: ReadingHandle) -> MeaningFacts:
    """Find callouts, title block, tables and notes in a reading; the validity of a B-rep."""
    return await extraction.interpret(staged, reading)


@stage(name="sample", task_run_name="sample points of {staged.shown_name}", timeout_seconds=CONVERTER_SECONDS, **STAGE)
async def sample(staged: StagedFile, reading: ReadingHandle) -> PointFacts:
    """Sample points on the surfaces."""
    return await extraction.sample(staged, reading)


@stage(name="assemble", task_run_name="assemble {job.shown_name}", timeout_seconds=CONVERTER_SECONDS, **STAGE)
async def assemble(job: ExtractJob, staged: StagedFile, reading: ReadingHandle) -> Draft:
    """Have the converter make the document, and write it to the lake."""
    return await extraction.assemble(job, staged, reading)


@stage(name="meter", task_run_name="meter {job.shown_name}", timeout_seconds=STORAGE_SECONDS, **STAGE)
async def meter(job: ExtractJob, draft: Draft) -> Receipt:
    """Write the usage once, in the transaction that completes the request."""
    return await extraction.meter(job, draft)
