"""Records of a DXF as shapes: one function a kind of entity.

A shape is None where its numbers are missing, no numbers, or absurd.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

import numpy as np

from spatial.formats.dxf.curved_shapes import Arc, Ellipse, OutlineShape, Spline
from spatial.formats.dxf.hatch import hatch_shape
from spatial.formats.dxf.meshes import SPLINE_FRAME, mesh, mesh_grid, mline, polyface
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.plane import IDENTITY, Affine, ocs_affine, rounded
from spatial.formats.dxf.polylines import BulgedPolyline, InfiniteLine, Path, Segment
from spatial.formats.dxf.shape import Shape
from spatial.formats.dxf.spline import b_spline
from spatial.formats.dxf.tags import Record, as_number
from spatial.models.sheet.drawing import Array

CONTROL_POINTS: Final = 20_000
"""Splines with more are cut off."""


def plane_of(record: Record) -> Affine:
    """From the entity's plane to the world seen from above."""
    places = record.layout.places
    if 210 not in places and 220 not in places and 230 not in places:
        return IDENTITY
    elevation = record.number(38) if record.type == "LWPOLYLINE" else record.number(30)
    return ocs_affine((record.number(210), record.number(220), record.number(230, 1.0)), elevation)


_ENDS: Final = (10, 20, 11, 21)
_ENDS_IN_SPACE: Final = (*_ENDS, 30, 31)


def ends_of(record: Record) -> Iterator[float] | None:
    """x, y, x, y and the heights of the ends of a LINE, each a number when it is asked for; None where one of them is missing."""
    ends = record.layout.getter(_ENDS_IN_SPACE)(record.values)
    return map(float, ends) if len(ends) == len(_ENDS_IN_SPACE) else None


def _line(record: Record) -> Shape:
    if (ends := ends_of(record)) is not None:
        try:
            return Segment(*ends)
        except ValueError:  # of a height it is the height alone that is lost
            pass
    x1, y1, x2, y2 = map(float, record.layout.getter(_ENDS)(record.values))
    return Segment(x1, y1, x2, y2, record.number(30), record.number(31))


def _circle(record: Record) -> Shape | None:
    radius = abs(record.number(40))
    if not radius:
        return None
    circle = Arc(float(record.value(10)), float(record.value(20)), radius, height=record.number(30))
    return _in_plane(record, circle)


def _arc(record: Record) -> Shape | None:
    radius = abs(record.number(40))
    if not radius:
        return None
    start, end = record.number(50) % 360, record.number(51, 360.0) % 360
    if start == end:
        start, end = 0.0, 360.0
    arc = Arc(float(record.value(10)), float(record.value(20)), radius, start, end, record.number(30))
    return _in_plane(record, arc)


def _in_plane(record: Record, shape: Shape) -> Shape:
    turn = plane_of(record)
    return shape if turn is IDENTITY else shape.moved(turn)


def _ellipse(record: Record) -> Shape | None:
    """Centre and major axis are of the world; the minor axis is normal × major."""
    x, y, z = record.point(11)
    ratio = record.number(40, 1.0)
    n = np.array((record.number(210), record.number(220), record.number(230, 1.0)))
    minor = np.cross(n, (x, y, z)) * ratio
    if not (x or y):
        return None
    start, end = record.number(41), record.number(42, math.tau)
    center = (float(record.value(10)), float(record.value(20)))
    return Ellipse(center, (x, y), (float(minor[0]), float(minor[1])), start, end)


def _lwpolyline(record: Record) -> Shape | None:
    """Width codes are not shapes; a bulge belongs to the vertex before it."""
    xs, ys = record.every(10), record.every(20)
    if len(xs) != len(ys) or not xs:
        return None
    bulges = _bulges(record.own_pairs()) if record.has(42) else {}
    points = np.array(list(map(float, chain.from_iterable(zip(xs, ys, strict=True))))).reshape(-1, 2)
    return _in_plane(record, _polyline(points, bulges, closed=bool(record.whole(70) & 1)))


def _bulges(pairs: list[tuple[int, Value]]) -> dict[int, float]:
    """Vertex to its bulge."""
    found: dict[int, float] = {}
    vertex = -1
    for code, value in pairs:
        if code == 10:
            vertex += 1
        elif code == 42:
            found[vertex] = float(value)
    return found


def _polyline(points: Array, bulges: dict[int, float], *, closed: bool) -> Shape:
    if any(bulges.values()):
        return BulgedPolyline(points, [bulges.get(place, 0.0) for place in range(len(points))], closed)
    return Path(points, closed)


def polyline_shape(record: Record, vertices: list[Record]) -> tuple[str, Shape | None]:
    """A POLYLINE with its VERTEX records: a polyline in the plane or in space, or a mesh or polyface."""
    flags = record.whole(70)
    if flags & 64:
        return "polyface", polyface(vertices)
    if flags & 16:
        return "mesh", mesh_grid(record, vertices)
    on = [vertex for vertex in vertices if not vertex.whole(70) & SPLINE_FRAME]
    points = np.array([(vertex.number(10), vertex.number(20)) for vertex in on]).reshape(-1, 2)
    if not len(points):
        return "polyline", None
    bulges = {place: vertex.number(42) for place, vertex in enumerate(on)}
    shape = _polyline(points, bulges, closed=bool(flags & 1))
    return "polyline", shape if flags & 8 else _in_plane(record, shape)


def box_corners(points: Array) -> Array:
    """The corners of the upright box around points."""
    if not len(points):
        return np.zeros((0, 2))
    (x1, y1), (x2, y2) = points.min(axis=0), points.max(axis=0)
    return np.array(((x1, y1), (x2, y1), (x2, y2), (x1, y2)))


