"""Shapes of a DXF in the plane, how they move with a block reference, and how they are drawn.

Glossary
  affine    (a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f.
  canvas    where shapes leave strokes, arcs and fills, each with the place of its entity.
  OCS       object coordinate system: entities of a plane lie in axes of their own, given by the plane's normal
            (arbitrary axis algorithm of the DXF reference).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.extraction.drawing.sheet import Arcs, Array, Fill, Strokes

Affine: TypeAlias = tuple[float, float, float, float, float, float]
Geometry: TypeAlias = dict[str, Any]
IDENTITY: Final[Affine] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

ABSURD: Final = 1e15
"""Coordinates beyond this are damage."""

DECIMALS: Final = 6
CIRCLE_STEPS: Final = 64
"""Strokes of a whole ellipse."""

POINTS_TOLD: Final = 2_000
"""Points of one entity that a document lists; strokes have all of them."""

SIMILAR: Final = 1e-6
"""Two scales that differ by less are one."""


def combined(outer: Affine, inner: Affine) -> Affine:
    """First `inner`, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, l = inner  # noqa: E741
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f)


def moved_point(m: Affine, x: float, y: float) -> tuple[float, float]:
    """One point."""
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def moved_points(m: Affine, points: Array) -> Array:
    """(n, 2) points."""
    linear = np.array(((m[0], m[1]), (m[2], m[3])))
    return np.asarray(points @ linear + (m[4], m[5]), dtype=np.float64)


def scale_of(m: Affine) -> float | None:
    """The one scale of a similarity, None where circles would become ellipses."""
    x, y = math.hypot(m[0], m[1]), math.hypot(m[2], m[3])
    skew = abs(m[0] * m[2] + m[1] * m[3])
    return x if abs(x - y) <= SIMILAR * x and skew <= SIMILAR * x * y else None


def mirrors(m: Affine) -> bool:
    """Whether it turns left into right."""
    return m[0] * m[3] - m[1] * m[2] < 0


def ocs(extrusion: tuple[float, float, float], elevation: float = 0.0) -> Affine:
    """From the plane's axes to x and y of the world seen from above (arbitrary axis algorithm)."""
    x, y, z = extrusion
    length = math.sqrt(x * x + y * y + z * z)
    if not 0 < length < ABSURD or (x == 0 and y == 0 and z > 0):
        return IDENTITY
    n = np.array((x, y, z)) / length
    near = abs(n[0]) < 1 / 64 and abs(n[1]) < 1 / 64
    right = np.cross((0.0, 1.0, 0.0) if near else (0.0, 0.0, 1.0), n)
    right /= np.linalg.norm(right)
    up = np.cross(n, right)
    shift = n * elevation
    return (float(right[0]), float(right[1]), float(up[0]), float(up[1]), float(shift[0]), float(shift[1]))


def number(value: float) -> float:
    """As the document tells it."""
    return round(float(value), DECIMALS)


def told(points: Array) -> list[list[float]]:
    """Points as the document tells them."""
    return [[round(x, DECIMALS), round(y, DECIMALS)] for x, y in points[:POINTS_TOLD].tolist()]


class Canvas:
    """Collects what is drawn on one sheet."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float, float, float]] = []
        self.line_facts: list[tuple[float, int, bool, bool]] = []
        self.chunks: list[Array] = []
        self.chunk_facts: list[tuple[float, int, bool, bool]] = []
        self.circles: list[tuple[float, float, float, float, float]] = []
        self.circle_facts: list[tuple[float, int, bool]] = []
        self.fills: list[Fill] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: Pen) -> None:
        """One straight piece."""
        self.lines.append((x1, y1, x2, y2))
        self.line_facts.append((pen.width, pen.entity, pen.dashed, False))

    def path(self, points: Array, pen: Pen, *, curved: bool) -> None:
        """Pieces from point to point."""
        if len(points) > 1:
            self.chunks.append(np.hstack((points[:-1], points[1:])))
            self.chunk_facts.append((pen.width, pen.entity, pen.dashed, curved))

    def arc(self, x: float, y: float, radius: float, start: float, end: float, pen: Pen) -> None:
        """Counter-clockwise, in degrees."""
        self.circles.append((x, y, radius, start, end))
        self.circle_facts.append((pen.width, pen.entity, pen.dashed))

    def strokes(self) -> Strokes:
        """Everything straight."""
        if not self.lines and not self.chunks:
            return Strokes.none()
        ends = np.vstack([np.array(self.lines, dtype=np.float64).reshape(-1, 4), *self.chunks])
        counts = np.array([1] * len(self.lines) + [len(chunk) for chunk in self.chunks])
        width, entity, dashed, curved = zip(*self.line_facts, *self.chunk_facts, strict=True)
        return Strokes(
            ends,
            np.repeat(np.array(width, dtype=np.float64), counts),
            np.repeat(np.array(entity, dtype=np.int64), counts),
            np.repeat(np.array(dashed, dtype=bool), counts),
            np.repeat(np.array(curved, dtype=bool), counts),
        )

    def arcs(self) -> Arcs:
        """Circles and circular arcs."""
        if not self.circles:
            return Arcs.none()
        width, entity, dashed = zip(*self.circle_facts, strict=True)
        return Arcs(
            np.array(self.circles, dtype=np.float64),
            np.array(width, dtype=np.float64),
            np.array(entity, dtype=np.int64),
            np.array(dashed, dtype=bool),
        )


@dataclass(slots=True)
class Pen:
    """How a shape is drawn, and of which entity it is."""

    width: float = 0.0
    dashed: bool = False
    entity: int = -1


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
        if type in ("ray", "xline"):
            return {"position": points[0], "direction": told(self.points[1:2] - self.points[0:1])[0]}
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


def bulge_arc(
    start: tuple[float, float], end: tuple[float, float], bulge: float
) -> tuple[float, float, float, float, float] | None:
    """Centre, radius and angles (counter-clockwise, degrees) of a bulged piece; None where it is straight."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = math.hypot(dx, dy)
    if abs(bulge) < 1e-9 or chord == 0 or abs(bulge) > 1e9:
        return None
    offset = (1 - bulge * bulge) / (4 * bulge)
    x = (start[0] + end[0]) / 2 - dy * offset
    y = (start[1] + end[1]) / 2 + dx * offset
    first = math.degrees(math.atan2(start[1] - y, start[0] - x))
    last = math.degrees(math.atan2(end[1] - y, end[0] - x))
    if bulge < 0:
        first, last = last, first
    return x, y, math.hypot(start[0] - x, start[1] - y), first % 360, last % 360


def arc_points(x: float, y: float, radius: float, start: float, end: float) -> Array:
    """An arc cut into pieces, counter-clockwise."""
    sweep = (end - start) % 360 or 360.0
    angles = np.radians(np.linspace(start, start + sweep, max(3, math.ceil(sweep / 360 * CIRCLE_STEPS) + 1)))
    return np.column_stack((x + radius * np.cos(angles), y + radius * np.sin(angles)))


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
    """centre + cos t major + sin t minor, t from start to end in radians; after a skew the two are conjugate radii."""

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
            "start_param": number(self.start),
            "end_param": number(self.end),
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
        record: Geometry = {"degree": self.degree, "closed": self.closed}
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
        return {"solid": self.solid, "pattern": self.pattern, "paths": [told(path) for path in self.paths]}

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
    outline: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
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


Shape: TypeAlias = Path | Bulged | Arc | Ellipse | Spline | Hatch | Opaque
