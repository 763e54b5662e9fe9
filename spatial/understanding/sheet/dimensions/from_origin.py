"""Dimension lines with a head at one end only, which begin at the extension line of a common origin: superimposed running dimensions.

ISO 129-1 draws them so, with or without a circle at the origin. A line with a head is a leader too, so that such a one is thought of
only where it is as long as its text says, and it is level or upright.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.dimensions.drawn import TOUCHING, drawn_along
from spatial.understanding.sheet.dimensions.extension_lines import are_across
from spatial.understanding.sheet.dimensions.span import INSIDE, SHARED, Place, Span, are_tips_of
from spatial.understanding.sheet.dimensions.spans import LEAVES_AT, ON_LINE, OUTSIDE
from spatial.understanding.sheet.leaders.arrowheads import Heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

MOST: Final = 400
"""Heads of a sheet that are looked at."""
GAP: Final = (-0.1, 0.6)
"""Lengths of a head between where its line ends and the line of the origin."""
LEAST: Final = 1.5
"""Lengths of a head of its line."""


def spans_from_origin(lined: Heads, lines: Lines, known: Sequence[Span]) -> list[Span]:
    """Those of heads, along the lines at them, that no dimension of `known` has."""
    arrows = squared(lined)
    slack = ON_LINE * float(np.median(arrows.lengths)) if len(arrows) else 0.0
    behind = arrows.tips - 2 * slack * arrows.ways
    free = ~are_tips_of(behind, (_behind_tips(span, 2 * slack) for span in known if span.sure > SHARED), slack)
    found: list[Span] = []
    for axis in (0, 1):
        some = np.flatnonzero(free & (arrows.ways[:, 1 - axis] == 0.0))[:MOST]
        if len(some):
            found += _along(Heads(arrows.tips[some], arrows.ways[some], arrows.lengths[some]), lines, axis)
    return found


def _behind_tips(span: Span, by: float) -> Span:
    """A dimension whose tips stand in its heads, by so much behind the real ones: two heads may have their tips at one place."""
    first, last = np.array(span.first), np.array(span.last)
    inwards = (last - first) * (by / span.measured) * (1 if span.sure >= INSIDE else -1)
    return replace(span, first=_place(first + inwards), last=_place(last - inwards))


def _along(arrows: Heads, lines: Lines, axis: int) -> Iterator[Span]:
    """Of heads along x or y."""
    ends = lines.ends[are_across(lines.ends, axis)]
    places, reach = (ends[:, axis] + ends[:, axis + 2]) / 2, np.sort(ends[:, [1 - axis, 3 - axis]], axis=1)
    lengths = arrows.lengths
    for number, drawn in drawn_along(lines, arrows.tips, -arrows.ways, ON_LINE * lengths, TOUCHING * lengths):
        head, tip, way = float(lengths[number]), arrows.tips[number], arrows.ways[number]
        long = drawn.end_of(LEAVES_AT[0] * head, LEAVES_AT[1] * head)
        if long is None or long < LEAST * head:
            continue
        at = (tip[axis] - places) * way[axis]
        near = (at > long + GAP[0] * head) & (at < long + GAP[1] * head)
        crossed = near & (reach[:, 0] < tip[1 - axis]) & (reach[:, 1] > tip[1 - axis])
        if crossed.any():
            measured = float(at[crossed].min())
            yield _span(tip - way * measured, tip, measured)


def _span(origin: Array, tip: Array, measured: float) -> Span:
    first, last = _place(origin), _place(tip)
    return Span(first, last, measured, (0.0, measured), OUTSIDE, ends=(first, last), only_to_scale=True)


def _place(place: Array) -> Place:
    return float(place[0]), float(place[1])
