"""The value of a label among the lettering that stands nearest to it: as its form tells, and as its own cell alone tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.fields import ROLES, can_be
from spatial.knowledge.value_forms import NOT_APPLICABLE, STANDS_ELSEWHERE, tidy
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.addresses import is_address_alone
from spatial.understanding.sheet.title_block.best_value import NUMBERS, best, name_over_number
from spatial.understanding.sheet.title_block.field_reading import Evidence, FieldReading
from spatial.understanding.sheet.title_block.items import (
    Item,
    before_statement,
    joined,
    rows,
    sources,
)
from spatial.understanding.sheet.title_block.label_cells import (
    is_count,
    is_lettered_as,
    is_ruled,
    label_count,
)
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.nearest_items import LINE_STEP

_OWNERS: Final = frozenset({"company", "customer"})
_FIGURES: Final = 3
"""Fewest figures of a number that is a title."""
_MARK: Final = re.compile(r"[A-Z]{1,3}-\d{1,2}")
"""The mark of a part that has no name: A-6."""


def own_value(label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """The value among the items that stand nearest to `label`."""
    wording = label.wording
    if wording is None or wording.key in ROLES or not given:
        return []
    below = [item for item in given if item.box[1] < label.box[3]]
    own = before_statement(below or given) if wording.key == "title" else below or given
    if wording.key == "title" and not wording.weak and label.cell >= 0 and _is_letter(own):
        return [
            FieldReading("title", own[0].text.strip(), (label.source, own[0].source), "cell label", order=label.order)
        ]
    if wording.key in _OWNERS:
        own = _over_address(own)
    value, used = best(wording.key, own if wording.key == "tolerances" else _without_second_line(label, own))
    if not value or (wording.key == "tolerances" and is_address_alone(value)):
        return []
    if wording.key == "sheet" and is_count(label) and not values.is_sheet_of_several(value):
        return []
    if label.cell >= 0:
        evidence: Evidence = "cell label"
    else:
        evidence = "label left" if used[0].middle[1] > label.box[1] else "label above"
    found = FieldReading(wording.key, value, (label.source, *sources(used)), evidence, wording.weak, label.order)
    named = name_over_number(own)[0] if wording.key in NUMBERS and label.cell >= 0 else ()
    return [found, *([FieldReading("title", tidy(joined(named)), sources(named), "label above")] if named else [])]


def _over_address(items: Sequence[Item]) -> Sequence[Item]:
    """The lines of a name over its address, where its legal form ends them: "Tarnow" and "Ltd." over street and town."""
    lines = rows(items)
    named = company.reading(items) if len(lines) > 1 else None
    names = (lines[:count] for count in range(1, len(lines)))
    own = next((name for name in names if named is not None and tidy(" ".join(map(joined, name))) == named.value), None)
    return [item for line in own for item in line] if own is not None else items


def _is_letter(items: Sequence[Item]) -> bool:
    """Whether one letter is all that stands there: the name of a part after its shape or its axis, "U"."""
    text = items[0].text.strip()
    return len(items) == 1 and len(text) == 1 and text.isalpha()


def _without_second_line(label: Item, given: Sequence[Item]) -> list[Item]:
    """`given` without the second line of the label, where the value stands beside both: "Materials" over "Required"."""
    beside = [item for item in given if item.box[0] > label.box[2]]
    second = [
        item
        for item in given
        if abs(item.box[0] - label.box[0]) < 0.5 * label.height
        and is_lettered_as(item, label)
        and 0 < label.middle[1] - item.middle[1] < LINE_STEP * label.height
    ]
    level = [item for item in beside if second and second[0].middle[1] <= item.middle[1] <= label.middle[1]]
    return [item for item in given if item not in second] if level else list(given)


def words_as_number(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """A drawing number of words, as CATIA fills in a part's name: only from the label's own cell."""
    wording = label.wording
    if wording is None or wording.key != "drawing_number" or wording.weak or not given or not is_ruled(layout, label):
        return []
    text = tidy(joined(given))
    counted = values.is_one_of_several(text) and _has_label_of_sheet(layout)
    if label_count(layout, label.cell) > 1 or len(text.split()) > 6 or not (counted or can_be("title", text)):
        return []
    return [FieldReading("drawing_number", text, (label.source, *sources(given)), "cell label", True, label.order)]


def _has_label_of_sheet(layout: Layout) -> bool:
    """Whether a ruled label names the sheet, so that "2 OF 4" under another label counts drawings."""
    return any(
        label.cell >= 0 and label.wording is not None and label.wording.key == "sheet" for label in layout.labels
    )


def number_as_title(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """A title that is a number, as parts without a name have it: only from the label's own cell, under it."""
    wording = label.wording
    if wording is None or wording.key != "title" or wording.weak or len(given) != 1 or not is_ruled(layout, label):
        return []
    text = tidy(given[0].text)
    under = given[0].box[1] < label.box[1] and label_count(layout, label.cell) == 1
    figures = sum(map(str.isdigit, text)) >= _FIGURES or _MARK.fullmatch(text) is not None
    told = under and figures and can_be("drawing_number", text)
    if not told or values.form_of(text) is not None:
        return []
    return [FieldReading("title", text, (label.source, given[0].source), "cell label", True, label.order)]


def stated_elsewhere(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """What the own cell of a number says where it has none: that it stands elsewhere ("SEE NOTES"), or does not apply ("N/A")."""
    wording = label.wording
    if wording is None or wording.key not in NUMBERS or wording.weak or not is_ruled(layout, label):
        return []
    text = tidy(joined(given))
    told = STANDS_ELSEWHERE.fullmatch(text) or NOT_APPLICABLE.fullmatch(text)
    if not told or label_count(layout, label.cell) > 1:
        return []
    return [FieldReading(wording.key, text, (label.source, *sources(given)), "cell label", True, label.order)]
