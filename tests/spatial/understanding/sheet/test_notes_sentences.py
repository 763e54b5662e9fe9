"""Notes that are told by what they say: sentences with a verb, running text, short statements, notices."""

from __future__ import annotations

import pytest

from spatial.contract.drawing import Note
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from tests.spatial.forms import Form


def _notes(*forms: Form) -> list[Note]:
    sheets = [form.sheet() for form in forms]
    found = find_notes(sheets, {sheet.page: find_grids(sheet) for sheet in sheets}, frozenset())
    return found.notes.items if found else []


def _read(*forms: Form) -> list[str]:
    return [note.text for note in _notes(*forms)]


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    "text",
    [
        "Beide Laschen müssen gleich lang sein",
        "The label should face the lid",
        "Fig. 3-5 is what the lid should be like",
        "Obie płyty są malowane na czarno",
        "La tapa debe cerrar sin juego",
        "OTHER END WILL HAVE PINS TOO",
        "La base lleva cuatro tacos debajo",
        "Locket har to hull under",
    ],
)
def test_five_words_with_a_verb_that_says_or_orders_are_a_sentence(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "text",
    [
        "Bottom plate with both brackets",  # a name
        "The lid is hidden in this view",  # of the picture
        "LEVER TRAVEL ANGLE IS 35°±2°",  # a callout
        "从上到下 1—4 From top to bottom 1—4",  # four words, in two languages
    ],
)
def test_names_captions_and_sizes_in_words_are_no_sentences(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    "lines",
    [
        ["Mit diesem Halter lassen sich Wellen ohne Bearbeitung der", "Wellenenden montieren."],
        ["This bracket holds a round shaft at either end without the", "Shaft Support that other brackets need."],
    ],
    ids=lambda lines: lines[0],
)
def test_a_full_line_that_ends_with_an_article_goes_on_with_a_capital_two_letters_below(lines: list[str]) -> None:
    form = Form()
    form.lines(60, 150, lines, 2.5, 2.1)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.local")
def test_a_line_that_ends_with_inches_is_one_of_its_own() -> None:
    form = Form()
    lines = [
        "The lid of the box should close over a gasket of 2 in",
        "Both of the brackets should face the lid of the box",
    ]
    form.lines(60, 150, lines, 2.5, 2.1)
    assert _read(form) == lines


@pytest.mark.requirement("notes.running")
def test_the_sentences_of_a_running_text_are_one_note() -> None:
    lines = [
        "The handle turns both valves at once and",
        "stops at the pin. A spring then takes it",
        "back to its first place.",
        "The cover keeps dust out and can be",
        "taken off by hand.",
    ]
    form = Form()
    form.lines(60, 150, lines, 2.5)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.running")
def test_sentences_of_a_line_each_are_notes_of_their_own() -> None:
    lines = [
        "Drill all the holes after the parts are welded together.",
        "Paint the frame in the colour that the order states.",
    ]
    form = Form()
    form.lines(60, 150, lines, 2.5)
    assert _read(form) == lines


@pytest.mark.requirement("notes.running")
def test_a_line_that_is_too_long_for_its_cell_goes_on_in_it() -> None:
    lines = ["The box measures the pull of three", "wires at once and writes", "each value to the card every hour."]
    form = Form()
    form.box((55, 135, 112, 160))
    form.box((112, 135, 160, 160))
    form.lines(60, 150, lines, 2.5)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.short")
@pytest.mark.parametrize(
    "text",
    ["TOLERANCE: ±0.2", "Tolérance générale : ±0,1", "ALL HOLES ±.004", "COMPLIES WITH WEEE", "Meets RoHS limits"],
)
def test_a_tolerance_or_a_directive_in_open_space_is_a_note(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.short")
def test_a_tolerance_under_the_caption_of_a_view_is_part_of_it_and_apart_from_one_a_note() -> None:
    form = Form()
    form.lines(60, 150, ["DRILL PATTERN", "GENERAL TOLERANCE ±.004 [.1]"], 2.5)
    form.lines(200, 150, ["DRILL PATTERN OF THE LID", "SEEN FROM ABOVE THE LID", "TOLERANCE: ±0.2"], 2.5)
    form.text(60, 60, "GENERAL TOLERANCE ±0.3", 2.5)
    assert _read(form) == ["GENERAL TOLERANCE ±0.3"]


@pytest.mark.requirement("notes.none")
def test_the_head_of_a_tolerance_box_begins_no_note() -> None:
    form = Form()
    for left in (250, 330):
        form.box((left, 20, left + 80, 50))
    form.lines(252, 42, ["IF NOT OTHERWISE STATED,", "ALL DIMENSION TOLERANCES ARE ±0.1", "ALL ANGLES ±1"], 2.0)
    assert _read(form) == []


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    ("angle", "is_filled_in"), [("ANGULAR: MACH BEND", False), ("ANGULAR: 1 DEG MACH 2 DEG BEND", True)]
)
def test_a_box_of_tolerances_that_nobody_filled_in_is_no_note(angle: str, is_filled_in: bool) -> None:
    """ASME Y14.1 forms of programs: the labels are printed, the deviations are the drafter's."""
    form = Form()
    said = ["DIMENSIONS ARE IN INCHES", "TOLERANCES:", "FRACTIONAL", angle, "TWO PLACE DECIMAL", "THREE PLACE DECIMAL"]
    form.lines(60, 150, said, 2.5)
    assert bool(_read(form)) == is_filled_in


