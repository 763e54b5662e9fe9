"""Title blocks of which no label is known: pairs of label and value by the structure of the form, values named by their own."""

from __future__ import annotations

import pytest

from spatial.contract.drawing import TitleBlock
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block import find_title_block as title_block
from tests.spatial.forms import Form, framed_form


def _block(form: Form) -> TitleBlock | None:
    sheet = form.sheet()
    found = title_block.find_title_block([sheet], {sheet.page: find_grids(sheet)}, frozenset())
    return found.block if found else None


def _fields(form: Form) -> dict[str, str]:
    block = _block(form)
    return dict(block.fields) if block else {}


def _stacked(form: Form) -> None:
    """Four cells in the lower right corner, each with a label over its value."""
    cells = [("OGOPO", "Fargel"), ("ERO US", "QX-4711"), ("IFAMA", "1:2"), ("VELKORU", "Tarnow")]
    for place, (label, value) in enumerate(cells):
        form.cell((290 + 30 * place, 10, 320 + 30 * place, 25), label, value, size=3.5, small=1.8)


@pytest.mark.requirement("title.form")
def test_small_lettering_over_larger_is_label_and_value_in_any_language() -> None:
    form = framed_form()
    _stacked(form)
    block = _block(form)
    assert block is not None
    assert block.fields == {"OGOPO": "Fargel", "drawing_number": "QX-4711", "VELKORU": "Tarnow", "scale": "1:2"}
    assert set(block.sources) == set(block.fields)
    further = block.model_extra or {}
    assert further["evidence"] == {
        "OGOPO": "printed label", "drawing_number": "typical place", "VELKORU": "printed label", "scale": "typical place",
    }  # fmt: skip
    assert all(0.8 < sure < 0.92 or key == "scale" for key, sure in further["confidences"].items())


@pytest.mark.requirement("title.form")
def test_a_column_of_labels_is_all_labels_with_the_values_beside_it() -> None:
    form = framed_form()
    rows = [("Avimi", "Fargel"), ("Inegev", "5063627"), ("Ifupaf", ""), ("Initofa", "1:5"), ("Okozu", "1 / 3")]
    for place, (label, value) in enumerate(rows):
        form.row(310, 10 + 8 * place, 8, [(40, label), (60, value)], 2.5)
    assert _fields(form) == {"Avimi": "Fargel", "Inegev": "5063627", "scale": "1:5", "sheet": "1 / 3"}


@pytest.mark.requirement("title.form")
def test_the_rows_of_a_column_of_labels_give_names_and_one_date() -> None:
    form = framed_form()
    _stacked(form)
    matrix = [
        ("", "UBAD", "IPAG"),
        ("Atena", "E. Rudin", "2024-09-24"),
        ("Etodul", "K. Osten", "2024-09-24"),
        ("Oke", "", ""),
    ]
    for place, row in enumerate(reversed(matrix)):
        form.row(290, 25 + 6 * place, 6, list(zip((30, 50, 40), row, strict=True)), 1.8)
    fields = _fields(form)
    assert (fields["drawn_by"], fields["Etodul"], fields["date"]) == ("E. Rudin", "K. Osten", "2024-09-24")
    assert not {"UBAD", "IPAG", "Oke"} & set(fields)


@pytest.mark.requirement("title.form")
def test_two_dates_name_no_date() -> None:
    form = framed_form()
    _stacked(form)
    for place, (role, name, date) in enumerate(
        [("Atena", "E. Rudin", "2024-09-24"), ("Etodul", "K. Osten", "2024-10-02")]
    ):
        form.row(290, 25 + 6 * place, 6, [(30, role), (50, name), (40, date)], 1.8)
    fields = _fields(form)
    assert (fields["drawn_by"], fields["Atena"]) == ("K. Osten", "E. Rudin") and "date" not in fields


@pytest.mark.requirement("title.form")
def test_a_label_in_a_cell_over_the_cell_of_its_value() -> None:
    form = framed_form()
    _stacked(form)
    form.row(290, 43, 6, [(30, "Ivumus"), (30, "Amak")], 1.8)
    form.row(290, 25, 18, [(30, "0.543"), (30, "A3")], 3.5)
    fields = _fields(form)
    assert (fields["Ivumus"], fields["size"]) == ("0.543", "A3")


@pytest.mark.requirement("title.form")
@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Zorg: B 12", "Zorg", "B 12"),
        ("IGEZO 1 OF 2", "sheet", "1 OF 2"),
        ("Акисал 4", "Акисал", "4"),
        ("図図：RT-8-2", "図図", "RT-8-2"),
        ("Umit ISO 2768-mK", "tolerances", "ISO 2768-mK"),
    ],
)
def test_label_and_value_in_one_text(text: str, key: str, value: str) -> None:
    form = framed_form()
    _stacked(form)
    form.row(290, 25, 8, [(60, text)], 1.8)
    assert _fields(form)[key] == value


