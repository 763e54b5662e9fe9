"""Labels that no vocabulary has, as every new office brings some: what they name is no value of another field, and they are none."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form


def _block() -> Form:
    """Scale, sheet and drafter in cells over the lower edge."""
    form = framed_form()
    form.cell((290, 10, 330, 24), "SCALE", "1:2")
    form.cell((330, 10, 370, 24), "SHEET", "1 OF 2")
    form.cell((370, 10, 410, 24), "DRAWN", "A. Tarnow")
    return form


@pytest.mark.requirement("title.row-of-labels")
@pytest.mark.parametrize(("height", "drawn_by"), [(2.0, "TOM"), (3.0, "Zorgal TOM")])
def test_a_word_in_the_row_of_a_label_lettered_as_it_over_a_larger_value_is_a_label(
    height: float, drawn_by: str
) -> None:
    form = framed_form()
    form.row(290, 10, 14, [(60, "SCALE 1:2"), (60, "SHEET 1 OF 2")], 2)
    form.box((290, 24, 410, 44))
    form.text(292, 38, "DRAWN BY", 2.0)
    form.text(350, 38, "Zorgal", height)
    form.text(292, 30, "TOM", 3.0)
    form.text(349, 30, "2006/02/15", 3.0)
    fields = fields_of(form)
    assert fields.get("drawn_by") == drawn_by


@pytest.mark.requirement("title.typical")
def test_the_label_of_the_title_level_with_headings_of_roles_is_no_heading() -> None:
    """Its field is empty, so that the large number under an unknown label is not the title."""
    form = framed_form()
    form.row(230, 44, 6, [(20, ""), (20, "NAME"), (20, "SIGNATURE"), (20, "DATE")], 1.8)
    for row, role in enumerate(("DRAWN", "CHECKED", "APPROVED")):
        form.row(230, 38 - 6 * row, 6, [(20, role), (20, ""), (20, ""), (20, "")], 1.8)
    form.box((310, 34, 410, 50))
    form.text(311, 46, "TITLE:", 1.8)
    form.cell((310, 20, 410, 34), "Zorgal", "cover_left_2020", size=6)
    form.row(310, 10, 10, [(50, "SCALE: 1:1"), (50, "SHEET 1 OF 1")], 1.8)
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("size", "title"), [(6.0, "Gripper"), (4.4, None), (3.4, "Alma Ferrante")])
def test_a_name_is_no_title_beside_one_as_large_under_an_unknown_label(size: float, title: str | None) -> None:
    form = _block()
    form.row(290, 58, 10, [(60, "DWG NO. 169.02.04"), (60, "SIZE A3")], 2)
    form.row(290, 44, 14, [(120, "")], 2)
    form.text(300, 49, "Alma Ferrante", 4.5)
    form.cell((290, 24, 410, 44), "Zorgal", "Gripper", size=size, small=1.8)
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.typical")
def test_the_date_far_behind_a_word_in_its_line_is_read_without_it() -> None:
    form = _block()
    form.box((290, 24, 410, 34))
    form.text(292, 28, "Zorga", 2.5)
    form.text(375, 28, "2023-06-30", 2.5)
    assert fields_of(form).get("date") == "2023-06-30"


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("is_along", [True, False])
def test_a_name_along_the_head_of_a_block_is_no_title_over_another_name(is_along: bool) -> None:
    form = _block()
    form.row(290, 24, 14, [(60, "DWG NO. 169.02.04"), (60, "SIZE A3")], 2)
    form.box((290, 38, 410, 50))
    form.text(300, 42, "Drainage Hole", 4)
    form.box((290, 50, 410 if is_along else 350, 66))
    if not is_along:
        form.cell((350, 50, 410, 66), "CHECKED", "W. Blum")
    form.text(292, 55, "Wing spar", 6)
    fields = fields_of(form)
    assert fields.get("title") == (None if is_along else "Wing spar")
    assert "company" not in fields or not is_along


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("size", "company"), [(1.8, None), (4.0, "Zorgal Tarnow")])
def test_smaller_words_over_what_may_be_a_postal_code_are_a_label_and_no_owner(
    size: float, company: str | None
) -> None:
    form = _block()
    form.box((290, 24, 410, 40))
    form.text(296, 34, "Zorgal Tarnow", size)
    form.text(330, 27, "M10000814", 3.0)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.empty")
def test_the_cell_beside_a_label_with_an_unknown_label_of_its_own_is_not_its_value() -> None:
    form = _block()
    form.row(290, 24, 16, [(40, "CUSTOMER")], 3.0)
    form.box((330, 24, 410, 40))
    form.text(331, 35, "Zorgal", 3.0)
    form.text(345, 27, "SERVICES PLATFORM", 4.0)
    assert "customer" not in fields_of(form)
