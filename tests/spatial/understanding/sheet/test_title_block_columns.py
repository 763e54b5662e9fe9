"""Labels and values told by their column, their row and their lettering, where the words alone say too little."""

from __future__ import annotations

import pytest

from spatial.knowledge import table_headers, title_labels
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.tolerance_box import tolerances
from tests.spatial.forms import Form, fields_of

FRAME = (10, 10, 410, 287)


def _block(*, frame: bool = True) -> Form:
    form = Form()
    if frame:
        form.box(FRAME)
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    return form


def _labelled_row(form: Form, y: float, label: str, value: str) -> None:
    form.box((290, y, 330, y + 8))
    form.text(291, y + 3, label, 1.8)
    form.box((330, y, 410, y + 8))
    form.text(332, y + 2.5, value, 3.5)


@pytest.mark.requirement("title.cells")
def test_a_misspelt_word_behind_a_label_in_a_column_of_labels_is_part_of_the_label() -> None:
    form = _block()
    _labelled_row(form, 63, "FINISH SPECIFICATION", "CLEAR PASSIVATION")
    _labelled_row(form, 55, "MATERIAL SPECIIFCATION", "SS 316")
    fields = fields_of(form)
    assert (fields["finish"], fields["material"]) == ("CLEAR PASSIVATION", "SS 316")


@pytest.mark.requirement("title.empty")
def test_a_field_whose_cell_says_that_it_is_empty_takes_nothing_from_the_row_below() -> None:
    form = _block()
    _labelled_row(form, 63, "FINISH", "TBD")
    _labelled_row(form, 55, "Vulgar", "12-B")
    assert "finish" not in fields_of(form)


@pytest.mark.requirement("title.empty")
def test_an_unfilled_template_states_nothing_where_labels_stand_as_values() -> None:
    form = Form()
    form.box(FRAME)
    form.cell((290, 40, 410, 55), "TITLE", "Beacon")
    form.cell((290, 25, 350, 40), "DESIGNED BY", "AUTHOR NAME")
    form.cell((350, 25, 410, 40), "DATE", "CREATION DATE")
    form.cell((290, 10, 330, 25), "DRAWING NUMBER", "NUMBER")
    form.cell((330, 10, 370, 25), "WEIGHT", "WEIGHT")
    form.cell((370, 10, 410, 25), "SHEET", "SHEET")
    assert fields_of(form) == {"title": "Beacon"}


@pytest.mark.requirement("title.empty")
def test_the_name_of_a_parameter_is_no_person() -> None:
    form = Form()
    form.box(FRAME)
    form.cell((290, 40, 410, 55), "TITLE", "Beacon")
    form.cell((290, 25, 350, 40), "DRAWN BY", "PCB_ENGINEER")
    form.cell((350, 25, 410, 40), "CHECKED BY", "RFC_SMITH")
    form.cell((290, 10, 350, 25), "DRAWING NUMBER", "PCB_1204")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    fields = fields_of(form)
    assert "drawn_by" not in fields
    assert (fields["checked_by"], fields["drawing_number"]) == ("RFC_SMITH", "PCB_1204")


@pytest.mark.requirement("title.empty")
def test_the_number_of_a_zone_under_an_empty_field_is_not_its_value() -> None:
    form = _block(frame=False)
    form.cell((230, 10, 290, 16), "WEIGHT:")
    form.row(50, 0, 10, [(60, str(zone)) for zone in range(6, 0, -1)])
    assert "weight" not in fields_of(form)


@pytest.mark.requirement("title.typical")
def test_of_two_names_in_one_lettering_the_one_that_stands_twice_is_the_title() -> None:
    form = Form()
    form.box(FRAME)
    form.cell((230, 40, 290, 55), "Designed by", "A. Mason")
    form.cell((290, 40, 350, 55), "Checked by", "B. Smith")
    form.cell((350, 40, 410, 55), "Date", "12.04.2024")
    for box, text in (
        ((230, 10, 320, 40), "ITM"),
        ((320, 25, 410, 40), "Exploded Plane"),
        ((320, 10, 380, 25), "Exploded Plane"),
    ):
        form.box(box)
        form.text(box[0] + 10, (box[1] + box[3]) / 2 - 2, text, 4.0)
    form.cell((380, 10, 410, 25), "Sheet", "1 / 1")
    assert fields_of(form)["title"] == "Exploded Plane"


def _items(*lines: tuple[tuple[float, str], ...]) -> list[Item]:
    return [
        Item(text, (x, -4.0 * row, x + 0.7 * 2.5 * len(text), 2.5 - 4.0 * row), 2.5, f"t{row}-{x}", row)
        for row, line in enumerate(lines)
        for x, text in line
    ]


@pytest.mark.requirement("title.tolerances")
def test_a_second_column_of_deviations_stands_behind_its_own_head() -> None:
    listed = _items(
        ((0, "DECIMALS"), (40, "ANGLES")), ((0, "X"), (15, "±0.5"), (42, "±2°")), ((0, "X.X"), (15, "±0.25"))
    )
    assert tolerances(listed) == "X ±0.5; X.X ±0.25; ANGLES ±2°"


