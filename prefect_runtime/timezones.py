"""The names of time zones, which Prefect reads from the disk whenever it validates a schedule (3 ms of processor time)."""

from __future__ import annotations

from functools import cache

from prefect._internal.schemas import validators


def remember() -> None:
    """Read them once a process."""
    read = vars(validators)["get_timezones"]
    if not hasattr(read, "cache_info"):
        vars(validators)["get_timezones"] = cache(read)
