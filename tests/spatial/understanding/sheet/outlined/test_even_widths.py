"""Words of letters that all take the same width: their step tells how far a blank is, however narrow the letters beside it are."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.understanding.sheet.outlined.completion import _on_step
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.spatial.understanding.sheet.outlined.test_outlined import STROKES, Pen

STEP = 12.0
"""Of the letters of `even`, 10 high and up to 7 wide: a blank leaves 1.7 of their heights."""


def even(pen: Pen, words: str, x: float, y: float, step: float = STEP) -> None:
    """Write letters in the middles of cells that are all as wide."""
    for place, letter in enumerate(words):
        if letter != " ":
            width = 10 * max(corner[0] for corners in STROKES[letter] for corner in corners)
            pen.write(letter, x + place * step - width / 2, y)


def texts(pen: Pen) -> list[str]:
    return [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]


@pytest.mark.requirement("outlined.even-widths")
def test_words_of_letters_of_even_width_are_one_line_however_wide_their_blank_is() -> None:
    pen = Pen([])
    even(pen, "MATTE HEFT", 100, 340)
    even(pen, "MATTE ZEHN 47", 100, 320)
    assert texts(pen) == ["MATTE HEFT", "MATTE ZEHN 47"]


@pytest.mark.requirement("outlined.even-widths")
@pytest.mark.parametrize("shift", [0.4 * STEP, STEP], ids=["off the step", "two blanks"])
def test_words_that_stand_off_the_step_of_a_line_or_behind_two_blanks_are_texts_of_their_own(shift: float) -> None:
    pen = Pen([])
    even(pen, "MATTE", 100, 340)
    even(pen, "HEFT", 100 + 6 * STEP + shift, 340)
    assert texts(pen) == ["MATTE", "HEFT"]


@pytest.mark.requirement("outlined.even-widths")
def test_lettering_of_uneven_widths_has_no_step() -> None:
    ends = np.array([[20.0, 30.0]])
    assert _on_step(ends, np.ones(1, bool), 0.0, 10.0, 5.0).tolist() == [True]
    assert _on_step(ends, np.ones(1, bool), 0.0, 10.0, np.nan).tolist() == [False]
    assert _on_step(ends, np.ones(1, bool), 0.0, 10.0, 3.0).tolist() == [False]
