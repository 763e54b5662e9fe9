"""Parsing of timestamps as people write them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(moment: datetime) -> datetime:
    """The timestamp; in UTC if it has no time zone."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
