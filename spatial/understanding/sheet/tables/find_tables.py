"""Parts lists, revisions and other tables of a drawing, however they were made.

Glossary
  bom        the parts list, item list, bill of materials: numbered parts with quantities.
  revisions  the changes made to the sheet: mark, description, date, who.
  others     hole, bend, gear and tolerance tables: never a bom.
  claimed    ids of the texts that tables are made of, which no later stage reads; a table of unknown kind claims none, since it
             may be a title block or the general tolerances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Final

from spatial.contract.drawing import Table
from spatial.knowledge.table_headers import concepts
from spatial.knowledge.table_kinds import BOM_COLUMNS, CHANGE_COLUMNS, CONCEPTS
from spatial.knowledge.value_forms import UNREAD, full_date
from spatial.models.sheet.drawing import Sheet
from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.tables import (
    attributes,
    beside_heads,
    continued,
    labelled,
    native,
    quantities,
    ruled,
    unruled,
    without_heads,
    written_out,
)
from spatial.understanding.sheet.tables.changes import drawn_mark
from spatial.understanding.sheet.tables.drawn_dashes import with_dashes
from spatial.understanding.sheet.tables.found_table import NOTHING_SAID, FoundTable, is_code, key_column
from spatial.understanding.sheet.tables.open_rows import with_open_row
from spatial.understanding.sheet.tables.sections import with_sections
from spatial.understanding.sheet.tables.unknown import find_unknown

_COLUMNS_OF: Final = {"bom": BOM_COLUMNS, "revisions": CHANGE_COLUMNS}
"""What columns of a kind of table can hold."""

_FIGURED: Final = frozenset({"item", "quantity", "weight", "date", "revision"})
"""Columns of figures and of marks that count."""

_DOTS: Final = ".…"
"""Signs of a cell that says nothing; a dash says that there is none."""

_SHORTEST_CODE: Final = 6
"""Characters of the code of a part; a shorter one may be the mark of a row."""
_LARGEST_TEXT: Final = 100_000
"""Characters of one text that may be a table written with tabs."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What tables a drawing has."""

    bom: list[Table]
    """The one that says most first."""
    revisions: list[Table]
    others: list[Table]
    claimed: frozenset[str]


def find_tables(sheets: Sequence[Sheet], grids: Mapping[int, list[Grid]]) -> Tables:
    """Every table of `sheets`, whose ruled cells are `grids` by page; a header without rows is no table."""
    found: list[FoundTable] = []
    for sheet in sheets:
        found += _of_sheet(sheet, grids.get(sheet.page, []))
    found += continued.find(found, grids, _used(found))
    by_page = {sheet.page: sheet for sheet in sheets}
    used = _used(found)
    found = [with_open_row(each, by_page[each.page], used) for each in found]
    found = [with_dashes(with_sections(each, by_page[each.page]), by_page[each.page]) for each in found]
    drawn = frozenset(text.id for sheet in sheets for text in sheet.texts if FROM_OUTLINES in text.repairs)
    found = [_with_marks(each, drawn) for each in found]
    return Tables(
        bom=[table for each in _sorted(found, "bom") if (table := _table(each)).rows],
        revisions=[table for each in _sorted(found, "revisions") if (table := _table(each)).rows],
        others=[_table(each, each.kind) for each in found if each.kind not in ("bom", "revisions")],
        claimed=frozenset(name for each in found for name in each.claims),
    )


def with_unknown(found: Tables, grids: Mapping[int, list[Grid]], read: frozenset[str]) -> Tables:
    """`found` with the ruled tables of unknown kind, none of whose texts is `read` by another stage; they are claimed too."""
    used = frozenset(name for table in (*found.bom, *found.revisions, *found.others) for name in table.sources or ())
    unknown = find_unknown(grids, read | used)
    return Tables(
        bom=found.bom,
        revisions=found.revisions,
        others=[*found.others, *(_table(each, each.kind) for each in unknown)],
        claimed=found.claimed.union(name for each in unknown for name in each.sources),
    )


def _of_sheet(sheet: Sheet, grids: Sequence[Grid]) -> list[FoundTable]:
    """The tables of one sheet; what the file itself calls a table goes before what is drawn as one."""
    found = [table for each in sheet.tables if (table := native.from_native(each))]
    found += [
        t
        for text in sheet.texts
        if "\t" in text.text and len(text.text) < _LARGEST_TEXT and (t := native.from_tabs(text, sheet.texts))
    ]
    for grid in grids:
        of_grid = [*ruled.find(grid), *labelled.find(grid), *beside_heads.find(grid)]
        found += _new(found, [*of_grid, *quantities.find(grid), *written_out.find(grid), *without_heads.find(grid)])
    cells = {
        text.id: place for place, cell in enumerate(c for grid in grids for c in grid.cells) for text in cell.texts
    }
    found += _new(found, unruled.find(sheet, _used(found), cells))
    return [*found, *_new(found, attributes.find(sheet.texts, _used(found)))]


