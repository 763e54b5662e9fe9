"""Tables that the file itself calls tables, and tables that are written as one text with tabs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.table_headers import concepts, kind_of_title, kinds, label
from spatial.models.sheet.drawing import NativeTable, Text
from spatial.understanding.sheet.tables.changes import are_changes
from spatial.understanding.sheet.tables.check import first_table
from spatial.understanding.sheet.tables.found_table import (
    Entry,
    FoundTable,
    Row,
    ascending,
    entry,
    key_column,
    meanings,
    repeats_header,
)

_MOST_TITLE_ROWS: Final = 3
"""Rows of an ACAD_TABLE, from the top, that may be its header: title rows may stand over it."""
_MOST_LABELS: Final = 2
"""Labels of title-block fields in a table of unknown kind; one with more is a title block."""
_LONGEST_HEADING: Final = 40
"""Characters of a heading of unknown meaning in a text with tabs; a longer one is prose."""
_NATIVE: Final = 0.98
"""Confidence where the file itself calls it a table and its headings are known."""
_NAMELESS: Final = 0.8
"""Confidence where headings are words of unknown meaning."""
_HEADLESS: Final = 0.6
"""Confidence where the first row holds figures, so that no row is a header."""
_TABBED: Final = 0.9
"""Confidence of a table that is one text with tabs: a tab too many shifts a row."""
_TITLE_REACH: Final = 4.0
"""Letter heights from a text with tabs to the title over it."""
_FEWEST_ROWS, _FULL = 3, 0.8
"""Filled rows of a list of which one heading is known, and their part of all."""
_FIGURE: Final = re.compile(r"\d")
_TABS: Final = re.compile(r"[ ]*\t[\t ]*")


def from_native(table: NativeTable) -> FoundTable | None:
    """An ACAD_TABLE; its header may stand under a title row, or at the bottom."""
    rows = [
        [entry([cell]) if cell is not None and cell.text.strip() else Entry() for cell in row] for row in table.rows
    ]
    width = max((len(row) for row in rows), default=0)
    rows = [row + [Entry()] * (width - len(row)) for row in rows]
    rows = [row for row in rows if any(each.text for each in row)]
    for place, way in [*((n, 1) for n in range(min(_MOST_TITLE_ROWS, len(rows)))), (len(rows) - 1, -1)]:
        if 0 <= place < len(rows):
            found = _headed(table, rows, place, way)
            if found is not None:
                return found
    return _nameless(table, rows)


def from_tabs(text: Text, texts: Sequence[Text] = ()) -> FoundTable | None:
    """One text whose lines are rows and whose tabs part the columns; one of `texts` close over it may be its title."""
    written = [line.strip(" ") for line in text.text.split("\n")]
    title = next((entry([other]) for other in texts if _is_over(other, text) and kind_of_title(other.text)), Entry())
    for place, line in enumerate(written):
        parts = _TABS.split(line.strip())
        if len(parts) > 1:
            return _tabbed(text, parts, written[place + 1 :], title)
        if line.strip():
            title = Entry(line.strip(), (text.id,))
    return None


def _is_over(title: Text, text: Text) -> bool:
    """Whether `title` stands in the span of `text`, close over it."""
    return (
        -title.height < title.box[1] - text.box[3] < _TITLE_REACH * title.height
        and text.box[0] < (title.box[0] + title.box[2]) / 2 < text.box[2]
    )


def _headed(table: NativeTable, rows: list[Row], place: int, way: int) -> FoundTable | None:
    heads = rows[place]
    before, after = (rows[:place], rows[place + 1 :]) if way > 0 else ([], rows[:place])
    single = [each for row in before for each in row if each.text]
    title = single[0] if len(single) == 1 else Entry()
    body = [row for row in (after if way > 0 else after[::-1]) if not repeats_header(row, heads)]
    names = kinds(meanings(heads), title.text) or (["revisions"] if are_changes(heads, body) else [])
    if len(single) > 1:
        return None
    used = [n for n in range(len(heads)) if heads[n].text or any(row[n].text for row in body)]
    heads, body = [heads[n] for n in used], [[row[n] for n in used] for row in body]

    def make(name: str) -> FoundTable:
        rows = ascending(body, key_column(heads, name))
        return FoundTable(table.page, name, heads, rows, _NATIVE, table.box, title)

    return first_table(names, make)


def _nameless(table: NativeTable, rows: list[Row]) -> FoundTable | None:
    """A table that is neither a parts list nor revisions: its first full row heads it; a title block is none."""
    texts = [each.text for row in rows for each in row if each.text]
    if len(rows) < 2 or sum(label(text) == "title block" for text in texts) > _MOST_LABELS:
        return None
    full = next((n for n, row in enumerate(rows[:-1]) if sum(bool(each.text) for each in row) > 1), None)
    if full is None:
        return None
    title = next((each for row in rows[:full] for each in row if each.text), Entry())
    worded = not any(_FIGURE.search(each.text) for each in rows[full])
    heads = rows[full] if worded else [Entry()] * len(rows[full])
    return FoundTable(
        table.page, "table", heads, rows[full + worded :], _NAMELESS if worded else _HEADLESS, table.box, title
    )


def _tabbed(text: Text, header: Sequence[str], written: Sequence[str], title: Entry) -> FoundTable | None:
    heads = [Entry(part, (text.id,)) for part in header if part]
    known = meanings(heads)
    own = kind_of_title(title.text)
    names = kinds(known, title.text) or ([own] if own else [])
    if not any(known) or not all(concepts(head.text) or len(head.text) < _LONGEST_HEADING for head in heads):
        return None
    rows: list[Row] = []
    for line in written:
        parts = _cells(line, len(heads))
        if parts is not None:
            rows.append([Entry(part, (text.id,) if part else ()) for part in parts])
    if sum(map(bool, known)) < 2 and not _is_borne_out(rows):
        return None

    def make(name: str) -> FoundTable:
        return FoundTable(text.page, name, heads, ascending(rows, key_column(heads, name)), _TABBED, text.box, title)

    return first_table(names, make)


def _is_borne_out(rows: Sequence[Row]) -> bool:
    """Whether the rows under a title make a list although only one of its headings is known: several, nearly all filled."""
    full = sum(all(each.text for each in row) for row in rows)
    return full >= _FEWEST_ROWS and full >= _FULL * len(rows)


def _cells(line: str, width: int) -> list[str] | None:
    """The cells of one line; None where it has no tab, or more cells than columns."""
    exact = [" ".join(part.split()) for part in line.split("\t")]
    if len(exact) != width:
        exact = [" ".join(part.split()) for part in _TABS.split(line.strip())]
    if len(exact) < 2 or len(exact) > width:
        return None
    return exact + [""] * (width - len(exact))
