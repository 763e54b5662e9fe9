"""Oblique strokes: short ones across the crossing of a dimension line and an extension line, in place of arrowheads.

ISO 129-1 §5.4.3 and the standards of building (SPDS, DIN 1356) end dimension lines so; the stroke leans by 45° to them, or less. What is
one is told by the crossing: a level and an upright line go through its middle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest, least
from spatial.geometry.index import whole_numbers
from spatial.models.sheet.drawing import Array, Flags, Sheet
from spatial.understanding.sheet.leaders.lines import Lines

SHORTEST: Final = 8e-4
"""Of an oblique stroke, in diagonals of the sheet."""
LONGEST: Final = 0.012
"""The same."""
LEANS: Final = 0.34
"""Sine of the angle, 20°, by which it leans from level and from upright at least."""
SLIMMEST: Final = 4.0
"""Length to width from which a filled quadrangle is a thick stroke."""
MIDDLE: Final = 0.12
"""Its lengths by which lines may pass its middle."""
STRAIGHT: Final = 1e-3
"""Of its length by which a level or upright line may be off."""
FARTHEST: Final = 1e9
"""Sheet units of a place from the origin."""
SAME_PLACE: Final = 0.1
"""Lengths between the middles of strokes that are one, drawn twice or as two halves."""


@dataclass(frozen=True, slots=True)
class ObliqueStrokes:
    """n of them."""

    middles: Array
    """(n, 2)"""
    along: Array
    """(n, 2) from their lower end to their upper one."""

    def __len__(self) -> int:
        return len(self.middles)

    @property
    def lengths(self) -> Array:
        """(n,)"""
        return np.asarray(np.hypot(self.along[:, 0], self.along[:, 1]))


def oblique_strokes(sheet: Sheet, lines: Lines) -> ObliqueStrokes:
    """Short strokes, thin or filled, whose middle a level and an upright line go through."""
    ends = np.concatenate((lines.ends, _thick_strokes(sheet)))
    along = (ends[:, 2:] - ends[:, :2]) * np.where(ends[:, 3:] < ends[:, 1:2], -1.0, 1.0)
    long = np.hypot(along[:, 0], along[:, 1])
    short = (long > SHORTEST * lines.size) & (long < LONGEST * lines.size)
    short &= least(np.abs(along)) > LEANS * long
    middles, along, long = (ends[short, :2] + ends[short, 2:]) / 2, along[short], long[short]
    for axis in (0, 1):
        crossed = _are_crossed(middles, long, lines.ends, axis)
        middles, along, long = middles[crossed], along[crossed], long[crossed]
    return _once(ObliqueStrokes(middles, along))


def _thick_strokes(sheet: Sheet) -> Array:
    """(n, 4) the ends of strokes that are drawn as filled quadrangles."""
    held = [fill.points[:4] for fill in sheet.fills if len(fill.points) == 4 or _is_closed(fill.points)]
    if not held:
        return np.zeros((0, 4))
    corners = np.array(held, float)
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.roll(corners, -1, axis=1) - corners
        sides = np.hypot(steps[..., 0], steps[..., 1])
        slim = greatest(sides) > SLIMMEST * least(sides)
        alike = greatest(np.abs(sides[:, :2] - sides[:, 2:])) < greatest(sides) / SLIMMEST
        middles = corners + steps / 2
    first = (sides[:, 0] > sides[:, 1])[:, None]  # which of two neighbouring sides is the long one
    ends = np.where(first, middles[:, 1::2].reshape(-1, 4), middles[:, ::2].reshape(-1, 4))
    return np.asarray(ends[slim & alike & every(np.abs(ends) < FARTHEST)])


def _is_closed(points: Array) -> bool:
    """Whether an outline is a quadrangle whose first corner is repeated."""
    return len(points) == 5 and bool((points[0] == points[4]).all())


def _are_crossed(middles: Array, long: Array, ends: Array, axis: int) -> Flags:
    """(n,) whether a line along an axis, as long as the stroke at least, goes through the middle of each."""
    across = 1 - axis
    first, last = ends[:, axis], ends[:, 2 + axis]
    straight = np.abs(ends[:, across] - ends[:, 2 + across]) <= STRAIGHT * np.abs(last - first)
    # Most lines of a sheet are shorter than the shortest stroke in question.
    straight &= np.abs(last - first) > long.min(initial=math.inf)
    low, high = np.minimum(first, last)[straight], np.maximum(first, last)[straight]
    order = np.argsort(ends[straight, across], kind="stable")
    low, high, offset = low[order], high[order], ends[straight, across][order]
    slack = MIDDLE * long
    begin = np.searchsorted(offset, middles[:, across] - slack)
    of, line = whole_numbers(begin, np.searchsorted(offset, middles[:, across] + slack, side="right"))
    place = middles[of, axis]
    meets = (low[line] < place + slack[of]) & (high[line] > place - slack[of]) & (high[line] - low[line] > long[of])
    return np.bincount(of[meets], minlength=len(middles)) > 0


def _once(found: ObliqueStrokes) -> ObliqueStrokes:
    """One at each place."""
    if not len(found):
        return found
    step = SAME_PLACE * float(np.median(found.lengths))
    _, first = np.unique(np.round(found.middles / step), axis=0, return_index=True)
    first.sort()
    return ObliqueStrokes(found.middles[first], found.along[first])
