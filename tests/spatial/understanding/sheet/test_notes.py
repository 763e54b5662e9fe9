"""General notes: numbered, lettered, under headings, in columns, and what only looks like notes."""

from __future__ import annotations

import pytest

from spatial.contract.drawing import Note, Notes, TitleBlock
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from spatial.understanding.sheet.notes.general_statements import general_statements
from spatial.understanding.sheet.title_block import find_title_block as title_block
from tests.spatial.forms import Form


def _notes(*forms: Form) -> Notes | None:
    sheets = [form.sheet() for form in forms]
    found = find_notes(sheets, {sheet.page: find_grids(sheet) for sheet in sheets}, frozenset())
    return found.notes if found else None


def _read(*forms: Form) -> list[tuple[int, str]]:
    found = _notes(*forms)
    return [(note.number, note.text) for note in found.items] if found else []


_WAYS = {
    "ideographic comma": "{}\u3001{}",
    "point": "{}. {}",
    "bracket": "{}) {}",
    "brackets": "({}) {}",
    "dash": "{} - {}",
    "word": "NOTE {}: {}",
}


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize("way", _WAYS.values(), ids=_WAYS)
@pytest.mark.parametrize(
    "heading", ["NOTES:", "NOTES: UNLESS OTHERWISE SPECIFIED", "HINWEISE", "Технические требования", ""]
)
def test_numbered_notes_are_read_with_their_further_lines(way: str, heading: str) -> None:
    form = Form()
    lines = [
        way.format(1, "ALL DIMENSIONS ARE IN MM."),
        way.format(2, "BREAK ALL SHARP EDGES AND REMOVE"),
        "   BURRS BEFORE PLATING.",
        way.format(3, "MARK PART NUMBER HERE."),
    ]
    form.lines(30, 100, [heading, *lines] if heading else lines)
    assert _read(form) == [
        (1, "ALL DIMENSIONS ARE IN MM."),
        (2, "BREAK ALL SHARP EDGES AND REMOVE BURRS BEFORE PLATING."),
        (3, "MARK PART NUMBER HERE."),
    ]


@pytest.mark.requirement("notes.numbered")
def test_circled_numbers_count() -> None:
    form = Form()
    form.lines(30, 100, ["①ALL DIMENSIONS ARE IN MM.", "② BREAK ALL SHARP EDGES."])
    assert _read(form) == [(1, "ALL DIMENSIONS ARE IN MM."), (2, "BREAK ALL SHARP EDGES.")]


@pytest.mark.requirement("notes.series")
def test_letters_before_numbers_are_series_of_their_own_whatever_the_headings_between_them() -> None:
    lines = ["MATIERE", "V1. ACIER", "V2. EPAISSEUR 3", "", "ZORG", "K1. GEEN BRAMEN EN", "GEEN KRASSEN", "K2. SCHOON"]
    form = Form()
    form.lines(30, 150, lines)
    found = _notes(form)
    assert found is not None
    assert sorted(((note.model_extra or {}).get("item"), note.number, note.text) for note in found.items) == [
        ("K1", 1, "GEEN BRAMEN EN GEEN KRASSEN"),
        ("K2", 2, "SCHOON"),
        ("V1", 1, "ACIER"),
        ("V2", 2, "EPAISSEUR 3"),
    ]


@pytest.mark.requirement("notes.series")
def test_a_thread_or_a_radius_before_words_begins_no_series() -> None:
    form = Form()
    form.lines(30, 100, ["M3. INSERT FROM BELOW", "R5. ALL ROUND"])
    assert _read(form) == []


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize("point", [".", ""])
def test_number_and_text_may_be_separate_and_in_any_order(point: str) -> None:
    form = Form()
    for row, text in enumerate(
        ["Deburr and break sharp edges.", "General tolerance ISO 2768 medium.", "All dimensions are in mm."]
    ):
        form.text(40, 100 - row * 5, text, 3)
        form.text(32, 100 - row * 5, f"{row + 1}{point}", 3)
    assert [number for number, _ in _read(form)] == [1, 2, 3]


