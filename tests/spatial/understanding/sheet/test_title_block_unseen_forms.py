"""Title blocks of forms and habits nobody has seen: words of a form moved, sheets counted in words, names over addresses."""

from __future__ import annotations

import pytest

from spatial.knowledge.standard_forms import FORMS
from spatial.knowledge.value_forms import GENERAL_TOLERANCE
from spatial.understanding.sheet.title_block.values import is_company
from tests.spatial.forms import Form, fields_of, framed_form


def _block() -> Form:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    return form


def _gb_format(*, moved: tuple[str, ...] = ()) -> Form:
    """The block of the Chinese sheet formats of SOLIDWORKS; moved: words that a template has in other cells."""
    form = framed_form()
    own = next(each for each in FORMS if each.name == "sheet formats gb")
    left, low = 230.0, 10.0
    cells = {*own.labels.values(), *own.fields.values(), (80.0, 0.0, 106.0, 9.0)}
    for x1, y1, x2, y2 in sorted(cells):
        form.box((left + x1, low + y1, left + x2, low + y2))
    for word, (x1, y1, _, y2) in own.labels.items():
        at = (left + 60, low + 40) if word in moved else (left + x1 + 1, low + (y1 + y2) / 2 - 1)
        form.text(*at, word, 2)
    for key, value in (("title", "摇臂轴承座"), ("weight", "0.42"), ("scale", "2:1"), ("material", "45钢")):
        x1, y1, _, y2 = own.fields[key]
        form.text(left + x1 + 2, low + (y1 + y2) / 2 - 1, value, 2)
    form.text(left + 81, low + 3, "共 3 张 第 2 张", 2)
    return form


@pytest.mark.requirement("title.standard-form")
def test_the_chinese_sheet_format_is_told_by_its_words_and_a_moved_word_does_no_harm() -> None:
    fields = fields_of(_gb_format())
    assert {key: fields.get(key) for key in ("title", "weight", "scale", "material", "sheet")} == {
        "title": "摇臂轴承座",
        "weight": "0.42",
        "scale": "2:1",
        "material": "45钢",
        "sheet": "2 of 3",
    }
    assert fields_of(_gb_format(moved=("审核",)))["title"] == "摇臂轴承座"


@pytest.mark.requirement("title.empty")
def test_a_text_placed_as_a_role_is_the_next_role_and_no_name() -> None:
    form = _block()
    for row, role in enumerate(("DESIGN", "DRAWN", "TUTOR")):
        low = 40 - 15 * row
        form.box((230, low, 290, low + 15))
        form.text(231, low + 12.2, role, 1.8)
    assert not {"drawn_by", "checked_by"} & set(fields_of(form))


@pytest.mark.requirement("title.company")
def test_a_large_name_over_the_cell_of_its_address_is_the_company_and_a_town_with_its_state_is_none() -> None:
    form = _block()
    form.box((230, 30, 290, 55))
    form.text(240, 40, "TARNOW", 6)
    form.box((230, 10, 290, 30))
    form.lines(232, 24, ("Civil Drafting", "Reno, NV 89501"), 2.5)
    assert fields_of(form)["company"] == "TARNOW"
    assert not is_company("Reno, NV 89501")


@pytest.mark.requirement("title.company")
def test_an_institute_set_as_its_university_belongs_to_the_name_and_an_address_does_not() -> None:
    form = _block()
    form.box((230, 10, 290, 55))
    form.text(232, 40, "Tarnow University", 2.5)
    form.text(232, 25, "Institute of Pumps", 2.5)
    assert fields_of(form)["company"] == "Tarnow University Institute of Pumps"
    other = _block()
    other.box((230, 10, 290, 55))
    other.text(232, 40, "Tarnow University", 2.5)
    other.text(232, 25, "Institute Road 4, Reno", 2.5)
    assert fields_of(other)["company"] == "Tarnow University"


@pytest.mark.requirement("title.empty")
def test_a_company_beside_an_empty_material_is_no_material() -> None:
    form = _block()
    form.row(230, 55, 12, [(60, "MATERIAL"), (120, "Tarnow Pumps Ltd")], 2.5)
    assert "material" not in fields_of(form)


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    "name", ["GB/T 1804-m", "JIS B 0405-m", "ГОСТ 30893.1-2002", "GB/T 1804", "UNI EN 22768-1 / 22768-2"]
)
def test_national_adoptions_of_iso_2768_state_general_tolerances(name: str) -> None:
    form = _block()
    form.box((230, 25, 290, 55))
    form.text(232, 45, "Untoleranced", 2)
    form.text(232, 35, name, 2)
    assert GENERAL_TOLERANCE.fullmatch(name) is not None
    assert fields_of(form)["tolerances"] == name


@pytest.mark.requirement("title.place-tolerances")
def test_the_angles_under_rows_of_decimal_places_end_the_list() -> None:
    form = _block()
    for row, (name, deviation) in enumerate(((".X", "±0.4"), (".XX", "±0.15"))):
        form.row(250, 40 - 8 * row, 8, [(20, name), (20, deviation)], 2)
    form.row(250, 24, 8, [(40, "ANGULAR+/- 2 DEG")], 2)
    assert fields_of(form)["tolerances"] == ".X ±0.4; .XX ±0.15; ANGULAR+/- 2 DEG"


@pytest.mark.requirement("title.plain")
@pytest.mark.parametrize(("last", "drafter"), [("W. Fargel - 2023-04-11", "W. Fargel"), ("Cut 4 - 2023-04-11", None)])
def test_plain_lines_that_end_with_a_name_and_a_date_are_a_block(last: str, drafter: str | None) -> None:
    form = framed_form()
    form.lines(300, 40, ("Fan guard", "Finished thickness 8", last), 4)
    fields = fields_of(form)
    assert (fields.get("title"), fields.get("drawn_by")) == (("Fan guard", drafter) if drafter else (None, None))


@pytest.mark.requirement("title.typical")
def test_a_corner_of_cells_with_a_name_beside_a_month_is_a_block_with_its_title_over_them() -> None:
    form = framed_form()
    form.box((290, 40, 410, 60))
    form.text(310, 47, "Garden lamp", 6)
    form.row(290, 25, 15, [(85, "Wim Fargel"), (35, "Mar 2023")], 3)
    form.row(290, 10, 15, [(85, "Tarnow Hobby Room"), (35, "412")], 3)
    fields = fields_of(form)
    assert fields == {"title": "Garden lamp", "drawn_by": "Wim Fargel", "date": "Mar 2023"}


@pytest.mark.requirement("title.company")
def test_a_sign_of_copyright_beside_a_name_makes_no_notice_of_it() -> None:
    form = _block()
    form.box((230, 30, 290, 55))
    form.text(232, 44, "TARNOW UNIVERSITY", 2)
    form.text(280, 44, "©", 2)
    assert fields_of(form)["company"] == "TARNOW UNIVERSITY"
