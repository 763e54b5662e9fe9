"""Title blocks whose labels share cells, are turned, or are missing; values that only look like labels or like other fields."""

from __future__ import annotations

import pytest

from spatial.knowledge.standard_forms import FORMS
from tests.spatial.forms import Form, fields_of, framed_form


def _block(*, last: bool = True) -> Form:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((330, 10, 370, 25), "SHEET", "1 OF 2")
    if last:
        form.cell((370, 10, 410, 25), "SIZE", "A3")
    return form


@pytest.mark.requirement("title.cells")
def test_a_large_value_far_from_its_label_is_in_the_column_of_the_label_over_it() -> None:
    form = _block()
    form.box((290, 25, 410, 40))
    form.text(291, 37, "MATERIAL:", 1.6)
    form.text(330, 37, "DWG NO:", 1.6)
    form.text(365, 27.5, "TARNOW", 6)
    fields = fields_of(form)
    assert (fields.get("drawing_number"), fields.get("material")) == ("TARNOW", None)


def _inventors_iso_block(labels: tuple[str, str, str], title: str, number: str, company: str = "Fargel") -> Form:
    """Company, title and number stand in cells without labels; `labels` are those of designer, checker and sheet."""
    form = framed_form()
    own = next(each for each in FORMS if each.name == "title block ISO")
    words = dict(zip(("designed by", "checked by", "sheet"), labels, strict=True))
    values = {"designed by": "W. Tarnow", "sheet": "1 / 2"}
    for word, (x1, y1, x2, y2) in own.labels.items():
        form.cell((240 + x1, 10 + y1, 240 + x2, 10 + y2), words.get(word, ""), values.get(word, ""), size=2.5)
    form.box((240 + 97, 30, 240 + 120, 40))
    form.box((240 + 150, 30, 240 + 170, 40))
    for key, value in (("company", company), ("title", title), ("drawing_number", number)):
        x1, y1, x2, y2 = own.fields[key]
        form.box((240 + x1, 10 + y1, 240 + x2, 10 + y2))
        if value:
            form.text(240 + x1 + 2, 10 + (y1 + y2) / 2 - 1.7, value, 3.5)
    form.text(240 + 121, 33, "2/3/2024", 2.5)
    return form


@pytest.mark.requirement("title.standard-form")
@pytest.mark.parametrize(
    ("title", "number", "told"),
    [
        ("Lagerdeckel", "deckel_neu", ("Lagerdeckel", "deckel_neu")),
        ("", "deckel_neu", ("deckel_neu", None)),
        ("", "HK-4711", (None, "HK-4711")),
        ("PT-KLR, 226.63.25", "Lagerdeckel2", ("Lagerdeckel2", "PT-KLR, 226.63.25")),
        ("226-63-25", "226-63-26", (None, "226-63-26")),
        ("Lagerdeckel", "Lagerdeckel", ("Lagerdeckel", None)),
        ("Lagerdeckel oben", "Lagerdeckel", ("Lagerdeckel oben", None)),
        ("Deckel 7", "Deckel 7", ("Deckel 7", "Deckel 7")),
    ],
)
def test_title_and_number_of_inventors_iso_block_need_no_labels_of_their_own(
    title: str, number: str, told: tuple[str | None, str | None]
) -> None:
    fields = fields_of(_inventors_iso_block(("Designed by", "Checked by", "Sheet"), title, number))
    assert (fields.get("title"), fields.get("drawing_number")) == told


