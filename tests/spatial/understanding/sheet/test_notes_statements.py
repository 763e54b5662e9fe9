"""Notes without a mark of their own: statements after their subjects, footnotes, boxed sentences, notes whose number is not read."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, note_texts


@pytest.mark.requirement("notes.statements")
@pytest.mark.parametrize(
    "lines",
    [
        ["Contact: tinned copper alloy", "Mating force: 5 to 20 N", "Durability: ten thousand cycles"],
        ["Érintkező: ónozott réz ötvözet", "Záró erő: 5 és 20 N között", "Élettartam: tízezer ciklus"],
    ],
)
def test_statements_after_their_subjects_are_notes(lines: list[str]) -> None:
    form = Form()
    form.lines(30, 120, lines, 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.statements")
def test_a_line_set_in_goes_on_with_its_statement_and_one_without_a_colon_is_its_own() -> None:
    form = Form()
    form.text(30, 120, "Contact resistance: 40 mOhm initial", 2.5)
    form.text(60, 116, "50 mOhm after the test", 2.5)
    form.text(30, 112, "Mating force: 5 to 20 N", 2.5)
    form.text(30, 108, "Insulation withstands 100 V", 2.5)
    form.text(30, 104, "Durability: ten thousand cycles", 2.5)
    assert note_texts(form) == [
        "Contact resistance: 40 mOhm initial 50 mOhm after the test",
        "Mating force: 5 to 20 N",
        "Insulation withstands 100 V",
        "Durability: ten thousand cycles",
    ]


@pytest.mark.requirement("notes.none")
def test_labels_of_a_block_and_two_statements_are_no_list() -> None:
    block = Form()
    block.lines(
        30, 120, ["Scale: one to two", "Drawn: Jane Doe Miller", "Checked: John Doe Miller", "Date: first of May"], 2.5
    )
    assert note_texts(block) == []
    pair = Form()
    pair.lines(30, 120, ["Red: camera", "Blue: car"], 2.5)
    assert note_texts(pair) == []


@pytest.mark.requirement("notes.statements")
def test_an_index_of_a_letter_belongs_to_its_word() -> None:
    lines = ["Voltage rating: 20 V at most", "Durability: ten thousand cycles"]
    form = Form()
    form.text(30, 120, "Current rating: collectively for V", 2.5)
    end = form.texts[-1].box[2]
    form.text(end + 0.1, 119.8, "BUS", 1.8)
    form.text(form.texts[-1].box[2] + 1.0, 120, "pins", 2.5)
    form.lines(30, 116, lines, 2.5)
    assert note_texts(form) == ["Current rating: collectively for VBUS pins", *lines]


@pytest.mark.requirement("notes.headings")
def test_a_line_that_stands_out_to_the_left_heads_a_part_of_a_list() -> None:
    form = Form()
    form.text(30, 120, "NOTES:", 2.5)
    form.text(32, 116, "Paint the part black", 2.5)
    form.text(30, 112, "Packing and Labels", 2.5)
    form.text(32, 108, "Pack each part in paper", 2.5)
    form.text(32, 104, "Stamp the number of the part", 2.5)
    assert note_texts(form) == ["Paint the part black", "Pack each part in paper", "Stamp the number of the part"]


@pytest.mark.requirement("notes.footnotes")
def test_a_line_after_asterisks_is_a_note_with_its_further_lines() -> None:
    form = Form()
    form.text(30, 120, "* -1000 AND 2000 IN STOCK", 2.5)
    form.text(30, 112, "** -03 OPTION BUILT TO ORDER,", 2.5)
    form.text(35, 108, "NON STOCK ITEM", 2.5)
    form.text(30, 80, "* 12,5", 2.5)
    assert note_texts(form) == ["* -1000 AND 2000 IN STOCK", "** -03 OPTION BUILT TO ORDER, NON STOCK ITEM"]


@pytest.mark.requirement("notes.local")
def test_a_short_sentence_in_a_box_of_its_own_is_a_note_and_outside_of_one_it_is_none() -> None:
    lines = ["THIS PRODUCT MANUFACTURED", "WITH LEAD-FREE PROCESSING"]
    form = Form()
    form.box((25, 100, 140, 130))
    form.lines(30, 120, lines)
    assert note_texts(form) == [" ".join(lines)]
    bare = Form()
    bare.lines(30, 120, lines)
    assert note_texts(bare) == []


@pytest.mark.requirement("notes.local")
def test_a_narrow_sentence_in_small_letters_is_one() -> None:
    form = Form()
    form.lines(30, 120, ["Ces deux", "alésages", "sont alignés", "avec les", "trous initiaux"], 2.5)
    assert note_texts(form) == ["Ces deux alésages sont alignés avec les trous initiaux"]


@pytest.mark.requirement("notes.unread_marks")
def test_text_in_line_with_a_list_is_a_note_where_its_number_is_not_read() -> None:
    form = Form()
    form.text(42, 130, "HOUSING OF BLACK PLASTIC.", 2.5)
    for row, text in enumerate(("STAMP THE NUMBER OF THE PART", "PACK EACH PART IN PAPER", "DRILL WITH A NEW BIT"), 2):
        form.text(30, 130 - (row - 1) * 9, str(row), 2.5)
        form.text(42, 130 - (row - 1) * 9, text, 2.5)
    form.text(42, 94, "SHIELD OF PHOSPHOR BRONZE.", 2.5)
    assert note_texts(form) == [
        "HOUSING OF BLACK PLASTIC.",
        "STAMP THE NUMBER OF THE PART",
        "PACK EACH PART IN PAPER",
        "DRILL WITH A NEW BIT",
        "SHIELD OF PHOSPHOR BRONZE.",
    ]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "text", ["Salvo indicación contraria", "UNLESS OTHERWISE SPECIFIED:", "Sofern nicht anders angegeben"]
)
def test_an_exception_that_says_nothing_else_is_no_note(text: str) -> None:
    form = Form()
    form.text(30, 120, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "text",
    [
        "Produit d'éducation SOLIDWORKS – A titre éducatif uniquement.",
        "Producto SOLIDWORKS Educational. Solo para uso en la enseñanza.",
        "Výukový produkt SOLIDWORKS. Pouze pro výukové účely.",
    ],
)
def test_what_a_program_prints_of_its_licence_is_no_note_in_any_language(text: str) -> None:
    form = Form()
    form.text(30, 5, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.none")
def test_a_row_of_pins_among_sentences_is_no_note() -> None:
    sentences = ["Paint the part black", "Stamp the number of it", "Pack it in brown paper", "Ship it in a box"]
    form = Form()
    form.lines(30, 120, [*sentences[:2], "D2- D1+ D1- D0+", *sentences[2:]], 2.5, step=2.5)
    assert note_texts(form) == sentences


@pytest.mark.requirement("notes.statements")
@pytest.mark.parametrize("heading", ["CALCULATIONS:", "Fogazási adatok:"])
def test_parameters_under_words_with_a_colon_are_statements_however_short(heading: str) -> None:
    lines = ["Module: 1.5", "No. of teeth: 30", "Facewidth: 10.0"]
    form = Form()
    form.lines(30, 120, [heading, *lines], 2.5)
    assert note_texts(form) == lines
    alone = Form()
    alone.lines(30, 120, lines, 2.5)
    assert note_texts(alone) == []


@pytest.mark.requirement("notes.statements")
def test_a_list_of_statements_wraps_no_line_however_long() -> None:
    lines = [
        "CONTACT RESISTANCE: 100 MILLIOHMS MAX.",
        "INSULATION RESISTANCE: 500 MEGOHMS AT 500 VOLTS",
        "LIFE EXPECTANCY: 20,000 CYCLES MIN.",
        "STORAGE TEMPERATURE: 35 TO 85 DEGREES CELSIUS",
        "SOLDERABILITY OF TERMINALS BY CLASS 1",
    ]
    form = Form()
    form.lines(30, 120, ["SPECIFICATIONS:", *lines], 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.unnumbered")
def test_not_to_scale_begins_a_note() -> None:
    lines = ["BREAK ALL EDGES UNLESS OTHERWISE SPECIFIED", "NOT TO SCALE"]
    form = Form()
    form.lines(30, 120, ["NOTES", *lines], 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.numbered")
def test_one_numbered_word_with_a_colon_announces_what_is_set_in_below_it() -> None:
    form = Form()
    form.text(30, 120, "NOTES:", 2.5)
    form.text(32, 116, "1. MATERIAL:", 2.5)
    form.text(40, 112, "HOUSING: BLACK PLASTIC", 2.5)
    form.text(40, 108, "CONTACT RESISTANCE: 50 MILLIOHMS FOR ALL CONTACTS PER", 2.5)
    form.text(70, 104, "EIA-540J000", 2.5)
    form.text(40, 100, "ROHS 2 COMPLIANT", 2.5)
    assert note_texts(form) == [
        "MATERIAL: HOUSING: BLACK PLASTIC CONTACT RESISTANCE: 50 MILLIOHMS FOR ALL CONTACTS PER EIA-540J000 ROHS 2 COMPLIANT"
    ]


@pytest.mark.requirement("notes.unnumbered")
def test_the_name_of_a_firm_among_sentences_is_no_note() -> None:
    form = Form()
    form.lines(30, 120, ["Všechny díry jsou skrz.", "Firma: Net3.cz", "Profil L 100x100 hliník"], 3.5)
    assert note_texts(form) == ["Všechny díry jsou skrz.", "Profil L 100x100 hliník"]


@pytest.mark.requirement("notes.statements")
def test_a_column_of_values_that_begin_with_colons_belongs_to_the_subjects_before_it() -> None:
    said = [
        ("Vorlauf / pretravel", "1.0 ± 0.3 mm"),
        ("Gesamtweg / total travel", "3.2 mm"),
        ("Kraft / force", "45 ± 15 cN"),
    ]
    form = Form()
    for row, (subject, value) in enumerate(said):
        form.text(30, 120 - 5 * row, subject, 2.5)
        form.text(110, 120 - 5 * row, f": {value}", 2.5)
    assert note_texts(form) == [f"{subject} : {value}" for subject, value in said]


@pytest.mark.requirement("notes.statements")
def test_what_a_part_is_made_from_is_a_note() -> None:
    form = Form()
    form.text(30, 120, "MAKE FROM ROUND TUBING 4130 OR EQUIVALENT", 2.5)
    form.text(30, 60, "TARNOW FROM OGOPO", 2.5)
    assert note_texts(form) == ["MAKE FROM ROUND TUBING 4130 OR EQUIVALENT"]


@pytest.mark.requirement("notes.unread_marks")
def test_a_number_that_is_not_read_between_two_that_leave_it_out_is_that_number() -> None:
    form = Form()
    form.lines(
        30, 120, ["NOTES:", "1. PAINT THE PART", "\ufffd. PACK THE PA\ufffdT IN PAPER", "3. DEBURR THE EDGES"], 2.5
    )
    assert note_texts(form) == ["PAINT THE PART", "PACK THE PA\ufffdT IN PAPER", "DEBURR THE EDGES"]
    apart = Form()
    apart.lines(30, 120, ["NOTES:", "1. PAINT THE PART", "\ufffd. PACK THE PART IN PAPER", "4. DEBURR THE EDGES"], 2.5)
    assert "PACK THE PART IN PAPER" not in note_texts(apart)


@pytest.mark.requirement("notes.statements")
def test_a_list_in_the_open_that_says_what_figures_words_are_equal_to_is_notes() -> None:
    data = ["Zubová vůle = 0,12", "Modul = 2,5", "Počet vinutí = 14", "Průměr drátu = 1,6 mm"]
    form = Form()
    form.lines(30, 120, data, 3.5)
    assert note_texts(form) == data
    sizes = Form()
    sizes.lines(30, 120, ["A = 12", "B = 14", "C = 16"], 3.5)
    sizes.lines(130, 120, ["Modul = 2,5", "Modul = 3", "Modul = 4"], 3.5)
    sizes.lines(230, 120, ["Modul = 2,5", "Průměr = 1,6 mm"], 3.5)
    assert note_texts(sizes) == []


@pytest.mark.requirement("notes.unnumbered")
def test_a_point_that_is_lettering_of_its_own_sets_a_note_off() -> None:
    form = Form()
    form.text(30, 125, "Opmerkingen:", 2.5)
    texts = ["Tandwiel niet smeren", "Alleen met de hand aandraaien zonder sleutel", "Boring schoonmaken"]
    for row, text in enumerate(texts):
        form.text(30, 120 - 4 * row, "•", 2.5)
        form.text(34, 120 - 4 * row, text, 2.5)
    assert note_texts(form) == texts


@pytest.mark.requirement("notes.statements")
def test_what_is_said_of_a_subject_under_a_note_is_a_note_of_its_own() -> None:
    form = Form()
    form.lines(30, 120, ["ACHTUNG: VOR DEM EINBAU REINIGEN", "WERKSTOFF: POLYAMID 12 SCHWARZ"], 3.5)
    assert note_texts(form) == ["VOR DEM EINBAU REINIGEN", "WERKSTOFF: POLYAMID 12 SCHWARZ"]


@pytest.mark.requirement("notes.running")
def test_a_line_goes_on_the_paragraph_that_it_stands_nearest_under() -> None:
    form = Form()
    form.text(30, 120, "Die Haube liegt mittig auf", 2.5)
    form.text(30, 117, "den beiden kurzen Holmen", 2.5)
    form.text(29.9, 111.4, "Der Tisch liegt auf den vier vertieften", 2.5)
    form.text(29.9, 108.4, "Rohren", 2.5)
    texts = [text for text in note_texts(form) if text.startswith("Die Haube")]
    assert texts == ["Die Haube liegt mittig auf den beiden kurzen Holmen"]


@pytest.mark.requirement("notes.none")
def test_the_name_of_a_firm_with_its_address_on_the_web_is_no_note() -> None:
    form = Form()
    form.text(30, 120, "上海佐尔格机械有限公司 电话0211-555010 网址www.zorg-ogopo.example", 2.5)
    form.text(30, 60, "上海佐尔格机械有限公司", 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize("text", ["Lid closes with 4 wing nuts only.", "Ceník platí do 30 kusů zakázky."])
def test_a_short_sentence_in_open_space_is_a_note(text: str) -> None:
    form = Form()
    form.text(30, 120, text, 2.5)
    assert note_texts(form) == [text]


@pytest.mark.requirement("notes.local")
def test_five_words_of_capitals_with_a_full_stop_are_no_sentence() -> None:
    form = Form()
    form.text(30, 120, "LOWER COAT BRASS 0.4 mm MAXIMAL.", 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.marks")
def test_an_unread_number_right_over_the_second_note_is_the_first() -> None:
    form = Form()
    form.lines(30, 120, ["\ufffd. Material: spring steel;", "2. Round all edges."], 2.5)
    assert note_texts(form) == ["Material: spring steel;", "Round all edges."]


@pytest.mark.requirement("notes.statements")
def test_statements_of_one_word_and_sizes_under_a_heading_of_two_subjects_are_notes() -> None:
    form = Form()
    lines = ["LEG: 3X 5.5 THRU", "OUTSIDE: 90 W x 40 D", "LINEAR TOLERANCES TO THE STANDARD", "EDGES: BROKEN ALL ROUND"]
    form.lines(30, 120, ["LAYOUT / GENERAL NOTES:", *lines], 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.statements")
def test_a_statement_whose_last_value_is_not_read_does_not_go_on_with_the_next_subject() -> None:
    form = Form()
    lines = [
        "WORKING TEMPERATURE: -20 TO",
        "STORED TEMPERATURE: -30 TO 60",
        "RATED VOLTAGE: 24 V DC",
        "RATED CURRENT: 3 A",
    ]
    form.lines(30, 120, ["ELECTRICAL:", *lines], 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ["TOLERANCE: UNLESS OTHERWISE STATED"],
        ["参数额定值：", "接触电阻：", "绝缘电阻测量的最大数值：", "回弹力最小"],
    ],
)
def test_the_head_of_tolerances_and_labels_without_their_values_are_no_notes(lines: list[str]) -> None:
    form = Form()
    form.lines(30, 120, lines, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.local")
def test_a_sentence_in_brackets_of_any_form_is_a_note_and_a_place_to_be_filled_in_is_none() -> None:
    sentence = "<the stroke is allowed to grow by a third before and after the test>"
    form = Form()
    form.text(30, 120, sentence, 2.5)
    form.text(30, 90, "<INSERT THE NAME OF THE OFFICE HERE>", 2.5)
    assert note_texts(form) == [sentence]


@pytest.mark.requirement("notes.none")
def test_numbered_labels_that_nobody_filled_in_are_no_notes() -> None:
    form = Form()
    form.lines(30, 120, ["NOTES:", "1. MATERIAL:", "2. STOCK SIZE:", "3. FINISH:"], 2.5)
    assert note_texts(form) == []
    filled = Form()
    filled.lines(
        30, 120, ["NOTES:", "1. MATERIAL:", "a. Housing of zorgel", "b. Contact of fargel", "2. FINISH: tin"], 2.5
    )
    assert note_texts(filled)[0] == "MATERIAL:"


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize(
    "heading",
    [
        "NOTES:-",
        "-NOTES-",
        "[NOTES]",
        "N O T E S",
        "NOTES: ____",
        "Casting notes:",
        "NOTES FOR THE WELDER",
        "NOTES (CONT'D)",
        "Notes and tolerances",
        "PRINTING INSTRUCTIONS",
        "REQUIREMENTS",
        "IMPORTANT:",
        "NOTES (U.O.S.):",
    ],
)
def test_a_heading_may_be_decorated_spaced_and_say_what_its_notes_are_about(heading: str) -> None:
    form = Form()
    lines = ["Seams ground flush", "Grey paint outside", "Wooden box for transport"]
    form.lines(30, 120, [heading, *lines], 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "line", ["SEE NOTES", "PER NOTES", "Reset instructions panel", "WARNING", "Front requirements"]
)
def test_a_reference_to_notes_and_names_head_no_notes(line: str) -> None:
    form = Form()
    form.lines(30, 120, [line, "Left cover"], 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.footnotes")
def test_a_sentence_in_capitals_after_an_asterisk_goes_on_and_a_starred_size_that_recurs_is_none() -> None:
    form = Form()
    form.lines(
        30,
        120,
        ["*SINCE THE SIZES OF THE FORMS WERE NOT KNOWN,", "A STEP OF 970 WAS TAKEN FOR ALL OF THEM."],
        2.5,
    )
    for left in (30, 120):
        form.text(left, 80, "* ASSUMED STEP OF 0.97m", 2.5)
    assert note_texts(form) == [
        "*SINCE THE SIZES OF THE FORMS WERE NOT KNOWN, A STEP OF 970 WAS TAKEN FOR ALL OF THEM."
    ]


@pytest.mark.requirement("notes.numbered")
def test_half_a_tolerance_set_as_a_fraction_stands_in_its_sentence() -> None:
    form = Form()
    form.text(30, 120, "1. H14, h14, ±", 2.5)
    form.text(55, 122.5, "IT14", 2.5)
    form.text(58, 118, "2", 2.5)
    form.text(30, 112, "2. Stamp the number of the part", 2.5)
    assert note_texts(form) == ["H14, h14, ±IT14/2", "Stamp the number of the part"]


@pytest.mark.requirement("notes.statements")
def test_short_statements_under_one_word_each_are_notes_and_the_words_over_them_none() -> None:
    form = Form()
    lines = [
        "BODY",
        "SHELL: PA6T",
        "COLOUR: GREY",
        "PIN PLATING: TIN",
        "",
        "ELECTRICAL",
        "RATED CURRENT: 3A",
        "LOSS: 20 mOHM",
    ]
    for row, line in enumerate(lines):
        form.text(30, 120 - 4 * row, line, 2.5) if line else None
    form.text(30, 84, "APPROVALS", 2.5)
    form.text(38, 80, "LISTED: E123456", 2.5)
    headings = ["", "BODY", "ELECTRICAL"]
    assert note_texts(form) == [*(line for line in lines if line not in headings), "LISTED: E123456"]


@pytest.mark.requirement("notes.none")
def test_pins_and_their_nets_are_no_statements() -> None:
    form = Form()
    form.lines(30, 120, ["STP: PE11", "DIR: PE10", "CS/PDN: PE7", "EN: PE9"], 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.statements")
@pytest.mark.parametrize("heading", ["Specifications", "Jellemzők:"])
def test_statements_set_in_under_words_with_a_colon_are_notes_of_their_own(heading: str) -> None:
    form = Form()
    form.text(30, 120, heading, 2.5)
    form.text(30, 116, "Contact resistance: 10 mOhm at most", 2.5)
    form.text(30, 112, "Allowed process temperature:", 2.5)
    form.text(40, 108, "Peak: 260 °C for ten seconds", 2.5)
    form.text(40, 104, "Wave: 250 °C for six seconds", 2.5)
    form.text(30, 100, "Mating force of one contact:", 2.5)
    form.text(40, 96, "not more than 4 N on a steel pin", 2.5)
    assert note_texts(form) == [
        "Contact resistance: 10 mOhm at most",
        "Peak: 260 °C for ten seconds",
        "Wave: 250 °C for six seconds",
        "Mating force of one contact: not more than 4 N on a steel pin",
    ]


@pytest.mark.requirement("notes.none")
def test_words_with_a_colon_whose_values_stand_apart_are_no_notes() -> None:
    form = Form()
    heads = [
        "Typ / Type of the arm:",
        "Traglast / Payload of the arm:",
        "Anzahl / Number of axes:",
        "Einbau / Mounting of it:",
    ]
    form.lines(30, 150, heads, 2.5, 2.6)
    form.text(30, 150 - 4 * 6.5, "Ohne Steuerung und Kabel. / Without controller and cables.", 2.5)
    form.text(30, 150 - 5 * 6.5, "Bezogen auf Achse vier. / Referred to axis four of it.", 2.5)
    assert not any(text.endswith(":") for text in note_texts(form))


_POWERED = ["POWER: 3.2VA", "INPUT: 230V (1-5)", "OUTPUT: 2x6V AT 2x24V (6-7) AND (9-10)", "TEST VOLTAGE: 4kV"]
_WIRED = ["INPUT: PE11", "OUTPUT: PA4", "POWER: VCC3", "GROUND: GND2"]


@pytest.mark.requirement("notes.statements")
@pytest.mark.parametrize(("lines", "read"), [(_POWERED, _POWERED), (_WIRED, [])], ids=["quantities", "nets"])
def test_words_with_a_quantity_each_are_statements_and_pins_with_their_nets_are_none(
    lines: list[str], read: list[str]
) -> None:
    form = Form()
    form.lines(30, 200, lines)
    assert note_texts(form) == read
