"""Forms whose labelled fields nobody filled in, and fields that say that there is nothing to say."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form, labelled_block

_LABELS = ("DRAWN BY", "CHECKED BY", "APPROVED BY", "DATE", "SHEET")


def _unfilled(labels: tuple[str, ...] = (*_LABELS, "SCALE"), number: str = "TNW-48K21-07(B)") -> Form:
    """A form whose labels have nothing beside them: over them the owner, and what it is with its maker's number."""
    form = framed_form()
    form.row(290, 50, 14, [(120, "TARNOW DRIVES CO., LTD")], 4)
    form.box((290, 26, 410, 50))
    form.text(300, 40, "Geared Stepper Drive", 4.2)
    form.text(300, 32, number, 4.0)
    form.row(290, 10, 16, [(20, label) for label in labels], 1.8)
    return form


@pytest.mark.requirement("title.typical")
def test_a_form_that_nobody_filled_in_by_its_labels_is_read_by_place_and_form() -> None:
    fields = fields_of(_unfilled())
    assert (fields.get("title"), fields.get("drawing_number"), fields.get("company")) == (
        "Geared Stepper Drive",
        "TNW-48K21-07(B)",
        "TARNOW DRIVES CO., LTD",
    )
    assert not {"scale", "drawn_by", "checked_by", "approved_by", "date", "sheet"} & set(fields)


@pytest.mark.requirement("title.empty")
def test_empty_labels_without_that_of_a_scale_are_no_form_of_a_drawing() -> None:
    """A history of changes and a list of signatures have headings for all of the others."""
    assert not fields_of(_unfilled(_LABELS))


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("number", ["6061-T6", "V2", "LEFT"])
def test_a_line_under_a_name_that_numbers_nothing_is_no_drawing_number(number: str) -> None:
    assert "drawing_number" not in fields_of(_unfilled(number=number))


@pytest.mark.requirement("title.typical")
def test_the_number_beside_a_label_whose_first_line_is_no_known_word_is_not_the_drawings() -> None:
    form = framed_form()
    form.row(290, 40, 14, [(40, "SCALE"), (20, "1:2"), (40, "DATE"), (20, "2021-10-04")], 2)
    form.row(290, 26, 14, [(40, "DRAWN"), (80, "L. Berg")], 2)
    form.box((290, 10, 330, 26))
    form.text(292, 20, "Zorgal", 2.0)
    form.text(292, 14, "Code", 2.0)
    form.row(330, 10, 16, [(80, "217HTNB2002-27")], 2.5)
    assert "drawing_number" not in fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("label", "finish"), [("FINISH:", "None"), ("SURFACE FINISH:", None), ("MATERIAL:", None)])
def test_none_in_the_own_cell_of_a_finish_is_its_value(label: str, finish: str | None) -> None:
    form = labelled_block()
    form.cell((290, 70, 350, 86), label, "None")
    fields = fields_of(form)
    assert fields.get("finish") == finish
    assert fields.get("material") != "None"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("heading", "date"), [("Description of Change", "2016-04-18"), ("Zorgal", "2016-04-22")])
def test_the_date_in_a_history_whose_rows_are_not_ruled_is_that_of_a_change(heading: str, date: str) -> None:
    form = framed_form()
    for left, right, head, value in (
        (200, 215, "Rel", "A"),
        (215, 240, "Date", "2016-04-22"),
        (240, 290, heading, "Original"),
    ):
        form.box((left, 10, right, 60))
        form.text(left + 1, 56, head, 2.0)
        form.text(left + 1, 50, value, 2.0)
    form.row(290, 44, 16, [(60, "SCALE 1:2"), (60, "SHEET 1/1")], 2)
    form.row(290, 27, 17, [(30, "DRAWN BY"), (30, "ASE"), (60, "Date 2016-04-18")], 2)
    form.row(290, 10, 17, [(60, "DWG NO. 169.02.04"), (60, "TITLE: Bracket")], 2)
    assert fields_of(form).get("date") == date
