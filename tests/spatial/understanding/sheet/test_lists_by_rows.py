"""Lists and changes that their rows tell: of what parts are made, heads in groups, rows between open rules, changes written out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.models.sheet.repairs import FROM_OUTLINES
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import read, rows_of, widths

MADE_OF = [
    ["DESCRIPTION", "MATERIAL", "PLATING/COLOR"],
    ["housing", "PBT", "black"],
    ["pin", "brass", "gold over\nnickel"],
    ["cover", "PBT", "black"],
]


@pytest.mark.requirement("tables.unruled")
def test_rows_between_rules_that_are_open_at_their_sides_are_rows_however_many_lines_they_have() -> None:
    paper = Paper()
    across = sum(widths(MADE_OF, gap=8.0))
    table(paper, MADE_OF, 30, 260, widths(MADE_OF, gap=8.0), rules="none")
    for level in (260, 254, 248, 237.8, 231.8):
        paper.line(30, level, 30 + across, level)
    (found,) = read(paper.sheet()).bom
    assert rows_of(found, MADE_OF[0]) == [[each.replace("\n", " ") for each in row] for row in MADE_OF[1:]]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(("rows", "count"), [(3, 1), (1, 0)])
def test_names_materials_and_finishes_are_a_list_of_parts_in_several_rows_and_a_title_block_in_one(
    rows: int, count: int
) -> None:
    paper = Paper()
    table(paper, MADE_OF[: rows + 1], 30, 260, widths(MADE_OF))
    assert len(read(paper.sheet()).bom) == count


@pytest.mark.requirement("tables.unruled")
def test_names_and_materials_of_which_some_are_left_out_are_no_list_without_rules() -> None:
    paper = Paper()
    rows = [
        ["DESCRIPTION", "MATERIAL", "COLOR"],
        ["housing", "PBT", ""],
        ["pin", "brass", "black"],
        ["cover", "", "red"],
    ]
    table(paper, rows, 30, 260, widths(rows, gap=8.0), rules="none")
    assert not read(paper.sheet()).bom


@pytest.mark.requirement("tables.ruled")
def test_a_head_over_several_columns_is_part_of_the_head_of_each() -> None:
    paper = Paper()
    body = [["1", "BOLT", "2", "4"], ["2", "NUT", "1", "2"]]
    table(paper, body, 30, 100, [20, 50, 20, 20])
    paper.rectangle(30, 100, 140, 112)
    for x, top in ((50, 112), (100, 112), (120, 106)):
        paper.line(x, 100, x, top)
    paper.line(100, 106, 140, 106)
    for x, y, said in (
        (31, 106, "ITEM"),
        (51, 106, "NAME"),
        (101, 109, "WEIGHT"),
        (101, 103, "EACH"),
        (121, 103, "ALL"),
    ):
        paper.write(said, x, y)
    (found,) = read(paper.sheet()).bom
    assert rows_of(found, ["ITEM", "NAME", "WEIGHT / EACH", "WEIGHT / ALL"]) == body


@pytest.mark.requirement("tables.ruled")
def test_sizes_of_variants_under_letters_are_no_parts_list() -> None:
    rows = [
        ["ITEM NO", "MODEL", "H", "W", "WEIGHT"],
        ["11147", "SH8", "20", "Ø5,5", "24"],
        ["11154", "SH10", "21", "Ø6", "30"],
    ]
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    assert not read(paper.sheet()).bom


@pytest.mark.requirement("tables.changes")
def test_numbers_that_a_form_has_printed_for_changes_to_come_are_no_changes() -> None:
    rows = [["ISSUE", "DATE", "REVISION", "BY"], ["00", "2009-02-04", "ORIGINAL DRAWING", "PV"], ["01"], ["02"], ["03"]]
    paper = Paper()
    table(paper, rows, 30, 260, [20.0, 30.0, 60.0, 20.0])
    (found,) = read(paper.sheet()).revisions
    assert rows_of(found, rows[0]) == rows[1:2]


@pytest.mark.requirement("tables.languages")
@pytest.mark.parametrize(
    "head",
    [
        ["記号 LTR", "変更内容 REVISION RECORD", "日付 DATE"],
        ["REV", "NATURE OF MADIFICATION", "DATE"],
        ["REV", "Descripton of change", "DATE"],
    ],
)
def test_a_heading_in_two_scripts_or_with_one_letter_wrong_is_known(head: list[str]) -> None:
    rows = [head, ["A", "First issue", "91-07-26"], ["B", "Bore moved", "96-03-26"]]
    paper = Paper()
    table(paper, rows, 30, 60, widths(rows), upwards=True)
    (found,) = read(paper.sheet()).revisions
    assert rows_of(found, head) == rows[1:]


def written_out(lines: list[str], mark: str) -> Paper:
    paper = Paper()
    paper.rectangle(30, 30, 110, 60)
    paper.line(30, 40, 110, 40)
    paper.line(70, 30, 70, 40)
    for place, said in enumerate(lines):
        paper.write(said, 32, 56 - 4 * place)
    paper.write("REV", 32, 35)
    paper.write(mark, 72, 35)
    return paper


NOTICE = ["EC NO: 170019", "DRWN: MUSTER 2017/12/22", "CHK'D: ZORG 2018/01/11", "APPR: ZORG 2018/01/11"]


@pytest.mark.requirement("tables.changes")
def test_a_change_written_out_beside_its_mark_is_a_change() -> None:
    (found,) = read(written_out(NOTICE, "J").sheet()).revisions
    assert [list(row.values()) for row in found.rows] == [["J", " ".join(NOTICE)]]


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(
    ("lines", "mark"), [(["DRWN: MUSTER", "CHK'D: ZORG", "APPR: ZORG"], "J"), (NOTICE, "PUMP COVER 24")]
)
def test_who_drew_and_checked_without_a_notice_or_beside_no_mark_is_no_change(lines: list[str], mark: str) -> None:
    assert not read(written_out(lines, mark).sheet()).revisions


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(("repairs", "mark"), [((FROM_OUTLINES,), "A0"), ((), "AO")])
def test_a_drawn_letter_that_no_mark_has_is_the_figure_like_it(repairs: tuple[str, ...], mark: str) -> None:
    rows = [["REV", "DESCRIPTION", "DATE"], ["AO", "New release", "2006-10-18"]]
    paper = Paper()
    table(paper, rows, 30, 60, widths(rows), upwards=True)
    paper.texts = [replace(text, repairs=repairs) for text in paper.texts]
    sheet = paper.sheet()
    sheet.texts = [replace(text, repairs=repairs) for text in sheet.texts]
    (found,) = read(sheet).revisions
    assert found.rows[0]["REV"] == mark


@pytest.mark.requirement("tables.meanings")
def test_under_item_stand_numbers_of_rows_or_codes_of_parts() -> None:
    rows = [
        ["N", "QTY", "ITEM", "DESC"],
        ["1", "2", "T1267-1-ND", "CABLE"],
        ["2", "6", "455-1127-1-ND-LONG", "TERMINAL"],
    ]
    paper = Paper()
    table(paper, rows, 30, 260, widths(rows))
    (found,) = read(paper.sheet()).bom
    assert rows_of(found, rows[0]) == rows[1:]
    assert found.meanings is not None
    assert (found.meanings["N"], found.meanings["ITEM"]) == (["item"], ["part_number"])


@pytest.mark.requirement("tables.header-only")
def test_sizes_of_the_view_beside_an_empty_table_of_changes_are_no_change() -> None:
    paper = Paper()
    table(paper, [["REV", "MODIFICATION", "DATE"], ["", "", ""]], 30, 60, [30, 60, 40])
    paper.write("1600", 32, 72)
    paper.write("600", 122, 72)
    assert not read(paper.sheet()).revisions


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(
    ("long", "off", "more", "dashed"), [(1.5, 0, 0, True), (1.5, 2, 0, False), (8, 0, 0, False), (1.5, 0, 4, False)]
)
def test_a_bar_alone_in_a_place_of_a_row_is_a_dash(long: float, off: float, more: float, dashed: bool) -> None:
    rows = [["ITEM", "PART NUMBER", "QTY"], ["1", "", "2"], ["2", "100-2", "1"]]
    paper = Paper()
    table(paper, rows, 30, 260, [20.0, 40.0, 20.0])
    paper.bar(60, 251 + off, 60 + long, 251 + off)
    if more:
        paper.line(66, 249.5, 66 + more, 252)
    (found,) = read(paper.sheet()).bom
    assert rows_of(found, rows[0]) == [["1", "-" if dashed else "", "2"], rows[2]]


@pytest.mark.requirement("tables.changes")
@pytest.mark.parametrize(("angle", "upwards"), [(0, True), (90, True), (0, False)])
@pytest.mark.parametrize(("on", "date", "rows"), [(6.0, "2015-06-18", 3), (6.0, "see note", 2), (0.0, "2015-06-18", 2)])
def test_a_change_in_a_row_that_is_open_at_its_far_side_stands_between_columns_that_run_on(
    angle: int, upwards: bool, on: float, date: str, rows: int
) -> None:
    changes = [
        ["DATE", "DESCRIPTION", "REV"],
        ["2012-06-21", "Bore moved", "A"],
        ["2014-03-18", "Slot made wider", "B"],
    ]
    paper = Paper()
    table(paper, changes, 30, 60, [40.0, 60.0, 20.0], upwards=upwards)
    edge, way = (78, 1) if upwards else (42, -1)
    for x in (70, 130) if on else ():
        paper.line(x, edge, x, edge + way * on)
    for x, said in ((31, date), (71, "Pin made longer"), (131, "C")):
        paper.write(said, x, edge + way * 3)
    (found,) = read(paper.sheet(angle)).revisions
    assert len(found.rows) == rows
    assert rows == 2 or list(found.rows[-1].values()) == [date, "Pin made longer", "C"]
