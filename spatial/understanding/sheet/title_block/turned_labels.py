"""Labels that are turned to fit a narrow cell: the value stands upright in the cell beside, before or behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.fields import FIELDS, is_distinctive
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import SIDE
from spatial.understanding.sheet.title_block.items import Item, sources
from spatial.understanding.sheet.title_block.layout import Layout

_MARGIN: Final = 0.06
"""Of the sheet's diagonal, from the labels of a block to a turned one of it."""


def readings(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The values of turned labels, where their form is the field's and only one cell beside the label has it."""
    layout = block.layout
    for label in layout.aside:
        word = label.wording
        if word is None or not word.is_field or word.value or word.key in known or not FIELDS[word.key].is_formed:
            continue
        if label.cell < 0 or not block.holds(label, _MARGIN * layout.diagonal):
            continue
        found = [item for item in _beside(layout, label) if is_distinctive(word.key, tidy(item.text))]
        if len(found) == 1:
            yield FieldReading(
                word.key, tidy(found[0].text), (label.source, *sources(found)), "label left", True, label.order
            )


def _beside(layout: Layout, label: Item) -> Iterator[Item]:
    """What stands alone in a cell as high as the label's that shares its left or right side."""
    own, slack = layout.cells[label.cell], SIDE * layout.diagonal
    for cell, items in layout.inside.items():
        box = layout.cells[cell]
        level = abs(box[1] - own[1]) < slack and abs(box[3] - own[3]) < slack
        touches = min(abs(box[2] - own[0]), abs(box[0] - own[2])) < slack
        if level and touches and len(items) == 1 and items[0].wording is None:
            yield items[0]
