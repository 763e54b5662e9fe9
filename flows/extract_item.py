"""The flow `extract-item`: extract one failed item of an ended batch again, into a separate result."""

from __future__ import annotations

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.stages import KEPT, run_stages
from pipelines.extraction import summary_page
from pipelines.item_rerun import billing, job_of_failed_item
from pipelines.jobs import Receipt
from spatial import logs
from tasks.artifacts import publish_artifact
from tasks.batches import meter_item_rerun


@flow(name="extract-item", flow_run_name="{batch_id} item {item}", persist_result=True)
async def extract_item(batch_id: str, item: int) -> State[Receipt]:
    """Extract one failed item of an ended batch again; the batch does not change.

    The state's message and the artifact name the lake key of the new document. A success is billed once.

    Args:
        batch_id: A batch that has ended and has not expired.
        item: Index of the failed item, from 0.
    """
    job = await job_of_failed_item(batch_id, item)
    logs.adopt({"request_id": job.request_id})
    draft = await run_stages(job, KEPT)
    receipt = await meter_item_rerun(job, draft)
    await publish_artifact("extract-item", summary_page(job, draft, receipt), f"Content of item {item} of {batch_id}")
    billed = billing(receipt.charged)
    message = f"the document is {receipt.result_key} in the lake; {billed}"
    get_run_logger().info(message)
    return Completed(message=message, data=receipt)
