"""Fields of a template that nobody filled in: in place of a value stand words of labels, in the lettering of values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES
from spatial.knowledge.value_forms import has_digit
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item

_LARGER: Final = 1.25
"""How much larger than what stands over it in its cell such a word is lettered."""
_NAMED: Final = frozenset({*ROLES, "company", "customer"})
"""Fields whose values are names of persons and companies."""
_FEWEST: Final = 2
"""Such words in a template."""
_ABBREVIATED: Final = re.compile(r"[^\W\d_a-z]{3,}\.")
_PARAMETER: Final = re.compile(r"=?[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?:\.[A-Za-z]+)?")
"""How parameters of a form are written: PCB_ENGINEER, or DWG_NO.Item for a part of one. Accounts of users are too: RFC_PLMIMP."""
_NUMBERS: Final = frozenset({"drawing_number", "part_number"})
"""Fields whose values have figures, which the names of their parameters have not."""


def without_placeholders(block: Block, found: Sequence[FieldReading]) -> list[FieldReading]:
    """`found` without what says what belongs in its place: parameters, FECHA1, and "SHEET" under "SHEET" where labels stand as values.

    An abbreviation with a full stop is no person where labels of the block are written so: PROC. beside REV., QTY. and APPR.
    """
    named = [
        reading
        for reading in found
        if not (reading.key in _NAMED and _names_field(reading.value))
        and not (reading.key in _NUMBERS and is_parameter_of_number(reading.value))
    ]
    if sum(_ABBREVIATED.fullmatch(label.text.strip()) is not None for label in block.labels) >= _FEWEST:
        named = [each for each in named if each.key not in ROLES or _ABBREVIATED.fullmatch(each.value) is None]
    if sum(_stands_as_value(block, label) for label in block.labels) < _FEWEST:
        return named
    return [reading for reading in named if not _is_placeholder(reading)]


def _names_field(text: str) -> bool:
    """Whether `text` says what belongs in its place: a parameter, FECHA1, "APPROVER NAME", "NOM SUPERVISEUR"."""
    first, *further = text.split() or [""]
    if not further:
        return _is_parameter(text) or title_labels.is_numbered(text)
    return any(
        title_labels.folded(word) in title_labels.PERSONS and title_labels.is_label(" ".join(rest))
        for word, rest in ((first, further), (further[-1], [first, *further[:-1]]))
    )


def _is_parameter(text: str) -> bool:
    """Whether `text` is the name of a parameter that is not filled in: one of its words names a field."""
    words = text.lstrip("=").split("_")
    return _PARAMETER.fullmatch(text) is not None and any(title_labels.read(word) is not None for word in words)


def is_parameter_of_number(text: str) -> bool:
    """Whether `text` is the name of a parameter that begins with the label of a number: DOC_NO_ASSY, and no number itself."""
    begin = title_labels.read(" ".join(text.lstrip("=").split("_")[:2]))
    return (
        _PARAMETER.fullmatch(text) is not None and not has_digit(text) and begin is not None and begin.key in _NUMBERS
    )


def _stands_as_value(block: Block, label: Item) -> bool:
    """Whether `label`, which names a field, stands in its cell under something that is lettered smaller."""
    word = label.wording
    if label.cell < 0 or word is None or word.value or word.colon or not word.is_field:
        return False
    return any(
        item.box[1] >= label.box[3] and item.height * _LARGER < label.height for item in block.layout.inside[label.cell]
    )


def _is_placeholder(reading: FieldReading) -> bool:
    """Whether a value is a label, or the word number, or of a person a text that ends with a label: "AUTHOR NAME"."""
    words = reading.value.split()
    said = words[-1] if reading.key in ROLES and len(words) > 1 else reading.value
    return title_labels.read(said) is not None or title_labels.folded(said) == "no"
