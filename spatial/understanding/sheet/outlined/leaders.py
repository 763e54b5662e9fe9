"""Leaders whose landing stands before or behind a line of lettering, where it looks like a letter of it.

Glossary
  leader   a line from an arrowhead to what is said about the place that it points at (ISO 129-1, ASME Y14.5).
  landing  its last part, which is level and ends at half the height of the text; also: shoulder.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely

from spatial.models.sheet.drawing import Array, Flags, Sheet

HEAD: Final = 4
"""Points of the outline of a filled arrowhead, its first one twice."""
SLENDER: Final = 1.5
"""How many times as long as wide an arrowhead is at least."""
LEVEL: Final = 0.02
"""How far a landing leans."""


def find_landings(sheet: Sheet, small: Flags, slack: float) -> Flags:
    """(n,) which strokes are a leader of two: one begins in the middle of an arrowhead's back, the other is level and ends free.

    small: (n,) which strokes may be of letters; slack: how near pieces touch.
    """
    found = np.zeros(len(small), bool)
    backs, reach = _backs(sheet)
    places = np.flatnonzero(small)
    if not len(backs) or not len(places):
        return found
    ends = sheet.strokes.ends[places].reshape(-1, 2)
    points = shapely.points(ends)
    tree = shapely.STRtree(points)
    for at in np.unique(tree.query(shapely.points(backs), predicate="dwithin", distance=reach)[1]).tolist():
        other = _next(tree, points, at ^ 1, slack)
        if other < 0 or len(tree.query(points[other ^ 1], predicate="dwithin", distance=slack)) != 1:
            continue
        run, rise = np.sort(np.abs(ends[other] - ends[other ^ 1]))[::-1].tolist()
        if rise <= LEVEL * run:
            found[places[[at // 2, other // 2]]] = True
    return found


def _next(tree: shapely.STRtree, points: Array, end: int, slack: float) -> int:
    """The only other end of a stroke at this one; -1 where there is none, or more of them."""
    near = [each for each in tree.query(points[end], predicate="dwithin", distance=slack).tolist() if each != end]
    return near[0] if len(near) == 1 else -1


def _backs(sheet: Sheet) -> tuple[Array, Array]:
    """(k, 2) the middles of the backs of filled arrowheads, and (k,) a quarter of how wide each is."""
    corners = np.array([fill.points[:3] for fill in sheet.fills if len(fill.points) == HEAD], float).reshape(-1, 3, 2)
    along = corners - np.roll(corners, -1, axis=1)
    sides = np.hypot(along[:, :, 0], along[:, :, 1])
    each, short = np.arange(len(sides)), sides.argmin(axis=1)
    width = sides[each, short]
    slender = (width > 0) & (np.sort(sides, axis=1)[:, 1] >= SLENDER * width)
    backs = (corners[each, short] + corners[each, (short + 1) % 3]) / 2
    return backs[slender], width[slender] / 4
