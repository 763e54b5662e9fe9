"""What a title block says without a label that is known: by the place, the lettering and the form of its texts."""

from __future__ import annotations

import pytest

from spatial.knowledge.standard_forms import FORMS
from spatial.understanding.sheet.title_block.values import is_assigned
from tests.spatial.forms import Form, fields_of

FRAME = (10, 10, 410, 287)
CELLS = (
    ("TITLE", "Bearing cover", (290, 40, 410, 55)),
    ("DWG NO", "HK-4711-02", (290, 25, 370, 40)),
    ("REV", "B", (370, 25, 410, 40)),
    ("SCALE", "1:2", (290, 10, 330, 25)),
    ("SHEET", "1 OF 2", (330, 10, 370, 25)),
    ("SIZE", "A3", (370, 10, 410, 25)),
)


def _block() -> Form:
    form = Form()
    form.box(FRAME)
    for label, value, box in CELLS:
        form.cell(box, label, value)
    return form


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("lines", "company"),
    [
        (("Tarnow Instruments", "Mill Road 7, Leeds", "Tel. +44 113 496 0000"), "Tarnow Instruments"),
        (("TARNOW", "OBSERVATORY", "TUCSON, AZ 85721"), "TARNOW OBSERVATORY"),
        (("Tarnow Instruments", "www.tarnow-instruments.example"), "Tarnow Instruments"),
        (("Tarnow Instruments", "12 pieces a year", "without coating"), None),
    ],
)
def test_what_stands_over_an_address_is_the_company(lines: tuple[str, ...], company: str | None) -> None:
    form = _block()
    form.box((250, 10, 290, 55))
    form.lines(252, 48, lines, 2.0)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.company")
def test_the_only_name_without_a_label_is_the_company_where_it_is_large_and_over_the_title() -> None:
    form = _block()
    form.box((290, 55, 410, 75))
    form.lines(300, 66, ("TARNOW", "D E S I G N"), 5.0)
    assert fields_of(form)["company"] == "TARNOW DESIGN"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize("further", ["beside", "small", "caption", "two", "figures"])
def test_a_name_that_may_be_something_else_is_no_company(further: str) -> None:
    form = _block()
    if further == "beside":
        form.cell((250, 10, 290, 55), "", "Quality")
    elif further == "small":
        form.cell((290, 55, 410, 75), "", "Tarnow", size=1.8)
    elif further == "caption":
        form.box((290, 55, 410, 59))
        form.text(330, 56, "MODEL", 1.8)
        form.cell((290, 59, 410, 75), "", "Tarnow")
    elif further == "two":
        form.cell((290, 55, 350, 75), "", "Tarnow")
        form.cell((350, 55, 410, 75), "", "Released")
    else:
        form.cell((290, 55, 410, 75), "", "Line 7")
    fields = fields_of(form)
    assert "company" not in fields
    assert fields["title"] == "Bearing cover"


def _drawn_form(name: str, texts: dict[tuple[float, float, float, float], str]) -> Form:
    """A form of a standard in the corner of a sheet, with what stands in its cells."""
    form = Form()
    form.box(FRAME)
    own = next(each for each in FORMS if each.name == name)
    width = max(cell[2] for cell in own.fields.values())
    for cell in {*own.labels.values(), *own.fields.values()}:
        box = (cell[0] + 410 - width, cell[1] + 10, cell[2] + 410 - width, cell[3] + 10)
        form.box(box)
        if cell in texts:
            form.text(box[0] + 1, box[1] + 1, texts[cell], 2.5)
    return form


@pytest.mark.requirement("title.standard-form")
def test_the_form_of_a_standard_is_told_by_its_cells_where_its_words_are_others() -> None:
    own = next(each for each in FORMS if each.name == "form 1")
    texts = {
        own.fields[key]: text for key, text in (("title", "Drive shaft"), ("material", "Rod 37Zu4"), ("scale", "2:1"))
    }
    texts |= {
        own.fields["drawing_number"]: "MMP.03.004",
        own.fields["sheet_count"]: "of Ugozi 2",
        own.labels["разраб"]: "Drawn by",
        own.labels["пров"]: "Checked",
        own.labels["масса"]: "Weight",
        own.labels["масштаб"]: "Scale",
        own.fields["sheet"]: "1",
    }
    fields = fields_of(_drawn_form("form 1", texts))
    assert (fields["title"], fields["material"], fields["sheet"]) == ("Drive shaft", "Rod 37Zu4", "1 of 2")


