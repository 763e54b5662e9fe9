"""Rows and columns of a title block: whose name stands where, and what stands there that is nobody's name."""

from __future__ import annotations

import pytest

from spatial.knowledge import title_labels
from tests.spatial.forms import Form, fields_of, framed_form


def _block() -> Form:
    """Cells over the lower edge of the sheet that make a block: scale and revision."""
    form = framed_form()
    form.cell((330, 40, 370, 55), "SCALE", "1:2")
    form.cell((370, 40, 410, 55), "REV", "B")
    return form


@pytest.mark.requirement("title.roles")
def test_one_name_under_a_label_of_two_roles_is_the_name_of_both() -> None:
    form = _block()
    form.cell((290, 40, 330, 55), "Checked/Approved by:", "A. Tarnow")
    fields = fields_of(form)
    assert (fields["checked_by"], fields["approved_by"]) == ("A. Tarnow", "A. Tarnow")


@pytest.mark.requirement("title.roles")
def test_where_several_roles_share_a_cell_the_name_is_on_the_line_of_its_label() -> None:
    form = _block()
    form.box((250, 40, 330, 55))
    for row, (label, name) in enumerate(
        (("DRAWN:", "A. Tarnow"), ("CHECKED:", "B. Fargel"), ("APPROVED:", "C. Lindmo"))
    ):
        form.text(252, 51 - 4 * row, label, 1.8)
        form.text(275, 51 - 4 * row, name, 1.8)
    fields = fields_of(form)
    assert [fields[key] for key in ("drawn_by", "checked_by", "approved_by")] == ["A. Tarnow", "B. Fargel", "C. Lindmo"]


@pytest.mark.requirement("title.empty")
def test_a_role_whose_cell_has_no_name_where_others_have_theirs_is_empty() -> None:
    form = _block()
    for row, texts in enumerate((("DRAWN:", "A. Tarnow"), ("APPR:", ""))):
        form.box((250, 48 - 7 * row, 330, 55 - 7 * row))
        form.text(252, 50 - 7 * row, texts[0], 2.5)
        if texts[1]:
            form.text(290, 50 - 7 * row, texts[1], 2.5)
    form.row(330, 30, 10, [(40, "Tarnow Fargel"), (40, "P. 1 of 2")])
    fields = fields_of(form)
    assert fields["drawn_by"] == "A. Tarnow"
    assert "approved_by" not in fields
    assert fields["sheet"] == "1 of 2"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("text", ["A3", "ISO A3"])
def test_a_paper_format_is_nobodys_name(text: str) -> None:
    form = _block()
    form.row(250, 30, 10, [(40, "APPROVED"), (40, text)])
    assert "approved_by" not in fields_of(form)


@pytest.mark.requirement("title.empty")
def test_a_parameter_that_a_program_did_not_replace_is_no_name() -> None:
    form = _block()
    form.cell((250, 40, 330, 55), "DRAWN", "=PCB_ENGINEER")
    assert "drawn_by" not in fields_of(form)


@pytest.mark.requirement("title.empty")
def test_a_word_that_goes_on_a_column_of_labels_is_no_value_of_the_last_one() -> None:
    form = _block()
    for row, label in enumerate(("QA", "CUST", "TARNOWED")):
        form.row(250, 45 - 10 * row, 10, [(80, label)])
    assert "customer" not in fields_of(form)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("number", "title"), [("T-17", "Fargel Lindmo"), ("Tarnow", "Fargel Lindmo")])
def test_a_number_stands_before_edition_and_sheet_and_the_title_over_them(number: str, title: str) -> None:
    form = framed_form()
    form.cell((250, 50, 330, 60), "DRAWN BY", "A. Tarnow", size=2.5)
    form.cell((330, 50, 410, 60), "DATE", "2024-01-02", size=2.5)
    form.row(250, 30, 20, [(160, title)], 4.0)
    form.row(250, 10, 20, [(80, number)], 4.0)
    form.cell((330, 10, 370, 30), "Edition", "2")
    form.cell((370, 10, 410, 30), "Sheet", "1 / 1")
    fields = fields_of(form)
    assert fields["title"] == title
    assert fields.get("drawing_number") == (number if number == "T-17" else None)


@pytest.mark.requirement("title.typical")
def test_a_unit_alone_in_square_brackets_is_the_sheets() -> None:
    form = _block()
    form.row(330, 30, 10, [(80, "[mm]")])
    assert fields_of(form)["units"] == "mm"


@pytest.mark.requirement("title.typical")
def test_a_line_of_a_form_that_nobody_completed_states_no_tolerance() -> None:
    form = _block()
    form.row(250, 30, 10, [(160, "General tolerances according to DIN ISO 2768 - ...")])
    assert "tolerances" not in fields_of(form)


@pytest.mark.requirement("title.company")
def test_a_label_in_two_languages_over_a_larger_value_is_no_company() -> None:
    form = _block()
    form.box((250, 20, 410, 40))
    form.text(252, 36, "CAD-System / cad system", 1.8)
    form.text(252, 26, "Tarnow", 5.0)
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.company")
def test_a_notice_without_a_year_names_the_holder_behind_the_word_copyright() -> None:
    form = _block()
    form.text(60, 40, "Copyright (C) Tarnow Ltd (tarnow.example)")
    assert fields_of(form)["company"] == "Tarnow Ltd"


@pytest.mark.requirement("title.cells")
def test_a_long_label_may_lack_its_last_letters() -> None:
    found = title_labels.read("Sprawdzony prze")
    assert found is not None
    assert found.key == "checked_by"
    assert title_labels.read("Sprawdzony") is None


@pytest.mark.requirement("title.cells")
def test_a_column_of_labels_behind_a_row_of_them_has_its_values_beside() -> None:
    form = _block()
    form.row(250, 25, 15, [(20, "WEIGHT"), (20, "SCALE"), (25, "DRAWING NO."), (25, "KVT-06001-b")], 2.5)
    form.row(250, 10, 15, [(20, "0.4 kg"), (20, "1.5:1"), (25, "TITLE"), (25, "Slide plate")], 2.5)
    fields = fields_of(form)
    assert (fields["drawing_number"], fields["title"]) == ("KVT-06001-b", "Slide plate")
    assert fields["weight"] == "0.4 kg"
