"""Extension lines that begin at a text and go straight across an axis of the sheet, or go on beside it after one jog.

Glossary
  place   where an extension line stands along the axis: x of an upright line, y of a level one.
  side    +1 where the line goes up or to the right from its text, -1 where it goes down or to the left.
  jog     the oblique piece with which a line evades another text (ASME Y14.5 shows it in crowded rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.leaders.lines import Lines

PARALLEL: Final = 0.002
"""Sine of the angle by which a line may lean: rounding of exporters."""
BESIDE: Final = 0.6
"""Letter heights between the middle of a text and the line that begins at it."""
GAP: Final = (-0.3, 2.0)
"""Letter heights from the edge of a text to the beginning of its line; the box of a text may be too wide."""
SHORTEST: Final = 1.5
"""Letter heights of an extension line; the tick of an axis is shorter."""
SHORTEST_AT_BOX: Final = 0.4
"""The same from a box, in which no number of an axis stands: the dash of a centre line, which is the zero of what is symmetrical."""
PLACED: Final = 2e-4
"""Diagonals of the sheet by which a place may be wrong: exporters round to a tenth of a point."""
NEAR: Final = 200
"""Strokes near one text, or on one line, that are looked at."""


@dataclass(frozen=True, slots=True)
class ExtensionLine:
    """From a text to a feature."""

    label: int
    """Place of its text among the labels."""
    place: float
    """At the feature."""
    begin: float
    """Where it begins at the text, across the axis."""
    end: float
    height: float
    """Of a letter of its text."""


class AcrossAxis:
    """The strokes of a sheet across one of its axes, by place."""

    def __init__(self, lines: Lines, axis: int) -> None:
        """axis: 0 for upright strokes, which stand along x; 1 for level ones."""
        self.lines, self.axis, self.slack = lines, axis, PLACED * lines.size
        ends = lines.ends[are_across(lines.ends, axis)]
        places = (ends[:, axis] + ends[:, axis + 2]) / 2
        order = np.argsort(places, kind="stable")
        self._places = places[order]
        self._along = np.sort(ends[:, [1 - axis, 3 - axis]][order], axis=1)

    def of(self, number: int, label: Label, side: int) -> Iterator[ExtensionLine]:
        """The line that begins at a text: as it goes straight on, then as it goes on after a jog."""
        found = self._begin(label, side)
        if found is None:
            return
        place, begin, end = found
        straight = self._continued(place, end, side)
        ends = [(place, straight), *self._jogged(place, end, side)]
        shortest = (SHORTEST_AT_BOX if label.boxed else SHORTEST) * label.height
        for at, last in ends:
            if side * (last - begin) >= shortest:
                yield ExtensionLine(number, at, begin, last, label.height)

    def _begin(self, label: Label, side: int) -> tuple[float, float, float] | None:
        """Place, near and far end of the stroke that begins at a text."""
        middle, height = label.position[self.axis], label.height
        edge = label.box[3 - self.axis] if side > 0 else label.box[1 - self.axis]
        places, near, far = self._within(middle, BESIDE * height, side)
        gaps = side * (near - edge) / height
        # The line of a section may go on where an extension line begins: the nearest along and beside the text is its own.
        off = np.where((gaps >= GAP[0]) & (gaps <= GAP[1]), np.abs(places - middle) / height + np.abs(gaps), np.inf)
        if not np.isfinite(off.min(initial=np.inf)):
            return None
        best = int(np.argmin(off))
        return float(places[best]), float(near[best]), float(far[best])

    def _within(self, place: float, slack: float, side: int) -> tuple[Array, Array, Array]:
        """Strokes about a place: their places, and their near and far ends as seen from their `side`'s text."""
        first, last = np.searchsorted(self._places, (place - slack, place + slack))
        some = slice(first, min(last, first + NEAR))
        along = self._along[some]
        return self._places[some], along[:, 0 if side > 0 else 1], along[:, 1 if side > 0 else 0]

    def _continued(self, place: float, end: float, side: int) -> float:
        """Where a line ends that begins with a stroke to `end` and may be drawn in pieces that touch."""
        _, near, far = self._within(place, self.slack, side)
        for first, last in sorted(zip((side * near).tolist(), (side * far).tolist(), strict=True)):
            if first - side * end <= self.slack and last > side * end:
                end = side * last
        return end

    def _jogged(self, place: float, end: float, side: int) -> Iterator[tuple[float, float]]:
        """Place and end of strokes that go on beside a stroke after one oblique piece."""
        corner = np.array([place, end] if self.axis == 0 else [end, place])
        _, strokes = self.lines.at(corner[None, :])
        oblique = self.lines.ends[strokes]
        oblique = oblique[~are_across(oblique, self.axis)].reshape(-1, 2, 2)
        for first, last in oblique:
            away = last if np.hypot(*(first - corner)) < np.hypot(*(last - corner)) else first
            at, along = float(away[self.axis]), float(away[1 - self.axis])
            places, near, far = self._within(at, self.slack, side)
            joined = np.flatnonzero(np.abs(near - along) <= self.slack)
            yield from ((float(places[one]), float(far[one])) for one in joined)


def are_across(ends: Array, axis: int) -> Flags:
    """Which strokes (n, 4) stand square to an axis."""
    lean = np.abs(ends[:, axis + 2] - ends[:, axis])
    across: Flags = lean <= PARALLEL * np.abs(ends[:, 3 - axis] - ends[:, 1 - axis])
    return across
