"""Shapes of straight pieces: lines, polylines with and without arcs, groups of polylines, and lines without an end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from spatial.formats.dxf.canvas import Canvas, Pen, entity_of
from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.plane import (
    MAX_COORDINATE,
    MAX_LISTED_POINTS,
    Affine,
    arc_points,
    are_sane,
    bulge_arc,
    is_exact,
    is_mirrored,
    rounded,
    scale_of,
    transform_point,
    transform_points,
)
from spatial.formats.dxf.shape import Geometry, Shape, are_sane_facts
from spatial.models.sheet.drawing import Array, Fill


@dataclass(slots=True)
class Segment:
    """A LINE."""

    x1: float
    y1: float
    x2: float
    y2: float
    z1: float = 0.0
    z2: float = 0.0

    def moved(self, m: Affine) -> Shape:
        if is_exact(m):
            (x1, y1), (x2, y2) = transform_point(m, self.x1, self.y1), transform_point(m, self.x2, self.y2)
        else:
            (x1, y1), (x2, y2) = transform_points(m, np.array(((self.x1, self.y1), (self.x2, self.y2)))).tolist()
        return Segment(x1, y1, x2, y2, self.z1, self.z2)

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        start, end = listed.ends(self.x1, self.y1, self.x2, self.y2)
        if self.z1:
            start.append(rounded(self.z1))
        if self.z2:
            end.append(rounded(self.z2))
        return {"start": start, "end": end}

    def is_sane(self) -> bool:
        return (
            -MAX_COORDINATE < self.x1 < MAX_COORDINATE
            and -MAX_COORDINATE < self.y1 < MAX_COORDINATE
            and -MAX_COORDINATE < self.x2 < MAX_COORDINATE
            and -MAX_COORDINATE < self.y2 < MAX_COORDINATE
        )

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        canvas.line(self.x1, self.y1, self.x2, self.y2, pen)


@dataclass(slots=True)
class Path:
    """Straight pieces: polylines without bulges, faces, leaders; a filled one is a SOLID or TRACE, one of one point a POINT."""

    points: Array
    closed: bool = False
    filled: bool = False
    curved: bool = False

    def moved(self, m: Affine) -> Shape:
        return Path(transform_points(m, self.points), self.closed, self.filled, self.curved)

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        if type == "point":
            x, y = self.points[0].tolist()
            return {"position": listed.point(x, y)}
        points = listed.points(self.points)
        more = {"point_count": len(self.points)} if len(self.points) > MAX_LISTED_POINTS else {}
        return {"points": points, "closed": self.closed, **more}

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        if self.filled:
            canvas.fills.append(Fill(self.points, entity_of(pen)))
            return
        points = self.points
        if len(points) == 2:
            (x1, y1), (x2, y2) = points.tolist()
            canvas.line(x1, y1, x2, y2, pen)
            return
        canvas.path(np.vstack((points, points[:1])) if self.closed and len(points) else points, pen, curved=self.curved)

    def is_sane(self) -> bool:
        return are_sane(self.points)


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

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return {
            "points": listed.points(self.points),
            "bulges": [rounded(bulge) for bulge in self.bulges[:MAX_LISTED_POINTS]],
            "closed": self.closed,
        }

    def is_sane(self) -> bool:
        return all(abs(bulge) < MAX_COORDINATE for bulge in self.bulges) and are_sane(self.points)

    def draw(self, canvas: Canvas, pen: Pen) -> None:
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
        """(n, 2) points along it, arcs cut into chords."""
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

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return self.facts | {"lines": [listed.points(line) for line in self.lines[:MAX_LISTED_POINTS]]}

    def is_sane(self) -> bool:
        return all(map(are_sane, self.lines)) and are_sane_facts(self.facts)

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        for line in self.lines:
            canvas.path(line, pen, curved=False)


@dataclass(slots=True)
class InfiniteLine:
    """A RAY or XLINE: not drawn, since it has no end; its ends are listed once the size of the sheet is known."""

    at: tuple[float, float]
    direction: tuple[float, float]

    def moved(self, m: Affine) -> Shape:
        return InfiniteLine(transform_point(m, *self.at), transform_point((*m[:4], 0.0, 0.0), *self.direction))

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return {"position": [rounded(n) for n in self.at], "direction": [rounded(n) for n in self.direction]}

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        pass

    def is_sane(self) -> bool:
        return all(abs(n) < MAX_COORDINATE for n in (*self.at, *self.direction))
