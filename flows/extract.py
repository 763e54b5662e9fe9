"""The flow `extract`: one file in, one document out, one usage row."""

from __future__ import annotations

import asyncio
from typing import TypeVar, cast

from prefect import flow
from prefect.utilities.annotations import quote

from tasks import extraction
from tasks.jobs import ExtractJob, Receipt

T = TypeVar("T")


@flow(name="extract", flow_run_name="{job.file_name}", persist_result=True)
async def extract(job: ExtractJob) -> Receipt:
    """Turn one file into `cad.extraction.v1`.

    Re-run it with the same parameter at any time within the retention of its staged file; a finished or refused request
    is never billed again.
    """
    staged = await extraction.fetch(job)
    reading = await extraction.convert(staged)
    whole = as_it_is(reading)
    if job.target_contract.has_points:
        meaning, clouds = await asyncio.gather(extraction.interpret(staged, whole), extraction.sample(staged, whole))
    else:
        meaning, clouds = await extraction.interpret(staged, whole), None
    draft = await extraction.assemble(job, staged, whole, as_it_is(meaning), as_it_is(clouds))
    receipt = await extraction.meter(job, draft)
    await extraction.report(job, draft, receipt)
    await extraction.let_go(reading)
    return receipt


def as_it_is(value: T) -> T:
    """Hand a value to a stage without Prefect walking through every face of a model in search of task futures."""
    return cast(T, quote(value))