@pytest.mark.requirement("title.standard-form")
@pytest.mark.parametrize(
    ("number", "read"),
    [("MMP.03.004", ("MMP.03.004", "Rod 37Zu4")), ("Renewal of the works at Tarnow, Mole Road 15", (None, None))],
)
def test_prose_in_the_place_of_the_number_makes_no_number_and_no_material(
    number: str, read: tuple[str | None, str | None]
) -> None:
    own = next(each for each in FORMS if each.name == "form 1")
    texts = {own.fields["title"]: "Drive shaft", own.fields["material"]: "Rod 37Zu4", own.fields["scale"]: "2:1"}
    texts |= {own.fields["drawing_number"]: number, own.labels["масса"]: "Weight", own.labels["масштаб"]: "Scale"}
    texts |= {own.labels["разраб"]: "Drawn by", own.labels["пров"]: "Checked", own.fields["sheet"]: "1"}
    fields = fields_of(_drawn_form("form 1", texts))
    assert fields["title"] == "Drive shaft"
    assert (fields.get("drawing_number"), fields.get("material")) == read


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("text", "is_number"), [("RCDD-03", True), ("153-10", True), ("6.41", False)])
def test_a_decimal_number_is_no_number_as_companies_assign_them(text: str, is_number: bool) -> None:
    assert is_assigned(text) is is_number


@pytest.mark.requirement("title.typical")
def test_a_sheet_of_several_alone_in_a_cell_is_the_sheet_and_a_larger_number_first_is_none() -> None:
    for text, sheet in (("1 / 3", "1 / 3"), ("3 / 1", None)):
        form = Form()
        form.box(FRAME)
        for label, value, box in CELLS:
            form.cell(box, *(("", text) if label == "SHEET" else (label, value)))
        assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.roles")
def test_the_label_over_the_checker_with_a_date_in_its_row_is_the_drafter() -> None:
    for date, name in (("2024-09-24", "E. Rudin"), ("", None)):
        form = _block()
        form.row(190, 16, 6, [(30, "Atena"), (40, "E. Rudin"), (30, date)], 1.8)
        form.row(190, 10, 6, [(30, "CHECKED"), (40, "K. Osten"), (30, "2024-09-25")], 1.8)
        assert fields_of(form).get("drawn_by") == name


@pytest.mark.requirement("title.form")
@pytest.mark.parametrize("value", ["Feb-19-25", "2024-09-24", "5. kolovoz 2024"])
def test_a_label_of_which_one_word_says_date_names_a_date_with_the_month_in_any_language(value: str) -> None:
    form = _block()
    form.cell((250, 10, 290, 25), "OGOPO DATE", value)
    assert fields_of(form)["date"] == value


@pytest.mark.requirement("title.typical")
def test_no_title_is_told_between_two_names_under_a_larger_company() -> None:
    form = Form()
    form.box(FRAME)
    for label, value, box in CELLS[1:]:
        form.cell(box, label, value)
    form.cell((290, 40, 350, 55), "", "Tailstock body", size=4)
    form.cell((350, 40, 410, 55), "", "Mechanics", size=5)
    form.cell((190, 10, 290, 55), "", "University of Tarnow", size=7)
    fields = fields_of(form)
    assert "title" not in fields
    assert fields["company"] == "University of Tarnow"


@pytest.mark.requirement("title.cells")
def test_cells_that_end_before_a_heavy_frame_are_cells_and_two_labels_in_one_text_are_two() -> None:
    form = Form()
    form.rules += [(10, 10, 410, 10), (410, 10, 410, 287), (10, 287, 410, 287), (10, 10, 10, 287)]
    form.rules += [(250, 40, 410, 40), (250, 26, 410, 26)]
    form.rules += [(x, 11.4, x, 40) for x in (250, 290, 330, 370)]
    for x, label, value in ((250, "TITLE", "Cover"), (290, "DWG NO", "HK-4711"), (330, "", "B"), (370, "", "1")):
        if label:
            form.text(x + 1, 36, label, 1.8)
            form.text(x + 2, 29, value, 3)
        else:
            form.text(x + 12, 13, value, 3)
    form.text(362, 21, "REV:  SHEET:", 1.8)
    form.text(252, 21, "SCALE", 1.8)
    form.text(262, 13, "1:2", 3)
    fields = fields_of(form)
    assert (fields["scale"], fields["revision"], fields["sheet"]) == ("1:2", "B", "1")


