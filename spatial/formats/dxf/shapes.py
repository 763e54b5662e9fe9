"""Shapes of a DXF in the plane: how they move with a block reference, how they are told and how they are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from spatial.formats.dxf.canvas import Canvas, Pen
from spatial.formats.dxf.plane import (
    CIRCLE_STEPS,
    POINTS_TOLD,
    Affine,
    arc_points,
    bulge_arc,
    mirrors,
    moved_point,
    moved_points,
    number,
    scale_of,
    told,
)
from spatial.models.sheet.drawing import Array, Fill

Geometry: TypeAlias = dict[str, Any]


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
        return Path(moved_points(m, self.points), self.closed, self.filled, self.curved, self.heights)

    def told(self, type: str) -> Geometry:
        points = told(self.points)
        if type == "line":
            ends = [[*point, number(z)] if z else point for point, z in zip(points, self.heights, strict=False)]
            return {"start": ends[0], "end": ends[-1]}
        if type == "point":
            return {"position": points[0]}
        more = {"point_count": len(self.points)} if len(self.points) > POINTS_TOLD else {}
        return {"points": points, "closed": self.closed, **more}

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        if self.filled:
            canvas.fills.append(Fill(self.points, pen.entity))
            return
        points = self.points
        if len(points) == 2:
            (x1, y1), (x2, y2) = points.tolist()
            canvas.line(x1, y1, x2, y2, pen)
            return
        canvas.path(np.vstack((points, points[:1])) if self.closed and len(points) else points, pen, curved=self.curved)

    def reach(self) -> Array:
        return self.points


@dataclass(slots=True)
class Bulged:
    """A polyline some of whose pieces are arcs; bulge = tan(sweep / 4)."""

    points: Array
    bulges: list[float]
    closed: bool

    def moved(self, m: Affine) -> Shape:
        if scale_of(m) is None:
            return Path(moved_points(m, self.reach()), curved=True)
        bulges = [-bulge for bulge in self.bulges] if mirrors(m) else self.bulges
        return Bulged(moved_points(m, self.points), bulges, self.closed)

    def told(self, type: str) -> Geometry:
        return {
            "points": told(self.points),
            "bulges": [number(bulge) for bulge in self.bulges[:POINTS_TOLD]],
            "closed": self.closed,
        }

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
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

    def reach(self) -> Array:
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
class Arc:
    """A circle (0 to 360) or a circular arc, counter-clockwise."""

    x: float
    y: float
    radius: float
    start: float = 0.0
    end: float = 360.0
    height: float = 0.0

    def moved(self, m: Affine) -> Shape:
        scale = scale_of(m)
        x, y = moved_point(m, self.x, self.y)
        if scale is None:
            major, minor = (m[0] * self.radius, m[1] * self.radius), (m[2] * self.radius, m[3] * self.radius)
            return Ellipse((x, y), major, minor, math.radians(self.start), math.radians(self.end))
        if self.start == 0 and self.end == 360:
            return Arc(x, y, self.radius * scale, height=self.height)
        turn = math.degrees(math.atan2(m[1], m[0]))
        start, end = (turn - self.end, turn - self.start) if mirrors(m) else (turn + self.start, turn + self.end)
        return Arc(x, y, self.radius * scale, start % 360, end % 360, self.height)

    def told(self, type: str) -> Geometry:
        center = [number(self.x), number(self.y), *([number(self.height)] if self.height else [])]
        if type == "circle":
            return {"center": center, "radius": number(self.radius)}
        return {
            "center": center,
            "radius": number(self.radius),
            "start_angle": number(self.start),
            "end_angle": number(self.end),
        }

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        canvas.arc(self.x, self.y, self.radius, self.start, self.end, pen)

    def reach(self) -> Array:
        return arc_points(self.x, self.y, self.radius, self.start, self.end)


@dataclass(slots=True)
class Ellipse:
    """centre + cos t major + sin t minor, t from start to end in radians (told in degrees, t being no polar angle); after a
    skew the two are conjugate radii."""

    center: tuple[float, float]
    major: tuple[float, float]
    minor: tuple[float, float]
    start: float
    end: float

    def moved(self, m: Affine) -> Shape:
        turn = (*m[:4], 0.0, 0.0)
        return Ellipse(
            moved_point(m, *self.center),
            moved_point(turn, *self.major),
            moved_point(turn, *self.minor),
            self.start,
            self.end,
        )

    def told(self, type: str) -> Geometry:
        return {
            "center": [number(n) for n in self.center],
            "major_axis": [number(n) for n in self.major],
            "minor_axis": [number(n) for n in self.minor],
            "start_angle": number(math.degrees(self.start)),
            "end_angle": number(math.degrees(self.end)),
        }

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        canvas.path(self.reach(), pen, curved=True)

    def reach(self) -> Array:
        sweep = (self.end - self.start) % math.tau or math.tau
        t = np.linspace(self.start, self.start + sweep, max(5, math.ceil(sweep / math.tau * CIRCLE_STEPS) + 1))
        return np.asarray(
            np.array(self.center)
            + np.outer(np.cos(t), np.array(self.major))
            + np.outer(np.sin(t), np.array(self.minor)),
            dtype=np.float64,
        )


@dataclass(slots=True)
class Spline:
    """A B-spline with its control points, and cut into pieces."""

    degree: int
    control: Array
    knots: list[float]
    weights: list[float]
    fit: Array
    closed: bool
    flat: Array

    def moved(self, m: Affine) -> Shape:
        return Spline(
            self.degree,
            moved_points(m, self.control),
            self.knots,
            self.weights,
            moved_points(m, self.fit),
            self.closed,
            moved_points(m, self.flat),
        )

    def told(self, type: str) -> Geometry:
        record: Geometry = {"degree": self.degree, "closed": self.closed, "points": told(self.flat)}
        if len(self.control):
            record |= {"control_points": told(self.control), "knots": [number(k) for k in self.knots[:POINTS_TOLD]]}
        if self.weights:
            record["weights"] = [number(weight) for weight in self.weights[:POINTS_TOLD]]
        if len(self.fit):
            record["fit_points"] = told(self.fit)
        return record

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        canvas.path(self.flat, pen, curved=True)

    def reach(self) -> Array:
        return self.flat


@dataclass(slots=True)
class Hatch:
    """Boundary paths, curves cut into pieces."""

    paths: list[Array]
    solid: bool
    pattern: str

    def moved(self, m: Affine) -> Shape:
        return Hatch([moved_points(m, path) for path in self.paths], self.solid, self.pattern)

    def told(self, type: str) -> Geometry:
        return {"solid": self.solid, "pattern": self.pattern, "outlines": [told(path) for path in self.paths]}

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        """A pattern's lines are never made: only what is solid is filled."""
        if self.solid:
            canvas.fills.extend(Fill(path, pen.entity) for path in self.paths if len(path) > 2)

    def reach(self) -> Array:
        return np.vstack(self.paths) if self.paths else np.zeros((0, 2))


