"""Blocks whose labels are of no known word, too few, or in two languages: the form of a value tells what no label does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.knowledge.title_labels import read
from spatial.models.sheet.drawing import Text
from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.title_block import half_read
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from tests.spatial.forms import Form, fields_of, framed_form, labelled_block


def _labels_under_values(date: str = "3.11.2021", further: str = "") -> Form:
    """A corner block whose labels stand in a row of cells under their values, so that no value is beside or under its label."""
    form = framed_form()
    form.row(290, 10, 5, [(30, "ECHELLE"), (30, "VISA"), (30, "DATE"), (30, "FOLIO")], size=2)
    form.row(290, 15, 12, [(30, "1:20"), (30, "Okt"), (30, date), (30, further or "Q")], size=2)
    form.cell((290, 27, 410, 45))
    form.text(295, 33, "Kettle bracket", 7)
    return form


@pytest.mark.requirement("title.typical")
def test_a_corner_block_with_too_few_labels_to_be_read_by_them_is_read_by_form_and_size() -> None:
    fields = fields_of(_labels_under_values())
    assert fields["title"] == "Kettle bracket" and fields["scale"] == "1:20" and fields["date"] == "3.11.2021"


@pytest.mark.requirement("title.typical")
def test_a_number_without_a_label_beside_others_with_labels_is_left_out() -> None:
    assert "drawing_number" not in fields_of(_labels_under_values(further="KB-0471-22"))


def _labelled(*further: str) -> Form:
    """A block with labels of which none names the paper or a date; `further` stand in cells under words of no known language."""
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 350, 40), "DWG NO", "HK-4711-02")
    form.cell((350, 25, 410, 40), "SCALE", "1:2")
    width = 120 / len(further)
    for place, value in enumerate(further):
        form.cell((290 + place * width, 10, 290 + (place + 1) * width, 25), "Zorvel " + "abcd"[place], value, size=3)
    return form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("further", "key", "value"),
    [
        (("A3", "Quil"), "size", "A3"),
        (("A3", "A4"), "size", None),
    ],
)
def test_a_form_of_which_the_block_has_one_value_names_it_whatever_its_label_says(
    further: tuple[str, ...], key: str, value: str | None
) -> None:
    assert fields_of(_labelled(*further)).get(key) == value


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("dates", "date"), [(("5/7/2024", "5/7/2024"), "5/7/2024"), (("5/7/2024", "6/7/2024"), None)])
def test_the_only_date_of_a_block_is_the_sheets_where_it_stands_alone(dates: tuple[str, ...], date: str | None) -> None:
    form = _labelled("A3", "Quil")
    for place, text in enumerate(dates):
        form.cell((270, 10 + 15 * place, 290, 25 + 15 * place))
        form.text(271, 15 + 15 * place, text, 2)
    assert fields_of(form).get("date") == date


def _in_two_languages(first: str, second: str, value: str) -> dict[str, str]:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 350, 40), "DWG NO", "HK-4711-02")
    form.cell((350, 25, 410, 40), "SHEET", "1/1")
    form.box((290, 10, 330, 25))
    form.lines(292, 20, (first, second), 2.5, 2.4)
    form.cell((330, 10, 410, 25))
    form.text(335, 15, value, 3)
    return fields_of(form)


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("first", "second", "key", "value"),
    [
        ("축척", "SCALE", "scale", "3:1"),
        ("尺度", "ZORVEL", "scale", "3:1"),
        ("재질", "MATERIAL", "material", "SUS304"),
    ],
)
def test_a_label_in_two_languages_in_two_lines_names_the_value_beside_its_cell(
    first: str, second: str, key: str, value: str
) -> None:
    assert _in_two_languages(first, second, value)[key] == value


def _over_values(labels: tuple[str, ...], further: tuple[str, ...]) -> Form:
    """Two rows of labels, each over a row of its values."""
    form = framed_form()
    rows = (labels, ("2021/2/14", "mm", "Q.LIU"), further, ("1/1", "Q.HUAN", "Q.OKT"))
    for place, row in enumerate(rows):
        form.row(290, 40 - 10 * place, 10, [(40, text) for text in row], size=2)
    return form


@pytest.mark.requirement("title.languages")
def test_labels_in_two_scripts_without_a_blank_between_make_a_form_and_no_table() -> None:
    form = _over_values(("日期DATE", "单位UNITS", "审核CHECK"), ("比例SCALE", "制图DRAW", "设计DESIGN"))
    fields = fields_of(form)
    assert {key: fields.get(key) for key in ("date", "units", "scale", "drawn_by")} == {
        "date": "2021/2/14", "units": "mm", "scale": "1/1", "drawn_by": "Q.HUAN",
    }  # fmt: skip


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [("日期DATE", "date"), ("DATE日期", "date"), ("축척SCALE", "scale"), ("日期SCALE", ""), ("日期ZORVEL", "")],
)
def test_labels_in_two_scripts_are_one_label_where_both_name_the_field(text: str, key: str) -> None:
    label = read(text)
    assert (label.key if label else "") == key


@pytest.mark.requirement("title.empty")
def test_a_weak_label_in_two_languages_may_head_a_row_of_a_table() -> None:
    assert _in_two_languages("颜色", "Color", "NC").get("finish") != "NC"


def _unfilled(filled: str, value: str) -> Form:
    """A form of many labels of which a single one has a value under it."""
    form = framed_form()
    labels = ["PART NO", "SCALE", "WEIGHT", "MATERIAL", "DRAWN BY", "CHECKED BY", "APPROVED BY", "DATE"]
    for place, label in enumerate(labels):
        left = 290 + 30 * (place % 4)
        form.cell((left, 10 + 15 * (place // 4), left + 30, 25 + 15 * (place // 4)), label, size=2)
    form.cell((290, 40, 410, 55), filled, value, size=4)
    return form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("label", ["DESCRIPTION", "TITLE"])
def test_a_form_of_many_labels_is_a_block_whichever_of_them_is_filled_in(label: str) -> None:
    assert fields_of(_unfilled(label, "Idler arm"))["title"] == "Idler arm"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    ("number", "read"), [("DOC_NO_PCB.Item", None), ("DWG_NO_ASSY", None), ("HEBEL_LINKS", "HEBEL_LINKS")]
)
def test_the_name_of_a_parameter_that_begins_with_the_label_of_a_number_is_none(number: str, read: str | None) -> None:
    assert fields_of(_unfilled("DWG NO", number)).get("drawing_number") == read


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("value", "read"), [("DOC_NO_PCB", None), ("K-4711", "K-4711")])
def test_such_a_name_is_no_value_of_a_label_of_no_known_word_either(value: str, read: str | None) -> None:
    form = labelled_block()
    form.cell((190, 10, 290, 25), "ZWEITE LISTE:", value)
    assert fields_of(form).get("ZWEITE LISTE") == read


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("gap", "is_whole"), [(3, True), (30, False)])
def test_the_name_of_a_company_drawn_as_outlines_is_left_out_where_a_word_of_it_is_missing(
    gap: float, is_whole: bool
) -> None:
    pieces = [
        Text(key, text, 1, (left, 18), 0, 5, width, (left, 18, left + width, 23), repairs=(FROM_OUTLINES,))
        for key, text, left, width in (("t1", "Tarnow Works", 100, 50), ("t2", "Ltd.", 150 + gap, 10))
    ]
    found = FieldReading("company", "Tarnow Works Ltd.", ("t1", "t2"), "typical place")
    sheet = replace(Form().sheet(), texts=pieces)
    assert half_read.without([found], sheet) == ([found] if is_whole else [])
