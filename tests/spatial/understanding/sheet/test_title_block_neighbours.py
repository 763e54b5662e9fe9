"""What stands beside, over or under a field and is no value of it: headings, other labels, rows of lists, marks and addresses."""

from __future__ import annotations

import pytest

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from tests.spatial.forms import Form, fields_of, framed_form


def _block() -> Form:
    """Cells over the lower edge of the sheet that make a block: scale, revision, number and title."""
    form = framed_form()
    form.cell((330, 40, 370, 55), "SCALE", "1:2")
    form.cell((370, 40, 410, 55), "REV", "B")
    form.cell((330, 25, 410, 40), "DWG NO.", "HK-4711-02")
    return form


@pytest.mark.requirement("title.empty")
def test_a_name_under_the_heading_of_names_is_no_title() -> None:
    form = _block()
    form.row(240, 49, 6, [(20, ""), (30, ""), (40, "NAME")])
    form.row(240, 43, 6, [(20, "CHECKED"), (30, "2026-02-05"), (40, "TARNOW")])
    fields = fields_of(form)
    assert fields["checked_by"] == "TARNOW" and "title" not in fields


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(("strong", "weak", "key"), [("PART NO.", "MODEL", "part_number"), ("TITLE", "NAME", "title")])
def test_what_a_strong_label_leaves_empty_no_weak_one_fills(strong: str, weak: str, key: str) -> None:
    form = _block()
    form.row(220, 48, 7, [(30, weak), (80, "TARNOW4711")])
    form.row(220, 41, 7, [(30, strong), (80, "")])
    assert key not in fields_of(form)
    alone = _block()
    alone.row(220, 48, 7, [(30, weak), (80, "TARNOW4711")])
    assert fields_of(alone)[key] == "TARNOW4711"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("SCALE1 :1", "scale", "1 :1"),
        ("SHEET1 OF 2", "sheet", "1 OF 2"),
        ("APPROVED PAR. NO", "approved_by", ""),
        ("VER.", "revision", ""),
        ("MATERIAL SPECFICATION", "material", ""),
    ],
)
def test_labels_with_a_lost_blank_a_lost_rule_or_a_lost_letter(text: str, key: str, value: str) -> None:
    wording = title_labels.read(text)
    assert wording is not None and (wording.key, wording.value) == (key, value)


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("key", "text", "fits"),
    [
        ("tolerances", "00", False),
        ("tolerances", "0.50mm", True),
        ("date", "21'/09/02", True),
        ("date", "6/20/'88", True),
        ("date", "6'-2-11", False),
        ("scale", "10X, 1X", True),
        ("scale", "10X, 1Y", False),
    ],
)
def test_forms_of_values(key: str, text: str, fits: bool) -> None:
    assert can_be(key, text) is fits


@pytest.mark.requirement("title.roles")
def test_a_name_and_a_date_without_separators_in_one_text_are_both() -> None:
    form = _block()
    form.cell((250, 40, 330, 55), "DRAWN BY:", "Xiao Tarnow 20131125", size=2.5)
    fields = fields_of(form)
    assert (fields["drawn_by"], fields["date"]) == ("Xiao Tarnow", "20131125")


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize("column", [("APR.", "CHK.", "ZZA."), ("ZZA.", "CHK.", "APR.")])
def test_the_third_role_of_a_column_is_who_drew_in_either_order(column: tuple[str, str, str]) -> None:
    form = _block()
    for row, (label, name) in enumerate(zip(column, ("Alva", "Bror", "Cleo"), strict=True)):
        form.cell((290, 45 - 10 * row, 330, 55 - 10 * row), label, name, size=2.5)
    fields = fields_of(form)
    names = dict(zip(column, ("Alva", "Bror", "Cleo"), strict=True))
    assert (fields["drawn_by"], fields["checked_by"], fields["approved_by"]) == (
        names["ZZA."],
        "Bror",
        names["APR."],
    )


@pytest.mark.requirement("title.empty")
def test_the_day_of_a_change_is_no_date_of_the_sheet() -> None:
    def block(*heads: str) -> dict[str, str]:
        form = _block()
        form.row(210, 62, 6, [(20, heads[0]), (30, heads[1]), (60, heads[2]), (20, heads[3])])
        form.row(210, 56, 6, [(20, "00"), (30, "2009-02-04"), (60, "First issue"), (20, "")])
        return fields_of(form)

    assert "date" not in block("ISSU.", "DATE", "REVISION", "DRAWN")


