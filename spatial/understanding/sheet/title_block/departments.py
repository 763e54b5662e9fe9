"""The owner of a block beside a department of it: the name in far larger lettering, no lower than it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.captions import has_caption
from spatial.understanding.sheet.title_block.company import DEPARTMENT, is_name, name_of
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources

_TWICE: Final = 2.0
"""How much larger than a department the largest line of its owner is lettered."""
_LARGER: Final = 1.3
"""The same of its smallest line."""
_EDGE: Final = 0.006
"""Diagonals of the sheet between the upper edges of the two cells."""


def with_owner(block: Block, free: Sequence[Sequence[Item]], found: Sequence[FieldReading]) -> list[FieldReading]:
    """`found` with the owner as the company where it is a department and another cell holds the only far larger name.

    free: cells without labels.
    """
    department = next((each for each in found if each.key == "company" and DEPARTMENT.match(each.value)), None)
    if department is None:
        return list(found)
    small = [item for item in block.layout.items if item.source in department.sources and item.cell >= 0]
    owners = [items for items in free if small and _owns(block, items, small)]
    if len(owners) != 1:
        return list(found)
    own = FieldReading("company", _written(owners[0]), sources(owners[0]), "typical place", True)
    return [own if each is department else each for each in found]


def _owns(block: Block, items: Sequence[Item], department: Sequence[Item]) -> bool:
    """Whether a cell no lower than the department's holds a name and nothing else, in larger lettering."""
    layout, heights = block.layout, [max(item.height for item in row) for row in rows(items)]
    height = max(item.height for item in department)
    upper = layout.cells[items[0].cell][3] > layout.cells[department[0].cell][3] - _EDGE * layout.diagonal
    return (
        upper
        and max(heights) > _TWICE * height
        and min(heights) > _LARGER * height
        and is_name(items)
        and UNREAD not in joined(items)
        and not has_caption(layout, items[0].cell)
    )


def _written(items: Sequence[Item]) -> str:
    """A name as it is read: initials as high as all its lines go before them."""
    tall = [item for item in items if sum(_is_beside(item, other) for other in items) > 1]
    rest = [item for item in items if item not in tall]
    return " ".join(name_of(part) for part in (tall, rest) if part)


def _is_beside(item: Item, other: Item) -> bool:
    return other is not item and item.box[1] < other.middle[1] < item.box[3]
