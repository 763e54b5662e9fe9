"""Title blocks: fields in one line, labels beside words of another script, owners over several rows, ranges of size."""

from __future__ import annotations

import pytest

from spatial.knowledge.title_labels import read
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing
from spatial.understanding.sheet.meaning import interpret
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.forms import Form, fields_of, framed_form
from tests.spatial.read_tables import read as tables_of
from tests.spatial.read_tables import widths


def _block(*, low: float = 10.0) -> Form:
    form = framed_form()
    form.cell((290, low + 30, 410, low + 45), "TITLE", "Bearing cover")
    form.cell((290, low + 15, 370, low + 30), "DWG NO", "HK-4711-02")
    form.cell((370, low + 15, 410, low + 30), "DRAWN BY", "A. Fargel")
    form.cell((290, low, 330, low + 15), "MATERIAL", "C45")
    form.cell((330, low, 370, low + 15), "DATE", "2021-05-04")
    form.cell((370, low, 410, low + 15), "FINISH", "Zinc plated")
    return form


@pytest.mark.requirement("title.cells")
def test_a_line_of_known_labels_and_values_of_their_forms_is_as_many_fields() -> None:
    form = _block(low=20)
    form.box((290, 10, 410, 20))
    form.text(292, 13, "SCALE 1:4 SIZE B SHEET 2 of 7", 2.2)
    fields = fields_of(form)
    assert (fields["scale"], fields["size"], fields["sheet"]) == ("1:4", "B", "2 of 7")


@pytest.mark.requirement("title.sheets")
def test_the_word_between_two_numbers_of_a_sheet_begins_no_field() -> None:
    form = _block(low=20)
    form.box((290, 10, 410, 20))
    form.text(292, 13, "BLATT 2 VON 7", 2.2)
    assert fields_of(form)["sheet"] == "2 VON 7"


@pytest.mark.requirement("title.sheets")
@pytest.mark.parametrize(("value", "sheet"), [("1 of 2", "1 of 2"), ("2", None)])
def test_a_label_with_the_word_before_the_count_has_both_numbers_behind_it_or_the_count_alone(
    value: str, sheet: str | None
) -> None:
    form = _block(low=20)
    form.box((290, 10, 410, 20))
    form.text(292, 13, "Sheet of", 2.2)
    form.text(320, 13, value, 2.2)
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.cells")
def test_a_sentence_with_words_that_are_labels_is_no_line_of_fields() -> None:
    form = _block(low=20)
    form.box((290, 10, 410, 20))
    form.text(292, 13, "SCALE models before DATE of issue", 2.2)
    assert "scale" not in fields_of(form)


@pytest.mark.requirement("title.cells")
def test_a_scale_at_a_paper_is_both() -> None:
    form = _block(low=20)
    form.cell((290, 10, 410, 20), "SCALE", "1:20 @ A1")
    fields = fields_of(form)
    assert (fields["scale"], fields["size"]) == ("1:20", "A1")


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("MATERIAL / מתכת", "material"),
        ("质地 / Finish", "finish"),
        ("(Werkstoff) (Modell-Nr.)", "material"),
        ("AĞIRLIK", "weight"),
        ("มาตราส่วน", "scale"),
    ],
)
def test_a_label_is_known_beside_words_of_another_script_in_brackets_and_by_its_capitals(text: str, key: str) -> None:
    found = read(text)
    assert found is not None and found.key == key


@pytest.mark.requirement("title.languages")
def test_a_label_before_a_word_of_its_own_script_that_nobody_knows_is_none() -> None:
    assert read("Material / Zorgquist fargel") is None


@pytest.mark.requirement("title.company")
def test_a_large_name_at_a_side_over_several_rows_of_fields_is_the_company() -> None:
    form = _block()
    form.box((230, 10, 290, 40))
    form.box((230, 40, 290, 55))
    form.text(235, 23, "TARNOW", 6)
    assert fields_of(form)["company"] == "TARNOW"
    low = _block()
    for foot in (10, 25, 40):
        low.box((230, foot, 290, foot + 15))
    low.text(235, 29, "TARNOW", 6)
    assert "company" not in fields_of(low), "a cell of one row, in the middle of the side"


