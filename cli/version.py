"""The version of this installation."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The installed version; "unknown" in a tree that was not installed."""
    try:
        return installed("spatial-geometry-service")
    except PackageNotFoundError:
        return "unknown"
