"""What GET /api/health says (spec: Health)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, ConfigDict, Field, Strict

from spatial.contract import _examples
from spatial.contract._model import Model

Timestamp = Annotated[AwareDatetime, Strict(False)]
"""An RFC 3339 date-time with its offset."""


class Check(Model):
    """One probe's verdict."""

    nullable: ClassVar[frozenset[str]] = frozenset({"latencyMs"})

    status: Annotated[str, Field(examples=["healthy", "degraded", "down", "unavailable"])]
    latency_ms: float | None = Field(alias="latencyMs")
    """Milliseconds; null where nothing was asked."""
    detail: str
    """One sentence for a person."""


class Health(Model):
    """The worst verdict, and every verdict."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.HEALTH]})

    status: Literal["healthy", "degraded", "down"]
    """down is HTTP 503, the others 200."""
    timestamp: Timestamp
    services: dict[str, str]
    """Name of a service to its status."""
    checks: dict[str, Check]
    """Name of a probe to its verdict."""
