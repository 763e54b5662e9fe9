"""Which pieces touch: lines that are drawn again and again count once, and a crowd is left."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.understanding.sheet.outlined import touching
from spatial.understanding.sheet.outlined.touching import TooMuchInk, find_touching

pytestmark = pytest.mark.requirement("siege.growth")


def test_lines_that_are_drawn_again_are_of_the_components_of_the_first() -> None:
    lines = np.array([(0, 0, 9, 0), (50, 0, 59, 0), (0, 0, 9, 0), (9, 0, 9, 9), (50, 0, 59, 0)], float)
    found = find_touching([], np.zeros(0, bool), lines, np.ones(len(lines)), 0.01)
    assert found.components().tolist() == [0, 1, 0, 0, 1]
    assert found.components_of_lines().tolist() == [0, 1, 0, 0, 1]


def test_the_pairs_of_lines_that_are_drawn_again_are_as_many_as_the_lines() -> None:
    lines = np.tile([0.0, 0.0, 9.0, 0.0], (2_000, 1))
    assert len(find_touching([], np.zeros(0, bool), lines, np.ones(len(lines)), 0.01).one) <= len(lines)


def test_a_crowd_of_pieces_that_all_touch_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touching, "MANY_PAIRS", 1_000)
    lines = np.random.default_rng(1).uniform(0.0, 9.0, (100, 4))
    with pytest.raises(TooMuchInk):
        find_touching([], np.zeros(0, bool), lines, np.ones(len(lines)), 9.0)
