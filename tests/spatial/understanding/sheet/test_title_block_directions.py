"""On which side of its label a value stands: what some values of a block prove holds for the others."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form


def _captions(rows: tuple[tuple[tuple[str, str], ...], ...]) -> Form:
    """A block of rows of cells, each value over its label."""
    form = framed_form()
    y = 10.0
    for row in rows:
        width = 120 / len(row)
        for place, (label, value) in enumerate(row):
            x = 290 + place * width
            form.box((x, y, x + width, y + 7))
            form.box((x, y + 7, x + width, y + 15))
            form.text(x + 2, y + 2, label, 2.2)
            if value:
                form.text(x + 2, y + 9, value, 3)
        y += 15
    return form


@pytest.mark.requirement("title.directions")
@pytest.mark.parametrize(
    ("labels", "title"),
    [
        (("SCALE", "DATE", "SHEET", "TITLE", "MATERIAL"), "Hinge pin"),
        (("Maßstab", "Datum", "Blatt", "Benennung", "Werkstoff"), "Scharnierbolzen"),
        (("Échelle", "Date", "Folio", "Désignation", "Matière"), "Axe de charnière"),
    ],
)
def test_values_stand_over_their_labels_where_those_of_a_form_do(labels: tuple[str, ...], title: str) -> None:
    scale, date, sheet, name, material = labels
    form = _captions((((scale, "1:4"), (date, "2024-03-17"), (sheet, "2/5")), ((name, title), (material, "ZX 48 N"))))
    fields = fields_of(form)
    assert (fields["scale"], fields["date"], fields["sheet"]) == ("1:4", "2024-03-17", "2/5")
    assert (fields["title"], fields["material"]) == (title, "ZX 48 N")


@pytest.mark.requirement("title.directions")
def test_one_value_of_a_form_over_its_label_names_no_words_over_another() -> None:
    form = _captions((((("SCALE", "1:4")), ("MATERIAL", "ZX 48 N"), ("TITLE", "")), (("DRAWN", ""), ("CHECKED", ""))))
    fields = fields_of(form)
    assert fields.get("scale") == "1:4"
    assert "material" not in fields


@pytest.mark.requirement("title.directions")
def test_an_empty_cell_under_a_label_takes_no_neighbours_text_where_all_values_stand_under_their_labels() -> None:
    form = framed_form()
    for place, (label, value) in enumerate(
        (("SCALE", "1:2"), ("SHEET", "1/3"), ("SIZE", "A3"), ("DATE", "2024-03-17"))
    ):
        form.cell((290 + 30 * place, 25, 320 + 30 * place, 37), label, value, size=3)
    form.cell((290, 15, 340, 25), "MATERIAL")
    form.box((340, 10, 410, 25))
    form.text(350, 15, "TRAINING SHEET M7", 3.5)
    form.cell((290, 37, 410, 52), "TITLE", "Lever")
    fields = fields_of(form)
    assert (fields["title"], fields["scale"]) == ("Lever", "1:2")
    assert "material" not in fields