@pytest.mark.requirement("title.standard-form")
def test_what_a_drafter_states_under_a_label_of_his_own_in_the_owners_cell_is_no_owner() -> None:
    form = _inventors_iso_block(
        ("Designed by", "Checked by", "Sheet"), "Lagerdeckel", "HK-4711", "Zorgel: 44.02.07.050"
    )
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("value", "title"), [("X6", "X6"), ("R-12", "R-12"), ("7", None)])
def test_a_letter_and_figures_are_a_title_where_a_label_says_so(value: str, title: str | None) -> None:
    form = framed_form()
    form.cell((290, 30, 410, 45), "TITLE", value)
    for column, (label, held) in enumerate((("DRAWN BY", "W. Tarnow"), ("SCALE", "1:2"), ("SHEET", "1 OF 2"))):
        form.cell((290 + 40 * column, 10, 330 + 40 * column, 30), label, held)
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.standard-form")
@pytest.mark.parametrize(("title", "number"), [("Lagerdeckel", "deckel_neu"), ("", "deckel_neu"), ("", "HK-4711")])
def test_cells_without_labels_are_not_guessed_where_no_label_tells_the_form(title: str, number: str) -> None:
    fields = fields_of(_inventors_iso_block(("Zorgel vu", "Brimt vu", "Plank"), title, number))
    assert (fields.get("title"), fields.get("drawing_number")) == (None, None)


@pytest.mark.requirement("title.empty")
def test_a_person_in_the_column_of_roles_is_no_title() -> None:
    form = framed_form()
    for row, (label, name) in enumerate(
        (("Zorgel par", "Wim Tarnow"), ("Dessiné par", "Ines Fargel"), ("Vérifié par", "Wim Tarnow"))
    ):
        form.row(250, 70 - 10 * row, 10, [(40, label), (120, name)], 3)
    form.row(250, 40, 10, [(40, "Date"), (120, "13/08/2022")], 3)
    form.row(250, 30, 10, [(40, "Plan N°"), (120, "MB-71/22")], 3)
    assert fields_of(form).get("title") is None


