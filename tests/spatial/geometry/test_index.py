"""Answers of the index of boxes by place, against a look at every box."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.geometry.index import lie_in_boxes

pytestmark = pytest.mark.requirement("outlined.beside-text")


@pytest.mark.parametrize("seed", range(8))
def test_points_lie_in_the_boxes_in_which_a_look_at_each_finds_them(seed: int) -> None:
    """Corners of boxes are among the points, boxes without height and one as large as the sheet among the boxes."""
    chance = np.random.default_rng(seed)
    low = np.round(chance.uniform(-300.0, 300.0, (60, 2)), 2)
    boxes = np.concatenate([low, low + np.round(chance.exponential(8.0, (60, 2)), 2)], axis=1)
    boxes[:6, 3] = boxes[:6, 1]
    if seed % 2:
        boxes[7] = (-100.0, -100.0, 100.0, 100.0)
    points = np.concatenate([np.round(chance.uniform(-320.0, 320.0, (400, 2)), 2), boxes[:, :2], boxes[:, 2:]])
    x, y = points[:, :1], points[:, 1:]
    truth = ((x >= boxes[:, 0]) & (y >= boxes[:, 1]) & (x <= boxes[:, 2]) & (y <= boxes[:, 3])).any(axis=1)
    assert (lie_in_boxes(points, boxes) == truth).all()


def test_no_point_lies_in_no_box_and_what_is_not_finite_in_none() -> None:
    unplaced = np.array([(np.nan, 0.0), (0.0, np.inf), (0.0, 0.0)])
    assert lie_in_boxes(unplaced, np.array([(-1.0, -1.0, 1.0, 1.0), (np.nan, 0.0, 1.0, 1.0)])).tolist() == [
        False,
        False,
        True,
    ]
    assert not lie_in_boxes(np.zeros((3, 2)), np.zeros((0, 4))).any()
    assert lie_in_boxes(np.zeros((3, 2)), np.zeros((1, 4))).all()
