"""Forms as the libraries of blank templates of drawing programs have them, filled in and left blank."""

from __future__ import annotations

import pytest

from spatial.knowledge import title_labels
from spatial.knowledge.value_forms import MATERIAL
from tests.spatial.forms import Form, fields_of, framed_form


def _iso_7200(number: str, row: tuple[str, ...]) -> Form:
    """The number has no label; it stands over the row of revision, date of issue, language and sheet."""
    form = framed_form()
    form.cell((290, 37, 350, 46), "Genehmigt von")
    form.cell((350, 37, 410, 46), "Dokumentenstatus", "In Arbeit", size=2.2)
    form.cell((290, 19, 350, 37), "Titel, zusätzlicher Titel", "Lagerdeckel", size=2.2)
    form.cell((290, 10, 350, 19), "Dokumentenart", "Zeichnung eines Teils", size=2.2)
    form.box((350, 19, 410, 37))
    form.text(370, 27, number, 2.5)
    places = ((350, 360), (360, 385), (385, 395), (395, 410))
    for (x1, x2), label, value in zip(places, row, ("1", "02.10.2013", "de", "1/3"), strict=True):
        form.cell((x1, 10, x2, 19), label, value, size=1.8)
    return form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("text", "last", "number"),
    [("78.396.16", "Blatt", "78.396.16"), ("Halle drei", "Blatt", None), ("78.396.16", "Klasse", None)],
)
def test_the_number_of_iso_7200_stands_over_the_row_of_its_revision_and_its_sheet(
    text: str, last: str, number: str | None
) -> None:
    form = _iso_7200(text, ("Änd.", "Ausgabedatum", "Spr.", last))
    if last == "Klasse":  # one of two numbers is the sheet's only by its place
        form.cell((290, 46, 410, 55), "", "AB-1740", size=2.2)
    assert fields_of(form).get("drawing_number") == number


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize("mark", ["C", "N", "A"])
def test_one_letter_behind_a_colon_is_a_value_whatever_word_it_abbreviates(mark: str) -> None:
    assert title_labels.read(f"Rev: {mark}") == title_labels.Wording("revision", False, mark, True)


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Approuvé/Approuved", "approved_by"),
        ("N°докум.", "header"),
        ("Approuvé/Smith", None),
        ("Date/Dater", None),
        ("Engine/Engineer", None),
        ("Format/Formation", None),
        ("Checked/Checklist", None),
    ],
)
def test_a_word_and_its_cognate_are_one_label_and_a_number_sign_needs_no_blank(text: str, key: str | None) -> None:
    found = title_labels.read(text)
    assert (found.key if found else None) == key


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("text", "is_one"), [("96.304.03", False), ("12-316-7", False), ("AISI 304", True), ("304-2B", True)]
)
def test_a_group_of_a_number_is_no_grade_of_steel(text: str, is_one: bool) -> None:
    assert (MATERIAL.search(text) is not None) == is_one


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("number", "sheet"), [("2/3", "2/3"), ("5/3", None)])
def test_one_of_several_under_the_word_number_is_the_sheet_where_sheets_have_names(
    number: str, sheet: str | None
) -> None:
    form = framed_form()
    form.cell((330, 46, 390, 55), "Sheet", "Battery charger", size=3)
    form.cell((390, 46, 410, 55), "Number", number, size=3)
    form.cell((330, 37, 390, 46), "Project", "Telescope mount", size=3)
    form.cell((390, 37, 410, 46), "Revision", "B", size=3)
    form.cell((330, 28, 410, 37), "Drawn by", "R. Cooper", size=3)
    form.cell((330, 19, 410, 28), "Date", "05/28/2020", size=3)
    fields = fields_of(form)
    assert (fields.get("sheet"), fields.get("project")) == (sheet, "Telescope mount")


@pytest.mark.requirement("title.typical")
def test_a_list_of_tolerances_ends_at_the_label_of_another_field_in_its_cell() -> None:
    form = framed_form()
    form.box((290, 10, 330, 30))
    for y, x, text in ((26, 291, "Tolerancia"), (21, 293, "ISO 2768-mK"), (16, 291, "Rugosidad")):
        form.text(x, y, text, 2)
    form.cell((290, 30, 330, 40), "Escala", "1:2")
    form.cell((330, 10, 410, 30), "N° de Plano", "K68242")
    form.cell((330, 30, 410, 40), "Denominación", "Placa base")
    assert fields_of(form).get("tolerances") == "ISO 2768-mK"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("name", "date"), [("FECHA1", "FECHA2"), ("YYYY-MM-DD", "DD. MM. YYYY"), ("TT.MM.JJJJ", "RRRR-MM-DD")]
)
def test_what_a_template_holds_for_a_person_or_a_date_is_no_value(name: str, date: str) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "DENOMINACIÓN", "Placa base")
    form.cell((290, 25, 330, 40), "DIBUJÓ", name)
    form.cell((330, 25, 370, 40), "FECHA", date)
    form.cell((370, 25, 410, 40), "ESCALA", "1:2")
    form.cell((290, 10, 410, 25), "N° DE PLANO", "K68242")
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("date"), fields.get("title")) == (None, None, "Placa base")


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("name", "value"), [("APPROVER NAME", None), ("NAME SUPERVISOR", None), ("Nome Rossi", "Nome Rossi")]
)
def test_the_word_name_beside_the_label_of_a_person_is_no_name(name: str, value: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 330, 40), "APPR.", name)
    form.cell((330, 25, 410, 40), "DRAWING NO.", "HK-4711-02")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    assert fields_of(form).get("approved_by") == value


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("width", "title"), [(120.0, "Front panel"), (40.0, None)])
def test_the_only_name_in_the_one_large_cell_between_labelled_lines_is_the_title(
    width: float, title: str | None
) -> None:
    form = framed_form()
    for x, lines in (
        (200.0, ("Author : J. Smith", "Date : 02/11/2016")),
        (240 + width, ("File : a.qet", "Folio : 4/4")),
    ):
        for y, text in zip((18.0, 10.0), lines, strict=True):
            form.box((x, y, x + 40, y + 8))
            form.text(x + 1, y + 3, text, 2)
    form.box((240, 10, 240 + width, 26))
    form.text(242, 17, "Front panel", 2)
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("value", "sheet"), [("1/2", "1/2"), ("7/2", None)])
def test_n_of_m_behind_the_word_id_is_the_sheet_where_none_is_labelled(value: str, sheet: str | None) -> None:
    form = framed_form()
    form.cell((290, 30, 410, 40), "Title: Pump cover plate")
    form.cell((290, 20, 330, 30), "Size: A4")
    form.cell((330, 20, 370, 30), "Date: 11/05/2017")
    form.cell((370, 20, 410, 30), "Rev: C")
    form.cell((290, 10, 410, 20), f"Id: {value}")
    assert fields_of(form).get("sheet") == sheet
