"""Moments as people write them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(moment: datetime) -> datetime:
    """The moment; in UTC where it does not say its zone."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
