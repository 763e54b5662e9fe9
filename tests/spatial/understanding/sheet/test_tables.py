"""Parts lists, revisions and other tables."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.drawing import Table
from spatial.models.sheet.drawing import NativeTable, Sheet
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.tables import find_tables as tables
from spatial.understanding.sheet.tables.find_tables import Tables
from tests.spatial.drawn_tables import LETTER, Paper, framed, table

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


@st.composite
def bills(draw: st.DrawFn, cells: st.SearchStrategy[str] = PHRASE, fewest: int = 1) -> list[list[str]]:
    header = draw(st.sampled_from(BILLS))
    count = draw(st.integers(fewest, 8))
    body = []
    for number in range(1, count + 1):
        row = [str(number)]
        for place, name in enumerate(header[1:]):
            amount = name.casefold()[:3] in ("qty", "q'ty"[:3], "men", "stü", "nb", "can", "q.t")
            row.append(
                draw(st.integers(1, 99).map(str))
                if amount
                else draw(cells if place != 1 else st.one_of(st.just(""), cells))
            )
        body.append(row)
    return [header, *body]


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
@given(
    bill=bills(WRAPPED),
    angle=st.sampled_from([0, 90, 180, 270]),
    upwards=st.booleans(),
    rules=st.sampled_from(["all", "bars", "sloppy"]),
)
@settings(max_examples=150, deadline=None)
def test_a_ruled_parts_list_reads_back(bill: list[list[str]], angle: int, upwards: bool, rules: str) -> None:
    paper = Paper()
    framed(paper)
    table(paper, bill, 30, 60, widths(bill), upwards=upwards, rules=rules) if upwards else table(
        paper, bill, 30, 260, widths(bill), rules=rules
    )
    found = read(paper.sheet(angle))
    assert len(found.bom) == 1
    assert not found.revisions
    assert rows_of(found.bom[0], bill[0]) == said(bill[1:])
    assert found.bom[0].confidence > 0.9


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


@pytest.mark.requirement("tables.unruled")
@given(bill=bills(), angle=st.sampled_from([0, 90, 270]), upwards=st.booleans())
@settings(max_examples=150, deadline=None)
def test_columns_without_rules_read_back(bill: list[list[str]], angle: int, upwards: bool) -> None:
    paper = Paper()
    table(paper, bill, 30, 60 if upwards else 260, widths(bill, gap=8.0), upwards=upwards, rules="none")
    found = read(paper.sheet(angle))
    assert rows_of(found.bom[0], bill[0]) == bill[1:]
    assert found.bom[0].confidence < 0.9


@pytest.mark.requirement("tables.unruled")
@pytest.mark.parametrize("upwards", [False, True])
def test_heads_of_two_lines_are_one_head_each(upwards: bool) -> None:
    paper = Paper()
    for place, (over, under) in enumerate([("ITEM", "NO."), ("QTY", "REQD"), ("PART", "NUMBER"), ("", "DESCRIPTION")]):
        if over:
            paper.write(over, 30 + 30 * place, 104)
        paper.write(under, 30 + 30 * place, 100)
    body = [["1", "2", "100-1", "BOLT"], ["2", "4", "100-2", "NUT"]]
    table(paper, body, 30, 109 if upwards else 97, [30, 30, 30, 40], rules="none", upwards=upwards, pad=0)
    assert rows_of(read(paper.sheet()).bom[0], ["ITEM NO.", "QTY REQD", "PART NUMBER", "DESCRIPTION"]) == body


@pytest.mark.requirement("tables.row-rules")
@given(bill=bills(fewest=2), upwards=st.booleans())
@settings(max_examples=100, deadline=None)
def test_rows_without_rules_between_them_read_back(bill: list[list[str]], upwards: bool) -> None:
    paper = Paper()
    table(paper, bill, 30, 60 if upwards else 260, widths(bill), upwards=upwards, rules="columns")
    assert rows_of(read(paper.sheet()).bom[0], bill[0]) == bill[1:]


@pytest.mark.requirement("tables.row-rules")
@pytest.mark.parametrize("rules", ["columns", "none"])
def test_wrapped_lines_belong_to_the_item_above_them(rules: str) -> None:
    paper = Paper()
    table(
        paper,
        [["ITEM", "QTY", "DESCRIPTION"], ["1", "2", ""], ["2", "4", ""], ["3", "1", ""]],
        30,
        200,
        [15, 15, 60],
        rules=rules,
        step=10,
    )
    for place, (first, second) in enumerate([("HEX BOLT", "M8 X 20"), ("WASHER", ""), ("PLATE,", "MACHINED")]):
        paper.write(first, 61, 185 - 10 * place)
        if second:
            paper.write(second, 61, 181 - 10 * place)
    assert [row["DESCRIPTION"] for row in read(paper.sheet()).bom[0].rows] == [
        "HEX BOLT M8 X 20",
        "WASHER",
        "PLATE, MACHINED",
    ]


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


@pytest.mark.requirement("tables.ruled")
def test_a_change_table_whose_one_change_has_a_mark_alone_is_read_and_printed_marks_are_none() -> None:
    for marks, count in ((["A-01"], 1), (["A", "B"], 0), ([""], 0)):
        paper = Paper()
        rows = [["REV", "DESCRIPTION", "DATE", "BY"], *([mark, "", "", ""] for mark in marks)]
        table(paper, rows, 200, 100, [20, 60, 30, 20])
        assert len(read(paper.sheet()).revisions) == count


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


@pytest.mark.requirement("tables.continued")
def test_rows_whose_numbers_go_on_are_the_same_list_on_another_sheet() -> None:
    header = ["ITEM", "QTY", "DESCRIPTION"]
    rows = [[str(number), "1", f"PART {number}"] for number in range(1, 8)]
    first, second = Paper(), Paper(page=2)
    table(first, [header, *rows[:4]], 30, 200, [15, 15, 60])
    table(second, rows[4:], 130, 250, [15, 15, 60])
    found = read(first.sheet(), second.sheet())
    assert [row["ITEM"] for part in found.bom for row in part.rows] == ["1", "2", "3", "4", "5", "6", "7"]


TITLE_BLOCK = [
    [["NAME", "SIGNATURE", "DATE"], ["A. Smith", "", "2024-01-01"]],
    [["DRAWN", "A. Smith", "2024-01-01"], ["CHECKED", "B. Jones", "2024-01-02"]],
    [["SIZE", "CAGE CODE", "DWG NO", "REV"], ["B", "12345", "100-200", "A"]],
    [["MATERIAL", "FINISH", "SCALE"], ["STEEL", "ZINC", "1:1"]],
    [["PART NAME", "PART NO.", "SCALE"], ["BRACKET", "100-200", "1:1"]],
    [["Title", "Number"], ["Bracket", "100-200"]],
    [["Part name", "Material", "Quantity", "Scale"], ["Bracket", "Steel", "4", "1:1"]],
    [["Quantity", "Part no."], ["4", "100-200"]],
    [["DATE", "DRAWN", "REV", "SCALE"], ["2024-01-01", "AS", "A", "1:1"]],
    [["SCALE", "DATE", "DRAWN", "REV"], ["1:1", "2024-01-01", "AS", "A"]],
    [["DWG NO", "REV", "DATE", "DRAWN"], ["100-200", "A", "2024-01-01", "AS"]],
    [["X", "±0.5"], ["X.X", "±0.2"], ["X.XX", "±0.1"]],
    [["LINEAR", "ANGULAR"], ["±0.1", "±1°"]],
    [["Rev", "Sheet", "Revision №", "Sign", "Date"], ["Drawn by", "", "", "", ""], ["Checked", "", "", "", ""]],
    [["TAG", "X LOC", "Y LOC", "SIZE"], ["A1", "10.00", "20.00", "Ø5 THRU"], ["A2", "30.00", "20.00", "Ø5 THRU"]],
    [["MODULE", "2"], ["NUMBER OF TEETH", "24"], ["PRESSURE ANGLE", "20°"]],
    [["REV", "DATE"], ["", ""]],
]


@pytest.mark.requirement("tables.not-a-bom")
@pytest.mark.parametrize("cells", TITLE_BLOCK, ids=lambda cells: cells[0][0])
@pytest.mark.parametrize("rules", ["all", "none"])
def test_other_cells_are_no_parts_list_and_no_revisions(cells: list[list[str]], rules: str) -> None:
    paper = Paper()
    table(paper, cells, 200, 100, widths(cells, gap=8), rules=rules)
    found = read(paper.sheet())
    assert found.bom == []
    assert found.revisions == []


@pytest.mark.requirement("tables.not-a-bom")
def test_hole_and_gear_tables_are_named() -> None:
    for cells, name in ((TITLE_BLOCK[-3], "hole table"), (TITLE_BLOCK[-2], "gear data")):
        paper = Paper()
        table(paper, cells, 200, 100, widths(cells))
        assert [getattr(each, "name", None) for each in read(paper.sheet()).others] == [name]


@pytest.mark.requirement("tables.header-only")
@pytest.mark.parametrize("header", [*BILLS, *REVISIONS])
@pytest.mark.parametrize("rules", ["all", "none"])
def test_a_header_without_rows_is_no_table(header: list[str], rules: str) -> None:
    paper = Paper()
    empty = [[""] * len(header)] * 2
    table(paper, [header, *empty], 30, 200, widths([header]), rules=rules)
    table(paper, [["DRAWN", "A. Smith"], ["CHECKED", "B. Jones"]], 30, 182, [30, 40])
    found = read(paper.sheet())
    assert found.bom == []
    assert found.revisions == []
    assert not found.claimed


@pytest.mark.requirement("tables.claimed")
def test_the_texts_of_a_table_are_claimed_and_named_as_its_sources() -> None:
    paper = Paper()
    table(paper, [["ITEM", "QTY", "NAME"], ["1", "2", "BOLT"]], 30, 200, [20, 20, 30])
    inside = {text.id for text in paper.texts}
    paper.write("Ø6.6 THRU", 200, 200)
    found = read(paper.sheet())
    assert found.claimed == inside == set(found.bom[0].sources or ())


@pytest.mark.requirement("tables.ruled")
def test_a_bill_over_the_title_block_grows_upwards_and_stops_at_it() -> None:
    paper = Paper()
    framed(paper)
    bill = [["ITEM", "QTY", "DESCRIPTION"], ["1", "2", "BOLT"], ["2", "2", "NUT"], ["3", "1", "PLATE"]]
    table(paper, bill, 285, 55, [20, 20, 80], upwards=True)
    table(
        paper,
        [["DRAWN", "A. Smith", "SCALE 1:1"], ["CHECKED", "B. Jones", "SHEET 1 OF 1"]],
        285,
        55,
        [30, 40, 50],
        step=20,
    )
    assert rows_of(read(paper.sheet()).bom[0], bill[0]) == bill[1:]


@pytest.mark.requirement("tables.claimed")
def test_the_sizes_of_a_hole_table_are_left_to_be_read_as_callouts() -> None:
    paper = Paper()
    cells = [["TAG", "X LOC", "Y LOC", "SIZE"], ["A1", "10.00", "20.00", "Ø5 THRU"]]
    table(paper, cells, 200, 100, widths(cells))
    assert [text.text for text in paper.texts if text.id not in read(paper.sheet()).claimed] == ["Ø5 THRU"]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(
    "rows",
    [
        [["DRAWN", "DATE", "REV", "SHEET"], ["J. SMITH", "2024-04-03", "B", "2 OF 5"]],
        [["DRAWN BY", "DATE", "REVISION", "SHEET"], ["J. SMITH", "2024-04-03", "B", "2/5"]],
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


WORDS = st.one_of(
    st.sampled_from([word for header in [*BILLS, *REVISIONS] for word in header]),
    st.text(max_size=30),
    st.just("1\t2\n3\t4\t5"),
)
PLACES = st.one_of(st.floats(-50, 400), st.sampled_from([0.0, 10.0, 1e300, float("nan"), float("inf")]))


@pytest.mark.requirement("tables.hostile")
@given(
    texts=st.lists(st.tuples(WORDS, PLACES, PLACES, st.sampled_from([0.0, 2.5, 1e9, float("nan")])), max_size=25),
    angle=st.sampled_from([0.0, 33.3, 90.0, 359.9, float("nan"), float("inf")]),
    rules=st.lists(st.tuples(PLACES, PLACES, PLACES, PLACES), max_size=20),
)
@settings(max_examples=200, deadline=None)
def test_texts_at_any_place_are_read(
    texts: list[tuple[str, float, float, float]], angle: float, rules: list[tuple[float, float, float, float]]
) -> None:
    paper = Paper()
    for text, x, y, height in texts:
        paper.write(text, x, y, height)
    paper.strokes += rules
    sheet = paper.sheet()
    for each in sheet.texts:
        each.angle = angle
    found = read(sheet)
    assert found.claimed <= {each.id for each in sheet.texts}


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("angle", [0, 90, 270])
def test_a_name_goes_on_in_the_next_row_of_a_specification_and_headings_of_groups_do_not(angle: int) -> None:
    head = ["Поз.", "Обозначение", "Наименование", "Кол."]
    drawn = [
        head,
        ["", "", "Прочие изделия", ""],
        ["1", "", "Стойка для плат,", "4"],
        ["", "", "HTP-325", ""],
        ["2", "", "Гайка ГОСТ 10657-80", ""],
        ["", "", "М4-6Н.5.05", "8"],
        ["", "", "Шайбы ГОСТ 6402-70", ""],
        ["3", "", "4Л", "2"],
    ]
    paper = Paper()
    table(paper, drawn, 30, 260, [15, 50, 80, 15])
    assert rows_of(read(paper.sheet(angle)).bom[0], head) == [
        ["", "", "Прочие изделия", ""],
        ["1", "", "Стойка для плат, HTP-325", "4"],
        ["2", "", "Гайка ГОСТ 10657-80 М4-6Н.5.05", "8"],
        ["", "", "Шайбы ГОСТ 6402-70", ""],
        ["3", "", "4Л", "2"],
    ]


@pytest.mark.requirement("tables.continued")
def test_a_list_on_several_sheets_comes_in_the_order_of_its_pages() -> None:
    head = ["ITEM", "QTY", "DESCRIPTION"]
    sheets = []
    for page, numbers in ((1, [1, 2]), (2, [3, 4, 5, 6])):
        paper = Paper(page=page)
        table(paper, [head, *[[str(number), "1", f"PLATE {number}"] for number in numbers]], 30, 260, [15, 15, 60])
        sheets.append(paper.sheet())
    assert [row["ITEM"] for found in read(*sheets).bom for row in found.rows] == list("123456")


SPECIFICATION = [
    ["Поз.", "Обозначение", "Наименование", "Кол."],
    ["", "", "", ""],
    ["1", "AB.01", "Корпус", "1"],
    ["2", "AB.02", "Крышка верхняя", "2"],
    ["", "", "", ""],
    ["3", "", "Винт М4", "8"],
]
"""Its headings, which stand in the empty rows, are written over it."""


def specification(headings: Sequence[tuple[int, str]], *, centred: bool, underlined: bool, angle: int = 0) -> Sheet:
    paper = Paper()
    table(paper, SPECIFICATION, 30, 260, [15, 50, 80, 15])
    head = next(text for text in paper.texts if text.text == "Наименование")
    shift = 135 - (head.box[0] + head.box[2]) / 2
    head.box = (head.box[0] + shift, head.box[1], head.box[2] + shift, head.box[3])
    head.origin = (head.origin[0] + shift, head.origin[1])
    for row, title in headings:
        middle = 260 - 6 * row - 3
        wide = len(title) * 2.5 * 0.6
        text = paper.write(title, 135 - wide / 2 if centred else 96, middle)
        if underlined:
            paper.line(text.box[0], text.box[1] - 0.6, text.box[2], text.box[1] - 0.6)
    return paper.sheet(angle)


@pytest.mark.requirement("tables.sections")
@pytest.mark.parametrize(
    ("centred", "underlined", "angle"), [(True, False, 0), (True, False, 90), (False, True, 0), (True, True, 0)]
)
def test_headings_in_the_middle_or_underlined_are_sections_and_no_rows(
    centred: bool, underlined: bool, angle: int
) -> None:
    headings = [(1, "Qwert"), (4, "Zuiop asdf")]
    sheet = specification(headings, centred=centred, underlined=underlined, angle=angle)
    found = read(sheet)
    list_ = found.bom[0]
    assert [row["Поз."] for row in list_.rows] == ["1", "2", "3"]
    assert (list_.model_extra or {})["sections"] == [
        {"title": "Qwert", "first_row": 0},
        {"title": "Zuiop asdf", "first_row": 2},
    ]
    assert {text.id for text in sheet.texts if text.text in ("Qwert", "Zuiop asdf")} <= found.claimed


@pytest.mark.requirement("tables.sections")
def test_a_name_alone_in_its_row_at_the_left_is_a_row() -> None:
    found = read(specification([(4, "Винты ГОСТ 1491-80")], centred=False, underlined=False)).bom[0]
    assert [row.get("Наименование") for row in found.rows][2] == "Винты ГОСТ 1491-80"
    assert "sections" not in (found.model_extra or {})


@pytest.mark.requirement("tables.continued")
def test_sheets_of_one_list_that_differ_in_empty_columns_come_in_the_order_of_their_pages() -> None:
    sheets = []
    for page, head in ((1, ["ITEM", "QTY", "DESCRIPTION", "REMARK"]), (2, ["ITEM", "QTY", "DESCRIPTION"])):
        paper = Paper(page=page)
        numbers = [1, 2] if page == 1 else [3, 4, 5, 6]
        rows = [[str(number), "1", f"PLATE {number}", "X"][: len(head)] for number in numbers]
        table(paper, [head, *rows], 30, 260, [15, 15, 60, 30][: len(head)])
        sheets.append(paper.sheet())
    assert [row["ITEM"] for found in read(*sheets).bom for row in found.rows] == list("123456")


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


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize(
    ("header", "marks", "count"),
    [
        (["OGOPO", "FARGEL", "Material"], ["1", "2", "3"], 1),
        (["OGOPO", "FARGEL", "QTY"], ["3", "2", "1"], 1),
        (["OGOPO", "FARGEL", "Material"], ["1", "2", "4"], 0),
        (["OGOPO", "FARGEL", "Material"], ["1", "1", "1"], 0),
        (["OGOPO", "FARGEL", "INEGEV"], ["1", "2", "3"], 0),
    ],
)
def test_a_column_that_counts_beside_words_makes_a_parts_list_where_a_heading_says_how_many_or_of_what(
    header: list[str], marks: list[str], count: int
) -> None:
    last = "2" if header[-1] == "QTY" else "MDF"
    body = [[mark, f"Tarnow {letter}", last] for mark, letter in zip(marks, "abc", strict=True)]
    paper = Paper()
    table(paper, [header, *body], 200, 100, [20, 80, 30])
    found = read(paper.sheet())
    assert len(found.bom) == count
    if count:
        assert [row["OGOPO"] for row in found.bom[0].rows] == ["1", "2", "3"]


@pytest.mark.requirement("tables.languages")
def test_the_raised_letter_of_a_word_for_number_is_written_in_two_ways() -> None:
    for sign in "º°":
        paper = Paper()
        header = [f"N.{sign} DE ELEMENTO", f"N.{sign} DE PIEZA", "CANTIDAD"]
        table(paper, [header, ["1", "basket", "1"], ["2", "push bar", "4"]], 200, 100, [40, 60, 40])
        assert rows_of(read(paper.sheet()).bom[0], header) == [["1", "basket", "1"], ["2", "push bar", "4"]]


@pytest.mark.requirement("tables.row-rules")
def test_texts_of_two_columns_whose_rule_is_not_drawn_stand_in_their_columns() -> None:
    paper = Paper()
    widths_of = [20.0, 40.0, 40.0]
    header = ["ITEM", "MATERIAL", "DESCRIPTION"]
    table(paper, [header, ["1", "16MnCr5", "Gear"]], 200, 100, widths_of)
    left, right, top = 200.0, 200.0 + sum(widths_of), min(min(ends[1], ends[3]) for ends in paper.strokes)
    paper.rectangle(left, top - 8, left + 20, top)
    paper.rectangle(left + 20, top - 8, right, top)
    for x, said_there in ((left + 2, "2"), (left + 22, "C45"), (left + 62, "Shaft")):
        paper.write(said_there, x, top - 4)
    found = read(paper.sheet()).bom
    assert rows_of(found[0], header) == [["1", "16MnCr5", "Gear"], ["2", "C45", "Shaft"]]
