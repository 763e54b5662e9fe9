"""Records that travel between the stages of an extraction, or with a reasoning request: small values and storage keys, never a file.

Prefect refuses parameters over 512 KB, shows them in its UI and keeps them in its database, so a job holds no secret either.
"""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

from pipelines.markdown import one_line
from spatial.contract.responses import TaskType
from spatial.contract.target import TargetContract
from spatial.contract.usage import Usage
from storage.objects import lake


class ExtractJob(BaseModel):
    """One extraction: the parameter of the flow `extract`. Exactly one of content_key and content_url is set."""

    model_config = ConfigDict(frozen=True)

    operation_id: str
    """Id of the billed operation, made by the server; usage is written once under it."""
    request_id: str
    account_id: str
    key_id: str
    file_name: str
    format: str
    """Name of the row of FORMATS that the extension selected."""
    target_contract: TargetContract = TargetContract.structured
    edges: bool = False
    """Whether the document lists edges."""
    content_key: str | None = None
    """Lake key of the staged file."""
    content_url: str | None = None
    """Public address that the first stage downloads and stages."""
    item: int | None = None
    """Index within the batch; None for a single extraction."""

    @property
    def shown_name(self) -> str:
        """The file name as names of flow runs and task runs show it."""
        return one_line(self.file_name)

    @property
    def staged_key(self) -> str:
        """Lake key under which a download is staged."""
        return lake.staged_key(self.operation_id, self.file_name, self.item)

    @property
    def result_key(self) -> str:
        """Lake key under which the document is written."""
        return lake.result_key(self.operation_id, self.item)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.content_key is None) == (self.content_url is None):
            raise ValueError("set exactly one of content_key and content_url")
        return self


class RespondJob(BaseModel):
    """One task of spatial reasoning: the parameter of the flow `respond`. The scene travels apart, under `task_id`."""

    model_config = ConfigDict(frozen=True)

    operation_id: str
    request_id: str
    account_id: str
    key_id: str
    task: TaskType
    item: int | None = None
    """Index within the batch; None for a single request."""
    task_id: str = ""
    """Id of the task at the exchange with the desktop worker; set when it is created."""

    @property
    def shown_name(self) -> str:
        """Task and request as names of flow runs and task runs show them."""
        return one_line(f"{self.task} {self.request_id}{'' if self.item is None else f' item {self.item}'}")


class RespondBatchJob(BaseModel):
    """Items of a responses batch that one worker answers: the parameter of the flow `respond-batch`."""

    model_config = ConfigDict(frozen=True)

    request_id: str
    """Of the batch."""
    jobs: list[RespondJob]

    @property
    def shown_name(self) -> str:
        """The batch and its items as the name of a flow run shows them."""
        items = [job.item for job in self.jobs if job.item is not None]
        return one_line(f"{self.request_id} items {min(items, default=0)} to {max(items, default=0)}")


class StagedFile(BaseModel):
    """A file in the lake."""

    operation_id: str
    """Operation that the file belongs to."""
    content_key: str
    file_name: str
    format: str
    size: int
    """Bytes."""
    sha256: str
    edges: bool = False
    """Whether the document lists edges."""
    account_id: str = ""
    is_item: bool = False
    """Whether it belongs to a batch."""

    @property
    def shown_name(self) -> str:
        """The file name as names of task runs show it."""
        return one_line(self.file_name)


class Draft(BaseModel):
    """A finished document in the lake, not yet metered."""

    result_key: str
    source_format: str
    input_bytes: int
    output_bytes: int
    """Size of the document as JSON, without its usage member."""
    summary: list[str]
    warnings: list[str]


class Receipt(BaseModel):
    """Lake key of the document, and what the extraction cost."""

    result_key: str
    usage: Usage
    charged: bool
    """False where the operation was closed before: a re-run is never billed again."""