@pytest.mark.requirement("notes.items")
def test_lettered_items_are_notes_of_their_own() -> None:
    form = Form()
    form.lines(
        30,
        100,
        [
            "NOTES:",
            "1. CLEAN BEFORE ASSEMBLY.",
            "2.",
            "a. TORQUE TO 5 NM IN TWO",
            "STEPS CROSSWISE.",
            "b. SEAL WITH LACQUER.",
        ],
    )
    found = _notes(form)
    assert found is not None
    assert [(note.number, note.model_dump().get("item"), note.text) for note in found.items] == [
        (1, None, "CLEAN BEFORE ASSEMBLY."),
        (2, None, ""),
        (2, "2a", "TORQUE TO 5 NM IN TWO STEPS CROSSWISE."),
        (2, "2b", "SEAL WITH LACQUER."),
    ]
    assert all(note.sources for note in found.items)


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize(
    "ranges",
    [
        ["0 - 8 mm = ±0.15", "8 - 40 mm = ±0.25", "40 - 160 mm = ±0.4"],
        ["1 - 2 in: ±.010", "2 - 3 in: ±.015", "3 - 4 in: ±.020"],
        ['0 - 2" ±.010', '2 - 9" ±.015', "OVER ±.020"],
        ["0～8: ±0.15", "8～40: ±0.25", "40～160: ±0.4"],
        [">3–8: ±0.15", ">8–40: ±0.25", ">40–160: ±0.4"],
        ["1 to 2: ±0.15", "2 to 3: ±0.25", "3 to 4: ±0.4"],
        ["3 bis 8 mm ±0,15", "8 bis 40 mm ±0,25", "40 bis 160 mm ±0,4"],
        ["8: ±0.15", "40: ±0.25", "160: ±0.4"],
    ],
    ids=["mm", "inches", "inch signs", "wave dash", "over", "to", "bis", "bound alone"],
)
def test_sizes_that_begin_the_lines_of_a_note_are_words_of_it_and_no_marks(ranges: list[str]) -> None:
    form = Form()
    rows = [
        (0, "NOTES:"),
        (0, "1. SIZES WITHOUT A TOLERANCE:"),
        *((6, each) for each in ranges),
        (0, "2. WASH IN CLEAN WATER."),
    ]
    for row, (indent, text) in enumerate(rows):
        form.text(30 + indent, 100 - 5 * row, text, 3)
    assert _read(form) == [
        (1, " ".join(["SIZES WITHOUT A TOLERANCE:", *ranges])),
        (2, "WASH IN CLEAN WATER."),
    ]


@pytest.mark.requirement("notes.numbered")
def test_a_number_of_pieces_behind_a_dash_leaves_the_number_before_it_a_mark() -> None:
    form = Form()
    form.lines(
        30, 100, ["NOTES:", "1 - 4 PIECES PER CARTON.", "2 - 12 CARTONS PER PALLET.", "3 - 2:1 VIEWS ARE NOT SHOWN."]
    )
    assert _read(form) == [
        (1, "4 PIECES PER CARTON."),
        (2, "12 CARTONS PER PALLET."),
        (3, "2:1 VIEWS ARE NOT SHOWN."),
    ]


@pytest.mark.requirement("notes.numbered")
def test_a_number_that_counts_in_no_list_stays_with_the_words_of_its_note() -> None:
    form = Form()
    rows = [
        (0, "NOTES:"),
        (0, "1. TORQUES ARE GIVEN FOR DRY THREADS AND CLASS"),
        (6, "8) IF NO OTHER IS STATED."),
        (0, "2. WASH IN CLEAN WATER."),
    ]
    for row, (indent, text) in enumerate(rows):
        form.text(30 + indent, 100 - 5 * row, text, 3)
    assert _read(form) == [
        (1, "TORQUES ARE GIVEN FOR DRY THREADS AND CLASS 8) IF NO OTHER IS STATED."),
        (2, "WASH IN CLEAN WATER."),
    ]


