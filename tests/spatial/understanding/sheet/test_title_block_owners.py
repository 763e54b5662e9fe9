"""Title blocks: whose sheet it is by logo and place, lists of deviations, tables that are no block, what a dash says."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block.filled_tables import filled_tables
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import fields_of, framed_form, labelled_block


@pytest.mark.requirement("title.company")
def test_the_only_name_beside_a_picture_is_the_company_and_the_other_one_the_title() -> None:
    form = framed_form()
    form.box((230, 55, 320, 80))
    form.text(240, 66, "Bearing cover", 4.5)
    form.box((320, 55, 410, 80))
    form.text(325, 66, "Tarnow Works", 5.5)
    for left, label, value in (
        (230, "SCALE", "1:2"),
        (275, "SHEET", "1 OF 2"),
        (320, "SIZE", "A3"),
        (365, "DRAWN BY", "A. Fargel"),
    ):
        form.cell((left, 40, left + 45, 55), label, value)
    fields = fields_of(form, (380, 56, 408, 79))
    assert (fields["company"], fields["title"]) == ("Tarnow Works", "Bearing cover")
    assert "company" not in fields_of(form, (20, 200, 60, 240))


@pytest.mark.requirement("title.company")
def test_words_in_the_cell_over_the_labelled_title_are_the_company_with_a_number_too() -> None:
    form = labelled_block()
    form.box((290, 55, 410, 65))
    form.text(300, 58, "Tarnow Robotics Team 4774", 2.2)
    assert fields_of(form)["company"] == "Tarnow Robotics Team 4774"
    narrow = labelled_block()
    narrow.box((290, 55, 350, 65))
    narrow.text(292, 58, "Tarnow Robotics Team 4774", 2.2)
    assert "company" not in fields_of(narrow)


@pytest.mark.requirement("title.company")
def test_lines_in_the_middle_of_a_cell_are_one_name_and_over_an_address_they_are_not() -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.text(244.2, 35, "TARNOW COLLEGE", 2.0)
    form.text(240, 30, "MECHANICAL DEPARTMENT", 2.0)
    assert fields_of(form)["company"] == "TARNOW COLLEGE MECHANICAL DEPARTMENT"
    address = labelled_block()
    address.box((230, 10, 290, 55))
    address.lines(232, 48, ("Tarnow Limited", "12 Mill Road", "Leeds"), 2.0)
    assert fields_of(address)["company"] == "Tarnow Limited"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("first", "second", "name"),
    [("UNIVERSITATEA", "DIN TARNOW", "UNIVERSITATEA DIN TARNOW"), ("UNIVERSITY", "TARNOW COLLEGE", "TARNOW COLLEGE")],
)
def test_a_kind_of_school_over_a_line_lettered_and_centred_as_it_begins_the_name(
    first: str, second: str, name: str
) -> None:
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.text(241, 48, first, 3.0)
    form.text(244.4, 42, second, 3.0)
    form.text(240, 36, "FACULTATEA DE MECANICA", 2.0)
    assert fields_of(form)["company"].startswith(name)


@pytest.mark.requirement("title.empty")
def test_a_company_over_its_address_beside_an_empty_title_is_no_title() -> None:
    form = framed_form()
    form.row(230, 55, 15, [(40, "Title"), (40, "")])
    form.box((310, 40, 410, 70))
    form.lines(312, 66, ("Tarnow Limited", "12 Mill Road, Leeds"), 2.5)
    form.box((270, 55, 310, 70))
    form.row(230, 40, 15, [(40, "SCALE: 1:2"), (40, "SIZE: A3")])
    form.row(310, 25, 15, [(50, "DATE: 2024-03-01"), (50, "SHEET: 1 OF 2")])
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.cells")
def test_a_second_line_of_a_label_is_no_part_of_the_value_beside_both() -> None:
    form = labelled_block()
    form.box((290, 55, 410, 70))
    form.text(292, 64, "Material", 2.0)
    form.text(292, 60, "required", 2.0)
    form.text(320, 62, "Steel rod", 2.0)
    assert fields_of(form)["material"] == "Steel rod"


@pytest.mark.requirement("title.place-tolerances")
def test_deviations_by_places_are_listed_from_one_cell_or_row_by_row() -> None:
    cell = labelled_block()
    cell.box((190, 10, 290, 30))
    cell.text(192, 22, ".XX ±.01   .XXX ±.005", 2.0)
    assert fields_of(cell)["tolerances"] == ".XX ±.01; .XXX ±.005"
    rows = labelled_block()
    for number, (name, value) in enumerate(((".X", "±0.2"), (".XX", "±0.1"), ("ANGLES", "±0.5"))):
        rows.row(230, 32 - 8 * number, 8, [(30, name), (30, value)])
    assert fields_of(rows)["tolerances"] == ".X ±0.2; .XX ±0.1; ANGLES ±0.5"


@pytest.mark.requirement("title.place-tolerances")
def test_places_that_nobody_filled_in_are_no_tolerances() -> None:
    form = labelled_block()
    form.box((190, 10, 290, 30))
    form.text(192, 22, ".XX = ±.0   .XXX = ±.00", 2.0)
    assert "tolerances" not in fields_of(form)


PROPERTIES = (("GEAR RATIO", "100"), ("EFFICIENCY", "94%"), ("NOISE", "<=65"), ("LIFE", "20000"), ("SPEED", "3000"))


@pytest.mark.requirement("title.properties")
def test_rows_of_properties_against_a_block_are_none_of_its_fields() -> None:
    form = labelled_block()
    for number, (name, value) in enumerate(PROPERTIES):
        form.row(210, 10 + 9 * number, 9, [(40, name), (40, value)])
    assert not {name for name, _ in PROPERTIES} & set(fields_of(form))


CONNECTORS = (
    ("NO.", "TYPE", "MATE WITH"), ("P1 (BUS)", "5326-057", "5102-050"), ("P2 (POWER)", "5326-067", "5102-060"),
    ("P3 (CAN)", "5326-047", "5102-040"), ("P4 (SWD)", "5326-027", "5102-020"),
)  # fmt: skip


@pytest.mark.requirement("title.properties")
def test_rows_of_filled_cells_against_a_block_are_none_of_its_fields() -> None:
    without = fields_of(labelled_block())
    form = labelled_block()
    form.box((170, 55, 290, 64))
    form.text(190, 58, "MOLEX CONNECTORS", 3.5)
    for number, row in enumerate(reversed(CONNECTORS)):
        form.row(170, 10 + 9 * number, 9, [(40, text) for text in row])
    sheet = form.sheet()
    grids = find_grids(sheet)
    found = find_title_block([sheet], {1: grids}, filled_tables(grids))
    assert found is not None
    assert dict(found.block.fields) == without


@pytest.mark.requirement("title.properties")
def test_a_numbered_list_in_a_cell_of_a_block_is_left_for_the_notes() -> None:
    form = labelled_block()
    form.cell((170, 10, 230, 55), "MATERIAL", "Steel")
    form.box((230, 10, 290, 55))
    listed = ["1. NO BAD PIXELS", "2. STORE AT -20 TO 70", "3. WITHOUT TOLERANCE: 0.3"]
    for number, line in enumerate(listed):
        form.text(232, 46 - 6 * number, line, 2.5)
    sheet = form.sheet()
    found = find_title_block([sheet], {1: find_grids(sheet)}, frozenset())
    assert found is not None
    assert not found.claimed & {text.id for text in sheet.texts if text.text in listed}


@pytest.mark.requirement("title.properties")
@pytest.mark.parametrize("dated", [True, False])
def test_a_table_that_states_nothing_of_a_sheet_is_no_title_block(dated: bool) -> None:
    form = framed_form()
    rows = [
        ("Zorgel", "Tarnow"),
        ("Blavik", "Fargel"),
        ("Wumpen", "Ostik"),
        ("Krelbo", "2024-03-01" if dated else "Lirko"),
    ]
    for number, (name, value) in enumerate(rows):
        form.cell((350, 10 + 12 * number, 410, 22 + 12 * number), name, value)
    assert bool(fields_of(form)) == dated


@pytest.mark.requirement("title.first-issue")
@pytest.mark.parametrize(
    ("label", "value", "revision"),
    [("CAGE CODE", "0ZX17", "-"), ("INTERPRET", "PER ASME Y14.5-2018", None), ("INTERPRET", "PER ISO 1101", None)],
)
def test_a_dash_is_a_first_issue_in_a_block_with_a_cage_code(label: str, value: str, revision: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), label, value)
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "-")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((330, 10, 370, 25), "SHEET", "1 OF 2")
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    assert fields_of(form).get("revision") == revision


@pytest.mark.requirement("title.typical")
def test_of_two_names_in_one_lettering_words_are_the_title_before_initials() -> None:
    form = framed_form()
    form.box((230, 10, 290, 55))
    form.text(250, 30, "BRT", 4.5)
    form.box((290, 40, 410, 55))
    form.text(310, 45, "Gearbox selection", 4.5)
    for left, label, value in ((290, "SCALE", "1:2"), (330, "SHEET", "1 OF 2"), (370, "DRAWN BY", "A. Fargel")):
        form.cell((left, 25, left + 40, 40), label, value)
    form.cell((290, 10, 410, 25), "DATE", "2024-03-01")
    assert fields_of(form)["title"] == "Gearbox selection"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("small", "height", "owner"),
    [
        ("Escuela de Zorg", 7.0, "Tarnow Ogopo"),
        ("Lehrstuhl Zorg", 7.0, "Tarnow Ogopo"),
        ("School of Zorg", 3.2, "School of Zorg"),
        ("Zorg GmbH", 7.0, "Zorg GmbH"),
    ],
)
def test_a_department_beside_a_far_larger_name_is_not_the_company(small: str, height: float, owner: str) -> None:
    form = labelled_block()
    form.box((290, 55, 410, 65))
    form.text(300, 58, small, 2.2)
    form.box((230, 45, 290, 65))
    form.text(233, 50, "Tarnow Ogopo", height)
    assert fields_of(form)["company"] == owner


@pytest.mark.requirement("title.company")
def test_an_owner_in_a_notice_begins_with_the_whole_of_its_first_word() -> None:
    form = labelled_block()
    notice = "REPRODUCTION WITHOUT THE WRITTEN PERMISSION OF THEODOLITE TECHNOLOGIES IS PROHIBITED."
    form.box((100, 10, 230, 20))
    form.text(101, 14, notice, 1.5)
    assert fields_of(form)["company"] == "THEODOLITE TECHNOLOGIES"


@pytest.mark.requirement("title.company")
def test_a_faculty_over_the_middle_of_its_university_is_the_company_with_it() -> None:
    form = labelled_block()
    form.box((230, 20, 290, 65))
    for line, (text, height) in enumerate(
        (("Zorg 4499 - Tarnow", 4.0), ("Faculty of Zorg", 3.0), ("University of Tarnow", 3.0))
    ):
        form.text(260 - 0.3 * height * len(text), 55 - 8 * line, text, height)
    assert fields_of(form)["company"] == "Faculty of Zorg University of Tarnow"
