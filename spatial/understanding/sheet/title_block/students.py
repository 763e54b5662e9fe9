"""Who drew the exercise of a school: a name with the number that the student is registered under, in one cell or in two side by side."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.value_forms import has_digit, tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, sources

_SCHOOL: Final = re.compile(rf"\b{alternatives('school')}\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[A-Za-z]?\d{6,10}|\d{4}-\d{4,6}")
_NAME: Final = r"[^\W\d_][^\W\d_.'\u2019-]*\.?(?: [^\W\d_][^\W\d_.'\u2019-]*\.?){1,3}"
_NUMBERED: Final = re.compile(rf"{_NAME} (?:{_NUMBER.pattern})")
_BETWEEN: Final = re.compile(r"\s*[&,;/]\s*")
_EDGE: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one row."""


def readings(
    block: Block, free: Sequence[Sequence[Item]], known: Collection[str], found: Sequence[FieldReading]
) -> Iterator[FieldReading]:
    """The only names in the cells `free` of labels that registered numbers stand behind or beside, on the sheet of a school.

    known: keys that are read or have a label. found: what is read, the school among it.
    """
    if "drawn_by" in known or not any(each.key == "company" and _SCHOOL.search(each.value) for each in found):
        return
    told = [items for items in free if _is_numbered(tidy(joined(items))) or _is_beside_number(block, items)]
    if len(told) == 1:
        yield FieldReading("drawn_by", tidy(joined(told[0])), sources(told[0]), "typical place", True)


def is_of_student(owner: str, number: str) -> bool:
    """Whether `number` has the form of one that the school `owner` registers its students under, and of no drawing's: figures alone."""
    return _SCHOOL.search(owner) is not None and number.isdecimal() and _NUMBER.fullmatch(number) is not None


def _is_numbered(text: str) -> bool:
    return all(_NUMBERED.fullmatch(part) for part in _BETWEEN.split(text))


def _is_beside_number(block: Block, items: Sequence[Item]) -> bool:
    """Whether a name stands alone in a cell beside one that holds such a number alone."""
    text, layout = tidy(joined(items)), block.layout
    words = [word for word in text.split() if word[:1].isupper()]
    if has_digit(text) or len(words) < 2 or re.fullmatch(_NAME, text) is None or not can_be("drawn_by", text):
        return False
    own, slack = layout.cells[items[0].cell], _EDGE * layout.diagonal
    return any(
        len(lettering) == 1
        and _NUMBER.fullmatch(lettering[0].text.strip()) is not None
        and max(abs(box[1] - own[1]), abs(box[3] - own[3])) < slack
        and min(abs(box[2] - own[0]), abs(box[0] - own[2])) < slack
        for cell, lettering in layout.inside.items()
        for box in (layout.cells[cell],)
    )
