"""Title blocks as other offices fill them in: students, reviewers, owners in notices, lists beside each other, unfilled labels."""

from __future__ import annotations

import pytest

from tests.spatial.forms import fields_of, framed_form, labelled_block


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(("label", "drafter"), [("COURSE:", "Ines Fargel"), ("COLOUR:", None)])
def test_a_name_beside_a_label_of_a_course_is_the_students(label: str, drafter: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 350, 55), "NAME:", "Ines Fargel", size=2.5)
    form.cell((350, 40, 410, 55), label, "ME 204", size=2.5)
    form.cell((290, 25, 350, 40), "DWG NO", "HK-4711-02", size=2.5)
    form.cell((350, 25, 410, 40), "REV", "B", size=2.5)
    form.cell((290, 10, 350, 25), "SCALE", "1:2", size=2.5)
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2", size=2.5)
    assert fields_of(form).get("drawn_by") == drafter


@pytest.mark.requirement("title.roles")
def test_a_name_behind_its_colon_beside_a_students_number_is_the_students_and_no_title() -> None:
    form = framed_form()
    for row, text in enumerate(("Name: Ines Fargel", "Student ID: 40211", "Date: Dec 5, 2020")):
        form.box((290, 40 - 15 * row, 350, 55 - 15 * row))
        form.text(291, 45 - 15 * row, text, 2.5)
    form.cell((350, 10, 410, 55), "Scale:", "1:5", size=2.5)
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("title")) == ("Ines Fargel", None)


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("value", "checker", "revision"),
    [
        ("Ilona Fargel", "Ilona Fargel", None),
        ("Иванов", "Иванов", None),
        ("Nuala O'Sheel", "Nuala O'Sheel", None),
        ("Rui de Fargel", "Rui de Fargel", None),
        ("C", None, "C"),
    ],
)
def test_a_persons_name_under_a_role_is_a_reviewers_and_no_revision(value: str, checker: str, revision: str) -> None:
    form = framed_form()
    form.cell((290, 55, 410, 70), "TITLE", "Bearing cover")
    for row, (label, text) in enumerate((("Drawn", "Wim Tarnow"), ("Revision", value), ("Material", "6082"))):
        form.row(290, 45 - 10 * row, 10, [(40, label), (80, text)])
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    fields = fields_of(form)
    assert (fields.get("checked_by"), fields.get("revision")) == (checker, revision)


@pytest.mark.requirement("title.empty")
def test_a_sentence_that_names_a_college_names_no_company() -> None:
    form = labelled_block()
    form.box((190, 10, 290, 25))
    form.text(191, 16, "we declare that this sheet was drawn alone under rules of Tarnow College", 1.5)
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("line", "owner"),
    [("CONSENT OF TARNOW COLLEGE", "TARNOW COLLEGE"), ("CONSENT OF THE AUTHOR", None), ("AS TARNOW COLLEGE", None)],
)
def test_a_company_whose_permission_a_notice_asks_for_owns_the_sheet(line: str, owner: str | None) -> None:
    form = labelled_block()
    form.box((190, 10, 290, 40))
    form.lines(192, 30, ["NOT TO BE COPIED WITHOUT WRITTEN", line], 2)
    assert fields_of(form).get("company") == owner


@pytest.mark.requirement("title.company")
def test_a_large_name_over_a_notice_of_copyright_alone_owns_the_sheet() -> None:
    form = labelled_block()
    form.box((230, 25, 290, 55))
    form.text(235, 45, "KELVOR", 5)
    form.text(235, 35, "(Strictly confidential)", 2)
    form.text(235, 30, "Copyright \u00a92019", 2)
    assert fields_of(form)["company"] == "KELVOR"


@pytest.mark.requirement("title.tolerances")
def test_lists_side_by_side_under_the_heading_of_tolerances_are_one_list() -> None:
    form = labelled_block()
    form.box((200, 48, 280, 55))
    form.text(225, 50, "TOLERANCES", 2)
    form.box((200, 25, 240, 48))
    form.lines(202, 43, ["X = \u00b10.4", "X.X = \u00b10.2"], 2)
    form.box((240, 36, 280, 48))
    form.text(242, 41, "ANGLES \u00b12\u00b0", 2)
    assert fields_of(form)["tolerances"] == "X = \u00b10.4; X.X = \u00b10.2; ANGLES \u00b12\u00b0"


@pytest.mark.requirement("title.typical")
def test_the_line_of_a_project_over_a_school_is_the_project_and_the_line_under_a_town_the_date() -> None:
    form = labelled_block()
    form.box((190, 25, 290, 55))
    form.text(195, 45, "Projekt Windrad 7", 3)
    form.text(195, 37, "Hochschule Tarnow", 3)
    form.box((190, 10, 290, 25))
    form.text(195, 19, "Tarnow", 2.5)
    form.text(195, 14, "03.09.2021", 2.5)
    fields = fields_of(form)
    assert [fields.get(key) for key in ("project", "company", "date")] == [
        "Projekt Windrad 7",
        "Hochschule Tarnow",
        "03.09.2021",
    ]


@pytest.mark.requirement("title.typical")
def test_a_unit_under_a_label_of_no_known_word_is_the_unit() -> None:
    form = labelled_block()
    form.cell((250, 10, 290, 25), "Rozmiarowanie", "mm")
    assert fields_of(form)["units"] == "mm"


