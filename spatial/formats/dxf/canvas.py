"""Collects the strokes, arcs and fills of shapes, each with the place of its entity."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.plane import arc_points
from spatial.models.sheet.drawing import Arcs, Array, Fill, Strokes

Outlines: TypeAlias = list[list[list[float]]]
"""Polylines as the document lists them."""

Mark: TypeAlias = tuple[int, int, int, int]

Pen: TypeAlias = tuple[float, bool, int]
"""How a shape is drawn, and of which entity: line width, 0 where it is the default; whether it is dashed; place of the entity, -1 for none.

There is one for every shape of a drawing, and no other kind of object is made as fast.
"""


def entity_of(pen: Pen) -> int:
    """The place of the entity that is drawn."""
    return pen[2]


class Canvas:
    """Collects what is drawn on one sheet."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float, float, float]] = []
        self.line_pens: list[Pen] = []
        self.paths: list[Array] = []
        self.path_pens: list[Pen] = []
        self.curved: list[bool] = []
        """Of each path, whether it is a curve cut into pieces."""
        self.circles: list[tuple[float, float, float, float, float]] = []
        self.circle_pens: list[Pen] = []
        self.fills: list[Fill] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: Pen) -> None:
        """One straight piece."""
        self.lines.append((x1, y1, x2, y2))
        self.line_pens.append(pen)

    def path(self, points: Array, pen: Pen, *, curved: bool) -> None:
        """Pieces from point to point."""
        if len(points) > 1:
            self.paths.append(points)
            self.path_pens.append(pen)
            self.curved.append(curved)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, pen: Pen) -> None:
        """Counter-clockwise, in degrees."""
        self.circles.append((x, y, radius, start, end))
        self.circle_pens.append(pen)

    def mark(self) -> Mark:
        """Numbers of lines, paths, circles and fills so far."""
        return len(self.lines), len(self.paths), len(self.circles), len(self.fills)

    def since(self, mark: Mark, most: int, listed: ListedPoints) -> tuple[Outlines, Outlines]:
        """Lines and fills since a mark, at most `most` of each."""
        lines, paths, circles, fills = mark
        found = [[listed.point(x1, y1), listed.point(x2, y2)] for x1, y1, x2, y2 in self.lines[lines : lines + most]]
        found += [listed.points(path) for path in self.paths[paths : paths + most]]
        found += [listed.points(arc_points(*circle)) for circle in self.circles[circles : circles + most]]
        return found[:most], [listed.points(fill.points) for fill in self.fills[fills : fills + most]]

    def strokes(self) -> Strokes:
        """Everything straight."""
        if not self.lines and not self.paths:
            return Strokes.none()
        ends = np.vstack((np.array(self.lines, dtype=np.float64).reshape(-1, 4), _pieces(self.paths)))
        counts = np.array([1] * len(self.lines) + [len(path) - 1 for path in self.paths])
        widths, dashed, entities = zip(*self.line_pens, *self.path_pens, strict=True)
        curved = [False] * len(self.lines) + self.curved
        return Strokes(
            ends,
            np.repeat(np.array(widths, dtype=np.float64), counts),
            np.repeat(np.array(entities, dtype=np.int64), counts),
            np.repeat(np.array(dashed, dtype=bool), counts),
            np.repeat(np.array(curved, dtype=bool), counts),
        )

    def arcs(self) -> Arcs:
        """Circles and circular arcs."""
        if not self.circles:
            return Arcs.none()
        widths, dashed, entities = zip(*self.circle_pens, strict=True)
        return Arcs(
            np.array(self.circles, dtype=np.float64),
            np.array(widths, dtype=np.float64),
            np.array(entities, dtype=np.int64),
            np.array(dashed, dtype=bool),
        )


def _pieces(paths: list[Array]) -> Array:
    """(n, 4) the pieces of all paths, one path after the other."""
    if not paths:
        return np.zeros((0, 4))
    points = np.concatenate(paths)
    between = np.cumsum([len(path) for path in paths])[:-1] - 1
    return np.delete(np.hstack((points[:-1], points[1:])), between, axis=0)
