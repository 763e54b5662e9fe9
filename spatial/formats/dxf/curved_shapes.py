"""Curved and filled shapes, and shapes of which only an outline is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from spatial.formats.dxf.canvas import Canvas, Pen, entity_of
from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.plane import (
    CIRCLE_STEPS,
    MAX_COORDINATE,
    MAX_LISTED_POINTS,
    Affine,
    are_sane,
    is_mirrored,
    rounded,
    scale_of,
    transform_point,
    transform_points,
)
from spatial.formats.dxf.shape import Geometry, Shape, are_sane_facts
from spatial.models.sheet.drawing import Array, Fill


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
        x, y = transform_point(m, self.x, self.y)
        if scale is None:
            major, minor = (m[0] * self.radius, m[1] * self.radius), (m[2] * self.radius, m[3] * self.radius)
            return Ellipse((x, y), major, minor, math.radians(self.start), math.radians(self.end))
        if self.start == 0 and self.end == 360:
            return Arc(x, y, self.radius * scale, height=self.height)
        turn = math.degrees(math.atan2(m[1], m[0]))
        start, end = (turn - self.end, turn - self.start) if is_mirrored(m) else (turn + self.start, turn + self.end)
        return Arc(x, y, self.radius * scale, start % 360, end % 360, self.height)

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        center = listed.point(self.x, self.y)
        if self.height:
            center.append(rounded(self.height))
        if type == "circle":
            return {"center": center, "radius": rounded(self.radius)}
        return {
            "center": center,
            "radius": rounded(self.radius),
            "start_angle": rounded(self.start),
            "end_angle": rounded(self.end),
        }

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        canvas.arc(self.x, self.y, self.radius, self.start, self.end, pen)

    def is_sane(self) -> bool:
        return abs(self.x) + abs(self.y) + self.radius + abs(self.start) + abs(self.end) < MAX_COORDINATE


@dataclass(slots=True)
class Ellipse:
    """centre + cos t major + sin t minor, t from start to end in radians (listed in degrees; t is no polar angle); after a
    skew the two are conjugate radii."""

    center: tuple[float, float]
    major: tuple[float, float]
    minor: tuple[float, float]
    start: float
    end: float

    def moved(self, m: Affine) -> Shape:
        turn = (*m[:4], 0.0, 0.0)
        return Ellipse(
            transform_point(m, *self.center),
            transform_point(turn, *self.major),
            transform_point(turn, *self.minor),
            self.start,
            self.end,
        )

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return {
            "center": [rounded(n) for n in self.center],
            "major_axis": [rounded(n) for n in self.major],
            "minor_axis": [rounded(n) for n in self.minor],
            "start_angle": rounded(math.degrees(self.start)),
            "end_angle": rounded(math.degrees(self.end)),
        }

    def is_sane(self) -> bool:
        parts = (*self.center, *self.major, *self.minor, self.start, self.end)
        return all(abs(n) < MAX_COORDINATE for n in parts)

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        canvas.path(self.flattened(), pen, curved=True)

    def flattened(self) -> Array:
        """(n, 2) points along it."""
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
            transform_points(m, self.control),
            self.knots,
            self.weights,
            transform_points(m, self.fit),
            self.closed,
            transform_points(m, self.flat),
        )

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        record: Geometry = {"degree": self.degree, "closed": self.closed, "points": listed.points(self.flat)}
        if len(self.control):
            record |= {
                "control_points": listed.points(self.control),
                "knots": [rounded(k) for k in self.knots[:MAX_LISTED_POINTS]],
            }
        if self.weights:
            record["weights"] = [rounded(weight) for weight in self.weights[:MAX_LISTED_POINTS]]
        if len(self.fit):
            record["fit_points"] = listed.points(self.fit)
        return record

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        canvas.path(self.flat, pen, curved=True)

    def is_sane(self) -> bool:
        return are_sane(self.flat)


@dataclass(slots=True)
class Hatch:
    """Boundary paths, curves cut into pieces."""

    paths: list[Array]
    solid: bool
    pattern: str

    def moved(self, m: Affine) -> Shape:
        return Hatch([transform_points(m, path) for path in self.paths], self.solid, self.pattern)

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return {"solid": self.solid, "pattern": self.pattern, "outlines": [listed.points(path) for path in self.paths]}

    def is_sane(self) -> bool:
        return all(map(are_sane, self.paths))

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        """A pattern's lines are never made: only what is solid is filled."""
        if self.solid:
            canvas.fills.extend(Fill(path, entity_of(pen)) for path in self.paths if len(path) > 2)


@dataclass(slots=True)
class OutlineShape:
    """An entity without lines of its own, or whose geometry is not read: the members that the document lists, and its outline."""

    facts: Geometry = field(default_factory=dict)
    outline: Array = field(default_factory=lambda: np.zeros((0, 2)))
    framed: bool = False
    """Whether the outline is drawn."""

    def moved(self, m: Affine) -> Shape:
        facts = dict(self.facts)
        if "position" in facts:
            facts["position"] = [rounded(n) for n in transform_point(m, *facts["position"][:2])]
        return OutlineShape(facts, transform_points(m, self.outline), self.framed)

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        return self.facts | ({"outline": listed.points(self.outline)} if len(self.outline) else {})

    def is_sane(self) -> bool:
        return are_sane(self.outline) and are_sane_facts(self.facts)

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        if self.framed and len(self.outline):
            canvas.path(np.vstack((self.outline, self.outline[:1])), pen, curved=False)
