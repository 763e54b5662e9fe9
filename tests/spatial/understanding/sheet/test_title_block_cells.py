"""Cells of a title block: which lettering is a label, which a value, and which cells belong to the block."""

from __future__ import annotations

import pytest

from spatial.knowledge import table_headers, title_labels
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.tables.find_tables import find_tables
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, framed_form


def _fields(form: Form) -> dict[str, str]:
    sheet = form.sheet()
    grids = {sheet.page: find_grids(sheet)}
    found = find_title_block([sheet], grids, find_tables([sheet], grids).claimed)
    return dict(found.block.fields) if found else {}


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("DIBUJ.", "drawn_by"),
        ("APROB.", "approved_by"),
        ("Verif.", "checked_by"),
        ("PROJEC.", None),
        ("Dibuj", None),
        ("Utgåva/Revision", "revision"),
        ("Desenat", "drawn_by"),
        ("Tegningsnummer", "drawing_number"),
        ("Měřítko", "scale"),
        ("比 例", "scale"),
    ],
)
def test_words_and_their_abbreviations_with_a_full_stop_name_a_field(text: str, key: str | None) -> None:
    found = title_labels.read(text)
    assert (found.key if found else None) == key


@pytest.mark.requirement("tables.languages")
def test_headings_of_spread_signs_are_read_as_one_word() -> None:
    assert "item" in table_headers.concepts("序\n号")
    assert "quantity" in table_headers.concepts("数 量")
    assert table_headers.concepts("I T E M") == table_headers.concepts("ITEM")
    assert table_headers.concepts("IT EM") == frozenset()


@pytest.mark.requirement("title.empty")
def test_a_letter_alone_names_no_field() -> None:
    form = framed_form()
    form.row(290, 40, 8, [(60, "Zahl der Flanken"), (20, "z"), (40, "21")])
    form.row(290, 32, 8, [(60, "Stufe"), (20, "m"), (40, "3")])
    form.cell((290, 10, 350, 32), "Benennung", "Zahnrad")
    form.cell((350, 10, 410, 32), "Zeichnungsnummer", "QX-4711")
    fields = _fields(form)
    assert fields["title"] == "Zahnrad" and "scale" not in fields and "sheet" not in fields


@pytest.mark.requirement("title.empty")
def test_the_first_line_of_a_label_is_not_the_value_of_its_second() -> None:
    form = framed_form()
    form.box((290, 10, 350, 30))
    form.lines(291, 26.5, ["Vulgar ikami", "roughness"], 1.8, 1.3)
    form.cell((350, 10, 410, 30), "Title", "Bracket")
    form.cell((350, 30, 410, 45), "Drawing number", "QX-4711")
    assert "finish" not in _fields(form)


@pytest.mark.requirement("title.empty")
def test_the_label_of_the_next_row_is_nobodys_name() -> None:
    form = framed_form()
    for place, label in enumerate(["Vatika", "Onukol", "Checked", "Drawn"]):
        form.row(290, 10 + 7 * place, 7, [(20, label), (25, ""), (15, "")], 1.8)
    form.cell((350, 10, 410, 24), "Drawing number", "QX-4711")
    form.cell((350, 24, 410, 38), "Title", "Bracket")
    fields = _fields(form)
    assert not {"drawn_by", "checked_by", "approved_by"} & set(fields) and fields["title"] == "Bracket"


@pytest.mark.requirement("title.typical")
def test_labels_at_both_ends_of_a_low_form_are_of_one_block() -> None:
    form = Form()
    form.row(10, 10, 12, [(60, "Scale 1:10"), (260, "Base of the robot"), (80, "Material: Aluminium")], 3.0)
    form.row(10, 22, 12, [(320, "Velkoru Institute"), (80, "5/21/2022")], 3.0)
    assert _fields(form) == {
        "title": "Base of the robot",
        "material": "Aluminium",
        "scale": "1:10",
        "date": "5/21/2022",
        "company": "Velkoru Institute",
    }


@pytest.mark.requirement("title.typical")
def test_cells_under_the_labels_down_to_the_frame_belong_to_the_block() -> None:
    form = framed_form()
    form.row(300, 40, 10, [(30, "Drawn"), (40, "E. Rudin"), (40, "Scale: 1:2")])
    form.row(300, 30, 10, [(30, ""), (80, "University of Tarnow")])
    form.row(300, 20, 10, [(30, ""), (80, "Input shaft")])
    form.row(300, 10, 10, [(30, "A3"), (80, "RCDD-03")])
    fields = _fields(form)
    assert (fields["title"], fields["drawing_number"], fields["size"]) == ("Input shaft", "RCDD-03", "A3")
    assert fields["company"] == "University of Tarnow"


@pytest.mark.requirement("title.tolerances")
def test_a_list_of_deviations_goes_on_behind_its_label_and_first_value() -> None:
    form = framed_form()
    form.box((290, 10, 350, 40))
    form.lines(291, 35, ["DIMENSIONS ARE IN MM", "TOLERANCES: ±0.1", "RADII: ±1.0"], 2.0, 1.5)
    form.cell((350, 10, 410, 25), "Drawing number", "QX-4711")
    form.cell((350, 25, 410, 40), "Title", "Bracket")
    assert _fields(form)["tolerances"] == "±0.1; RADII: ±1.0"


@pytest.mark.requirement("title.cells")
def test_a_sentence_that_ends_with_a_unit_may_have_two_lines() -> None:
    form = framed_form()
    form.box((290, 10, 350, 40))
    form.lines(291, 35, ["UNLESS OTHERWISE SPECIFIED", "DIMENSIONS ARE IN DECIMAL", "INCHES AND [METRIC]."], 2.0, 1.5)
    form.cell((350, 10, 410, 25), "Drawing number", "QX-4711")
    form.cell((350, 25, 410, 40), "Title", "Bracket")
    assert _fields(form)["units"] == "DECIMAL INCHES AND [METRIC]"


@pytest.mark.requirement("title.typical")
def test_a_version_is_a_revision_and_no_number() -> None:
    form = framed_form()
    form.cell((350, 24, 410, 38), "Part number", "")
    form.cell((350, 10, 410, 24), "", "V1.0")
    form.cell((290, 10, 350, 24), "Title", "Bracket")
    form.cell((290, 24, 350, 38), "Scale", "1:2")
    fields = _fields(form)
    assert fields["revision"] == "V1.0" and "part_number" not in fields


@pytest.mark.requirement("tables.quantities")
def test_words_symbols_and_values_in_many_rows_are_a_table_in_any_language() -> None:
    form = framed_form()
    rows = ["Ogopoti", "Fargel mira", "Eronus", "Ifamata", "Velkoru", "Avimigo", "Okozu lan"]
    for place, words in enumerate(rows):
        form.row(290, 200 + 8 * place, 8, [(60, words), (20, f"q{place}"), (30, f"{place}.5")])
    sheet = form.sheet()
    found = find_tables([sheet], {sheet.page: find_grids(sheet)})
    assert len(found.others) == 1 and len(found.others[0].columns) == len(rows)
    assert found.others[0].rows[0]["Fargel mira q1"] == "1.5"


@pytest.mark.requirement("tables.quantities")
def test_rows_of_roles_with_initials_and_dates_are_no_table_of_quantities() -> None:
    form = framed_form()
    for place, role in enumerate(["Drawn", "Checked", "Approved", "Quality", "Stress group", "Manufacturing"]):
        form.row(290, 200 + 8 * place, 8, [(60, role), (20, "TAR"), (30, "11/09/10")])
    sheet = form.sheet()
    assert find_tables([sheet], {sheet.page: find_grids(sheet)}).others == []
