"""Tables of changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.knowledge.value_forms import UNREAD
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import PHRASE, REVISIONS, read, rows_of, widths


@st.composite
def revisions(draw: st.DrawFn) -> list[list[str]]:
    header = draw(st.sampled_from(REVISIONS))
    body = []
    for number in range(draw(st.integers(1, 6))):
        row = []
        for name in header:
            short = name.casefold()
            if short.startswith(("rev", "ind")):
                row.append("ABCDEF"[number])
            elif short in ("date", "datum", "fecha", "data"):
                row.append(draw(st.dates()).isoformat())
            elif short == "zone":
                row.append(draw(st.sampled_from(["", "B4", "ALL"])))
            else:
                row.append(draw(PHRASE))
        body.append(row)
    return [header, *body]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.requirement("tables.languages")
@given(changes=revisions(), angle=st.sampled_from([0, 90, 180, 270]), upwards=st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_ruled_revision_table_reads_back(changes: list[list[str]], angle: int, upwards: bool) -> None:
    paper = Paper()
    table(paper, changes, 30, 60 if upwards else 260, widths(changes), upwards=upwards)
    found = read(paper.sheet(angle))
    assert not found.bom
    assert rows_of(found.revisions[0], changes[0]) == changes[1:]


@pytest.mark.requirement("tables.ruled")
def test_a_change_table_whose_one_change_has_a_mark_alone_is_read_and_printed_marks_are_none() -> None:
    for marks, count in ((["A-01"], 1), (["A", "B"], 0), ([""], 0)):
        paper = Paper()
        rows = [["REV", "DESCRIPTION", "DATE", "BY"], *([mark, "", "", ""] for mark in marks)]
        table(paper, rows, 200, 100, [20, 60, 30, 20])
        assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(("head", "count"), [("REV", 1), ("NO", 0)])
def test_the_number_of_a_form_s_first_row_is_no_change(head: str, count: int) -> None:
    paper = Paper()
    table(paper, [[head, "DESCRIPTION", "DATE", "CHECK"], ["1", "", "", ""], [""] * 4], 200, 100, [20, 60, 30, 20])
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(
    "rows",
    [
        [["DRAWN", "DATE", "REV", "SHEET"], ["J. SMITH", "2024-04-03", "B", "2 OF 5"]],
        [["DRAWN BY", "DATE", "REVISION", "SHEET"], ["J. SMITH", "2024-04-03", "B", "2/5"]],
        [["Änd.", "Ausgabedatum", "Spr.", "Blatt"], ["1", "02.10.2013", "de", "1/3"]],
        [["DRAWN", "CHECKED", "DATE", "REV"], ["J. SMITH", "A. LEE", "2024-04-03", "B"]],
        [["DRAWN", "DATE", "REV", "SHEET"], ["NAME", "dd/mm/yyyy", "REV", "SHEET"]],
        [["ZONE", "REV", "DESCRIPTION", "DATE"], ["--", "-", "-----", "--/--/--"], ["--", "-", "-----", "--/--/--"]],
    ],
)
def test_a_row_of_a_title_block_or_of_an_unfilled_form_is_no_change(rows: list[list[str]]) -> None:
    paper = Paper()
    table(paper, rows, 200, 60, [40, 30, 20, 30])
    assert read(paper.sheet()).revisions == []


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(("title", "count"), [("Component drawing", 0), ("Revisions", 1)])
def test_a_title_of_another_kind_of_table_makes_no_changes_of_a_row_of_a_title_block(title: str, count: int) -> None:
    paper = Paper()
    table(paper, [[title]], 200, 106, [150])
    rows = [["Language:", "Issue date:", "Revision:", "Sheet:"], ["EN", "30.03.26", "AAA", "2 / 11"]]
    table(paper, rows, 200, 100, [30, 50, 30, 40])
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.ruled")
def test_columns_of_one_name_are_told_apart() -> None:
    paper = Paper()
    table(
        paper,
        [["REV", "DATE", "BY", "DATE", "APPROVED"], ["A", "2024-01-01", "AS", "2024-01-02", "BJ"]],
        30,
        200,
        [20, 30, 20, 30, 30],
    )
    assert read(paper.sheet()).revisions[0].columns == ["REV", "DATE", "BY", "DATE 2", "APPROVED"]


@pytest.mark.requirement("tables.ruled")
def test_changes_are_told_by_their_rows_where_one_heading_is_known() -> None:
    header = ["VERZ", "OGOPO", "FARGEL", "DATE"]
    for row, count in (
        (["A", "Modify through hole size", "Alfie", "2021/04/06"], 1),
        (["Drawn", "Modify through hole size", "Alfie", "2021/04/06"], 0),
        (["A", "Modified", "Alfie", ""], 0),
    ):
        paper = Paper()
        table(paper, [header, row], 200, 100, [20, 80, 30, 30])
        assert len(read(paper.sheet()).revisions) == count


NO_CHANGES = [
    [["No.", "Document", "Rev", "Date"], ["1", "WIRING DIAGRAM", "A", "2021-03-02"], ["2", "TEST", "B", "2022-04-01"]],
    [["Document", "Rev", "Date"], ["WIRING DIAGRAM", "A", "2021-03-02"], ["TEST SPEC", "B", "2022-04-01"]],
    [["Rev", "Document No", "Title", "Date"], ["C", "D-1001", "Wiring", "2021-03-02"], ["B", "D-1002", "Test", "2022-04-01"]],
    [["Sheet", "Title", "Rev", "Date"], ["1", "WIRING DIAGRAM", "C", "2021-03-02"], ["2", "TEST SPEC", "B", "2022-04-01"]],
    [["Lfd. Nr.", "Zeichnung", "Index", "Datum", "Name"], ["1", "Plan", "a", "2.3.2021", "Mai"], ["2", "Aufbau", "b", "1.4.2022", "Mai"]],
    [["№", "Документ", "Изм.", "Дата"], ["1", "Схема электрическая", "3", "02.03.2021"], ["2", "Методика", "1", "01.04.2022"]],
    [["Sorszám", "Dokumentum", "Módosítás", "Dátum"], ["1", "Kapcsolási rajz", "C", "2021.03.02"], ["2", "Előírás", "B", "2022.04.01"]],
]  # fmt: skip
"""Lists of documents."""
PARTS = [
    [["Pos", "Name", "Date", "Rev"], ["1", "Resistor", "2021", "A4"], ["2", "Capacitor", "2022", "B6"]],
    [["Item", "Description", "Rev", "Date"], ["1", "Bracket", "A", "2021-03-02"], ["2", "Cover", "B", "2022-04-01"]],
    [["Item", "Qty", "Description", "Rev", "Date"], ["1", "2", "Bracket", "A", "2021-03-02"], ["2", "1", "Cover", "B", "2022-04-01"]],
    [["Part No", "Description", "Rev", "Date"], ["100-1", "Bracket", "A", "2021-03-02"], ["100-2", "Cover", "C", "2022-04-01"]],
    [["Tétel", "Megnevezés", "Módosítás", "Dátum"], ["1", "Ellenállás", "C", "2021.03.02"], ["2", "Kondenzátor", "B", "2022.04.01"]],
    [["Поз.", "Наименование", "Кол.", "Изм.", "Дата"], ["1", "Вал", "1", "2", "02.03.2021"], ["2", "Втулка", "4", "1", "01.04.2022"]],
]  # fmt: skip
"""Lists of parts with the revision and the date of each."""


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize("rows", NO_CHANGES, ids=lambda rows: rows[0][1])
@pytest.mark.parametrize("upwards", [False, True])
@pytest.mark.parametrize("rules", ["all", "none"])
def test_a_list_of_documents_is_no_table_of_changes_and_no_parts_list(
    rows: list[list[str]], upwards: bool, rules: str
) -> None:
    paper = Paper()
    table(paper, rows, 30, 60 if upwards else 260, widths(rows, gap=8), upwards=upwards, rules=rules)
    found = read(paper.sheet())
    assert (found.revisions, found.bom) == ([], [])


@pytest.mark.requirement("tables.changes")
def test_a_list_of_documents_is_named_where_a_heading_says_document() -> None:
    paper = Paper()
    table(paper, NO_CHANGES[0], 30, 260, widths(NO_CHANGES[0]))
    found = read(paper.sheet()).others
    assert [getattr(each, "name", None) for each in found] == ["document list"]
    assert rows_of(found[0], NO_CHANGES[0][0]) == NO_CHANGES[0][1:]


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize("rows", PARTS, ids=lambda rows: rows[0][1])
@pytest.mark.parametrize("upwards", [False, True])
def test_a_parts_list_with_revisions_and_dates_is_a_parts_list(rows: list[list[str]], upwards: bool) -> None:
    paper = Paper()
    table(paper, rows, 30, 60 if upwards else 260, widths(rows), upwards=upwards)
    found = read(paper.sheet())
    assert found.revisions == []
    assert rows_of(found.bom[0], rows[0]) == rows[1:]


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("marks", "count"),
    [
        (["-", "A", "B"], 1),
        (["B", "A", "-"], 1),
        (["X1", "X2", "A"], 1),
        (["1.0", "1.1", "2.0"], 1),
        (["A", "A", "B"], 1),
        (["C", "A", "B"], 0),
        (["2", "5", "1"], 0),
    ],
)
def test_marks_of_changes_count_one_way(marks: list[str], count: int) -> None:
    rows = [["REV", "DESCRIPTION", "DATE", "BY"], *([mark, "Hole moved", "2021-03-02", "JS"] for mark in marks)]
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(("years", "count"), [(("2021", "2022"), 1), (("2022", "2021"), 0)])
def test_changes_without_words_are_told_by_marks_and_dates_that_go_on_together(
    years: tuple[str, str], count: int
) -> None:
    rows = [["Rev", "Date", "Name"], ["A", f"02.03.{years[0]}", "Meier"], ["B", f"02.03.{years[1]}", "Schulze"]]
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["REV.", "DATE"], ["6B", "6/19"], ["6A", "10/17"]], 1),
        ([["REV.", "DATE"], ["6B", "6/19"]], 0),
        ([["REV.", "DATE"], ["6B", "6/19"], ["3A", "10/17"]], 0),
        ([["REV.", "DATE"], ["6B", "6/19"], ["6A", ""]], 0),
        ([["REV.", "ZORG", "DATE"], ["B", "Ogopo", "6/19"], ["A", "Fargel", "10/17"]], 0),
    ],
)
def test_marks_and_dates_alone_are_changes_where_both_go_on_row_by_row(rows: list[list[str]], count: int) -> None:
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.changes")
def test_a_column_for_quantities_that_an_office_leaves_empty_does_not_hide_changes() -> None:
    head = ["Index / rev.", "Anzahl / qty.", "Datum / date", "Name / name", "Änderung / modification"]
    for amount, count in ((".", 1), ("", 1), ("4", 0)):
        rows = [head, ["00", amount, "17.04.18", "Zorg", "first issue"]]
        paper = Paper()
        table(paper, rows, 30, 60, widths(rows), upwards=True)
        found = read(paper.sheet()).revisions
        assert [row for each in found for row in rows_of(each, head)] == [["00", "", *rows[1][2:]]] * count


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["N.", "IND.", "MODIFICA", "VISTO", "DATA"], ["", "B", "Foro spostato", "PV", "3/4/2019"]], 1),
        (
            [
                ["N.", "IND.", "MODIFICA", "VISTO", "DATA"],
                ["2", "B", "Foro spostato", "PV", "3/4/2019"],
                ["1", "A", "Prima emissione", "PV", "5/6/2018"],
            ],
            1,
        ),
        ([["N.", "IND.", "MODIFICA", "VISTO", "DATA"], ["N6-200", "B", "Foro spostato", "PV", "3/4/2019"]], 0),
        (
            [
                ["ITEM", "REV", "DESCRIPTION", "APPROVED", "DATE"],
                ["1", "B", "Pump cover", "PV", "3/4/2019"],
                ["2", "A", "Valve body", "PV", "5/6/2018"],
            ],
            0,
        ),
    ],
)
def test_changes_may_be_numbered_beside_their_marks_where_a_heading_says_what_they_are(
    rows: list[list[str]], count: int
) -> None:
    paper = Paper()
    table(paper, rows, 30, 60, widths(rows), upwards=True)
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(("head", "count"), [(["DATE", "DESCRIPTION", "REV"], 1), (["DESCRIPTION", "REV", "DATE"], 0)])
def test_what_stands_behind_its_date_is_a_change_and_what_stands_before_its_mark_is_a_thing(
    head: list[str], count: int
) -> None:
    said = {"DATE": ("3.4.19", "5.6.18"), "DESCRIPTION": ("Bore moved by ECO 12", "Slot made wider"), "REV": ("C", "B")}
    rows = [head, *([said[name][row] for name in head] for row in range(2))]
    paper = Paper()
    table(paper, rows, 30, 60, widths(rows), upwards=True)
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.ruled")
def test_a_figure_of_a_change_that_was_not_read_whole_is_left_out_and_a_sign_beside_a_date_is_none_of_it() -> None:
    paper = Paper()
    changes = [["A", "Tarnow", f"201{UNREAD}-05-16"], ["B", f"Far{UNREAD}el", f"2016-05-17 {UNREAD}"]]
    table(paper, [["REV", "DESCRIPTION", "DATE"], *changes], 200, 100, [20, 60, 40])
    (found,) = read(paper.sheet()).revisions
    assert [dict(row) for row in found.rows] == [
        {"REV": "A", "DESCRIPTION": "Tarnow"},
        {"REV": "B", "DESCRIPTION": f"Far{UNREAD}el", "DATE": "2016-05-17"},
    ]


@pytest.mark.requirement("tables.ruled")
def test_marks_printed_beside_the_higher_rows_of_who_drew_and_checked_are_no_changes_and_no_parts() -> None:
    paper = Paper()
    table(paper, [["No", "Revision", "Date", "By"], ["A"], ["B"], ["C"], ["D"]], 30, 100, [10.0, 40.0, 30.0, 20.0])
    table(paper, [["", "", "NAME"]], 130, 100, [20.0, 30.0, 40.0])
    table(
        paper,
        [["Edit", "2026-02-05", "MUSTER"], ["Check", "2026-02-05", "MUSTER"]],
        130,
        94,
        [20.0, 30.0, 40.0],
        step=12.0,
    )
    found = read(paper.sheet())
    assert not found.revisions
    assert not found.bom


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("first", "foreseen", "count"),
    [
        (["A", "2021-03-02", "ZORG.PDF", "JS"], "BCD", 1),
        (["A", "2021-03-02", "ZORG.PDF", "JS"], "", 0),
        (["A", "", "ZORG.PDF", ""], "BCD", 0),
    ],
)
def test_marks_printed_for_further_changes_tell_the_one_dated_change_from_a_row_of_a_title_block(
    first: list[str], foreseen: str, count: int
) -> None:
    rows = [["REV", "DATE", "FILE", "BY"], first, *([mark, "", "", ""] for mark in foreseen)]
    paper = Paper()
    table(paper, rows, 30, 60, [10.0, 30.0, 30.0, 15.0], upwards=True)
    found = read(paper.sheet()).revisions
    assert [row for each in found for row in rows_of(each, rows[0])] == [first] * count


@pytest.mark.requirement("tables.beside-heads")
@pytest.mark.parametrize(
    ("heads", "count"),
    [
        (["By", "Detail", "Revision", "Date"], 1),
        (["Date", "Details", "ECN", "Rev"], 1),
        (["Date", "By", "ECN", "Rev"], 0),
        (["By", "Description", "Revision", "Date"], 0),
        (["By", "Detail", "Revision", "Date", "Material"], 0),
        (["Detail", "Revision"], 0),
    ],
)
@pytest.mark.parametrize("angle", [0, 90])
def test_headings_of_a_change_in_a_column_of_their_own_head_the_values_beside_them(
    heads: list[str], count: int, angle: int
) -> None:
    said = {"By": "JKL", "Revision": "C", "Rev": "C", "Date": "2024-04-03", "ECN": "E-104"}
    rows = [[head, said.get(head, "Bore moved")] for head in heads]
    paper = Paper()
    table(paper, rows, 30, 100, [30.0, 40.0])
    found = read(paper.sheet(angle)).revisions
    assert [sorted(row.values()) for each in found for row in each.rows] == [sorted(dict(rows).values())] * count


@pytest.mark.requirement("tables.drawn-dashes")
@pytest.mark.parametrize(
    ("bars", "said"),
    [
        ([(61.0, 62.5)], "-"),
        ([(61.0, 62.5), (63.0, 64.5), (65.0, 66.5)], "---"),
        ([(65.0, 85.0)], "-"),
        ([(61.0, 81.0)], ""),
        ([(62.0, 72.0), (78.0, 88.0)], ""),
        ([(55.0, 75.0)], ""),
    ],
)
def test_bars_that_are_drawn_in_a_place_of_a_change_say_that_there_is_none(
    bars: list[tuple[float, float]], said: str
) -> None:
    rows = [["REV", "ECN", "DESCRIPTION", "DATE"], ["A", "", "Bore moved", "2024-04-03"]]
    paper = Paper()
    table(paper, rows, 30, 100, [30.0, 30.0, 60.0, 30.0])
    for left, right in bars:
        paper.line(left, 91, right, 91)
    (found,) = read(paper.sheet()).revisions
    assert rows_of(found, rows[0]) == [["A", said, *rows[1][2:]]]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
@pytest.mark.parametrize("upwards", [False, True])
def test_headings_without_a_rule_between_them_head_the_columns_of_their_rows(angle: int, upwards: bool) -> None:
    paper = Paper()
    sign = 1 if upwards else -1
    changes = [["A", "Bore moved", "2024-04-03", "JKL"], ["B", "Slot made wider", "2024-05-06", "MNO"]]
    table(paper, changes, 30, 100 + 6 * sign, [20.0, 60.0, 40.0, 30.0], upwards=upwards)
    table(paper, [["REV", "DESCRIPTION", "DATE"]], 30, 100, [20.0, 60.0, 70.0], upwards=upwards)
    paper.write("APPROVED", 151, 100 + 3 * sign)
    (found,) = read(paper.sheet(angle)).revisions
    assert rows_of(found, ["REV", "DESCRIPTION", "DATE", "APPROVED"]) == changes


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("heads", "row", "count"),
    [
        (["PART REV", "DWG ISSUE", "DATE", "ECN", "APPVD BY"], ["", "", "4-23-19", "EC1042", ""], 1),
        (["PART REV", "DWG ISSUE", "DATE", "ECN", "APPVD BY"], ["", "", "4-23-19", "", "JKL"], 0),
        (["PART REV", "DWG ISSUE", "DATE", "ECN", "APPVD BY"], ["", "", "", "EC1042", ""], 0),
        (["REV", "PROJECT", "DATE", "ECN", "APPVD BY"], ["", "PUMP", "4-23-19", "EC1042", ""], 0),
    ],
)
def test_the_first_issue_has_no_mark_and_is_told_by_its_date_and_its_order(
    heads: list[str], row: list[str], count: int
) -> None:
    paper = Paper()
    table(paper, [heads, row], 200, 100, [40.0] * len(heads))
    found = read(paper.sheet()).revisions
    assert [each for own in found for each in rows_of(own, heads)] == [row] * count


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("upwards", [False, True])
def test_a_mark_in_a_triangle_whose_side_parts_its_cell_is_of_its_row(angle: int, upwards: bool) -> None:
    rows = [["MARK", "DESCRIPTION", "DATE"], ["B", "Bore moved", "2024-04-03"], ["C", "Slot wider", "2024-05-06"]]
    paper = Paper()
    table(paper, rows, 30, 100, [20.0, 60.0, 40.0], upwards=upwards, step=10.0)
    for row in (1, 2):
        low = 100 + 10 * row + 2.4 if upwards else 90 - 10 * row + 2.4
        paper.line(30, low, 50, low)
    (found,) = read(paper.sheet(angle)).revisions
    assert rows_of(found, rows[0]) == rows[1:]


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("heads", "first", "count"),
    [
        (["Item", "Rev", "Date", "Change", "By"], ["1", "2"], 1),
        (["Lfd. Nr.", "Index", "Datum", "Änderung", "Name"], ["1", "2"], 1),
        (["Item", "Rev", "Date", "Change", "By"], ["1001", "1002"], 0),
        (["Item", "Rev", "Date", "Change", "By"], ["Bracket", "Cover"], 0),
        (["Item", "Rev", "Date", "Description", "By"], ["1", "2"], 0),
        (["Material", "Rev", "Date", "Change", "By"], ["1", "2"], 0),
    ],
)
def test_a_first_column_numbers_changes_where_a_heading_says_that_they_are_and_it_counts(
    heads: list[str], first: list[str], count: int
) -> None:
    """Numbers of four figures and names are of things; so is what no heading calls a change."""
    rows = [heads, [first[0], "A", "2021-03-02", "Hole moved", "JS"], [first[1], "B", "2022-04-01", "Slot added", "JS"]]
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    assert len(read(paper.sheet()).revisions) == count
