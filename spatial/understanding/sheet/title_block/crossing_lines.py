"""Values whose line is wider than their cell: what stands before or behind them beyond its sides belongs to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.layout import Layout

_BEYOND: Final = 0.3
"""Letter heights by which a line goes over a side of its cell."""
_LEVEL, _ALIKE = 0.1, 0.03
"""Letter heights between the base lines of two pieces of one line, and the part by which their heights may differ."""
_BLANK: Final = (0.1, 0.6)
"""Letter heights of the space between two words."""


def with_rest(found: Sequence[FieldReading], layout: Layout) -> list[FieldReading]:
    """`found`, each value of words in one line that goes over a side of its cell with the words of the line in the cells beside."""
    labelled = {source for reading in found if reading.evidence != "typical place" for source in reading.sources}
    free = [item for item in layout.items if item.wording is None and item.source not in labelled]
    whole = [_whole(reading, layout, free) for reading in found]
    joined = {source for reading in whole if reading not in found for source in reading.sources} - labelled
    return [
        reading for reading in whole if not (reading.evidence == "typical place" and joined >= set(reading.sources))
    ]


def _whole(reading: FieldReading, layout: Layout, free: Sequence[Item]) -> FieldReading:
    own = [item for item in layout.items if item.source in reading.sources and item.wording is None]
    is_line = (
        reading.evidence != "typical place"
        and len(own) == 1
        and can_be("title", reading.value)
        and tidy(own[0].text) == reading.value
    )
    if not is_line or not _is_beyond(layout, own[0]):
        return reading
    before, behind = _next(free, own[0], -1), _next(free, own[0], 1)
    line = [*reversed(before), own[0], *behind]
    value = tidy(" ".join(item.text for item in line))
    return replace(reading, value=value, sources=(*reading.sources, *(item.source for item in (*before, *behind))))


def _is_beyond(layout: Layout, item: Item) -> bool:
    if item.cell < 0:
        return False
    left, _, right, _ = layout.cells[item.cell]
    return max(left - item.box[0], item.box[2] - right) > _BEYOND * item.height


def _next(free: Sequence[Item], item: Item, way: int) -> Sequence[Item]:
    """The pieces that go on with the line of `item` to the left (-1) or to the right (1), each a blank from the one before."""
    found: list[Item] = []
    last = item
    while True:
        near = [each for each in free if _goes_on(last, each, way)]
        if len(near) != 1 or near[0] in found:
            return found
        found.append(near[0])
        last = near[0]


def _goes_on(last: Item, other: Item, way: int) -> bool:
    gap = other.box[0] - last.box[2] if way > 0 else last.box[0] - other.box[2]
    return (
        other.cell not in (last.cell, -1)
        and abs(other.height - last.height) < _ALIKE * last.height
        and abs(other.box[1] - last.box[1]) < _LEVEL * last.height
        and _BLANK[0] * last.height < gap < _BLANK[1] * last.height
    )
