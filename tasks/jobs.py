"""What travels between the stages of a flow: small records and storage keys, never a file's bytes.

Prefect refuses parameters over 512 KB, shows them in its UI and keeps them in its database; so a job holds no secret either.
"""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

from spatial.contract.extraction import TargetContract
from spatial.contract.usage import Usage
from storage.objects import lake

EXTRACT_ROUTE = "/api/v1/cad/extract"
"""The route that an extraction is billed under."""

BATCH_ROUTE = "/api/v1/cad/extract/batch"
"""The route that an item of a batch is billed under."""


class ExtractJob(BaseModel):
    """One extraction: the parameter of the flow `extract`. Exactly one of content_key and content_url is given."""

    model_config = ConfigDict(frozen=True)

    operation_id: str
    """Server-made id of the billed operation; usage is written once under it."""
    request_id: str
    account_id: str
    key_id: str
    file_name: str
    format: str
    """Name of the row of FORMATS that the extension selected."""
    target_contract: TargetContract = TargetContract.structured
    content_key: str | None = None
    """Lake key of the staged file."""
    content_url: str | None = None
    """Public address to download, staged by the first stage."""
    item: int | None = None
    """Index in the batch that the operation is; None for a request of its own."""

    @property
    def staged_key(self) -> str:
        """Where a download is laid down."""
        return lake.staged_key(self.operation_id, self.file_name, self.item)

    @property
    def result_key(self) -> str:
        """Where the document is laid down."""
        return lake.result_key(self.operation_id, self.item)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.content_key is None) == (self.content_url is None):
            raise ValueError("exactly one of content_key and content_url is needed")
        return self


class StagedFile(BaseModel):
    """A file at rest in the lake."""

    content_key: str
    file_name: str
    format: str
    size: int
    """Bytes."""
    sha256: str


class Draft(BaseModel):
    """A finished document at rest in the lake, not yet metered."""

    result_key: str
    source_format: str
    input_bytes: int
    output_bytes: int
    """Size of the document as JSON, without its usage member."""
    summary: list[str]
    warnings: list[str]


class Receipt(BaseModel):
    """Where the answer lies and what it cost."""

    result_key: str
    usage: Usage
    charged: bool
    """False where the operation had been closed before: a re-run is never billed again."""
