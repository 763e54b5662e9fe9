"""Dimension lines that oblique strokes end: the stretches between neighbouring strokes on one level or upright line.

A stroke stands where a dimension line and an extension line cross, and which of the two is the dimension line it says only where it leans
by less than 45° to it. Otherwise the ends say it: a dimension line ends a little beyond its last strokes, an extension line goes on to
the part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.dimensions.drawn import TOUCHING, Drawn, drawn_along
from spatial.understanding.sheet.dimensions.span import Span
from spatial.understanding.sheet.dimensions.spans import DRAWN_PART
from spatial.understanding.sheet.leaders.lines import Lines
from spatial.understanding.sheet.leaders.oblique_strokes import ObliqueStrokes

SURE: Final = 0.9
"""How sure a dimension line between oblique strokes is."""
MOST: Final = 3000
"""Strokes of a sheet that are looked at."""
STEEPEST: Final = 1.15
"""Tangent of the angle, 49°, between a stroke and its dimension line at most."""
NEARER: Final = 0.8
"""Tangent of that angle up to which the stroke says what is its dimension line."""
SAME_LINE: Final = 0.2
"""Lengths of a stroke between the offsets of those on one line."""
ALIKE: Final = 0.1
"""Lengths of a stroke by which those of one dimension may differ."""
ENDS: Final = 4.0
"""Lengths of a stroke by which a dimension line goes on beyond its last stroke at most."""
LEAVES: Final = 0.5
"""Lengths of a stroke beside it along which its dimension line is drawn."""
WIDEST_GAP: Final = 6.0
"""Lengths of a stroke of the gap in which a text can stand: a text is little taller than a stroke is long."""


def spans_between(strokes: ObliqueStrokes, lines: Lines) -> list[Span]:
    """Every stretch between neighbouring strokes of one kind along which a line is drawn."""
    if not 2 <= len(strokes) <= MOST:
        return []
    return [span for axis in (0, 1) for span in _along(strokes, lines, axis)]


def _along(strokes: ObliqueStrokes, lines: Lines, axis: int) -> Iterator[Span]:
    """Those along x or y."""
    groups = list(_on_one_line(strokes, axis))
    if not groups:
        return
    way = np.zeros((len(groups), 2))
    way[:, axis] = 1.0
    first = strokes.middles[[group[0] for group in groups]]
    slack = SAME_LINE * strokes.lengths[[group[0] for group in groups]]
    for number, drawn in drawn_along(lines, first, way, slack, TOUCHING * slack):
        group, place = groups[number], first[number]
        at: list[float] = (strokes.middles[group, axis] - place[axis]).tolist()
        for low, high in _drawn(at, strokes.along[group], drawn, axis):
            yield _span(place, way[number], low, high, drawn)


def _on_one_line(strokes: ObliqueStrokes, axis: int) -> Iterator[Indices]:
    """Places of the strokes on one line along an axis, in order along it."""
    along, across = np.abs(strokes.along[:, axis]), np.abs(strokes.along[:, 1 - axis])
    can_end = np.flatnonzero(across < STEEPEST * along)
    offset, lengths = strokes.middles[can_end, 1 - axis], strokes.lengths[can_end]
    order = np.argsort(offset, kind="stable")
    breaks = np.flatnonzero(np.diff(offset[order]) > SAME_LINE * lengths[order][1:]) + 1
    for group in np.split(can_end[order], breaks):
        if len(group) > 1:
            yield group[np.argsort(strokes.middles[group, axis], kind="stable")]


def _drawn(at: list[float], along: Array, drawn: Drawn, axis: int) -> Iterator[tuple[float, float]]:
    """Neighbours that are alike and between which their line is drawn, where it is a dimension line."""
    lengths = np.hypot(along[:, 0], along[:, 1])
    alike = np.abs(np.diff(along, axis=0)).max(axis=1) < ALIKE * lengths[1:]
    run: list[tuple[float, float]] = []
    for place, (low, high) in enumerate(pairwise(at)):
        if alike[place] and _is_drawn(drawn, low, high, float(lengths[place])):
            run.append((low, high))
        else:
            yield from _of_dimension(run, drawn, along[place], axis)
            run = []
    yield from _of_dimension(run, drawn, along[-1], axis)


def _is_drawn(drawn: Drawn, low: float, high: float, stroke: float) -> bool:
    """Whether a line leaves both strokes towards each other; the text may break it."""
    near = min(LEAVES * stroke, (high - low) / 2)
    leaves, reaches = drawn.any(low + near / 2, low + near), drawn.any(high - near, high - near / 2)
    gap = high - low - drawn.length(low, high)
    return high > low and leaves and reaches and gap < min((1 - DRAWN_PART) * (high - low), WIDEST_GAP * stroke)


def _of_dimension(run: list[tuple[float, float]], drawn: Drawn, stroke: Array, axis: int) -> list[tuple[float, float]]:
    """The stretches of a run, where its line is a dimension line."""
    if not run or abs(float(stroke[1 - axis])) < NEARER * abs(float(stroke[axis])):
        return run
    low, high = run[0][0], run[-1][1]
    begin, end = drawn.reach(low, high)
    most = ENDS * float(np.hypot(stroke[0], stroke[1]))
    return run if low - begin < most and end - high < most else []


def _span(place: Array, way: Array, low: float, high: float, drawn: Drawn) -> Span:
    begin, end = drawn.text_range(low, high, SURE, 0.0)
    one, other = (place + way * low).tolist(), (place + way * high).tolist()
    return Span((one[0], one[1]), (other[0], other[1]), high - low, (begin - low, end - low), SURE)
