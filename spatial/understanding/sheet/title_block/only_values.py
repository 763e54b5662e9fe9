"""Values that stand alone in a cell of a block and that only one cell of it has: the date, the sheet of several."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge.value_forms import has_digit, has_letter, tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import is_under_changes
from spatial.understanding.sheet.title_block.items import Item, is_label_alone, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout

_AS_LARGE: Final = 0.95
"""Height of the line over a date, as a part of its own, that is no label of it."""
_FIGURES: Final = 3
"""Of a number that no label names."""
_APART: Final = 3.0
"""Letter heights from a label to its value on one line, more than between two words."""
_ALIKE: Final = 0.1
"""Of the height of a label's line, by which the line over it may be lettered otherwise."""
_ONE_ROW: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one row."""
_ABBREVIATION: Final = re.compile(r"^[^\W\d_]{1,3}\.\s+(?=\d)")
"""Of the word for a sheet, before its number."""


def only_date(block: Block, free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """The only full date in the cells of a block that has no label of a date: alone in one, or a line of one with a town over it."""
    if "date" in known:
        return
    found = [
        date
        for items in free
        for date in [_behind_word(items)]
        if values.is_full_date(tidy(joined(date)))
        and not _has_line_of_date(date)
        and not is_under_changes(block, date[0])
    ]
    dates = [
        item for item in block.layout.items if item.cell >= 0 and block.holds(item) and values.is_full_date(item.text)
    ]
    if not found and len(dates) == 1:
        lines = [(over[0], row) for items in free for over, row in pairwise(rows(items)) if row == dates]
        # Smaller lettering over it is a label of no known word: the date may be of something else.
        found = [row for over, row in lines if over.height > _AS_LARGE * row[0].height]
    if len(found) == 1:
        yield FieldReading("date", tidy(joined(found[0])), sources(found[0]), "typical place")


def _behind_word(items: Sequence[Item]) -> Sequence[Item]:
    """The full date that stands far behind one word in its line, without it: the word is a label."""
    line = sorted(items, key=lambda item: item.box[0])
    is_apart = len(line) == len(rows(items)[0]) == 2 and line[1].box[0] - line[0].box[2] > _APART * line[1].height
    return line[1:] if is_apart and values.is_full_date(line[1].text) and not has_digit(line[0].text) else items


def _has_line_of_date(items: Sequence[Item]) -> bool:
    """Whether one of several lines is a date by itself: a town over it is no day of the week."""
    lines = rows(items)
    return len(lines) > 1 and any(values.is_full_date(tidy(joined(line))) for line in lines)


def only_number(block: Block, free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """The only number as companies assign them in the cells of a block that no label says is its own: each sheet has one (ISO 7200, 5.2).

    known: keys that are read, or that a label names.
    """
    if {"drawing_number", "part_number"} & set(known):
        return
    found = [items for items in free if _is_number(tidy(joined(items)))]
    if len(found) == 1 and not is_behind_label(block.layout, found[0][0].cell):
        yield FieldReading("drawing_number", tidy(joined(found[0])), sources(found[0]), "typical place", True)


def is_behind_label(layout: Layout, cell: int) -> bool:
    """Whether the cell right before `cell`, as high, holds nothing but labels, or words with a colon: one of whatever it may be.

    "Factory" over the label "Code" is one, with a word before it that no vocabulary has.
    """
    own, slack = layout.cells[cell], _ONE_ROW * layout.diagonal
    return any(
        (is_label_alone(items) or _is_label(items))
        for other, items in layout.inside.items()
        for box in [layout.cells[other]]
        if max(abs(box[2] - own[0]), abs(box[1] - own[1]), abs(box[3] - own[3])) < slack
    )


def _is_label(items: Sequence[Item]) -> bool:
    """Whether the last line is a label without its value, and those over it are labels or words lettered as it."""
    *over, last = [item for line in rows(items) for item in line]
    return (
        last.wording is not None
        and not last.wording.value
        and all(
            not item.wording.value
            if item.wording
            else not has_digit(item.text) and abs(item.height - last.height) < _ALIKE * last.height
            for item in over
        )
    )


def _is_number(text: str) -> bool:
    """Whether a word of capital letters and three figures at least could be a company's number: 17.5µm is a size, 11-CPU a name."""
    is_word = text.isascii() and text == text.upper() and len(text.split()) == 1
    is_number = values.is_assigned(text) or (has_letter(text) and values.is_document_number(text))
    return is_word and is_number and sum(map(str.isdigit, text)) >= _FIGURES


def sheet_of_several(free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """ "1 / 2", or "P. 1 of 2", alone in a cell of a block that states its scale elsewhere."""
    texts = [(_ABBREVIATION.sub("", tidy(joined(items))), items) for items in free]
    found = [(text, items) for text, items in texts if values.is_one_of_several(text)]
    if "scale" in known and "sheet" not in known and len(found) == 1:
        yield FieldReading("sheet", found[0][0], sources(found[0][1]), "typical place")
