"""The strokes that go on from a dimension line, and at or on which its text stands.

Glossary
  shoulder  the stroke that goes on from the end of a dimension line at an angle, and at or on which its text stands (ISO 129-1); or the
            end of a leader from the middle of that line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.dimensions.span import Place, Span
from spatial.understanding.sheet.leaders.lines import Lines

BENT: Final = 0.1
"""Sine of the angle between a dimension line and its shoulder, at least."""


def with_shoulders(found: list[Span], lines: Lines) -> list[Span]:
    """Dimension lines with the strokes that go on alone, at an angle, from where they end, and the ends of leaders from their middles.

    Such a stroke may be drawn in two.
    """
    strokes = alone_at([(end, span) for span in found for end in span.ends or (span.first, span.last)], lines)
    leaders = alone_at([(_middle(span), span) for span in found], lines)
    further, landings = _landings(strokes, lines), _landings(leaders, lines)
    return [
        replace(
            span,
            shoulders=tuple(
                filter(
                    None,
                    (
                        *(held.get(2 * place + end) for held in (strokes, further) for end in (0, 1)),
                        landings.get(place),
                    ),
                )
            ),
        )
        for place, span in enumerate(found)
    ]


def _middle(span: Span) -> Place:
    return (span.first[0] + span.last[0]) / 2, (span.first[1] + span.last[1]) / 2


def alone_at(places: list[tuple[Place, Span]], lines: Lines) -> dict[int, tuple[Place, Place]]:
    """The only stroke that begins at a place of a dimension line at an angle, by the number of the place.

    None at a tip, where its witness stands.
    """
    numbers = np.array(
        [number for number, (place, span) in enumerate(places) if place not in (span.first, span.last)], int
    )
    own = [places[number] for number in numbers.tolist()]
    begins = np.array([place for place, _ in own], float).reshape(-1, 2)
    tips = np.array([(*span.first, *span.last) for _, span in own], float).reshape(-1, 4)
    at, strokes = lines.at(begins)
    begun = _from(lines.ends[strokes], begins[at])
    along, line = begun[:, 2:] - begun[:, :2], (tips[:, 2:] - tips[:, :2])[at]
    bend = np.abs(along[:, 0] * line[:, 1] - along[:, 1] * line[:, 0])
    bent = bend >= BENT * np.hypot(along[:, 0], along[:, 1]) * np.hypot(line[:, 0], line[:, 1])
    return _single(numbers[at[bent]], begun[bent])


def _landings(leaders: dict[int, tuple[Place, Place]], lines: Lines) -> dict[int, tuple[Place, Place]]:
    """The only other stroke at the end of each leader, which the text stands on, by the leader's number."""
    numbers = np.array(list(leaders), int)
    held = np.array([(*begin, *end) for begin, end in leaders.values()], float).reshape(-1, 4)
    at, strokes = lines.at(held[:, 2:])
    begun = _from(lines.ends[strokes], held[at, 2:])
    back, long = begun[:, 2:] - held[at, :2], begun[:, 2:] - begun[:, :2]
    other = np.hypot(back[:, 0], back[:, 1]) > np.hypot(long[:, 0], long[:, 1]) / 2
    return _single(numbers[at[other]], begun[other])


def _from(strokes: Array, begins: Array) -> Array:
    """Strokes (n, 4), each from its end near a place (n, 2) on."""
    off = np.hypot(strokes[:, 0::2] - begins[:, :1], strokes[:, 1::2] - begins[:, 1:])
    return np.where((off[:, 0] <= off[:, 1])[:, None], strokes, strokes[:, [2, 3, 0, 1]])


def _single(numbers: Indices, strokes: Array) -> dict[int, tuple[Place, Place]]:
    """Beginning and end of each stroke (n, 4) whose number (n,) no other has."""
    found, first, count = np.unique(numbers, return_index=True, return_counts=True)
    alone = zip(found[count == 1].tolist(), strokes[first[count == 1]].tolist(), strict=True)
    return {number: ((x0, y0), (x1, y1)) for number, (x0, y0, x1, y1) in alone}
