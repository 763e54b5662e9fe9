"""What stands at a role of a title block and names nobody."""

from __future__ import annotations

import pytest

from tests.spatial.forms import fields_of, framed_form, small_block


@pytest.mark.requirement("title.roles")
def test_by_names_the_drafter_where_no_other_label_does() -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.cell((350, 40, 410, 55), "BY", "A. Tarnow")
    form.cell((290, 20, 410, 40), "DWG NO", "830-00011")
    assert fields_of(form)["drawn_by"] == "A. Tarnow"
    form.cell((350, 55, 410, 70), "DRAWN BY")
    assert "drawn_by" not in fields_of(form)


@pytest.mark.requirement("title.roles")
def test_a_date_of_which_a_sign_is_not_read_gives_no_part_of_it() -> None:
    for written, date in (("20\ufffd1-03-05", None), ("2021-03-05", "2021-03-05")):
        form = framed_form()
        form.cell((290, 40, 320, 55), "SCALE", "1:2")
        form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
        form.cell((290, 20, 410, 40), "DWG NO", "830-00011")
        form.cell((350, 40, 410, 70), "DRAWN BY", f"Anna Tarnow\n{written}", size=3.0)
        fields = fields_of(form)
        assert (fields["drawn_by"], fields.get("date")) == ("Anna Tarnow", date)


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    ("name", "read"), [("Tarnow Eterna GmbH", "Tarnow Eterna GmbH"), ("Tarn\ufffdw Eterna GmbH", None)]
)
def test_a_name_with_a_letter_that_is_not_read_is_none(name: str, read: str | None) -> None:
    form = small_block()
    form.box((290, 55, 410, 65))
    form.text(292, 58, name, 2.5)
    assert fields_of(form).get("company") == read


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("small", "name"), [(1.8, None), (2.5, "Eterna Registry")])
def test_a_head_over_larger_lettering_in_the_next_cell_is_no_name_of_a_role(small: float, name: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.cell((350, 40, 410, 55), "DWG NO", "830-00011")
    form.cell((290, 20, 340, 40), "APPROVAL")
    form.cell((340, 20, 410, 40), "Eterna Registry", "7 Fargel", small=small, size=5.0)
    assert fields_of(form).get("approved_by") == name


@pytest.mark.requirement("title.roles")
def test_a_word_in_the_column_of_dates_is_no_part_of_a_name_and_initials_are_no_label() -> None:
    form = small_block()
    form.row(290, 34, 6, [(40, ""), (40, "NAME"), (40, "DATE")])
    form.row(290, 28, 6, [(40, "CHECKED"), (40, "S.T."), (40, "DRAFT")])
    form.row(290, 22, 6, [(40, "APPROVED"), (40, "B. L."), (40, "DRAFT")])
    read = fields_of(form)
    assert (read["checked_by"], read["approved_by"]) == ("S.T.", "B. L.")


@pytest.mark.requirement("title.roles")
def test_words_that_a_form_leaves_for_the_count_of_sheets_are_nobodys_name() -> None:
    form = small_block()
    form.row(290, 25, 15, [(60, "批准"), (60, "共 张 第 张")])
    assert "approved_by" not in fields_of(form)


@pytest.mark.requirement("title.roles")
def test_two_letters_of_a_label_are_no_initials() -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 350, 40), "D.R.", "W. Tarnow")
    form.cell((350, 25, 410, 40), "C/K", "I. Fargel")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    read = fields_of(form)
    assert (read["drawn_by"], read["checked_by"]) == ("W. Tarnow", "I. Fargel")


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("under", "person", "unit"), [("mm", None, "mm"), ("Tarnow", "Tarnow", None)])
def test_what_has_the_form_of_the_label_over_it_is_no_person_of_its_row(
    under: str, person: str | None, unit: str | None
) -> None:
    form = framed_form()
    form.row(290, 50, 10, [(20, "SCALE"), (20, "1:2"), (20, "SHEET"), (20, "1 OF 2")])
    form.row(290, 40, 10, [(30, "DRAWN"), (30, "B. Fargel"), (30, "UNITS")])
    form.row(290, 30, 10, [(30, "CHECKED"), (30, ""), (30, under)])
    fields = fields_of(form)
    assert (fields.get("checked_by"), fields.get("units")) == (person, unit)


@pytest.mark.requirement("title.empty")
def test_one_ideograph_is_no_name() -> None:
    form = framed_form()
    form.row(290, 50, 10, [(20, "比例"), (20, "1:2"), (20, "材料"), (20, "Q235")])
    form.row(290, 40, 10, [(30, "设计"), (30, "周建松")])
    form.row(290, 30, 10, [(30, "审核"), (30, "共")])
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("checked_by")) == ("周建松", None)


@pytest.mark.requirement("title.row-of-labels")
@pytest.mark.parametrize(
    ("first", "last", "height", "is_label"),
    [
        ("DESIGNED", "REVISION", 2.5, True),
        ("", "REVISION", 2.5, False),
        ("DESIGNED", "", 2.5, False),
        ("DESIGNED", "REVISION", 3.0, False),
    ],
)
def test_a_word_between_the_labels_of_a_row_is_no_person(first: str, last: str, height: float, is_label: bool) -> None:
    form = small_block()
    form.row(290, 30, 10, [(30, first), (30, "APPROVED"), (30, ""), (30, last)])
    form.text(351, 34, "FARGEL", height)
    form.row(290, 20, 10, [(30, ""), (30, "B. Eterna"), (30, "I. Sorgo"), (30, "B")])
    assert fields_of(form)["approved_by"] == ("B. Eterna" if is_label else "FARGEL")


@pytest.mark.requirement("title.row-of-labels")
@pytest.mark.parametrize(("rise", "person"), [(17.0, None), (9.0, "Sorgo")])
def test_a_word_that_stands_in_the_next_cell_as_the_label_in_its_own_is_no_person(
    rise: float, person: str | None
) -> None:
    form = small_block()
    for at, word, height in ((290, "CHECKED", 17.0), (330, "Sorgo", rise), (370, "", 0)):
        form.box((at, 20, at + 40, 40))
        if word:
            form.text(at + 1, 20 + height, word, 2.0)
    assert fields_of(form).get("checked_by") == person
