"""Labels that are turned to fit a narrow cell: the value stands upright in the cell beside, before or behind it.

A narrow cell may be as high as several, and its label be of two lines: `ITEM` before `NAME`, with the name in one of the cells behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, can_be, is_distinctive
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import SIDE
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout

_MARGIN: Final = 0.06
"""Of the sheet's diagonal, from the labels of a block to a turned one of it."""
_LEVEL: Final = 0.3
"""Letter heights that two turned lines may overlap."""
_REACH: Final = 6.0
"""Letter heights from a turned label to the words behind it, which stand in the middle of their cell."""
_FAR: Final = 5.0
"""Lengths of a turned label behind it, in which nothing else without a label may stand."""


def readings(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The values of turned labels, where their form is the field's and only one cell beside the label has it."""
    layout = block.layout
    if "title" not in known:
        yield from _titles(block)
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


def _titles(block: Block) -> Iterator[FieldReading]:
    """The only words without a label of their own behind a turned label of the title, level with it."""
    layout = block.layout
    turned = [item for item in layout.aside if block.holds(item, _MARGIN * layout.diagonal)]
    seconds = [next((each for each in turned if _is_next_line(first, each)), None) for first in turned]
    for first, second in zip(turned, seconds, strict=True):
        if first in seconds:
            continue
        lines = [first, second] if second else [first]
        word = title_labels.read(joined(lines))
        if word is None or word.key != "title" or word.value:
            continue
        behind = [item for item in layout.items if item.wording is None and _is_behind(item, lines)]
        named = rows(behind)
        is_near = any(item.box[0] - lines[-1].box[2] < _REACH * item.height for item in behind)
        is_one = is_near and len({item.cell for item in behind}) == 1 and all(len(row) == 1 for row in named)
        if is_one and all(map(_share_column, behind, behind[1:])) and can_be("title", text := tidy(joined(behind))):
            found = sources([*lines, *(row[0] for row in named)])
            yield FieldReading("title", text, found, "label left", True, first.order)


def _share_column(one: Item, other: Item) -> bool:
    return min(one.box[2], other.box[2]) > max(one.box[0], other.box[0])


def _is_next_line(first: Item, second: Item) -> bool:
    """Whether a turned line goes on with another one right beside it."""
    gap = second.box[0] - first.box[2]
    return -_LEVEL * first.height < gap < first.height and _is_level(second, first) and second.angle == first.angle


def _is_level(item: Item, label: Item) -> bool:
    """Whether the middle of an item is in the height of a turned label, or the other way round."""
    return label.box[1] < item.middle[1] < label.box[3] or item.box[1] < label.middle[1] < item.box[3]


def _is_behind(item: Item, lines: Sequence[Item]) -> bool:
    """Whether an item begins behind a turned label, in its height, before the end of what its cell can hold."""
    low, high = min(line.box[1] for line in lines), max(line.box[3] for line in lines)
    is_level = abs(item.middle[1] - (low + high) / 2) < high - low
    return is_level and 0 < item.box[0] - lines[-1].box[2] < _FAR * (high - low)


def _beside(layout: Layout, label: Item) -> Iterator[Item]:
    """What stands alone in a cell as high as the label's that shares its left or right side."""
    own, slack = layout.cells[label.cell], SIDE * layout.diagonal
    for cell, items in layout.inside.items():
        box = layout.cells[cell]
        level = abs(box[1] - own[1]) < slack and abs(box[3] - own[3]) < slack
        touches = min(abs(box[2] - own[0]), abs(box[0] - own[2])) < slack
        if level and touches and len(items) == 1 and items[0].wording is None:
            yield items[0]
