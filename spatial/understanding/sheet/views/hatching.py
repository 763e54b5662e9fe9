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
    near = np.abs(lines[:, [1 - axis, 3 - axis]].mean(axis=1) - line) <= ALONG * slack
    begin, end = np.sort(lines[near][:, [axis, axis + 2]], axis=1).T
    beyond = _count(end, begin < low - slack, low, slack), _count(begin, end > high + slack, high, slack)
    between = _count(begin, end > low + slack, low, slack) + _count(end, begin < high - slack, high, slack)
    return min(beyond) >= FEWEST and sum(beyond) >= CLEARER * between


def _count(ends: Array, chosen: Flags, edge: float, slack: float) -> int:
    """How many of the chosen lines have this end at an edge."""
    return int((chosen & (np.abs(ends - edge) <= ON_EDGE * slack)).sum())
