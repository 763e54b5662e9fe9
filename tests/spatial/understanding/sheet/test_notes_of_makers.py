"""Notes as makers of bought parts print them: reservations, sentences in cells of the form, footnotes of tables, layers of boards."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, labelled_block


def _read(form: Form, claimed: frozenset[str] = frozenset()) -> list[str]:
    sheet = form.sheet()
    found = find_notes([sheet], {sheet.page: find_grids(sheet)}, claimed)
    return [note.text for note in found.notes.items] if found else []


def _read_beside_block(form: Form) -> list[str]:
    """The notes of a sheet, without what its title block has taken."""
    sheet = form.sheet()
    block = find_title_block([sheet], {sheet.page: find_grids(sheet)}, frozenset())
    assert block is not None
    return _read(form, block.claimed)


@pytest.mark.requirement("notes.reservations")
@pytest.mark.parametrize(
    "text",
    [
        "Specifications subject to change without notice",
        "Technische Änderungen vorbehalten",
        "Sous réserve de modifications techniques",
        "Sujeto a cambios sin previo aviso",
        "Con riserva di modifiche tecniche",
        "规格如有变更，恕不另行通知",
    ],
)
def test_a_maker_who_may_change_the_part_says_so_in_a_note_in_a_cell_too(text: str) -> None:
    form = Form()
    form.box((20, 40, 180, 50))
    form.text(24, 43, text)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.reservations")
def test_a_long_reservation_in_two_languages_is_one_note() -> None:
    lines = (
        "Die Angaben dienen der Information und sind keine Zusicherung von Eigenschaften der Ware.",
        "Für Irrtum wird nicht gehaftet. Technische Änderungen vorbehalten.",
        "The data serve to inform the reader and do not constitute a warranty of the goods at all.",
        "No liability is accepted for errors in this sheet.",
    )
    form = Form()
    form.lines(30, 120, lines)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.cells")
def test_sentences_alone_in_a_cell_of_the_block_are_notes_and_what_forms_print_is_none() -> None:
    form = labelled_block()
    form.box((290, 55, 410, 61))
    form.text(292, 57, "Cables cut to length are not returnable", 1.8)
    form.box((290, 61, 410, 67))
    form.text(292, 63, "DIMENSIONS ARE IN MILLIMETERS UNLESS OTHERWISE SPECIFIED", 1.8)
    form.box((290, 67, 410, 73))
    form.text(292, 69, "THIS DRAWING IS A CONTROLLED DOCUMENT.", 1.8)
    form.box((290, 73, 410, 79))
    form.text(292, 75, "COPIES OF THE SHEET MAY NOT BE TO SCALE", 1.8)
    assert _read_beside_block(form) == ["Cables cut to length are not returnable"]


@pytest.mark.requirement("notes.cells")
def test_who_may_change_a_drawing_is_said_by_its_form() -> None:
    form = labelled_block()
    form.box((290, 55, 410, 61))
    form.text(292, 57, "CHANGES SHALL BE INCORPORATED BY THE DESIGN ACTIVITY", 1.8)
    assert _read_beside_block(form) == []


@pytest.mark.requirement("notes.cells")
def test_a_sentence_in_a_row_of_a_table_is_no_note() -> None:
    form = Form()
    for place, (name, said) in enumerate(
        (("Housing", "The housing is made of one piece"), ("Contact", "The contact is pressed in by hand"))
    ):
        y = 100 - 8 * place
        form.row(30, y, 8, ((40, name), (120, said)))
    assert _read(form) == []


@pytest.mark.requirement("notes.footnotes")
def test_a_line_with_the_number_that_stands_raised_in_a_table_is_its_footnote() -> None:
    form = Form()
    form.row(30, 100, 8, ((50, "Board thickness"), (40, "0.8"), (20, "mm")))
    form.text(62, 105, "1)", 1.8)
    form.text(30, 90, "1) This thickness is recommended. Temperatures of the process have to be", 2.5)
    form.text(30, 86, "adapted for panels of other thickness.", 2.5)
    text = (
        "This thickness is recommended. Temperatures of the process have to be adapted for panels of other thickness."
    )
    assert _read(form) == [text]


@pytest.mark.requirement("notes.none")
def test_the_layers_of_a_board_are_rows_of_a_table_though_a_sentence_stands_far_behind_them() -> None:
    form = Form()
    rows = (
        ("Top solder mask", ".GTS"),
        ("Top plated copper", ".GTL"),
        ("Inner plated copper", ".G1"),
        ("Bottom solder mask", ".GBS"),
    )
    for place, (layer, name) in enumerate(rows):
        form.text(30, 120 - 7.5 * place, layer, 2.5)
        form.text(90, 120 - 7.5 * place, name, 2.5)
    form.text(200, 112.5, "The boards are made from the files of this archive alone", 2.5)
    assert _read(form) == ["The boards are made from the files of this archive alone"]


@pytest.mark.requirement("notes.none")
def test_the_last_label_of_a_list_that_nobody_filled_in_is_no_note() -> None:
    form = Form()
    form.lines(30, 120, ["SPECIFICATION:", "1. SUPPLY VOLTAGE: 5 V", "2. VIEWING DIRECTION: 6 H", "3. OTHER:"], 2.5)
    assert _read(form) == ["SUPPLY VOLTAGE: 5 V", "VIEWING DIRECTION: 6 H"]


@pytest.mark.requirement("notes.none")
def test_a_size_of_all_holes_whose_sign_is_not_read_is_a_callout() -> None:
    form = Form()
    form.lines(30, 120, ["2.55 ±0.02", "ALL HOLES"], 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.statements")
def test_a_statement_flush_under_notes_is_one_as_well_and_a_field_of_a_block_is_none() -> None:
    form = Form()
    form.lines(30, 120, ["All edges must be broken and smooth."], 3.0)
    form.text(30, 110, "Suggested stock: bar 1/4 inch, round", 3.0)
    form.text(30, 60, "Lid: white", 3.0)
    assert _read(form) == ["All edges must be broken and smooth.", "Suggested stock: bar 1/4 inch, round"]


@pytest.mark.requirement("notes.statements")
def test_a_line_of_a_list_beside_the_block_stays_a_note_though_its_subject_is_a_label() -> None:
    form = labelled_block()
    lines = [
        "Contact rating: 3 A at 250 V",
        "Life of the part: 500 cycles",
        "Insulator of the body: nylon 6",
        "Plating: tin over nickel on all",
    ]
    for place, line in enumerate(lines):
        form.text(200, 50 - 4 * place, line, 2.5)
    assert _read_beside_block(form) == lines


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ("CONTACT AREA: GOLD PLATED ALL OVER  POST AREA: MATTE TIN PLATED",),
        ("WORKING PRESSURE MAX. PERMISSIBLE",),
    ],
)
def test_values_beside_each_other_and_names_of_limits_are_no_notes(lines: tuple[str, ...]) -> None:
    form = Form()
    form.lines(30, 120, lines)
    assert _read(form) == []


@pytest.mark.requirement("notes.none")
def test_what_explains_an_entry_of_an_ordering_code_in_smaller_letters_is_no_note() -> None:
    form = Form()
    form.text(30, 120, "Polarized position", 3.0)
    form.text(30, 116, "Leave blank if not needed", 2.5)
    form.text(30, 112, "If required, specify the empty position, as in 012 for the last", 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.instructions")
@pytest.mark.parametrize(
    "text",
    [
        "CENTER HOLES OF SHAFT PERMISSIBLE",
        "Zentrierbohrung zulässig",
        "Centres d'usinage admis",
        "Fori da centro ammessi",
    ],
)
def test_what_is_permitted_is_a_note(text: str) -> None:
    form = Form()
    form.text(30, 120, text)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.notices")
@pytest.mark.parametrize("text", ["Schutzvermerk nach DIN 34 beachten", "Refer to protection notice ISO 16016"])
def test_a_reference_to_the_standard_of_protection_notices_is_a_notice(text: str) -> None:
    form = Form()
    form.text(30, 120, text)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.instructions")
def test_what_is_permitted_may_be_lettered_in_narrow_lines() -> None:
    form = Form()
    form.lines(30, 120, ["HOLE FOR", "SHAFT CENTER", "PERMISSIBLE"], 2.5, 1.4)
    assert _read(form) == ["HOLE FOR SHAFT CENTER PERMISSIBLE"]


@pytest.mark.requirement("notes.cells")
def test_a_row_over_all_columns_of_a_table_of_sizes_is_no_note() -> None:
    form = Form()
    for row, cells in enumerate(
        (("H", "2.90", "3.10"), ("J", "0.01", "0.10"), ("K", "1.00", "1.30"), ("Dim", "Min", "Max"))
    ):
        form.row(20, 106 + 6 * row, 6, [(20, text) for text in cells], 2.0)
    form.row(20, 100, 6, [(60, "All Dimensions in mm")], 2.0)
    form.text(20, 80, "ALL DIMENSIONS IN INCHES", 2.5)
    assert _read(form) == ["ALL DIMENSIONS IN INCHES"]


@pytest.mark.requirement("notes.columns")
def test_a_second_column_of_numbers_without_points_goes_on_beside_the_first() -> None:
    form = Form()
    form.text(20, 106, "NOTES:", 2.5)
    form.text(20, 100, "1", 2.5)
    form.text(25, 100, "DIMENSIONING PER ANSI Y14.5M", 2.5)
    form.text(20, 95, "2", 2.5)
    form.text(25, 95, "CONTROLLING DIMENSION : INCH", 2.5)
    form.text(110, 100, "3", 2.5)
    form.text(115, 100, "OUTLINE CONFORMS TO JEDEC", 2.5)
    form.text(110, 95, "4", 2.5)
    form.text(115, 95, "HEATSINK DOES NOT INCLUDE BURRS", 2.5)
    assert len(_read(form)) == 4


@pytest.mark.requirement("notes.local")
def test_a_sentence_with_a_colon_over_an_address_on_the_web_is_one_note() -> None:
    lines = (
        "Always visit the pages of the maker for the most recent package drawings:",
        "https://example.com/packaging/",
    )
    form = Form()
    form.lines(20, 100, lines, 2.5, 2.2)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.names")
def test_what_explains_a_name_in_pointed_brackets_makes_no_sentence_of_it() -> None:
    form = Form()
    form.text(20, 100, "Through-hole type header 〈Low insertion force type〉", 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.hanging")
def test_a_label_in_pointed_brackets_begins_a_note_below_another() -> None:
    form = Form()
    form.text(20, 104, "This product displays (LF)(SN) on a label of its own.", 2.5)
    form.text(20, 100, "<For reference>   As the mark of the colour,", 2.5)
    form.text(25, 96, "the following letter shall be put in the last place.", 2.5)
    assert _read(form) == [
        "This product displays (LF)(SN) on a label of its own.",
        "<For reference> As the mark of the colour, the following letter shall be put in the last place.",
    ]


@pytest.mark.requirement("notes.names")
@pytest.mark.parametrize(
    "names",
    [
        ("stávající hrany", "stávající vodorovné značení silnice", "hrany stavu", "konečné hranice pozemků"),
        (
            "navržená stezka pro chodce",
            "nové konstrukční vrstvy",
            "nezpevněná krajnice silnice",
            "nové konstrukční vrstvy",
        ),
    ],
)
def test_the_names_of_a_legend_are_no_sentence(names: tuple[str, ...]) -> None:
    form = Form()
    form.lines(40, 120, names, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.local")
def test_a_sentence_in_as_many_lines_fills_them() -> None:
    lines = (
        "the cover is put on last and",
        "turned by hand until the seal",
        "touches the ring all around, as",
        "shown in the view from above",
    )
    form = Form()
    form.lines(40, 120, lines, 2.5)
    assert _read(form) == [" ".join(lines)]
