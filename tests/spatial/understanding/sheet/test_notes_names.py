"""What looks like notes and names something: parts under their views, things at leaders; and lists of which nothing was read."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, notes_of


def _read(form: Form) -> list[tuple[str | None, str]]:
    found = notes_of(form)
    return [((note.model_extra or {}).get("item"), note.text) for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.names")
def test_numbered_names_far_below_one_another_are_of_parts() -> None:
    form = Form()
    form.text(30, 220, "1. Bottom Plate", 2.5)
    form.text(30, 150, "2. Bearing Support Bracket", 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.names")
def test_names_at_leaders_that_end_alike_are_no_sentences() -> None:
    form = Form()
    form.lines(30, 220, ["Front drive, encoder outputs", "and 2 supply inputs."], 2.5)
    form.lines(150, 120, ["Rear drive, encoder outputs", "and 2 supply inputs."], 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.names")
@pytest.mark.parametrize("text", ["幅、奥行制限範囲 (裏面)", "*MISO/GPIO19/ADC2_CH4 7"])
def test_short_names_in_signs_and_starred_pins_are_no_notes(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.names")
def test_a_list_of_which_no_word_was_read_is_none() -> None:
    form = Form()
    form.lines(30, 200, ["1. , .", "2. X, Y .", "3. - .", "4. ."], 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.names")
def test_a_page_of_prose_in_a_script_without_blanks_has_no_notes() -> None:
    form = Form()
    line = "控制系统的设计方案保证整个过程平稳运行并且满足各项控制要求具有较强的抗干扰性。"
    form.lines(20, 280, [f"{line[row % 7 :]}" for row in range(20)], 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.items")
def test_letters_right_before_their_words_are_items_under_numbered_words_with_a_colon() -> None:
    form = Form()
    form.text(30, 200, "1.MATERIAL:", 2.5)
    form.lines(35, 196, ["a.HOUSING:BLACK NYLON", "b.CONTACT:TINNED BRASS"], 2.5)
    form.text(30, 188, "2.ELECTRICAL:", 2.5)
    form.lines(35, 184, ["a.RATED VOLTAGE:30V DC", "b.CONTACT RESISTANCE:20 MILLIOHMS"], 2.5)
    assert _read(form) == [
        (None, "MATERIAL:"),
        ("1a", "HOUSING:BLACK NYLON"),
        ("1b", "CONTACT:TINNED BRASS"),
        (None, "ELECTRICAL:"),
        ("2a", "RATED VOLTAGE:30V DC"),
        ("2b", "CONTACT RESISTANCE:20 MILLIOHMS"),
    ]