@dataclass(slots=True)
class Opaque:
    """Something whose geometry is not read or is of a kind of its own; `facts` are told, `outline` is where it is."""

    facts: Geometry = field(default_factory=dict)
    outline: Array = field(default_factory=lambda: np.zeros((0, 2)))
    framed: bool = False
    """Whether the outline is drawn."""

    def moved(self, m: Affine) -> Shape:
        facts = dict(self.facts)
        if "position" in facts:
            facts["position"] = [number(n) for n in moved_point(m, *facts["position"][:2])]
        return Opaque(facts, moved_points(m, self.outline), self.framed)

    def told(self, type: str) -> Geometry:
        return self.facts | ({"outline": told(self.outline)} if len(self.outline) else {})

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        if self.framed and len(self.outline):
            canvas.path(np.vstack((self.outline, self.outline[:1])), pen, curved=False)

    def reach(self) -> Array:
        return self.outline


@dataclass(slots=True)
class Endless:
    """A RAY or XLINE: not drawn, since it has no end; where it crosses the sheet is told once the sheet's size is known."""

    at: tuple[float, float]
    direction: tuple[float, float]

    def moved(self, m: Affine) -> Shape:
        return Endless(moved_point(m, *self.at), moved_point((*m[:4], 0.0, 0.0), *self.direction))

    def told(self, type: str) -> Geometry:
        return {"position": [number(n) for n in self.at], "direction": [number(n) for n in self.direction]}

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        pass

    def reach(self) -> Array:
        return np.array((self.at, self.direction))


@dataclass(slots=True)
class Wires:
    """Many polylines that are one: the edges of a mesh, the strands of an MLINE."""

    lines: list[Array]
    facts: Geometry = field(default_factory=dict)

    def moved(self, m: Affine) -> Shape:
        return Wires([moved_points(m, line) for line in self.lines], self.facts)

    def told(self, type: str) -> Geometry:
        return self.facts | {"lines": [told(line) for line in self.lines[:POINTS_TOLD]]}

    def drawn(self, canvas: Canvas, pen: Pen) -> None:
        for line in self.lines:
            canvas.path(line, pen, curved=False)

    def reach(self) -> Array:
        return np.vstack(self.lines) if self.lines else np.zeros((0, 2))


Shape: TypeAlias = Path | Bulged | Arc | Ellipse | Spline | Hatch | Opaque | Endless | Wires
