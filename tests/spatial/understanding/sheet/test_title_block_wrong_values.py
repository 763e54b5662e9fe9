"""What stands in or beside a field of a title block and is not its value."""

from __future__ import annotations

import pytest

from spatial.knowledge import title_labels
from spatial.knowledge.fields import is_distinctive
from tests.spatial.forms import fields_of, framed_form, small_block


@pytest.mark.requirement("title.cells")
def test_a_number_that_begins_the_next_line_of_its_cell_is_the_value_alone() -> None:
    form = small_block()
    form.box((290, 20, 410, 40))
    form.text(291, 37, "DWG NO", 1.8)
    form.text(295, 30, "830-00011", 3.5)
    form.text(295, 24, "830-00011 Tarnow Module", 3.0)
    assert fields_of(form)["drawing_number"] == "830-00011"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("size", [True, False])
def test_a_paper_format_beside_a_revision_is_the_sheets_where_no_label_names_that(size: bool) -> None:
    form = small_block()
    form.row(290, 30, 10, [(30, "REVISION"), (30, "A3"), *([(30, "SIZE"), (30, "A2")] if size else [])])
    fields = fields_of(form)
    assert (fields.get("revision"), fields["size"]) == (("A3", "A2") if size else (None, "A3"))


@pytest.mark.requirement("title.empty")
def test_a_cell_under_two_labels_is_the_value_of_neither() -> None:
    form = small_block()
    form.row(290, 30, 10, [(40, "MATERIAL"), (40, "FINISH")])
    form.row(290, 20, 10, [(80, "Tarnow 7")])
    assert not {"material", "finish"} & set(fields_of(form))
    apart = small_block()
    apart.row(290, 30, 10, [(40, "MATERIAL"), (40, "FINISH")])
    apart.row(290, 20, 10, [(40, "Tarnow 7"), (40, "Fargel 9")])
    assert fields_of(apart)["material"] == "Tarnow 7"


@pytest.mark.requirement("title.empty")
def test_a_label_at_the_top_of_a_large_empty_cell_has_no_value_in_the_cell_below() -> None:
    form = small_block()
    form.cell((290, 20, 350, 40), "MATERIAL")
    form.box((290, 10, 350, 20))
    form.text(300, 13, "FARGEL TARNOW", 3.5)
    assert "material" not in fields_of(form)


@pytest.mark.requirement("title.typical")
def test_a_decimal_number_is_the_number_of_a_drawing_only_where_a_label_says_so() -> None:
    assert not is_distinctive("drawing_number", "153,10")
    assert is_distinctive("drawing_number", "153-10")
    form = small_block()
    form.cell((290, 20, 410, 40), "DWG NO", "153.10")
    assert fields_of(form)["drawing_number"] == "153.10"


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(("text", "key"), [("Bennenung", "title"), ("Tolearnces", "tolerances"), ("Bnenneung", None)])
def test_two_neighbouring_letters_in_the_wrong_order_leave_a_label_known(text: str, key: str | None) -> None:
    found = title_labels.read(text)
    assert (found.key if found else None) == key


@pytest.mark.requirement("title.sheets")
@pytest.mark.parametrize(("numbers", "sheet"), [([(334, "1 7")], "1 OF 7"), ([(334, "8 7")], None)])
def test_two_numbers_around_the_words_of_their_cell_are_the_sheet_and_its_count(
    numbers: list[tuple[float, str]], sheet: str | None
) -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((350, 40, 410, 55), "DRAWN BY", "A. Tarnow")
    form.cell((290, 20, 410, 40), "DWG NO", "830-00011")
    form.box((320, 40, 350, 55))
    form.text(321, 48, "SHEET", 1.8)
    form.text(330, 48, "OF", 1.8)
    for x, number in numbers:
        form.text(x, 46, number, 2.0)
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.empty")
def test_the_first_word_of_a_label_is_no_value_of_another_one() -> None:
    form = small_block()
    form.box((290, 15, 410, 40))
    form.text(291, 37, "TITLE", 2.0)
    form.text(292, 18, "Tarnow", 2.0)
    form.text(302, 18, "P/N:", 2.0)
    form.text(312, 18, "75031-6743", 2.0)
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.cells")
def test_lines_that_cover_each_other_are_read_apart() -> None:
    form = small_block()
    form.box((350, 55, 410, 90))
    form.text(352, 86, "TOLERANCES", 1.8)
    for y, deviation, said in ((80, "±.005", "SCREW HOLES"), (78.2, "±.002", "DOWEL HOLES")):
        form.text(352, y, deviation, 3.5)
        form.text(372, y, said, 3.5)
    assert fields_of(form)["tolerances"] == "±.005 SCREW HOLES; ±.002 DOWEL HOLES"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("repairs", "scale"), [((), "2"), (("read from outlines",), None)])
