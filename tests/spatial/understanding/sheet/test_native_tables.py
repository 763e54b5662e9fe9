"""Tables of the file itself, of tabs and of attributes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from spatial.models.sheet.drawing import NativeTable, Sheet
from tests.spatial.drawn_tables import Paper
from tests.spatial.read_tables import read, rows_of


def native(rows: Sequence[Sequence[str]]) -> Sheet:
    paper = Paper()
    texts = [[paper.write(text, 10, 10, kind="table_cell") if text else None for text in row] for row in rows]
    paper.tables.append(NativeTable("table-1", 1, (0, 0, 100, 100), [list(row) for row in texts]))
    return paper.sheet()


@pytest.mark.requirement("tables.native")
@pytest.mark.parametrize("upside_down", [False, True])
def test_a_table_of_the_file_reads_back(upside_down: bool) -> None:
    bill = [["ITEM", "NAME", "QTY"], ["1", "BOLT", "4"], ["2", "NUT", "4"]]
    found = read(native(bill[::-1] if upside_down else [["PARTS LIST", "", ""], *bill]))
    assert rows_of(found.bom[0], bill[0]) == bill[1:]


@pytest.mark.requirement("tables.native")
@pytest.mark.requirement("tables.not-a-bom")
def test_another_table_of_the_file_is_among_the_others() -> None:
    found = read(native([["GENERAL TOLERANCES", ""], ["RANGE", "TOL"], ["0-6", "±0.1"], ["6-30", "±0.2"]]))
    assert not found.bom
    assert found.others[0].rows == [{"RANGE": "0-6", "TOL": "±0.1"}, {"RANGE": "6-30", "TOL": "±0.2"}]


@pytest.mark.requirement("tables.meanings")
def test_what_columns_hold_is_told_whatever_their_headings_call_it() -> None:
    found = read(native([["POS", "Benennung", "Q'TY", "Zorg"], ["1", "BOLT", "4", "x"], ["2", "NUT", "4", ""]])).bom[0]
    assert found.meanings is not None
    assert found.meanings["POS"] == ["item"] and found.meanings["Q'TY"] == ["quantity"]
    assert "name" in found.meanings["Benennung"] and "Zorg" not in found.meanings


@pytest.mark.requirement("tables.form")
@pytest.mark.parametrize(
    "body",
    [
        [["EX", "DESIGNED BY", "DRAWN BY"], ["", "CHECKED BY", ""], ["1:1", "DATE", "SCALE"]],
        [["4711", "Gezeichnet", "Hans"], ["", "Geprüft", "Eva"], ["", "Maßstab", "1:2"]],
    ],
)
def test_labels_among_the_rows_make_it_a_form_and_no_list(body: list[list[str]]) -> None:
    found = read(native([["PART NUMBER", "DESCRIPTION", "QTY"], *body]))
    assert (found.bom, found.revisions, found.others) == ([], [], [])


@pytest.mark.requirement("tables.form")
def test_one_label_among_the_rows_of_a_list_is_a_name() -> None:
    found = read(native([["ITEM", "DESCRIPTION", "QTY"], ["1", "SCALE", "2"], ["2", "PLATE", "1"]]))
    assert len(found.bom[0].rows) == 2


@pytest.mark.requirement("tables.native")
def test_a_table_written_with_tabs_reads_back() -> None:
    paper = Paper()
    paper.write('Bill of Materials\nPart\t\tPart No.\n1/2" Bolt\t\tB-001\nJoint  Plug\tB-002', 100, 100, kind="mtext")
    found = read(paper.sheet()).bom[0]
    assert rows_of(found, ["Part", "Part No."]) == [['1/2" Bolt', "B-001"], ["Joint Plug", "B-002"]]


@pytest.mark.requirement("tables.native")
def test_a_title_over_a_list_with_tabs_and_its_rows_are_enough_where_one_heading_is_known() -> None:
    for title, count in (("PARTS LIST", 1), ("Ogopo", 0)):
        paper = Paper()
        paper.write(title, 100, 108)
        paper.write("Fargel\tPart No.\nLight frame\tQX-001\nHeavy frame\tQX-002\nJoint plug\tQX-375", 98, 98)
        assert len(read(paper.sheet()).bom) == count


def attribute(paper: Paper, tag: str, said: str, x: float, y: float, owner: str) -> None:
    text = paper.write(said, x, y, kind="attrib")
    text.tag, text.owner = tag, owner


@pytest.mark.requirement("tables.attributes")
def test_blocks_in_a_column_are_rows() -> None:
    paper = Paper()
    for number in range(1, 4):
        for place, (tag, text) in enumerate([("ITEM", str(number)), ("QTY", "2"), ("DESCRIPTION", f"PART {number}")]):
            attribute(paper, tag, text, 30 + 30 * place, 50 + 6 * number, f"insert-{number}")
    found = read(paper.sheet()).bom[0]
    assert rows_of(found, ["ITEM", "QTY", "DESCRIPTION"]) == [
        ["1", "2", "PART 1"],
        ["2", "2", "PART 2"],
        ["3", "2", "PART 3"],
    ]


@pytest.mark.requirement("tables.attributes")
def test_numbered_attributes_of_one_block_are_rows() -> None:
    paper = Paper()
    for tag, text in [
        ("REV1", "A"),
        ("DESC1", "FIRST"),
        ("DATE1", "2024-01-01"),
        ("REV2", "B"),
        ("DESC2", "SECOND"),
        ("DATE2", "2024-02-01"),
    ]:
        attribute(paper, tag, text, 200, 100, "insert-1")
    attribute(paper, "REV3", "", 200, 100, "insert-1")
    found = read(paper.sheet()).revisions[0]
    assert rows_of(found, ["REV", "DESC", "DATE"]) == [["A", "FIRST", "2024-01-01"], ["B", "SECOND", "2024-02-01"]]
