"""Notes that structure tells whatever the language: lists without a known heading, sentences, statements."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.callouts.context import context_of
from spatial.understanding.sheet.notes.called_notes import called_cells, called_labels
from tests.spatial.forms import Form, notes_of


def _read(form: Form) -> list[tuple[int, str]]:
    found = notes_of(form)
    return [(note.number, note.text) for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.unnumbered")
def test_lines_of_a_script_without_blanks_are_notes_of_their_own_where_they_are_short() -> None:
    form = Form()
    lines = ["未注圆角R2", "去毛刺，锐边倒钝", "未注公差按GB/T1804-m"]
    form.lines(30, 120, lines)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.unnumbered")
def test_lines_that_all_begin_as_texts_do_are_notes_of_their_own() -> None:
    form = Form()
    lines = ["Ostre krawędzie stępić", "Wymiary nietolerowane wg ISO 2768-m", "Niewymiarowane promienie mają R2"]
    form.lines(30, 120, lines)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    "lines",
    [
        ["Ezek a furatok mindkét oldalon megvannak és", "egyforma átmérővel készülnek"],
        ["Drill with a new M5 tap and check", "each thread with the gauge"],
    ],
)
def test_a_sentence_in_open_space_is_a_note_and_its_lettering_may_hold_a_callout(lines: list[str]) -> None:
    form = Form()
    form.lines(30, 120, lines, 2.5)
    found = notes_of(form)
    assert found is not None and [note.text for note in found.notes.items] == [" ".join(lines)]
    assert not found.claimed
    assert not list(
        called_labels(found.notes, [form.sheet()], context_of([], texts=[], number=lambda: "1"), found.claimed)
    )


@pytest.mark.requirement("callouts.notes")
def test_a_cell_of_the_title_block_that_is_a_surface_texture_is_a_callout() -> None:
    form = Form()
    for place, text in enumerate(("Ra=6.3", "Rz 25", "Rev 3", "R5", "Ra 3.2 on all faces that are not marked")):
        form.lines(30, 120 - 10 * place, [text], 2.5)
    sheet, context = form.sheet(), context_of([], texts=[], number=lambda: "1")
    cells = [text.id for text in sheet.texts]
    assert [label.text for label in called_cells([sheet], context, cells)] == ["Ra=6.3", "Rz 25"]
    assert not list(called_cells([sheet], context, []))


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    "text",
    [
        "SECTION A-A OF THE HOUSING",
        "54,00 mm 150,00 mm 150,00 mm 150,00 mm 150,00 mm 150,00 mm 150,00 mm 54,00 mm",
        "4x M5 thread for the screws of the cover plate on both sides",
        "KOMPAS-3D v18.1 Учебная версия © 2019 ООО АСКОН Системы проектирования Россия",
        "Side panel (thickness = 1 mm)",
        "JTAG_TDO JTAG_TCK JTAG_TMS JTAG_TDI QSPI_SD0 QSPI_SD1",
        "PAP2010PAP209 PAP3010PAP309 PAP208PAP207 PAP308PAP307",
        "ISOMETRIC VIEW OF THE ASSEMBLED LOWER HOUSING WITH COVER SCALE 1:5",
        "Department of Mechanical Engineering University of Somewhere Long Street Town Country",
    ],
)
def test_names_of_views_rows_of_sizes_callouts_and_programs_are_no_sentences(text: str) -> None:
    form = Form()
    form.text(30, 120, text)
    assert _read(form) == []


@pytest.mark.requirement("notes.local")
def test_words_that_stand_at_several_parts_are_their_names() -> None:
    form = Form()
    form.text(30, 120, "Total of ten self clinching nuts by the maker as in the model")
    form.text(30, 60, "6 self clinching nuts by the maker as in the model")
    assert _read(form) == []


@pytest.mark.requirement("notes.local")
def test_a_box_around_a_sentence_alone_is_open_space() -> None:
    form = Form()
    form.box((20, 100, 200, 140))
    form.lines(30, 130, ["Ezek a furatok mindkét oldalon megvannak és", "egyforma átmérővel készülnek"])
    assert len(_read(form)) == 1


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ("DEBURR AND", "BREAK SHARP", "EDGES"),
        ("ENTGRATEN", "UND SCHARFE", "KANTEN BRECHEN"),
        ("REBARBAR Y", "ROMPER ARISTAS", "VIVAS"),
    ],
)
def test_a_sentence_that_a_form_sets_into_a_narrow_column_is_no_note(lines: tuple[str, ...]) -> None:
    form = Form()
    form.lines(30, 120, lines, 2.0)
    assert _read(form) == []
    wide = Form()
    wide.text(30, 120, " ".join(lines), 2.0)
    assert _read(wide) == [(1, " ".join(lines))]


@pytest.mark.requirement("notes.unnumbered")
def test_a_wrapped_line_of_a_list_at_equal_steps_belongs_to_its_note() -> None:
    form = Form()
    lines = [
        "Suprafețele nefuncționale se vor vopsi",
        "Rodajul se face conform instrucțiunilor din memoriul de prezentare",
        "Se vor marca puterea și turația de intrare",
        "și raportul de transmitere al reductorului",
        "Perioada de rodaj este de zece ore",
    ]
    for place, line in enumerate(lines):
        form.text(30, 120 - 9 * place, line, 2.5)
    assert [text for _, text in _read(form)] == [*lines[:2], f"{lines[2]} {lines[3]}", lines[4]]


@pytest.mark.requirement("notes.none")
def test_an_abbreviated_name_is_no_sentence() -> None:
    form = Form()
    form.text(30, 120, "UNIVERSIDAD NACIONAL DE COLOMBIA -FAC. ING.")
    assert _read(form) == []


@pytest.mark.requirement("notes.unnumbered")
def test_the_paragraphs_of_a_notice_in_one_cell_are_one_note() -> None:
    form = Form()
    form.row(200, 20, 30, [(150, ""), (40, "")])
    form.text(205, 40, "THIS DRAWING IS THE SOLE PROPERTY OF EXAMPLE ROBOTICS INC.", 2.0)
    form.text(205, 33, "PROHIBITED TO REPRODUCE IN PART OR AS A WHOLE WITHOUT PERMISSION.", 2.0)
    assert len(_read(form)) == 1


@pytest.mark.requirement("notes.bullets")
@pytest.mark.parametrize("sign", ["-> ", "=> ", "\u00bb ", "\uf0b7 ", "\u27a2 "])
def test_arrows_and_signs_of_symbol_fonts_set_off_notes(sign: str) -> None:
    form = Form()
    lines = ["Weld all the seams", "Paint the outer faces grey", "Pack in a wooden box"]
    form.lines(30, 120, [f"{sign}{line}" for line in lines], 2.5)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.bullets")
def test_short_bullets_of_a_list_are_notes_too() -> None:
    form = Form()
    lines = [
        "Print the part with supports",
        "Process: FDM",
        "Walls: 3",
        "Remove the supports by hand",
        "Deburr all edges",
    ]
    form.lines(30, 120, [f"\u2022 {line}" for line in lines], 2.5)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.bullets")
def test_values_under_one_another_belong_to_their_bullet_and_a_bullet_beside_another_column_begins_a_text() -> None:
    form = Form()
    form.text(30, 115.5, "The connector is made for thin wires of", 3)
    form.text(30, 111, "any kind and keeps its hold for long.", 3)
    form.text(100, 124, "\u2022 Contact resistance: 20 mOhm at the beginning", 2.5)
    form.text(132, 120, "30 mOhm after the test", 2.5)
    form.text(100, 115.5, "\u2022 Rated for the use in cars", 2.5)
    assert [text for _, text in _read(form)] == [
        "Contact resistance: 20 mOhm at the beginning 30 mOhm after the test",
        "Rated for the use in cars",
        "The connector is made for thin wires of any kind and keeps its hold for long.",
    ]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ["1.0 mm", "2.0 mm", "3.0 mm"],
        ["1- Ra 3.2", "2- Ra 6.3"],
        ["2-M3 x 6", "3-M4 x 8", "4-M5 x 8"],
        ["1=A", "2=B", "3=C"],
    ],
)
def test_sizes_and_codes_that_count_up_are_no_notes(lines: list[str]) -> None:
    form = Form()
    form.lines(30, 120, lines, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.unnumbered")
def test_lines_of_capitals_that_begin_with_one_word_are_notes_of_their_own() -> None:
    form = Form()
    lines = [
        "BOARD MUST BE 65x56mm AS PER THIS DRAWING",
        "BOARD MUST HAVE 4 MOUNTING HOLES IN CORNERS",
        "BOARD HOLES MUST FOLLOW THE STANDARD",
        "BOARD MUST HAVE A FULL CONNECTOR",
    ]
    form.lines(30, 120, lines)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.unnumbered")
def test_a_larger_step_between_full_lines_of_capitals_begins_a_note() -> None:
    form = Form()
    lines = [
        "CLEAN ALL PARTS WITH SOLVENT BEFORE ASSEMBLY",
        "AND DRY THEM ALL WITH CLEAN AIR OR WITH CLOTH",
        "THE HOUSING MUST BE FILLED WITH GREASE FULLY",
        "AND CLOSED AT ONCE WITH THE COVER AND SCREWS",
        "TEST RUNS SHALL BE MADE AT 1500 RPM",
    ]
    for level, line in zip((120.0, 115.4, 109.0, 104.4, 98.0), lines, strict=True):
        form.text(30, level, line, 2.5)
    assert [text for _, text in _read(form)] == [" ".join(lines[:2]), " ".join(lines[2:4]), lines[4]]


@pytest.mark.requirement("notes.local")
def test_a_web_address_among_capitals_makes_them_no_names() -> None:
    form = Form()
    form.lines(
        30,
        120,
        [
            "FOR THE FULL SPECIFICATION WITH ELECTRICAL REQUIREMENTS",
            "PLEASE SEE THE PAGES AT https://example.org/boards",
        ],
    )
    assert len(_read(form)) == 1


@pytest.mark.requirement("notes.running")
def test_a_line_of_a_list_goes_on_behind_a_hyphen_or_a_word_that_nothing_ends_with() -> None:
    lines = [
        "The red lamps are made of Al-",
        "GaInP on a substrate of arsenide",
        "The green lamps are made of gallium on",
        "A substrate of the same arsenide",
    ]
    form = Form()
    form.lines(30, 120, lines, step=2.4)
    assert [text for _, text in _read(form)] == [" ".join(lines[:2]), " ".join(lines[2:])]


@pytest.mark.requirement("notes.exponents")
@pytest.mark.parametrize(
    ("text", "raised", "read"),
    [
        ("Keep the pressure below 0,5×10", "-3", "Keep the pressure below 0,5×10⁻³"),
        ("The flow is at most 10", "-7", "The flow is at most 10⁻⁷"),
        ("Coat an area of 12 mm", "2", "Coat an area of 12 mm²"),
        ("Bake the coating at 10", "2", "Bake the coating at 10"),
        ("Paint the part black", "2", "Paint the part black"),
    ],
)
def test_an_exponent_that_stands_raised_behind_a_text_is_part_of_it(text: str, raised: str, read: str) -> None:
    form = Form()
    form.lines(30, 120, ["NOTES:", f"1. {text}", "2. Stamp the number of the part"])
    end = 30 + 0.7 * 3.0 * len(f"1. {text}")
    form.text(end + 0.5, 120 - 3.0 * 1.6 + 2.0, raised, 1.8)
    assert (1, read) in _read(form)


@pytest.mark.requirement("notes.none")
def test_a_size_on_the_baseline_of_a_note_is_no_number_of_it() -> None:
    form = Form()
    form.text(30, 60, "42.86", 2.83)
    form.text(45, 60, "All holes must be isolated from the ground plane", 4.0)
    assert _read(form) == [(1, "All holes must be isolated from the ground plane")]


@pytest.mark.requirement("notes.parallel")
def test_lines_of_capitals_are_notes_of_their_own_where_full_ones_begin_alike() -> None:
    form = Form()
    lines = [
        "ROUND ALL SHARP CORNERS - EXCEPT AT GROOVES",
        "ASSUME AXIAL SYMMETRY",
        "TOLERANCE +/- .002 FOR 4 DECIMAL PLACE SIZES",
        "TOLERANCE +/- .01 FOR 3 DECIMAL PLACE SIZES",
    ]
    form.lines(30, 120, lines)
    assert [text for _, text in _read(form)] == lines


@pytest.mark.requirement("notes.columns")
def test_two_statements_far_apart_on_one_line_are_no_one_note() -> None:
    form = Form()
    form.text(30, 60, "General tolerance ±0,1 mm")
    form.text(30 + 25 * 0.7 * 2.5 + 16, 60, "without burr")
    assert (1, "General tolerance ±0,1 mm") in _read(form)


def _positions(numbers: str) -> Form:
    form = Form()
    form.lines(30, 120, ["1 - Gate valve", "2 - Scroll pump", "3 - Scroll pump (booster)"])
    for place, number in enumerate(numbers):
        form.text(200 + 30 * place, 200 - 30 * place, number, 4.0)
    return form


@pytest.mark.requirement("notes.none")
def test_a_list_of_what_the_positions_of_the_views_are_is_no_note() -> None:
    assert _read(_positions("123")) == []
    assert len(_read(_positions("12"))) == 3
