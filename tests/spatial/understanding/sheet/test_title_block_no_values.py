"""What stands where a value would and is none: labels, headings, entries of lists, dashes."""

from __future__ import annotations

import pytest

from tests.spatial.drawn_tables import Paper, table
from tests.spatial.forms import fields_of, framed_form, labelled_block
from tests.spatial.read_tables import read, rows_of, widths


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("rows", "material"), [(1, "ALLOY 6082"), (2, None)])
def test_a_row_of_labels_has_its_values_over_it_where_all_cells_there_have_one(rows: int, material: str | None) -> None:
    form = labelled_block()
    values = (("1", "ALLOY 6082", "25 x 39", "T6"), ("2", "BRASS", "10 x 12", "T4"))
    form.row(230, 55, 8, [(30, "Quant."), (50, "Material"), (50, "Largest blank"), (50, "Heating")], 2.5)
    for place, row in enumerate(values[:rows]):
        form.row(230, 63 + 8 * place, 8, list(zip((30, 50, 50, 50), row, strict=True)), 2.8)
    assert fields_of(form).get("material") == material


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(("labels", "read"), [(("REV.", "QTY."), None), (("REV", "QTY"), "PROC.")])
def test_an_abbreviation_with_a_full_stop_is_no_person_where_labels_are_written_so(
    labels: tuple[str, str], read: str | None
) -> None:
    form = labelled_block()
    form.row(200, 10, 6, [(45, "CHECKED"), (45, "PROC.")], 2)
    form.row(200, 16, 6, [(45, labels[0]), (45, labels[1])], 2)
    assert fields_of(form).get("checked_by") == read


@pytest.mark.requirement("title.roles")
def test_a_word_of_a_role_lettered_larger_over_the_labels_of_roles_is_their_heading() -> None:
    form = labelled_block()
    form.box((200, 34, 245, 42))
    form.text(211, 36.6, "APPROVAL", 3)
    form.box((245, 34, 290, 42))
    form.text(247, 38.5, "STANDARD FIT", 1.5)
    for y, role in ((26, "DESIGNED BY"), (18, "APPROVED BY")):
        form.box((200, y, 222, y + 8))
        form.text(200.6, y + 5.8, role, 1.5)
        form.box((222, y, 245, y + 8))
        form.text(222.6, y + 5.8, "DATE", 1.5)
    form.text(201, 27.6, "W. FARGEL", 2)
    fields = fields_of(form)
    assert "approved_by" not in fields
    assert fields["drawn_by"] == "W. FARGEL"


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("text", "name", "date"),
    [
        ("DRAWN BY: KLW 2019JAN29", "KLW", "2019JAN29"),
        ("DRAWN BY: KLW REV 2018OCT21", "KLW", None),
        ("DRAWN BY: KLW 02/MAR/15", "KLW", "02/MAR/15"),
    ],
)
def test_a_date_is_not_cut_within_its_year_and_that_of_a_revision_is_nobodys(
    text: str, name: str, date: str | None
) -> None:
    form = labelled_block()
    form.row(200, 10, 10, [(90, text)], 2.5)
    fields = fields_of(form)
    assert (fields["drawn_by"], fields.get("date")) == (name, date)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("columns", "revision"), [(8, None), (1, "V0")])
def test_a_version_in_a_list_across_the_sheet_is_no_revision(columns: int, revision: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 10, 330, 40), "SCALE", "1:2")
    form.cell((330, 10, 370, 40), "SHEET", "1 OF 2")
    form.cell((370, 10, 410, 40), "DWG NO", "HK-4711-02")
    for place in range(columns):
        form.row(410 - 15 * (place + 1), 63, 8, [(15, str(columns - place))], 2.5)
        form.row(410 - 15 * (place + 1), 55, 8, [(15, "V0" if place == 0 else f"DB{place}")], 2.5)
    assert fields_of(form).get("revision") == revision