@pytest.mark.requirement("title.form")
def test_several_labels_with_colons_in_one_cell_stand_over_their_values() -> None:
    form = framed_form()
    _stacked(form)
    form.box((290, 25, 410, 40))
    for x, label, value in ((292, "EPA:", "W. Elm"), (330, "ODEM:", "VR-300"), (370, "UPO:", "b")):
        form.text(x, 36, label, 1.8)
        form.text(x, 28, value, 3.5)
    fields = _fields(form)
    assert (fields["EPA"], fields["ODEM"], fields["UPO"]) == ("W. Elm", "VR-300", "b")


@pytest.mark.requirement("title.form")
def test_a_tolerance_box_and_a_sentence_that_ends_with_a_unit_are_told_by_theirframed_form() -> None:
    form = framed_form()
    _stacked(form)
    form.cell((290, 25, 340, 50))
    form.lines(292, 46, ["OFUNU FAVE:", "ETEMIF DAL ZU MILLIMETERS", "IZAN: ±0.5", "OMIR: ±0.05"], 1.8)
    fields = _fields(form)
    assert fields["units"] == "MILLIMETERS"
    assert fields["tolerances"] == "IZAN: ±0.5; OMIR: ±0.05"


@pytest.mark.requirement("title.form")
def test_a_form_is_found_in_the_corner_of_a_frame_that_does_not_fill_the_page() -> None:
    form = Form(paper=(0.0, 0.0, 900.0, 297.0))
    form.box((200, 10, 610, 287))
    form.row(200, 280, 7, [(100, "4"), (100, "3"), (100, "2"), (110, "1")])
    for place, (label, value) in enumerate(
        [("OGOPO", "Fargel"), ("ERO US", "QX-4711"), ("IFAMA", "1:2"), ("VELKORU", "Tarnow")]
    ):
        form.cell((490 + 30 * place, 10, 520 + 30 * place, 25), label, value)
    assert _fields(form)["drawing_number"] == "QX-4711"


@pytest.mark.requirement("title.form")
def test_what_is_no_form_gives_no_fields() -> None:
    in_the_middle = framed_form()
    for place in range(5):
        in_the_middle.cell((150 + 30 * place, 150, 180 + 30 * place, 165), f"Vel{'abcde'[place]}", f"Q {place}")
    few = framed_form()
    few.cell((350, 10, 380, 25), "OGOPO", "Fargel")
    few.cell((380, 10, 410, 25), "IFAMA", "Tarnow")
    table = framed_form()
    for place, row in enumerate([("3", "Bolt", "12"), ("2", "Nut", "12"), ("1", "Plate", "1")]):
        table.row(290, 10 + 7 * place, 7, list(zip((20, 70, 30), row, strict=True)), 2.5)
    assert [_fields(form) for form in (in_the_middle, few, table)] == [{}, {}, {}]


@pytest.mark.requirement("title.form")
def test_a_scale_under_an_unknown_label_is_named_in_a_block_with_known_labels() -> None:
    form = framed_form()
    cells = [("TITLE", "BRACKET"), ("DWG NO", "77-120"), ("SIZE", "A3"), ("MEASTOR", "1:5"), ("REVPLO", "2024-05-01")]
    for place, (label, value) in enumerate(cells):
        form.cell((260 + 30 * place, 10, 290 + 30 * place, 25), label, value)
    fields = _fields(form)
    assert fields["scale"] == "1:5"
    assert fields["REVPLO"] == "2024-05-01" and "date" not in fields


@pytest.mark.requirement("title.form")
def test_two_numbers_of_documents_name_no_drawing() -> None:
    form = framed_form()
    _stacked(form)
    form.cell((290, 25, 320, 40), "AVIMI", "QX-4712", size=3.5, small=1.8)
    fields = _fields(form)
    assert (fields["ERO US"], fields["AVIMI"]) == ("QX-4711", "QX-4712") and "drawing_number" not in fields


@pytest.mark.requirement("title.form")
def test_the_value_in_the_largest_lettering_of_a_form_is_its_title() -> None:
    form = framed_form()
    _stacked(form)
    form.cell((290, 25, 410, 45), "AVIMI", "Reduktor Korpo", size=6.0, small=1.8)
    fields = _fields(form)
    assert fields["title"] == "Reduktor Korpo" and fields["OGOPO"] == "Fargel"