@pytest.mark.requirement("notes.items")
def test_parts_under_the_number_of_their_note_are_its_items_and_other_decimals_are_none() -> None:
    form = Form()
    rows = ["1. MATERIAL SPECIFICATION:", "1.1.HOUSING: PLASTIC", "1.2.CONTACTS: COPPER ALLOY", "2. PLATING:", "2.1 TERMINAL: NICKEL",
            "3. THE GAP IS AT LEAST", "1.5 MILLIMETRES WIDE"]  # fmt: skip
    for row, text in enumerate(rows):
        form.text(30, 100 - 5 * row, text, 3)
    found = _notes(form)
    assert found is not None
    assert [(note.number, (note.model_extra or {}).get("item"), note.text) for note in found.items] == [
        (1, None, "MATERIAL SPECIFICATION:"), (1, "1.1", "HOUSING: PLASTIC"), (1, "1.2", "CONTACTS: COPPER ALLOY"), (2, None, "PLATING:"),
        (2, "2.1", "TERMINAL: NICKEL"), (3, None, "THE GAP IS AT LEAST 1.5 MILLIMETRES WIDE"),
    ]  # fmt: skip


@pytest.mark.requirement("notes.unnumbered")
def test_bullets_under_a_heading_and_sentences_about_the_whole_part_are_notes() -> None:
    form = Form()
    form.lines(30, 100, ["REMARQUES :", "- Toutes les cotes en mm", "- Casser les angles vifs"])
    form.text(200, 150, "ALL UNITS IN MM", 3)
    assert [text for _, text in _read(form)] == ["Toutes les cotes en mm", "Casser les angles vifs", "ALL UNITS IN MM"]


@pytest.mark.requirement("notes.unnumbered")
def test_lines_under_a_heading_are_joined_where_they_go_on() -> None:
    form = Form()
    form.lines(30, 100, ["NOTE:", "THE COVER IS CLOSED WITH", "TWO SCREWS"])
    form.lines(30, 200, ["GENERAL NOTES", "CLOSE THE COVER WITH SCREWS AND", "WASHERS", "SEAL THE EDGE"])
    assert [text for _, text in _read(form)] == [
        "CLOSE THE COVER WITH SCREWS AND WASHERS",
        "SEAL THE EDGE",
        "THE COVER IS CLOSED WITH TWO SCREWS",
    ]


@pytest.mark.requirement("notes.columns")
def test_a_second_column_goes_on_counting_and_repeated_notes_are_listed_once() -> None:
    forms = Form(1), Form(2)
    for form in forms:
        form.lines(30, 100, ["NOTES:", "1. ALL HOLES DEBURRED.", "2. PAINT BLACK ALL OVER."])
        form.lines(130, 95, ["3. MARK WITH THE DATE.", "4. PACK IN OILED PAPER."])
    assert [number for number, _ in _read(*forms)] == [1, 2, 3, 4]


@pytest.mark.requirement("notes.none")
def test_balloons_callouts_and_prose_are_no_notes() -> None:
    form = Form()
    for row in range(4):
        form.text(50, 200 - row * 20, str(row + 1), 5)
    form.text(200, 200, "4X Ø6.6 THRU", 3)
    form.text(200, 180, "THE RIVET CAN NOT TOUCH THE PLANE", 3)
    book = Form(2)
    book.lines(
        30,
        280,
        [
            "1. Introduction to drawing.",
            *["All dimensions that this book shows are in millimetres, as they should always be."] * 40,
        ],
        3,
    )
    assert _read(form, book) == []


@pytest.mark.requirement("notes.general")
def test_general_tolerance_finish_and_units_of_notes_are_told_apart() -> None:
    said = general_statements(
        Notes(
            items=[
                Note(number=1, text="General tolerance DIN ISO 2768 - medium.", sources=["annotation-1"]),
                Note(number=2, text="Coating: enamel powder white", sources=["annotation-2"]),
                Note(number=3, text="All dimensions are in mm.", sources=["annotation-3"]),
            ],
            confidence=0.9,
        )
    )
    assert {key: each["text"] for key, each in said.items()} == {
        "tolerances": "General tolerance DIN ISO 2768 - medium",
        "finish": "enamel powder white",
        "units": "mm",
    }
    assert said["finish"]["sources"] == ["annotation-2"]
    assert general_statements(None) == {}
    block = TitleBlock(fields={"units": "mm"}, confidence=0.9, sources={"units": ["annotation-9"]})
    further = title_block.with_notes(block, said).model_dump()["from_notes"]
    assert set(further) == {"tolerances", "finish"}
    assert further["finish"]["evidence"] == "note"
    assert block.fields == {"units": "mm"}