@pytest.mark.requirement("title.tolerances")
def test_an_entry_with_a_dash_for_its_deviation_states_none() -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.lines(232, 49, ["TOLERANCES", "0 PLC -", "1 PLC ±0.13", "2 PLC ±0.13", "3 PLC -", "ANGLES ±1°"], 2.5)
    assert fields_of(form)["tolerances"] == "1 PLC ±0.13; 2 PLC ±0.13; ANGLES ±1°"


@pytest.mark.requirement("title.open")
@pytest.mark.parametrize(
    ("lines", "finish"),
    [
        (["Contact metal: Phosphor bronze", "Insulator: Nylon 6T", "Plating: Tin over nickel"], None),
        (["Plating: Tin over nickel"], "Tin over nickel"),
    ],
)
def test_a_line_of_a_list_whose_lines_mostly_name_no_field_is_of_the_data_sheet(
    lines: list[str], finish: str | None
) -> None:
    form = labelled_block()
    form.lines(292, 58 + 4 * (len(lines) - 1), lines, 2.5)
    assert fields_of(form).get("finish") == finish


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("asked", "owner"), [("TARNOW PUMPS", "TARNOW PUMPS"), ("TARNOW", None), ("THE AUTHOR", None)])
def test_the_owner_that_a_notice_names_twice_is_the_company(asked: str, owner: str | None) -> None:
    form = labelled_block()
    form.box((200, 10, 290, 20))
    form.text(201, 15, "THIS SHEET IS THE PROPERTY OF TARNOW PUMPS. ANY COPY", 1.6)
    form.text(201, 12, f"WITHOUT THE WRITTEN PERMISSION OF {asked} IS FORBIDDEN.", 1.6)
    assert fields_of(form, (380, 43, 408, 53)).get("company") == owner


@pytest.mark.requirement("tables.ruled")
def test_what_stands_behind_the_mark_and_the_date_of_a_change_is_no_part() -> None:
    changes = [["H", "22-MAR-12", "TKP", "GG"], ["I", "16-JUN-15", "PCN PA6T", "AK"], ["J", "31-JUL-15", "BAGS", "AK"]]
    heads = ["REV", "DATE", "FILE", "BY"]
    paper = Paper()
    table(paper, [heads, *changes], 30, 60, widths([heads, *changes]), upwards=True)
    assert rows_of(read(paper.sheet()).revisions[0], heads) == changes


@pytest.mark.requirement("tables.ruled")
def test_letters_that_a_form_has_printed_for_further_changes_are_none() -> None:
    heads = ["REV", "DESCRIPTION", "DATE"]
    rows = [["A", "FIRST ISSUE", "2014-09-10"], *([mark, "", ""] for mark in "BCD")]
    paper = Paper()
    table(paper, [heads, *rows], 30, 60, widths([heads, *rows]), upwards=True)
    assert rows_of(read(paper.sheet()).revisions[0], heads) == rows[:1]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(
    "heads", [["REV", "DATE", "DESCRIPTION", "DESIGNED"], ["VERSION", "DATE", "CHANGE CONTENT", "BY"]]
)
def test_who_designed_a_change_and_what_it_contains_head_columns_of_changes(heads: list[str]) -> None:
    rows = [["01", "2022-04-19", "INITIAL RELEASE", "W. FARGEL"]]
    paper = Paper()
    table(paper, [heads, *rows], 30, 260, widths([heads, *rows]))
    assert rows_of(read(paper.sheet()).revisions[0], heads) == rows


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(("numbers", "listed"), [(("4711-1", "4711-2", "4711-3"), 0), (("4711-1", "4812-1", "913"), 1)])
def test_numbers_that_go_on_one_number_are_variants_of_a_part_and_no_list_of_parts(
    numbers: tuple[str, ...], listed: int
) -> None:
    heads = ["PART NUMBER", "DESCRIPTION", "REMARKS"]
    rows = [[number, "WITH CLIP", "GREEN"] for number in numbers]
    paper = Paper()
    table(paper, [heads, *rows], 30, 260, widths([heads, *rows]))
    assert len(read(paper.sheet()).bom) == listed
