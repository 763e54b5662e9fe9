"""What stands beside the company or the general tolerances of a title block and is no part of them."""

from __future__ import annotations

import pytest

from spatial.knowledge.fields import is_distinctive
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import fields_of, small_block


@pytest.mark.requirement("title.company")
def test_the_address_behind_a_name_is_no_part_of_it() -> None:
    form = small_block()
    form.box((290, 55, 410, 65))
    form.text(292, 58, "Tarnow Eterna Ltd sam@tarnow.example", 2.5)
    assert fields_of(form)["company"] == "Tarnow Eterna Ltd"


@pytest.mark.requirement("title.company")
def test_initials_with_full_stops_are_an_organization_and_no_title() -> None:
    form = small_block()
    form.row(290, 20, 20, [(40, "T.R.N"), (80, "FARGEL")], 5.0)
    fields = fields_of(form)
    assert fields["company"] == "T.R.N"
    assert fields.get("title") != "T.R.N"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("lines", "company"),
    [
        (["COPYRIGHT (C) 2016-PRESENT", "TARNOW, INC."], "TARNOW, INC."),
        (["(C) 2021 Tarnow Ltd. All rights reserved"], "Tarnow Ltd."),
        (["(C) 2021 Tarnow"], None),
        (["(C) 2021 Tarnow Ltd", "(C) 2020 Fargel Ltd"], None),
    ],
)
def test_the_holder_of_copyright_is_the_company_where_one_is_named_with_its_legal_form(
    lines: list[str], company: str | None
) -> None:
    form = small_block()
    form.lines(60, 40, lines, 2.5)
    assert fields_of(form).get("company") == company


@pytest.mark.requirement("title.company")
def test_the_notice_that_names_the_company_is_left_for_the_notes() -> None:
    form = small_block()
    form.box((290, 10, 410, 40))
    holder = ["COPYRIGHT (C) 2016-PRESENT", "TARNOW, INC.", "ALL RIGHTS RESERVED."]
    licence = ["THESE DESIGN FILES ARE LICENSED", "UNDER THE LICENCE THAT IS FOUND", "IN THE DIRECTORY OF THE PROJECT."]
    for line, text in enumerate([*holder, "", *licence]):
        form.text(292, 37 - 3.4 * line, text, 1.8)
    sheet = form.sheet()
    grids = {sheet.page: find_grids(sheet)}
    block = find_title_block([sheet], grids, frozenset())
    assert block and block.block.fields["company"] == "TARNOW, INC."
    found = find_notes([sheet], grids, block.claimed)
    assert found and " ".join(note.text for note in found.notes.items) == " ".join([*holder, *licence])


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["2 PLC ±0.25", "3 PLC", "4 PLC"], "2 PLC ±0.25"),
        (["ISO", "2768-m"], "ISO 2768-m"),
        (["Angles:   Decimals: ±.005", "Fractions: ±1/64"], None),
    ],
)
def test_names_without_deviations_state_no_tolerance(lines: list[str], value: str | None) -> None:
    form = small_block()
    form.box((350, 55, 410, 90))
    form.text(352, 86, "TOLERANCES", 1.8)
    form.lines(352, 80, lines, 2.0, step=2.0)
    assert fields_of(form).get("tolerances") == value


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(("number", "further"), [("2", ""), ("2°", ""), ("±2°", "; ANGLES ±2°")])
def test_a_number_without_its_sign_under_a_second_head_is_no_part_of_the_entry_before_it(
    number: str, further: str
) -> None:
    form = small_block()
    form.box((350, 55, 410, 90))
    form.text(352, 86, "TOLERANCES", 1.8)
    for x, y, said in (
        (352, 80, "DECIMALS"), (385, 80, "ANGLES"), (352, 75, ".X: ±.3"), (387, 75, number), (352, 70, ".XX: ±.13"),
    ):  # fmt: skip
        form.text(x, y, said, 2.0)
    assert fields_of(form)["tolerances"] == f".X: ±.3; .XX: ±.13{further}"


