"""Rule lines that a program draws cell by cell, a piece at each, part lettering and are no letters."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.models.sheet.drawing import Sheet, Strokes
from spatial.understanding.sheet.outlined.ink import Ink, find_ink

PAPER = (0.0, 0.0, 600.0, 600.0)
"""Of which a letter is 36 high at most, so that strokes from 18 part lettering."""


def ink_of_lines(lines: list[tuple[float, float, float, float]]) -> Ink:
    count = len(lines)
    none = np.zeros(count, bool)
    strokes = Strokes(np.array(lines, float), np.ones(count), np.full(count, -1), none, none.copy())
    return find_ink(
        Sheet(1, "page", "page", PAPER, "millimeter", strokes=strokes), np.zeros(0, bool), np.ones(count, bool)
    )


def upright(pieces: int, height: float, gap: float = 0.0) -> list[tuple[float, float, float, float]]:
    return [(300, 200 + each * (height + gap), 300, 200 + each * (height + gap) + height) for each in range(pieces)]


@pytest.mark.requirement("outlined.rules")
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("lines", "is_rule"),
    [
        (upright(3, 8), True),
        (upright(6, 4), True),
        (upright(2, 10), False),
        (upright(3, 5), False),
        (upright(12, 1.7), False),
        (upright(3, 8, gap=1), False),
    ],
    ids=["three", "six", "two", "short", "tiny", "apart"],
)
def test_pieces_end_to_end_that_are_longer_than_letters_are_a_rule_line(
    lines: list[tuple[float, float, float, float]], *, is_rule: bool, turned: bool
) -> None:
    drawn = [(y1, x1, y2, x2) for x1, y1, x2, y2 in lines] if turned else lines
    ink = ink_of_lines([*drawn, (100, 100, 104, 108)])
    assert len(ink.barriers) == (len(lines) if is_rule else 0)
    assert len(ink.boxes) == (1 if is_rule else 1 + len(np.unique(ink.strokes[: len(lines)])))
