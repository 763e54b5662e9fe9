"""The number of a drawing that is repeated turned in a corner of the sheet (GOST 2.104)."""

from __future__ import annotations

from spatial.knowledge.fields import is_distinctive
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.free_cells import outline, touches
from spatial.understanding.sheet.title_block.items import Item

_STRIP, _BESIDE_CORNER = 0.1, 0.25
"""Of the sheet's diagonal, from its sides to the copy of the number: 70 x 14 mm in the corner of the frame (GOST 2.104)."""


def copied_number(block: Block) -> Item | None:
    """The text of the block that stands turned in a corner as well."""
    turned = {
        tidy(item.text) for item in block.layout.aside if item.angle in (90, 180, 270) and _is_cornered(item, block)
    }
    margin, strip = 0.06 * block.layout.diagonal, outline(block)
    for item in sorted(block.layout.items, key=lambda each: -each.height):
        text = tidy(item.text)
        if (
            text in turned
            and item.wording is None
            and (block.holds(item, margin) or (item.cell >= 0 and touches(block.layout.cells[item.cell], strip, 0.0)))
            and is_distinctive("drawing_number", text)
        ):
            return item
    return None


def _is_cornered(item: Item, block: Block) -> bool:
    """Whether a text stands in a corner of the sheet as the copy of a number does: along one side, near another."""
    (x, y), (left, low, right, high) = item.middle, block.layout.box
    near = sorted((min(x - left, right - x), min(y - low, high - y)))
    return near[0] < _STRIP * block.layout.diagonal and near[1] < _BESIDE_CORNER * block.layout.diagonal
