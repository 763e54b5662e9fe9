"""Marks of notes in any writing, lists within lists, and lists beside other lettering."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, notes_of


def _read(form: Form) -> list[tuple[int, str]]:
    found = notes_of(form)
    return [(note.number, note.text) for note in found.notes.items] if found else []


_MARKS = {
    "square brackets": ("[1] ", "[2] ", "[3] "),
    "pointed brackets": ("<1> ", "<2> ", "<3> "),
    "number signs": ("#1 ", "#2 ", "#3 "),
    "numero signs": ("№1 ", "№2 ", "№3 "),
    "slashes": ("1/ ", "2/ ", "3/ "),
    "ordinals": ("1º ", "2º ", "3º "),
    "points with dashes": ("1.- ", "2.- ", "3.- "),
    "two digits": ("01. ", "02. ", "03. "),
    "Roman numbers": ("I. ", "II. ", "III. "),
    "ideographs": ("一、", "二、", "三、"),
    "letters": ("A. ", "B. ", "C. "),
    "letters with numbers": ("N1: ", "N2: ", "N3: "),
    "points that could not be read": ("1\ufffd ", "2. ", "3\ufffd "),
    "points and brackets": ("1.) ", "2.) ", "3.) "),
    "points and dashes": ("1.-", "2.-", "3.-"),
    "dashes": ("1- ", "2-", "3 - "),
    "full-width commas": ("1\uff0c", "2\uff0c", "3\uff0c"),
    "ideographic points": ("1\u3002", "2\u3002", "3\u3002"),
    "low lines": ("1_ ", "2_ ", "3_ "),
    "equal signs": ("1 = ", "2 = ", "3 = "),
    "chapters": ("1.0 ", "2.0 ", "3.0 "),
    "full-width brackets": ("\uff081\uff09", "\uff082\uff09", "\uff083\uff09"),
    "bracketed signs": ("\u2474", "\u2475", "\u2476"),
    "filled circles": ("\u2776 ", "\u2777 ", "\u2778 "),
    "stars": ("*1 ", "*2 ", "*3 "),
    "strokes on both sides": ("/1/ ", "/2/ ", "/3/ "),
    "the word number": ("No. 1 ", "No. 2 ", "No. 3 "),
    "the word note and a dash": ("NOTE-1: ", "NOTE-2: ", "NOTE-3: "),
    "a short word of another language": ("Anm. 1: ", "Anm. 2: ", "Anm. 3: "),
    "roman numbers and dashes": ("I - ", "II - ", "III - "),
}


@pytest.mark.requirement("notes.marks")
@pytest.mark.parametrize("marks", _MARKS.values(), ids=_MARKS)
def test_a_mark_that_counts_up_numbers_notes_in_any_writing(marks: tuple[str, ...]) -> None:
    texts = ("Paint the part black", "Stamp the number of the part", "Pack each part in paper")
    form = Form()
    form.lines(30, 120, [f"{mark}{text}" for mark, text in zip(marks, texts, strict=True)])
    assert _read(form) == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.marks")
def test_a_writing_that_does_not_count_up_is_no_mark() -> None:
    form = Form()
    form.text(30, 120, "[1] Paint the part black")
    form.text(200, 60, "[2] Stamp the part")
    form.text(30, 90, "30° chamfer all round here")
    assert not any(text.startswith(("Paint", "Stamp", "chamfer")) for _, text in _read(form))


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(("text", "count"), [("法兰与盘管对接接头焊接详图", 0), ("法兰与盘管对接接头焊接见图", 1)])
def test_words_that_end_with_the_sign_for_a_drawing_name_one(text: str, count: int) -> None:
    form = Form()
    form.text(30, 120, text, 2.5)
    assert len(_read(form)) == count


@pytest.mark.requirement("notes.marks")
def test_a_number_right_before_a_figure_is_the_mark_that_a_list_leaves_out() -> None:
    form = Form()
    form.lines(
        30,
        120,
        ["12\u3001Paint the part black", "13\u300113\u300114 go with the part", "14\u3001Stamp the number"],
        2.5,
        2.0,
    )
    assert _read(form) == [(12, "Paint the part black"), (13, "13\u300114 go with the part"), (14, "Stamp the number")]


@pytest.mark.requirement("notes.marks")
def test_ideographs_count_beyond_ten() -> None:
    form = Form()
    form.lines(30, 200, [f"{mark}、零件表面发黑处理" for mark in ("九", "十", "十一", "十二")])
    assert [number for number, _ in _read(form)] == [9, 10, 11, 12]


@pytest.mark.requirement("notes.marks")
def test_letters_under_a_number_stay_parts_of_its_note() -> None:
    form = Form()
    form.lines(30, 120, ["1. Before the delivery", "a. paint it", "b. stamp it", "c. pack it", "2. Keep it dry"])
    texts = [(1, "Before the delivery"), (1, "paint it"), (1, "stamp it"), (1, "pack it"), (2, "Keep it dry")]
    assert _read(form) == texts


@pytest.mark.requirement("notes.marks")
def test_parts_of_lettered_parts_and_parts_with_a_dash_are_parts_of_their_notes() -> None:
    lines = (
        "1. COLOUR OF THE LEGEND:",
        "A. BLUE, AND ONLY ON THESE KEYS",
        "a1. the keys of the numeric pad",
        "a2. the keys of functions",
        "B. WHITE, ON ALL OTHERS",
        "b1. the letters and all signs",
        "2. PLATING OF THE TERMINALS",
        "2-1.SOLDER AREA: tin over nickel",
        "2-2.CONTACT AREA: gold over nickel",
    )
    indents = (0, 14, 28, 28, 14, 28, 0, 14, 14)
    form = Form()
    for place, (line, indent) in enumerate(zip(lines, indents, strict=True)):
        form.text(30 + indent / 4, 200 - 4.2 * place, line)
    found = notes_of(form)
    assert found is not None
    assert [note.model_dump()["item"] for note in found.notes.items if "item" in note.model_dump()] == [
        "1a", "1a1", "1a2", "1b", "1b1", "2.1", "2.2",
    ]  # fmt: skip
    assert [note.text for note in found.notes.items][7] == "SOLDER AREA: tin over nickel"


@pytest.mark.requirement("notes.numbered")
def test_a_list_within_the_first_note_does_not_take_the_numbers_of_the_outer_one() -> None:
    lines = (
        "1.MATERIAL SPECIFICATION:",
        "1.HOUSING: HIGH TEMPERATURE RESIN",
        "2.TERMINAL: COPPER ALLOY",
        "2.PLATING SPECIFICATION:",
    )
    form = Form()
    for place, (line, indent) in enumerate(zip(lines, (0, 12, 12, 2), strict=True)):
        form.text(30 + indent / 4, 200 - 4.2 * place, line)
    read = _read(form)
    assert read == [(number, line[2:]) for number, line in zip((1, 1, 1, 2), lines, strict=True)]


@pytest.mark.requirement("notes.columns")
def test_the_rest_of_a_list_whose_first_notes_are_elsewhere_is_notes() -> None:
    form = Form()
    form.lines(30, 120, ["7. Paint the part black", "8. Stamp the number of the part"])
    assert _read(form) == [(7, "Paint the part black"), (8, "Stamp the number of the part")]


@pytest.mark.requirement("notes.columns")
def test_the_name_of_a_view_on_the_baseline_of_a_note_is_not_joined_to_it() -> None:
    form = Form()
    form.lines(30, 120, ["1. Paint the part black", "2. Stamp the number of the part"], 2.5)
    form.lines(102, 120, ["DETAIL A", "SCALE 2 : 1"], 2.5, 2.0)
    assert _read(form) == [(1, "Paint the part black"), (2, "Stamp the number of the part")]


@pytest.mark.requirement("notes.columns")
@pytest.mark.parametrize("sizes", [["0.50 mm", "[0.020 in]"], ["12 cm", '4.7"']], ids=str)
def test_a_size_on_the_baseline_of_a_sentence_far_behind_it_is_not_joined_to_it(sizes: list[str]) -> None:
    form = Form()
    form.lines(60, 120, sizes, 2.5)
    form.lines(90, 120, ["The assembly comes with a box, two lids and", "screws and feet of rubber."], 2.5)
    assert _read(form) == [(1, "The assembly comes with a box, two lids and screws and feet of rubber.")]


@pytest.mark.requirement("notes.numbered")
def test_the_value_of_a_sign_for_the_texture_stands_in_the_sentence_that_leaves_room_for_the_sign() -> None:
    form = Form()
    form.lines(
        30, 120, ["1. Paint the part black", "2. Break all the edges of the part", "unless otherwise stated."], 2.5
    )
    room = 30 + 0.7 * 2.5 * len("3. The roughness is") + 2
    form.text(30, 101, "3. The roughness is")
    form.text(room, 106, "63")
    form.text(room + 7, 101, "unless otherwise stated.")
    form.lines(30, 95, ["4. Keep the part dry"], 2.5)
    assert _read(form) == [
        (1, "Paint the part black"),
        (2, "Break all the edges of the part unless otherwise stated."),
        (3, "The roughness is 63 unless otherwise stated."),
        (4, "Keep the part dry"),
    ]


@pytest.mark.requirement("notes.columns")
def test_values_under_one_another_far_in_belong_to_their_note() -> None:
    form = Form()
    form.lines(30, 120, ["1. Pressure at the inlet of the valve: 3 bar", "2. Paint the part black"], 2.5, 4.0)
    form.text(80, 116, "at the outlet: 1 bar")
    assert _read(form)[0] == (1, "Pressure at the inlet of the valve: 3 bar at the outlet: 1 bar")


@pytest.mark.requirement("notes.numbered")
def test_a_number_in_a_flag_may_be_a_size_of_lettering_smaller_than_its_text() -> None:
    form = Form()
    said = [(1, "Contacts are not in line"), (2, "Tape is removed before use"), (3, "Date code on the rear")]
    for number, text in said:
        form.text(30, 120 - 6 * number, str(number), 2.5)
        form.text(40, 120 - 6 * number, text, 3.5)
    assert _read(form) == said
