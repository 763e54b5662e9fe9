"""The small cells in and around a block that hold no label, and the outline of the block."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.title_labels import OTHER
from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.addresses import holds_address
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.items import Item, joined, without_labelled

_CELL: Final = 0.07
"""Of the sheet: a larger cell is no cell of a title block."""
_SIGNS_OF_RIGHTS: Final = frozenset({"\u00a9", "\u00ae", "\u2122", "TM"})
"""Signs of copyright and of trade marks, that stand beside a name."""


def free_cells(block: Block, taken: Collection[str]) -> list[list[Item]]:
    """The items of each small cell in or against the block that holds no label."""
    layout = block.layout
    reach = 0.006 * layout.diagonal
    largest = _CELL * area_of(layout.box)
    found = []
    around = outline(block)
    for cell, lettering in layout.inside.items():
        items, box = _without_class(lettering), layout.cells[cell]
        if (
            touches(box, around, reach)
            and area_of(box) < largest
            and not any(map(_is_label, items))
            and not _are_worded(items)
            and not any(item.source in taken for item in items)
        ):
            # A sign of copyright alone beside a name makes no notice of it, nor is that of a trade mark a word of it.
            lettered = [item for item in items if item.text.strip() not in _SIGNS_OF_RIGHTS]
            kept = [item for item in lettered if not is_template_text(item.text) and not is_form_sentence(item.text)]
            if kept and is_form_sentence(joined(lettered)):
                kept = [item for item in kept if values.named_tolerance(item.text)][:1]
            if kept:
                found.append(without_labelled(kept))
    return found


def _without_class(items: Sequence[Item]) -> Sequence[Item]:
    """`items` without the labelled lines of a class or a course under the name of a school: "Class: 4B" names no field."""
    first = max(items, key=lambda item: item.middle[1])
    if first.wording is not None or not values.is_company(first.text.strip()):
        return items
    return [item for item in items if item.wording is None or not _is_class(item)]


def _is_class(item: Item) -> bool:
    label, colon, value = item.text.partition(":")
    return bool(colon and value.strip()) and title_labels.folded(label) in title_labels.SCHOOLING


def _are_worded(items: Sequence[Item]) -> bool:
    """Whether all that is no sentence of a form begins with a word of the vocabulary, as telephone number and web address alone do."""
    own = [item for item in items if not is_form_sentence(item.text)]
    return bool(own) and all(item.wording for item in own)


def _is_label(item: Item) -> bool:
    """Whether it is a label; a form's sentence is none, nor is the word before a telephone number or a web address."""
    word = item.wording
    if word is None or is_form_sentence(item.text):
        return False
    return not (word.key == OTHER and word.value and holds_address(word.value))


def touches(box: Box, around: Box, reach: float) -> bool:
    """Whether a cell touches `around`, or lies in it, `reach` apart at most."""
    return (
        box[0] <= around[2] + reach
        and box[2] >= around[0] - reach
        and box[1] <= around[3] + reach
        and box[3] >= around[1] - reach
    )


def outline(block: Block) -> Box:
    """The box of the labels, drawn out over the small cells without labels that stand in the same strip, and under it down to the frame."""
    layout, around = block.layout, block.box
    reach, largest = 0.006 * layout.diagonal, _CELL * area_of(layout.box)
    small = [box for cell in layout.inside if area_of(box := layout.cells[cell]) < largest]
    strip = [box for box in small if box[1] >= around[1] - reach and box[3] <= around[3] + reach]
    for _ in range(3):
        for box in strip:
            if touches(box, around, reach):
                around = (min(around[0], box[0]), around[1], max(around[2], box[2]), around[3])
    foot = [box for box in small if box[0] >= around[0] - reach and box[2] <= around[2] + reach and box[1] < around[1]]
    for box in sorted(foot, key=lambda each: -each[3]):
        if touches(box, around, reach):
            around = (around[0], min(around[1], box[1]), around[2], around[3])
    return around
