"""The flow `extract`: extract one file into one document and record one usage row."""

from __future__ import annotations

from prefect import flow, get_run_logger

from flows.stages import KEPT, run_stages
from pipelines.extraction import summary_page
from pipelines.jobs import ExtractJob, Receipt
from tasks.artifacts import publish_artifact
from tasks.extraction import meter


@flow(name="extract", flow_run_name="{job.shown_name}", persist_result=True)
async def extract(job: ExtractJob) -> Receipt:
    """Extract one file to `cad.extraction.v1`.

    It can be run again with the same parameter within the retention of its staged file; a finished or refused request is never
    billed again.
    """
    draft = await run_stages(job, KEPT)
    receipt: Receipt = await meter(job, draft)
    await publish_artifact("extraction", summary_page(job, draft, receipt), f"Content of {job.shown_name}")
    get_run_logger().info("the document of %s is %s", job.shown_name, receipt.result_key)
    return receipt
