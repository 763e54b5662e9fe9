"""Tables of changes that lie on their side: the headings stand in a column, the change in the next one, in a corner of the block.

A column of a title block has labels beside their values as well, the revision and the date among them. All of such a table heads
something of a change, and one heading says what was changed, which is a label of no field.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.table_headers import concepts, kinds
from spatial.knowledge.table_kinds import CHANGE_COLUMNS
from spatial.knowledge.title_labels import is_label
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.tables.changes import TELLING
from spatial.understanding.sheet.tables.check import is_table
from spatial.understanding.sheet.tables.found_table import FoundTable, can_be_row, entry, key_column

_FEWEST, _MOST = 3, 8
"""Headings of a change."""
_CONFIDENCE: Final = 0.9
"""Of headings and rules that agree; one change has no other to compare it with."""


def find(grid: Grid) -> list[FoundTable]:
    """The tables of changes on their side in `grid`."""
    return [found for heads in _columns(grid) if _head_a_change(heads) and (found := _table(grid, heads))]


def _columns(grid: Grid) -> Iterator[list[Cell]]:
    """Filled cells under each other that are equally wide, from the top; a cell that is empty or of another width ends them."""
    by_sides: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell in grid.cells:
        by_sides[cell.columns].append(cell)
    for cells in by_sides.values():
        run: list[Cell] = []
        for cell in sorted(cells, key=lambda each: each.rows):
            if run and (run[-1].rows[1] != cell.rows[0] or not cell.texts):
                yield run
                run = []
            run += [cell] if cell.texts else []
        if run:
            yield run


def _head_a_change(heads: Sequence[Cell]) -> bool:
    known = [meaning for cell in heads for meaning in _meanings(cell)]
    return (
        _FEWEST <= len(heads) <= _MOST
        and all(meaning & CHANGE_COLUMNS for meaning in known)
        and any(concepts(cell.text) & TELLING and not is_label(cell.text) for cell in heads)
        and "revisions" in kinds(known)
    )


def _meanings(cell: Cell) -> list[frozenset[str]]:
    """What a heading holds, or each line of it: `REV` over `DATE`."""
    lines = [concepts(line) for line in cell.text.split("\n")]
    return lines if all(lines) else [concepts(cell.text)]


def _table(grid: Grid, heads: Sequence[Cell]) -> FoundTable | None:
    beside = [next((each for each in grid.right_of(cell) if each.rows == cell.rows), None) for cell in heads]
    pairs = [(head, value) for head, value in zip(heads, beside, strict=True) if value is not None]
    if len(pairs) < len(heads):
        return None
    known = [entry(head.texts) for head, _ in pairs]
    key = key_column(known, "revisions")
    if key is not None and key >= len(pairs) / 2:
        pairs, known, key = pairs[::-1], known[::-1], len(pairs) - 1 - key
    row = [entry(value.texts) for _, value in pairs]
    if not all(each.text for each in row) or not can_be_row(row, known, "revisions", key):
        return None
    box = box_around([cell.box for pair in pairs for cell in pair])
    # A block whose table of changes is its own place for the mark and the date has them nowhere else.
    shared = frozenset(name for parts in (known, row) for each in parts for name in each.sources)
    found = FoundTable(grid.page, "revisions", known, [row], _CONFIDENCE, box, angle=grid.angle, shared=shared)
    return found if is_table(found) else None
