"""The number of a drawing that shares the cell of other fields and has no label of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item

_LARGER: Final = 1.5
"""How much larger than the labels of its cell it is lettered."""
_BLANKS: Final = re.compile(r"\s*([-\u2013/])\s*")
"""Round a sign that parts the groups of a number: "110202 - 00"."""
_SHEET: Final = frozenset({"sheet", "sheet_count"})


def readings(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The only number as companies assign them that stands over the labels of the sheet in their cell, larger than they are."""
    if {"drawing_number", "part_number"} & set(known):
        return
    cells = {label.cell for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in _SHEET}
    found = [item for cell in cells for item in block.layout.inside[cell] if _is_number(item, block)]
    if len(found) == 1:
        yield FieldReading("drawing_number", tidy(found[0].text), (found[0].source,), "typical place", True)


def _is_number(item: Item, block: Block) -> bool:
    text = _BLANKS.sub(r"\1", tidy(item.text))
    labels = [label for label in block.labels if label.cell == item.cell]
    over = all(item.box[1] > label.middle[1] and item.height > _LARGER * label.height for label in labels)
    return item.wording is None and over and values.is_assigned(text) and values.is_document_number(text)
