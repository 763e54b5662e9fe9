"""Numbers that a label names twice, that stand elsewhere or are a person's; lists of persons; further sheets and blocks of few labels."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, fields_of, framed_form, labelled_block


def _numbered(label: str, value: str) -> dict[str, str]:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 410, 40), label, value)
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((330, 10, 370, 25), "SHEET", "1 OF 2")
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    return fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("label", "drawing", "part"),
    [
        ("DRAWING/PART NUMBER", "TK-7731-05", "TK-7731-05"),
        ("PART NO. / DWG NO.", "TK-7731-05", "TK-7731-05"),
        ("DRAWING NUMBER", "TK-7731-05", None),
        ("DRAWING / DWG NUMBER", "TK-7731-05", None),
    ],
)
def test_a_label_of_both_numbers_names_the_drawing_and_the_part(label: str, drawing: str, part: str | None) -> None:
    fields = _numbered(label, "TK-7731-05")
    assert (fields.get("drawing_number"), fields.get("part_number")) == (drawing, part)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("SEE NOTES", "SEE NOTES"),
        ("REFER TO TABLE 2", None),
        ("SEE CHART", None),
        ("SIEHE TABELLE", None),
        ("SEE SHEET 2", "SEE SHEET 2"),
        ("N/A", "N/A"),
        ("SEE THE NOTES ON SHEET TWO", None),
        ("WITH LEVER", None),
    ],
)
def test_the_cell_of_a_number_may_say_that_it_stands_elsewhere(said: str, number: str | None) -> None:
    assert _numbered("PART NUMBER", said).get("part_number") == number


def _signed(label: str, *lines: str) -> dict[str, str]:
    form = labelled_block()
    form.box((210, 10, 290, 40))
    form.text(212, 36, label, 1.8)
    for place, line in enumerate(lines):
        form.text(212, 31 - 5 * place, line, 2.5)
    return fields_of(form)


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("lines", "drawn_by"),
    [
        (("Anna Kovacs", "Jan Tarnow", "Lea Brandt"), "Anna Kovacs, Jan Tarnow, Lea Brandt"),
        (("Anna Kovacs s204411", "Jan Tarnow s204412"), "Anna Kovacs s204411, Jan Tarnow s204412"),
        (("Anna Kovacs", "Design Department"), "Anna Kovacs"),
    ],
)
def test_persons_one_a_line_under_the_label_of_a_role_are_all_its_value(lines: tuple[str, ...], drawn_by: str) -> None:
    assert _signed("DRAWN BY", *lines).get("drawn_by") == drawn_by


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("number", "date", "drawn_by"),
    [("204411", "10/01/2021", "204411"), ("204411", "", None), ("12", "10/01/2021", None)],
)
def test_a_number_with_its_date_under_the_label_of_a_role_is_that_of_a_person(
    number: str, date: str, drawn_by: str | None
) -> None:
    form = labelled_block()
    form.cell((210, 25, 290, 40), "CREATED BY", number)
    if date:
        form.text(255, 28, date, 2.5)
    assert fields_of(form).get("drawn_by") == drawn_by


@pytest.mark.requirement("title.roles")
def test_the_pieces_of_a_label_beside_a_role_are_nobodys_name() -> None:
    form = labelled_block()
    form.row(200, 10, 6, [(30, "设计"), (30, "")], 2)
    form.box((260, 10, 290, 16))
    form.text(262, 12, "标", 1.8)
    form.text(264.5, 12, "准化", 2.1)
    assert "drawn_by" not in fields_of(form)


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("line", "name", "revision"),
    [
        ("DRAWN BY: J. Tarnow REV 2018OCT21", "J. Tarnow", "2018OCT21"),
        ("Gezeichnet: Brandt Version 2021-05-03", "Brandt", "2021-05-03"),
        ("DESIGNED BY: KLW REVISION 12/11/2022", "KLW", "12/11/2022"),
    ],
)
def test_a_revision_behind_the_name_of_a_role_is_named_by_its_date(line: str, name: str, revision: str) -> None:
    form = framed_form()
    form.box((290, 10, 410, 55))
    for place, text in enumerate(("MATERIAL: S235JR", "UNITS: MM", "SCALE: 1:2", line)):
        form.text(292, 45 - 9 * place, text, 3)
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("revision"), fields.get("date")) == (name, revision, None)


def _further(*headings: str) -> Form:
    """A block with the columns of changes, a wide cell and the number of the sheet."""
    form = framed_form()
    form.row(225, 10, 5, list(zip((15, 25, 15, 10), headings, strict=False)), 1.8)
    form.box((290, 10, 400, 25))
    form.text(310, 16, "Bearing cover", 4)
    form.box((400, 18, 410, 25))
    form.text(401, 20, "Лист", 1.8)
    form.box((400, 10, 410, 18))
    form.text(404, 12, "2", 3)
    return form


@pytest.mark.requirement("title.standard-form")
@pytest.mark.parametrize(
    ("headings", "sheet"), [(("Изм.", "№ докум.", "Подп.", "Дата"), "2"), (("Марка", "Кол.", "Сталь", "Вес"), None)]
)
def test_a_further_sheet_has_no_more_than_changes_and_its_number(headings: tuple[str, ...], sheet: str | None) -> None:
    assert fields_of(_further(*headings)).get("sheet") == sheet


@pytest.mark.requirement("title.open")
@pytest.mark.parametrize(("unit", "scale"), [("mm", "1:7"), ("pieces", None)])
def test_scale_and_unit_with_a_third_label_are_a_block_without_rules(unit: str, scale: str | None) -> None:
    form = framed_form()
    for x, label, value in ((250, "Part", "4"), (300, "Scale", "1:7"), (350, "Units", unit)):
        form.text(x, 30, label, 2.5)
        form.text(x, 22, value, 3.5)
    assert fields_of(form).get("scale") == scale


@pytest.mark.requirement("title.languages")
def test_the_verb_written_as_one_word_with_the_unit_is_no_part_of_it() -> None:
    form = labelled_block()
    form.cell((230, 10, 290, 25), "ÖLÇÜLER", "MİLİMETREDİR", size=3)
    assert fields_of(form).get("units") == "MİLİMETRE"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("heading", "sheet"), [("SHEET", "2"), ("", None)])
def test_a_number_under_the_label_of_the_sheet_is_its_value_though_it_was_taken_for_a_zone(
    heading: str, sheet: str | None
) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((290, 10, 370, 25), "SCALE", "1:2")
    form.row(370, 17, 8, [(40, heading)], 2)
    form.row(370, 10, 7, [(40, "2")], 3)
    drawn = form.sheet()
    drawn.zones = frozenset(text.id for text in drawn.texts if text.text == "2")
    found = find_title_block([drawn], {drawn.page: find_grids(drawn)}, drawn.zones)
    assert found is not None
    assert found.block.fields.get("sheet") == sheet


def _spanish(*headings: str) -> dict[str, str]:
    """The block of a program's template in Spanish, its cell for the company under a row of two labels."""
    form = framed_form()
    form.row(290, 61, 8, [(80, "NO CAMBIE LA ESCALA"), (40, "REVISIÓN")], 2)
    form.box((290, 49, 410, 61))
    form.text(300, 53, "Lea Tarnow", 4)
    form.cell((290, 30, 410, 49), "TÍTULO:", "Brazo")
    form.cell((290, 20, 410, 30), "N.º DE DIBUJO", "3-44")
    form.row(290, 10, 10, [(60, "ESCALA:1:4"), (60, "HOJA 1 DE 1")], 2)
    form.row(200, 41, 8, list(zip((30, 30, 30), headings, strict=True)), 2)
    return fields_of(form)


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("headings", "company"),
    [(("NOMBRE", "FIRMA", "FECHA"), "Lea Tarnow"), (("ESCALA", "FIRMA", "PESO"), None)],
)
def test_the_word_for_a_firm_between_name_and_date_is_a_signature_and_leaves_the_company_its_place(
    headings: tuple[str, ...], company: str | None
) -> None:
    assert _spanish(*headings).get("company") == company


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("designation", "name", "title"),
    [
        ("TK 38", "BEARING COVER TK 38", "BEARING COVER TK 38"),
        ("TKB-2-SV SERIES", "Single row bearing cover", "Single row bearing cover"),
        ("LARGE HOUSING", "Single row bearing cover", "LARGE HOUSING"),
    ],
)
def test_a_designation_in_the_largest_lettering_is_no_title_beside_the_name_of_what_it_designates(
    designation: str, name: str, title: str
) -> None:
    form = framed_form()
    form.row(290, 50, 12, [(120, "")], 2)
    form.text(300, 53, name, 4.5)
    form.row(290, 38, 12, [(120, "")], 2)
    form.text(310, 41, designation, 6)
    form.cell((290, 24, 350, 38), "SCALE", "1:2")
    form.cell((350, 24, 410, 38), "SHEET", "1 OF 2")
    form.cell((290, 10, 350, 24), "DRAWN", "L. Berg")
    form.cell((350, 10, 410, 24), "DATE", "2021-10-04")
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("owner", "drawn_by", "number"),
    [("TARNOW UNIVERSITY", "LEA BRANDT", None), ("TARNOW TOOLS GMBH", None, "1301021068")],
)
def test_a_number_of_figures_alone_under_a_name_is_a_students_on_the_sheet_of_a_school(
    owner: str, drawn_by: str | None, number: str | None
) -> None:
    form = framed_form()
    form.row(330, 50, 10, [(80, "BELL BASE")], 4)
    form.row(330, 40, 10, [(80, "LEA BRANDT")], 4)
    form.row(330, 30, 10, [(30, "V SEM"), (50, "1301021068")], 4)
    form.row(330, 20, 10, [(30, "1:1"), (50, "")], 4)
    form.row(330, 10, 10, [(80, owner)], 4)
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("drawing_number")) == (drawn_by, number)