def test_a_whole_number_that_outlines_leave_of_a_ratio_is_no_scale(repairs: tuple[str, ...], scale: str | None) -> None:
    form = framed_form()
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.cell((350, 40, 410, 55), "DRAWN BY", "A. Tarnow")
    form.cell((290, 20, 410, 40), "DWG NO", "830-00011")
    form.cell((290, 40, 320, 55), "SCALE", "2")
    form.texts[-1].repairs = repairs
    assert fields_of(form).get("scale") == scale


@pytest.mark.requirement("title.empty")
def test_a_title_that_begins_with_a_sign_for_a_letter_is_none() -> None:
    form = small_block()
    form.cell((290, 20, 410, 40), "TITLE", "□ARNOVA")
    assert "title" not in fields_of(form)
    named = small_block()
    named.cell((290, 20, 410, 40), "TITLE", "□40 TARNOW TUBE")
    assert fields_of(named)["title"] == "□40 TARNOW TUBE"


@pytest.mark.requirement("title.empty")
def test_a_value_with_a_letter_that_is_not_read_is_none_under_a_printed_label_either() -> None:
    form = small_block()
    form.cell((290, 20, 350, 40), "EIGENER PLATZ", "Fargel 9")
    form.cell((350, 20, 410, 40), "ZWEITER PLATZ", "Tarn\ufffdw 7")
    fields = fields_of(form)
    assert fields["EIGENER PLATZ"] == "Fargel 9"
    assert "ZWEITER PLATZ" not in fields


@pytest.mark.requirement("title.empty")
def test_a_cell_beside_two_labels_is_the_value_of_neither() -> None:
    form = small_block()
    for low, label in ((30, "MATERIAL"), (20, "FINISH")):
        form.row(290, low, 10, [(40, label)])
    form.row(330, 20, 20, [(80, "Tarnow 7")], size=3.5)
    assert not {"material", "finish"} & set(fields_of(form))
    apart = small_block()
    for low, label, value in ((30, "MATERIAL", "Tarnow 7"), (20, "FINISH", "Fargel 9")):
        apart.row(290, low, 10, [(40, label), (80, value)])
    assert (fields_of(apart)["material"], fields_of(apart)["finish"]) == ("Tarnow 7", "Fargel 9")


@pytest.mark.requirement("title.empty")
def test_headings_over_the_rows_of_a_list_are_no_labels_and_the_word_between_them_is_no_value() -> None:
    form = small_block()
    form.row(290, 79, 10, [(35, "PART NAME"), (20, "QUNT' Y"), (35, "MATERIAL"), (30, "REMARK")])
    for place, values in enumerate(
        (("Shell", "Tarnow 7", "white"), ("Pin", "Fargel 9", "grey"), ("Lid", "Eterna 2", "-"))
    ):
        name, material, remark = values
        form.row(290, 71 - 8 * place, 8, [(35, name), (20, ""), (35, material), (30, remark)])
    assert not {"title", "material"} & set(fields_of(form))


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("written", "number", "revision"), [("830-00011 Rev B", "830-00011", "B"), ("830-00011 REVERSE", None, None)]
)
def test_a_revision_behind_a_number_is_the_revision(written: str, number: str | None, revision: str | None) -> None:
    form = small_block()
    form.cell((290, 20, 410, 40), "DWG NO", written)
    fields = fields_of(form)
    assert (fields.get("drawing_number"), fields.get("revision")) == (number or written, revision)


@pytest.mark.requirement("title.cells")
def test_values_beyond_the_rule_under_their_labels_are_theirs_where_forms_prove_it() -> None:
    form = framed_form()
    stack = (
        ("", "TITLE"),
        ("Tarnow cover", "MATERIAL"),
        ("Eterna 7", "DATE"),
        ("2026-04-19", "SCALE"),
        ("1:2", "DWG NO"),
    )
    for place, (over, label) in enumerate(stack):
        low = 78 - 12 * place
        form.box((290, low, 410, low + 12))
        form.text(292, low + 9, over, 2.5)
        form.text(292, low + 3, label, 1.8)
    form.text(292, 27, "830-00011", 2.5)
    fields = fields_of(form)
    assert fields["title"] == "Tarnow cover"
    assert fields["material"] == "Eterna 7"
    assert fields["date"] == "2026-04-19"
    assert fields["scale"] == "1:2"
    assert fields["drawing_number"] == "830-00011"


