"""Ruled tables of unknown kind: rows of cells in the same columns, most of them filled, whatever heads them.

Form tells them, not words. What they say belongs to a table and not to the part where they stand: `R5` under `R1` is the size of a
variant. Feature control frames, forms of labels and values and what other stages have read are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from spatial.knowledge.symbols import CHARACTERISTICS
from spatial.knowledge.table_headers import label
from spatial.knowledge.value_forms import has_digit, has_letter
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.bands import Band, runs_of
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.tables.found_table import Entry, FoundTable, entry

KIND: Final = "table"
"""Its kind, which is the name that the document has."""
_COLUMNS, _ROWS = 3, 3
"""Fewest of a table whose heading says nothing."""
_FILLED: Final = 0.75
"""Part of its cells that say something."""
_MOST_LABELS: Final = 1
"""Labels of title-block fields in a table; a form has more."""
_PARAMETER: Final = re.compile(r"[ØøΦ⌀]?[^\W\d_]{1,2}[\d']{0,2}")
"""What names a size of variants: L, d, R1, ØD (ISO 3098: letters and their indices)."""
_DATUM: Final = re.compile(r"[A-Z](?:-[A-Z])?")
_CONFIDENCE: Final = 0.7
"""Form alone tells it."""


def find_unknown(grids: Mapping[int, Sequence[Grid]], claimed: frozenset[str]) -> list[FoundTable]:
    """The tables of `grids`, by page, none of whose texts is `claimed`."""
    return [
        _table(grid, rows, claimed)
        for page in sorted(grids)
        for grid in grids[page]
        for rows in map(_without_blank, runs_of(grid))
        if _are_table(rows) and not any(text.id in claimed for row in rows for cell in row for text in cell.texts)
    ]


def _without_blank(rows: Sequence[Band]) -> Sequence[Band]:
    """`rows` without those at both ends that a form leaves to be filled in."""
    filled = [place for place, row in enumerate(rows) if any(cell.texts for cell in row)]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def _are_table(rows: Sequence[Band]) -> bool:
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    texts = [[cell.text.strip() for cell in row] for row in rows]
    every = [text for row in texts for text in row if text]
    if len(every) < _FILLED * len(rows) * len(rows[0]) or _is_frame(texts) or _is_form(every):
        return False
    large = len(rows) >= _ROWS and len(rows[0]) >= _COLUMNS
    return _names_parameters(texts) or (large and any(has_digit(text) for row in texts[1:] for text in row))


def _is_frame(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the rows are segments of a feature control frame (ISO 1101), whose characteristic may be drawn."""
    return any(sign in CHARACTERISTICS for row in rows for text in row for sign in text) or all(
        len(row) > 1 and all(_DATUM.fullmatch(text) or not text for text in row[1:]) for row in rows
    )


def _is_form(texts: Sequence[str]) -> bool:
    return sum(label(text) == "title block" for text in texts) > _MOST_LABELS


def _names_parameters(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names sizes, each by its own letter, and every row under it has their figures."""
    named = [place for place, text in enumerate(rows[0]) if _PARAMETER.fullmatch(text)]
    worded = all(has_letter(text) for text in rows[0] if text)
    names = {rows[0][place] for place in named}
    return (
        worded
        and len(named) > 1
        and len(names) == len(named)
        and all(has_digit(row[place]) for row in rows[1:] for place in named if row[place])
        and all(any(row[place] for place in named) for row in rows[1:])
    )


def _table(grid: Grid, rows: Sequence[Band], claimed: frozenset[str]) -> FoundTable:
    """Headed by its first row where that has words or names in each cell, else by the cells over it where those have."""
    named = _names_parameters([[cell.text.strip() for cell in row] for row in rows]) or _are_words(rows[0])
    over = [] if named else _cells_over(grid, rows[0])
    if over and _are_words(over) and not any(text.id in claimed for cell in over for text in cell.texts):
        rows = [over, *rows]
        named = True
    entries = [[entry(cell.texts) for cell in row] for row in rows]
    heads = entries[0] if named else [Entry()] * len(entries[0])
    box = box_around([cell.box for row in rows for cell in row])
    return FoundTable(grid.page, KIND, heads, entries[1:] if named else entries, _CONFIDENCE, box, angle=grid.angle)


def _are_words(cells: Band) -> bool:
    return all(cell.texts and not has_digit(cell.text) for cell in cells)


def _cells_over(grid: Grid, row: Band) -> Band:
    """The cells right over those of a row, each in its columns, else nothing: heads that share one over them are lower than others."""
    over = {cell.columns: cell for cell in grid.cells if cell.rows[1] == row[0].rows[0]}
    return [over[cell.columns] for cell in row] if all(cell.columns in over for cell in row) else []
