"""Title blocks of offices nobody has seen: what stands over the block, what rules cut apart, whose notice it is."""

from __future__ import annotations

import pytest

from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.lines import with_words_whole
from tests.spatial.forms import fields_of, framed_form, labelled_block


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("x", "read"), [(236, True), (120, False)])
def test_a_line_of_words_right_over_labelled_lines_in_open_space_is_their_title(x: float, *, read: bool) -> None:
    form = framed_form()
    form.text(x, 44, "Idler arm - left hand", 5)
    form.text(236, 36, "Scale: 1:4", 5)
    for place, line in enumerate(("Author: Wim Fargel", "Rev:2", "Date: 2023-04-11")):
        form.text(236 + 42 * place, 26, line, 3)
    assert fields_of(form).get("title") == ("Idler arm - left hand" if read else None)


@pytest.mark.requirement("title.open")
def test_labels_with_values_right_over_the_rules_belong_to_the_block_in_its_lettering_alone() -> None:
    form = labelled_block()
    form.text(291, 62, "Material:", 1.8)
    form.text(292, 57, "Alloy 5754", 2.5)
    assert fields_of(form)["material"] == "Alloy 5754"
    large = labelled_block()
    large.text(291, 62, "Material:", 2.8)
    large.text(292, 57, "Alloy 5754", 2.5)
    assert "material" not in fields_of(large)


@pytest.mark.requirement("title.typical")
def test_of_two_names_the_larger_one_with_far_more_room_is_the_title_beside_a_larger_company() -> None:
    form = framed_form()
    form.box((290, 40, 410, 70))
    form.text(320, 58, "CLAMPING JAW", 4)
    form.text(320, 48, "TESTING MACHINE", 3.4)
    form.box((230, 40, 290, 55))
    form.text(233, 46, "FINAL TERM PAPER", 3.5)
    form.box((230, 55, 290, 70))
    form.text(232, 60, "TARNOW COLLEGE", 5.5)
    form.row(230, 25, 15, [(60, "Method: Milling"), (60, "SCALE: 1:2"), (60, "SHEET: 1 OF 2")], 2)
    form.row(230, 10, 15, [(60, "DRAWN: A. FARGEL"), (60, "SIZE: A3"), (60, "DATE: 11.04.2023")], 2)
    fields = fields_of(form)
    assert (fields["title"], fields["company"]) == ("CLAMPING JAW", "TARNOW COLLEGE")


@pytest.mark.requirement("title.roles")
def test_a_name_beside_a_labelled_title_or_in_a_row_of_inline_labels_drew_the_sheet() -> None:
    form = labelled_block()
    form.cell((230, 40, 290, 55), "Name:", "fargel")
    assert fields_of(form)["drawn_by"] == "fargel"
    row = framed_form()
    row.box((230, 40, 410, 70))
    row.text(260, 52, "PIVOT SPACER", 6)
    row.row(230, 25, 15, [(60, "MATERIAL: 6082"), (60, "REV: A"), (60, "SIZE: A3")], 2)
    row.row(230, 10, 15, [(45, "NAME WIM"), (45, "DATE 04/11/23"), (45, "SCALE 2:1"), (45, "SHEET 1/1")], 2)
    assert fields_of(row)["drawn_by"] == "WIM"
    group = labelled_block()
    group.cell((230, 40, 290, 55), "Name:", "Group 12")
    assert "drawn_by" not in fields_of(group)


@pytest.mark.requirement("title.cells")
def test_a_number_alone_under_the_label_of_the_title_is_the_title() -> None:
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", "812_4407")
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "SCALE", "1:2")
    assert fields_of(form)["title"] == "812_4407"
    dated = framed_form()
    dated.cell((290, 40, 410, 55), "TITLE", "11.04.2023")
    dated.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    dated.cell((370, 25, 410, 40), "SCALE", "1:2")
    assert "title" not in fields_of(dated)


@pytest.mark.requirement("title.tolerances")
def test_cells_under_a_label_of_tolerances_give_each_name_with_the_deviation_under_it() -> None:
    form = labelled_block()
    form.box((250, 45, 290, 55))
    form.text(251, 49, "TOLERANCES", 1.8)
    for row, (name, deviation) in enumerate((("decimal", "±0.4"), ("fractional", "±1.5"), ("angular", "±2°"))):
        low = 35 - 10 * row
        form.box((250, low, 290, low + 10))
        form.text(251, low + 7, name, 1.8)
        form.text(251, low + 2, deviation, 2.5)
    assert fields_of(form)["tolerances"] == "decimal ±0.4; fractional ±1.5; angular ±2°"


