"""Numbered lists of notes of which some numbers could not be read: what stands in line with their texts is told by the count."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, notes_of

_MARKED, _TEXTS = 30.0, 38.0
"""Where the numbers and the texts of a list begin."""


def _listed(*rows: tuple[str, str], heading: str = "NOTES:") -> list[tuple[int, str]]:
    """The notes of a list of which each row has its number, or none."""
    form = Form()
    form.text(_MARKED, 206, heading)
    for row, (number, text) in enumerate(rows):
        if number:
            form.text(_MARKED, 200 - 4.5 * row, number)
        form.text(_TEXTS, 200 - 4.5 * row, text)
    found = notes_of(form)
    return [(note.number, note.text) for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.unread_marks")
def test_a_line_of_capitals_has_the_one_number_that_is_left_out_over_the_next() -> None:
    texts = [
        "PUMP TYPE : GEAR PUMP",
        "INLET SIDE : LEFT",
        "OIL TEMP : 60°C",
        "SHAFT SEAL : RUBBER",
        "COLOUR : BLACK PAINT",
    ]
    rows = zip(("1", "2", "", "4", "5"), texts, strict=True)
    assert _listed(*rows) == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.unread_marks")
def test_more_lines_than_numbers_left_out_are_not_counted_where_they_may_go_on() -> None:
    form = Form()
    form.text(_MARKED, 206, "NOTES:")
    rows = (
        (_TEXTS, "SEAL THE SHAFT OF THE PUMP"),
        (_TEXTS, "PAINT THE HOUSING OF THE PUMP"),
        (_MARKED, "AS THE ORDER SAYS"),
        (_TEXTS, "AND DRY THE HOUSING"),
        (_TEXTS, "MARK THE INLET"),
    )
    for row, (left, text) in enumerate(rows):
        form.text(left, 200 - 4.5 * row, text)
    for row, number in ((0, "1"), (1, "2"), (4, "4")):
        form.text(_MARKED, 200 - 4.5 * row, number)
    found = notes_of(form)
    assert found is not None
    assert 3 not in [note.number for note in found.notes.items]


@pytest.mark.requirement("notes.unread_marks")
def test_a_line_with_a_small_letter_goes_on_also_where_one_number_is_left_out() -> None:
    rows = (("1", "Seal the shaft"), ("2", "Paint the housing"), ("", "as the order says"), ("4", "Mark the inlet"))
    assert 3 not in [number for number, _ in _listed(*rows)]


@pytest.mark.requirement("notes.unread_marks")
def test_the_first_number_is_given_over_a_list_whose_texts_are_set_in_by_one_blank() -> None:
    form = Form()
    form.text(30, 206, "NOTES:")
    texts = ["PUMP TYPE : GEAR PUMP", "INLET SIDE : LEFT", "SHAFT SEAL : RUBBER", "COLOUR : BLACK PAINT"]
    for row, text in enumerate(texts):
        if row:
            form.text(30, 200 - 4.5 * row, f"{row + 1}")
        form.text(34, 200 - 4.5 * row, text)
    found = notes_of(form)
    assert found is not None
    assert [(note.number, note.text) for note in found.notes.items] == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.unread_marks")
def test_a_note_with_the_only_number_that_was_read_heads_the_others_under_the_heading() -> None:
    texts = [
        "REFERENCE HOUSING: 21-0066",
        "THE FLANGE COMPLIES TO: EN 1092-1.",
        "FLATNESS OF THE FLANGE: 0.02 MM.",
        "ALL SIZES IN MM.",
    ]
    rows = zip(("1", "", "", ""), texts, strict=True)
    assert _listed(*rows) == list(enumerate(texts, 1))


@pytest.mark.requirement("notes.unread_marks")
@pytest.mark.parametrize(
    ("first", "left", "is_note"),
    [("Cover plate left.", _TEXTS, True), ("Cover plate left.", _MARKED, False), ("Cover", _TEXTS, False)],
)
def test_a_number_over_lines_that_do_not_begin_where_its_text_does_or_before_one_word_is_of_no_list(
    first: str, left: float, is_note: bool
) -> None:
    form = Form()
    form.text(_MARKED, 206, "NOTES:")
    form.text(_MARKED, 200, "1")
    form.text(_TEXTS, 200, first)
    form.text(left, 195.5, "Deburr all edges of the plate.")
    form.text(left, 191, "Paint the plate black.")
    found = notes_of(form)
    assert found is not None
    assert (first in [note.text for note in found.notes.items]) is is_note


@pytest.mark.requirement("notes.unread_marks")
@pytest.mark.parametrize(
    ("mark", "numbers"), [("I.", [1, 2, 3]), ("|.", [1, 2, 3]), ("II.", [2, 3])], ids=["I", "stroke", "two bars"]
)
def test_a_bar_with_a_point_over_the_second_note_is_its_number_one(mark: str, numbers: list[int]) -> None:
    form = Form()
    form.text(30, 206, "NOTES:")
    texts = ["PUMP TYPE : GEAR PUMP", "INLET SIDE : LEFT", "SHAFT SEAL : RUBBER"]
    for row, (number, text) in enumerate(zip((mark, "2.", "3."), texts, strict=True)):
        form.text(30, 200 - 4.5 * row, f"{number} {text}")
    found = notes_of(form)
    assert found is not None
    assert [note.number for note in found.notes.items if note.text in texts] == numbers
