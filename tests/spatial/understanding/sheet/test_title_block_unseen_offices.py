"""Title blocks as offices that nobody had seen drew them: rows without rules, stamps of other firms, words set close."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form, labelled_block

_ROWS = (
    (50.0, (("PROJECT", "Heron"), ("AUTHOR", "T. Ngata"), ("CHECKER", "W. Blum"), ("DATE", "2022-10-27"))),
    (35.0, (("PART NAME", "Tray, aft"), ("PART NUMBER", "KO-20311"), ("REVISION", "C"))),
    (20.0, (("MATERIAL", "AA2024-T3"), ("FINISH", "Alodine"), ("MASS", "640 g"), ("SCALE", "1:3"), ("PAGE", "1 / 2"))),
)


def _rows_without_rules(drop: float, values: float = 3.0) -> Form:
    """Three rows of labels in one outer frame, each over its values, `drop` millimeters down; `values` high."""
    form = framed_form()
    form.box((200, 12, 408, 64))
    for top, columns in _ROWS:
        for place, (label, value) in enumerate(columns):
            x = 204 + place * 40
            form.text(x, top + 8, label, 1.8)
            form.text(x, top + 8 - drop, value, values)
    return form


@pytest.mark.requirement("title.open")
def test_rows_of_labels_over_rows_of_values_are_read_without_a_rule_between() -> None:
    """Each value stands nearer to the label under it than to its own: the forms of date, scale and page prove the side."""
    fields = fields_of(_rows_without_rules(drop=12.0))
    expected = {
        "project": "Heron", "title": "Tray, aft", "part_number": "KO-20311", "revision": "C", "material": "AA2024-T3",
        "finish": "Alodine", "weight": "640 g", "scale": "1:3", "sheet": "1 / 2",
    }  # fmt: skip
    assert {key: fields.get(key) for key in expected} == expected


@pytest.mark.requirement("title.open")
def test_values_lettered_as_the_labels_prove_no_rows() -> None:
    fields = fields_of(_rows_without_rules(drop=12.0, values=1.8))
    assert "title" not in fields
    assert "material" not in fields


@pytest.mark.requirement("title.company")
def test_beside_a_title_told_by_its_lettering_the_other_large_name_at_the_side_is_the_company() -> None:
    form = framed_form()
    form.cell((210, 30, 260, 62), "", "Merivale Driveline", size=3.4)
    form.cell((260, 46, 330, 62), "", "SHAFT, SECOND", size=3.8)
    form.cell((260, 30, 330, 46), "MATERIAL", "20MnCr5", size=2.4)
    form.cell((330, 46, 370, 62), "SCALE", "1:1", size=2.4)
    form.cell((330, 30, 370, 46), "SHEET", "1/1", size=2.4)
    form.cell((370, 46, 410, 62), "DATE", "2023-01-31", size=2.4)
    form.cell((370, 30, 410, 46), "PART NUMBER", "MD-88120-4", size=2.4)
    fields = fields_of(form)
    assert (fields.get("title"), fields.get("company")) == ("SHAFT, SECOND", "Merivale Driveline")


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize("text", ["Check all sizes on the building site!", "PRODUCT CUSTOMER DRAWING"])
def test_an_order_and_a_kind_of_drawing_are_no_company(text: str) -> None:
    form = labelled_block()
    form.cell((290, 55, 410, 70), "", text, size=4.0)
    assert "company" not in fields_of(form)


@pytest.mark.requirement("title.company")
def test_a_labelled_company_ends_before_its_address() -> None:
    form = labelled_block()
    form.box((210, 10, 290, 40))
    form.text(212, 36, "COMPANY:", 1.8)
    form.lines(232, 30, ["TARNOW Ltd."], 3.6)
    form.lines(
        232, 24, ["Sailmaker Street 414/2, 370 01 Fargel", "tel: +420 386 322 910, web: www.fargel.example"], 2.2
    )
    assert fields_of(form).get("company") == "TARNOW Ltd."


@pytest.mark.requirement("title.sheets")
@pytest.mark.parametrize(("first", "read"), [("Sheet1", "1 of 3"), ("Zorgel1", None)])
def test_a_number_set_close_to_the_label_of_the_sheet_is_read_with_its_count(first: str, read: str | None) -> None:
    form = labelled_block(sheet="")
    form.texts = [text for text in form.texts if text.text != "SHEET"]
    for x, text in ((332, first), (345, "of"), (352, "3")):
        form.text(x, 15, text, 1.8)
    assert fields_of(form).get("sheet") == read


@pytest.mark.requirement("title.typical")
def test_the_end_of_a_bracket_around_label_and_unit_is_no_part_of_the_unit() -> None:
    form = labelled_block()
    form.text(300, 150, "(Unit = mm)", 2.5)
    assert fields_of(form).get("units") in (None, "mm")
    form.cell((250, 10, 290, 25), "(Unit", "mm)")
    assert fields_of(form).get("units") == "mm"


@pytest.mark.requirement("title.place-tolerances")
@pytest.mark.parametrize("angles", ["±1/2°", "±0°30'"])
def test_a_deviation_of_half_a_degree_is_listed_whole(angles: str) -> None:
    form = labelled_block()
    form.box((210, 10, 290, 40))
    form.text(212, 30, f"TOL. .XX ±.015  .XXX ±.005  ANG {angles}", 2.0)
    assert fields_of(form).get("tolerances") == f".XX ±.015; .XXX ±.005; ANG {angles}"


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("label", "value"),
    [("日付", "2022年9月1日"), ("작성일자", "2022년 9월 1일"), ("Le :", "12/05/2021")],
)
def test_a_date_with_the_signs_for_its_parts_and_one_behind_an_article_are_dates(label: str, value: str) -> None:
    form = labelled_block()
    form.row(210, 25, 8, [(30, label), (50, value)])
    assert fields_of(form).get("date") == value


@pytest.mark.requirement("title.languages")
def test_the_slovak_word_for_a_name_is_the_label_of_the_title() -> None:
    form = labelled_block(title="")
    form.texts = [text for text in form.texts if text.text != "TITLE"]
    form.row(210, 40, 8, [(30, "Názov"), (50, "Vidlica hriadeľa")])
    assert fields_of(form).get("title") == "Vidlica hriadeľa"


@pytest.mark.requirement("title.cells")
def test_the_name_of_a_project_outranks_the_number_of_its_order() -> None:
    form = labelled_block()
    form.cell((210, 25, 290, 40), "JOB NO.", "19 710 03")
    assert fields_of(form).get("project") == "19 710 03"
    form.cell((210, 10, 290, 25), "PROJECT", "Footbridge at Fargel")
    assert fields_of(form).get("project") == "Footbridge at Fargel"


@pytest.mark.requirement("title.open")
def test_a_title_two_of_its_heights_over_the_lines_of_fields_heads_them() -> None:
    form = Form()
    form.text(300, 40, "Router lift plate", 4.0)
    form.lines(300, 31, ["Drawn: A. Tarnow", "Date: 2020-11-30", "Scale: 1:2", "Material: steel"], 2.6, 2.0)
    assert fields_of(form).get("title") == "Router lift plate"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("value", "project"), [("05-1147", "05-1147"), ("2021-147", "2021-147"), ("1-2", None)])
def test_the_number_of_an_order_with_its_year_is_no_sheet_of_several(value: str, project: str | None) -> None:
    form = labelled_block()
    form.cell((210, 25, 290, 40), "JOB NO.", value)
    assert fields_of(form).get("project") == project