@pytest.mark.requirement("notes.unnumbered")
def test_a_property_notice_in_open_space_is_one_note_and_advertisements_are_none() -> None:
    form = Form()
    notice = [
        "THIS DRAWING IS THE SOLE PROPERTY OF NOBODY.",
        "ANY REPRODUCTION WITHOUT THEIR CONSENT",
        "IS PROHIBITED.",
    ]
    form.lines(300, 60, notice, 2)
    form.lines(30, 20, ["Made with the educational version of a program that asks everybody to buy it."], 2)
    form.text(12, 20, 'ЧЕРТЁЖ-3D Учебная версия © 2019 ООО "Некто". Все права защищены.', 2, angle=90)
    assert _read(form) == [(1, " ".join(notice))]


@pytest.mark.requirement("notes.unnumbered")
def test_lines_that_begin_with_the_same_words_are_notes_of_their_own() -> None:
    form = Form()
    form.lines(30, 60, ["Nicht bemaßte Fasen 1 x 45° gebrochen", "Nicht bemaßte Radien R1"], 2.5, 1.6)
    assert [text for _, text in _read(form)] == ["Nicht bemaßte Fasen 1 x 45° gebrochen", "Nicht bemaßte Radien R1"]


@pytest.mark.requirement("notes.unnumbered")
def test_short_lines_of_one_list_are_notes_of_their_own() -> None:
    form = Form()
    lines = [
        "1 SET - 1 PIECE ONLY",
        "SURFACES: BLACK ANODIZE, MIN. LAYER THICKNESS 20 µm",
        "ALL DIMENSIONS AFTER ANODIZING",
    ]
    form.lines(300, 60, lines, 2.5)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.unnumbered")
def test_one_line_that_states_a_value_and_sentences_line_by_line_are_notes() -> None:
    form = Form()
    form.text(60, 120, "Redondeos ocultos R = 3 mm", 2.5)
    form.text(60, 160, "Vezetek rogzitese az agyhoz", 2.5)
    sentences = ["Turn the plate before the second pass.", "Keep the other plate in its first place."]
    form.lines(250, 200, [*sentences], 2.5)
    texts = [text for _, text in _read(form)]
    assert texts == [*sentences, "Redondeos ocultos R = 3 mm"]


@pytest.mark.requirement("notes.unnumbered")
def test_lines_at_equal_steps_are_a_list_of_notes_in_any_language() -> None:
    lines = [
        "Tolleranze generali secondo norma",
        "Smussi non quotati: 2x45",
        "Accoppiamento con gioco E8/h7",
        "Rugosità generale fine",
    ]
    form = Form()
    for place, line in enumerate(lines):
        form.text(300, 120 - 9 * place, line, 2.5)
    assert [text for _, text in _read(form)] == lines
    legend = Form()
    for place, line in enumerate(["Vite M6", "Dado", "Rosetta 6,4", "Perno"]):
        legend.text(300, 120 - 9 * place, line, 2.5)
    assert _read(legend) == []
    apart = Form()
    for place, line in enumerate(lines):
        apart.text(300 + 7 * (place % 2), 120 - 9 * place - 3 * (place % 3), line, 2.5)
    assert lines[3] not in [text for _, text in _read(apart)]


@pytest.mark.requirement("notes.turned")
def test_a_notice_that_runs_up_the_margin_is_a_note_and_other_lettering_there_is_none() -> None:
    form = Form()
    form.lines(60, 80, ["1) Deburr all edges well.", "2) Paint it.", "This line is here to be read as most are."], 2.5)
    notices = {
        20: ["Denna handling får inte kopieras eller utnyttjas", "utan skriftligt tillstånd."],
        120: ["This document must not be copied without", "written permission."],
    }
    for bottom, lines in notices.items():
        for row, line in enumerate(lines):
            form.text(5 + 3 * row, bottom, line, 2, angle=90)
    form.text(60, 120, "Lever that is lifted", 2, angle=90)
    found = _notes(form)
    assert found is not None
    turned = {note.text for note in found.items if (note.model_extra or {}).get("kind") == "notice"}
    assert turned == {" ".join(lines) for lines in notices.values()}
    assert not any("Lever" in note.text for note in found.items)


