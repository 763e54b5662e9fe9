"""The spec as data: ROWS, one row a stated fact, gathered from `tests/requirement_rows/`.

Every row is proven by a test that wears its id, or is pending: `tests/conftest.py` refuses a whole run otherwise.
"""

from __future__ import annotations

import pkgutil
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from tests import requirement_rows
from tests.requirement_rows._row import Row


def _gathered() -> Iterator[Row]:
    """The rows of every module whose name does not start with an underscore."""
    for module in pkgutil.iter_modules(requirement_rows.__path__):
        if not module.name.startswith("_"):
            yield from import_module(f"{requirement_rows.__name__}.{module.name}").ROWS


ROWS: Final[tuple[Row, ...]] = tuple(_gathered())

_TWICE = [name for name, times in Counter(row.id for row in ROWS).items() if times > 1]
if _TWICE:
    raise ValueError(f"these requirement ids have more than one row: {', '.join(_TWICE)}")
