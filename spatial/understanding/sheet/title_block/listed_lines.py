"""Labelled lines in open space that list what a part is made of and covered with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.fields import FIELDS, can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, goes_on_note, numbered

_LISTED: Final = frozenset(key for key, field in FIELDS.items() if field.may_be_listed)


def listed_lines(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """Labelled lines in open space: a material that only one line names; others only in a list with a second such line."""
    lines = [
        item
        for item in block.layout.items
        if item.cell < 0 and item.wording and item.wording.colon and item.wording.value and item.wording.key in _LISTED
    ]
    lines = [
        line
        for line in lines[:40]
        if not numbered(line, block.layout.items) and not goes_on_note(line, block.layout.items)
    ]
    for key in sorted(_LISTED - set(known)):
        own = [item for item in lines if item.wording and item.wording.key == key]
        if len(own) != 1 or own[0].wording is None:
            continue
        value = tidy(own[0].wording.value)
        # A list that names two materials is of several parts, and so is its finish.
        fellows = [item for item in lines if _next_to(own[0], item)]
        kinds = [item.wording.key for item in fellows if item.wording]
        listed = bool(fellows) and len(set(kinds)) == len(kinds)
        if can_be(key, value) and len(value) <= 60 and (listed or (key == "material" and not own[0].wording.weak)):
            yield FieldReading(key, value, (own[0].source,), "combined line")


def _next_to(one: Item, other: Item) -> bool:
    """Whether they are lines of one list."""
    apart = abs(one.middle[1] - other.middle[1])
    return other is not one and abs(one.box[0] - other.box[0]) < one.height and apart < 3 * one.height