@pytest.mark.requirement("title.cells")
def test_a_word_of_labels_that_goes_on_a_title_over_its_label_belongs_to_the_title() -> None:
    form = framed_form()
    form.box((290, 40, 410, 60))
    form.text(292, 42, "TITLE:", 1.8)
    form.text(310, 53, "HINGED SWING ARM", 4)
    form.text(330, 46, "ASSEMBLY", 4)
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    assert fields_of(form)["title"] == "HINGED SWING ARM ASSEMBLY"


@pytest.mark.requirement("title.cells")
def test_a_count_under_the_label_of_the_number_is_the_number_where_the_sheet_has_its_own_label() -> None:
    assert fields_of(labelled_block(sheet="1/1", number="3 OF 5"))["drawing_number"] == "3 OF 5"


@pytest.mark.requirement("title.cells")
def test_the_only_value_between_the_labels_of_a_number_and_of_its_revision_is_the_number() -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.box((290, 25, 410, 40))
    form.text(291, 37, "DWG NO", 1.8)
    form.text(395, 37, "SHEET REV", 1.8)
    form.text(365, 28, "K71", 4)
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    fields = fields_of(form)
    assert (fields.get("drawing_number"), fields.get("revision")) == ("K71", None)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("marks", [("\u2022", "\u2022"), ("1.", "2."), ("3)", "4)")])
def test_a_sentence_of_units_of_a_list_in_a_cell_is_a_note(marks: tuple[str, str]) -> None:
    listed = labelled_block()
    listed.box((190, 10, 290, 40))
    listed.lines(192, 33, [f"{marks[0]} ALL DIMENSIONS ARE IN mm", f"{marks[1]} ASK WHERE IN DOUBT"], 2)
    assert "units" not in fields_of(listed)


@pytest.mark.requirement("title.typical")
def test_a_sentence_of_units_alone_in_a_cell_is_the_unit() -> None:
    sentence = labelled_block()
    sentence.box((190, 10, 290, 40))
    sentence.text(192, 33, "ALL DIMENSIONS ARE IN mm", 2)
    assert fields_of(sentence)["units"] == "mm"


@pytest.mark.requirement("title.roles")
def test_names_in_the_rows_of_roles_of_no_known_word_are_no_title() -> None:
    form = framed_form()
    people = (
        ("Vermessen", "H. Tarnow"),
        ("Gezeichnet", "W. Fargel"),
        ("Gepr\u00fcft", "I. Fargel"),
        ("Wunsch", "K. Linden"),
    )
    for row, (label, name) in enumerate(people):
        form.row(290, 55 - 10 * row, 10, [(40, label), (80, name)], 3)
    form.cell((290, 10, 330, 25), "MASSSTAB", "1:2")
    form.cell((330, 10, 370, 25), "BLATT", "1 von 2")
    form.cell((370, 10, 410, 25), "FORMAT", "A3")
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("low", "owner"), [(10, "KELVOR"), (20, None)])
def test_a_name_left_of_title_and_number_and_as_high_as_both_is_the_legal_owner(low: float, owner: str | None) -> None:
    form = framed_form()
    form.cell((250, 50, 330, 60), "Designed by", "W. Fargel", size=2.5)
    form.cell((330, 50, 410, 60), "Approved by", "I. Fargel", size=2.5)
    form.box((250, low, 320, 50))
    form.text(270, 34, "KELVOR", 3.5)
    form.box((320, 30, 410, 50))
    form.text(350, 38, "Roller", 3.5)
    form.box((320, 10, 370, 30))
    form.text(323, 17, "0417_22", 3.5)
    form.cell((370, 10, 390, 30), "Edition", "02", size=2.5)
    form.cell((390, 10, 410, 30), "Sheet", "1 / 1", size=2.5)
    assert fields_of(form).get("company") == owner


@pytest.mark.requirement("title.company")
def test_a_university_beside_its_faculty_in_one_cell_is_read_column_by_column() -> None:
    form = labelled_block()
    form.box((170, 25, 290, 55))
    form.text(173, 45, "UNIVERSIT\u00c9", 3)
    form.text(195.5, 45, "DE", 3)
    form.text(173, 37, "TARNOW", 4)
    form.text(203, 47, "FACULT\u00c9 DES EAUX", 2.5)
    form.text(203, 42, "\u00c9COLE DU NORD", 2.5)
    assert fields_of(form)["company"] == "UNIVERSIT\u00c9 DE TARNOW FACULT\u00c9 DES EAUX \u00c9COLE DU NORD"


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(("value", "key"), [("Fargel", "drawn_by"), ("KS-0417", "drawing_number")])
def test_drawing_over_the_roles_is_a_drafter_beside_a_name_and_a_number_beside_one(value: str, key: str) -> None:
    form = framed_form()
    rows = (("DRG DATE", "2023-05-11"), ("DRAWING", value), ("CHECK", "Linden"), ("APPROVE", "Tarnow"))
    for row, (label, said) in enumerate(rows):
        form.row(290, 50 - 10 * row, 10, [(60, label), (60, said)], 4)
    fields = fields_of(form)
    assert fields[key] == value
    assert {"drawn_by", "drawing_number"} & set(fields) == {key}
    assert (fields["checked_by"], fields["approved_by"]) == ("Linden", "Tarnow")
