"""Values of a title block that are printed with something else: a name over a number, a half read list, a second form in a corner."""

from __future__ import annotations

import pytest

from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.filled_tables import filled_tables
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, fields_of, framed_form


def _block(page: int = 1, sheet: str = "1 OF 2") -> Form:
    """Cells over the lower edge of the sheet that make a block: scale, sheet, who drew it."""
    form = Form(page)
    form.box((10, 10, 410, 287))
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", sheet)
    form.cell((350, 40, 410, 55), "DRAWN BY", "A. Tarnow")
    return form


@pytest.mark.requirement("title.cells")
def test_a_name_over_a_number_in_the_field_of_the_number_is_the_title() -> None:
    form = _block()
    form.cell((290, 10, 410, 40), "PART NO.", "Stepper Motor HT\nTN-42STH48-25AH")
    fields = fields_of(form)
    assert (fields["part_number"], fields["title"]) == ("TN-42STH48-25AH", "Stepper Motor HT")


@pytest.mark.requirement("title.cells")
def test_a_number_of_two_lines_without_words_stays_whole() -> None:
    form = _block()
    form.cell((290, 10, 410, 40), "PART NO.", "4711-\nA12")
    assert "title" not in fields_of(form)
    set_off = _block()
    set_off.cell((290, 20, 410, 40), "TITLE", "-BASE PLATE-")
    assert "BASE PLATE" in fields_of(set_off)["title"]


@pytest.mark.requirement("title.cells")
def test_a_revision_like_a_paper_format_stands_beside_its_label_where_the_row_has_its_values_there() -> None:
    form = _block()
    form.row(290, 30, 10, [(30, "FINISH"), (30, "ZINC"), (30, "REV."), (30, "A1")])
    assert fields_of(form)["revision"] == "A1" and "size" not in fields_of(form)


@pytest.mark.requirement("title.empty")
def test_under_a_heading_with_several_values_of_one_form_none_is_the_sheets() -> None:
    form = _block()
    form.row(290, 30, 10, [(50, "PART NO."), (70, "PLATING")])
    form.row(290, 20, 10, [(50, "786460001"), (70, "GOLD OVER NICKEL")])
    form.row(290, 10, 10, [(50, "786463001"), (70, "TIN OVER NICKEL")])
    assert "part_number" not in fields_of(form)
    alone = _block()
    alone.row(290, 30, 10, [(50, "PART NO."), (70, "PLATING")])
    alone.row(290, 20, 10, [(50, "786460001"), (70, "GOLD OVER NICKEL")])
    assert fields_of(alone)["part_number"] == "786460001"


@pytest.mark.requirement("title.empty")
def test_a_list_of_tolerances_with_a_deviation_whose_name_was_not_read_is_left_out() -> None:
    whole, half = _block(), _block()
    for form, names in ((whole, [".X", ".XX", ".XXX"]), (half, ["", ".XX", ".XXX"])):
        for place, (name, value) in enumerate(zip(names, ["±0.3", "±0.2", "±0.1"], strict=True)):
            form.row(290, 30 - 8 * place, 8, [(20, name), (30, value)])
    assert fields_of(whole)["tolerances"] == ".X ±0.3; .XX ±0.2; .XXX ±0.1"
    assert "tolerances" not in fields_of(half)


@pytest.mark.requirement("title.cells")
def test_a_revision_like_a_paper_format_is_read_beside_its_label_over_a_word_that_names_no_field_and_has_its_value_there() -> (
    None
):
    form = framed_form()
    form.row(290, 30, 10, [(30, "Rev:"), (30, "A1")])
    form.row(290, 20, 10, [(30, "Time:"), (30, "01")])
    form.row(290, 10, 10, [(30, "SCALE"), (30, "1:20")])
    assert fields_of(form)["revision"] == "A1"


@pytest.mark.requirement("title.cells")
def test_a_revision_like_a_paper_format_is_read_in_a_row_of_cells_whose_other_labels_have_their_values_beside_them() -> (
    None
):
    form = framed_form()
    form.row(290, 30, 10, [(30, "DATE"), (30, "3.11.2021"), (30, ""), (30, "REV."), (30, "A1")])
    assert fields_of(form)["revision"] == "A1"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize("value", ["Tarnow Connector Inc.", "Fargel GmbH"])
def test_a_company_in_the_field_of_the_material_is_no_material(value: str) -> None:
    form = _block()
    form.cell((290, 15, 410, 40), "MATERIAL", value)
    assert "material" not in fields_of(form)


@pytest.mark.requirement("title.company")
def test_a_line_that_says_whose_company_it_is_names_no_company() -> None:
    assert not any(map(values.is_company, ("A TARNOW MOTION COMPANY", "EIN UNTERNEHMEN DER FARGEL GMBH")))
    assert all(
        map(
            values.is_company,
            ("ANTON TARNOW COMPANY", "A O SMITH COMPANY", "A W CHESTERTON COMPANY", "AN KHANH COMPANY"),
        )
    )
    form = _block()
    form.cell((290, 10, 410, 40), "TITLE", "Bracket")
    form.box((290, 55, 410, 75))
    form.text(300, 67, "TARNOW DESIGN SERVICES", 4)
    form.text(300, 60, "A FARGEL COMPANY, TWINSBURG", 2)
    assert fields_of(form)["company"] == "TARNOW DESIGN SERVICES"


