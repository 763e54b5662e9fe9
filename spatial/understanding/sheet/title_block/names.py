"""Names and numbers without a label, told by their lettering and their cells: which could be the title, and what stands under it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge.fields import can_be, is_distinctive
from spatial.knowledge.title_labels import is_of_number
from spatial.knowledge.value_forms import has_digit, tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.only_values import is_behind_label

LARGER: Final = 1.3
"""How much larger than the labels a title is lettered."""
_EVEN: Final = 0.99
"""Part of the largest lettering that is as large."""
_INITIALS: Final = re.compile(r"[^\W\d_a-z]{2,4}")
"""Capital letters that are an organization's initials rather than a name of a part: BME."""
_LIST_ROWS: Final = 4
"""Rows of one size that make a list."""
_ACROSS: Final = 6
"""Cells of a row of a list that is written across."""
_TABLE: Final = 3
"""Rows and columns of any table."""
_ALIKE, _EVEN_ROWS = 0.5, 0.1
"""Part by which the lettering of its rows may differ, and by which their heights may."""
_LONG_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_CODE: Final = re.compile(r"[A-Z\d]+(?:-[A-Z\d]+){3,}")
_SPELLED: Final = 3
"""Letters to each figure of a name that is written as one word."""
LABELLED: Final = re.compile(r"[^\W\d_][^:\uff1a\d]{0,24}[:\uff1a]\s*\S")
"""A label of any language, a colon and its value."""


def under_title(block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading]) -> Iterator[FieldReading]:
    """An assigned number alone in a cell as wide as a name right over it: the drawing's, or the part's where the drawing has its own."""
    valued = {reading.key for reading in known}
    labels = [label.wording for label in field_labels(block) if label.wording and not label.wording.weak]
    key = "part_number" if "drawing_number" in valued else "drawing_number"
    if key in valued or any(word.key == key for word in labels):
        return
    layout, slack = block.layout, 0.004 * block.layout.diagonal
    names = [items for items in free if could_be_title(items)]
    titles = [layout.cells[items[0].cell] for items in names] + [
        layout.cells[item.cell]
        for item in layout.items
        if item.cell >= 0 and any(each.key == "title" and item.source in each.sources for each in known)
    ]
    found = [
        items
        for items in free
        if values.is_assigned(tidy(joined(items)))
        and not is_behind_label(layout, items[0].cell)
        and any(_is_under(layout.cells[items[0].cell], title, slack) for title in titles)
    ]
    if len(found) == 1:
        yield FieldReading(key, tidy(joined(found[0])), sources(found[0]), "typical place", True)


def before_sheet(block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading]) -> Iterator[FieldReading]:
    """The title over a row of number, edition and sheet (ISO 7200 as Inventor draws it), and the number, neither with a label."""
    layout, slack = block.layout, 0.004 * block.layout.diagonal
    labels = [label for label in field_labels(block) if label.cell >= 0 and label.wording is not None]
    keys = {label.wording.key for label in labels if label.wording} | {reading.key for reading in known}
    row = {
        label.wording.key: layout.cells[label.cell]
        for label in labels
        if label.wording and label.wording.key in ("revision", "sheet")
    }
    if "drawing_number" in keys or len(row) != 2 or not _are_side_by_side(row["revision"], row["sheet"], slack):
        return
    for items in free:
        own, text = layout.cells[items[0].cell], tidy(joined(items))
        over = (own[0], own[3], row["sheet"][2])
        wide = [
            box
            for box in layout.cells
            if max(abs(box[0] - over[0]), abs(box[1] - over[1]), abs(box[2] - over[2])) <= slack
        ]
        if not wide or not _are_side_by_side(own, row["revision"], slack):
            continue
        # Words there are the name of a file, a department or a title once more.
        if has_digit(text) and can_be("drawing_number", text):
            yield FieldReading("drawing_number", text, sources(items), "typical place", True)
        yield from _owner_beside(layout, free, own, wide, keys, slack)
        titles = [each for each in free if layout.cells[each[0].cell] in wide and could_be_title(each)]
        if "title" not in keys and titles:
            yield FieldReading("title", tidy(joined(titles[0])), sources(titles[0]), "typical place")
        return


def _owner_beside(
    layout: Layout,
    free: Sequence[Sequence[Item]],
    number: Box,
    titles: Sequence[Box],
    keys: Collection[str],
    slack: float,
) -> Iterator[FieldReading]:
    """The only name in the cell left of title and number, as high as both together: the legal owner's (ISO 7200)."""
    top = max(box[3] for box in titles)
    found = [
        items
        for items in free
        if company.is_name(items)
        and len(rows(items)) == 1
        and _are_side_by_side(layout.cells[items[0].cell], (*number[:3], top), slack)
    ]
    if "company" not in keys and len(found) == 1:
        yield FieldReading("company", company.name_of(found[0]), sources(found[0]), "typical place", True)


