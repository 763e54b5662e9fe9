"""The formats table that a converter serves: a module with FORMATS."""

from __future__ import annotations

import importlib
from typing import Final

from spatial.contract.formats import Format

FORMATS: Final = "spatial.contract.formats"
"""Default module of the formats table."""


def formats(table: str) -> dict[str, Format]:
    """The rows of a formats table (a module with FORMATS, and perhaps FEATURE_TREE), by name."""
    module = importlib.import_module(table)
    imported = [module.FEATURE_TREE] if hasattr(module, "FEATURE_TREE") else []
    return {row.name: row for row in (*module.FORMATS, *imported)}