@pytest.mark.requirement("title.company")
def test_of_a_name_that_was_not_read_whole_no_other_line_is_the_company() -> None:
    form = _block()
    form.box((290, 15, 410, 40))
    form.text(300, 32, f"{UNREAD} TARNOW CO.,LTD.", 3.5)
    form.text(300, 22, "クス株式会社", 3.5)
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.typical")
def test_the_words_of_a_logo_are_no_title() -> None:
    form = _block()
    form.box((290, 10, 350, 40))
    form.text(300, 22, "TARNOW MOTORS", 6)
    form.box((350, 10, 410, 40))
    form.text(355, 22, "Tarnow Motors Co., Ltd.", 2.5)
    fields = fields_of(form)
    assert fields["company"] == "Tarnow Motors Co., Ltd." and fields.get("title") != "TARNOW MOTORS"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("gap", "number"), [(0.2, "C-104233"), (2.0, "C -104233")])
def test_a_number_whose_first_letter_is_lettered_larger_has_no_blank_before_its_dash(gap: float, number: str) -> None:
    form = _block()
    form.box((290, 15, 410, 40))
    form.text(292, 36, "DRAWING NO.", 1.8)
    form.text(300, 25, "C", 5.0)
    form.text(303.5 + gap, 25.5, "-104233", 3.0)
    assert fields_of(form)["drawing_number"] == number


@pytest.mark.requirement("title.empty")
def test_a_heading_that_says_everything_twice_makes_a_table_that_states_no_field() -> None:
    form = _block()
    form.row(290, 30, 10, [(30, "Item"), (30, "Data"), (30, "Item"), (30, "Data")])
    form.row(290, 20, 10, [(30, "Phases"), (30, "2"), (30, "Detent"), (30, "20 mNm")])
    form.row(290, 10, 10, [(30, "Voltage"), (30, "3 V"), (30, "Weight"), (30, "0.35 kg")])
    sheet = form.sheet()
    grids = find_grids(sheet)
    found = find_title_block([sheet], {1: grids}, filled_tables(grids))
    assert found is not None and "weight" not in found.block.fields
    assert found.block.fields["scale"] == "1:2"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("head", [("Item", "Data", "Item", "Data"), ("Item", "Data", "Part", "Size")])
def test_such_a_heading_is_found_although_its_rules_run_on_into_cells_of_another_form(head: tuple[str, ...]) -> None:
    form = _block()
    form.row(170, 30, 10, [*((30, text) for text in head), (40, ""), (40, "")])
    form.row(170, 20, 10, [(30, "Phases"), (30, "2"), (30, "Detent"), (30, "20 mNm"), (80, "")])
    form.row(170, 10, 10, [(30, "Voltage"), (30, "3 V"), (30, "Weight"), (30, "0.35 kg"), (80, "")])
    sheet = form.sheet()
    grids = find_grids(sheet)
    found = find_title_block([sheet], {1: grids}, filled_tables(grids))
    assert found is not None and ("weight" in found.block.fields) == (head[0] != head[2])


@pytest.mark.requirement("title.cells")
def test_a_form_in_another_corner_states_what_the_block_does_not() -> None:
    form = _block()
    form.cell((290, 10, 410, 40), "TITLE", "Bracket")
    form.row(10, 279, 8, [(20, "REV."), (20, "B")])
    form.row(10, 271, 8, [(20, "PART NO."), (40, "200101008542")])
    fields = fields_of(form)
    assert (fields["revision"], fields["part_number"], fields["title"]) == ("B", "200101008542", "Bracket")


@pytest.mark.requirement("title.cells")
def test_a_form_in_the_middle_of_the_sheet_states_nothing_of_it() -> None:
    form = _block()
    form.cell((290, 10, 410, 40), "TITLE", "Bracket")
    form.row(150, 179, 8, [(20, "REV."), (20, "B")])
    form.row(150, 171, 8, [(20, "PART NO."), (40, "200101008542")])
    assert not {"revision", "part_number"} & set(fields_of(form))


@pytest.mark.requirement("title.empty")
def test_of_two_units_that_head_columns_neither_is_the_sheets() -> None:
    form = _block()
    form.row(290, 30, 10, [(40, "PLACES"), (40, "mm"), (40, "INCH")])
    assert "units" not in fields_of(form)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("printed", "value"), [("10F1", "1 OF 1"), ("1 OF 1", "1 OF 1"), ("2 0F 3", "2 0F 3")])
def test_a_nought_for_the_letter_o_parts_the_numbers_of_a_sheet(printed: str, value: str) -> None:
    assert fields_of(_block(sheet=printed))["sheet"] == value


