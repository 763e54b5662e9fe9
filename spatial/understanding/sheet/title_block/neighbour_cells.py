"""Values in the cell to the right of a label's cell, or in the one below it: where a label alone in its cell has its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from spatial.knowledge import table_headers
from spatial.knowledge.fields import FIELDS, ROLES, is_empty_statement
from spatial.knowledge.phrases import is_notice
from spatial.knowledge.value_forms import paper_format
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.best_value import best
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.directions import over
from spatial.understanding.sheet.title_block.field_reading import Evidence, FieldReading
from spatial.understanding.sheet.title_block.headings import SIDE
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.label_cells import (
    SAME_LETTERING,
    alike_cells,
    is_flush_with,
    is_in_two_scripts,
    is_lettered_as,
    is_placed_as,
    is_ruled,
    is_whole_cell,
    is_zone,
)
from spatial.understanding.sheet.title_block.layout import Layout, stands_at_top
from spatial.understanding.sheet.title_block.names import LARGER, is_labelled_value

_ROOM: Final = 4.0
"""Label heights under a label that are room for its value."""
_ROOM_BESIDE: Final = 0.7
"""Part of its cell behind a label with a colon that is room for its value."""
_AT_TOP: Final = 0.3
"""Part of that room that may be left over the label."""
_LEVEL: Final = 0.5
"""Letter heights between the middles of two texts of one line."""
_COLUMNS: Final = 3
"""Fewest columns of a table."""
_LISTED: Final = frozenset({"drawing_number", "part_number", "revision", "sheet", "tolerances"})
"""Keys that head the columns of tables as well: of parts, of changes, of pins, of ranges of size."""


def in_neighbour_cell(block: Block, label: Item) -> list[FieldReading]:
    """The value in the cell to the right of a label cell, else in the one below."""
    layout, wording = block.layout, label.wording
    if wording is None or wording.key in ROLES or not is_ruled(layout, label) or wording.value:
        return []
    if (above := _over_row(layout, label)) is not None:
        return _reading(layout, label, above, "label above")
    for cell, evidence in _cells_of_value(layout, label):
        items = _as_name(block, label, layout.inside.get(cell, []))
        is_none = bool(items) and all(is_empty_statement(wording.key, item.text) for item in items)
        if evidence == "label left" and (is_none or _is_row_of_heads(layout, label, items)):
            return []
        if (
            is_zone(layout, cell)
            or not items
            or any(item.wording is not None for item in items)
            or is_notice(joined(items))
            or is_labelled_value(items, label.height)
            or _foreign(wording.key, items, sized=_has_label_of_size(block) or _is_among_pairs(layout, label, evidence))
        ):
            continue
        if (
            stands_at_top(layout, label, _ROOM, _AT_TOP)  # the cells around are other fields'
            or _has_room_beside(block, label)
            or (evidence == "label left" and _is_row_of_labels(layout, label, items))
            or (evidence == "label left" and any(is_placed_as(layout, item, label) for item in items))
        ):
            continue
        if _is_at_two_labels(block, label, cell, evidence):
            continue
        if evidence == "label above" and (_continues_labels(block, label, items) or _is_column(block, label, cell)):
            continue
        if alike_cells(layout, label.cell, cell, evidence) and (found := _reading(layout, label, items, evidence)):
            return found
    return []


def _stands_at_framed(layout: Layout, item: Item) -> bool:
    """Whether another text stands in a frame of its own on the line of `item` in its cell: one of alternatives is marked, MM or inch."""
    left, bottom, right, top = layout.cells[item.cell]
    return any(
        left < each.middle[0] < right and bottom < each.middle[1] < top
        for each in layout.items
        if each.cell not in (item.cell, -1) and abs(each.middle[1] - item.middle[1]) < _LEVEL * item.height
    )


def _reading(layout: Layout, label: Item, items: Sequence[Item], evidence: Evidence) -> list[FieldReading]:
    """What `items` say as the value of `label`; nothing where they cannot be it."""
    if label.wording is None:
        return []
    key, weak = label.wording.key, label.wording.weak
    if FIELDS[key].is_formed and any(_stands_at_framed(layout, item) for item in items):
        return []
    value, used = best(key, list(items))
    return [FieldReading(key, value, (label.source, *sources(used)), evidence, weak, label.order)] if value else []


def _as_name(block: Block, label: Item, items: list[Item]) -> list[Item]:
    """`items` of a cell at that of a title's label, words of labels lettered larger than it and most others as a name: "Cage"."""
    word = label.wording
    named = word is not None and word.key == "title" and not word.weak
    usual = max(label.height, median(each.height for each in block.labels))
    is_large = named and all(item.height > LARGER * usual for item in items)
    return [replace(item, wording=None) for item in items] if is_large else items


