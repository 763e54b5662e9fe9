"""Extractions that are still kept (an addition to the spec)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from spatial.contract import limits
from spatial.contract.model import Model

ExtractionId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.REQUEST_ID_CHARACTERS,
        examples=["req_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f", "req_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f.3"],
    ),
]
"""The `request_id` of an extraction; of an item of a batch that of the submission, a dot and the item's index."""


class StoredExtraction(Model):
    """One extraction of the last 24 hours."""

    id: ExtractionId
    file_name: str | None = None
    source_format: str | None = None
    created_at: datetime
    """When it was finished."""


class StoredExtractions(Model):
    """One page of them, latest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "object": "list",
                    "data": [
                        {
                            "id": "req_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f",
                            "file_name": "bracket.step",
                            "source_format": "step",
                            "created_at": "2026-11-02T09:14:03Z",
                        }
                    ],
                    "has_more": False,
                    "request_id": "req_0198f2b4c6d07a3e8f1d2c3b4a596877",
                }
            ]
        }
    )

    object: Literal["list"] = "list"
    data: list[StoredExtraction]
    has_more: bool
    """Whether there are more: ask with `skip`."""
    request_id: str
