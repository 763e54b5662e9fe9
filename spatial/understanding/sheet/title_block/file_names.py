"""The name of the drawing's file as its number: in a block that has no field for a number it is what the drawing is found by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spatial.knowledge.fields import can_be
from spatial.knowledge.title_labels import FILE_NAMES, folded
from spatial.knowledge.value_forms import has_digit, tidy
from spatial.understanding.sheet.title_block.best_value import NUMBERS
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item


def as_number(found: Sequence[FieldReading], block: Block, given: Mapping[int, Sequence[Item]]) -> list[FieldReading]:
    """`found`, the name of the file as the number where no label of `block` names one.

    given: what stands nearest to each label.
    """
    files = [label for label in block.labels if folded(label.text) in FILE_NAMES]
    named = {label.wording.key for label in block.labels if label.wording is not None and label not in files}
    if len(files) != 1 or named & NUMBERS:
        return list(found)
    label, items = files[0], given.get(id(files[0]), ())
    name = tidy(items[0].text) if len(items) == 1 else ""
    if not _is_number(name):
        return list(found)
    number = FieldReading("drawing_number", name, (label.source, items[0].source), "cell label", True, label.order)
    return [*(each for each in found if each.sources[0] != label.source), number]


def _is_number(name: str) -> bool:
    """Whether a name is one word with figures."""
    return len(name.split()) == 1 and has_digit(name) and can_be("drawing_number", name)
