"""Notes as further offices write them: lists whose marks were not read, ruled lists, columns of prose, callouts among notes."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import FoundNotes, find_notes
from tests.spatial.forms import Form


def _found(form: Form, claimed: frozenset[str] = frozenset()) -> FoundNotes | None:
    sheet = form.sheet()
    return find_notes([sheet], {sheet.page: find_grids(sheet)}, claimed)


def _read(form: Form, claimed: frozenset[str] = frozenset()) -> list[str]:
    found = _found(form, claimed)
    return [note.text for note in found.notes.items] if found else []


def _numbers(form: Form) -> list[str]:
    """Each number as it is marked."""
    found = _found(form)
    return [str(note.model_dump().get("item") or note.number) for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.unread_marks")
def test_a_part_whose_letter_could_not_be_read_follows_one_that_ends_with_a_semicolon() -> None:
    form = Form()
    form.text(30, 200, "1. Materials")
    form.text(34, 196, "a. body of the valve of brass;")
    form.text(38, 192, "stem of stainless steel;")
    form.text(38, 188, "seal of rubber.")
    form.text(30, 184, "2. Paint the valve black")
    assert _numbers(form) == ["1", "1a", "1b", "1c", "2"]
    assert _read(form)[2:4] == ["stem of stainless steel;", "seal of rubber."]


@pytest.mark.requirement("notes.miscounted")
def test_a_number_under_lettered_parts_goes_on_with_a_list_that_leaves_one_out() -> None:
    form = Form()
    texts = [
        "1. Materials of the valve",
        "a. body of brass",
        "2. Properties of the valve",
        "a. pressure up to 3 bar",
        "b. flow up to 5 l",
        "4. Finish of the valve",
    ]
    for row, (text, indent) in enumerate(zip(texts, (0, 4, 0, 4, 4, 0), strict=True)):
        form.text(30 + indent, 200 - 6 * row, text)
    assert _numbers(form) == ["1", "1a", "2", "2a", "2b", "4"]


@pytest.mark.requirement("notes.unread_marks")
def test_a_text_behind_a_gap_has_the_number_that_is_left_out_though_its_lines_are_of_capitals() -> None:
    form = Form()
    lines = (
        (0, "1. BASE MATERIAL SHALL MEET THE STANDARD OF THE ORDER"),
        (4, "RESIN SHALL STAND THE SOLDER FOR TEN SECONDS"),
        (4, "GLASS SHALL BE OF THE SAME MAKER"),
        (5, "COPPER FOIL AS SHOWN IN THE DETAIL"),
        (4, "THE MAKER MAY ASK FOR ANOTHER ONE"),
        (0, "3. REMOVE ALL PADS WITHOUT A FUNCTION"),
        (0, "4. STAMP THE NUMBER OF THE BOARD"),
    )
    y = 200.0
    for indent, line in lines:
        y -= 6.0 if line.startswith(("3", "4", "COPPER")) else 4.0
        form.text(30 + indent, y, line)
    assert _read(form)[1] == "COPPER FOIL AS SHOWN IN THE DETAIL THE MAKER MAY ASK FOR ANOTHER ONE"
    assert _numbers(form) == ["1", "2", "3", "4"]


@pytest.mark.requirement("notes.numbered")
def test_a_ruled_list_has_its_numbers_in_cells_beside_the_notes() -> None:
    form = Form()
    rows = (
        ("NOTES:", ""),
        ("1.", "BOTH ENDS OF THE CABLE\nARE ALIKE"),
        ("2.", "WIRE ONE TO ONE"),
        ("3.", "COLOURS AS ORDERED"),
    )
    top = 240.0
    for number, text in rows:
        tall = 14.0 if "\n" in text else 8.0
        form.box((250, top - tall, 275, top))
        form.box((275, top - tall, 400, top))
        form.text(252, top - tall / 2 - 1.25, number)
        for row, line in enumerate(text.split("\n") if text else ()):
            form.text(277, top - 5.25 - 5 * row, line)
        top -= tall
    assert _read(form) == ["BOTH ENDS OF THE CABLE ARE ALIKE", "WIRE ONE TO ONE", "COLOURS AS ORDERED"]
    assert _numbers(form) == ["1", "2", "3"]


@pytest.mark.requirement("notes.headings")
def test_words_with_a_colon_nearer_to_the_next_note_head_it_though_they_are_set_in() -> None:
    form = Form()
    form.text(30, 200, "NOTES:")
    form.text(30, 194, "1. SUPPLIED ON TAPE AND IN BOXES ONLY.")
    form.text(36, 188, "SPECIFICATIONS OF TAPE AND OF BOX:")
    form.text(30, 184.4, "2. TAPE AS SHOWN IN THE STANDARD")
    assert _read(form) == ["SUPPLIED ON TAPE AND IN BOXES ONLY.", "TAPE AS SHOWN IN THE STANDARD"]


@pytest.mark.requirement("notes.headings")
def test_a_heading_may_have_a_colon_and_an_exception_in_brackets() -> None:
    form = Form()
    form.lines(30, 200, ["NOTES: (UNLESS OTHERWISE SPECIFIED)", "1. PAINT THE PART BLACK", "2. PACK IT IN PAPER"], 2.5)
    assert _read(form) == ["PAINT THE PART BLACK", "PACK IT IN PAPER"]


@pytest.mark.requirement("notes.columns")
def test_a_remark_whose_lines_are_flush_on_the_right_is_not_joined_to_one_on_its_baseline() -> None:
    form = Form()
    right = ("Mount the cover with", "screws of steel and", "inserts of brass")
    for row, line in enumerate(right):
        form.text(200 - 1.75 * len(line), 120 - 4 * row, line)
    form.text(88, 112, "Mount the lid with two nuts and")
    form.text(88, 108, "a foil for insulation")
    assert sorted(_read(form)) == [
        "Mount the cover with screws of steel and inserts of brass",
        "Mount the lid with two nuts and a foil for insulation",
    ]


@pytest.mark.requirement("notes.columns")
def test_two_columns_of_prose_are_parted_at_their_gutter_however_narrow() -> None:
    left = (
        "The exact length of the forms could not be",
        "found in the catalogue; estimates were used",
        "for the first design of the whole bridge.",
    )
    right = (
        "As the height of the panels was not given",
        "it is taken from the drawing of the layout",
        "which stands on the second sheet of these.",
    )
    form = Form()
    form.lines(30, 120, left, 2.5)
    form.lines(30 + 1.75 * max(map(len, left)) + 3.5, 120, right, 2.5)
    assert sorted(_read(form)) == sorted((" ".join(left), " ".join(right)))


@pytest.mark.requirement("notes.notices")
def test_a_licence_in_smaller_letters_under_a_copyright_is_a_note_of_its_own() -> None:
    form = Form()
    form.box((200, 20, 330, 60))
    form.box((330, 20, 400, 60))
    form.text(205, 52, "COPYRIGHT 2031, FJELLHEIM ROBOTICS INC.", 2.5)
    form.lines(
        205,
        46,
        ["LICENSED UNDER A PUBLIC LICENSE; YOU MAY NOT USE THIS", "FILE EXCEPT IN COMPLIANCE WITH THE LICENSE"],
        1.8,
    )
    read = _read(form)
    assert read[0] == "COPYRIGHT 2031, FJELLHEIM ROBOTICS INC."
    assert read[1].startswith("LICENSED UNDER A PUBLIC LICENSE")
    assert read[1].endswith("COMPLIANCE WITH THE LICENSE")


@pytest.mark.requirement("notes.notices")
def test_the_code_of_a_licence_and_a_copyright_under_an_address_are_notices() -> None:
    form = Form()
    form.text(30, 200, "Licence : CC BY SA")
    form.lines(30, 150, ["http://www.fjellheim.example", "© 2031 Fjellheim Supply Company"], 2.5)
    assert _read(form) == ["Licence : CC BY SA", "© 2031 Fjellheim Supply Company"]


@pytest.mark.requirement("notes.short")
@pytest.mark.parametrize("text", ["RoHS Compliant", "RoHS 2011/65/EU"])
def test_a_statement_of_compliance_is_a_note(text: str) -> None:
    form = Form()
    form.text(30, 200, text)
    assert _read(form) == [text]


@pytest.mark.requirement("notes.unnumbered")
def test_do_not_scale_may_stand_in_a_box_that_is_one_or_two_words_wide() -> None:
    form = Form()
    form.box((30, 180, 70, 210))
    form.lines(34, 200, ["DO NOT", "SCALE FROM", "THIS PRINT"], 2.5)
    assert _read(form) == ["DO NOT SCALE FROM THIS PRINT"]


@pytest.mark.requirement("notes.columns")
def test_what_stands_without_a_number_at_three_places_is_listed_once() -> None:
    form = Form()
    for x in (30, 150, 270):
        form.text(x, 200, "Do not paint the lid.")
    assert _read(form) == ["Do not paint the lid."]


@pytest.mark.requirement("notes.instructions")
def test_rows_under_the_title_in_one_text_are_notes_where_they_say_how_something_is_made() -> None:
    form = Form()
    title = form.text(30, 200, "Cooling plate\nOverall dimensions approximate\nFinished thickness ~ 8mm")
    assert _read(form, frozenset({title})) == ["Overall dimensions approximate", "Finished thickness ~ 8mm"]


@pytest.mark.requirement("notes.footnotes")
def test_a_starred_sentence_of_capitals_goes_on_below_its_star() -> None:
    lines = [
        "*SINCE THE LENGTH OF THE RAIL WAS NOT KNOWN THE STEP",
        "BETWEEN ITS FEET IS TAKEN FROM THE GENERAL LAYOUT OF",
        "THE FIRST SHEET.",
    ]
    form = Form()
    form.lines(30, 200, lines, 2.5)
    assert _read(form) == [" ".join(lines)]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ["HOLES:", "A- 8 HOLES DRILL M3 THRU (4 ON EACH SIDE)", "B- 12 HOLES C'SINK M3 THRU (6 ON EACH SIDE)"],
        ["1: M2 threads 6mm deep", "2: M2 threads 6mm deep", "3: M3 threads 6mm deep"],
        ["ALL HOLES", "Ø 2.5"],
        ["1 mm zinc plated sheet"],
        ["Additional resources: Product page | 3D model | Footprint"],
        ["tolerance:", "X.X ±0.30 mm", "X.XX ±0.25 mm", "unless otherwise specified"],
        ["You created this PDF from an application that is not licensed to print to the driver"],
        ["PCB LAYOUT (VIEWED FROM THE SIDE OF THE CONNECTOR)"],
        ["(The holes of the plate are matched with those of the flange)"],
        ["Bear extruder and the axis of the older and newer frames:"],
    ],
    ids=lambda lines: lines[0][:24],
)  # fmt: skip
def test_callouts_of_features_rows_of_links_and_captions_are_no_notes(lines: list[str]) -> None:
    form = Form()
    form.lines(30, 200, lines, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.none")
def test_a_sentence_that_is_centred_under_the_name_of_a_view_belongs_to_its_caption() -> None:
    form = Form()
    for row, line in enumerate(
        ["RECOMMENDED LAYOUT", "GENERAL TOLERANCE ±0.05", "AS VIEWED FROM THE SIDE OF THE PARTS"]
    ):
        form.text(150 - 0.875 * len(line), 200 - 4 * row, line)
    assert _read(form) == []


@pytest.mark.requirement("notes.numbered")
def test_a_size_over_a_list_far_below_takes_none_of_its_numbers() -> None:
    form = Form()
    form.text(30, 250, "1 mm zinc plated sheet", 3.0)
    form.lines(
        30, 150, ["1) four holes with a thread (for the lid)", "2) twelve holes with a countersink (for the foot)"], 2.5
    )
    assert _numbers(form) == ["1", "2"]


@pytest.mark.requirement("notes.numbered")
def test_drawn_lettering_of_uneven_height_after_a_colon_belongs_to_its_note() -> None:
    form = Form()
    form.text(30, 200, "1. Insulation of the windings:", 2.5)
    form.text(36, 196, "a unmated, not less than ten ohms", 2.2)
    form.text(36, 192, "b mated, not less than one ohm", 2.5)
    form.text(30, 188, "2. Paint the case black", 2.5)
    assert (
        _read(form)[0] == "Insulation of the windings: a unmated, not less than ten ohms b mated, not less than one ohm"
    )


@pytest.mark.requirement("notes.numbered")
def test_an_ideographic_comma_is_a_mark_before_a_number_too() -> None:
    form = Form()
    form.lines(
        30, 120, ["1、设备出厂时进出水口需封堵。", "2、2、3号件试配合格后单独发货。", "3、保温层按图纸要求安装。"], 2.5
    )
    assert _read(form)[1] == "2、3号件试配合格后单独发货。"
    assert _numbers(form) == ["1", "2", "3"]


@pytest.mark.requirement("notes.instructions")
def test_how_many_are_required_is_a_note_and_the_name_of_a_view_in_signs_is_none() -> None:
    form = Form()
    form.text(30, 200, "QTY REQUIRED: 2 PER PONTOON")
    form.text(30, 120, "法兰与盘管对接接头焊接详图")
    assert _read(form) == ["QTY REQUIRED: 2 PER PONTOON"]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize("word", ["Caution:-", "WARNING:", "DANGER:"])
def test_a_word_for_a_hazard_is_part_of_the_one_warning_under_it(word: str) -> None:
    form = Form()
    form.lines(30, 200, [word, "Don't puncture the cell"], 2.5)
    assert _read(form) == [f"{word} Don't puncture the cell"]
