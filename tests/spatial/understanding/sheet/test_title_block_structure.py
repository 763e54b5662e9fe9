"""Title blocks by structure alone: forms that stand turned, labels on the base line of their values, names of several lines."""

from __future__ import annotations

import pytest

from spatial.knowledge.value_forms import full_date
from tests.spatial.forms import Form, fields_of, framed_form, labelled_block


def _turned_form() -> Form:
    """A block of labels in no known language that reads upwards, at the lower left."""
    form = Form()
    form.box((10, 10, 410, 287))
    for low, label, value in (
        (10, "Vordu", "A. Tarnow"),
        (60, "Meskal", "1:2"),
        (110, "Petrim", "2 / 3"),
        (160, "Ulbert", "HK-4711-02"),
    ):
        form.box((10, low, 30, low + 50))
        form.text(13, low + 1, label, 1.8, angle=90)
        form.text(24, low + 2, value, 3.5, angle=90)
    return form


@pytest.mark.requirement("title.form")
def test_a_form_without_a_known_label_is_read_in_the_direction_in_which_it_stands() -> None:
    fields = fields_of(_turned_form())
    assert (fields["scale"], fields["sheet"], fields["Vordu"]) == ("1:2", "2 / 3", "A. Tarnow")


def _pairs_on_base_lines(*, over: bool = False) -> Form:
    """Small labels with colons before large values; over: one of them under its value."""
    form = framed_form()
    for place, (label, value) in enumerate((("Vordu", "A. Tarnow"), ("Meskal", "1:2"), ("Petrim", "2 / 3"))):
        left = 290 + 40 * place
        form.box((left, 10, left + 40, 22))
        form.text(left + 1, 13, f"{label}:", 2.0)
        form.text(left + 18, 13, value, 4.2)
    form.box((290, 22, 410, 44))
    form.text(320, 36, "Bearing cover", 5)
    form.text(*((291, 24) if over else (291, 40)), "Hosgal:", 2.0)
    return form


@pytest.mark.requirement("title.form")
def test_a_small_label_on_the_base_line_of_a_large_value_is_its_label() -> None:
    fields = fields_of(_pairs_on_base_lines())
    assert (fields["scale"], fields["sheet"], fields["Vordu"]) == ("1:2", "2 / 3", "A. Tarnow")


@pytest.mark.requirement("title.form")
def test_a_label_with_a_colon_under_larger_lettering_alone_in_its_cell_is_its_label() -> None:
    assert fields_of(_pairs_on_base_lines(over=True))["title"] == "Bearing cover"


@pytest.mark.requirement("title.form")
def test_a_date_that_is_a_text_of_its_own_behind_a_name_with_figures_is_no_part_of_it() -> None:
    form = framed_form()
    for place, (label, value) in enumerate((("Vordu", "Team 9"), ("Meskal", "1:2"), ("Petrim", "2 / 3"))):
        form.cell((290 + 40 * place, 10, 330 + 40 * place, 22), label, value)
    form.text(312, 15, "12/21/2024", 3.5)
    form.cell((290, 22, 410, 44), "Hosgal", "Bearing cover", size=5)
    fields = fields_of(form)
    assert (fields["Vordu"], fields["date"]) == ("Team 9", "12/21/2024")


@pytest.mark.requirement("title.printed")
def test_a_label_somewhat_larger_than_the_others_over_its_value_is_one_too() -> None:
    form = framed_form()
    for place, (label, value) in enumerate((("Vordu", "A. Tarnow"), ("Meskal", "1:2"), ("Petrim", "2 / 3"))):
        form.cell((290 + 40 * place, 10, 330 + 40 * place, 22), label, value)
    form.cell((290, 22, 410, 44), "Hosgal", "Bearing cover", size=5, small=2.3)
    assert fields_of(form)["title"] == "Bearing cover"


@pytest.mark.requirement("title.languages")
def test_the_end_of_a_name_begins_no_date() -> None:
    assert full_date("R. KUMAR 18-05-2024") == "18-05-2024"
    assert full_date("MAR 18, 2024") == "MAR 18, 2024"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (("TARNOW UNIVERSITY", "DEPARTMENT OF MACHINES"), "TARNOW UNIVERSITY DEPARTMENT OF MACHINES"),
        (("塔尔诺科技有限公司", "TARNOW TECHNOLOGY CO.,LTD"), "塔尔诺科技有限公司 TARNOW TECHNOLOGY CO.,LTD"),
    ],
)
def test_a_department_and_the_same_name_in_another_script_belong_to_the_name_over_them(
    lines: tuple[str, str], name: str
) -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.text(232, 40, lines[0], 3.0)
    form.text(232, 34, lines[1], 1.8)
    assert fields_of(form)["company"] == name


@pytest.mark.requirement("title.company")
def test_a_department_in_the_address_under_a_name_is_a_part_of_the_address() -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.text(232, 40, "TARNOW UNIVERSITY", 3.0)
    form.lines(232, 34, ("Department of Machines", "12 Mill Road", "Tarnow"), 1.8)
    assert fields_of(form)["company"] == "TARNOW UNIVERSITY"


@pytest.mark.requirement("title.place-tolerances")
def test_angles_by_decimal_places_are_listed_behind_the_lengths() -> None:
    form = labelled_block()
    form.box((190, 10, 290, 40))
    for low, length, angle in (
        (32, "X. ±0.3", "X.° ±5°"),
        (25, "X.X ±0.2", "X.X° ±4°"),
        (18, "X.XX ±0.1", "X.XX° ±3°"),
    ):
        form.text(195, low, length, 2.0)
        form.text(240, low, angle, 2.0)
    assert fields_of(form)["tolerances"] == "X. ±0.3; X.X ±0.2; X.XX ±0.1; X.° ±5°; X.X° ±4°; X.XX° ±3°"


@pytest.mark.requirement("title.place-tolerances")
@pytest.mark.parametrize(
    ("rows", "listed"),
    [
        ((("X.X ±0.2", "X.X° ±4°"), ("X.XX ±0.1", "X.XX° ±3°")), "X.X ±0.2; X.XX ±0.1; X.X° ±4°; X.XX° ±3°"),
        ((("X.X ±0.2", "X.X° ±"), ("X.XX ±0.1", "X.XX° ±3°")), None),
    ],
)
def test_a_list_that_is_ruled_entry_by_entry_is_whole_or_none(
    rows: tuple[tuple[str, str], ...], listed: str | None
) -> None:
    form = labelled_block()
    for place, (length, angle) in enumerate(rows):
        form.row(230, 30 - 8 * place, 8, [(30, length), (30, angle)], 2.0)
    assert fields_of(form).get("tolerances") == listed


@pytest.mark.requirement("title.place-tolerances")
def test_a_list_of_which_a_deviation_was_not_read_is_none() -> None:
    form = labelled_block()
    form.box((190, 10, 290, 40))
    form.lines(195, 34, ("X.X ±0.2", "X.XX ±0.1     X"), 2.0)
    assert "tolerances" not in fields_of(form)
    label = labelled_block()
    label.cell((230, 10, 290, 55), "TOLERANCES", "1 PLC 2 PLC 3 PLC\nANGLES ±1", size=2.0)
    assert "tolerances" not in fields_of(label)
