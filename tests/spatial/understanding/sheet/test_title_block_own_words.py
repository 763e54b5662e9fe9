"""Values that the structure names whatever they say, and what a standard or an address tells of texts without a label."""

from __future__ import annotations

import pytest

from spatial.knowledge.standard_forms import FORMS
from tests.spatial.forms import Form, fields_of, framed_form, labelled_block


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("said", "units"),
    [
        ("Milimeters Throughout", "Milimeters Throughout"),
        ("INCES", "INCES"),
        ("unspecified", None),
        ("K-17", None),
        ("Give all sizes of holes", None),
    ],
)
def test_words_alone_under_the_label_of_the_unit_are_the_unit_however_they_are_spelled(
    said: str, units: str | None
) -> None:
    form = labelled_block()
    form.cell((230, 10, 290, 25), "UNITS", said, size=3)
    assert fields_of(form).get("units") == units


def _named_file(file: str, other: str) -> dict[str, str]:
    form = framed_form()
    form.cell((290, 40, 410, 55), "DESCRIPTION:", "Bearing cover")
    form.cell((290, 25, 370, 40), "FILE NAME:", file)
    form.cell((370, 25, 410, 40), other, "7731-5" if other == "DWG NO" else "")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET", "1 OF 2")
    return fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("file", "other", "number"),
    [
        ("TARN_cover_v1.2", "ORDER", "TARN_cover_v1.2"),
        ("P16", "ORDER", "P16"),
        ("Cover of the bearing", "ORDER", None),
        ("TARN_cover_v1.2", "DWG NO", "7731-5"),
    ],
)
def test_the_name_of_the_file_is_the_number_of_a_block_that_has_no_field_for_one(
    file: str, other: str, number: str | None
) -> None:
    fields = _named_file(file, other)
    assert (fields.get("drawing_number"), fields.get("title")) == (number, "Bearing cover")


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    ("said", "tolerances"),
    [
        (
            "线性公差按GB/T1804-m级执行;形位公差按GB/T1184-K级执行",
            "线性公差按GB/T1804-m级执行;形位公差按GB/T1184-K级执行",
        ),
        ("普通公差 JIS B 0405-m とする", "普通公差 JIS B 0405-m とする"),
        ("材料按GB/T1220-2007执行", None),
    ],
)
def test_a_cell_that_says_which_standard_general_tolerances_follow_states_them(
    said: str, tolerances: str | None
) -> None:
    form = labelled_block()
    form.box((200, 10, 290, 25))
    form.text(202, 16, said, 2)
    assert fields_of(form).get("tolerances") == tolerances


@pytest.mark.requirement("title.standard-form")
def test_the_form_of_building_products_has_mass_and_scale_beside_its_name() -> None:
    form = framed_form()
    own = next(each for each in FORMS if each.name == "form 4 of construction")
    left, low = 225.0, 10.0
    for word, (x1, y1, x2, y2) in own.labels.items():
        form.box((left + x1, low + y1, left + x2, low + y2))
        if word != "подпись":
            form.text(left + x1 + 0.5, low + y1 + 1.5, {"no док": "№док.", "кол уч": "Кол.уч."}.get(word, word), 2)
    values = {
        "drawing_number": "9187-15-КМД",
        "title": "Опорная плита",
        "company": 'ООО "Ковдор"',
        "scale": "1:5",
        "weight": "12,4",
    }
    for name, (x1, y1, x2, y2) in own.fields.items():
        form.box((left + x1, low + y1, left + x2, low + y2))
        if name in values:
            form.text(left + x1 + 2, low + (y1 + y2) / 2 - 1, values[name], 2)
    fields = fields_of(form)
    assert {name: fields.get(name) for name in values} == values


def _views() -> Form:
    """A sheet with sizes and no block."""
    form = Form()
    for place, size in enumerate(("12", "48,5", "R6")):
        form.text(60 + 40 * place, 150, size, 3)
    return form


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize(
    ("lines", "material"),
    [
        (("Firma: Tarnow", "Hliník", "Datum: 4.5.2021"), "Hliník"),
        (("Firma: Tarnow", "Horní víko", "Datum: 4.5.2021"), None),
        (("Všechny díry průchozí", "Hliník", "Dva kusy"), None),
    ],
)
def test_a_line_that_is_a_material_states_it_among_lines_that_state_fields(
    lines: tuple[str, ...], material: str | None
) -> None:
    form = _views()
    form.lines(200, 40, lines, 4, step=1.8)
    assert fields_of(form).get("material") == material