@pytest.mark.requirement("notes.unnumbered")
def test_the_comments_of_a_title_block_are_a_note() -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG NO", "L-1001")
    form.cell((350, 10, 410, 25), "TITLE", "Lever")
    form.cell((300, 25, 350, 55), "MATERIAL", "C45")
    form.box((350, 25, 410, 55))
    form.lines(351, 52, ["COMMENTS:", "Two configurations are", "possible, cast or", "welded."], 2)
    sheet = form.sheet()
    cells = {1: find_grids(sheet)}
    block = title_block.find_title_block([sheet], cells, frozenset())
    found = find_notes([sheet], cells, block.claimed) if block else None
    assert found is not None
    assert [note.text for note in found.notes.items] == ["Two configurations are possible, cast or welded."]


@pytest.mark.requirement("notes.unnumbered")
@pytest.mark.requirement("notes.columns")
def test_paragraphs_with_empty_lines_between_stay_in_order_and_are_listed_once_however_spaced() -> None:
    first, second = Form(1), Form(2)
    said = ["A mirror of each jig is made.", "Holes have a diameter of 3 mm.", "All chamfers are 1mm x 45 deg."]
    for form, last in ((first, said[2]), (second, "All chamfers are 1 mm x 45 deg.")):
        form.text(60, 80, "Notes", 2.5)
        form.lines(60, 75.6, [*said[:2], last], 2.5, step=3.5)
    assert [text for _, text in _read(first, second)] == said


@pytest.mark.requirement("notes.numbered")
def test_numbers_in_flags_count_on_from_those_with_a_point() -> None:
    form = Form()
    for row, (mark, text) in enumerate(
        [
            ("1.", "THE BODY SHOWS THE SPACE THAT IS FREE"),
            ("2", "GRID OF 80 X 80 ON THE FRONT"),
            ("3", "WINDOWS FOR LIGHT"),
        ]
    ):
        form.text(30, 100 - row * 6, mark, 3)
        form.text(40, 100 - row * 6, text, 3)
    assert _read(form) == [
        (1, "THE BODY SHOWS THE SPACE THAT IS FREE"), (2, "GRID OF 80 X 80 ON THE FRONT"), (3, "WINDOWS FOR LIGHT"),
    ]  # fmt: skip


@pytest.mark.requirement("notes.unnumbered")
def test_a_subject_with_a_colon_begins_a_note() -> None:
    form = Form()
    form.lines(30, 100, ["CHAMFER ALL EDGES 0.25 MM UNLESS NOTED", "SURFACE: BLACK ANODIZE, MIN. LAYER 20 MICRONS"], 3)
    assert [text for _, text in _read(form)] == [
        "CHAMFER ALL EDGES 0.25 MM UNLESS NOTED", "SURFACE: BLACK ANODIZE, MIN. LAYER 20 MICRONS",
    ]  # fmt: skip


@pytest.mark.requirement("notes.unnumbered")
@pytest.mark.parametrize("company", ["<INSERT COMPANY NAME HERE>", "[COMPANY NAME]", "{company name}"])
def test_a_notice_that_nobody_filled_in_is_no_note_and_others_say_that_they_are_one(company: str) -> None:
    blank, filled = Form(), Form()
    for form, name in ((blank, company), (filled, "NOBODY LTD.")):
        form.lines(300, 60, ["THE INFORMATION IN THIS DRAWING", f"IS THE SOLE PROPERTY OF {name}"], 2)
    assert _notes(blank) is None
    found = _notes(filled)
    assert found is not None and [(note.model_extra or {}).get("kind") for note in found.items] == ["notice"]


