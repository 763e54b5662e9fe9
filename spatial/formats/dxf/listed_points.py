"""Points as the document lists them: rounded all at once, because one number at a time takes a third of the reading."""

from __future__ import annotations

import numpy as np

from spatial.formats.dxf.plane import DECIMALS, MAX_LISTED_POINTS
from spatial.geometry.rounding import to_decimals
from spatial.models.sheet.drawing import Array


class ListedPoints:
    """Points of one sheet that its entities hold; `round` changes them in place."""

    def __init__(self) -> None:
        self._points: list[list[float]] = []

    def point(self, x: float, y: float) -> list[float]:
        """One point, rounded later; what is appended to it is not."""
        found = [x, y]
        self._points.append(found)
        return found

    def points(self, points: Array) -> list[list[float]]:
        """The first MAX_LISTED_POINTS of (n, 2) points, rounded later."""
        found: list[list[float]] = points[:MAX_LISTED_POINTS].tolist()
        self._points += found
        return found

    def round(self) -> None:
        """Round every point to DECIMALS places."""
        xs, ys = (
            to_decimals(np.array([point[place] for point in self._points]), DECIMALS).tolist() for place in (0, 1)
        )
        for point, x, y in zip(self._points, xs, ys, strict=True):
            point[0] = x
            point[1] = y
        self._points.clear()
