"""The number of a drawing by its place in the form of ISO 7200: over the row of revision, date of issue, language and sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.value_forms import tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading

_SLACK: Final = 0.004
"""Of the sheet's diagonal, between sides that are one line."""
_ROW: Final = frozenset({"revision", "sheet"})
"""What the labels at its ends name."""


def readings(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The text of the cell over that row, as wide as it, where it is a number and stands alone: it identifies what the row counts."""
    if {"drawing_number", "part_number"} & set(known):
        return
    layout = block.layout
    slack = _SLACK * layout.diagonal
    for left, top, right in _rows(block, slack):
        over = [
            items[0]
            for cell, items in layout.inside.items()
            if len(items) == 1 and _is_side(layout.cells[cell], left, top, right, slack)
        ]
        if len(over) == 1 and over[0].wording is None:
            text = tidy(over[0].text)
            if values.is_document_number(text) or values.is_assigned(text):
                yield FieldReading("drawing_number", text, (over[0].source,), "typical place", True)
                return


def _rows(block: Block, slack: float) -> Iterator[tuple[float, float, float]]:
    """Left side, upper side and right side of what stands between the labels of revision and sheet in one row of cells."""
    levels: dict[tuple[int, int], list[tuple[str, Box]]] = defaultdict(list)
    for label in block.labels:
        if label.cell >= 0 and label.wording is not None and label.wording.key in _ROW:
            box = block.layout.cells[label.cell]
            levels[round(box[1] / slack), round(box[3] / slack)].append((label.wording.key, box))
    for row in levels.values():
        if {key for key, _ in row} == _ROW:
            yield min(box[0] for _, box in row), max(box[3] for _, box in row), max(box[2] for _, box in row)


def _is_side(box: Box, left: float, top: float, right: float, slack: float) -> bool:
    return abs(box[1] - top) < slack and abs(box[0] - left) < slack and abs(box[2] - right) < slack