@pytest.mark.requirement("notes.unnumbered")
def test_of_the_comments_of_a_title_block_only_sentences_are_notes() -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG NO", "L-1001")
    form.cell((350, 10, 410, 25), "TITLE", "Lever")
    form.box((350, 25, 410, 55))
    form.lines(351, 52, ["COMMENTS:", "DESIGNED BY NOBODY", "SOME UNIVERSITY"], 2)
    sheet = form.sheet()
    found = find_notes([sheet], {1: find_grids(sheet)}, frozenset())
    assert found is None


@pytest.mark.requirement("notes.bullets")
@pytest.mark.parametrize("sign", ["-", "–", "• ", "■ "])
def test_a_sign_that_repeats_sets_off_notes_and_the_line_with_a_colon_over_them_is_their_heading(sign: str) -> None:
    form = Form()
    notes = ["Semifabricat forjat conform normei", "Duritate dupa tratament", "Razele necotate vor fi 1 mm"]
    form.lines(200, 150, ["Conditii de executie :", *(f"{sign}{note}" for note in notes)], 3)
    assert [text for _, text in _read(form)] == notes


@pytest.mark.requirement("notes.bullets")
def test_one_dash_and_short_names_with_dashes_are_no_list() -> None:
    form = Form()
    form.lines(200, 150, ["-Left hand part", "Right hand part"], 3)
    form.lines(200, 100, ["-Bolt", "-Nut", "-Pin"], 3)
    assert _read(form) == []


@pytest.mark.requirement("notes.numbered")
def test_bare_numbers_that_count_up_before_words_are_marks_and_counts_are_none() -> None:
    form = Form()
    lines = ["Bemerkungen:", "1 Teil vor dem Verpacken reinigen", "2 Radien ohne Angabe nach", "CAD-Modell."]
    form.lines(30, 100, lines, 3)
    assert _read(form) == [(1, "Teil vor dem Verpacken reinigen"), (2, "Radien ohne Angabe nach CAD-Modell.")]
    counts = Form()
    counts.lines(30, 100, ["2 PLACES", "3 HOLES", "4 SLOTS"], 3)
    assert _read(counts) == []


@pytest.mark.requirement("notes.items")
def test_a_list_that_begins_again_within_a_note_is_its_items() -> None:
    form = Form()
    rows = [(30, "1. CENTRE THICKNESS AS SHOWN"), (30, "2. SURFACE PROFILE AS FOLLOWS"), (38, "1. RADIUS WITHIN 0.5 %"),
            (38, "2. NO VISIBLE SPOTS"), (30, "3. CLEAN BEFORE PACKING")]  # fmt: skip
    for row, (x, text) in enumerate(rows):
        form.text(x, 100 - 5 * row, text, 3)
    found = _notes(form)
    assert found is not None
    assert [(note.number, (note.model_extra or {}).get("item"), note.text) for note in found.items] == [
        (1, None, "CENTRE THICKNESS AS SHOWN"), (2, None, "SURFACE PROFILE AS FOLLOWS"), (2, "2.1", "RADIUS WITHIN 0.5 %"),
        (2, "2.2", "NO VISIBLE SPOTS"), (3, None, "CLEAN BEFORE PACKING"),
    ]  # fmt: skip


@pytest.mark.requirement("notes.unnumbered")
def test_full_lines_far_apart_are_one_note_however_wide_their_steps() -> None:
    form = Form()
    notice = [
        "THE INFORMATION CONTAINED IN THIS DRAWING IS THE SOLE PROPERTY OF",
        "NOBODY AND SONS, INC., ANY REPRODUCTION IN PART OR WHOLE WITHOUT",
        "THE WRITTEN PERMISSION OF NOBODY AND SONS, INC., IS PROHIBITED.",
    ]
    for row, line in enumerate(notice):
        form.text(30, 150 - 7.5 * row, line, 2.7)
    assert [text for _, text in _read(form)] == [" ".join(notice)]


@pytest.mark.requirement("notes.unnumbered")
def test_the_method_of_projection_that_a_form_states_is_no_note() -> None:
    form = Form()
    form.lines(30, 100, ["THIRD ANGLE PROJECTION", "ALL DIMENSIONS IN MM"], 3)
    assert [text for _, text in _read(form)] == ["ALL DIMENSIONS IN MM"]
