"""The title over labelled lines: the line right over a block without rules, or the first line of a cell that goes on with fields."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.names import LABELLED

_DROP: Final = 2.0
"""Letter heights between the title and the uppermost labelled line."""
_SIDE: Final = 1.5
"""Letter heights between the sides of the title and of the labelled lines, at the left or at the right."""
_EVEN: Final = 0.95
"""Part of the largest labelled line that the title is lettered as large as."""
_LONGEST: Final = 12
"""Words."""
_HEADS, _FEWEST = 2, 2
"""Lines without a label over the lines of fields in a cell, at most, and those lines, at least."""


def title_over(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The only line of words right over the lines of a block in open space, aligned with them and lettered no smaller."""
    if "title" in known or any(label.cell >= 0 for label in block.labels):
        return
    tallest = max(label.height for label in block.labels)
    found = [item for item in block.layout.items if _is_over(item, block, tallest)]
    if len(found) == 1 and _could_be_title(found[0]):
        yield FieldReading("title", tidy(found[0].text), (found[0].source,), "typical place", True)


def title_of_cell(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The first line of the only cell that goes on with lines of fields, all in one lettering, where the company is told elsewhere.

    A second line without a label says for whom it is or what it belongs to.
    """
    if "title" in known or "company" not in known:
        return
    found = [
        first
        for items in block.layout.inside.values()
        if any(block.holds(item) for item in items) and (first := _first_over_fields(items)) is not None
    ]
    if len(found) == 1 and _could_be_title(found[0]):
        yield FieldReading("title", tidy(found[0].text), (found[0].source,), "typical place", True)


def _first_over_fields(items: Sequence[Item]) -> Item | None:
    """The uppermost line of a cell, under which one more without a label may stand, and then lines with a label and a value each."""
    lines = sorted(items, key=lambda item: -item.middle[1])
    first = lines[0]
    is_even = all(
        abs(item.box[0] - first.box[0]) < 0.5 * first.height and abs(item.height - first.height) < 0.05 * first.height
        for item in lines
    )
    heads = len(list(takewhile(lambda item: item.wording is None, lines)))
    stated = [
        item for item in lines[heads:] if item.wording is not None and item.wording.is_field and item.wording.value
    ]
    is_form = 1 <= heads <= _HEADS and len(stated) == len(lines) - heads >= _FEWEST
    return first if is_form and is_even else None


def _is_over(item: Item, block: Block, tallest: float) -> bool:
    left, _, right, top = block.box
    aligned = min(abs(item.box[0] - left), abs(item.box[2] - right)) < _SIDE * item.height
    close = -0.2 * item.height < item.box[1] - top < _DROP * item.height
    return item.cell < 0 and item.wording is None and aligned and close and item.height >= _EVEN * tallest


def _could_be_title(item: Item) -> bool:
    text = tidy(item.text)
    return can_be("title", text) and LABELLED.match(text) is None and 1 < len(text.split()) <= _LONGEST