def _spline(record: Record) -> Shape | None:
    degree = record.whole(71, 3)
    control = pairs_of(record, 10)
    fit = pairs_of(record, 11)
    knots = record.numbers(40)[: 2 * CONTROL_POINTS]
    weights = record.numbers(41)[: len(control)]
    if len(weights) != len(control) or all(weight == 1.0 for weight in weights):
        weights = []
    closed = bool(record.whole(70) & 1)
    flat = b_spline(degree, control, np.array(knots), weights)
    if flat is None:
        flat = fit if len(fit) > 1 else control
    return Spline(degree, control, knots, weights, fit, closed, flat) if len(flat) > 1 else None


def pairs_of(record: Record, code: int) -> Array:
    """(n, 2) every x and y that follow one another."""
    found: list[float] = []
    for at, value in record.all(code, code + 10):
        as_float = as_number(value)
        if as_float is not None and (at == code) == (len(found) % 2 == 0):
            found.append(as_float)
    return np.array(found[: len(found) // 2 * 2][: 2 * CONTROL_POINTS]).reshape(-1, 2)


def _solid(record: Record) -> Shape | None:
    """Corners of SOLID and TRACE go across: 1, 2, 4, 3."""
    codes = (10, 11, 13, 12) if record.has(13) else (10, 11, 12)
    points = np.array([(record.number(code), record.number(code + 10)) for code in codes])
    if len(points) == 4 and (points[2] == points[3]).all():
        points = points[:3]
    return _in_plane(record, Path(points, closed=True, filled=True))


def _face(record: Record) -> Shape:
    codes = [code for code in (10, 11, 12, 13) if record.has(code)]
    points = np.array([(record.number(code), record.number(code + 10)) for code in codes]).reshape(-1, 2)
    if len(points) == 4 and (points[2] == points[3]).all():
        points = points[:3]
    return Path(points, closed=True)


def _point(record: Record) -> Shape:
    return Path(np.array(((float(record.value(10)), float(record.value(20))),)))


def _infinite_line(record: Record) -> Shape | None:
    x, y = float(record.value(10)), float(record.value(20))
    direction = record.number(11), record.number(21)
    return InfiniteLine((x, y), direction) if any(direction) else None


def _leader(record: Record) -> Shape | None:
    points = pairs_of(record, 10)
    return Path(points) if len(points) > 1 else None


def _image(record: Record) -> Shape | None:
    """Insertion point and the vectors of one pixel, times the size in pixels."""
    corner = np.array((float(record.value(10)), float(record.value(20))))
    u = np.array((record.number(11), record.number(21))) * record.number(13)
    v = np.array((record.number(12), record.number(22))) * record.number(23)
    outline = np.array((corner, corner + u, corner + u + v, corner + v))
    return OutlineShape({"size_px": [rounded(record.number(13)), rounded(record.number(23))]}, outline)


def _viewport(record: Record) -> Shape | None:
    """scale: paper length over model length."""
    x, y, width, height = (float(record.value(code)) for code in (10, 20, 40, 41))
    view = record.number(45)
    facts = {
        "center": [rounded(x), rounded(y)],
        "size": [rounded(width), rounded(height)],
        "viewport_id": record.whole(69),
    }
    if view > 0 and height > 0:
        facts |= {"scale": float(f"{height / view:.9g}"), "view_height": rounded(view)}
        facts["view_center"] = [rounded(record.number(12)), rounded(record.number(22))]
    w, h = width / 2, height / 2
    return OutlineShape(facts, np.array(((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))))


BODIES: Final = frozenset(("3DSOLID", "BODY", "REGION", "SURFACE"))


def _unread(record: Record) -> Shape | None:
    """A body of ACIS data, an embedded object: that it is there, and where, if it says so."""
    if record.type in BODIES:
        return OutlineShape()
    if record.has(10) and record.has(20):
        return OutlineShape({"position": [rounded(record.number(10)), rounded(record.number(20))]})
    return OutlineShape()


READERS: Final[dict[str, tuple[str, Callable[[Record], Shape | None]]]] = {
    "LINE": ("line", _line),
    "CIRCLE": ("circle", _circle),
    "ARC": ("arc", _arc),
    "ELLIPSE": ("ellipse", _ellipse),
    "LWPOLYLINE": ("polyline", _lwpolyline),
    "SPLINE": ("spline", _spline),
    "HELIX": ("spline", _spline),
    "HATCH": ("hatch", hatch_shape),
    "MPOLYGON": ("hatch", hatch_shape),
    "SOLID": ("solid", _solid),
    "TRACE": ("solid", _solid),
    "3DFACE": ("face", _face),
    "POINT": ("point", _point),
    "RAY": ("ray", _infinite_line),
    "XLINE": ("xline", _infinite_line),
    "LEADER": ("leader", _leader),
    "MLINE": ("mline", mline),
    "IMAGE": ("image", _image),
    "WIPEOUT": ("wipeout", _image),
    "VIEWPORT": ("viewport", _viewport),
    "MESH": ("mesh", mesh),
}
"""Kind of record to the type in the document and its reader; others are opaque."""


def shape_of(record: Record) -> tuple[str, Shape | None]:
    """The type in the document, and the shape, None where it cannot be read."""
    type, read = READERS.get(record.type) or (record.type.lower(), _unread)
    try:
        return type, read(record)
    except (KeyError, ValueError, OverflowError, ArithmeticError):
        return type, None
