"""The company by the lines around its name: over the labelled lines of a form, or beside its emblem.

Sources: the work sheet that KiCad comes with (company, then sheet, file, title, and size with
date and revision, each a line).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from spatial.knowledge.value_forms import COLONS, UNREAD, tidy
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.addresses import holds_address
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.printed import PrintedField

_FEWEST: Final = 3
"""Labelled lines of such a form that begin at one place."""
_STEP: Final = 2.5
"""Letter heights from the company's line to the first labelled one."""
_EVEN: Final = 0.95
"""Part of that line's lettering that the company's is as large as."""
_FLUSH: Final = 1.0
"""Letter heights between the beginnings of two lines."""


def over_labelled_lines(block: Block) -> FieldReading | None:
    """The name right over the lines of a form that begin at one place, each with its label and a colon, title and sheet among them."""
    # The path of the first sheet is "/", so that a colon ends no label there.
    lines = [label for label in block.labels if set(COLONS) & set(label.text)]
    first = max(lines, key=lambda line: line.middle[1], default=None)
    if first is None:
        return None
    flush = [line for line in lines if abs(line.box[0] - first.box[0]) < _FLUSH * first.height]
    if len(flush) < _FEWEST or not {"title", "sheet"} <= {line.wording.key for line in flush if line.wording}:
        return None
    over = [item for item in block.layout.items if _is_right_over(item, first)]
    if len(over) != 1 or not company.is_name(over) or holds_address(over[0].text) or UNREAD in over[0].text:
        return None
    return FieldReading("company", tidy(over[0].text), (over[0].source,), "typical place", True)


def _is_right_over(item: Item, line: Item) -> bool:
    flush = abs(item.box[0] - line.box[0]) < _FLUSH * line.height
    close = 0 < item.middle[1] - line.middle[1] < _STEP * line.height
    return item.wording is None and flush and close and item.height >= _EVEN * line.height


def beside_emblem(printed: Iterable[PrintedField]) -> tuple[FieldReading, PrintedField] | None:
    """The company whose legal form stands behind a word of its name, and the pair as which both were read: "Tarnow" | "TARNOW INC."."""
    found = [each for each in printed if values.is_company(each.value) and _begins(each.label, each.value)]
    if len(found) != 1:
        return None
    return FieldReading("company", tidy(found[0].value), found[0].sources, "typical place", True), found[0]


def _begins(word: str, name: str) -> bool:
    return _plain(name.split()) != _plain([word]) and _plain(name.split()[:1]) == _plain([word])


def _plain(words: Sequence[str]) -> str:
    return "".join(sign for word in words for sign in word.casefold() if sign.isalnum())
