"""Short remarks at a view or a leader without a verb, and the names, sizes and callouts that are none."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, note_texts


@pytest.mark.requirement("notes.instructions")
@pytest.mark.parametrize(
    "text",
    [
        "GASKET SEAT PER ISO-4400",
        "Reel and cover as per QRS-17",
        "Flanschbild oben nach DIN 2501",
        "Surface gauche selon 4711-B",
        "LOCKING PIN 3 PLACES",
        "Klemmfeder außen 4 Stellen",
        "NOT THRU",
        "YES THRU",
        "nicht durchgehend",
        "3 holes on each side",
        "6 Bohrungen auf beiden Seiten",
    ],
)
def test_words_that_say_by_what_or_in_how_many_places_something_is_are_a_note(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == [text]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "text",
    [
        "LOCKING PIN",
        "Turns per minute",
        "Strokes per 100 turns",
        "M5 TAPPED HOLES 4 PLACES",
        "R.125 TYP 2 PLACES",
        "M3x0.5 THRU TYP 2 PLCS",
        "3 HOLES",
        "SEITE NACH VORN",
        "NOT SHOWN",
    ],
)
def test_names_rates_and_the_count_of_a_callout_are_no_remarks(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.none")
def test_a_count_of_places_right_under_a_size_belongs_to_the_callout() -> None:
    form = Form()
    form.text(60, 150, "[ 12.7mm]", 2.5)
    form.text(60, 146, "RETAINED NUT", 2.5)
    form.text(60, 142, "3 PLACES", 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize(
    ("text", "is_note"),
    [
        ("Upper 5 MM ONES ARE NOT REAMED HOLES", True),  # one word in small letters among capitals
        ("Upper Plate Holes Are Not Reamed", False),  # each word as in a name
    ],
)
def test_a_sentence_in_capitals_with_one_word_in_small_letters_is_no_name(text: str, is_note: bool) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == ([text] if is_note else [])
