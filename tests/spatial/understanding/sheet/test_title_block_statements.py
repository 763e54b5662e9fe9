"""Title blocks: lines of several fields, sentences and placeholders that are no values, persons and owners told by their places."""

from __future__ import annotations

import pytest

from spatial.knowledge.fields import can_be, is_distinctive
from tests.spatial.forms import Form, fields_of, framed_form


def _block(title: str = "Bearing cover") -> Form:
    form = framed_form()
    form.cell((290, 40, 410, 80), "TITLE", title)
    form.cell((290, 25, 370, 40), "DWG NO", "HK-4711-02")
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((330, 10, 370, 25), "SHEET", "1 OF 2")
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    return form


@pytest.mark.requirement("title.cells")
def test_a_line_of_known_labels_with_colons_is_one_field_each() -> None:
    form = framed_form()
    form.text(300, 30, "Scale: 1:3", 4.0)
    form.text(300, 20, "Author: Fargel - Tarnow Works   Rev:1 Date: 11-04-2020".replace("   ", " "), 3.0)
    fields = fields_of(form)
    assert (fields["drawn_by"], fields["revision"], fields["date"]) == ("Fargel - Tarnow Works", "1", "11-04-2020")


@pytest.mark.requirement("title.empty")
def test_a_sentence_under_the_title_and_what_follows_it_are_no_part_of_it_and_no_unit() -> None:
    form = _block("Slider bracket\nHole tolerances are according to ISO 286-2\nUnits are in mm")
    fields = fields_of(form)
    assert fields["title"] == "Slider bracket"
    assert "units" not in fields
    assert fields_of(_block("Slider bracket\nleft hand"))["title"] == "Slider bracket left hand"


@pytest.mark.requirement("title.empty")
def test_the_placeholders_of_a_template_and_a_notice_beside_a_label_are_no_values() -> None:
    form = _block()
    form.box((190, 40, 290, 80))
    form.text(192, 75, "Legal owner:", 1.8)
    form.lines(200, 66, ("Company Logo", "Company Name, Address and Tel. No", "e-mail address"), 3.0)
    form.box((110, 60, 150, 80))
    form.text(112, 68, "Material:", 1.8)
    form.box((150, 60, 190, 80))
    form.lines(151, 74, ("This drawing is the property", "of its owner and confidential"), 1.6)
    fields = fields_of(form)
    assert "company" not in fields
    assert "material" not in fields


@pytest.mark.requirement("title.company")
def test_one_word_in_the_cell_over_the_labelled_title_is_the_company() -> None:
    form = _block()
    form.box((290, 80, 410, 92))
    form.text(330, 84, "tarnow", 2.2)
    assert fields_of(form)["company"] == "tarnow"


@pytest.mark.requirement("title.company")
@pytest.mark.parametrize("address", ["12 Mill Road, Leeds, AZ 85721", "Mühlgasse 1-5, 8093 Zürich"])
def test_words_over_a_line_with_postal_code_and_town_are_the_company(address: str) -> None:
    form = _block()
    form.box((190, 10, 290, 40))
    form.lines(192, 32, ("Tarnow", address), 2.4)
    assert fields_of(form)["company"] == "Tarnow"


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize("under", ["DATUM", "GEWICHT"])
def test_a_name_in_the_cell_over_a_date_is_the_drafters_and_over_others_a_title(under: str) -> None:
    form = framed_form()
    for row, (label, value) in enumerate(
        (("NAME", "A. Fargel"), (under, "19.10.2021"), ("MATERIAL", "Steel"), ("MASSSTAB", "1:2"))
    ):
        form.row(230, 58 - 12 * row, 12, [(30, label), (50, value)], 2.0)
    form.box((310, 22, 410, 70))
    form.text(320, 44, "Bearing cover", 6.0)
    fields = fields_of(form)
    assert fields.get("drawn_by") == ("A. Fargel" if under == "DATUM" else None)
    assert fields.get("title") == ("Bearing cover" if under == "DATUM" else "A. Fargel")


@pytest.mark.requirement("title.roles")
def test_a_word_of_labels_is_a_name_where_it_stands_alone_under_a_role() -> None:
    form = _block()
    form.cell((230, 55, 290, 70), "APPROVED", "team")
    form.cell((230, 40, 290, 55), "CHECKED", "Date")
    fields = fields_of(form)
    assert fields["approved_by"] == "team"
    assert "checked_by" not in fields


@pytest.mark.requirement("title.place-tolerances")
def test_angles_beside_sizes_by_their_places_are_listed_one_list_after_the_other() -> None:
    form = _block()
    form.box((190, 10, 290, 40))
    form.text(196, 32, "ANGLES   SIZE", 2.0)
    form.text(192, 26, "±.25° (MACH) X.X ±0.5", 2.0)
    form.text(192, 20, "±2° (BEND) X.XX ±0.25", 2.0)
    assert fields_of(form)["tolerances"] == "ANGLES ±.25° (MACH); ±2° (BEND); X.X ±0.5; X.XX ±0.25"


@pytest.mark.requirement("title.form")
@pytest.mark.parametrize(
    ("text", "could", "tells"),
    [("Jun24'03", True, True), ("2023", True, False), ("1123", False, False), ("Jun'2403", False, False)],
)
def test_a_year_alone_is_a_date_where_a_label_says_so_and_a_year_may_follow_an_apostrophe(
    text: str, could: bool, tells: bool
) -> None:
    assert can_be("date", text) == could
    assert is_distinctive("date", text) == tells


@pytest.mark.requirement("title.empty")
def test_a_material_that_goes_on_a_note_in_the_open_is_no_field_of_the_block() -> None:
    for over, material in (("HINWEIS: NICHT OHNE FREIGABE AENDERN", None), ("ANSICHT VON LINKS", "Polyamid PA12")):
        form = _block()
        form.lines(40, 60, [over, "Werkstoff: Polyamid PA12"], 3.5)
        assert fields_of(form).get("material") == material
