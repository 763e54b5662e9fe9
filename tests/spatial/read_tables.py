"""Headers of tables, what may stand in their cells, and the tables of sheets as they are read, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from spatial.contract.drawing import Table
from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.tables import find_tables as tables
from spatial.understanding.sheet.tables.find_tables import Tables
from tests.spatial.drawn_tables import LETTER

BILLS = [
    ["ITEM", "QTY", "PART NUMBER", "DESCRIPTION"],
    ["Item No.", "Q'TY", "Part No.", "Name", "Material", "Remarks"],
    ["FIND NO", "QTY REQD", "PART OR IDENTIFYING NO", "NOMENCLATURE OR DESCRIPTION"],
    ["Pos.", "Menge", "Benennung", "Sachnummer", "Werkstoff", "Bemerkung"],
    ["Pos. / Item", "Stück / Qty", "Bezeichnung / Description"],
    ["Rep", "Nb", "Désignation", "Matière", "Observations"],
    ["Marca", "Cantidad", "Denominación", "Material"],
    ["Pos.", "Q.tà", "Descrizione", "Codice"],
]
REVISIONS = [
    ["REV", "DESCRIPTION", "DATE", "APPROVED"],
    ["ZONE", "REV.", "DESCRIPTION", "DATE", "APPROVED"],
    ["Rev", "ECO", "Description of change", "By", "Date"],
    ["Index", "Änderung", "Datum", "Name"],
    ["Ind.", "Nature de la modification", "Date", "Visa"],
    ["Revisión", "Modificación", "Fecha", "Firma"],
    ["Rev.", "Descrizione modifica", "Data", "Firma"],
]
LETTERS = st.text("ABCDEFGHKLMNPRSTUVWXYZabcdefghiklmnoprstuvwxyz0123456789", min_size=3, max_size=9)
PHRASE = st.lists(LETTERS, min_size=1, max_size=3).map(" ".join)
WRAPPED = st.lists(LETTERS, min_size=1, max_size=3).map("\n".join)


def read(*sheets: Sheet) -> Tables:
    return tables.find_tables(sheets, {sheet.page: find_grids(sheet) for sheet in sheets})


def rows_of(found: Table, columns: Sequence[str]) -> list[list[str]]:
    assert found.columns == list(columns)
    return [[row.get(column, "") for column in found.columns] for row in found.rows]


def said(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[text.replace("\n", " ") for text in row] for row in rows]


def widths(rows: Sequence[Sequence[str]], gap: float = 4.0) -> list[float]:
    """Wide enough for the longest line of each column, in letters of height 2.5."""
    return [
        max(max(map(len, text.split("\n"))) for text in column) * 2.5 * LETTER + gap
        for column in zip(*rows, strict=True)
    ]