@pytest.mark.requirement("title.empty")
def test_the_path_of_a_file_beside_the_material_is_no_part_of_it() -> None:
    form = _block()
    form.box((200, 40, 330, 70))
    form.text(201, 66, "MATERIAL:", 2)
    form.text(201, 60, "NYLON, BLACK", 2)
    form.text(201, 42, "F:\\DWG\\TARNOW-1.SLDDRW", 2)
    assert fields_of(form)["material"] == "NYLON, BLACK"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize(("name", "is_company"), [("TARNOW.", False), ("TARNOW CO., LTD.", True), ("TARNOW", True)])
def test_a_whole_word_with_a_full_stop_is_an_address_and_no_company(name: str, is_company: bool) -> None:
    form = _block()
    form.cell((330, 55, 410, 70), "TITLE", "Bearing cover")
    form.row(330, 10, 15, [(40, "DRAWN"), (40, "A. Fargel")])
    form.box((330, 70, 410, 82))
    form.text(340, 74, name, 5)
    assert (fields_of(form).get("company") == name) is is_company


def _with_mark(notice: str) -> Form:
    form = framed_form()
    form.row(250, 40, 15, [(40, "SCALE"), (40, "1:2"), (40, "REV"), (40, "B")])
    form.row(250, 25, 15, [(40, "DWG NO."), (40, "HK-4711-02"), (40, "SIZE"), (40, "A3")])
    form.row(250, 10, 15, [(40, "DRAWN"), (40, "A. Fargel"), (40, "DATE"), (40, "2026-02-05")])
    form.box((250, 55, 410, 70))
    form.text(255, 60, "Sluice valve", 4)
    form.box((250, 70, 410, 82))
    form.text(255, 73, "tarnow", 8)
    form.box((250, 82, 410, 88))
    form.text(251, 84, notice, 2)
    return form


@pytest.mark.requirement("title.company")
def test_the_mark_of_the_owner_that_a_notice_names_is_no_title() -> None:
    fields = fields_of(_with_mark("THIS DRAWING IS PROPERTY OF TARNOW DISK PUMPS, LLC AND SHALL NOT BE COPIED"))
    assert (fields["title"], fields["company"]) == ("Sluice valve", "TARNOW DISK PUMPS, LLC")


@pytest.mark.requirement("title.company")
def test_another_owner_in_a_notice_makes_the_labelled_company_the_customer() -> None:
    form = _block()
    form.cell((250, 40, 330, 55), "COMPANY:", "FARGEL")
    form.box((200, 56, 410, 62))
    form.text(201, 58, "THE INFORMATION IN THIS DRAWING IS THE SOLE PROPERTY OF TARNOW DISK PUMPS.", 1.8)
    form.box((330, 62, 410, 72))
    form.text(332, 65, "TARNOW DISK PUMPS", 3.5)
    fields = fields_of(form)
    assert (fields["company"], fields["customer"]) == ("TARNOW DISK PUMPS", "FARGEL")


@pytest.mark.requirement("title.cells")
def test_a_code_over_the_only_revision_in_its_cell_is_the_number() -> None:
    form = framed_form()
    form.row(250, 40, 15, [(40, "SCALE"), (40, "1:2"), (40, "WEIGHT"), (40, "2 KG")])
    form.row(250, 25, 15, [(40, "DRAWN"), (40, "A. Fargel"), (40, "DATE"), (40, "2026-02-05")])
    form.box((330, 10, 410, 25))
    form.text(360, 19, "TN-LINK", 3)
    form.text(362, 13, "REV 2", 2)
    fields = fields_of(form)
    assert (fields["drawing_number"], fields["revision"]) == ("TN-LINK", "2")


