"""The body of GET /api/health (spec: Health)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, ConfigDict, Field, Strict

from spatial.contract import examples
from spatial.contract.model import Model

Timestamp = Annotated[AwareDatetime, Strict(False)]
"""An RFC 3339 date-time with its offset."""


class Check(Model):
    """Result of one probe."""

    nullable: ClassVar[frozenset[str]] = frozenset({"latencyMs"})

    status: Annotated[str, Field(examples=["healthy", "degraded", "down", "unavailable"])]
    latency_ms: float | None = Field(alias="latencyMs")
    """Milliseconds; null if nothing was queried."""
    detail: str
    """One sentence for a person."""


class Health(Model):
    """The overall status, which is the worst of all checks, and every check."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.HEALTH]})

    status: Literal["healthy", "degraded", "down"]
    """down is HTTP 503; the others are 200."""
    timestamp: Timestamp
    services: dict[str, str]
    """Status per service."""
    checks: dict[str, Check]
    """Result per probe."""