@pytest.mark.requirement("tables.not-a-bom")
def test_a_table_of_sizes_by_letter_is_no_parts_list_though_it_counts_pieces() -> None:
    rows = [["Model No.", "A", "B", "Qty / bag"], ["ZF-02", "1.5", "5.5", "500"], ["ZF-03", "3.0", "7.0", "500"]]
    paper = Paper()
    table(paper, rows, 30, 200, widths(rows))
    assert not tables_of(paper.sheet(0)).bom


@pytest.mark.requirement("tables.changes")
def test_marks_beside_a_triangle_number_changes() -> None:
    rows = [
        ["Rev", "Change", "Date", "By"],
        ["△A", "Slot moved", "2021-05-04", "ZF"],
        ["△B", "Rib added", "2022-01-09", "ZF"],
    ]
    paper = Paper()
    table(paper, rows, 30, 200, widths(rows))
    assert len(tables_of(paper.sheet(0)).revisions[0].rows) == 2


RANGES = [["zorg", "fargel"], ["3 mip", "±0.1"], ["3 ulo 10", "±0.2"], ["10 ulo 50", "±0.4"], ["tarn", "±1°"]]
LISTED = "3 mip ±0.1; 3 ulo 10 ±0.2; 10 ulo 50 ±0.4; tarn ±1°"


def _with_table(rows: list[list[str]]) -> dict[str, str]:
    form = _block()
    for place, (name, deviation) in enumerate(rows):
        form.row(30, 260 - 8 * place, 8, [(40, name), (30, deviation)])
    found = interpret(Drawing("dxf", Units(name="millimeter", found="declared"), [form.sheet()]))
    assert found.drawing_metadata is not None and found.drawing_metadata.title_block is not None
    return dict(found.drawing_metadata.title_block.fields)


@pytest.mark.requirement("title.tolerances")
def test_ranges_of_size_that_go_on_with_each_other_are_the_tolerances_in_any_language() -> None:
    assert _with_table(RANGES)["tolerances"] == LISTED
    apart = [["zorg", "fargel"], ["3", "±0.1"], ["5 ulo 10", "±0.2"], ["20 ulo 50", "±0.4"]]
    assert "tolerances" not in _with_table(apart)


def _rows_by_name(form: Form, class_: str) -> None:
    """Rows of ranges with their deviations under them, each behind its name; a class over all of them."""
    form.box((20, 200, 30, 240))
    form.text(22, 218, class_, 4)
    ranges = (
        ("zorg", ("0-30", "30-120", "120-400"), ("±0.2", "±0.3", "±0.5")),
        ("tarn", ("0-10", "10-50", "50-90"), ("±1°30'", "±1°", "±30'")),
    )
    for place, (name, sizes, deviations) in enumerate(ranges):
        top = 240 - 20 * place
        form.box((30, top - 20, 50, top))
        form.text(32, top - 12, name, 2)
        form.row(50, top - 10, 10, [(20, size) for size in sizes], 2)
        form.row(50, top - 20, 10, [(20, deviation) for deviation in deviations], 2)


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(("class_", "begins"), [("m", "m; zorg: 0-30 ±0.2; 30-120"), ("q", "zorg: 0-30 ±0.2; 30-120")])
def test_rows_of_ranges_with_names_are_listed_behind_their_class(class_: str, begins: str) -> None:
    form = _block()
    _rows_by_name(form, class_)
    found = interpret(Drawing("dxf", Units(name="millimeter", found="declared"), [form.sheet()]))
    assert found.drawing_metadata is not None and found.drawing_metadata.title_block is not None
    tolerances = found.drawing_metadata.title_block.fields["tolerances"]
    assert tolerances.startswith(begins)
    assert tolerances.endswith("tarn: 0-10 ±1°30'; 10-50 ±1°; 50-90 ±30'")


@pytest.mark.requirement("title.cells")
def test_a_project_behind_its_label_goes_on_in_the_lines_under_it() -> None:
    form = Form()
    form.box((10, 10, 410, 287))
    form.cell((330, 40, 370, 55), "SCALE", "1:2")
    form.cell((370, 40, 410, 55), "REV", "B")
    form.box((250, 40, 330, 55))
    for row, said in enumerate(("PROJECT: Autonomous drone for", "detection of fires and", "rescue of persons")):
        form.text(252, 51 - 4 * row, said, 2)
    assert fields_of(form)["project"] == "Autonomous drone for detection of fires and rescue of persons"
