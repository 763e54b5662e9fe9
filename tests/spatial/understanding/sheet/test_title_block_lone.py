"""Sheets without a block: the title is the heading over the views or the line under them, in lettering larger than all else."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of


def _views() -> Form:
    """A sheet with sizes on it and nothing ruled."""
    form = Form()
    for place, size in enumerate(("12,5", "40", "R8", "120", "⌀6")):
        form.text(80 + 40 * place, 100 + 15 * place, size, 3)
    form.text(150, 180, "coupe fraisée", 3)
    return form


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize("y", [260, 20])
@pytest.mark.parametrize(
    "title", ["Gleitschiene rechts", "COUVERCLE AVANT", "Держатель датчика", "Sensor holder (left)", "支持台の外形"]
)
def test_words_over_or_under_all_else_and_larger_than_it_are_the_title(title: str, y: float) -> None:
    form = _views()
    form.text(60, y, title, 7)
    assert fields_of(form) == {"title": title}


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize(
    ("text", "height", "y"),
    [
        ("Gleitschiene rechts", 3.2, 260),  # no larger than the rest
        ("Gleitschiene rechts", 7, 130),  # among the views
        ("Vorderansicht", 7, 260),  # the name of a view
        ("Schnitt B-B", 7, 260),
        ("VIEW X 2:1", 7, 260),
        ("www.example.org", 7, 260),  # an address
        ("M12", 7, 260),  # no words
        ("mm Messing blank", 7, 260),  # a thickness whose number is not read
    ],
)
def test_no_other_lettering_of_a_sheet_without_a_block_is_a_title(text: str, height: float, y: float) -> None:
    form = _views()
    form.text(60, y, text, height)
    assert fields_of(form) == {}


@pytest.mark.requirement("title.lone")
def test_two_lines_of_one_lettering_are_one_title() -> None:
    form = _views()
    form.text(60, 270, "Gehäuse oben", 7)
    form.text(60, 259, "Lage der Bohrungen", 7)
    assert fields_of(form)["title"] == "Gehäuse oben Lage der Bohrungen"


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize(("text", "unit"), [("Unit: mm", "mm"), ("Einheit : mm", "mm"), ("Dimensions: [mm]", None)])
def test_the_unit_after_its_label_holds_for_a_sheet_without_a_block_and_one_in_brackets_for_its_view(
    text: str, unit: str | None
) -> None:
    form = _views()
    form.text(300, 230, text, 3)
    assert fields_of(form).get("units") == unit


@pytest.mark.requirement("title.lone")
def test_sizes_that_are_lettered_aslant_are_sizes_of_the_sheet_as_well() -> None:
    form = Form()
    form.text(60, 260, "Gleitschiene rechts", 7)
    assert fields_of(form) == {}
    for place, size in enumerate(("R8", "⌀6", "R120")):
        form.text(80 + 40 * place, 100, size, 3)
        form.texts[-1].angle = 37.0
    assert fields_of(form) == {"title": "Gleitschiene rechts"}


@pytest.mark.requirement("title.lone")
def test_an_address_lettered_larger_than_the_title_does_not_hide_it() -> None:
    form = _views()
    form.text(60, 260, "Sensor holder", 7)
    form.text(60, 20, "www.example.org", 10)
    assert fields_of(form) == {"title": "Sensor holder"}


@pytest.mark.requirement("title.lone")
def test_sizes_with_their_unit_are_sizes_of_a_sheet_without_a_block() -> None:
    form = Form()
    for place, size in enumerate(("12.50 mm", "40.00 mm", "8.00 mm")):
        form.text(80 + 40 * place, 100 + 15 * place, size, 3)
    form.text(60, 20, "Gleitschiene / V04", 7)
    assert fields_of(form) == {"title": "Gleitschiene / V04"}


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize(
    ("lines", "material"),
    [
        (["Material: Messing"], "Messing"),
        (["Material: Messing", "Material: S235JR"], None),  # of two parts
        (["Material: to be agreed upon"], None),
    ],
)
def test_the_only_line_that_states_the_material_of_a_sheet_without_a_block_is_read(
    lines: list[str], material: str | None
) -> None:
    form = _views()
    form.text(60, 260, "Gleitschiene rechts", 7)
    for place, line in enumerate(lines):
        form.text(60, 240 - 12 * place, line, 3)
    assert fields_of(form).get("material") == material
