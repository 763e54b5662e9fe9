"""Labels of fields, told from the headings of columns: "Name | Signature | Date" over the rows of the roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from spatial.knowledge import table_headers
from spatial.knowledge.fields import ROLES
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.title_labels import HEADER, OTHER
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.items import Item, joined, rows
from spatial.understanding.sheet.title_block.label_cells import FEW, label_count
from spatial.understanding.sheet.title_block.layout import Layout

_OF_A_TABLE: Final = 6
"""Times that a word stands in a block that is no label but a table's: `to` between the bounds of ranges."""
_OF_A_LIST: Final = frozenset({"quantity", "remark"})
"""Columns that lists have and forms hardly do."""
_OF_A_THING: Final = frozenset({"drawing_number", "part_number", "material", "scale"})
_PARTS_COLUMNS: Final = 3
"""Fewest columns of a parts list."""
_LIST_ROWS: Final = 3
"""Rows of values under a heading that make a list."""
SIDE: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells that touch or are of one column."""
_CHANGES: Final = re.compile(alternatives("change_heading"), re.IGNORECASE)


def field_labels(block: Block) -> list[Item]:
    """The labels of `block` that name a field, without the headings of columns and the words of a table's cells."""
    headings = {id(item) for item in _headings(block)}
    headings |= {id(label) for label in block.labels if _is_day_of_change(block.layout, label)}
    often = Counter(label.text.strip().casefold() for label in block.labels)
    return [
        label
        for label in block.labels
        if label.wording
        and label.wording.key not in (OTHER, HEADER)
        and id(label) not in headings
        and often[label.text.strip().casefold()] < _OF_A_TABLE
    ]


def _is_day_of_change(layout: Layout, label: Item) -> bool:
    """Whether "Date" heads a cell beside one, as high, that what was changed heads: a history whose rows are not ruled."""
    if label.cell < 0 or label.wording is None or label.wording.key != "date" or label.wording.value:
        return False
    own, slack = layout.cells[label.cell], SIDE * layout.diagonal
    return any(
        max(abs(box[1] - own[1]), abs(box[3] - own[3])) < slack
        and min(abs(box[0] - own[2]), abs(box[2] - own[0])) < slack
        and len(lines := rows(items)) > 1
        and abs(lines[0][0].middle[1] - label.middle[1]) < label.height
        and "change" in table_headers.concepts(joined(lines[0]))
        for cell, items in layout.inside.items()
        for box in (layout.cells[cell],)
    )


def is_under_changes(block: Block, item: Item) -> bool:
    """Whether `item` stands under the heading of dates in the row of headings of a table of changes: it is the day of a change."""
    if item.cell < 0:
        return False
    heads = list(_headings(block))
    own, slack = block.layout.cells[item.cell], SIDE * block.layout.diagonal
    level = [head.middle[1] for head in heads if head.wording and head.wording.key == "revision"]
    return any(
        head.wording is not None
        and head.wording.key == "date"
        and head.cell >= 0
        and any(abs(head.middle[1] - row) < head.height for row in level)
        and max(abs(own[0] - box[0]), abs(own[2] - box[2])) < slack
        and own[3] < box[1] + slack
        for head in heads
        for box in (block.layout.cells[head.cell],)
    )


def _headings(block: Block) -> Iterator[Item]:
    """Labels that stand side by side as heads of columns: of the roles' matrix, or of an empty revision table."""
    bare = [label for label in block.labels if label.wording and not label.wording.value]
    for row in rows(bare):
        if len(heads := [label for label in row if _heads_list(block.layout, label)]) >= _PARTS_COLUMNS:
            yield from heads
        for run in _runs(block.layout, row):
            keys = {label.wording.key for label in run if label.wording}
            words = " ".join(label.text for label in run)
            names = any(label.wording and label.wording.key == "title" and label.wording.weak for label in run)
            matrix = HEADER in keys and len(run) >= 2 and not keys & ROLES
            if matrix or (names and "date" in keys):
                # The title's own label may stand level with the headings of the roles.
                yield from (label for label in run if not _filled(block.layout, label) and not _is_of_title(label))
            elif _heads_parts(run) or (
                len(run) >= 3 and _CHANGES.search(words) and keys & {"revision", "date"} and not _name_a_thing(run)
            ):
                yield from (label for label in run if not _filled(block.layout, label))


def _is_of_title(label: Item) -> bool:
    return label.wording is not None and label.wording.key == "title" and not label.wording.weak


def _name_a_thing(run: Sequence[Item]) -> bool:
    """Whether labels side by side name what is drawn and its number or its material too: no table of changes has columns for both."""
    keys = {label.wording.key for label in run if label.wording and not label.wording.weak}
    return "title" in keys and bool(keys & _OF_A_THING)


def _heads_parts(run: Sequence[Item]) -> bool:
    """Whether labels side by side head a parts list: one of them its quantities or remarks, another its items or names."""
    meant = [table_headers.concepts(label.text) for label in run]
    return (
        len(run) >= _PARTS_COLUMNS
        and any(each & _OF_A_LIST for each in meant)
        and any(each & {"item", "name"} and not each & _OF_A_LIST for each in meant)
    )


def _heads_list(layout: Layout, label: Item) -> bool:
    """Whether a label alone in its cell stands over rows of values in cells as wide: it heads a column of a list."""
    if label.cell < 0 or len(layout.inside[label.cell]) > 1 or (label.wording and label.wording.key in ROLES):
        return False
    cell, own, slack = label.cell, layout.cells[label.cell], SIDE * layout.diagonal
    for _ in range(_LIST_ROWS):
        under = (
            other
            for other in layout.below(cell)
            if max(abs(layout.cells[other][0] - own[0]), abs(layout.cells[other][2] - own[2])) < slack
        )
        cell = next(under, -1)
        items = layout.inside.get(cell, [])
        if not items or any(item.wording is not None for item in items):
            return False
    return True


def _runs(layout: Layout, row: Sequence[Item]) -> Iterator[list[Item]]:
    """The labels of `row`, parted where something other than a label stands between them."""
    run: list[Item] = []
    for label in row:
        if run and _between(layout, run[-1], label):
            yield run
            run = []
        run.append(label)
    if run:
        yield run


def _between(layout: Layout, left: Item, right: Item) -> bool:
    """Whether a value stands between two labels of a row, or nothing for a long way."""
    if right.box[0] - left.box[2] > 0.15 * layout.diagonal:
        return True
    x, y = layout.values[:, 0], layout.values[:, 1]
    return bool(((left.box[2] <= x) & (x <= right.box[0]) & (np.abs(y - left.middle[1]) < left.height)).any())


def _filled(layout: Layout, label: Item) -> bool:
    """Whether its cell holds something besides labels."""
    return (
        label.cell >= 0
        and any(item.wording is None for item in layout.inside.get(label.cell, ()))
        and label_count(layout, label.cell) < FEW
    )