@pytest.mark.requirement("title.empty")
def test_a_deviation_without_its_sign_and_rows_that_are_not_filled_in_are_left_out() -> None:
    form = small_block()
    form.box((290, 5, 350, 40))
    for place, line in enumerate(("TOLERANCES", "X.X ±0.4", "X.XX ±0.15", "WINKEL 2")):
        form.text(292, 36 - 7 * place, line, 2.0)
    assert fields_of(form)["tolerances"] == "X.X ±0.4; X.XX ±0.15"
    empty = small_block()
    empty.box((290, 5, 350, 40))
    for place, line in enumerate(("TOLERANCES", "1 STELLE", "2 STELLEN", "3 STELLEN")):
        empty.text(292, 36 - 7 * place, line, 2.0)
    assert "tolerances" not in fields_of(empty)


@pytest.mark.requirement("title.company")
def test_a_sentence_in_which_something_is_incorporated_names_no_company() -> None:
    form = small_block()
    form.box((290, 10, 410, 40))
    for line, text in enumerate(("Zorgel MAINTAINED DATA", "CHANGES SHALL BE INCORPORATED", "BY THE DESIGN OFFICE")):
        form.text(350 - 0.8 * len(text), 34 - 4 * line, text, 2.0)
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.tolerances")
def test_the_roughness_of_a_list_of_tolerances_is_a_row_of_it_and_no_finish() -> None:
    form = small_block()
    form.box((230, 10, 290, 65))
    form.text(232, 58, "TOLERANCES APPLY AS SHOWN BELOW", 2.0)
    for row, (name, value) in enumerate((("1 PL DEC", "±0.25"), ("ANGLES", "±1°"), ("SURFACE ROUGHNESS", "1.6 µm"))):
        form.text(232, 52 - 5 * row, name, 2.0)
        form.text(270, 52 - 5 * row, value, 2.0)
    read = fields_of(form)
    assert "finish" not in read
    assert read["tolerances"].endswith("SURFACE ROUGHNESS 1.6 µm")


@pytest.mark.requirement("title.empty")
def test_an_address_with_telephone_numbers_states_no_tolerances() -> None:
    form = small_block()
    form.box((290, 10, 410, 40))
    form.lines(291, 36, ["18-20 FARGEL ROAD", "ph: +61 8 8242 0336", "fax: +61 8 8242 0335"], 1.8)
    assert "tolerances" not in fields_of(form)


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("text", ["NAVAL ARCHITECTS - MARINE CONSULTANTS - KIT SYSTEMS", "Pumps | Valves | Fittings"])
def test_what_a_firm_does_is_not_its_name(text: str) -> None:
    assert not is_distinctive("company", text)
    assert is_distinctive("company", "Tarnow Systems - Fargel Works Ltd.")


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("under", "stated"), [("±0.1", None), ("", "±0.05")])
def test_the_first_deviation_of_a_column_of_them_is_not_the_tolerance_of_the_drawing(
    under: str, stated: str | None
) -> None:
    form = small_block()
    form.row(290, 30, 10, [(60, "RANGE"), (60, "TOLERANCE")])
    form.row(290, 20, 10, [(60, "0.5~30"), (60, "±0.05")])
    form.row(290, 10, 10, [(60, "30~120"), (60, under)])
    assert fields_of(form).get("tolerances") == stated


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("text", "name"),
    [("Technology Inc.", None), ("Electronics Co., Ltd.", None), ("Fargel Technology Inc.", "Fargel Technology Inc.")],
)
def test_a_legal_form_behind_a_logo_is_no_company(text: str, name: str | None) -> None:
    form = small_block()
    form.row(350, 20, 15, [(60, text)])
    assert fields_of(form).get("company") == name


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    ("lines", "stated"),
    [
        ([".X = +/- 0.2", ".XX = +/- 0.15"], ".X = +/- 0.2; .XX = +/- 0.15"),
        ([".X = / - 0.2", ".XX = + / 0.15"], None),
        (["3 PLACE ±.\u230005", "2 PLACE ±.\u23001"], "3 PLACE ±.005; 2 PLACE ±.01"),
    ],
)
def test_a_plus_and_minus_of_which_one_is_lost_states_nothing_and_a_stroked_nought_is_one(
    lines: list[str], stated: str | None
) -> None:
    form = small_block()
    form.box((290, 10, 410, 40))
    form.lines(291, 36, ["GENERAL TOLERANCE", *lines], 2.0)
    assert fields_of(form).get("tolerances") == stated