@pytest.mark.requirement("title.empty")
def test_a_row_of_a_list_at_the_block_is_no_title() -> None:
    form = framed_form()
    form.row(290, 25, 15, [(30, "SCALE"), (30, "1:2"), (30, "REV"), (30, "B")])
    form.row(290, 10, 15, [(30, "DRAWN"), (30, "A. Fargel"), (30, "DATE"), (30, "2026-02-05")])
    for row, (name, value) in enumerate(
        (("Viewing Direction", "12 o'clock"), ("Driver", "ST7789"), ("Interface", "4W1L"), ("Backlight", "White"))
    ):
        form.row(170, 10 + 7 * row, 7, [(60, name), (60, value)], size=4)
    assert "title" not in fields_of(form)


@pytest.mark.requirement("title.empty")
def test_an_address_is_no_tolerance_and_a_list_of_services_no_company() -> None:
    def block(address: str) -> dict[str, str]:
        form = _block()
        form.cell((250, 25, 330, 55), "GENERAL TOLERANCES", address, size=2)
        form.row(250, 10, 15, [(160, "DESIGN - MOULDS - SYSTEMS")], size=4)
        return fields_of(form)

    fields = block("18-20 Tarnow Road\nph: +61 8 8242 0336")
    assert "tolerances" not in fields and "company" not in fields
    assert block("ISO 2768-m")["tolerances"] == "ISO 2768-m"


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(("owner", "key"), [("TARNOW STATE UNIVERSITY", "drawn_by"), ("TARNOW DISK PUMPS", "title")])
def test_a_name_on_the_sheet_of_a_school_is_the_students(owner: str, key: str) -> None:
    form = framed_form()
    form.row(290, 10, 15, [(40, "SCALE: 1:2"), (40, "DATE: 12-10-23"), (40, "SIZE: A3")])
    form.cell((290, 25, 410, 40), "NAME:", "Alva Fargel", size=4)
    form.box((290, 40, 410, 55))
    form.text(300, 45, owner, 4)
    assert fields_of(form)[key] == "Alva Fargel"


@pytest.mark.requirement("title.place-tolerances")
@pytest.mark.parametrize(("heading", "unit"), [("DECIMAL mm", "mm"), ("DECIMAL", None)])
def test_the_heading_of_the_tolerances_ends_with_the_unit(heading: str, unit: str | None) -> None:
    form = _block()
    form.box((230, 25, 330, 45))
    form.text(260, 41, heading, 2)
    for place, text in enumerate((".X ±0.1", ".XX ±0.05", ".XXX ±0.005")):
        form.text(233 + 30 * place, 30, text, 2)
    form.row(230, 45, 10, [(100, "TOLERANCE (UNLESS OTHERWISE SPECIFIED)")], size=2)
    assert fields_of(form).get("units") == unit


@pytest.mark.requirement("title.open")
def test_the_line_of_a_catalogue_page_is_parted_by_bars() -> None:
    form = Form()
    form.text(20, 280, "TARNOW SKY | MODEL: TN-002B | DESCRIPTION: POWER JACK", 3)
    form.text(250, 280, "date 03/10/2025 | page 2 of 3", 3)
    for place in range(4):
        form.text(60 + 50 * place, 100, f"{4 + place}.5", 3)
    assert fields_of(form) == {
        "title": "POWER JACK",
        "part_number": "TN-002B",
        "sheet": "2 of 3",
        "date": "03/10/2025",
        "company": "TARNOW SKY",
    }
    menu = Form()
    menu.text(20, 280, "Product page | 3D model | PCB footprint | page 2 of 3", 3)
    assert fields_of(menu) == {}


@pytest.mark.requirement("title.open")
def test_a_sheet_without_a_block_says_its_company_behind_the_label() -> None:
    form = Form()
    form.lines(300, 60, ["Všechny díry jsou skrz.", "Firma: Tarnow"])
    assert fields_of(form) == {"company": "Tarnow"}


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    ("text", "title"), [("TN-KL-ASM-SUB-PCB", None), ("BASE-PLATE-TN-KL-ASM", "BASE-PLATE-TN-KL-ASM")]
)
def test_a_code_of_groups_of_capitals_is_no_title(text: str, title: str | None) -> None:
    form = _block()
    form.row(250, 40, 15, [(40, "DRAWN"), (40, "A. Fargel")])
    form.row(250, 10, 15, [(160, text)], size=6)
    assert fields_of(form).get("title") == title
