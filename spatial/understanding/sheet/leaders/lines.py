"""The straight strokes of a sheet by the endless line that they lie on, and by where they end.

Glossary
  run     strokes on one endless line.
  offset  signed distance of an endless line from the origin.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.geometry.index import CellIndex, KeyIndex
from spatial.models.sheet.drawing import Array, Indices, Sheet
from spatial.understanding.sheet.leaders.arrowheads import diagonal

TURN: Final = 1.0
"""Degrees of a class of directions."""
BANDS: Final = 800
"""Bands of offset in a diagonal of the sheet."""
MOST: Final = 400
"""Strokes of one class that are looked at."""
SHORTEST: Final = 1e-6
"""Diagonals of the sheet: a shorter stroke has no direction."""
SAME_END: Final = 4e-4
"""Diagonals of the sheet of a cell of ends: ends that meet."""
PARALLEL: Final = 0.02
"""Sine of the angle between a stroke and the line that it lies on."""
BINARY_NOISE: Final = 1e-9
"""Sheet units by which equal numbers may differ."""
AT_ONCE: Final = 250
"""Lines that are looked up together: each may meet three times MOST strokes."""
ENDS: Final = 24
"""Strokes that end in one cell that are looked at."""


class Lines:
    """Straight strokes, found by a line through a point, or by a point."""

    def __init__(self, sheet: Sheet) -> None:
        """Curved pieces and strokes without length are left out."""
        ends = sheet.strokes.ends
        with np.errstate(invalid="ignore"):
            good = every(np.abs(ends) < 1e9) & ~sheet.strokes.curved
        ends = ends[good]
        self.size = diagonal(sheet)
        self.ends = ends[np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) > SHORTEST * self.size]
        self._band = self.size / BANDS
        self._middle = np.array([(sheet.box[0] + sheet.box[2]) / 2, (sheet.box[1] + sheet.box[3]) / 2])
        if not np.isfinite(self._middle).all():
            self._middle = np.zeros(2)
        self._by_line()
        self._tips = CellIndex(np.concatenate((self.ends[:, :2], self.ends[:, 2:])), SAME_END * self.size)

    def _by_line(self) -> None:
        along = self.ends[:, 2:] - self.ends[:, :2]
        angle = np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 180
        key = self._key(angle, self._offset(angle, (self.ends[:, :2] + self.ends[:, 2:]) / 2))
        self._lines = KeyIndex(key)

    def _offset(self, angle: Array, places: Array) -> Array:
        turn = np.radians(angle)
        from_middle = places - self._middle
        return np.asarray(from_middle[:, 1] * np.cos(turn) - from_middle[:, 0] * np.sin(turn))

    def _key(self, angle: Array, offset: Array) -> Indices:
        turn = np.round(angle / TURN).astype(np.int64) % int(180 / TURN)
        # Offsets change sign where a direction goes over 180°: the class of 0° holds both.
        offset = np.where((turn == 0) & (angle > 90), -offset, offset)
        band = np.round(np.clip(offset / self._band, -1e6, 1e6)).astype(np.int64)
        return turn * 4_000_000 + band + 2_000_000

    def on(self, places: Array, ways: Array, slacks: Array) -> Iterator[tuple[Indices, Array]]:
        """The strokes that lie on lines, each through a place (n, 2) along its way (n, 2), some lines at a time.

        Of each stroke the number of its line, in order, and (k, 2) where it begins and ends along `way` from `place`.
        """
        for begin in range(0, len(places), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            line, intervals = self._on(places[part], ways[part], slacks[part])
            yield line + begin, intervals

    def _on(self, places: Array, ways: Array, slacks: Array) -> tuple[Indices, Array]:
        angle = np.degrees(np.arctan2(ways[:, 1], ways[:, 0])) % 180
        angles = (angle[:, None] + np.array([-TURN, 0.0, TURN])) % 180
        offset = self._offset(angle, places)[:, None]
        keys = self._key(angles, np.where(np.abs(angles - angle[:, None]) > 90, -offset, offset)).ravel()
        of, strokes = self._lines.things(*self._lines.ranges(keys - 1, keys + 1, MOST))
        return _intervals(of // 3, self.ends[strokes], places, ways, slacks)

    def at(self, places: Array) -> tuple[Indices, Indices]:
        """Strokes with an end at places (n, 2): the numbers of place and stroke, in order, each pair once."""
        count = max(len(self.ends), 1)
        pairs = [place * count + end % count for place, end in self._tips.near(places, ENDS)]
        pair = np.sort(np.concatenate(pairs)) if pairs else np.zeros(0, np.int64)
        pair = pair[np.diff(pair, prepend=-1) > 0]
        return pair // count, pair % count


def _intervals(line: Indices, ends: Array, places: Array, ways: Array, slacks: Array) -> tuple[Indices, Array]:
    """Of strokes within `slack` of their line, where they begin and end along it."""
    from_place = ends.reshape(-1, 2, 2) - places[line, None]
    way, slack = ways[line], slacks[line]
    along = from_place[:, :, 0] * way[:, :1] + from_place[:, :, 1] * way[:, 1:]
    aside = np.abs(from_place[:, :, 0] * way[:, 1:] - from_place[:, :, 1] * way[:, :1])
    level = np.abs(aside[:, 0] - aside[:, 1]) <= PARALLEL * np.abs(along[:, 1] - along[:, 0]) + BINARY_NOISE
    near = (np.maximum(aside[:, 0], aside[:, 1]) <= slack) | ((np.minimum(aside[:, 0], aside[:, 1]) <= slack) & level)
    along = along[near]
    return line[near], np.column_stack([np.minimum(along[:, 0], along[:, 1]), np.maximum(along[:, 0], along[:, 1])])
