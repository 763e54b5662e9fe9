"""The entities of a drawing as SVG elements: one function per kind of geometry.

Each function gets the entity, the place of a point in the picture, and the attributes of its stroke. The contract leaves the
geometry of an entity open: a function raises AttributeError where the entity lacks what its type has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from spatial.document.preview import svg

Point = Sequence[float]
Place = Callable[[Point], tuple[float, float]]
"""A point of the sheet to its point in the picture, where y is down."""

StrokeAttributes = dict[str, svg.Attribute]


def _line(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    # PCB programs draw drilled holes as lines with round ends that are wider than long.
    cap = "round" if math.dist(entity.start[:2], entity.end[:2]) < float(pen["stroke_width"] or 0.0) else None
    yield svg.element("path", None, d=svg.path([at(entity.start), at(entity.end)]), stroke_linecap=cap, **pen)


def _polyline(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    bulges = getattr(entity, "bulges", None)
    closed = bool(getattr(entity, "closed", False)) or entity.type == "rectangle"
    points = flatten_bulges(entity.points, bulges, closed=closed) if bulges else entity.points
    pen = {**pen, "fill": _fill(entity)}
    yield svg.element("path", None, d=svg.path(map(at, points), closed=closed), **pen)


def _circle(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    x, y = at(entity.center)
    yield svg.element("circle", None, cx=x, cy=y, r=abs(entity.radius), **pen)


def _arc(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    sweep = (entity.end_angle - entity.start_angle) % 360.0 or 360.0
    ends = [
        point_on_circle(entity.center, entity.radius, angle)
        for angle in (entity.start_angle, entity.start_angle + sweep)
    ]
    if sweep >= 360.0:
        yield from _circle(at, entity, pen)
        return
    (x1, y1), (x2, y2) = map(at, ends)
    radius = svg.number(abs(entity.radius))
    start, end = f"{svg.number(x1)} {svg.number(y1)}", f"{svg.number(x2)} {svg.number(y2)}"
    yield svg.element("path", None, d=f"M{start} A{radius} {radius} 0 {int(sweep > 180)} 0 {end}", **pen)


def _bezier(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    """A chain of cubic curves: a first point, then three per curve."""
    first, *rest = (" ".join(map(svg.number, at(point))) for point in entity.points)
    yield svg.element("path", None, d=f"M{first} C{' '.join(rest)}", **{**pen, "fill": _fill(entity)})


def _axes(entity: Any) -> tuple[Point, Point]:
    """Half axes of an ellipse, given as vectors or as radii and an angle."""
    radii = getattr(entity, "radii", None)
    if not radii:
        return entity.major_axis[:2], entity.minor_axis[:2]
    cos, sin = math.cos(math.radians(entity.angle)), math.sin(math.radians(entity.angle))
    return (radii[0] * cos, radii[0] * sin), (-radii[1] * sin, radii[1] * cos)


def _ellipse(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    (dx, dy), (ex, ey) = _axes(entity)
    first = float(getattr(entity, "start_angle", None) or 0.0)
    sweep = (float(getattr(entity, "end_angle", 360.0)) - first) % 360.0 or 360.0
    turns = [math.radians(first + sweep * step / 72) for step in range(73)]
    points = [
        (
            entity.center[0] + dx * math.cos(turn) + ex * math.sin(turn),
            entity.center[1] + dy * math.cos(turn) + ey * math.sin(turn),
        )
        for turn in turns
    ]
    yield svg.element("path", None, d=svg.path(map(at, points)), **pen)


def _filled(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    outlines = getattr(entity, "outlines", None) or [getattr(entity, "points", None) or []]
    data = " ".join(svg.path(map(at, outline), closed=True) for outline in outlines if outline)
    solid = entity.type != "hatch" or getattr(entity, "solid", False)
    if solid:
        # A white fill hides what lies under it on paper; drawn black it would hide it here.
        own = getattr(entity, "color", None)
        pen = {**pen, "fill": own if isinstance(own, str) and len(own) == 7 else "#000000", "stroke": "none"}
    yield svg.element("path", None, d=data, fill_rule="evenodd", fill_opacity=1.0 if solid else None, **pen)


def _path(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    """Path data of absolute M, L, C and Z, point by point moved."""
    moved = re.sub(r"([-\d.]+) ([-\d.]+)", lambda match: " ".join(map(svg.number, at(_numbers(match)))), entity.d)
    yield svg.element("path", None, d=moved, fill_rule="evenodd", **{**pen, "fill": _fill(entity)})


def _fill(entity: Any) -> str:
    filled = getattr(entity, "fill", None)
    return filled if isinstance(filled, str) and filled.startswith("#") else "none"


def _numbers(match: re.Match[str]) -> Point:
    return float(match.group(1)), float(match.group(2))


def _point(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    x, y = at(entity.position)
    width = float(pen["stroke_width"] or 0.0)
    yield svg.element("circle", None, cx=x, cy=y, r=2 * width, fill=pen["stroke"])


def _framed(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    """An entity whose content is not read: its outline in grey."""
    outline = getattr(entity, "outline", None) or getattr(entity, "points", None)
    if outline:
        yield svg.element("path", None, d=svg.path(map(at, outline), closed=True), **{**pen, "stroke": "#bbbbbb"})


def _lines(at: Place, entity: Any, pen: StrokeAttributes) -> Iterator[str]:
    for line in getattr(entity, "lines", None) or [entity.points]:
        yield svg.element("path", None, d=svg.path(map(at, line)), **pen)


DRAWERS: Final[dict[str, Callable[[Place, Any, StrokeAttributes], Iterator[str]]]] = {
    "line": _line,
    "polyline": _polyline,
    "rectangle": _polyline,
    "spline": _polyline,
    "circle": _circle,
    "arc": _arc,
    "ellipse": _ellipse,
    "bezier": _bezier,
    "hatch": _filled,
    "solid": _filled,
    "fill": _filled,
    "path": _path,
    "point": _point,
    "face": _polyline,
    "leader": _polyline,
    "mline": _lines,
    "multileader": _lines,
    "mesh": _lines,
    "polyface": _lines,
    "table": _lines,
    "ray": _line,
    "xline": _line,
    "image": _framed,
    "viewport": _framed,
    "wipeout": _framed,
}
"""Type of an entity to the function that draws it; entities of other types are not drawn."""


def point_on_circle(center: Point, radius: float, angle: float) -> tuple[float, float]:
    """The point of a circle at an angle in degrees, counter-clockwise from x."""
    return (
        center[0] + radius * math.cos(math.radians(angle)),
        center[1] + radius * math.sin(math.radians(angle)),
    )


def flatten_bulges(points: Sequence[Point], bulges: Sequence[float], *, closed: bool) -> list[tuple[float, float]]:
    """A polyline with its bulges cut into chords; a bulge is the tangent of a quarter of the arc's angle (DXF, group 42)."""
    following = [*points[1:], points[0]] if closed else list(points[1:])
    flat = [(points[0][0], points[0][1])]
    for start, end, bulge in zip(points, following, bulges, strict=False):
        if bulge and math.isfinite(bulge):
            flat.extend(_chords(start, end, bulge))
        flat.append((end[0], end[1]))
    return flat


def _chords(start: Point, end: Point, bulge: float) -> Iterator[tuple[float, float]]:
    """The points of an arc between its ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    reach = (1.0 / bulge - bulge) / 4.0
    center = ((start[0] + end[0]) / 2 - dy * reach, (start[1] + end[1]) / 2 + dx * reach)
    radius = math.hypot(start[0] - center[0], start[1] - center[1])
    first = math.degrees(math.atan2(start[1] - center[1], start[0] - center[0]))
    sweep = math.degrees(4 * math.atan(bulge))
    steps = max(2, int(abs(sweep) / 7.5))
    yield from (point_on_circle(center, radius, first + sweep * step / steps) for step in range(1, steps))
