"""Batch extraction (spec: CadExtractBatch)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import ConfigDict, Field

from spatial.contract import examples, limits
from spatial.contract.error import Fault
from spatial.contract.extraction import CadExtraction, CadExtractRequest, Count
from spatial.contract.health import Timestamp
from spatial.contract.model import Model, OpenModel
from spatial.contract.usage import Usage

BatchStatus = Literal["queued", "running", "done", "failed", "expired"]

ItemStatus = Literal["queued", "running", "done", "failed"]

ITEM_STATUSES: Final[tuple[ItemStatus, ...]] = get_args(ItemStatus)
"""In the order in which an item passes through them."""

BatchId = Annotated[str, Field(pattern=r"^cb_", examples=["cb_01981c6a8d3b7d1e9a52"])]
"""Id of an extract batch."""


class CadExtractBatchRequest(Model):
    """Body of POST /api/v1/cad/extract/batch."""

    items: Annotated[list[CadExtractRequest], Field(min_length=1, max_length=limits.BATCH_ITEMS)]


class CadExtractBatchItem(OpenModel):
    """One file of a batch, its status and its outcome."""

    index: Annotated[int, Field(ge=0)]
    """Position in the submission, from 0."""
    file_name: str
    status: ItemStatus
    http_status: Annotated[int | None, Field(examples=[200, 422])] = None
    """Status that a single extract would have answered; absent until the item has ended."""
    started_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    result: CadExtraction | None = None
    """The document of a done item, with its usage. Its request_id is that of the submission."""
    error: Fault | None = None
    """The error of a failed item."""


class CadExtractBatch(Model):
    """The current state of a batch."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.EXTRACT_BATCH]})

    object: Literal["cad_extract_batch"] = "cad_extract_batch"
    id: BatchId
    status: BatchStatus
    status_url: str
    """Path to poll for the status."""
    counts: dict[ItemStatus, Count]
    """Number of items per status: always all four; their sum is the number of items."""
    usage: Usage | None = None
    """The sum over the items that succeeded."""
    created_at: Timestamp | None = None
    """Time of submission."""
    started_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    cancelled_at: Timestamp | None = None
    """Time at which its caller cancelled it."""
    expires_at: Timestamp
    """Submission + 24 h; results and staged files are then deleted."""
    request_id: str | None = None
    """Equals the reply's X-Request-ID header."""
    items: list[CadExtractBatchItem]
    """In the order of submission."""