@pytest.mark.requirement("title.tolerances")
def test_the_angle_of_chamfers_is_no_tolerance() -> None:
    listed = _items(((0, "x.x ± 0.5"),), ((0, "x.xx ± 0.25"),), ((0, "CHAMFERS 45°"),))
    assert tolerances(listed) == "x.x ±0.5; x.xx ±0.25"


@pytest.mark.requirement("title.tolerances")
def test_rows_of_a_name_and_a_deviation_under_a_tolerance_box_are_its_entries() -> None:
    form = _block()
    form.cell((230, 44, 290, 55), "GENERAL TOLERANCES")
    form.text(231, 46, "ANGULAR ± 3°", 1.8)
    for row, (name, deviation) in enumerate((("4 PLACES", "±"), ("3 PLACES", "± 0.1"), ("2 PLACES", "± 0.2"))):
        form.row(230, 38 - 6 * row, 6, [(35, name), (25, deviation)], 1.8)
    assert fields_of(form)["tolerances"] == "ANGULAR ±3°; 3 PLACES ±0.1; 2 PLACES ±0.2"


@pytest.mark.requirement("title.typical")
def test_a_number_under_the_title_is_the_parts_where_the_drawing_has_its_own() -> None:
    form = Form()
    form.box(FRAME)
    for low, text in ((55, "PLANETARY GEARBOX"), (40, "EG17-G100")):
        form.box((290, low, 410, low + 15))
        form.text(310, low + 5, text, 4.5)
    form.cell((290, 25, 370, 40), "DWG NO", "A1770")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    fields = fields_of(form)
    assert (fields["title"], fields["drawing_number"], fields["part_number"]) == (
        "PLANETARY GEARBOX",
        "A1770",
        "EG17-G100",
    )


@pytest.mark.requirement("title.company")
def test_the_line_that_a_web_address_in_its_cell_is_made_of_is_the_company_and_no_slogan() -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.lines(232, 45, ("Tarnow", "Motion control for university robotics", "tarnow.example"), 2.5)
    assert fields_of(form)["company"] == "Tarnow"


@pytest.mark.requirement("title.sheets")
def test_a_ratio_under_the_label_of_the_sheet_is_no_scale() -> None:
    form = Form()
    form.box(FRAME)
    form.cell((290, 25, 410, 40), "TITLE", "Bearing cover")
    form.cell((290, 10, 350, 25), "SCALE", "1 : 2")
    form.cell((350, 10, 410, 25), "SHEET", "1 : 1")
    fields = fields_of(form)
    assert (fields["scale"], fields["sheet"]) == ("1 : 2", "1 : 1")


@pytest.mark.requirement("title.languages")
def test_a_label_of_spread_letters_is_the_known_one() -> None:
    found = title_labels.read("N.º DE DIBUJ O")
    assert found is not None and found.key == "drawing_number"


@pytest.mark.requirement("title.languages")
def test_of_a_unit_in_two_languages_the_first_is_read_without_a_bracket() -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.lines(232, 45, ("Dimensions sont en millimètre", "(Dimensions are in millimeter)"), 1.8)
    assert fields_of(form)["units"] == "millimètre"


@pytest.mark.requirement("tables.languages")
def test_a_heading_of_spread_letters_is_the_known_one_where_it_is_long_enough() -> None:
    assert table_headers.concepts("DESC RIPTION") == table_headers.concepts("DESCRIPTION") != frozenset()
    assert table_headers.concepts("NA ME") == frozenset()


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("printed", "read"), [("L 0641", "L0641"), ("7W1C4", "7W1C4"), ("ABCDE", None)])
def test_a_cage_code_may_be_any_nations(printed: str, read: str | None) -> None:
    form = _block()
    form.cell((230, 10, 290, 25), "CAGE CODE", printed)
    assert fields_of(form).get("cage_code") == read


@pytest.mark.requirement("title.typical")
def test_a_number_under_the_title_is_the_drawings_where_no_label_names_one() -> None:
    form = Form()
    form.box(FRAME)
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.box((290, 25, 410, 40))
    form.text(310, 30, "RJC-191R", 3.5)
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    assert fields_of(form)["drawing_number"] == "RJC-191R"


@pytest.mark.requirement("title.hostile")
@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("Linear Tol.: ±0.2, Angular Tol.: 0°15'", True),
        ("Linear Tol.: ±0.2 mm, Angular Tol.: 1 deg", True),
        ("Linear Tol.: ±0.2, Angular Tol.: 1 " + 60 * "a", False),  # a unit has three letters at most: ends at once
        ("Linear Tol.: ±0.2, Angular Tol.: 1 " + 20 * "a " + "mils", False),
    ],
)
def test_a_line_of_named_deviations_is_told_from_any_other_however_long(line: str, stated: bool) -> None:
    form = _block()
    form.box((290, 55, 410, 62))
    form.text(292, 57, line, 1.8)
    assert (fields_of(form).get("tolerances") == line) is stated
