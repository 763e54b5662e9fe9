"""Numbers in the flags of notes and revisions: single digits, and ones that are bare strokes, which other flags tell."""

from __future__ import annotations

import itertools

import pytest

from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen
from tests.spatial.understanding.sheet.outlined.test_outlined_parts import STYLE

TRIANGLE = [(0.0, 0.0), (32.0, 0.0), (16.0, 28.0), (0.0, 0.0)]


def read_in_flags(*inner: str | int, height: float = 9.0) -> list[str]:
    """What is read in flags under one another: of words, and of so many bare strokes as high as `height`."""
    pen = Pen([])
    pen.write(STYLE, 200, 400)
    for place, what in enumerate(inner):
        y = 320.0 - 50 * place
        pen.lines += [(100 + a, y + b, 100 + c, y + d) for (a, b), (c, d) in itertools.pairwise(TRIANGLE)]
        if isinstance(what, str):
            pen.write(what, 109, y + 4, 9.0)
        else:
            pen.lines += [(113 + 5 * bar, y + 4, 113 + 5 * bar, y + 4 + height) for bar in range(what)]
    return [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts if text.text != STYLE]


@pytest.mark.requirement("outlined.flagged-numbers")
def test_bare_strokes_in_a_flag_are_ones_where_another_flag_holds_a_number_of_their_lettering() -> None:
    assert read_in_flags(1, 2, "47") == ["1", "11", "47"]


@pytest.mark.requirement("outlined.flagged-numbers")
def test_a_digit_in_a_flag_is_read_by_its_shape_though_no_lettering_is_as_high() -> None:
    assert read_in_flags("7") == ["7"]


@pytest.mark.requirement("outlined.flagged-numbers")
def test_strokes_in_a_flag_are_no_ones_where_they_are_three_or_lower_or_no_flag_holds_a_number() -> None:
    assert read_in_flags(3, "47") == ["47"]
    assert read_in_flags(2, "47", height=7.0) == ["47"]
    assert read_in_flags(1, 2) == []
