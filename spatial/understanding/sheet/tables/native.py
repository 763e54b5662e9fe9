"""Tables that the file itself calls tables, and tables that are written as one text with tabs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.table_headers import concepts, kind, kind_of_title, label
from spatial.models.sheet.drawing import NativeTable, Text
from spatial.understanding.sheet.tables.found import Entry, Found, Row, entry, in_order, kept, key_of, meanings, repeats

_MOST_TITLE_ROWS: Final = 3
_FIGURE: Final = re.compile(r"\d")
_TABS: Final = re.compile(r"[ ]*\t[\t ]*")


def from_native(table: NativeTable) -> Found | None:
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


def from_tabs(text: Text) -> Found | None:
    """One text whose lines are rows and whose tabs part the columns."""
    written = [line.strip(" ") for line in text.text.split("\n")]
    title = Entry()
    for place, line in enumerate(written):
        parts = _TABS.split(line.strip())
        if len(parts) > 1:
            return _tabbed(text, parts, written[place + 1 :], title)
        if line.strip():
            title = Entry(line.strip(), (text.id,))
    return None


def _headed(table: NativeTable, rows: list[Row], place: int, way: int) -> Found | None:
    heads = rows[place]
    before, after = (rows[:place], rows[place + 1 :]) if way > 0 else ([], rows[:place])
    single = [each for row in before for each in row if each.text]
    title = single[0] if len(single) == 1 else Entry()
    name = kind(meanings(heads), title.text)
    if name is None or len(single) > 1:
        return None
    body = [row for row in (after if way > 0 else after[::-1]) if not repeats(row, heads)]
    used = [n for n in range(len(heads)) if heads[n].text or any(row[n].text for row in body)]
    heads, body = [heads[n] for n in used], [[row[n] for n in used] for row in body]
    found = Found(table.page, name, heads, in_order(body, key_of(heads, name)), 0.98, table.box, title)
    return found if kept(found) else None


def _nameless(table: NativeTable, rows: list[Row]) -> Found | None:
    """A table that is neither a parts list nor revisions: its first full row heads it; a title block is none."""
    said = [each.text for row in rows for each in row if each.text]
    if len(rows) < 2 or sum(label(text) == "title block" for text in said) >= 3:
        return None
    full = next((n for n, row in enumerate(rows[:-1]) if sum(bool(each.text) for each in row) > 1), None)
    if full is None:
        return None
    title = next((each for row in rows[:full] for each in row if each.text), Entry())
    worded = not any(_FIGURE.search(each.text) for each in rows[full])
    heads = rows[full] if worded else [Entry()] * len(rows[full])
    return Found(table.page, "table", heads, rows[full + worded :], 0.8 if worded else 0.6, table.box, title)


def _tabbed(text: Text, header: Sequence[str], written: Sequence[str], title: Entry) -> Found | None:
    heads = [Entry(part, (text.id,)) for part in header if part]
    known = meanings(heads)
    name = kind(known, title.text) or kind_of_title(title.text)
    if (
        name is None
        or sum(map(bool, known)) < 2
        or not all(concepts(head.text) or len(head.text) < 40 for head in heads)
    ):
        return None
    rows: list[Row] = []
    for line in written:
        parts = _cells(line, len(heads))
        if parts is not None:
            rows.append([Entry(part, (text.id,) if part else ()) for part in parts])
    found = Found(text.page, name, heads, in_order(rows, key_of(heads, name)), 0.9, text.box, title)
    return found if kept(found) else None


def _cells(line: str, width: int) -> list[str] | None:
    """The cells of one line; None where it has no tab, or more cells than columns."""
    exact = [" ".join(part.split()) for part in line.split("\t")]
    if len(exact) != width:
        exact = [" ".join(part.split()) for part in _TABS.split(line.strip())]
    if len(exact) < 2 or len(exact) > width:
        return None
    return exact + [""] * (width - len(exact))