@pytest.mark.requirement("title.cells")
def test_a_title_of_words_of_labels_is_a_title() -> None:
    form = framed_form()
    form.box((290, 40, 410, 60))
    form.text(291, 57, "TITLE:", 1.8)
    form.lines(300, 51, ["Stand and Stand", "Spacer"], 4.5)
    form.cell((290, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    fields = fields_of(form)
    assert (fields.get("title"), fields.get("revision")) == ("Stand and Stand Spacer", None)


@pytest.mark.requirement("title.roles")
def test_a_label_that_its_cell_cuts_in_a_word_is_a_label() -> None:
    form = _block()
    for row, (label, name) in enumerate((("设计：Design", "Wim Tarnow"), ("校对：Proofre", "Ines Fargel"))):
        form.box((230, 45 - 10 * row, 255, 55 - 10 * row))
        form.text(231, 51 - 10 * row, label, 2.5)
        form.box((255, 45 - 10 * row, 290, 55 - 10 * row))
        form.text(256, 49 - 10 * row, name, 2.5)
    form.text(231, 37.5, "ad", 2.5)
    fields = fields_of(form)
    assert (fields.get("drawn_by"), fields.get("checked_by")) == ("Wim Tarnow", "Ines Fargel")


@pytest.mark.requirement("title.cells")
def test_a_revision_that_repeats_its_label_is_read_as_printed() -> None:
    form = _block()
    form.cell((290, 25, 410, 40), "Revision:", "REV B")
    assert fields_of(form)["revision"] == "REV B"


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("text", "sheet"), [("25/26", None), ("1/26", "1/26"), ("2025/26", None), ("10/11", "10/11")])
def test_a_school_year_is_no_sheet(text: str, sheet: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.box((330, 10, 370, 25))
    form.text(332, 16, text, 3.5)
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.tolerances")
def test_the_standard_of_dimensioning_is_no_entry_of_a_tolerance_box() -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.lines(
        232, 50, ["TOLERANCES:", "TWO PLACE ±.02", "ANGLES ±1°", "INTERPRET DIM AND TOL PER", "ASME Y14.5-2009"], 2
    )
    assert fields_of(form)["tolerances"] == "TWO PLACE ±.02; ANGLES ±1°"


@pytest.mark.requirement("title.directions")
def test_the_value_of_a_turned_label_stands_in_the_cell_beside_it() -> None:
    form = _block()
    form.box((290, 25, 330, 40))
    form.text(308, 30, "J", 4)
    form.box((330, 25, 340, 40))
    form.text(336, 28, "REV", 2, angle=90)
    form.cell((340, 25, 410, 40), "DWG NO", "HK-4711-02")
    assert fields_of(form).get("revision") == "J"


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("height", "number"), [(5.0, "110202 - 00"), (1.8, None)])
def test_a_large_number_over_the_labels_of_the_sheet_in_their_cell_is_the_drawings(
    height: float, number: str | None
) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TÍTULO", "Tampa do mancal")
    form.box((290, 25, 410, 40))
    form.text(300, 31, "110202 - 00", height)
    form.text(300, 26.5, "Folha", 1.8)
    form.text(309, 26.5, "01", 1.8)
    form.text(315, 26.5, "de", 1.8)
    form.text(320, 26.5, "03", 1.8)
    form.cell((290, 10, 350, 25), "Escala", "1:2")
    form.cell((350, 10, 410, 25), "Rev.", "A")
    assert fields_of(form).get("drawing_number") == number


@pytest.mark.requirement("title.open")
def test_a_line_of_labels_along_the_foot_is_a_block_with_the_number_of_the_part() -> None:
    form = framed_form()
    for x, text in ((222, "TITLE : Bearing cover"), (270, "PART :"), (286, "2CN04-0017"), (316, "SHEET : 1/2")):
        form.text(x, 14, text, 3)
    fields = fields_of(form)
    assert (fields.get("title"), fields.get("part_number"), fields.get("sheet")) == (
        "Bearing cover",
        "2CN04-0017",
        "1/2",
    )


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("height", "title"), [(6.0, "Elongameter"), (3.0, None)])
def test_a_name_far_larger_than_the_labelled_sheet_beside_it_is_the_title(height: float, title: str | None) -> None:
    form = framed_form()
    form.box((10, 40, 320, 55))
    form.text(120, 45, "Elongameter", height)
    form.box((320, 40, 410, 55))
    form.text(322, 45, "HOJA:", 3)
    form.text(340, 45, "1/3", 3)
    form.box((10, 10, 410, 40))
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.standard-form")
@pytest.mark.parametrize(
    ("drawn", "title", "site", "key"),
    [
        ("План на отм. 0,000", "План на отм. 0,000", 'АО "Ковдор"', "customer"),
        ("Спецификация оборудования, изделий и материалов", "Котельная", "Жилой комплекс «Ковдор»", "project"),
    ],
)
def test_the_form_of_construction_has_its_number_over_the_site_and_what_is_drawn_at_its_foot(
    drawn: str, title: str, site: str, key: str
) -> None:
    form = framed_form()
    own = next(each for each in FORMS if each.name == "form 3 of construction")
    left, low = 225.0, 10.0
    for word, (x1, y1, x2, y2) in own.labels.items():
        form.box((left + x1, low + y1, left + x2, low + y2))
        if word != "подпись":
            form.text(left + x1 + 0.5, low + y1 + 1.5, {"no док": "№док.", "кол уч": "Кол.уч."}.get(word, word), 2)
    building = own.instead["title"]
    held = {**own.fields, "building": building}
    values = {"drawing_number": "9187-15-АТХ", "project": site, "title": drawn, "building": "Котельная"}
    for name, (x1, y1, x2, y2) in held.items():
        form.box((left + x1, low + y1, left + x2, low + y2))
        form.text(left + x1 + 2, low + (y1 + y2) / 2 - 1, values.get(name, ""), 2)
    for row, (role, name) in enumerate((("Разраб.", "Зайцев"), ("Пров.", "Панько"))):
        form.row(left, low + 25 - 5 * row, 5, [(20, role), (20, name), (15, ""), (10, "")], 2)
    fields = fields_of(form)
    assert (fields.get("drawing_number"), fields.get("title"), fields.get(key)) == ("9187-15-АТХ", title, site)


@pytest.mark.requirement("title.cells")
def test_the_unit_at_its_label_outranks_the_one_of_a_forms_sentence() -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.lines(232, 50, ["UNLESS OTHERWISE SPECIFIED", "DIMENSIONS ARE IN INCHES"], 2)
    form.cell((290, 25, 350, 40), "UNITS:", "IN")
    form.cell((350, 25, 410, 40), "DWG NO", "HK-4711-02")
    assert fields_of(form)["units"] == "IN"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("text", "title"), [("A-6", "A-6"), ("6", None)])
