"""The number of a drawing that shares the cell of other fields and has no label of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item

_LARGER: Final = 1.5
"""How much larger than the labels of its cell it is lettered."""
_FIGURES: Final = 5
"""Fewest of a number of figures alone: no sheet has so many."""
_LEVEL: Final = 0.5
"""Letter heights between the middles of two texts of one line."""
_BLANKS: Final = re.compile(r"\s*([-\u2013/])\s*")
"""Round a sign that parts the groups of a number: "110202 - 00"."""
_SHEET: Final = frozenset({"sheet", "sheet_count"})


def readings(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The only number as companies assign them that stands over the labels of the sheet in their cell, larger than they are."""
    if {"drawing_number", "part_number"} & set(known):
        return
    if over := _over_revision(block) or _before_revision(block):
        yield FieldReading("drawing_number", tidy(over.text), (over.source,), "typical place", True)
        return
    cells = {label.cell for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in _SHEET}
    found = [item for cell in cells for item in block.layout.inside[cell] if _is_number(item, block)]
    if len(found) == 1:
        yield FieldReading("drawing_number", tidy(found[0].text), (found[0].source,), "typical place", True)


def _over_revision(block: Block) -> Item | None:
    """The only word in capitals over the only labelled revision of the block, in its cell: a revision is one of a number (ISO 7200)."""
    revisions = [label for label in block.labels if label.wording and label.wording.key == "revision"]
    if len(revisions) != 1 or revisions[0].cell < 0 or revisions[0].wording is None or not revisions[0].wording.value:
        return None
    label = revisions[0]
    others = [item for item in block.layout.inside[label.cell] if item is not label]
    if len(others) != 1 or others[0].wording is not None or others[0].middle[1] < label.box[3]:
        return None
    text = tidy(others[0].text)
    is_code = text == text.upper() and len(text.split()) == 1 and can_be("drawing_number", text)
    return others[0] if is_code else None


def _before_revision(block: Block) -> Item | None:
    """The only assigned number that stands with the label of a revision on one line of a cell, before it: "DT33296  REV A"."""
    found = []
    for label in block.labels:
        if label.cell < 0 or label.wording is None or label.wording.key != "revision":
            continue
        line = [
            item
            for item in block.layout.inside[label.cell]
            if abs(item.middle[1] - label.middle[1]) < _LEVEL * label.height and item.box[2] <= label.box[0]
        ]
        if len(line) == 1 and line[0].wording is None and values.is_assigned(tidy(line[0].text)):
            found.append(line[0])
    return found[0] if len(found) == 1 else None


def _is_number(item: Item, block: Block) -> bool:
    text = _BLANKS.sub(r"\1", tidy(item.text))
    labels = [label for label in block.labels if label.cell == item.cell]
    over = all(item.box[1] > label.middle[1] and item.height > _LARGER * label.height for label in labels)
    is_long = text.isdecimal() and len(text) >= _FIGURES
    is_assigned = values.is_assigned(text) and values.is_document_number(text)
    return item.wording is None and over and (is_assigned or is_long)
