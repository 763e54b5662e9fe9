"""Bores in sections: beyond both ends of the diameter the material is hatched (ISO 128-50, ASME Y14.3).

Where the section is cut off, by a break line or the circle of a detail, no outline is drawn beyond the bore; its hatching is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Sheet

OBLIQUE: Final = (20.0, 70.0)
"""Degrees from the axis of hatching lines."""
ON_EDGE: Final = 0.5
"""Part of the slack by which the end of a hatching line is off the edge that it ends at."""
ALONG: Final = 120.0
"""Slacks from the line of the diameter, along the edge, within which hatching is looked at."""
FEWEST: Final = 2
"""Lines of hatching at each edge."""
PARALLEL: Final = 2.0
"""Degrees between lines of one hatching: the slopes of a groove, one each way, are none."""
MOST: Final = 20
"""Lines at an edge whose directions are tried."""
CLEARER: Final = 3
"""Times as many lines beyond the edges as between them: a wall is hatched on both sides of neither."""


def hatching(sheet: Sheet, slack: float) -> Array:
    """(n, 4) the strokes of a sheet that may be of hatching."""
    ends = sheet.strokes.ends[~sheet.strokes.curved]
    wide, tall = np.abs(ends[:, 2] - ends[:, 0]), np.abs(ends[:, 3] - ends[:, 1])
    turn = np.degrees(np.arctan2(tall, wide))
    is_oblique = (turn >= OBLIQUE[0]) & (turn <= OBLIQUE[1]) & (np.hypot(wide, tall) > slack)
    return np.asarray(ends[is_oblique])


def is_hatched_beyond(lines: Array, axis: int, low: float, high: float, line: float, slack: float) -> bool:
    """Whether hatching ends at the edges at both ends of a diameter, beyond them and not between.

    lines: (n, 4) that may be of hatching; axis: along which the diameter is measured, from `low` to `high`; line: its place on the other.
    """
    beyond, between = _hatching_at(lines, axis, low, high, line, slack)
    return min(beyond) >= FEWEST and sum(beyond) >= CLEARER * sum(between)


def is_hatched_between(lines: Array, axis: int, low: float, high: float, line: float, slack: float) -> bool:
    """Whether hatching ends at the edges at both ends of a diameter, between them and not beyond: they are of the outside."""
    beyond, between = _hatching_at(lines, axis, low, high, line, slack)
    return min(between) >= FEWEST and sum(between) >= CLEARER * sum(beyond)


def _hatching_at(
    lines: Array, axis: int, low: float, high: float, line: float, slack: float
) -> tuple[tuple[int, int], tuple[int, int]]:
    """How many parallel lines end at both edges, beyond them and between them."""
    near = lines[np.abs(lines[:, [1 - axis, 3 - axis]].mean(axis=1) - line) <= ALONG * slack]
    begin, end = np.sort(near[:, [axis, axis + 2]], axis=1).T
    turns = np.degrees(np.arctan2(near[:, 3] - near[:, 1], near[:, 2] - near[:, 0])) % 180.0
    beyond = _count(end, begin < low - slack, low, turns, slack), _count(begin, end > high + slack, high, turns, slack)
    between = _count(begin, end > low + slack, low, turns, slack), _count(end, begin < high - slack, high, turns, slack)
    return beyond, between


def _count(ends: Array, chosen: Flags, edge: float, turns: Array, slack: float) -> int:
    """How many of the chosen lines have this end at an edge, of those in the commonest direction."""
    found = turns[chosen & (np.abs(ends - edge) <= ON_EDGE * slack)]
    return max(
        (int((np.abs((found - turn + 90.0) % 180.0 - 90.0) <= PARALLEL).sum()) for turn in found[:MOST]), default=0
    )
