"""Bodies of the notifications that endpoints receive (Standard Webhooks: type, timestamp, data); an addition to the described interface."""

from __future__ import annotations

from typing import ClassVar, Literal

from spatial.contract.extraction import Count
from spatial.contract.health import Timestamp
from spatial.contract.model import Model

EventType = Literal["batch.ended", "ingest.ended", "endpoint.test"]


class BatchEnded(Model):
    """Data of `batch.ended`, which the endpoints of the batch's account receive."""

    type: ClassVar[EventType] = "batch.ended"

    batch_id: str
    status: Literal["done", "failed", "expired"]
    items: dict[Literal["done", "failed"], Count]
    """Number of items in each state."""
    submitted_at: Timestamp
    ended_at: Timestamp
    path: str
    """Path of the batch below the address of the API."""


class FileCounts(Model):
    """Files of a run of bulk ingest."""

    found: Count | None = None
    """Absent where the run ended before it knew."""
    done: Count
    failed: Count
    skipped: Count
    """Files that needed no work."""


class IngestEnded(Model):
    """Data of `ingest.ended`, which the operator's endpoints receive: a run of bulk ingest belongs to no account."""

    type: ClassVar[EventType] = "ingest.ended"

    run_id: str
    kind: Literal["ingest", "reprocess"]
    source: str | None = None
    """Prefix that was read; absent for a reprocessing."""
    status: Literal["done", "failed", "cancelled", "lost"]
    files: FileCounts
    started_at: Timestamp
    ended_at: Timestamp


class EndpointTest(Model):
    """Data of `endpoint.test`, which `spatial notifications test` sends."""

    type: ClassVar[EventType] = "endpoint.test"

    endpoint_id: str


class Notification(Model):
    """One message."""

    type: EventType
    timestamp: Timestamp
    """When the event took place."""
    data: BatchEnded | IngestEnded | EndpointTest
