"""Values in the wordings of further offices: scales with a paper, papers for sheets, statements that there is none, cut words."""

from __future__ import annotations

import pytest

from spatial.knowledge import title_labels
from tests.spatial.forms import Form, fields_of, framed_form


def _block(**values: str) -> Form:
    given = {"TITLE": "Bearing cover", "DWG NO": "HK-4711-02", "DRAWN": "W. FARGEL"} | values
    form = framed_form()
    for place, (label, value) in enumerate(given.items()):
        form.cell((290, 10 + 15 * place, 410, 25 + 15 * place), label.replace("_", " "), value)
    return form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("scale", ["1:2 on A3", "1:2 @ A3", "1:2 auf A3", "1:2 en A3"])
def test_a_scale_with_its_paper_is_both(scale: str) -> None:
    fields = fields_of(_block(SCALE=scale))
    assert (fields["scale"], fields["size"]) == ("1:2", "A3")


@pytest.mark.requirement("title.typical")
def test_a_paper_format_in_the_place_of_the_sheets_number_is_the_paper_where_no_other_is_named() -> None:
    fields = fields_of(_block(LÁMINA="A4"))
    assert fields["size"] == "A4"
    assert "sheet" not in fields
    assert fields_of(_block(SHEET="A4", SIZE="A1"))["size"] == "A1"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("label", "value"), [("SCALE", "N/A"), ("SCALE", "NONE"), ("ESCALA", "N/D")])
def test_a_scale_and_a_finish_that_are_none_are_stated(label: str, value: str) -> None:
    fields = fields_of(_block(**{label: value, "FINISH": value}))
    assert fields["scale"] == value
    assert fields["finish"] == value


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("value", ["Material <not\nspecified>", "YÜZEY KALİTESİ:", "<fill\nin>"])
def test_a_placeholder_of_two_lines_and_a_text_with_a_colon_are_no_values(value: str) -> None:
    assert "material" not in fields_of(_block(MATERIAL=value))


@pytest.mark.requirement("title.empty")
def test_a_line_in_open_space_does_not_fill_an_empty_field_of_the_block() -> None:
    form = _block(MATERIAL="")
    form.text(40, 60, "MATERIAL: ALLOY 6082", 3)
    assert "material" not in fields_of(form)


@pytest.mark.requirement("title.company")
def test_a_street_with_figures_under_a_name_is_no_company() -> None:
    form = _block(SCALE="1:2")
    form.box((290, 70, 410, 95))
    for place, line in enumerate(("ORBITAL TETHER STUDIES", "WING LAB, 12 HARBOUR RD, TARNOW", "mail@example.org")):
        form.text(300, 89 - 7 * place, line, 3)
    assert fields_of(form)["company"] == "ORBITAL TETHER STUDIES"


@pytest.mark.requirement("vocabulary.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [("Gezeich", "drawn_by"), ("Kontroll", "checked_by"), ("Masssta", "scale"), ("Überpr", None), ("Drawin", None)],
)
def test_a_long_beginning_of_one_word_is_that_word(text: str, key: str | None) -> None:
    found = title_labels.read(text)
    assert (found.key if found else None) == key