def test_a_mark_in_the_cell_of_its_label_is_a_title(text: str, title: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "PART NAME:", text)
    form.cell((290, 25, 410, 40), "DRAWN:", "Wim Tarnow")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("height", "title"), [(3.5, "Cage"), (1.8, None)])
def test_a_title_that_is_a_word_of_labels_stands_in_the_cell_beside_its_label(height: float, title: str | None) -> None:
    form = framed_form()
    form.box((290, 40, 320, 55))
    form.text(291, 47, "Title", 1.8)
    form.box((320, 40, 350, 55))
    form.text(322, 46, "Cage", height)
    form.cell((350, 40, 410, 55), "DWG NO", "HK-4711-02")
    form.cell((290, 25, 410, 40), "DRAWN:", "Wim Tarnow")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    assert fields_of(form).get("title") == title


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("labels", "material"),
    [(("Werkstoff", "Material"), "Tarn 6 Q"), (("Material", "Finish"), None)],
    ids=["one field", "two fields"],
)
def test_a_cell_that_runs_under_two_labels_is_the_value_of_one_field_alone(
    labels: tuple[str, str], material: str | None
) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 70, 350, 85), "DRAWN:", "Wim Tarnow")
    form.cell((350, 70, 410, 85), "DWG NO", "HK-4711-02")
    form.row(290, 30, 10, [(60, labels[0]), (60, labels[1])], 2)
    form.row(290, 10, 20, [(120, "Tarn 6 Q")], 3.5)
    form.cell((290, 55, 410, 70), "SCALE", "1:2")
    assert fields_of(form).get("material") == material


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ([("FRACTIONS", "ANGLES"), ("±1/64", "±3°"), (".X ±0.050",)], "FRACTIONS ±1/64; ANGLES ±3°; .X ±0.050"),
        ([("DECIMALS",), ("±0.050",), ("±0.010",)], None),
    ],
)
def test_a_deviation_stands_under_its_name_and_without_one_says_nothing(
    lines: list[tuple[str, ...]], value: str | None
) -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.text(232, 50, "TOLERANCES:", 2)
    for row, line in enumerate(lines):
        for column, text in enumerate(line):
            form.text(232 + 28 * column, 44 - 5 * row, text, 2)
    assert fields_of(form).get("tolerances") == value


@pytest.mark.requirement("title.typical")
def test_what_a_labels_value_says_too_is_no_other_name_beside_the_title() -> None:
    form = framed_form()
    for row, (label, text) in enumerate(
        (("NAME", "CIBA"), ("DATUM", "20.12.2023"), ("MATERIAL", "Div."), ("DATEI", "Bau 2"))
    ):
        form.row(240, 55 - 10 * row, 10, [(25, label), (45, text)], 2)
    form.box((310, 25, 330, 65))
    form.text(312, 44, "Div.", 5)
    form.box((330, 25, 410, 65))
    form.text(332, 44, "Messaufbau oben", 5)
    form.text(332, 32, "Ines Fargel", 3)
    form.box((240, 10, 310, 25))
    form.text(242, 17, "Tarnow GmbH", 6)
    assert fields_of(form).get("title") == "Messaufbau oben"


