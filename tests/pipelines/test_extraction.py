"""One extraction without Prefect: with what a request hands over, and without it."""

from __future__ import annotations

import asyncio

import pytest

from pipelines import extraction
from pipelines.conversion import begin_conversion
from pipelines.handoff import Handoff
from pipelines.jobs import ExtractJob, Receipt
from pipelines.resources import Resources, handoff
from tests.support.resources import SVG, new_job


async def run_all(job: ExtractJob) -> Receipt:
    """Every stage, as the flow strings them together."""
    staged = await extraction.fetch(job)
    reading = await extraction.convert(staged)
    await extraction.interpret(staged, reading)
    return await extraction.meter(job, await extraction.assemble(job, staged, reading))


def begin(job: ExtractJob, resources: Resources) -> Handoff:
    """What the process that takes a request begins."""
    staging = asyncio.create_task(resources.lake.put(job.content_key or "", SVG % 1))
    return Handoff(early=begin_conversion(resources, job, SVG % 1, staging))


@pytest.mark.requirement("flow.handoff")
async def test_a_run_with_a_handoff_joins_what_has_begun_and_answers_its_caller(resources: Resources) -> None:
    job = await new_job(resources)
    made = begin(job, resources)
    resources.handoffs[job.operation_id] = made
    receipt = await run_all(job)
    assert made.early is not None and made.early.taken == {"convert", "interpret", "assemble"}
    assert made.receipt.result() == receipt and receipt.charged
    assert made.document == await resources.lake.get(receipt.result_key)
    assert await resources.lake.get(job.content_key or "") == SVG % 1, "the upload is staged"


@pytest.mark.requirement("flow.handoff")
async def test_the_file_of_an_upload_is_converted_by_one_call_that_begins_when_it_is_fetched(
    resources: Resources,
) -> None:
    job = await new_job(resources)
    await resources.lake.put(job.content_key or "", SVG % 1)
    made = resources.handoffs[job.operation_id] = Handoff()
    receipt = await run_all(job)
    assert made.early is not None and made.early.taken == {"convert", "interpret", "assemble"}
    assert made.document == await resources.lake.get(receipt.result_key)


@pytest.mark.requirement("flow.handoff")
async def test_a_run_without_a_handoff_makes_the_same_document_by_itself(resources: Resources) -> None:
    jobs = [await new_job(resources) for _ in range(2)]
    resources.handoffs[jobs[0].operation_id] = begin(jobs[0], resources)
    await resources.lake.put(jobs[1].content_key or "", SVG % 1)
    assert handoff(jobs[1].operation_id) is None
    receipts = [await run_all(job) for job in jobs]
    documents = [await resources.lake.get(receipt.result_key) for receipt in receipts]
    assert documents[0] == documents[1] and all(receipt.charged for receipt in receipts)
    assert not (await run_all(jobs[1])).charged, "a second run bills nothing"


@pytest.mark.requirement("flow.handoff")
async def test_early_work_is_joined_once_and_ended_with_the_run(resources: Resources) -> None:
    job = await new_job(resources)
    made = begin(job, resources)
    assert made.early is not None and made.early.staging is not None
    assert made.early.take_reading() is made.early.reading and made.early.take_reading() is None
    made.close()
    await asyncio.wait({made.early.staging, made.early.reading, made.early.meaning, made.early.document})
    assert made.early.meaning.cancelled() and made.early.document.cancelled()
