"""Heads that lean, set right by the line that begins at them: an exporter rounds corners, which turns a short head by degrees."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.columns import scalar_products
from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.leaders.arrowheads import Heads
from spatial.understanding.sheet.leaders.lines import Lines

LEAN: Final = 0.1
"""Sine of the angle, at most, between a head and its line."""
ASIDE: Final = 0.12
"""Lengths of a head by which its line may pass its tip."""
LEAST_LONGER: Final = 1.3
"""Length of a line by that of its head; a side of the head is shorter."""


def along_lines(arrows: Heads, lines: Lines) -> Heads:
    """Each head that stands neither level nor upright with the way of the longest line that begins at its tip or its back."""
    leaning = np.flatnonzero(np.abs(arrows.ways).min(axis=1, initial=1.0) > 0)
    if not len(leaning):
        return arrows
    tips, own, lengths = arrows.tips[leaning], arrows.ways[leaning], arrows.lengths[leaning]
    at, strokes = lines.at(np.concatenate((tips, tips - own * lengths[:, None])))
    head, ends = at % len(leaning), lines.ends[strokes]
    along = ends[:, 2:] - ends[:, :2]
    long = np.hypot(along[:, 0], along[:, 1])
    way = along / long[:, None]
    way *= np.where(scalar_products(way, own[head]) < 0, -1.0, 1.0)[:, None]
    good = np.abs(_cross(way, own[head])) < LEAN
    good &= np.abs(_cross(tips[head] - ends[:, :2], way)) < ASIDE * lengths[head]
    good &= long > LEAST_LONGER * lengths[head]
    return Heads(arrows.tips, _with(arrows.ways, leaning[head[good]], way[good], long[good]), arrows.lengths)


def _with(ways: Array, place: Indices, found: Array, long: Array) -> Array:
    """Ways of which some are replaced, by the longest of what was found for each."""
    order = np.argsort(long, kind="stable")
    made = ways.copy()
    made[place[order]] = found[order]
    return made


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