@pytest.mark.requirement("title.tolerances")
def test_a_line_of_deviations_each_with_a_name_that_ends_as_tolerance_states_them() -> None:
    form = labelled_block()
    form.box((230, 25, 290, 55))
    form.text(231, 45, "Flat Tol.: 0.3, Bore Tol.: 0.05", 1.6)
    assert fields_of(form)["tolerances"] == "Flat Tol.: 0.3, Bore Tol.: 0.05"
    other = labelled_block()
    other.box((230, 25, 290, 55))
    other.text(231, 45, "Flat Size: 0.3, Bore Size: 0.05", 1.6)
    assert "tolerances" not in fields_of(other)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("left", "gap", "texts", "cell"),
    [(10, 0, ["Wim Fargel"], 0), (17, 0, ["Wim Fargel"], 1), (10, 1, ["Wim Far", "gel"], 0)],
)
def test_a_word_that_a_rule_cuts_is_whole_where_its_text_begins_or_has_its_middle(
    left: float, gap: float, texts: list[str], cell: int
) -> None:
    cells: list[Box] = [(9.5, 9, 24, 14), (24, 9, 60, 14)]
    first = Item("Wim Far", (left, 10, 24, 12.5), 2.5, "annotation-1", 0, 0)
    second = Item("gel", (24 + gap, 10, 34, 12.5), 2.5, "annotation-1", 1, 1)
    found = with_words_whole([first, second], cells)
    assert [item.text for item in found] == texts
    assert found[0].cell == cell


@pytest.mark.requirement("title.empty")
def test_a_label_with_a_colon_and_room_behind_it_does_not_take_the_next_cell_where_another_has_its_value_there() -> (
    None
):
    form = labelled_block()
    form.row(290, 55, 10, [(60, "FINISH:"), (60, "BRIGHT NICKEL")], 1.8)
    assert fields_of(form)["finish"] == "BRIGHT NICKEL"
    form.box((230, 40, 290, 55))
    form.text(231, 46, "CHARGE:", 1.8)
    form.text(231, 42, "MASS:", 1.8)
    form.text(250, 42, "0.4 kg", 1.8)
    assert "finish" not in fields_of(form)
    narrow = labelled_block()
    narrow.row(290, 55, 10, [(12, "FINISH:"), (108, "BRIGHT NICKEL")], 1.8)
    assert fields_of(narrow)["finish"] == "BRIGHT NICKEL"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(
    ("notice", "owner"),
    [
        ("THIS SHEET IS THE PROPERTY OF TARNOW PUMPS. ANY COPY NEEDS CONSENT.", "TARNOW PUMPS"),
        ("Ce plan est la propriété de TARNOW PUMPS et ne peut être copié", "TARNOW PUMPS"),
        ("THIS SHEET IS THE PROPERTY OF <YOUR COMPANY>. ANY COPY NEEDS CONSENT.", None),
        ("THIS SHEET IS THE PROPERTY OF AUTODESK INC AND MAY NOT BE COPIED.", None),
        ("THIS SHEET IS THE PROPERTY OF WHOEVER DREW THE PART THAT YOU HOLD IN HAND.", None),
    ],
)
def test_the_owner_that_a_notice_names_is_the_company_where_a_web_address_is_made_of_it(
    notice: str, owner: str | None
) -> None:
    form = labelled_block()
    form.box((200, 10, 290, 20))
    form.text(201, 13, notice, 1.6)
    assert "company" not in fields_of(form, (380, 43, 408, 53))
    for host in ("www.tarnowpumps.example", "www.autodeskinc.example", "www.yourcompany.example"):
        form.text(210, 40, host, 1.6)
    assert fields_of(form).get("company") == owner


@pytest.mark.requirement("title.company")
def test_the_owner_that_a_notice_names_is_the_company_where_its_name_stands_elsewhere_too() -> None:
    form = labelled_block()
    form.box((200, 10, 290, 20))
    form.text(201, 13, 'All sheets are the property of "tarnow craft" and may not be copied', 1.6)
    form.text(210, 30, "tarnowcraft", 6)
    assert fields_of(form)["company"] == "tarnowcraft"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("words", "company"), [("TARNOW DEVICES", "TARNOW DEVICES"), ("tarnow.example", None)])
def test_the_only_large_name_in_an_upper_corner_of_the_block_is_the_company(words: str, company: str | None) -> None:
    form = labelled_block()
    form.box((290, 55, 330, 70))
    form.text(291, 60, "FINISH: PLAIN", 1.8)
    form.box((330, 55, 410, 70))
    form.text(340, 60, words, 4)
    assert fields_of(form).get("company") == company
