"""Values that share a line, a cell or a notice with others: two fields of a line, a name beside its address, a number with its revision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, fields_of, framed_form, labelled_block


def _with_cell(*lines: str, height: float = 2.0) -> Form:
    """A labelled block with a further cell of some lines at its left."""
    form = labelled_block()
    form.box((220, 10, 290, 55))
    form.lines(223, 45, lines, height)
    return form


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("line", "units", "tolerances"),
    [
        ("UNITS: in TOLERANCE: +/-0.1", "in", "+/-0.1"),
        ("UNITS: in", "in", None),
        ("UNITS IN", None, None),
    ],
)
def test_a_unit_behind_a_colon_is_a_value_though_the_words_without_it_are_a_label(
    line: str, units: str | None, tolerances: str | None
) -> None:
    fields = fields_of(_with_cell("UNLESS NOTED OTHERWISE:", line))
    assert (fields.get("units"), fields.get("tolerances")) == (units, tolerances)


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    ("said", "weight"), [("Nie dotyczy", "Nie dotyczy"), ("Sans objet", "Sans objet"), ("Dorota Nowak", None)]
)
def test_a_weight_that_does_not_apply_says_so_in_the_words_of_its_language(said: str, weight: str | None) -> None:
    form = labelled_block()
    form.cell((230, 10, 290, 25), "MASA", said, size=3)
    assert fields_of(form).get("weight") == weight


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("said", "sheet"), [("1 de 2", "1 de 2"), ("3 de 2", None), ("1/2", None)])
def test_a_sheet_of_several_in_words_is_the_sheet_in_the_cell_of_another_label_too(
    said: str, sheet: str | None
) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "MATERIAL", "Steel")
    form.cell((350, 10, 410, 25), "SIZE", said)
    assert fields_of(form).get("sheet") == sheet


def _titled(second: str) -> dict[str, str]:
    """A block whose title has no label, with a smaller line under it in its cell."""
    form = framed_form()
    form.box((290, 40, 410, 60))
    form.text(310, 50, "TILTING PAD", 5)
    form.text(305, 44, second, 3)
    for left, label, value in ((290, "DWG NO", "4-04-2345"), (330, "SCALE", "1:2"), (370, "SHEET", "1/1")):
        form.cell((left, 25, left + 40, 40), label, value)
    for left, label, value in ((290, "DRAWN", "A. Mason"), (330, "DATE", "4.5.2021"), (370, "REV", "A")):
        form.cell((left, 10, left + 40, 25), label, value, size=2.5)
    return fields_of(form)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("second", "title"),
    [("(FOR REAR BEARING)", "TILTING PAD (FOR REAR BEARING)"), ("BEARING GROUP", "TILTING PAD")],
)
def test_a_smaller_line_in_brackets_under_a_title_belongs_to_it_and_a_group_does_not(second: str, title: str) -> None:
    assert _titled(second)["title"] == title


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("height", "last", "company"),
    [(3.0, "Leeds, WI 53706", "TARNOW CHEMISTRY INST. SHOP"), (1.5, "Leeds, WI 53706", None), (3.0, "Room S315", None)],
)
def test_the_larger_lines_beside_an_address_in_one_cell_are_the_company(
    height: float, last: str, company: str | None
) -> None:
    form = labelled_block()
    form.box((290, 55, 410, 75))
    form.lines(295, 70, ("TARNOW", "CHEMISTRY", "INST. SHOP"), height)
    form.lines(370, 70, ("12 Mill Road", "Room S315", last), 1.5)
    assert fields_of(form).get("company") == company


def _last_row(number: str, revision: str) -> dict[str, str]:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 350, 40), "MATERIAL", "Steel")
    form.cell((350, 25, 410, 40), "SCALE", "1:2")
    form.box((290, 10, 350, 25))
    form.text(300, 15, "SHEET 1 OF 2", 2.5)
    form.box((350, 10, 410, 25))
    form.text(352, 15, number, 2.5)
    form.text(390, 15, "REV", 2.5)
    form.text(400, 15, revision, 2.5)
    return fields_of(form)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("number", "read"), [("DT33296", "DT33296"), ("Bracket", None), ("12.5", None)])
def test_a_number_before_its_revision_on_one_line_of_a_cell_needs_no_label(number: str, read: str | None) -> None:
    fields = _last_row(number, "A")
    assert (fields.get("drawing_number"), fields["revision"]) == (read, "A")


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("notice", "company"),
    [
        ("No reproduïu sense l'autorització de la Fundació Tarnow", "Fundació Tarnow"),
        ("No reproduïu sense l'autorització de la direcció", None),
    ],
)
def test_a_notice_along_the_frame_names_the_owner_whose_permission_it_asks_for(
    notice: str, company: str | None
) -> None:
    form = labelled_block()
    form.text(16, 100, notice, 2.5, angle=90)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("lines", "scale"),
    [(("Not to", "Scale"), "Not to Scale"), (("Fuori", "scala"), "Fuori scala"), (("As", "noted"), None)],
)
def test_no_scale_is_stated_in_words_on_two_lines_of_a_cell(lines: tuple[str, str], scale: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 330, 25), "SHEET", "1 OF 2")
    form.box((330, 10, 370, 25))
    form.lines(335, 20, lines, 2.0)
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    assert fields_of(form).get("scale") == scale


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("date", ["28th August 2014", "August 28th, 2014", "1st May 2021"])
def test_a_day_with_its_ordinal_is_a_full_date_that_needs_no_label(date: str) -> None:
    form = labelled_block()
    form.box((230, 10, 290, 25))
    form.text(232, 15, date, 2.5)
    assert fields_of(form)["date"] == date


def _cell_of_lines(*lines: str, owner: str = "Tarnow Works Ltd.") -> dict[str, str]:
    """A block whose fields stand as lines of one cell, under a cell with its owner and beside one with a form's sentences."""
    form = framed_form()
    form.box((290, 55, 410, 75))
    form.text(300, 63, owner, 4)
    form.box((290, 10, 410, 55))
    form.lines(295, 47, lines, 4)
    form.box((220, 10, 290, 55))
    form.lines(223, 50, ("DIMENSIONS ARE IN INCHES", "TOLERANCES: .XX ±.010"), 2)
    return fields_of(form)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("lines", "owner", "title"),
    [
        (("VALVE SEAT", "BRANDT LAB", "MAT: ALUMINUM", "DRAWN BY: KLW"), "Tarnow Works Ltd.", "VALVE SEAT"),
        (("VALVE SEAT", "MAT: ALUMINUM", "DRAWN BY: KLW"), "Tarnow Works Ltd.", "VALVE SEAT"),
        (("VALVE SEAT", "MAT: ALUMINUM", "DRAWN BY: KLW"), "", None),
        (("VALVE SEAT", "TWO OFF", "SEE LIST", "MAT: ALUMINUM", "DRAWN BY: KLW"), "Tarnow Works Ltd.", None),
    ],
)
def test_the_first_line_over_lines_of_fields_in_one_cell_is_the_title_where_the_company_stands_elsewhere(
    lines: tuple[str, ...], owner: str, title: str | None
) -> None:
    assert _cell_of_lines(*lines, owner=owner).get("title") == title


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("notice", "company", "title"),
    [
        ("COPYRIGHT © 2016 BY TARNOWLABS", "TARNOWLABS", "MIRROR MOUNT WITH KNOBS"),
        ("COPYRIGHT © 2016 BY ADAM MASON", None, None),
    ],
)
def test_one_word_that_holds_the_copyright_is_a_firm_and_the_only_other_name_the_title(
    notice: str, company: str | None, title: str | None
) -> None:
    form = framed_form()
    form.box((290, 40, 410, 55))
    form.text(300, 46, "MIRROR MOUNT WITH KNOBS", 2.0)
    form.cell((290, 25, 350, 40), "MATERIAL", "Steel")
    form.cell((350, 25, 410, 40), "REV", "D")
    form.cell((290, 10, 350, 25), "PART NO", "TL-K2")
    form.cell((350, 10, 410, 25), "WEIGHT", "0.38 kg")
    form.box((220, 10, 290, 25))
    form.text(223, 16, notice, 1.8)
    form.box((220, 25, 290, 40))
    form.text(223, 31, "ALL SIZES ARE CALCULATED", 1.8)
    fields = fields_of(form)
    assert (fields.get("company"), fields.get("title")) == (company, title)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("said", "title"), [("Y", "Y"), ("7", None), ("-", None)])