@pytest.mark.requirement("notes.notices")
@pytest.mark.parametrize(
    "text",
    [
        "Copyright (C) 2031 Example Works",
        "These drawings are the property of Example Works and shall stay so.",
        "Lent in confidence and not to be copied or published by anybody.",
        "Lever is free software; see <https://example.org/licence> for its terms.",
    ],
)
def test_notices_and_licences_are_notes(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert [(note.text, note.model_dump().get("kind")) for note in _notes(form)] == [(text, "notice")]


@pytest.mark.requirement("notes.notices")
def test_a_text_that_says_in_its_course_that_it_is_a_notice_is_one_in_a_ruled_cell_too() -> None:
    lines = [
        "This sheet and what is drawn on it come from our own work and are given to",
        "the reader for the order named above and for nothing else. The reader keeps",
        "it and shows it to nobody. It is not to be copied and goes back to us when",
        "the order has ended.",
    ]
    form = Form()
    form.box((55, 130, 130, 160))
    form.box((130, 130, 250, 160))
    form.lines(135, 150, lines, 2.5)
    assert [(note.text, note.model_dump().get("kind")) for note in _notes(form)] == [(" ".join(lines), "notice")]


@pytest.mark.requirement("notes.marks")
def test_a_shape_or_a_bullet_before_the_number_of_a_note_is_part_of_its_mark() -> None:
    texts = ["Weld the frame on both sides", "Grind the seams flat", "Paint the frame grey"]
    for sign in ("★", "◆ ", "• "):
        form = Form()
        form.lines(60, 150, [f"{sign}{number}. {text}" for number, text in enumerate(texts, 1)], 2.5)
        assert [(note.number, note.text) for note in _notes(form)] == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.numbered")
def test_numbers_with_a_point_and_numbers_in_flags_count_on_in_one_list() -> None:
    texts = ["CLEAN THE BEAM", "GLUE THE FOIL TO THE BEAM", "CURE THE GLUE FOR A DAY", "SOLDER BOTH WIRES"]
    form = Form()
    for row, text in enumerate(texts):
        if row % 2:
            form.text(60, 150 - row * 7, f"{row + 1}. {text}", 2.5)
        else:
            form.text(60, 150 - row * 7, str(row + 1), 2.5)
            form.text(67, 150 - row * 7, text, 2.5)
    assert [(note.number, note.text) for note in _notes(form)] == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.headings")
def test_a_heading_whose_colon_could_not_be_read_is_one() -> None:
    form = Form()
    form.lines(60, 150, ["NOTES\ufffd UNLESS OTHERWISE STATED", "1. WELD THE FRAME", "2. GRIND THE SEAMS"], 2.5)
    assert _read(form) == ["WELD THE FRAME", "GRIND THE SEAMS"]


@pytest.mark.requirement("notes.footnotes")
def test_an_asterisk_over_a_list_begins_a_footnote_and_no_heading() -> None:
    form = Form()
    form.text(60, 150, "*Maße nur zur Information", 2.5)
    form.text(60, 145, "1. Schweißnähte rundum dicht", 2.5)
    form.text(60, 140, "2. Rahmen grau lackieren und trocknen", 2.5)
    assert sorted(_read(form)) == [
        "*Maße nur zur Information",
        "Rahmen grau lackieren und trocknen",
        "Schweißnähte rundum dicht",
    ]


@pytest.mark.requirement("notes.columns")
def test_what_one_sheet_says_twice_is_listed_twice_and_what_another_repeats_is_not() -> None:
    lines = ["1. Keep the bores square to the face", "2. Leave no chips in the bores"]
    sheets = [Form(1), Form(2)]
    for sheet in sheets:
        sheet.lines(60, 150, lines, 2.5)
    sheets[0].lines(200, 90, lines, 2.5)
    texts = [line[3:] for line in lines]
    assert _read(sheets[0]) == [*texts, *texts]
    assert _read(*sheets) == [*texts, *texts]