def _cells_of_value(layout: Layout, label: Item) -> Iterator[tuple[int, Evidence]]:
    """The cells beside and then below a label alone in its cell; those beside one that fills its cell in two languages."""
    wording = label.wording
    if len(layout.inside[label.cell]) == 1:
        yield from ((cell, "label left") for cell in layout.beside(label.cell))
        yield from ((cell, "label above") for cell in layout.below(label.cell))
    elif wording and not wording.weak and wording.key != "tolerances" and is_whole_cell(layout, label):
        # A cell in two scripts is as likely a label of no known word.
        yield from (
            (cell, "label left")
            for cell in layout.beside(label.cell)
            if not is_in_two_scripts(layout.inside.get(cell, ()))
        )


def _is_at_two_labels(block: Block, label: Item, cell: int, evidence: Evidence) -> bool:
    """Whether the cell beside a label's, or under it, runs along that of another field's label as well: it is neither's value."""
    layout, key = block.layout, label.wording.key if label.wording else ""
    box, slack = layout.cells[cell], SIDE * layout.diagonal
    others = {
        other.cell
        for other in block.labels
        if other.cell not in (label.cell, cell, -1) and other.wording and other.wording.key != key
    }
    side, opposite, axis = (2, 0, 1) if evidence == "label left" else (1, 3, 0)
    return any(
        abs(own[side] - box[opposite]) < slack
        and box[axis] - slack < own[axis]
        and own[axis + 2] < box[axis + 2] + slack
        for own in (layout.cells[other] for other in others)
    )


def _continues_labels(block: Block, label: Item, under: Sequence[Item]) -> bool:
    """Whether the text under a label is a label of no known word: it goes on the column of the label and the one over it."""
    layout = block.layout
    over = [other for other in block.labels if other.cell >= 0 and label.cell in layout.below(other.cell)]
    return len(under) == 1 and any(is_flush_with(label, other) for other in over) and is_flush_with(under[0], label)


def _is_column(block: Block, label: Item, cell: int) -> bool:
    """Whether another value of the label's form stands in the cell under the value's, as wide and lettered as it: a table's column."""
    layout, key = block.layout, label.wording.key if label.wording else ""
    first = layout.inside.get(cell, [])
    under = next((layout.inside[each] for each in layout.below(cell) if layout.inside.get(each)), [])
    if len(first) != 1 or len(under) != 1 or under[0].wording is not None or key not in _LISTED:
        return False
    box, other, slack = layout.cells[cell], layout.cells[under[0].cell], SIDE * layout.diagonal
    as_wide = max(abs(box[0] - other[0]), abs(box[2] - other[2])) < slack
    return as_wide and is_lettered_as(under[0], first[0]) and _shape(first[0].text) == _shape(under[0].text)


def _shape(text: str) -> str:
    """How letters and figures follow one another: `A0` of B2 and of GND5."""
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "A", text.strip()))


def _has_room_beside(block: Block, label: Item) -> bool:
    """Whether a label with a colon leaves most of its cell to a value behind it, as another one has it there: no cell around holds it."""
    if not _is_before_room(block.layout, label):
        return False
    return any(
        item.box[0] - other.box[2] > 0 and abs(item.middle[1] - other.middle[1]) < other.height
        for other in block.labels
        if other is not label and other.cell >= 0 and other.wording is not None and other.wording.colon
        for item in block.layout.inside[other.cell]
        if item.wording is None
    )


def _is_before_room(layout: Layout, label: Item) -> bool:
    left, _, right, _ = layout.cells[label.cell]
    width = label.box[2] - label.box[0]
    has_colon = label.wording is not None and label.wording.colon
    return has_colon and right - label.box[2] > max(width, _ROOM_BESIDE * (right - left))


def _is_row_of_labels(layout: Layout, label: Item, beside: Sequence[Item]) -> bool:
    """Whether a label between another one and a text of the same lettering stands in a row of labels, whose values stand below.

    A label under it goes on a column of labels instead, whose values stand beside.
    """
    under = [item for cell in layout.below(label.cell) for item in layout.inside.get(cell, ())]
    if under and all(item.wording is not None and not item.wording.value for item in under):
        return False
    same = [item for item in beside if abs(item.height - label.height) <= SAME_LETTERING * label.height]
    before = [item for cell, items in layout.inside.items() if label.cell in layout.beside(cell) for item in items]
    return (
        len(same) == len(beside)
        and len(before) == 1
        and before[0].wording is not None
        and not before[0].wording.value
        and abs(before[0].height - label.height) <= SAME_LETTERING * label.height
    )


