"""Parts lists, revisions and other tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing
from spatial.understanding.sheet.cells import grid, rule_lines
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.meaning import interpret
from tests.spatial.drawn_tables import Paper, framed, table
from tests.spatial.read_tables import BILLS, PHRASE, REVISIONS, WRAPPED, read, rows_of, said, widths


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
@pytest.mark.parametrize("upwards", [False, True])
@pytest.mark.parametrize("crossed", [1, 2, 3])
def test_outlined_lettering_that_is_printed_over_a_row_divides_none_of_its_cells(crossed: int, upwards: bool) -> None:
    bill = [["ITEM", "PART NUMBER", "QTY"], *([str(item), f"Bracket {item}", "2"] for item in range(1, 6))]
    paper = Paper()
    framed(paper)
    table(paper, bill, 30, 60 if upwards else 260, [20, 80, 20], upwards=upwards)
    low = 60 + 6 * crossed if upwards else 254 - 6 * crossed
    for x in (72, 76, 90, 101):
        paper.line(x, low, x, low + 6)
    assert rows_of(read(paper.sheet()).bom[0], bill[0]) == bill[1:]


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


@pytest.mark.requirement("tables.header-only")
@pytest.mark.parametrize("rules", ["all", "none"])
def test_lettering_that_cannot_be_seen_is_in_no_cell(rules: str) -> None:
    rows = [["POS.", "CANTIDAD", "MATERIAL"], ["1", "2", "Bronce"], ["2", "4", "Acero"]]
    paper = Paper()
    table(paper, rows, 200, 100, [20, 30, 60], rules=rules)
    for text in list(paper.texts[3:]):
        hidden = paper.write("B7", text.box[2] + 1, (text.box[1] + text.box[3]) / 2)
        hidden.visible = False
    assert rows_of(read(paper.sheet()).bom[0], rows[0]) == rows[1:]


@pytest.mark.requirement("tables.not-a-bom")
@pytest.mark.parametrize(("height", "rows"), [(4.0, 2), (2.5, 3)])
def test_a_larger_name_in_one_cell_under_all_columns_is_no_row(height: float, rows: int) -> None:
    paper = Paper()
    bill = [["Reference", "Quantity", "Description"], ["1", "2", "Washer"], ["2", "4", "Spindle nut"]]
    table(paper, bill, 0, 100, [30, 30, 60])
    foot = min(y for _, y, _, _ in paper.strokes)
    paper.rectangle(0, foot - 10, 120, foot)
    paper.write("Exploded view", 20, foot - 5, height)
    [found] = read(paper.sheet()).bom
    assert len(found.rows) == rows


@pytest.mark.requirement("tables.row-rules")
@pytest.mark.parametrize(("second", "rows"), [("1", 2), ("", 0)])
def test_lines_at_one_height_in_every_column_are_rows_where_no_number_heads_them(second: str, rows: int) -> None:
    heads = ["Part No.", "Q.ty", "Profile", "Material"]
    body = [["A0264", "2", "PL10*135", "S355J2"], ["A0366", second, "PL10*121", "S355J2"]]
    paper = Paper()
    table(paper, [heads, *body], 30, 200, [30, 15, 40, 30], rules="columns")
    found = read(paper.sheet()).bom
    assert [rows_of(each, heads) for each in found] == ([body] if rows else [])


@pytest.mark.requirement("tables.ruled")
def test_a_sum_under_the_rows_of_a_list_is_no_part() -> None:
    heads = ["Part No.", "Q.ty", "Profile", "Material", "Weight"]
    body = [["A0264", "2", "PL10*135", "S355J2", "5.46"], ["Assembly total", "", "", "", "5.46"]]
    paper = Paper()
    table(paper, [heads, *body], 30, 200, [40, 15, 40, 30, 30])
    assert rows_of(read(paper.sheet()).bom[0], heads) == body[:1]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("upwards", [False, True])
def test_a_column_whose_head_is_not_closed_by_rules_is_one_of_the_list(upwards: bool) -> None:
    paper, heads, body = (
        Paper(),
        ["N", "Descrizione", "Q"],
        [[str(n), f"Vite numero {n}", str(n + 1)] for n in range(1, 5)],
    )
    table(paper, [heads, *body], 30, 100, [20.0, 80.0, 20.0], upwards=upwards)
    side = next(ends for ends in paper.strokes if ends[0] == ends[2] == 150.0)
    paper.strokes.remove(side)
    low, high = side[1], side[3]
    paper.line(150, low + (6 if upwards else 0), 150, high - (0 if upwards else 6))
    found = read(paper.sheet())
    assert [[*row.values()] for row in found.bom[0].rows] == body


@pytest.mark.requirement("tables.ruled")
def test_a_number_of_a_part_that_was_read_in_part_does_not_end_the_list() -> None:
    paper, heads = Paper(), ["Item", "Description", "Qty"]
    body = [["1", "Bolt", "2"], ["1\ufffd", "Nut", "4"], ["3", "Plate", "1"]]
    table(paper, [heads, *body], 30, 100, [20.0, 80.0, 20.0])
    assert rows_of(read(paper.sheet()).bom[0], heads) == [body[0], ["", "Nut", "4"], body[2]]


@pytest.mark.requirement("tables.languages")
def test_a_heading_whose_blank_was_not_read_is_known() -> None:
    paper, heads, body = Paper(), ["STT", "Têngọi", "Sốlượng"], [["1", "Trục", "2"], ["2", "Đệm", "4"]]
    table(paper, [heads, *body], 30, 100, [20.0, 80.0, 30.0])
    assert rows_of(read(paper.sheet()).bom[0], heads) == body


@pytest.mark.requirement("tables.ruled")
def test_a_list_of_more_cells_than_a_mesh_may_have_reads_back_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "_MOST_CELLS", 40)
    monkeypatch.setattr(rule_lines, "MOST", 36)
    bill = [["ITEM", "QTY", "PART NUMBER"], *([str(n), str(n % 7 + 1), f"P-{n}"] for n in range(1, 41))]
    paper = Paper()
    framed(paper)
    table(paper, bill, 30, 280, widths(bill))
    (found,) = read(paper.sheet()).bom
    assert rows_of(found, bill[0]) == bill[1:]


@pytest.mark.requirement("tables.left-out")
def test_cells_that_are_left_out_are_counted_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "_MOST_CELLS", 10)
    monkeypatch.setattr(grid, "_MOST_LETTERED", 30)
    paper = Paper()
    table(
        paper, [["ITEM", "QTY", "PART NUMBER"], *([str(n), "1", f"P-{n}"] for n in range(1, 15))], 30, 200, [20, 20, 40]
    )
    assert sum(each.left_out for each in find_grids(paper.sheet())) == 15
    (warning,) = interpret(Drawing("pdf", Units(name="point", found="declared"), [paper.sheet()])).warnings
    assert warning == "page 1: 15 ruled cells with texts are not read: there are too many on the page"