def test_one_letter_in_the_cell_of_its_label_is_the_title(said: str, title: str | None) -> None:
    assert fields_of(labelled_block(title=said)).get("title") == title


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    ("lines", "tolerances"),
    [
        (
            ("tolerance:", "X.X ±0.30 mm", "X.XX ±0.20 mm", "PCB: ±0.05 mm"),
            "X.X ±0.30 mm; X.XX ±0.20 mm; PCB: ±0.05 mm",
        ),
        (("tolerance:", "X.X ±0.30 mm", "Colour black", "X.XX ±0.20 mm"), None),
        (("tolerance", "X.X ±0.30 mm", "X.XX ±0.20 mm"), None),
    ],
)
@pytest.mark.parametrize("has_block", [False, True])
def test_a_list_of_deviations_in_open_space_under_its_label_and_a_colon_states_the_tolerances(
    lines: tuple[str, ...], tolerances: str | None, has_block: bool
) -> None:
    form = labelled_block() if has_block else framed_form()
    form.lines(30, 260, lines, 3)
    assert fields_of(form).get("tolerances") == tolerances


def _beside_unit(value: str) -> dict[str, str]:
    """A block with a cell that holds a unit alone, with `value` in the cell left of it."""
    form = labelled_block()
    form.row(250, 10, 6, [(20, value), (20, "mm")])
    return fields_of(form)


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("value", "units"), [("0.8", None), ("16", None), ("", "mm")])
def test_a_unit_beside_a_number_in_its_row_is_the_numbers_and_alone_the_sheets(value: str, units: str | None) -> None:
    assert _beside_unit(value).get("units") == units


