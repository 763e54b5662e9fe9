"""The flow `extract`: one file in, one document out, one usage row."""

from __future__ import annotations

import asyncio

from prefect import flow
from prefect.utilities.annotations import quote

from tasks import extraction
from tasks.jobs import ExtractJob, Receipt


@flow(name="extract", flow_run_name="{job.file_name}", persist_result=True)
async def extract(job: ExtractJob) -> Receipt:
    """Turn one file into `cad.extraction.v1`.

    Re-run it with the same parameter at any time within the retention of its staged file; a finished or refused request
    is never billed again. `quote` keeps Prefect from walking through every face of a model in search of task futures.
    """
    staged = await extraction.fetch(job)
    reading = quote(await extraction.convert(staged))
    if extraction.wants_points(job.target_contract):
        meaning, clouds = await asyncio.gather(extraction.interpret(staged, reading), extraction.sample(staged, reading))
    else:
        meaning, clouds = await extraction.interpret(staged, reading), None
    draft = await extraction.assemble(job, staged, reading, quote(meaning), quote(clouds))
    receipt = await extraction.meter(job, draft)
    await extraction.report(job, draft, receipt)
    return receipt
