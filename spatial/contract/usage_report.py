"""What an account was charged, by day, key and operation (an addition to the spec)."""

from __future__ import annotations

from datetime import date
from typing import Any, Final, Literal

from pydantic import ConfigDict

from spatial.contract.model import Model
from spatial.contract.usage import Dollars, Tokens, Usage

_ROW: Final[dict[str, Any]] = {
    "day": "2026-11-02",
    "key_id": "key_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f",
    "key_prefix": "sk_6X8dQ2a1",
    "key_label": "estimating",
    "operation": "/api/v1/cad/extract",
    "items": 12,
    "input_tokens": 210_400,
    "output_tokens": 88_012,
    "estimated_input_cost_usd": 0.1052,
    "estimated_output_cost_usd": 0.132018,
    "estimated_cost_usd": 0.237218,
}


class UsageRow(Model):
    """The charges of one key for one operation on one day."""

    day: date
    """In UTC."""
    key_id: str
    key_prefix: str
    """The first characters of the key."""
    key_label: str | None = None
    operation: str
    """Route of the operation."""
    items: int
    """Requests that succeeded, and items of batches that did."""
    input_tokens: Tokens
    output_tokens: Tokens
    estimated_input_cost_usd: Dollars
    estimated_output_cost_usd: Dollars
    estimated_cost_usd: Dollars


class UsageReport(Model):
    """The charges of an account in a time, by day, key and operation."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "object": "usage_report",
                    "since": "2026-11-01",
                    "until": "2026-11-30",
                    "data": [_ROW],
                    "total": {name: _ROW[name] for name in Usage.model_fields},
                    "request_id": "req_0198f2b4c6d07a3e8f1d2c3b4a596877",
                }
            ]
        }
    )

    object: Literal["usage_report"] = "usage_report"
    since: date
    """First day, in UTC."""
    until: date
    """Last day, in UTC."""
    data: list[UsageRow]
    total: Usage
    """The sum of all rows."""
    request_id: str
