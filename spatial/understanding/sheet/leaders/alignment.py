"""Arrowheads turned onto the lines that they end.

A printer rounds the corners of a head to its grid, which turns a head of few steps by some degrees; the line at it is long, and
keeps its direction. What a head measures or points at lies along that line (ISO 129-1 §5.4).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.columns import scalar_products
from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.leaders.arrowheads import Heads
from spatial.understanding.sheet.leaders.lines import Lines

TURNED: Final = 0.07
"""Sine of the angle, 4°, by which rounding turns a head at most: half a step of a grid across a head of seven steps."""
LEAVES: Final = 0.2
"""Lengths of a head by which its line goes on beyond its tip or its base; the sides of a head do not."""
MOST: Final = 6000
"""Heads of a sheet that are looked at."""


def aligned(every: Heads, lines: Lines) -> Heads:
    """Each along the line that ends at its tip or in the middle of its base, where it leans from it by little."""
    count = min(len(every), MOST)
    if not count:
        return every
    tips, ways, lengths = every.tips[:count], every.ways[:count], every.lengths[:count]
    number, stroke = lines.at(np.concatenate((tips, tips - ways * lengths[:, None])))
    head, ends = number % count, lines.ends[stroke].reshape(-1, 2, 2)
    first, last = (scalar_products(end - tips[head], ways[head]) / lengths[head] for end in (ends[:, 0], ends[:, 1]))
    leaves = (np.maximum(first, last) > LEAVES) | (np.minimum(first, last) < -1 - LEAVES)
    way = (ends[:, 1] - ends[:, 0]) * np.where(last > first, 1.0, -1.0)[:, None]
    long = np.hypot(way[:, 0], way[:, 1])
    lean = np.abs(way[:, 0] * ways[head, 1] - way[:, 1] * ways[head, 0])
    good = leaves & (lean < TURNED * long)
    return Heads(every.tips, _turned(every.ways, head[good], way[good], long[good]), every.lengths)


def _turned(ways: Array, head: Indices, way: Array, long: Array) -> Array:
    """Ways of heads, those of some along the longest line at each."""
    order = np.argsort(long, kind="stable")
    turned = ways.copy()
    turned[head[order]] = (way / long[:, None])[order]
    return turned