@pytest.mark.requirement("title.plain")
@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (
            ("Sensor board", "E. Mason - 2021-05-20", "Rev 2021-06-30 - nuts"),
            ("Sensor board", "E. Mason", "2021-05-20"),
        ),
        (
            ("Sensor board", "Where capacitors go", "2021-06-16"),
            ("Sensor board Where capacitors go", None, "2021-06-16"),
        ),
        (("Issue:", "Sensor board", "2021-06-16"), (None, None, None)),
        (("Sensor board", "Where capacitors go", "see 2021-06-16"), (None, None, None)),
    ],
)
def test_lines_in_the_lower_right_with_a_day_under_them_are_a_title_block(
    lines: tuple[str, ...], read: tuple[str | None, ...]
) -> None:
    form = _views()
    form.lines(300, 40, lines, 3, step=2)
    fields = fields_of(form)
    assert tuple(fields.get(key) for key in ("title", "drawn_by", "date")) == read


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("address", "company"), [("www.tarnow-motors.example", "Tarnow"), ("www.elsewhere.example", None)]
)
def test_the_name_that_the_sheets_web_address_is_made_of_is_the_company(address: str, company: str | None) -> None:
    form = labelled_block()
    form.box((230, 10, 290, 25))
    form.text(232, 15, "Tarnow", 3)
    form.text(20, 14, address, 2)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("said", "date"), [("140212", "140212"), ("141312", None), ("140200", None)])
def test_a_day_of_six_figures_under_its_label_is_a_date(said: str, date: str | None) -> None:
    form = labelled_block()
    form.cell((230, 10, 290, 25), "DATE", said, size=3)
    assert fields_of(form).get("date") == date


@pytest.mark.requirement("title.typical")
def test_a_site_with_its_address_is_a_project_of_many_words() -> None:
    site = "Réhabilitation du bâtiment de production situé à l'adresse suivante: 15, chaussée du Moulin, bâtiment B, 59000 Lille, France"
    form = labelled_block()
    form.box((150, 10, 290, 40))
    form.text(151, 36, "PROJECT", 1.8)
    form.text(151, 24, site, 1.5)
    assert fields_of(form).get("project") == site


def _open_block(*lines: str) -> dict[str, str]:
    """A block of labels over their values without rules; `lines` stand beside the label of the title and under that."""
    form = Form()
    for place, (label, value) in enumerate((("Scale", "2:1"), ("Part No.", "HK-4711-02"), ("Sheet", "1 OF 3"))):
        form.text(290 + 40 * place, 40, label, 2.5)
        form.text(290 + 40 * place, 36, value, 2.5)
    form.text(290, 30, "Title", 2.5)
    form.lines(305, 30, lines, 2.5)
    return fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (("Sensor & cover unit", "Outline of drawings"), "Sensor & cover unit Outline of drawings"),
        (("Sensor & cover unit", "", "", "Outline of drawings"), "Sensor & cover unit"),
    ],
)
def test_a_title_without_rules_goes_on_in_the_line_right_under_it(lines: tuple[str, ...], title: str) -> None:
    assert _open_block(*lines)["title"] == title


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("second", "units"), [("in mm", "mm"), ("of the part", None)])
def test_a_sentence_of_the_unit_goes_on_in_the_next_line_where_nothing_is_ruled(second: str, units: str | None) -> None:
    form = Form()
    for place, (label, value) in enumerate((("Scale", "2:1"), ("Part No.", "HK-4711-02"), ("Sheet", "1 OF 3"))):
        form.text(290 + 40 * place, 40, label, 2.5)
        form.text(290 + 40 * place, 36, value, 2.5)
    form.lines(330, 30, ("All dimensions", second), 2.5, step=1.6)
    form.text(290, 24, "Date", 2.5)
    form.text(290, 20, "4.5.2021", 2.5)
    assert fields_of(form).get("units") == units


