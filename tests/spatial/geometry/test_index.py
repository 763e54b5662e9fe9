"""Answers of the index of boxes by place, against a look at every box."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.geometry import index
from spatial.geometry.index import lie_in_boxes, may_hold_points
from spatial.geometry.quadrature import Array
from spatial.geometry.range_counts import RangeCounts, boxes_over

pytestmark = pytest.mark.requirement("outlined.beside-text")


def _made(seed: int) -> tuple[Array, Array]:
    """Points and boxes: corners of boxes are among the points, boxes without height and one as large as the sheet among the boxes."""
    chance = np.random.default_rng(seed)
    low = np.round(chance.uniform(-300.0, 300.0, (60, 2)), 2)
    boxes = np.concatenate([low, low + np.round(chance.exponential(8.0, (60, 2)), 2)], axis=1)
    boxes[:6, 3] = boxes[:6, 1]
    if seed % 2:
        boxes[7] = (-100.0, -100.0, 100.0, 100.0)
    points = np.round(chance.uniform(-320.0, 320.0, (400, 2)), 2)
    return np.concatenate([points, boxes[:, :2], boxes[:, 2:]]), boxes


def _held(points: Array, boxes: Array) -> Array:
    """(n, m) which point lies in which box, by a look at every one."""
    x, y = points[:, :1], points[:, 1:]
    return np.asarray((x >= boxes[:, 0]) & (y >= boxes[:, 1]) & (x <= boxes[:, 2]) & (y <= boxes[:, 3]))


@pytest.mark.parametrize("seed", range(8))
def test_points_lie_in_the_boxes_in_which_a_look_at_each_finds_them(seed: int) -> None:
    points, boxes = _made(seed)
    assert (lie_in_boxes(points, boxes) == _held(points, boxes).any(axis=1)).all()
    assert (boxes_over(points, boxes) == _held(points, boxes).sum(axis=1)).all()
    assert (RangeCounts(points).in_boxes(boxes) == _held(points, boxes).sum(axis=0)).all()


@pytest.mark.parametrize("seed", range(4))
def test_where_points_crowd_the_answers_are_the_same(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    points, boxes = _made(seed)
    unplaced = np.concatenate([boxes, [(np.nan, 0.0, 1.0, 1.0), (9.0, 9.0, -9.0, -9.0)]])
    looked = may_hold_points(unplaced, points, 8.0), lie_in_boxes(points, unplaced)
    monkeypatch.setattr(index, "PAIRS_AT_ONCE", -1_000_000)
    assert (may_hold_points(unplaced, points, 8.0) == looked[0]).all()
    assert (lie_in_boxes(points, unplaced) == looked[1]).all()


def test_no_point_lies_in_no_box_and_what_is_not_finite_in_none() -> None:
    unplaced = np.array([(np.nan, 0.0), (0.0, np.inf), (0.0, 0.0)])
    assert lie_in_boxes(unplaced, np.array([(-1.0, -1.0, 1.0, 1.0), (np.nan, 0.0, 1.0, 1.0)])).tolist() == [
        False,
        False,
        True,
    ]
    assert not lie_in_boxes(np.zeros((3, 2)), np.zeros((0, 4))).any()
    assert lie_in_boxes(np.zeros((3, 2)), np.zeros((1, 4))).all()
