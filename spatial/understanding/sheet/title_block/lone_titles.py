"""The title of a sheet without a block: the heading over its views, or the line under them, in lettering larger than all else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice
from spatial.knowledge.value_forms import has_digit, tidy
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.addresses import is_address
from spatial.understanding.sheet.title_block.blocks import SMALL_CELL
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.label_cells import is_flush_with
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.names import LABELLED
from spatial.understanding.sheet.title_block.open_statements import tolerances_of, unit_of

_LARGER: Final = 1.25
"""How much larger than all other lettering of the sheet a title without a block is lettered."""
_ALIKE: Final = 0.9
"""Part of the largest lettering that the pieces of one title are lettered as large as."""
_LINES: Final = 2
"""Lines of such a title."""
_APART, _STEP = 2.0, 2.2
"""Letter heights between two pieces of its line, and from one line to the next."""
_CUT_LINES: Final = 5
"""Most lines on a sheet of a part that is cut out."""
_MARKED_NUMBER: Final = re.compile(r"#\s?[\w-]*\d[\w-]*")
_LONGEST: Final = 12
"""Words."""
_SIZES: Final = 2
"""Fewest numbers that stand alone on a sheet with views: its sizes."""
_UNIT: Final = re.compile(r"(?<=\d)\s?(?:mm|cm|in)(?![^\W\d_])", re.IGNORECASE)
"""Behind a size, where each has its own."""
_LACKS_NUMBER: Final = re.compile(r"[mc]m\b", re.IGNORECASE)
"""How a line begins whose number is not read: it says what the part is made of, and what it says is not known."""
_WORD: Final = re.compile(r"[^\W\d_]{4}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_OF_VIEW: Final = re.compile(
    rf"\b{alternatives('view_name')}\b|\b([A-Z])\s?[-\u2013]\s?\1\b|\d\s*[:\uff1a]\s*\d", re.IGNORECASE
)
"""What the name of a view has: "Front view", "A-A", the scale of a detail."""


def readings(layout: Layout) -> list[FieldReading]:
    """The title of a sheet that has no block, and the unit and the list of tolerances that it states in open space."""
    open_ = [item for item in layout.items if item.cell < 0]
    if cut := _of_cut_part(layout):
        return cut
    stated = tolerances_of([label for label in layout.labels if label.cell < 0], open_)
    return [*_headings(layout), *unit_of(layout.labels), *_owner(layout), *stated, *_material(layout, open_)]


def _of_cut_part(layout: Layout) -> list[FieldReading]:
    """Number and material on a sheet with nothing but a few lines in one place: the marking that a part cut from sheet goes by.

    It has neither sizes nor a form, for the outline is cut as it is drawn; the number is one as companies assign them, or marked as one.
    """
    lines = layout.items
    if not 2 <= len(lines) <= _CUT_LINES or layout.aside or layout.slanted or any(item.cell >= 0 for item in lines):
        return []
    first = lines[0]
    if not all(is_flush_with(item, first) for item in lines):
        return []
    materials = [item for item in lines if values.is_material(item.text.strip())]
    numbers = [item for item in lines if item not in materials and _is_numbering(item.text.strip())]
    if len(numbers) != 1 or len(materials) != 1:
        return []
    return [
        FieldReading("part_number", numbers[0].text.strip(), (numbers[0].source,), "typical place", True),
        FieldReading("material", materials[0].text.strip(), (materials[0].source,), "typical place", True),
    ]


def _is_numbering(text: str) -> bool:
    return _MARKED_NUMBER.fullmatch(text) is not None or values.is_assigned(text)


def _material(layout: Layout, open_: Sequence[Item]) -> list[FieldReading]:
    """The material that a single line states behind its label, or the only line of a list of statements without one.

    "Material: brass"; "Brass" under "Company: Tarnow".
    """
    if labelled := _labelled_material(layout):
        return [labelled]
    stating = [item for item in open_ if _states(item)]
    named = [
        item
        for item in (open_ if stating else ())
        if item.wording is None
        and any(_follows(item, other) for other in stating)
        and values.is_material(item.text.strip())
    ]
    if len(named) != 1:
        return []
    return [FieldReading("material", named[0].text.strip(), (named[0].source,), "typical place", True)]


def _labelled_material(layout: Layout) -> FieldReading | None:
    labelled = [item for item in layout.labels if item.wording is not None and item.wording.key == "material"]
    word = labelled[0].wording if len(labelled) == 1 else None
    if word is None or word.weak or labelled[0].cell >= 0 or not _states(labelled[0]):
        return None
    value = word.value.strip()
    return FieldReading("material", value, (labelled[0].source,), "label left") if values.is_material(value) else None


def _states(item: Item) -> bool:
    """Whether a line is a label of a field, a colon and its value."""
    word = item.wording
    return word is not None and word.is_field and word.colon and bool(word.value)


def _follows(item: Item, other: Item) -> bool:
    """Whether a line stands flush right under or over another, lettered alike."""
    return is_flush_with(item, other) and abs(item.middle[1] - other.middle[1]) < _STEP * item.height


def _owner(layout: Layout) -> list[FieldReading]:
    """The company that the only line with its label and a colon names: "Firma: Tarnow"."""
    found = [
        (word.value, label)
        for label in layout.labels
        if (word := label.wording) is not None and word.key == "company" and not word.weak and word.colon
    ]
    if len(found) != 1 or not can_be("company", found[0][0]):
        return []
    return [FieldReading("company", found[0][0], (found[0][1].source,), "cell label", True)]


def _headings(layout: Layout) -> list[FieldReading]:
    """The title, where one line of words, or two, stands over or under all other lettering and is larger than it."""
    # The address of the firm may be lettered larger than the title.
    everything = [item for item in (*layout.items, *layout.aside) if not is_address(item.text.strip())]
    tallest = max((item.height for item in everything), default=0.0)
    large = [item for item in everything if item.height > _ALIKE * tallest and item.angle == 0]
    ours = set(map(id, large))
    rest = [item for item in everything if id(item) not in ours]
    others = [(item.text, item.height) for item in rest] + [(text.text, text.height) for text in layout.slanted]
    if tallest < _LARGER * max((height for _, height in others), default=0.0):
        return []
    if sum(_is_size(text) for text, _ in others) < _SIZES:
        return []
    text = tidy(joined(large))
    if not (_is_together(rows(large)) and _is_in_the_open(layout, large) and _is_outermost(large, rest)):
        return []
    return list(_title(text, large))


def _title(text: str, items: Sequence[Item]) -> Iterator[FieldReading]:
    named = can_be("title", text) and _WORD.search(text) is not None and len(text.split()) <= _LONGEST
    other = LABELLED.match(text) or _OF_VIEW.search(text) or is_notice(text) or is_address(text)
    is_partly_read = any(_LACKS_NUMBER.match(item.text) for item in items)
    if named and not (other or is_partly_read or values.is_company(text) or any(item.wording for item in items)):
        yield FieldReading("title", text, sources(items), "typical place", True)


def _is_size(text: str) -> bool:
    """Whether a text is a number with what belongs to a size at most: 12,5, ⌀4, R10, 40.00 mm."""
    return has_digit(text) and sum(sign.isalpha() for sign in _UNIT.sub("", text)) <= 1


def _is_together(lines: Sequence[Sequence[Item]]) -> bool:
    """Whether the pieces of each line stand a space apart, and the lines right under one another."""
    if not 1 <= len(lines) <= _LINES:
        return False
    close = all(
        after.box[0] - before.box[2] < _APART * after.height for line in lines for before, after in pairwise(line)
    )
    drop = lines[0][0].middle[1] - lines[-1][0].middle[1]
    return close and drop < _STEP * lines[0][0].height


def _is_in_the_open(layout: Layout, items: Sequence[Item]) -> bool:
    """Whether no small cell holds them: what stands in a form is a value of it."""
    largest = SMALL_CELL * area_of(layout.box)
    return all(item.cell < 0 or area_of(layout.cells[item.cell]) > largest for item in items)


def _is_outermost(large: Sequence[Item], rest: Sequence[Item]) -> bool:
    """Whether all other lettering stands lower than they do, or all of it higher."""
    low, high = min(item.box[1] for item in large), max(item.box[3] for item in large)
    return all(item.middle[1] < low for item in rest) or all(item.middle[1] > high for item in rest)
