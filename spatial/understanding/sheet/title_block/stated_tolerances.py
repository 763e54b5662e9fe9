"""General tolerances that a line of the block states by their kinds: "Linear Tol.: ±0.2, Angular Tol.: 0°15'"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading

_PART: Final = re.compile(
    r"\s*([^\W\d_][^:\uff1a]{1,30})[:\uff1a]\s*[±+-]?\s*\d[\d.,]*\s*(?:[^\W\d_]{1,3}(?![^\W\d_])|[°'\"\d\s.])*"
)
"""A name, a colon and a deviation."""
_BETWEEN: Final = re.compile(r"[,;]\s+")
_FEWEST: Final = 2
"""Parts of such a line."""


def tolerance_line(block: Block) -> Iterator[FieldReading]:
    """The only line of the block that consists of named deviations, each name ending with a label of tolerances."""
    lines = [item for item in block.layout.items if block.holds(item) and _states_tolerances(item.text)]
    if len(lines) == 1:
        yield FieldReading("tolerances", tidy(lines[0].text), (lines[0].source,), "typical place", True)


def _states_tolerances(text: str) -> bool:
    parts = [_PART.fullmatch(part) for part in _BETWEEN.split(text.strip())]
    return len(parts) >= _FEWEST and all(part is not None and _names_tolerance(part[1]) for part in parts)


def _names_tolerance(name: str) -> bool:
    word = title_labels.read(name.rsplit(maxsplit=1)[-1])
    return word is not None and word.key == "tolerances"
