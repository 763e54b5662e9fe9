"""Names told by the rank of their lettering in blocks with few labels, and labels told by the labels over them."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("label", ["Skala: 1 : 5", "Tỉ lệ: 1:5", "Mierka：1:5"])
@pytest.mark.parametrize(("height", "read"), [(6, True), (3.2, False)])
def test_a_name_far_larger_than_all_else_beside_a_ratio_in_a_corner_is_the_title(
    label: str, height: float, *, read: bool
) -> None:
    form = framed_form()
    form.box((330, 25, 410, 40))
    form.text(340, 29, "Khung sau", height)
    form.row(330, 10, 15, [(50, "Sorbel"), (30, label)], 2.6)
    fields = fields_of(form)
    assert fields.get("title") == ("Khung sau" if read else None)
    assert ("scale" in fields) == read


@pytest.mark.requirement("title.typical")
def test_the_largest_lettering_is_the_title_where_place_and_form_tell_four_fields_beside_few_labels() -> None:
    form = framed_form()
    form.row(290, 55, 8, [(50, "Medidas en milímetros"), (20, "1:1"), (30, "Hoja 2 de 8"), (20, "REVISIÓN")], 1.6)
    for place, (line, size) in enumerate((("UNIVERSIDAD DE TARNOW", 3.0), ("Brazo articulado", 3.0), ("Codo", 6.5))):
        form.box((290, 40 - 15 * place, 410, 55 - 15 * place))
        form.text(320, 45 - 15 * place, line, size)
    fields = fields_of(form)
    assert (fields["title"], fields["company"]) == ("Codo", "UNIVERSIDAD DE TARNOW")


def _under_parts_head(heads: tuple[str, ...]) -> Form:
    """A block without a label of the title, under the empty head of a parts list."""
    form = framed_form()
    form.row(290, 70, 8, [(30, head) for head in heads], 2)
    form.box((290, 40, 380, 70))
    form.text(300, 62, "Basics of design", 1.9)
    form.text(300, 48, "Upper lid", 6)
    form.cell((380, 55, 410, 70), "SCALE", "1:1", size=6)
    form.cell((380, 40, 410, 55), "DATE", "17.03.2024")
    form.cell((290, 25, 410, 40), "DRAWN", "W. FARGEL")
    return form


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(
    "heads", [("ITEM", "QTY", "DESCRIPTION", "MATERIAL"), ("POS.", "CANT.", "DESCRIPCIÓN", "MATERIAL")]
)
def test_the_head_of_an_empty_parts_list_names_no_field_and_smaller_lettering_over_a_title_is_no_part_of_it(
    heads: tuple[str, ...],
) -> None:
    assert fields_of(_under_parts_head(heads))["title"] == "Upper lid"


@pytest.mark.requirement("title.roles")
def test_a_text_under_two_stacked_labels_of_roles_in_their_lettering_is_a_third_label() -> None:
    form = framed_form()
    form.cell((330, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((330, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((330, 10, 410, 25), "SCALE", "1:2")
    for place, label in enumerate(("Projektował", "Sprawdził", "Kontrola jakości")):
        form.box((290, 45 - 10 * place, 330, 55 - 10 * place))
        form.text(310 - 0.35 * 2.2 * len(label), 49 - 10 * place, label, 2.2)
    fields = fields_of(form)
    assert fields["title"] == "Bearing cover"
    assert not {"drawn_by", "checked_by"} & set(fields)


@pytest.mark.requirement("title.company")
def test_a_line_that_begins_with_a_word_between_names_goes_on_with_the_company() -> None:
    form = framed_form()
    form.cell((330, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((330, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((330, 10, 410, 25), "SCALE", "1:2")
    form.box((230, 25, 330, 55))
    form.text(236, 46, "ESCUELA SUPERIOR", 3.2)
    form.text(238, 40, "DE MECÁNICA", 3.2)
    assert fields_of(form)["company"] == "ESCUELA SUPERIOR DE MECÁNICA"


@pytest.mark.requirement("title.tolerances")
def test_the_end_of_a_sentence_that_begins_with_its_number_is_no_deviation() -> None:
    form = framed_form()
    form.box((290, 10, 350, 55))
    form.lines(
        292,
        50,
        ("TOLERANCES:", "ANGULAR: ±1°", "TWO PLACE DECIMAL ±0.02", "EDGE BREAKS ARE", "0.3 WHERE NOTHING ELSE STANDS"),
        2,
    )
    form.cell((350, 40, 410, 55), "TITLE", "Bearing cover")
    form.cell((350, 25, 410, 40), "DWG NO", "HK-4711-02")
    form.cell((350, 10, 410, 25), "SCALE", "1:2")
    assert fields_of(form)["tolerances"] == "ANGULAR: ±1°; TWO PLACE DECIMAL ±0.02"
