"""Tables of changes without headings, as old forms and small offices have them: a mark, a date and what was changed in each row.

They are known by their rows: marks that go on one by one, a date in the same column of each, and words beside both. Under a title for
changes one row is enough, and marks may be figures; without a title they are letters, since tests and deliveries are numbered and dated as
well. A row of who drew and who checked begins with no mark; a list of parts has no dates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.table_headers import kind_of_title
from spatial.knowledge.title_labels import is_label
from spatial.knowledge.value_forms import FULL_DATE, has_digit, has_letter
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.bands import Band, runs_of
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.tables.changes import are_counted
from spatial.understanding.sheet.tables.found_table import Entry, FoundTable, Row, ascending, entry

_COLUMNS: Final = (3, 7)
"""Columns of changes."""
_FEWEST: Final = 2
"""Rows that show an order; under a title one is enough."""
_FEWEST_WORDS: Final = 2
"""Words that say what was changed."""
_CONFIDENCE: Final = 0.8
"""Its rows alone tell it."""


def find(grid: Grid) -> list[FoundTable]:
    """The tables of changes in `grid` that have no headings."""
    found = (_table(grid, bands) for bands in runs_of(grid) if _COLUMNS[0] <= len(bands[0]) <= _COLUMNS[1])
    return [each for each in found if each]


def _table(grid: Grid, bands: Sequence[Band]) -> FoundTable | None:
    filled = [band for band in bands if any(cell.texts for cell in band)]
    rows = [[entry(cell.texts) for cell in band] for band in filled]
    if not rows or not _are_changes(rows):
        return None
    title = next(_titles(grid, bands), Entry())
    if not title.text and (len(rows) < _FEWEST or _are_labelled(rows) or any(has_digit(row[0].text) for row in rows)):
        return None
    box = box_around([cell.box for band in filled for cell in band])
    heads = [Entry()] * len(rows[0])
    return FoundTable(grid.page, "revisions", heads, ascending(rows, 0), _CONFIDENCE, box, title, angle=grid.angle)


def _titles(grid: Grid, bands: Sequence[Band]) -> Iterator[Entry]:
    """What stands in a cell over all columns, right over or under the rows, and says that changes follow."""
    first, last = bands[0][0].columns[0], bands[0][-1].columns[1]
    for cell in grid.cells:
        adjoins = cell.rows[1] == bands[0][0].rows[0] or cell.rows[0] == bands[-1][0].rows[1]
        spans = cell.columns[0] <= first and last <= cell.columns[1]
        if adjoins and spans and cell.texts and kind_of_title(cell.text) == "revisions":
            yield entry(cell.texts)


def _are_changes(rows: Sequence[Row]) -> bool:
    """Whether the first column counts the rows, one has a date in each, and a third one has words in each."""
    columns = [[row[place].text for row in rows] for place in range(len(rows[0]))]
    dated = [place for place, texts in enumerate(columns) if any(map(FULL_DATE.fullmatch, texts))]
    if len(dated) != 1 or not all(map(FULL_DATE.fullmatch, columns[dated[0]])) or not are_counted(columns[0]):
        return False
    return any(place not in (0, *dated) and all(map(_has_words, texts)) for place, texts in enumerate(columns))


def _are_labelled(rows: Sequence[Row]) -> bool:
    """Whether most rows have the label of a field, as those of who drew and who checked have; `First issue` is one, and a change."""
    return 2 * sum(any(each.text and is_label(each.text) for each in row) for row in rows) > len(rows)


def _has_words(text: str) -> bool:
    return sum(map(has_letter, text.split())) >= _FEWEST_WORDS
