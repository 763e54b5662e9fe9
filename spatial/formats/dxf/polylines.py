"""Shapes of straight pieces: lines, polylines with and without arcs, groups of polylines, and lines without an end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from spatial.formats.dxf.canvas import Canvas, StrokeStyle
from spatial.formats.dxf.plane import (
    MAX_LISTED_POINTS,
    Affine,
    arc_points,
    bulge_arc,
    is_mirrored,
    rounded,
    rounded_points,
    scale_of,
    transform_point,
    transform_points,
)
from spatial.formats.dxf.shape import Geometry, Shape
from spatial.models.sheet.drawing import Array, Fill


@dataclass(slots=True)
class Path:
    """Straight pieces: LINE, polylines without bulges, faces, leaders; a filled one is a SOLID or TRACE."""

    points: Array
    closed: bool = False
    filled: bool = False
    curved: bool = False
    heights: tuple[float, float] = (0.0, 0.0)
    """z of a LINE's ends."""

    def moved(self, m: Affine) -> Shape:
        return Path(transform_points(m, self.points), self.closed, self.filled, self.curved, self.heights)

    def geometry(self, type: str) -> Geometry:
        points = rounded_points(self.points)
        if type == "line":
            ends = [[*point, rounded(z)] if z else point for point, z in zip(points, self.heights, strict=False)]
            return {"start": ends[0], "end": ends[-1]}
        if type == "point":
            return {"position": points[0]}
        more = {"point_count": len(self.points)} if len(self.points) > MAX_LISTED_POINTS else {}
        return {"points": points, "closed": self.closed, **more}

    def draw(self, canvas: Canvas, pen: StrokeStyle) -> None:
        if self.filled:
            canvas.fills.append(Fill(self.points, pen.entity))
            return
        points = self.points
        if len(points) == 2:
            (x1, y1), (x2, y2) = points.tolist()
            canvas.line(x1, y1, x2, y2, pen)
            return
        canvas.path(np.vstack((points, points[:1])) if self.closed and len(points) else points, pen, curved=self.curved)

    def flattened(self) -> Array:
        return self.points


@dataclass(slots=True)
class BulgedPolyline:
    """A polyline some of whose pieces are arcs; bulge = tan(sweep / 4)."""

    points: Array
    bulges: list[float]
    closed: bool

    def moved(self, m: Affine) -> Shape:
        if scale_of(m) is None:
            return Path(transform_points(m, self.flattened()), curved=True)
        bulges = [-bulge for bulge in self.bulges] if is_mirrored(m) else self.bulges
        return BulgedPolyline(transform_points(m, self.points), bulges, self.closed)

    def geometry(self, type: str) -> Geometry:
        return {
            "points": rounded_points(self.points),
            "bulges": [rounded(bulge) for bulge in self.bulges[:MAX_LISTED_POINTS]],
            "closed": self.closed,
        }

    def draw(self, canvas: Canvas, pen: StrokeStyle) -> None:
        for start, end, bulge in self._pieces():
            arc = bulge_arc(start, end, bulge)
            if arc is None:
                canvas.line(*start, *end, pen)
            else:
                canvas.arc(*arc, pen)

    def _pieces(self) -> list[tuple[tuple[float, float], tuple[float, float], float]]:
        points = [(x, y) for x, y in self.points.tolist()]
        ends = [*points[1:], points[0]] if self.closed else points[1:]
        return list(zip(points, ends, self.bulges, strict=False))

    def flattened(self) -> Array:
        """Flattened."""
        pieces: list[Array] = []
        for start, end, bulge in self._pieces():
            arc = bulge_arc(start, end, bulge)
            if arc is None:
                pieces.append(np.array((start, end)))
            else:
                flat = arc_points(*arc)
                pieces.append(flat if bulge > 0 else flat[::-1])
        return np.vstack(pieces) if pieces else self.points


@dataclass(slots=True)
class PolylineGroup:
    """Many polylines that are one: the edges of a mesh, the strands of an MLINE."""

    lines: list[Array]
    facts: Geometry = field(default_factory=dict)

    def moved(self, m: Affine) -> Shape:
        return PolylineGroup([transform_points(m, line) for line in self.lines], self.facts)

    def geometry(self, type: str) -> Geometry:
        return self.facts | {"lines": [rounded_points(line) for line in self.lines[:MAX_LISTED_POINTS]]}

    def draw(self, canvas: Canvas, pen: StrokeStyle) -> None:
        for line in self.lines:
            canvas.path(line, pen, curved=False)

    def flattened(self) -> Array:
        return np.vstack(self.lines) if self.lines else np.zeros((0, 2))


@dataclass(slots=True)
class InfiniteLine:
    """A RAY or XLINE: not drawn, since it has no end; its ends are listed once the size of the sheet is known."""

    at: tuple[float, float]
    direction: tuple[float, float]

    def moved(self, m: Affine) -> Shape:
        return InfiniteLine(transform_point(m, *self.at), transform_point((*m[:4], 0.0, 0.0), *self.direction))

    def geometry(self, type: str) -> Geometry:
        return {"position": [rounded(n) for n in self.at], "direction": [rounded(n) for n in self.direction]}

    def draw(self, canvas: Canvas, pen: StrokeStyle) -> None:
        pass

    def flattened(self) -> Array:
        return np.array((self.at, self.direction))
