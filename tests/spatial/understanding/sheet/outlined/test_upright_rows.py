"""Rows of letters along an upright line: they read up or down, and small letters have their feet on the line in both."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.models.sheet.drawing import Sheet, Strokes
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.rows import find_rows

CAPITAL, WIDE, STEP = 6.0, 3.0, 4.4


def rows_of(heights: list[float], *, quarter: int) -> list[tuple[int, int]]:
    """Direction and number of letters of the rows of letters of these heights, whose line reads in a direction."""
    lines = []
    for place, high in enumerate(heights):
        left, right = STEP * place, STEP * place + WIDE
        lines += [(left, 0.0, left, high), (left, high, right, high), (right, high, right, 0.0)]
    drawn = np.array(lines).reshape(-1, 2)
    for _ in range(quarter):
        drawn = np.stack([-drawn[:, 1], drawn[:, 0]], axis=1)
    ends = (drawn + 300.0).reshape(-1, 4)
    none = np.zeros(len(ends), bool)
    strokes = Strokes(ends, np.ones(len(ends)), np.full(len(ends), -1), none, none.copy())
    sheet = Sheet(1, "page", "page", (0.0, 0.0, 600.0, 600.0), "millimeter", strokes=strokes)
    found = find_rows(find_ink(sheet, np.zeros(0, bool), np.ones(len(ends), bool)))
    return sorted((row.quarter, len(row.glyphs)) for row in found)


@pytest.mark.requirement("outlined.turned")
@pytest.mark.parametrize("quarter", [1, 3])
@pytest.mark.parametrize("small", [0.62, 0.66, 0.7])
def test_small_letters_are_of_the_line_of_capital_ones_that_reads_up_or_down(quarter: int, small: float) -> None:
    heights = [CAPITAL, small * CAPITAL, small * CAPITAL, CAPITAL, small * CAPITAL]
    assert rows_of(heights, quarter=quarter) == [(1, len(heights))]


@pytest.mark.requirement("outlined.turned")
def test_what_is_much_smaller_than_a_letter_is_not_of_a_line_that_reads_down() -> None:
    assert (1, 2) not in rows_of([CAPITAL, 0.57 * CAPITAL], quarter=3)
