"""Notes whose heading or mark hangs: it stands out to the left of the text, over which further lines may reach back."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, note_texts


@pytest.mark.requirement("notes.hanging")
@pytest.mark.parametrize("word", ["Note:", "Hinweis:", "Remarque:"])
def test_a_note_goes_on_where_its_text_begins_behind_a_word_that_stands_off(word: str) -> None:
    lines = (
        "The pattern of the pads is given for reference only and may be changed to",
        "suit the process. Further sizes are found in document IPC-7351A, Naming of",
        "Standard Land Patterns.",
    )
    form = Form()
    form.text(20, 100, word, 2.5)
    form.lines(45, 100, lines, 2.5)
    form.text(20, 84, word, 2.5)
    form.text(45, 84, "For high voltages the guidelines of the industry must be", 2.5)
    form.text(45, 80, "considered.", 2.5)
    assert note_texts(form) == [
        " ".join(lines),
        "For high voltages the guidelines of the industry must be considered.",
    ]


@pytest.mark.requirement("notes.hanging")
def test_the_only_note_behind_its_heading_goes_on_under_the_heading() -> None:
    form = Form()
    form.text(20, 100, "Note:  1. Dimensions D and E do not include flash", 2.5)
    form.text(20, 96, "or protrusion. Flash or protrusion shall not exceed", 2.5)
    form.text(20, 92, "0.25 mm on each side.", 2.5)
    expected = "Dimensions D and E do not include flash or protrusion. Flash or protrusion shall not exceed 0.25 mm on each side."
    assert note_texts(form) == [expected]


@pytest.mark.requirement("notes.hanging")
def test_words_in_pointed_brackets_head_the_sentence_behind_them() -> None:
    form = Form()
    form.text(20, 100, "<For reference>", 2.5)
    form.text(50, 100, "As the mark of the colour,", 2.5)
    form.text(24, 96, "the following letter shall be put in the last place.", 2.5)
    assert note_texts(form) == [
        "<For reference> As the mark of the colour, the following letter shall be put in the last place."
    ]


@pytest.mark.requirement("notes.hanging")
@pytest.mark.parametrize("place", ["<COMPANY NAME>", "[COMPANY NAME]"])
def test_a_place_that_a_template_leaves_in_brackets_is_still_none(place: str) -> None:
    form = Form()
    form.text(20, 100, f"This drawing is the sole property of {place} and must not be copied.", 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.hanging")
def test_a_code_in_brackets_is_no_place_that_a_template_leaves() -> None:
    form = Form()
    form.text(20, 100, "This product is designed for the automotive [Q101] market.", 2.5)
    assert note_texts(form) == ["This product is designed for the automotive [Q101] market."]


@pytest.mark.requirement("notes.hanging")
def test_what_stands_under_the_text_of_a_numbered_note_is_not_joined_with_a_name_beside_the_list() -> None:
    form = Form()
    form.text(70, 100, "NOTES:", 2.5)
    form.text(70, 96, "A) ALL DIMENSIONS ARE IN MILLIMETERS.", 2.5)
    form.text(70, 92, "B) DIMENSIONS DO NOT INCLUDE MOLD", 2.5)
    form.text(48, 88, "GAGE PLANE", 2.5)
    form.text(75, 88, "FLASH OR BURRS.", 2.5)
    form.text(70, 84, "C) DRAWING CONFORMS TO ASME Y14.5", 2.5)
    assert note_texts(form) == [
        "ALL DIMENSIONS ARE IN MILLIMETERS.",
        "DIMENSIONS DO NOT INCLUDE MOLD FLASH OR BURRS.",
        "DRAWING CONFORMS TO ASME Y14.5",
    ]


@pytest.mark.requirement("notes.hanging")
def test_two_columns_share_baselines_where_the_bullets_of_the_right_one_hang() -> None:
    left = ("This is a thin connector for narrow housings", "and low in height. It is designed to meet the")
    form = Form()
    form.lines(
        20,
        100,
        (*left, "demand for dense joints of inner wires on the", "board. It is compact and low in cost."),
        2.5,
    )
    form.text(105, 96, "* In use of the products refer to the sheet of", 2.3)
    form.text(107.5, 92, "precautions for terminals on our website.", 2.3)
    form.text(105, 88, "* Contact the maker for details.", 2.3)
    read = note_texts(form)
    assert "In use of the products refer to the sheet of precautions for terminals on our website." in read
    assert not any("precautions" in text and "demand" in text for text in read)


@pytest.mark.requirement("notes.unnumbered")
def test_a_text_under_a_heading_whose_first_line_is_set_in_is_one_note() -> None:
    lines = (
        "along with a desiccant one by one, seven bags at most (the total number of",
        "products is 21,000 pieces) packed in an inner box (size about 283 mm x 194)",
        "and four inner boxes at most are put in the outer box (size about 410 mm x",
        "about 229 mm). Together with the buffer material it is closed.",
    )
    form = Form()
    form.text(20, 110, "NOTES:", 2.5)
    form.text(28, 104, "Reeled products (of 3,000 pieces) are packed in a sealed moisture bag", 2.5)
    form.lines(20, 98, lines, 2.5, 2.4)
    assert note_texts(form) == [
        "Reeled products (of 3,000 pieces) are packed in a sealed moisture bag " + " ".join(lines)
    ]


@pytest.mark.requirement("notes.running")
def test_what_stands_a_wide_step_below_the_end_of_a_sentence_is_no_part_of_it() -> None:
    form = Form()
    form.text(20, 100, "Devices listed in bold, italic are preferred devices.", 2.5)
    form.text(20, 93, "5 Watt Axial Data Sheet", 2.8)
    assert note_texts(form) == ["Devices listed in bold, italic are preferred devices."]


@pytest.mark.requirement("notes.notices")
def test_a_copyright_line_ends_before_the_number_of_the_document_under_it() -> None:
    form = Form()
    form.text(20, 30, "©1998 Muster Semiconductor Corporation", 2.2)
    form.text(20, 26.5, "PN2907A / MMBT2907A Rev. 1.1.2", 2.2)
    assert note_texts(form) == ["©1998 Muster Semiconductor Corporation"]


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    ("text", "is_note"),
    [
        ("(Refer to Section 10 for more information on packaging.)", True),
        ("(viewed from the soldering side of the board)", False),
        ("(See below.)", False),
    ],
)
def test_a_sentence_in_brackets_with_its_full_stop_is_a_note(text: str, is_note: bool) -> None:
    form = Form()
    form.text(20, 100, text, 2.5)
    assert note_texts(form) == ([text] if is_note else [])


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize(
    ("lines", "places"),
    [
        (("1. Input and Output signal", "routed as 50 Ohm", "microstrip line."), (100.0, 110.0, 110.0)),
        (("1. All inputs and outputs are routed", "as lines of 50 Ohm."), (100.0, 105.25)),
    ],
)
def test_a_sentence_is_a_note_behind_the_only_number(lines: tuple[str, ...], places: tuple[float, ...]) -> None:
    form = Form()
    for row, (place, line) in enumerate(zip(places, lines, strict=True)):
        form.text(place, 100 - 4 * row, line, 2.5)
    assert note_texts(form) == [" ".join(lines).removeprefix("1. ")]


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize("text", ["1. Front cover of the pump", "1. Front cover."])
def test_a_name_behind_the_only_number_is_none(text: str) -> None:
    form = Form()
    form.text(100, 100, text, 2.5)
    assert note_texts(form) == []