@pytest.mark.requirement("title.empty")
def test_where_letters_of_the_largest_name_are_unread_no_smaller_one_is_the_title() -> None:
    def block(name: str) -> dict[str, str]:
        form = framed_form()
        form.box((320, 30, 410, 40))
        form.text(322, 33, name, 5)
        form.box((320, 20, 410, 30))
        form.text(322, 24, "Tarnow gear", 2.5)
        form.box((320, 10, 390, 20))
        form.text(322, 14, "1:2", 2.5)
        form.box((390, 10, 410, 20))
        form.text(395, 14, "A3", 2.5)
        return fields_of(form)

    assert block("Sluice valve")["title"] == "Sluice valve"
    assert "title" not in block("Sl\ufffdice valve")


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    ("labels", "field"),
    [(("設計", "DES' D"), "drawn_by"), (("繪圖", "DRA' D"), "drawn_by"), (("核圖", "CHK' D"), "checked_by")],
)
def test_an_abbreviated_label_under_the_same_one_in_another_script_is_no_value(
    labels: tuple[str, str], field: str
) -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.box((350, 40, 380, 55))
    form.box((380, 40, 410, 55))
    form.text(351, 50, labels[0], 3.0)
    form.text(351, 44, labels[1], 3.0)
    assert field not in fields_of(form)
    form.text(385, 45, "TARNOW", 3.0)
    assert fields_of(form)[field] == "TARNOW"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("text", ["BREAK ALL EDGES .030", "BREAK CORNERS 0.5", "BREAK SHARP EDGES"])
def test_an_order_for_the_edges_is_no_finish(text: str) -> None:
    form = small_block()
    form.box((290, 10, 410, 40))
    form.lines(291, 36, ["SURFACE FINISH", text], 1.8)
    assert "finish" not in fields_of(form)


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("before", "number"), [("Project", None), ("", "F01-1000-01")])
def test_a_number_beside_labels_and_under_the_name_is_that_of_what_they_name(before: str, number: str | None) -> None:
    form = small_block()
    form.row(290, 30, 10, [(30, ""), (90, "Fargel gate")], 3.5)
    form.row(290, 20, 10, [(30, ""), (90, "F01-1000-01")], 3.5)
    if before:
        form.text(292, 26, before, 2.5)
        form.text(292, 22, "Number", 2.5)
    assert fields_of(form).get("drawing_number") == number


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("is_framed", "unit"), [(True, None), (False, "inch")])
def test_of_two_units_of_which_one_is_framed_the_other_is_none(*, is_framed: bool, unit: str | None) -> None:
    form = small_block()
    form.row(290, 30, 10, [(40, "UNIT"), (40, "MATERIAL"), (40, "FINISH")])
    form.row(290, 15, 15, [(40, ""), (40, "AL6061"), (40, "")])
    form.text(310, 20, "inch", 2.5)
    if is_framed:
        form.box((295, 19, 304, 24))
        form.text(297, 20, "MM", 2.5)
    assert fields_of(form).get("units") == unit


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("gap", "number"), [(2.0, "Front Wheel Frame"), (9.0, "Wheel Frame")])
def test_a_line_wider_than_its_cell_is_read_with_the_words_beyond_its_sides(gap: float, number: str) -> None:
    form = small_block()
    form.box((290, 20, 330, 40))
    form.cell((330, 20, 370, 40), "DWG. NO.")
    form.box((370, 20, 410, 40))
    form.text(332, 24, "Wheel Frame", 6.0)
    form.text(332 - gap - 5 * 0.7 * 6.0, 24, "Front", 6.0)
    assert fields_of(form)["drawing_number"] == number


@pytest.mark.requirement("title.sheets")
@pytest.mark.parametrize(("count", "sheet"), [("OF 1", "1 OF 1"), ("OF 2", None)])
def test_the_number_before_the_count_of_one_sheet_is_one_though_it_was_not_read(count: str, sheet: str | None) -> None:
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((350, 40, 410, 55), "DRAWN BY", "A. Tarnow")
    form.box((320, 40, 350, 55))
    form.text(321, 51, "SHEET", 1.8)
    form.text(335, 43, count, 3.5)
    assert fields_of(form).get("sheet") == sheet


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("number", "read"), [("-1981568", None), ("1981568-", None), ("C-1981568", "C-1981568")])
def test_a_number_that_a_hyphen_begins_or_ends_was_not_read_whole(number: str, read: str | None) -> None:
    form = small_block()
    form.cell((290, 20, 410, 40), "DRAWING NO", number)
    assert fields_of(form).get("drawing_number") == read


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("shift", "title"), [(0, None), (20, "FARGEL SIZES")])
def test_what_stands_over_a_column_of_labels_as_they_do_is_no_title(shift: int, title: str | None) -> None:
    form = framed_form()
    form.row(250, 50, 20, [(160, "")])
    form.text(251 + shift, 58.75, "FARGEL SIZES", 2.5)
    for row, label in enumerate(("APPROVED", "CHECKED", "DESIGNED")):
        form.row(250, 40 - 10 * row, 10, [(30, label), (30, "")])
    form.row(310, 40, 10, [(30, "SCALE"), (30, "1:2")])
    form.row(310, 30, 10, [(30, "SHEET"), (30, "1 OF 2")])
    form.row(310, 20, 10, [(30, "SIZE"), (30, "A3")])
    assert fields_of(form).get("title") == title