def _are_side_by_side(left: Box, right: Box, slack: float) -> bool:
    """Whether two cells of one row touch."""
    return max(abs(left[2] - right[0]), abs(left[1] - right[1]), abs(left[3] - right[3])) <= slack


def _is_under(cell: Box, over: Box, slack: float) -> bool:
    """Whether a cell stands right under another one of the same width."""
    return max(abs(cell[0] - over[0]), abs(cell[2] - over[2]), abs(cell[3] - over[1])) <= slack


def could_be_title(items: Sequence[Item]) -> bool:
    """Whether a cell says what a title could say: words that are no number, no labelled value."""
    text = tidy(joined(items))
    named = can_be("title", text) and LABELLED.match(text) is None and company.INITIALS.fullmatch(text) is None
    return (
        named
        and not (is_of_number(text) or is_code(text))
        and not has_digit(text[:1])
        and not is_distinctive("drawing_number", text)
    )


def by_prominence(block: Block, free: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """`free`, the largest lettering first; of the largest, the text that stands more than once, words before initials, the higher cell."""
    texts = Counter(tidy(joined(items)) for items in free)
    ranked = sorted(free, key=lambda items: -max(item.height for item in items))
    tallest = max((item.height for items in free for item in items), default=0.0)
    count = sum(max(item.height for item in items) > _EVEN * tallest for items in ranked)
    first = sorted(
        ranked[:count],
        key=lambda items: (
            -texts[tidy(joined(items))],
            _INITIALS.fullmatch(joined(items).strip()) is not None,
            -_rise(block.layout.cells[items[0].cell]),
        ),
    )
    return [*first, *ranked[count:]]


def _rise(box: Box) -> float:
    return box[3] - box[1]


def is_labelled_value(items: Sequence[Item], usual: float) -> bool:
    """Whether a cell holds a line lettered as labels are over a larger one: a label of no known word and its value."""
    lines = rows(items)
    head = max(item.height for item in lines[0])
    return len(lines) > 1 and head < LARGER * usual and head * LARGER < min(item.height for item in lines[1])


def is_in_list(layout: Layout, items: Sequence[Item]) -> bool:
    """Whether the cell of `items` is one of four of one size under one another, or of three in a row of three: a list names no drawing.

    A list across the sheet has two rows of many: the pins of a connector over their names.
    """
    if len(items) > 1:
        return False
    column, row = (_run_of_cells(layout, items[0], axis) for axis in (1, 0))
    return column >= _LIST_ROWS or (column >= _TABLE and row >= _TABLE) or (column > 1 and row >= _ACROSS)


def _run_of_cells(layout: Layout, item: Item, axis: int) -> int:
    """How many cells with a line each touch that of `item` along `axis`, lettered alike; in a column, rows of one height."""
    own, slack, other = layout.cells[item.cell], 0.004 * layout.diagonal, 1 - axis
    line = [
        layout.cells[cell]
        for cell, inside in layout.inside.items()
        if max(abs(layout.cells[cell][other] - own[other]), abs(layout.cells[cell][other + 2] - own[other + 2])) < slack
        and len(inside) == 1
        and abs(inside[0].height - item.height) < _ALIKE * item.height
    ]
    return 1 + sum(_steps(line, own, axis, side, slack) for side in (0, 2))


def _steps(line: Sequence[Box], own: Box, axis: int, side: int, slack: float) -> int:
    """How many of `line` follow one another from `own` to that side: in a column those as high as the first."""
    edge, first = own[axis + side], 0.0
    left = [box for box in line if box != own]
    others = len(left)
    while following := next((box for box in left if abs(box[axis + 2 - side] - edge) < slack), None):
        first = first or _rise(following)
        if axis and abs(_rise(following) - first) > _EVEN_ROWS * first:
            break
        edge = following[axis + side]
        left.remove(following)
    return others - len(left)


def is_code(text: str) -> bool:
    """Whether a text is four groups of capitals or more that dashes join, no two of them words: FD-KL-ASM-SUB-PCB."""
    return _CODE.fullmatch(text) is not None and not is_spelled(text)


def is_spelled(text: str) -> bool:
    """Whether a text of one piece consists of words rather than of figures: "60_Lower_Housing"."""
    letters, figures = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return len(_LONG_WORD.findall(text)) > 1 and letters > _SPELLED * figures
