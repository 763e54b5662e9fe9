"""Points as the document lists them: rounded all at once, because one number at a time takes a third of the reading."""

from __future__ import annotations

import numpy as np

from spatial.formats.dxf.plane import DECIMALS, MAX_LISTED_POINTS
from spatial.geometry.rounding import to_decimals
from spatial.models.sheet.drawing import Array


class ListedPoints:
    """Points of one sheet that its entities hold; `round` completes them in place."""

    def __init__(self) -> None:
        self._points: list[list[float]] = []
        self._numbers: list[float] = []
        """x and y of each of `_points`."""
        self._outlines: list[list[list[float]]] = []
        self._arrays: list[Array] = []
        """The points of each of `_outlines`."""

    def point(self, x: float, y: float) -> list[float]:
        """One point, rounded later; what is appended to it is not."""
        found = [x, y]
        self._points.append(found)
        self._numbers += found
        return found

    def ends(self, x1: float, y1: float, x2: float, y2: float) -> tuple[list[float], list[float]]:
        """The two points of a line, as `point` gives them."""
        start, end = [x1, y1], [x2, y2]
        self._points += (start, end)
        self._numbers += (x1, y1, x2, y2)
        return start, end

    def points(self, points: Array) -> list[list[float]]:
        """A list that will hold the first MAX_LISTED_POINTS of (n, 2) points."""
        found: list[list[float]] = []
        self._outlines.append(found)
        self._arrays.append(points[:MAX_LISTED_POINTS])
        return found

    def round(self) -> None:
        """Round every point to DECIMALS places."""
        numbers = iter(to_decimals(np.array(self._numbers, dtype=np.float64), DECIMALS).tolist())
        for point, x, y in zip(self._points, numbers, numbers, strict=True):
            point[0] = x
            point[1] = y
        rounded = to_decimals(np.concatenate([np.zeros((0, 2)), *self._arrays]), DECIMALS).tolist()
        end = 0
        for outline, points in zip(self._outlines, self._arrays, strict=True):
            begin, end = end, end + len(points)
            outline.extend(rounded[begin:end])
        for held in (self._points, self._numbers, self._outlines, self._arrays):
            held.clear()
