"""Curves that are drawn in steps shorter than their pen shows are read as if they were drawn at once."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined import ink, touching
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.steps import without_steps
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen

pytestmark = pytest.mark.requirement("outlined.steps")


def strokes_along(corners: Array) -> Array:
    return np.array([(*one, *two) for one, two in itertools.pairwise(corners.tolist())])


def test_a_straight_line_in_steps_is_one_piece_and_a_dot_on_it_is_of_it() -> None:
    corners = np.array([(x, 0.0) for x in (0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 5.0)])
    pieces, of = without_steps(strokes_along(corners), np.full(6, 0.5), 0.001)
    assert pieces.tolist() == [[0.0, 0.0, 5.0, 0.0]]
    assert of.tolist() == [0] * 6


def test_a_circle_in_steps_keeps_its_shape_within_a_part_of_its_pen() -> None:
    angles = np.linspace(0.0, 2 * np.pi, 361)
    corners = 10.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pieces, of = without_steps(strokes_along(corners), np.full(360, 0.4), 0.001)
    assert 8 <= len(pieces) <= 90
    middles = (pieces[:, :2] + pieces[:, 2:]) / 2
    assert np.abs(np.hypot(*middles.T) - 10.0).max() <= 0.11
    assert np.bincount(of).min() > 0


def test_corners_other_pens_and_lines_apart_are_no_steps() -> None:
    ends = np.array([(0, 0, 5, 0), (5, 0, 5, 5), (5, 5, 9, 5), (20, 5, 24, 5)], float)
    pieces, of = without_steps(ends, np.array([0.5, 0.5, 0.7, 0.7]), 0.001)
    assert pieces.tolist() == ends.tolist()
    assert of.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("limit", ["pieces", "pairs"])
def test_lettering_in_more_steps_than_a_sheet_may_have_pieces_or_that_touch_is_read(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 300)
    whole = np.array(pen.lines)
    parts = np.linspace(0.0, 1.0, 21)[:, None]
    pen.lines = [
        tuple(step) for line in whole for step in strokes_along(line[:2] + parts * (line[2:] - line[:2])).tolist()
    ]
    if limit == "pieces":
        monkeypatch.setattr(ink, "MANY_PIECES", 2 * len(whole))
    else:
        monkeypatch.setattr(touching, "MANY_PAIRS", 10 * len(whole))
    read = with_drawn_lettering(pen.drawing()).sheets[0]
    assert [text.text for text in read.texts] == ["MATTE 47 HEFT"]
    assert not len(read.strokes.ends)
