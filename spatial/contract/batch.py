"""Batch extraction (spec: CadExtractBatch)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from spatial.contract import _examples, limits
from spatial.contract._model import Model, OpenModel
from spatial.contract.extraction import CadExtractRequest
from spatial.contract.health import Timestamp
from spatial.contract.usage import Usage

BatchStatus = Literal["queued", "running", "done", "failed", "expired"]

BatchId = Annotated[str, Field(pattern=r"^cb_", examples=["cb_01981c6a8d3b7d1e9a52"])]
"""Id of an extract batch."""


class CadExtractBatchRequest(Model):
    """Body of POST /api/v1/cad/extract/batch."""

    items: Annotated[list[CadExtractRequest], Field(min_length=1, max_length=limits.BATCH_ITEMS)]


class CadExtractBatchItem(OpenModel):
    """One file of a batch: which one, and what became of it."""

    index: Annotated[int, Field(ge=0)] | None = None
    """Place in the submission, from 0."""
    file_name: str | None = None
    status: str | None = None


class CadExtractBatch(Model):
    """A batch as it stands."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.EXTRACT_BATCH]})

    object: Literal["cad_extract_batch"] = "cad_extract_batch"
    id: BatchId
    status: BatchStatus
    status_url: str
    """Where to ask again."""
    counts: dict[str, int]
    """Status of an item to how many items have it."""
    items: list[CadExtractBatchItem]
    usage: Usage | None = None
    expires_at: Timestamp
    """Submission + 24 h: results and staged files are deleted then."""