@pytest.mark.requirement("title.standard-form")
def test_words_in_the_cell_of_the_number_stay_the_number_in_the_form_of_a_standard() -> None:
    form = framed_form()
    own = next(each for each in FORMS if each.name == "form 1")
    left, low = 225.0, 10.0
    for x1, y1, x2, y2 in sorted({*own.labels.values(), *own.fields.values()}):
        form.box((left + x1, low + y1, left + x2, low + y2))
    for word, (x1, y1, _, _) in own.labels.items():
        if word != "подпись":
            form.text(left + x1 + 0.5, low + y1 + 1.5, word.replace("no докум", "№ докум."), 2)
    form.text(left + 90, low + 45, "Каретка", 5)
    form.text(left + 170, low + 25, "1:2", 3.5)
    fields = fields_of(form)
    assert (fields.get("drawing_number"), fields.get("title")) == ("Каретка", None)


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("place", "number"), [((60, 280), "AB4007"), ((200, 150), None)])
def test_the_copy_of_a_number_stands_in_a_corner_of_the_sheet(place: tuple[float, float], number: str | None) -> None:
    form = framed_form()
    form.cell((290, 55, 410, 70), "TITLE", "Bearing cover")
    form.cell((290, 25, 350, 40), "SCALE", "1:2")
    form.cell((350, 25, 410, 40), "SHEET", "1 OF 2")
    form.box((290, 10, 410, 25))
    form.text(300, 15, "AB4007", 3)
    form.cell((290, 70, 410, 85), "", "CD5008", size=2.2)  # one of two numbers is the sheet's only by its copy
    form.text(*place, "AB4007", 3, angle=180)
    assert fields_of(form).get("drawing_number") == number


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("value", "revision"), [("09.12.12", None), ("1.0", "1.0")])
def test_the_date_of_a_change_is_no_revision(value: str, revision: str | None) -> None:
    form = _block()
    form.cell((290, 25, 410, 40), "Änderung", value)
    assert fields_of(form).get("revision") == revision


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("line", "owner"), [("CPU-PLC", None), ("Tarnow plc", "Tarnow plc")])
def test_a_controller_is_no_legal_form(line: str, owner: str | None) -> None:
    form = _block()
    form.box((230, 10, 290, 25))
    form.text(232, 16, line, 2)
    assert fields_of(form).get("company") == owner


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("line", "title"), [("Zorgel: 28.11.2017 16:20", "Rail module"), ("Zorgel 28", None)])
def test_a_corner_of_labelled_lines_with_a_sheet_of_several_is_a_block(line: str, title: str | None) -> None:
    form = framed_form()
    form.box((250, 10, 320, 40))
    form.lines(252, 33, ["TARNOW", "open electronics", "www.tarnow.example"], 4)
    form.box((320, 30, 410, 40))
    form.text(322, 33, "Rail module", 5)
    form.box((320, 20, 410, 30))
    form.text(322, 24, "Plonk: 1.0", 2.5)
    form.box((320, 10, 390, 20))
    form.text(322, 14, line, 2.5)
    form.box((390, 10, 410, 20))
    form.text(395, 14, "1/1", 2.5)
    fields = fields_of(form)
    assert (fields.get("title"), fields.get("drawing_number")) == (title, None)
    assert fields.get("company") == ("TARNOW" if title else None)


@pytest.mark.requirement("title.sheets")
@pytest.mark.parametrize(("labels", "sheet"), [(("Лист", "Листов"), "1 of 3"), (("Folha", "de"), "1 de 3")])
def test_the_word_between_number_and_count_of_sheets_is_kept_where_it_is_one(
    labels: tuple[str, str], sheet: str
) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.box((330, 10, 410, 25))
    for x, text in ((332, labels[0]), (348, "1"), (354, labels[1]), (374, "3")):
        form.text(x, 16, text, 2.5)
    assert fields_of(form)["sheet"] == sheet


@pytest.mark.requirement("title.directions")
@pytest.mark.parametrize("size", ["", "PAPER 432 X 279"])
def test_words_behind_a_turned_label_of_two_lines_are_the_title(size: str) -> None:
    form = Form()
    form.cell((370, 10, 410, 40), "REV", "B")
    form.cell((250, 10, 285, 25), "SCALE", "1:2")
    form.cell((250, 25, 285, 40), "SHEET", "1 OF 2")
    form.box((285, 10, 370, 40))
    form.text(290, 20, "ITEM", 4, angle=90)
    form.text(295, 20, "NAME", 4, angle=90)
    form.text(300, 30, "BRACKET, CAMERA,", 3)
    form.text(300, 24, "LEFT AND RIGHT", 3)
    if size:
        form.text(300, 16, size, 2.5)
    assert fields_of(form).get("title") == "BRACKET, CAMERA, LEFT AND RIGHT"
