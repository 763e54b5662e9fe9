"""A small form in another corner of the sheet than the title block: number, revision or sheet, where one turns the pages.

Source: ASME Y14.1-2020, 6.3 (the number of the drawing in a second corner, so that it shows on a folded or filed print).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from spatial.knowledge.fields import is_distinctive
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block import cells
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading

_KEYS: Final = frozenset({"drawing_number", "part_number", "revision", "sheet"})
"""What such a form repeats or states in place of the title block."""
_EDGE: Final = 0.09
"""Of the sheet's diagonal, from its sides to the form, at most."""
_LARGEST: Final = 0.02
"""Of the sheet's diagonal times itself, that the labels of the form cover."""
_MOST: Final = 4
"""Labels of such a form."""


def readings(crowds: Sequence[Block], own: Block, known: Collection[str]) -> list[FieldReading]:
    """What forms in other corners state of keys that are not `known`; nothing of a key that several of them state.

    crowds: all crowds of labels of the sheet.
    own: the title block.
    """
    found = [
        reading
        for block in crowds
        if _is_corner_form(block, own)
        for reading in cells.readings(block)
        if reading.key in _KEYS - set(known) and not reading.weak and is_distinctive(reading.key, reading.value)
    ]
    keys = [reading.key for reading in found]
    return [reading for reading in found if keys.count(reading.key) == 1]


def _is_corner_form(block: Block, own: Block) -> bool:
    """Whether a crowd of few labels, each in a cell, stands in a corner of the sheet and apart from the title block."""
    if block is own or block.layout.angle != own.layout.angle or len(block.labels) > _MOST:
        return False
    layout = block.layout
    is_ruled = all(label.cell >= 0 for label in block.labels)
    width, height = block.box[2] - block.box[0], block.box[3] - block.box[1]
    is_small = width * height < _LARGEST * layout.diagonal**2
    return is_ruled and is_small and _is_in_corner(block.box, layout.box, _EDGE * layout.diagonal)


def _is_in_corner(box: Box, sheet: Box, edge: float) -> bool:
    """Whether a box is near a left or right side of the sheet, and near its lower or upper one."""
    across = min(box[0] - sheet[0], sheet[2] - box[2])
    along = min(box[1] - sheet[1], sheet[3] - box[3])
    return across < edge and along < edge
