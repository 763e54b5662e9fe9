"""A change written out in one cell: its notice and who drew, checked and approved it, a line each behind its label, beside its mark.

    EC NO: 170019                          | REV | J |
    DRWN: … 2017/12/22
    CHK'D: … 2018/01/11
    APPR: … 2018/01/11

No title block has a notice of change among its labels, and the mark that heads the entry stands in the cell beside (ASME Y14.35).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from spatial.knowledge.table_headers import concepts
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import lines
from spatial.understanding.sheet.tables.found_table import Entry, FoundTable, entry

_LABELS: Final = frozenset({"ecn", "by", "approved", "date"})
"""What such labels name."""
_FEWEST: Final = 3
"""Lines with such a label."""
_MARK: Final = re.compile(r"[^\W\d_]{1,2}\d{0,2}|\d{1,3}|-")
_CONFIDENCE: Final = 0.85
"""Labels tell it; no header does."""


def find(grid: Grid) -> Iterator[FoundTable]:
    """The changes that cells of `grid` have written out, each a table of one row."""
    marks = [cell for cell in grid.cells if concepts(cell.text) == {"revision"}]
    for cell in grid.cells if marks else ():
        if len(cell.texts) < _FEWEST or not _is_written_out(cell):
            continue
        for head in marks:
            mark = next((each for each in grid.cells if _is_mark(each, head) and _touch(each, cell)), None)
            if mark is not None:
                heads = [entry(head.texts), _heading(grid, cell, head)]
                row = [entry(mark.texts), entry(cell.texts)]
                shared = frozenset((*heads[0].sources, *row[0].sources))
                yield FoundTable(grid.page, "revisions", heads, [row], _CONFIDENCE, cell.box, shared=shared)
                break


def _is_written_out(cell: Cell) -> bool:
    labels = [line.split(":", 1)[0] for line in lines(cell.texts) if ":" in line]
    known = [held for held in map(concepts, labels) if held & _LABELS]
    return len(known) >= _FEWEST and any("ecn" in held for held in known)


def _is_mark(cell: Cell, head: Cell) -> bool:
    """Whether a cell is the one that `head` heads: as high or as wide, with a mark or with nothing that was read."""
    in_line = cell.rows == head.rows or cell.columns == head.columns
    return in_line and _touch(cell, head) and (not cell.texts or _MARK.fullmatch(cell.text.strip()) is not None)


def _heading(grid: Grid, written: Cell, head: Cell) -> Entry:
    """What heads the entry, beside it and in line with the heading of the mark; empty of none."""
    beside = (each for each in grid.cells if _touch(each, written) and _touch(each, head) and each.texts)
    return next((entry(each.texts) for each in beside if "description" in concepts(each.text)), Entry())


def _touch(first: Cell, second: Cell) -> bool:
    """Whether two cells have a side in common, or a part of one."""
    across = first.columns[0] < second.columns[1] and second.columns[0] < first.columns[1]
    along = first.rows[0] < second.rows[1] and second.rows[0] < first.rows[1]
    over = first.rows[1] == second.rows[0] or second.rows[1] == first.rows[0]
    beside = first.columns[1] == second.columns[0] or second.columns[1] == first.columns[0]
    return (across and over) or (along and beside)
