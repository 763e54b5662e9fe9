"""BSC and its like as texts of their own: of the size behind which they begin, where there is one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from spatial.understanding.sheet.callouts.basic_words import with_basic_words_joined
from spatial.understanding.sheet.label import Label
from tests.spatial.understanding.sheet.callouts.test_callouts import callouts

HEIGHT = 3.0


def label(text: str, x: float, y: float, width: float) -> Label:
    """A level label whose box begins at (x, y)."""
    box = (x, y, x + width, y + HEIGHT)
    return Label((text,), 1, (x + width / 2, y + HEIGHT / 2), box, 0.0, HEIGHT, (text,), "dimension")


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(("word", "x", "y"), [("BSC.", 111.0, 100.0), ("基準", 107.0, 104.0), ("(BASIC)", 111.0, 98.0)])
def test_a_word_that_makes_a_size_basic_is_of_the_size_behind_which_it_begins(word: str, x: float, y: float) -> None:
    size, other = label("1.65", 100.0, 100.0, 10.0), label("2.5", 140.0, 100.0, 8.0)
    [whole, rest] = with_basic_words_joined([size, other, label(word, x, y, 8.0)])
    assert rest is other
    assert (whole.text, whole.sources, whole.box[2]) == (f"1.65 {word}", ("1.65", word), x + 8.0)
    [basic] = callouts(whole.text, "dimension")
    assert (basic.type, basic.nominal) == ("basic", 1.65)  # type: ignore[attr-defined]  # a member of the type


@pytest.mark.requirement("callouts.types")
def test_a_word_that_makes_a_size_basic_far_from_sizes_between_two_or_turned_is_of_none() -> None:
    size, word = label("1.65", 100.0, 100.0, 10.0), label("BSC", 111.0, 100.0, 6.0)
    for labels in (
        [size, label("BSC", 118.0, 100.0, 6.0)],
        [size, label("BSC", 111.0, 108.0, 6.0)],
        [size, label("2.5", 102.0, 104.0, 8.0), word],
        [size, replace(word, angle=90.0)],
        [label("M8", 100.0, 100.0, 10.0), word],
    ):
        assert with_basic_words_joined(labels) == labels


@pytest.mark.requirement("callouts.types")
def test_a_letter_that_names_a_size_of_a_table_is_basic_by_its_word() -> None:
    letter, word = label("A", 100.0, 100.0, 2.0), label("基準", 103.0, 103.0, 8.0)
    [whole] = with_basic_words_joined([letter, word])
    [basic] = callouts(whole.text, "dimension")
    assert (basic.type, basic.text, basic.model_extra and basic.model_extra["of"]) == ("basic", "A 基準", "A")
    assert [each.type for each in callouts("A BSC.", "leader")] == ["basic"]


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize("role", ["free", "datum"])
def test_a_letter_that_nothing_ties_to_the_part_is_no_basic_size(role: Literal["free", "datum"]) -> None:
    letter = replace(label("A", 100.0, 100.0, 2.0), role=role)
    assert len(with_basic_words_joined([letter, label("BSC", 103.0, 100.0, 6.0)])) == 2
    assert not callouts("A BSC", "free") and not callouts("X BSC", "dimension")