@pytest.mark.requirement("title.tolerances")
def test_one_entry_behind_the_label_of_a_list_is_not_the_list() -> None:
    form = labelled_block()
    form.box((220, 10, 290, 55))
    form.text(223, 45, "TOLERANCES: ANG: ±1°", 2)
    form.text(223, 40, ".XX ±.010", 2)
    form.text(255, 40, ".XXX ±.005", 2)
    form.text(250, 33, "THIRD ANGLE", 2)
    assert fields_of(form)["tolerances"] == "ANG: ±1°; .XX ±.010; .XXX ±.005"
    form = labelled_block()
    form.box((220, 10, 290, 55))
    form.text(223, 45, "TOLERANCES: ANG: ±1°", 2)
    form.text(223, 40, ".XX", 2)
    form.text(255, 40, ".XXX", 2)
    form.text(250, 33, "THIRD ANGLE", 2)
    assert "tolerances" not in fields_of(form)


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("last", "company"),
    [("Class: 201462", "TARNOW COLLEGE Department of Mechanics"), ("Scale: 1:5", None)],
)
def test_a_class_under_a_school_names_no_field_and_leaves_the_school_the_company(
    last: str, company: str | None
) -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.lines(235, 45, ("TARNOW COLLEGE", "Department of Mechanics", last), 2.2)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.empty")
def test_one_letter_that_was_read_from_outlines_may_be_the_rest_of_a_title_and_is_none() -> None:
    sheet = labelled_block(title="Y").sheet()
    drawn = [replace(text, repairs=(FROM_OUTLINES,)) if text.text == "Y" else text for text in sheet.texts]
    for texts, title in ((sheet.texts, "Y"), (drawn, None)):
        own = replace(sheet, texts=texts)
        found = find_title_block([own], {own.page: find_grids(own)}, frozenset())
        assert found is not None and found.block.fields.get("title") == title