def _exercise(owner: str, name: str, beside: str) -> dict[str, str]:
    form = framed_form()
    form.box((290, 55, 410, 70))
    form.text(292, 60, owner, 3)
    form.box((290, 40, 410, 55))
    form.text(310, 45, "Tapa arriba", 5)
    form.row(290, 25, 15, [(40, beside), (80, name)])
    form.cell((290, 10, 330, 25), "ESCALA", "1:1")
    form.cell((330, 10, 370, 25), "FECHA:", "11/2023")
    form.cell((370, 10, 410, 25), "HOJA:", "A4")
    return fields_of(form)


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("owner", "name", "beside", "drawn"),
    [
        ("UNIVERSIDAD DE TARNOW", "Ana Lorca", "75762529", "Ana Lorca"),
        (
            "UNIVERSIDAD DE TARNOW",
            "Ana Lorca 2015-7269 & Luis Prat 2016-5379",
            "",
            "Ana Lorca 2015-7269 & Luis Prat 2016-5379",
        ),
        ("UNIVERSIDAD DE TARNOW", "Ana Lorca", "", None),
        ("UNIVERSIDAD DE TARNOW", "Cubierta de aluminio", "75762529", None),
        ("Talleres Tarnow S.A.", "Ana Lorca", "75762529", None),
    ],
)
def test_on_the_sheet_of_a_school_a_name_with_a_registered_number_says_who_drew(
    owner: str, name: str, beside: str, drawn: str | None
) -> None:
    assert _exercise(owner, name, beside).get("drawn_by") == drawn


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("pieces", "sheet"), [(("1", "/", "2"), "1 / 2"), (("/",), None)])
def test_a_stroke_alone_between_two_numbers_is_a_part_of_the_sheet(pieces: tuple[str, ...], sheet: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET")
    for place, piece in enumerate(pieces):
        form.text(352 + 4 * place, 14, piece, 2.5)
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.cells")
def test_two_numbers_under_the_word_between_them_are_the_sheet_of_several() -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 350, 25), "SCALE", "1:2")
    form.cell((350, 10, 410, 25), "SHEET:")
    form.text(380, 22, "OF", 1.8)
    form.text(378, 13, "2 3", 2.5)
    assert fields_of(form).get("sheet") == "2 OF 3"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("rows", "filled", "company"), [(3, "", "TARNOW UNIVERSITY"), (3, "12", None), (2, "", None)])
def test_the_school_over_the_rows_of_a_form_that_nobody_filled_in_is_the_company(
    rows: int, filled: str, company: str | None
) -> None:
    form = framed_form()
    form.box((330, 10 + 10 * rows, 410, 20 + 10 * rows))
    form.text(335, 13 + 10 * rows, "TARNOW UNIVERSITY", 3)
    for row, label in enumerate(("Roll No.", "Class", "Subject")[:rows]):
        form.row(330, 10 + 10 * row, 10, [(40, label), (40, filled)], 3)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.lone")
@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (("#1195-02", "3mm Acrylic", "x1 per unit"), ("#1195-02", "3mm Acrylic")),
        (("Bracket", "3mm Acrylic", "x1 per unit"), (None, None)),
        (("#1195-02", "x1 per unit"), (None, None)),
        (("TKB-1195-02", "3mm Acrylic"), ("TKB-1195-02", "3mm Acrylic")),
        (("Left wing", "3mm Acrylic"), (None, None)),
    ],
)
def test_a_marked_number_and_a_material_alone_on_a_sheet_are_those_of_the_part_that_is_cut(
    lines: tuple[str, ...], read: tuple[str | None, ...]
) -> None:
    form = Form()
    form.lines(100, 150, lines, 6)
    fields = fields_of(form)
    assert (fields.get("part_number"), fields.get("material")) == read


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("by", "beside", "drawn"),
    [("BY: MASON", "", "MASON"), ("BY:", "R. Mason", "R. Mason"), ("BY:", "", None)],
)
def test_a_role_and_the_word_by_under_it_are_one_label(by: str, beside: str, drawn: str | None) -> None:
    form = labelled_block()
    form.box((200, 40, 240, 55))
    form.lines(202, 50, ("DRAWN", by), 2)
    form.box((240, 40, 290, 55))
    if beside:
        form.text(245, 45, beside, 2.5)
    fields = fields_of(form)
    assert fields.get("drawn_by") == drawn


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("said", "weight"), [("25gm", "25gm"), ("40 gms", "40 gms"), ("25gx", None)])
def test_grams_are_abbreviated_gm_as_well(said: str, weight: str | None) -> None:
    form = labelled_block()
    form.cell((230, 10, 290, 25), "WEIGHT", said, size=3)
    assert fields_of(form).get("weight") == weight


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("labels", "sheet"), [("Lang.Sheet", "1/7"), ("Lang.Steel", None)])
def test_two_labels_in_one_text_are_two_though_one_names_no_field(labels: str, sheet: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.box((290, 10, 350, 25))
    form.box((350, 10, 410, 25))
    form.text(350 - 5 * 2 * 0.7, 22, labels, 2.0)
    form.text(300, 13, "EN", 3)
    form.text(370, 13, "1/7", 3)
    assert fields_of(form).get("sheet") == sheet