@pytest.mark.requirement("title.form")
def test_large_lettering_is_no_title_beside_a_larger_field_that_is_empty() -> None:
    form = framed_form()
    _stacked(form)
    form.cell((290, 25, 350, 45), "AVIMI", "Reduktor Korpo", size=4.5, small=1.8)
    form.cell((350, 25, 410, 50), "IFUPAF", small=1.8)
    fields = _fields(form)
    assert fields["AVIMI"] == "Reduktor Korpo" and "title" not in fields


@pytest.mark.requirement("title.form")
def test_a_box_of_deviations_is_that_of_tolerances_under_any_label() -> None:
    form = framed_form()
    cells = [("TITLE", "BRACKET"), ("DWG NO", "77-120"), ("SIZE", "A3"), ("MEASTOR", "1:5")]
    for place, (label, value) in enumerate(cells):
        form.cell((290 + 30 * place, 10, 320 + 30 * place, 25), label, value)
    form.cell((260, 10, 290, 25), "OMIRAF: +0.1/-0.1", "")
    assert _fields(form)["tolerances"] == "OMIRAF: +0.1/-0.1"


@pytest.mark.requirement("title.form")
def test_labels_without_rules_between_them_stand_beside_a_known_one() -> None:
    form = framed_form()
    for place, (label, value) in enumerate([("TITLE", "BRACKET"), ("DWG NO", "77-120"), ("SIZE", "A3")]):
        form.cell((290 + 40 * place, 10, 330 + 40 * place, 25), label, value)
    form.box((290, 25, 410, 40))
    for place, (label, value) in enumerate([("DWL:", "W. ERIN"), ("SCALE:", "N.T.S."), ("PG ZO:", "1 OF 3")]):
        form.text(292 + 40 * place, 36, label, 1.8)
        form.text(294 + 40 * place, 28, value, 3.0)
    fields = _fields(form)
    assert (fields["DWL"], fields["scale"], fields["sheet"]) == ("W. ERIN", "N.T.S.", "1 OF 3")


@pytest.mark.requirement("title.form")
def test_labels_on_one_line_in_one_lettering_are_one_block_without_rules_between_them() -> None:
    form = framed_form()
    form.text(290, 28, "DWG NO.", 1.8)
    form.text(296, 16, "QX-4711", 8.0)
    form.text(290, 11, "SCALE:1:5", 1.8)
    form.text(350, 11, "SHEET 1 OF 1", 1.8)
    fields = _fields(form)
    assert (fields["drawing_number"], fields["scale"], fields["sheet"]) == ("QX-4711", "1:5", "1 OF 1")


@pytest.mark.requirement("title.form")
def test_captions_of_views_on_one_line_are_no_block() -> None:
    form = framed_form()
    form.text(60, 200, "SCALE 2:1", 3.5)
    form.text(130, 200, "SCALE 1:2", 3.5)
    assert _fields(form) == {}


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (
            ["DECIMALS ANGLES", "X.X = ±0.1 X = ±5", "X.XX = ±0.01 X.X = ±0.5", "X.XXX = ±0.001"],
            "DECIMALS X.X = ±0.1; X.XX = ±0.01; X.XXX = ±0.001; ANGLES X = ±5; X.X = ±0.5",
        ),
        (["X.X = ±0.1", "X.XX = ±0.01"], "X.X = ±0.1; X.XX = ±0.01"),
        ([".XX = ±.0-", ".XXX = ±.00-", "ANGULAR = ±°"], None),
    ],
)
def test_deviations_in_columns_are_listed_by_column_and_unfilled_ones_state_nothing(
    lines: list[str], value: str | None
) -> None:
    form = framed_form()
    form.cell((350, 10, 410, 25), "Drawing number", "QX-4711")
    form.cell((350, 25, 410, 40), "Title", "Bracket")
    form.box((290, 10, 350, 40))
    form.lines(291, 35, ["TOLERANCES", *lines], 2.0, 1.5)
    assert _fields(form).get("tolerances") == value


@pytest.mark.requirement("title.tolerances")
def test_a_line_that_ends_with_a_standard_of_general_tolerances_states_it_in_any_words() -> None:
    form = framed_form()
    form.cell((350, 10, 410, 25), "Drawing number", "QX-4711")
    form.cell((350, 25, 410, 40), "Title", "Bracket")
    form.box((290, 10, 350, 40))
    form.lines(291, 35, ["IZANFU OMIR", "ke NEN ISO 2768mK"], 2.0, 1.5)
    assert _fields(form)["tolerances"] == "NEN ISO 2768mK"
