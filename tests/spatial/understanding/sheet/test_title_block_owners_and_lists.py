"""Fields of the title block by place and by statement: none, numbers and owners without a label, lists of tolerances under headings."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.tolerance_box import tolerances
from tests.spatial.forms import Form, fields_of, framed_form


def _block(**further: str) -> Form:
    form = framed_form()
    form.cell((290, 55, 410, 70), "TITLE", "Bearing cover")
    form.cell((290, 40, 350, 55), "SCALE", "1:2")
    form.cell((350, 40, 410, 55), "SHEET", "1 OF 2")
    for place, (label, value) in enumerate(further.items()):
        left = 290 + 60 * (place % 2)
        low = 25 - 15 * (place // 2)
        form.cell((left, low, left + 60, low + 15), label, value)
    return form


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("label", "key"), [("MATERIAL", "material"), ("FINISH", "finish"), ("WEIGHT", "weight")])
@pytest.mark.parametrize("value", ["N/A", "NA"])
def test_what_a_drafter_says_does_not_apply_is_the_value_of_its_field(label: str, key: str, value: str) -> None:
    assert fields_of(_block(**{label: value}))[key] == value


@pytest.mark.requirement("title.cells")
def test_a_label_that_may_name_something_else_does_not_say_that_there_is_none() -> None:
    assert "finish" not in fields_of(_block(**{"SURFACE ROUGHNESS": "N/A"}))


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize("label", ["COLOUR", "FARBE", "颜色"])
def test_a_colour_is_no_finish(label: str) -> None:
    assert "finish" not in fields_of(_block(**{label: "BLACK"}))


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize("value", ["1 OF 1", "pump_board.prjpcb"])
def test_a_sheet_of_several_and_the_name_of_a_file_are_no_project(value: str) -> None:
    assert "project" not in fields_of(_block(PROJECT=value))


@pytest.mark.requirement("title.empty")
def test_a_placeholder_that_is_set_letter_by_letter_is_one() -> None:
    form = framed_form()
    form.cell((290, 40, 350, 55), "SCALE", "1:2")
    form.cell((350, 40, 410, 55), "SHEET", "1 OF 2")
    form.cell((290, 25, 350, 40), "DATE", "2024-03-05")
    form.cell((350, 25, 410, 40), "SIZE", "A3")
    form.cell((290, 55, 410, 70), "", "S u b title", size=5)
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.cells")
def test_a_model_is_the_number_of_the_part() -> None:
    assert fields_of(_block(MODEL="TR-400-8"))["part_number"] == "TR-400-8"


@pytest.mark.requirement("title.cells")
def test_a_sheet_of_several_whose_blank_is_lost_is_one() -> None:
    form = _block(DATE="2024-03-05")
    form.texts = [text for text in form.texts if text.text not in ("SHEET", "1 OF 2")]
    form.text(352, 45, "SHEET3 OF 7", 2.5)
    assert fields_of(form)["sheet"] == "3 OF 7"


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("text", "other", "number"),
    [("HK4711", "", "HK4711"), ("HK4711", "RM-2210", None), ("11-CPU", "", None), ("17.5µm", "", None)],
)
def test_the_only_assigned_number_of_a_block_without_a_label_of_one_is_the_sheets(
    text: str, other: str, number: str | None
) -> None:
    form = _block(DATE="2024-03-05")
    form.cell((350, 25, 410, 40), "", text, size=2.5)
    form.cell((290, 10, 410, 25), "", other, size=2.5)
    assert fields_of(form).get("drawing_number") == number


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("name", "owner"), [("Tarnow", "Tarnow"), ("Checked by hand: yes", None), ("Rev 3", None)])
def test_the_name_right_over_the_labelled_lines_of_a_form_is_its_owner(name: str, owner: str | None) -> None:
    form = framed_form()
    form.box((290, 10, 410, 60))
    lines = (name, "Sheet: /", "File: pump.kicad_sch", "Title: Pump board", "Size: A4", "Id: 1/3")
    for row, line in enumerate(lines):
        form.text(292, 52 - 6 * row, line, 2.5)
    form.text(330, 28, "Date: 2024-03-05", 2.5)
    form.text(380, 28, "Rev: B", 2.5)
    fields = fields_of(form)
    assert fields["title"] == "Pump board"
    assert fields.get("company") == owner


@pytest.mark.requirement("title.typical")
def test_the_word_before_a_telephone_number_does_not_hide_whose_address_it_is() -> None:
    form = _block(DATE="2024-03-05")
    form.box((190, 10, 290, 55))
    lines = ("TARNOW PRECISION LTD", "Mill Lane 4", "Tel: +44 (172) 2920262 Website: www.tarnow.example")
    for row, line in enumerate(lines):
        form.text(192, 45 - 10 * row, line, 3 if not row else 2)
    assert fields_of(form)["company"] == "TARNOW PRECISION LTD"


@pytest.mark.requirement("title.cells")
def test_the_heads_of_columns_are_no_values_of_each_other() -> None:
    form = _block(DATE="2024-03-05")
    for place, (head, value) in enumerate(
        (("AREA", "22"), ("KIND", "4 DIGITS"), ("FINISH", "5"), ("PLACE", "6 DIGITS"))
    ):
        left = 190 + 25 * place
        form.box((left, 30, left + 25, 40))
        form.text(left + 2, 33, head, 2)
        form.box((left, 20, left + 25, 30))
        form.text(left + 2, 23, value, 2)
    assert "finish" not in fields_of(form)


@pytest.mark.requirement("title.cells")
def test_the_heading_of_remarks_beside_a_label_is_no_value() -> None:
    form = _block(DATE="2024-03-05")
    form.box((230, 10, 260, 20))
    form.text(232, 13, "FINISH", 2)
    form.box((260, 10, 290, 20))
    form.text(262, 13, "REMARKS", 2)
    assert "finish" not in fields_of(form)


def _lines(*texts: str) -> list[Item]:
    return [Item(text, (0.0, -5.0 * row, 50.0, 3.0 - 5.0 * row), 3.0, f"a{row}", row) for row, text in enumerate(texts)]


@pytest.mark.requirement("title.tolerances")
def test_the_heading_of_a_second_list_of_deviations_stands_before_its_first_entry() -> None:
    stated = tolerances(
        _lines(
            "ON CASTINGS AND UNMACHINED PARTS",
            "AND FABRICATIONS ±0.5 mm",
            "ON MACHINED DIMENSIONS:",
            "WHOLE UNITS ±0.2 mm",
            "ONE PLACE ±0.1 mm",
            "BREAK ALL SHARP EDGES 0.1 TO 0.5",
        )
    )
    assert stated == (
        "ON CASTINGS AND UNMACHINED PARTS AND FABRICATIONS ±0.5 mm; "
        "ON MACHINED DIMENSIONS: WHOLE UNITS ±0.2 mm; ONE PLACE ±0.1 mm"
    )


@pytest.mark.requirement("title.tolerances")
def test_classes_in_the_cell_beside_their_standard_belong_to_it() -> None:
    form = _block(DATE="2024-03-05")
    form.box((190, 30, 240, 55))
    form.text(192, 49, "General tolerances", 2)
    form.text(192, 42, "UNI EN", 2)
    form.text(192, 36, "22768-1 / 22768-2", 2)
    form.box((240, 30, 290, 55))
    form.text(242, 46, "Dimensional tolerance class -m", 2)
    form.text(242, 38, "Geometric tolerance class -K", 2)
    stated = "UNI EN; 22768-1 / 22768-2; Dimensional tolerance class -m; Geometric tolerance class -K"
    assert fields_of(form)["tolerances"].replace(";", "") == stated.replace(";", "")


@pytest.mark.requirement("title.cells")
def test_the_next_line_of_a_centred_title_belongs_to_it_however_far_its_label_is() -> None:
    form = framed_form()
    form.cell((290, 40, 350, 55), "SCALE", "1:2")
    form.cell((350, 40, 410, 55), "SHEET", "1 OF 2")
    form.cell((210, 55, 410, 90), "TITLE")
    form.text(225, 80, "Cover of the upper bearing with a long name, complete with", 2.5)
    form.text(260, 75, "seals and springs", 2.5)
    form.text(272, 68, "Version: 1.2", 2.2)
    assert fields_of(form)["title"] == "Cover of the upper bearing with a long name, complete with seals and springs"


@pytest.mark.requirement("title.open")
@pytest.mark.parametrize(("number", "title"), [("DWG No.", "Bearing cover"), ("Keywords", None)])
def test_a_form_without_rules_is_told_by_its_many_labels_one_of_them_a_number(number: str, title: str | None) -> None:
    form = framed_form()
    rows = (
        (52.0, (("Created by", "A. Mason"), ("Approved by", ""))),
        (38.0, (("Title", "Bearing cover"), (number, ""))),
        (24.0, (("Rev.", ""), ("Date of issue", "2024-03-05"), ("Sheet", "1/1"))),
    )
    for height, row in rows:
        for place, (label, value) in enumerate(row):
            form.text(240 + 60 * place, height + 0.2 * place, label, 1.8)
            if value:
                form.text(240 + 60 * place, height - 5, value, 3)
    assert fields_of(form).get("title") == title
