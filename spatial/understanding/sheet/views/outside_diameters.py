"""Diameters of a side view that are of the outside of the part: beyond them the view has no outline, and no hatching.

Glossary
  edge      an outline along the axis of a turned part, at one end of the diameter.
  station   a place along that axis, where both edges are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Dimensioning, Sheet
from spatial.understanding.sheet.leaders.arrowheads import diagonal
from spatial.understanding.sheet.views.clusters import cluster_boxes, is_frame, merged
from spatial.understanding.sheet.views.hatching import hatching, is_hatched_between, is_hatched_beyond

AT_EDGE: Final = 1e-3
"""Diagonals of the sheet between the end of a diameter and the edge that it measures to, and between an edge and what is beyond it."""
INSIDE: Final = 0.15
"""Of the size of a round view, from its box to what is inside of its outline."""
LEAST: Final = 12.0
"""Slacks of a diameter of which hatching is looked at: in a narrower one the heads of its arrows lie beyond it, among other lines."""
LEVEL: Final = 0.01
"""Of its length by which an edge may be off the axis."""


def outside_diameters(ends: Array, sheet: Sheet, dimensions: Sequence[Dimensioning]) -> frozenset[str]:
    """Ids of the diameters that no outline lies beyond, in the view that they are of.

    ends: (n, 4) the outlines of the sheet, drawn wider than dimension lines. Where their width does not tell them, nothing is known.
    """
    size = diagonal(sheet)
    slack = AT_EDGE * size
    spans = [(each.id, span) for each in dimensions if each.type == "diameter" and (span := _span(each, slack))]
    found = cluster_boxes(ends, size) if spans and len(ends) else []
    boxes = merged([box for box in found if not is_frame(box, sheet.box)])
    without_outline = {
        name: span
        for name, span in spans
        if (box := _view_of(boxes, *span, slack)) and _is_outside(ends, box, *span, slack)
    }
    lines = hatching(sheet, slack) if without_outline else ends
    return frozenset(name for name, span in without_outline.items() if not is_hatched_beyond(lines, *span, slack))


def hatched_diameters(sheet: Sheet, dimensions: Sequence[Dimensioning]) -> frozenset[str]:
    """Ids of the diameters of a section between whose ends the material is, and not beyond: bosses, rings and turned ends."""
    slack = AT_EDGE * diagonal(sheet)
    spans = [(each.id, span) for each in dimensions if each.type == "diameter" and (span := _span(each, slack))]
    lines = hatching(sheet, slack) if spans else np.empty((0, 4))
    return frozenset(
        name for name, span in spans if span[2] - span[1] >= LEAST * slack and is_hatched_between(lines, *span, slack)
    )


def _view_of(boxes: Sequence[Box], axis: int, low: float, high: float, line: float, slack: float) -> Box | None:
    """The view nearest the line of a diameter, of those that it can be within."""
    able = [box for box in boxes if box[axis] - slack <= low and high <= box[axis + 2] + slack]
    return min(able, key=lambda box: max(box[1 - axis] - line, line - box[3 - axis], 0.0), default=None)


def _span(dimension: Dimensioning, slack: float) -> tuple[int, float, float, float] | None:
    """Axis along which a diameter is measured, from where to where, and the place of its line on the other axis."""
    tips = dimension.further.get("arrow_tips", ())
    if len(tips) != 2:
        return None
    (x0, y0), (x1, y1) = tips
    if abs(x1 - x0) <= slack < abs(y1 - y0):
        return 1, min(y0, y1), max(y0, y1), x0
    if abs(y1 - y0) <= slack < abs(x1 - x0):
        return 0, min(x0, x1), max(x0, x1), y0
    return None


def _is_outside(ends: Array, box: Box, axis: int, low: float, high: float, line: float, slack: float) -> bool:
    """Whether a view has an edge at both ends of a diameter and none beyond them at the station nearest its line."""
    across = ends[:, [axis, axis + 2]]
    along = ends[:, [1 - axis, 3 - axis]]
    within = (across.min(axis=1) >= box[axis] - slack) & (across.max(axis=1) <= box[axis + 2] + slack)
    within &= (along.min(axis=1) >= box[1 - axis] - slack) & (along.max(axis=1) <= box[3 - axis] + slack)
    across, along = across[within], along[within]
    stations = list(_stations(across, along, low, high, slack))
    if not stations:
        return low <= box[axis] + slack and high >= box[axis + 2] - slack and _has_inside(ends[within], box)
    begin, end = min(stations, key=lambda each: max(each[0] - line, line - each[1], 0.0))
    station = min(max(line, begin + slack), end - slack) if end - begin > 2 * slack else (begin + end) / 2
    crosses = (along.min(axis=1) < station) & (along.max(axis=1) > station)
    beyond = (across.min(axis=1) < low - slack) | (across.max(axis=1) > high + slack)
    return not bool((crosses & beyond).any())


def _has_inside(ends: Array, box: Box) -> bool:
    """Whether a round view holds more than its own outline, as a lone hole of a layout does not."""
    margin = INSIDE * (box[2] - box[0]), INSIDE * (box[3] - box[1])
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    inside = (low > (box[0] + margin[0], box[1] + margin[1])) & (high < (box[2] - margin[0], box[3] - margin[1]))
    return bool(inside.all(axis=1).any())


def _stations(across: Array, along: Array, low: float, high: float, slack: float) -> Iterator[tuple[float, float]]:
    """Stretches of the axis along which edges are drawn at both ends of a diameter."""
    length = np.abs(along[:, 1] - along[:, 0])
    level = (np.abs(across[:, 1] - across[:, 0]) <= LEVEL * length) & (length > slack)
    at_low, at_high = (along[level & (np.abs(across.mean(axis=1) - place) <= slack)] for place in (low, high))
    for one in np.sort(at_low, axis=1):
        for other in np.sort(at_high, axis=1):
            begin, end = max(one[0], other[0]), min(one[1], other[1])
            if end > begin:
                yield float(begin), float(end)
