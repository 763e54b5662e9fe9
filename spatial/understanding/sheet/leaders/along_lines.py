"""Arrowheads along the lines that end at them.

A printer rounds the corners of a head to its grid, which turns a head of few steps by some degrees; the line at it is long, and
keeps its direction. What a head measures or points at lies along that line (ISO 129-1 §5.4).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.columns import scalar_products
from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.leaders.arrowheads import Heads, once
from spatial.understanding.sheet.leaders.lines import Lines

LEAN: Final = 0.1
"""Sine of the angle, at most, between a head and its line."""
ASIDE: Final = 0.12
"""Lengths of a head by which its line may pass its tip."""
LEAVES: Final = 0.2
"""Lengths of a head by which its line goes on beyond its tip or its base; the sides of a head do not."""
MOST: Final = 6000
"""Heads of a sheet that are looked at."""


def along_lines(arrows: Heads, lines: Lines) -> Heads:
    """Each head with the way of the longest line that ends at its tip or in the middle of its base, where it leans from it by little."""
    count = min(len(arrows), MOST)
    if not count:
        return arrows
    tips, own, lengths = arrows.tips[:count], arrows.ways[:count], arrows.lengths[:count]
    number, strokes = lines.at(np.concatenate((tips, tips - own * lengths[:, None])))
    head, ends = number % count, lines.ends[strokes].reshape(-1, 2, 2)
    first, last = (scalar_products(ends[:, end] - tips[head], own[head]) / lengths[head] for end in (0, 1))
    leaves = (np.maximum(first, last) > LEAVES) | (np.minimum(first, last) < -1 - LEAVES)
    along = (ends[:, 1] - ends[:, 0]) * np.where(last > first, 1.0, -1.0)[:, None]
    long = np.hypot(along[:, 0], along[:, 1])
    way = along / long[:, None]
    good = leaves & (np.abs(_cross(way, own[head])) < LEAN)
    good &= np.abs(_cross(tips[head] - ends[:, 0], way)) < ASIDE * lengths[head]
    turned = Heads(arrows.tips, _with(arrows.ways, head[good], way[good], long[good]), arrows.lengths)
    return once(turned, lines.size)  # a wing and the line between two wings look like a head that leans


def _with(ways: Array, place: Indices, found: Array, long: Array) -> Array:
    """Ways of which some are replaced, by the longest of what was found for each."""
    order = np.argsort(long, kind="stable")
    made = ways.copy()
    made[place[order]] = found[order]
    return made


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
