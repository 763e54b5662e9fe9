"""Values of a block that no label reaches and whose form alone tells the key.

A paper format, a ratio, a date or a sheet of several in a small cell of the block says what it is, if the block states no other of
that form.
What a date under a label of no known word is of, only the label says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from spatial.knowledge.value_forms import full_date, paper_format, tidy
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block.blocks import SMALL_CELL, Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.values import form_of, is_one_of_several

_SEPARATOR: Final = re.compile(r"[-./]")
_KEYS: Final = frozenset({"size", "scale", "date", "sheet"})
_WORDED: Final = re.compile(r"\d{1,3}\s*[^\W\d_]{1,4}\s*\d{1,3}")
"""A sheet of several that a word makes one: 1 of 2, 1 de 2; what else 1/2 may be, only its label says."""


def readings(
    block: Block, known: Collection[str], used: Collection[str], labelled: Collection[str]
) -> list[FieldReading]:
    """What form tells in the cells of `block` of keys that are not `known`.

    used: ids of texts that belong to other fields.
    labelled: ids of texts that stand with a label of no known word.
    """
    found: dict[str, list[Item]] = {}
    for item in _items(block):
        text = tidy(item.text)
        key = form_of(text)
        if key == "sheet" and not (_WORDED.fullmatch(text) and is_one_of_several(text)):
            continue
        if key is not None and key in _KEYS:
            found.setdefault(key, []).append(item)
    return [
        FieldReading(key, paper_format(own[0].text) or tidy(own[0].text), (own[0].source,), "typical place", True)
        for key, own in found.items()
        if key not in known
        and len({tidy(item.text) for item in own}) == 1
        and not any(item.source in used for item in own)
        and (key != "date" or (_is_only_date(block, own[0]) and not any(item.source in labelled for item in own)))
    ]


def _is_only_date(block: Block, date: Item) -> bool:
    """Whether the block has no other date, in cells or not, and no second label of one."""
    text = tidy(date.text)
    others = (full_date(item.text) for item in block.layout.items if block.holds(item))
    labels = sum(label.wording is not None and label.wording.key == "date" for label in block.labels)
    return labels < 2 and len(set(_SEPARATOR.findall(text))) < 2 and all(other in (None, text) for other in others)


def _items(block: Block) -> Iterator[Item]:
    """The lines in the small ruled cells of `block` that are no labels."""
    layout = block.layout
    largest = SMALL_CELL * area_of(layout.box)
    for place, items in layout.inside.items():
        if area_of(layout.cells[place]) < largest:
            yield from (item for item in items if item.wording is None and block.holds(item))