@pytest.mark.requirement("title.cells")
def test_the_name_stands_in_the_first_cell_behind_its_label_however_high_the_next_text_is() -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.row(290, 25, 15, [(30, "Checked"), (30, "Fargel")])
    form.box((350, 25, 410, 40))
    form.text(351, 35, "Vatika")
    form.text(351, 27, "Onukol no. 7", 1.5)
    assert fields_of(form)["checked_by"] == "Fargel"


@pytest.mark.requirement("title.sheets")
def test_what_was_read_on_a_further_sheet_of_the_drawing_adds_to_the_block_of_the_first() -> None:
    first, second = Form(1), Form(2)
    for form, number, further in ((first, 1, ""), (second, 2, "LCM-16")):
        form.box((10, 10, 410, 287))
        form.cell((290, 40, 320, 55), "SCALE")
        form.cell((320, 40, 350, 55), "SHEET", f"{number} OF 2")
        form.cell((350, 40, 410, 55), "DATE", "9.11.2002" if number == 1 else "")
        form.cell((290, 10, 410, 40), "PART NO.", further)
    sheets = [form.sheet() for form in (first, second)]
    found = find_title_block(sheets, {sheet.page: find_grids(sheet) for sheet in sheets}, frozenset())
    assert found is not None and found.block.model_dump()["page"] == 1
    assert dict(found.block.fields) == {"part_number": "LCM-16", "sheet": "1 OF 2", "date": "9.11.2002"}


@pytest.mark.requirement("title.sheets")
def test_the_sheets_of_two_parts_that_are_counted_together_are_not_one_block() -> None:
    first, second = Form(1), Form(2)
    for form, number, title, further in ((first, 1, "GEARBOX ASSEMBLY", ""), (second, 2, "INPUT SHAFT", "GB-1001")):
        form.box((10, 10, 410, 287))
        form.cell((290, 40, 320, 55), "TITLE", title)
        form.cell((320, 40, 350, 55), "SHEET", f"{number} OF 2")
        form.cell((290, 10, 410, 40), "PART NO.", further)
    sheets = [form.sheet() for form in (first, second)]
    found = find_title_block(sheets, {sheet.page: find_grids(sheet) for sheet in sheets}, frozenset())
    assert found is not None
    assert dict(found.block.fields) == {"title": "INPUT SHAFT", "part_number": "GB-1001", "sheet": "2 OF 2"}


@pytest.mark.requirement("title.open")
def test_a_line_alone_in_open_space_states_what_the_block_does_not_and_a_line_of_a_list_is_a_note() -> None:
    alone, listed = _block(), _block()
    alone.text(60, 60, "Surface Treatment: Black Powder", 4)
    listed.lines(60, 60, ["Remove the burrs", "Surface Treatment: Black Powder"], 4)
    assert fields_of(alone)["finish"] == "Black Powder" and "finish" not in fields_of(listed)
    labelled = _block()
    labelled.cell((290, 10, 410, 40), "FINISH", "")
    labelled.text(60, 60, "Surface Treatment: Black Powder", 4)
    assert "finish" not in fields_of(labelled)


@pytest.mark.requirement("title.cells")
def test_the_rest_of_a_line_that_was_read_in_pieces_belongs_to_the_value_behind_its_label() -> None:
    form = _block()
    form.box((290, 20, 410, 40))
    form.text(292, 28, "Title: PoE Su", 4)
    form.text(292 + 13 * 4 * 0.7 + 0.3, 28, "pply", 4)
    form.text(292 + 17 * 4 * 0.7 + 3, 28, "Board", 4)
    assert fields_of(form)["title"] == "PoE Supply Board"


@pytest.mark.requirement("title.cells")
def test_a_value_that_begins_with_a_hyphen_was_not_read_whole() -> None:
    form = _block()
    form.cell((290, 20, 410, 40), "TITLE", "-by-nc-sa")
    assert "title" not in fields_of(form)


def _in_two_languages(values: tuple[str, ...]) -> Form:
    """A table beside a block whose rows name what they state in two scripts; values: what stands in the cell to the right of each."""
    form = _block()
    names = (("PHASE", "相数"), ("VOLTAGE", "静电压"), ("HOLDING TORQUE", "静转矩"), ("CURRENT", "电流"))
    for place, ((name, foreign), value) in enumerate(zip(names, values, strict=True)):
        low = 32.5 - 7.5 * place
        form.box((170, low, 230, low + 7.5))
        form.text(172, low + 2, name, 2.5)
        form.text(212, low + 2, foreign, 2.5)
        form.box((230, low, 290, low + 7.5))
        form.text(232, low + 2, value, 2.5)
    return form


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    "values", [("2 PHASE", "2.43 V", "20N.cm Min", "1.5 A/PHASE"), ("two", "low", "high", "small")], ids=" ".join
)
def test_a_name_in_two_languages_before_a_value_is_no_label_with_its_value(values: tuple[str, ...]) -> None:
    fields = fields_of(_in_two_languages(values))
    assert fields == fields_of(_block())
