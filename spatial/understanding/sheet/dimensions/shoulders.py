"""Where the text of a dimension stands away from its line: at a shoulder that goes on from the end of the line, or from its middle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.dimensions.spans import Place, Span
from spatial.understanding.sheet.leaders.lines import Lines

BENT: Final = 0.1
"""Sine of the angle between a dimension line and its shoulder, at least."""
_STARTS: Final = 3
"""Of a span: the two ends of its line, and its middle."""

Stroke: TypeAlias = tuple[Place, Place]


def with_shoulders(found: Sequence[Span], lines: Lines) -> list[Span]:
    """Dimension lines with the strokes that go on alone, at an angle, from where they end or from their middle, and one more."""
    starts = [start for span in found for start in _starts(span)]
    ways = [_way(span.first, span.last) for span in found for _ in range(_STARTS)]
    first = _alone(dict(enumerate(starts)), ways, lines)
    second = _alone(
        {start: far for start, (_, far) in first.items()}, {at: _way(*each) for at, each in first.items()}, lines
    )
    return [
        replace(
            span,
            shoulders=tuple(
                held[at]
                for at in range(_STARTS * place, _STARTS * (place + 1))
                for held in (first, second)
                if at in held
            ),
        )
        for place, span in enumerate(found)
    ]


def _starts(span: Span) -> tuple[Place, Place, Place]:
    """Where shoulders may begin; none at a tip, where a witness stands, which is said by a place that is nowhere."""
    before, after = span.ends or (span.first, span.last)
    nowhere = math.inf, math.inf
    middle = (span.first[0] + span.last[0]) / 2, (span.first[1] + span.last[1]) / 2
    tips = span.first, span.last
    return nowhere if before in tips else before, nowhere if after in tips else after, middle


def _alone(starts: Mapping[int, Place], ways: Mapping[int, Place] | Sequence[Place], lines: Lines) -> dict[int, Stroke]:
    """For each start the stroke from there that does not go on along its way, where there is one alone."""
    held = [number for number, start in starts.items() if math.isfinite(start[0])]
    found: dict[int, list[Stroke]] = {}
    at, strokes = lines.at(np.array([starts[number] for number in held], float).reshape(-1, 2))
    for place, stroke in zip(at.tolist(), strokes.tolist(), strict=True):
        number = held[place]
        begin, end = _from(starts[number], lines.ends[stroke])
        across, way = (end[0] - begin[0], end[1] - begin[1]), ways[number]
        if abs(across[0] * way[1] - across[1] * way[0]) >= BENT * math.hypot(*across):
            found.setdefault(number, []).append((begin, end))
    return {number: each[0] for number, each in found.items() if len(each) == 1}


def _from(start: Place, stroke: Array) -> Stroke:
    """A stroke from its end that is at a place."""
    one, other = (float(stroke[0]), float(stroke[1])), (float(stroke[2]), float(stroke[3]))
    return (one, other) if math.dist(one, start) <= math.dist(other, start) else (other, one)


def _way(first: Place, last: Place) -> Place:
    long = math.dist(first, last)
    return (last[0] - first[0]) / long, (last[1] - first[1]) / long