@pytest.mark.requirement("title.company")
def test_a_row_of_data_over_the_company_and_a_label_of_no_known_word_do_not_hide_it() -> None:
    form = _block()
    form.cell((290, 55, 410, 75), "", "Tarnow", size=5.0)
    form.cell((290, 75, 350, 87), "MATERIAL", "6063-T5")
    form.cell((350, 75, 410, 87), "", "Umrisse", size=1.8)
    assert fields_of(form)["company"] == "Tarnow"


@pytest.mark.requirement("title.open")
def test_a_general_tolerance_under_its_label_and_a_unit_behind_its_own_are_read_in_open_space() -> None:
    form = _block()
    form.lines(300, 90, ("Allgemeintoleranz", "ISO 2768-mK"))
    form.text(330, 280, "Unit: mm")
    fields = fields_of(form)
    assert (fields["tolerances"], fields["units"]) == ("ISO 2768-mK", "mm")


@pytest.mark.requirement("title.open")
def test_two_units_in_open_space_state_none() -> None:
    form = _block()
    form.text(330, 280, "Unit: mm")
    form.text(100, 280, "Unit: inch")
    assert "units" not in fields_of(form)


@pytest.mark.requirement("title.typical")
def test_the_standard_at_the_end_of_a_form_s_sentence_is_the_general_tolerance() -> None:
    form = _block()
    form.box((230, 25, 290, 55))
    form.lines(231, 50, ("UNLESS OTHERWISE SPECIFIED:", "dimensions and finish", "acc. to NEN ISO 2768mK"), 1.8)
    assert fields_of(form)["tolerances"] == "NEN ISO 2768mK"


@pytest.mark.requirement("title.cells")
def test_a_word_between_the_bounds_of_a_table_of_tolerances_is_no_label() -> None:
    form = Form()
    form.box(FRAME)
    for label, value, box in CELLS:
        if label != "SHEET":
            form.cell(box, label, value)
    form.cell((330, 10, 370, 25), "SHEET", "0001")
    for row, most in enumerate(("3", "6", "30", "120", "400", "1000", "2000")):
        y = 10 + 6 * row
        form.row(210, y, 6, ((40, "over"), (40, "to")), size=1.8)
        form.text(270, y + 2, most, 1.8)
    assert fields_of(form)["sheet"] == "0001"


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("path", "number", "sheet"), [("/", "1/3", "1/3"), ("/", "A-13", None), ("2/3", "1/1", "2/3")])
def test_n_of_m_after_id_is_the_sheet_where_its_label_has_the_path_of_a_schematic(
    path: str, number: str, sheet: str | None
) -> None:
    form = Form()
    form.box(FRAME)
    form.row(260, 34, 8, [(150, f"Sheet: {path}")])
    form.row(260, 26, 8, [(150, "Title: Pump driver board")])
    form.row(260, 18, 8, [(50, "Size: A4"), (60, "Date: 2024-03-05"), (40, "Rev: 1.2")])
    form.row(260, 10, 8, [(110, "Tarnow 8.0"), (40, f"Id: {number}")])
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("further", ["", "Werk 2", "/"])
def test_the_only_words_of_a_form_without_labels_are_the_title_beside_its_sheet(further: str) -> None:
    form = Form()
    form.box(FRAME)
    for box, value in (
        ((330, 10, 410, 20), "1/2"), ((250, 10, 330, 20), ""), ((330, 20, 410, 35), "Halter rechts"),
        ((250, 20, 290, 35), further), ((290, 20, 330, 35), ""), ((330, 35, 410, 50), ""),
    ):  # fmt: skip
        form.cell(box, "", value)
    is_read = further != "Werk 2"
    assert fields_of(form) == ({"title": "Halter rechts", "sheet": "1/2"} if is_read else {})