def _is_row_of_heads(layout: Layout, label: Item, beside: Sequence[Item]) -> bool:
    """Whether a label and the text beside it, lettered as it, head two columns: of a table that is ruled on, or by a word for remarks."""
    if len(beside) != 1 or not is_lettered_as(beside[0], label):
        return False
    if "remark" in table_headers.concepts(beside[0].text):
        return True
    row = [cell for cell in _row_of(layout, label.cell) if len(layout.inside[cell]) == 1]
    under = [_cell_under(layout, cell) for cell in row]
    heads = [layout.inside[cell][0] for cell in row]
    return (
        len(row) >= _COLUMNS
        and all(is_lettered_as(head, label) and (head is label or head.wording is None) for head in heads)
        and all(cell >= 0 and _is_plain(layout.inside[cell]) for cell in under)
    )


def _over_row(layout: Layout, label: Item) -> list[Item] | None:
    """The value over a label in a row of labels under a row of values, each in a cell of its own as wide; None where there is no such row.

    Values are lettered otherwise than labels; nothing where further rows stand over them, as in a list that is headed at its foot.
    """
    row = _row_of(layout, label.cell)
    heads = [item for cell in row for item in layout.inside[cell]]
    if len(row) < _COLUMNS or len(heads) != len(row) or not all(is_lettered_as(head, label) for head in heads):
        return None
    stated = [over(layout, cell) for cell in row]
    differ = SAME_LETTERING * label.height
    if not all(len(items) == 1 and abs(items[0].height - label.height) > differ for items in stated):
        return None
    return [] if any(over(layout, items[0].cell) for items in stated) else stated[row.index(label.cell)]


def _row_of(layout: Layout, cell: int) -> list[int]:
    """The filled cells as high as `cell` that hang together with it side by side."""
    own, slack = layout.cells[cell], SIDE * layout.diagonal
    level = [
        other
        for other in layout.inside
        if max(abs(layout.cells[other][1] - own[1]), abs(layout.cells[other][3] - own[3])) < slack
    ]
    level.sort(key=lambda other: layout.cells[other][0])
    place = level.index(cell)
    first = last = place
    while first and abs(layout.cells[level[first - 1]][2] - layout.cells[level[first]][0]) < slack:
        first -= 1
    while last + 1 < len(level) and abs(layout.cells[level[last + 1]][0] - layout.cells[level[last]][2]) < slack:
        last += 1
    return level[first : last + 1]


def _cell_under(layout: Layout, cell: int) -> int:
    """The filled cell right under `cell` and as wide; -1 where there is none."""
    own, slack = layout.cells[cell], SIDE * layout.diagonal
    return next(
        (
            other
            for other in layout.below(cell)
            if max(abs(layout.cells[other][0] - own[0]), abs(layout.cells[other][2] - own[2])) < slack
            and layout.inside.get(other)
        ),
        -1,
    )


def _is_plain(items: Sequence[Item]) -> bool:
    return not any(item.wording is not None and item.wording.is_field for item in items)


def _is_among_pairs(layout: Layout, label: Item, evidence: Evidence) -> bool:
    """Whether another label in its row of cells, or over or under it, has its value beside it: SCALE, NONE, REV., A1."""
    if evidence != "label left":
        return False
    labels = [cell for cell, items in layout.inside.items() if _are_bare(items) and cell != label.cell]
    column = {cell for cell in labels if label.cell in layout.below(cell)} | set(layout.below(label.cell))
    own, slack = layout.cells[label.cell], SIDE * layout.diagonal
    return any(
        any(not _are_labels(layout.inside.get(each, [])) for each in layout.beside(cell))
        for cell in labels
        if cell in column or max(abs(layout.cells[cell][side] - own[side]) for side in (1, 3)) < slack
    )


def _are_labels(items: Sequence[Item]) -> bool:
    """Whether lettering is labels and nothing else."""
    return all(item.wording is not None and item.wording.is_field and not item.wording.value for item in items)


def _are_bare(items: Sequence[Item]) -> bool:
    """Whether lettering is labels and nothing else, of a field or not: Time."""
    return all(item.wording is not None and not item.wording.value for item in items)


def _has_label_of_size(block: Block) -> bool:
    return any(label.wording is not None and label.wording.key == "size" for label in block.labels)


def _foreign(key: str, items: Sequence[Item], *, sized: bool) -> bool:
    """Whether a neighbouring cell has a meaning of its own: a paper format, or a value under a smaller label of unknown meaning.

    sized: whether a label of the block names the paper format, or the row shows where values stand, so that A3 in it is a revision.
    """
    if paper_format(joined(items)) and not (FIELDS[key].may_hold_paper_format and sized):
        return True
    lines = rows(items)
    if len(lines) < 2:
        return False
    if key == "title" and values.is_company(joined(lines[0])):
        # A company over its address; what a title says is one text.
        return True
    head, below = lines[0], [item for line in lines[1:] for item in line]
    small = max(item.height for item in head) < 0.7 * min(item.height for item in below)
    return small and head[0].box[0] <= min(item.box[0] for item in below) + 0.2 * head[0].height