def _new(found: Sequence[FoundTable], more: Iterable[FoundTable]) -> Iterator[FoundTable]:
    """Those of `more` that use no text that is used already."""
    used = set(_used(found))
    for each in more:
        if not used.intersection(each.sources):
            used.update(each.sources)
            yield each


def _used(found: Iterable[FoundTable]) -> frozenset[str]:
    return frozenset(name for each in found for name in each.sources)


def _with_marks(found: FoundTable, drawn: frozenset[str]) -> FoundTable:
    """Revisions with the marks that are `drawn`, and not text, as marks are."""
    key = key_column(found.heads, found.kind)
    if found.kind == "revisions" and key is not None:
        for row in found.rows:
            if drawn.issuperset(row[key].sources):
                row[key] = replace(row[key], text=drawn_mark(row[key].text))
    return found


def _sorted(found: Iterable[FoundTable], kind: str) -> list[FoundTable]:
    """Those of a kind; a list that goes on over sheets in the order of its pages."""
    own = [each for each in found if each.kind == kind]
    lists = sorted({_heading(each) for each in own}, key=lambda heading: (-len(heading), heading))
    filled: Counter[tuple[str, ...]] = Counter()
    for each in own:
        filled[_list_of(each, lists)] += each.filled

    def place(each: FoundTable) -> tuple[int, tuple[str, ...], int, int]:
        heading = _list_of(each, lists)
        return -filled[heading], heading, each.page, -each.filled

    return sorted(own, key=place)


def _list_of(found: FoundTable, lists: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The heading of the list that a table is of: further sheets may leave out columns of the first."""
    return next(heading for heading in lists if set(_heading(found)) <= set(heading))


def _heading(found: FoundTable) -> tuple[str, ...]:
    return tuple(head.text.casefold() for head in found.heads)


def _table(found: FoundTable, name: str | None = None) -> Table:
    columns = _columns([head.text for head in found.heads])
    own = _COLUMNS_OF.get(found.kind, frozenset(CONCEPTS))
    known = {column: sorted(concepts(head.text) & own) for column, head in zip(columns, found.heads, strict=True)}
    rows = [
        {
            column: text
            for column, each in zip(columns, row, strict=True)
            if (text := _whole(each.text, known[column])).strip(_DOTS)
        }
        for row in found.rows
    ]
    said = [any(text.strip(NOTHING_SAID) for text in row.values()) for row in rows]
    further: dict[str, Any] = {"page": found.page}
    if found.title.text:
        further["title"] = found.title.text
    if found.sections:
        further["sections"] = [
            {"title": each.title, "first_row": sum(said[: each.first_row])} for each in found.sections
        ]
    if name:
        further["name"] = name
    meanings = {
        column: _by_content(held, [row.get(column, "") for row in rows]) for column, held in known.items() if held
    }
    if meanings:
        further["meanings"] = meanings
    return Table(
        columns=columns,
        rows=list(compress(rows, said)),
        confidence=found.confidence,
        sources=found.sources,
        **further,
    )


def _by_content(held: list[str], texts: Sequence[str]) -> list[str]:
    """What a column holds: under `ITEM` stand the codes of parts as well as the numbers of rows."""
    said = [text for text in texts if text]
    are_codes = bool(said) and all(
        len(text) >= _SHORTEST_CODE and is_code(text) and not text.isdigit() for text in said
    )
    return ["part_number"] if held == ["item"] and are_codes else held


def _whole(text: str, meanings: Collection[str]) -> str:
    """What a cell says; empty where a sign of a figure was not read, since it is another figure then. One beside a date is none of it."""
    if UNREAD not in text or not _FIGURED & set(meanings):
        return text
    rest = " ".join(word for word in text.split() if word.strip(UNREAD))
    return rest if full_date(rest) == rest else ""


def _columns(heads: Sequence[str]) -> list[str]:
    """Names of columns, each different: `Date`, `Date 2`; one without a heading is named by its place."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for place, head in enumerate(heads, 1):
        name = head or f"column {place}"
        seen[name] += 1
        while seen[name] > 1 or name in names:
            name = f"{head or 'column'} {seen[head] if head else place}"
            seen[name] += 1
        names.append(name)
    return names
