"""How Prefect treats the stages: when it runs one again, and which kept results it finds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from prefect.context import FlowRunContext
from prefect.serializers import JSONSerializer
from prefect.states import Failed

from pipelines.handoff import Handoff
from pipelines.jobs import ExtractJob, StagedFile
from pipelines.resources import Resources, open_resources, use_resources
from spatial.errors import ConverterUnavailable, ParseError, UsageFinalizationUnavailable
from storage import settings
from storage.objects.lake import LakeUnavailable, ObjectMissing
from tasks import extraction, retrying

JOB = ExtractJob(
    operation_id="op_1",
    request_id="req_1",
    account_id="a",
    key_id="k",
    file_name="part.svg",
    format="svg",
    content_key="staged/op_1/part.svg",
)


@pytest.fixture
async def resources(tmp_path: Path) -> AsyncIterator[Resources]:
    """Connections that are never used."""
    chosen = settings.load(home=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none")
    async with open_resources(chosen) as opened:
        with use_resources(opened):
            yield opened


async def is_retried(error: Exception, job: ExtractJob = JOB) -> bool:
    """Whether a stage of a flow run with this job is tried again after the error."""
    with FlowRunContext.model_construct(parameters={"job": job}):  # type: ignore[call-arg]  # the rest is not read  # type: ignore[call-arg]  # of the context only this is read
        return await retrying.when_unavailable(None, None, Failed(data=error))  # type: ignore[arg-type]  # neither is used


@pytest.mark.requirement("flow.retries")
@pytest.mark.parametrize("error", [ConverterUnavailable("x"), LakeUnavailable("x"), UsageFinalizationUnavailable("x")])
async def test_a_stage_is_retried_where_something_is_unavailable_and_nobody_waits(
    resources: Resources, error: Exception
) -> None:
    assert await is_retried(error)
    resources.handoffs[JOB.operation_id] = Handoff()
    assert not await is_retried(error), "the caller waits for the answer"


@pytest.mark.requirement("flow.retries")
@pytest.mark.parametrize("error", [ParseError("x"), ObjectMissing("x"), ValueError("x"), TimeoutError()])
async def test_a_stage_is_not_retried_for_anything_else(resources: Resources, error: Exception) -> None:
    assert not await is_retried(error)


@pytest.mark.requirement("flow.retries")
def test_every_stage_has_retries_for_unavailability_only_and_a_time_limit() -> None:
    for name in ("fetch", "convert", "interpret", "sample", "assemble", "meter"):
        stage = getattr(extraction, name)
        assert stage.retry_condition_fn is retrying.when_unavailable and stage.retries > 0
        assert stage.timeout_seconds is not None


@pytest.mark.requirement("flow.older-results")
def test_a_result_whose_class_has_moved_or_changed_is_not_found() -> None:
    def key_of(result: type[Any]) -> str:
        async def stage() -> None: ...

        stage.__annotations__["return"] = result
        return extraction.result_version(stage)

    moved = type("StagedFile", (StagedFile,), {"__module__": "tasks.jobs", "__qualname__": "StagedFile"})
    changed = type(
        "StagedFile",
        (StagedFile,),
        {"__module__": "pipelines.jobs", "__qualname__": "StagedFile", "__annotations__": {"colour": str}},
    )
    assert key_of(StagedFile) == key_of(StagedFile)
    assert len({key_of(StagedFile), key_of(moved), key_of(changed)}) == 3


@pytest.mark.requirement("flow.older-results")
def test_a_result_of_a_stage_that_was_written_otherwise_is_not_found() -> None:
    async def stage() -> StagedFile:
        raise NotImplementedError("once")

    async def rewritten() -> StagedFile:
        raise NotImplementedError("now")

    def key_of(function: Any) -> str:
        return extraction.result_version(function)

    assert key_of(stage) == key_of(stage) != key_of(rewritten)


@pytest.mark.requirement("flow.older-results")
def test_prefect_itself_would_take_such_a_result_for_a_dict() -> None:
    kept = b'{"__class__": "tasks.jobs.StagedFile", "data": {"content_key": "staged/op_1/part.svg"}}'
    assert isinstance(JSONSerializer().loads(kept), dict), "if this fails, result_version may go"
