"""The straight strokes of a sheet by the endless line that they lie on, and by where they end.

Glossary
  run     strokes on one endless line.
  offset  signed distance of an endless line from the origin.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.extraction.drawing._dimensioning_arrows import diagonal
from spatial.extraction.drawing.sheet import Array, Indices, Sheet

TURN: Final = 1.0
"""Degrees of a class of directions."""
BANDS: Final = 800
"""Bands of offset in a diagonal of the sheet."""
MOST: Final = 400
"""Strokes of one class that are looked at."""


class Lines:
    """Straight strokes, found by a line through a point, or by a point."""

    def __init__(self, sheet: Sheet) -> None:
        """Curved pieces and strokes without length are left out."""
        ends = sheet.strokes.ends
        good = np.isfinite(ends).all(axis=1) & ~sheet.strokes.curved & (np.abs(ends) < 1e9).all(axis=1)
        good &= np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) > 1e-6 * diagonal(sheet)
        self.size = diagonal(sheet)
        self.ends = ends[good]
        self._band = self.size / BANDS
        self._middle = np.array([(sheet.box[0] + sheet.box[2]) / 2, (sheet.box[1] + sheet.box[3]) / 2])
        if not np.isfinite(self._middle).all():
            self._middle = np.zeros(2)
        self._by_line()
        self._by_end()

    def _by_line(self) -> None:
        along = self.ends[:, 2:] - self.ends[:, :2]
        angle = np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 180
        key = self._key(angle, self._offset(angle, (self.ends[:, :2] + self.ends[:, 2:]) / 2))
        self._line_order = np.argsort(key, kind="stable")
        self._line_keys = key[self._line_order]

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

    def on(self, place: Array, way: Array, slack: float) -> Array:
        """(n, 2) intervals along `way`, from `place`, of the strokes that lie on the line through both; sorted by their beginning."""
        angle = float(np.degrees(np.arctan2(way[1], way[0]))) % 180
        angles = (angle + np.array([-TURN, 0.0, TURN])) % 180
        offset = float(self._offset(np.array([angle]), place[None])[0])
        keys = self._key(angles, np.where(np.abs(angles - angle) > 90, -offset, offset))
        firsts = np.searchsorted(self._line_keys, keys - 1, side="left").tolist()
        lasts = np.searchsorted(self._line_keys, keys + 1, side="right").tolist()
        found = [self._line_order[a : min(b, a + MOST)] for a, b in zip(firsts, lasts, strict=True)]
        ends = self.ends[np.unique(np.concatenate(found))]
        return _intervals(ends, place, way, slack)

    def _by_end(self) -> None:
        self._cell = max(4e-4 * self.size, 1e-9)
        points = np.concatenate((self.ends[:, :2], self.ends[:, 2:]))
        key = self._place_key(np.floor(points / self._cell))
        self._end_order = np.argsort(key, kind="stable")
        self._end_keys = key[self._end_order]

    @staticmethod
    def _place_key(cell: Array) -> Indices:
        whole = np.clip(cell, -1e9, 1e9).astype(np.int64)
        return whole[..., 0] * 2_147_483_647 + whole[..., 1]

    def at(self, place: Array) -> Indices:
        """Strokes with an end at a place."""
        cell = np.floor(place / self._cell)
        around = cell + np.array([(i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])
        keys = self._place_key(around)
        firsts = np.searchsorted(self._end_keys, keys, side="left")
        lasts = np.searchsorted(self._end_keys, keys, side="right")
        held = [
            self._end_order[a : min(b, a + 24)] for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True) if b > a
        ]
        if not held:
            return np.zeros(0, np.int64)
        return np.unique(np.concatenate(held) % len(self.ends))


def _intervals(ends: Array, place: Array, way: Array, slack: float) -> Array:
    """Of strokes within `slack` of a line, where they begin and end along it."""
    from_place = ends.reshape(-1, 2, 2) - place
    along = from_place @ way
    aside = np.abs(from_place[:, :, 0] * way[1] - from_place[:, :, 1] * way[0])
    level = np.abs(aside[:, 0] - aside[:, 1]) <= 0.02 * np.abs(along[:, 1] - along[:, 0]) + 1e-9
    near = along[(aside.max(axis=1) <= slack) | ((aside.min(axis=1) <= slack) & level)]
    spans = np.sort(near, axis=1)
    return spans[np.argsort(spans[:, 0], kind="stable")]
