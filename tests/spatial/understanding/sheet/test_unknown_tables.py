"""Ruled tables that no heading names."""

from __future__ import annotations

import pytest

from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.meaning import interpret
from spatial.understanding.sheet.tables.find_tables import find_tables, with_unknown
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import rows_of, widths

TABLES = [
    [["R1", "R2"], ["R5", "R12"]],
    [["Ogopo", "R1", "R2"], ["A", "R5", "R12"]],
    [["D", "d", "H"], ["Ø20 H7", "Ø12", "5 ±0.1"], ["Ø30 H7", "Ø16", "6 ±0.1"]],
    [["Zorg", "Fargel", "Tarnow"], ["A", "M5", "Ø5.5"], ["B", "M6", "Ø6.6 H7"]],
]
NO_TABLES = [
    [["R1", "R1"], ["R5", "R12"]],
    [["R5", "R12"], ["Zorg", "Fargel"]],
    [["Zorg", "Fargel"], ["R5", "R12"]],
    [["⌖", "0.1", "A"], ["⊥", "0.2", "B"], ["∥", "0.3", "C"]],
    [["0.1", "A", "B"], ["0.2", "A", "C"], ["0.3", "A", "D"]],
    [["SCALE", "SIZE", "DWG NO"], ["1:2", "A3", "100-200"], ["DRAWN", "CHECKED", "DATE"]],
    [["R1", "", ""], ["", "R2", ""], ["", "", "R3"]],
]


@pytest.mark.requirement("tables.unknown")
@pytest.mark.parametrize("rows", TABLES, ids=lambda rows: rows[0][0])
@pytest.mark.parametrize("angle", [0, 90])
def test_a_ruled_table_is_one_whatever_heads_it_and_its_texts_call_nothing(rows: list[list[str]], angle: int) -> None:
    paper = Paper()
    table(paper, rows, 30, 200, widths(rows))
    paper.write("R100", 300, 100)
    found = interpret(Drawing("dxf", Units(name="millimeter", found="declared"), [paper.sheet(angle)]))
    assert found.drawing_metadata is not None
    assert [each.name for each in found.drawing_metadata.tables or []] == ["table"]
    assert rows_of((found.drawing_metadata.tables or [])[0], rows[0]) == rows[1:]
    assert [callout.text for callout in found.callouts or []] == ["R100"]


@pytest.mark.requirement("tables.unknown")
def test_rows_that_a_form_leaves_blank_do_not_hide_a_table() -> None:
    rows = TABLES[-1]
    paper = Paper()
    table(paper, [*rows, *[[""] * 3] * 3], 30, 200, widths(rows))
    sheet = paper.sheet()
    grids = {1: find_grids(sheet)}
    (found,) = with_unknown(find_tables([sheet], grids), grids, frozenset()).others
    assert rows_of(found, rows[0]) == rows[1:]


@pytest.mark.requirement("tables.unknown")
@pytest.mark.parametrize("rows", NO_TABLES, ids=lambda rows: "-".join(rows[0]))
def test_boxed_texts_frames_and_forms_are_no_table(rows: list[list[str]]) -> None:
    paper = Paper()
    table(paper, rows, 30, 200, widths(rows))
    sheet = paper.sheet()
    grids = {sheet.page: find_grids(sheet)}
    assert with_unknown(find_tables([sheet], grids), grids, frozenset()).others == []


@pytest.mark.requirement("tables.unknown")
def test_what_another_stage_has_read_is_no_table() -> None:
    paper = Paper()
    table(paper, TABLES[2], 30, 200, widths(TABLES[2]))
    sheet = paper.sheet()
    grids = {sheet.page: find_grids(sheet)}
    read = frozenset({sheet.texts[0].id})
    assert with_unknown(find_tables([sheet], grids), grids, read).others == []


@pytest.mark.requirement("tables.unknown")
@pytest.mark.parametrize(("third", "columns"), [("Nuv", ["Zorg", "Fargel", "Nuv", "Tarnow"]), ("R2", None)])
def test_heads_of_unequal_height_under_a_shared_one_head_the_rows_where_all_are_words(
    third: str, columns: list[str] | None
) -> None:
    paper = Paper()
    body = [["PP1", "45", "36", "12"], ["PP2", "56", "36", "14"], ["PP3", "58", "38", "16"]]
    table(paper, body, 30, 200, [30.0] * 4)
    for left, right, low, high, head in (
        (30, 60, 200, 212, "Zorg"), (60, 120, 206, 212, "Ogopo"), (60, 90, 200, 206, "Fargel"),
        (90, 120, 200, 206, third), (120, 150, 200, 212, "Tarnow"),
    ):  # fmt: skip
        paper.rectangle(left, low, right, high)
        paper.write(head, left + 1, (low + high) / 2)
    sheet = paper.sheet()
    grids = {sheet.page: find_grids(sheet)}
    (found,) = with_unknown(find_tables([sheet], grids), grids, frozenset()).others
    assert rows_of(found, columns or [f"column {place}" for place in range(1, 5)]) == body
