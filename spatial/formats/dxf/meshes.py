"""Entities of many lines: POLYLINE meshes, polyfaces and MESH as their edges, and MLINE.

Glossary
  strand    one of the parallel lines of an MLINE.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.formats.dxf.plane import MAX_COORDINATE
from spatial.formats.dxf.polylines import Path, PolylineGroup
from spatial.formats.dxf.shape import Shape
from spatial.formats.dxf.tags import Record, as_number
from spatial.models.sheet.drawing import Array

SPLINE_FRAME: Final = 16
"""Vertex flag: a control point of a polyline that was made a curve, not on the curve."""

EDGES: Final = 50_000
"""Meshes with more are cut off."""

STRANDS: Final = 16
"""AutoCAD's limit."""

_CLOSED_M, _CLOSED_N, _FACE, _POINT = 1, 32, 128, 64


def mesh_grid(record: Record, vertices: list[Record]) -> Shape | None:
    """A POLYLINE that is a mesh of m by n vertices; one that was smoothed has its own number of them."""
    on = [vertex for vertex in vertices if not vertex.whole(70) & SPLINE_FRAME]
    points = _points(on)
    flags = record.whole(70)
    for m, n in ((record.whole(71), record.whole(72)), (record.whole(73), record.whole(74))):
        if m > 1 and n > 1 and m * n == len(points) <= EDGES:
            rows = points.reshape(m, n, 2)
            along = [_closed(row, closed=bool(flags & _CLOSED_N)) for row in rows]
            across = [_closed(rows[:, place], closed=bool(flags & _CLOSED_M)) for place in range(n)]
            return PolylineGroup([*along, *across], {"vertices": len(points)})
    return PolylineGroup([points], {"vertices": len(points)}) if len(points) else None


def _points(vertices: list[Record]) -> Array:
    return np.array([(vertex.number(10), vertex.number(20)) for vertex in vertices]).reshape(-1, 2)


def _closed(points: Array, *, closed: bool) -> Array:
    return np.vstack((points, points[:1])) if closed else points


def polyface(vertices: list[Record]) -> Shape | None:
    """Vertices, then faces that name them from 1; a negative name is where an edge begins that is not seen."""
    corners = [vertex for vertex in vertices if not vertex.whole(70) & _FACE or vertex.whole(70) & _POINT]
    faces = [vertex for vertex in vertices if vertex.whole(70) & _FACE and not vertex.whole(70) & _POINT]
    points = _points(corners)
    edges: set[tuple[int, int]] = set()
    for face in faces[:EDGES]:
        names = [name for code in (71, 72, 73, 74) if (name := face.whole(code))]
        edges |= {_edge(a, b) for a, b in zip(names, [*names[1:], *names[:1]], strict=True) if a > 0}
    return _wired(points, edges) if len(points) else None


def _edge(a: int, b: int) -> tuple[int, int]:
    low, high = sorted((abs(a) - 1, abs(b) - 1))
    return low, high


def _wired(points: Array, edges: Iterable[tuple[int, int]]) -> Shape | None:
    """The edges whose ends both exist, as lines."""
    sound = [(a, b) for a, b in edges if 0 <= a < b < len(points)][:EDGES]
    lines = list(points[np.array(sorted(sound), dtype=np.int64).reshape(-1, 2)])
    return PolylineGroup(lines or [points], {"vertices": len(points)})


def mesh(record: Record) -> Shape | None:
    """A MESH at its lowest level: vertices after group 92, faces after group 93, each a number of corners and their places."""
    xs, ys = record.numbers(10), record.numbers(20)
    points = np.array(list(zip(xs, ys, strict=False))).reshape(-1, 2)
    if not len(points) or not record.has(93):
        return None
    start = record.codes.index(93) + 1
    faces = _faces(record, start, start + min(record.whole(93), len(record.codes)))
    return _wired(points, {_edge(a + 1, b + 1) for face in faces for a, b in pairwise([*face, *face[:1]])})


def _faces(record: Record, place: int, end: int) -> list[list[int]]:
    found: list[list[int]] = []
    numbers = [
        int(value) if code == 90 and (value := as_number(raw)) is not None and 0 <= value < MAX_COORDINATE else -1
        for code, raw in zip(record.codes[place:end], record.values[place:end], strict=True)
    ]
    at = 0
    while at < len(numbers) and numbers[at] > 0 and len(found) < EDGES:
        found.append(numbers[at + 1 : at + 1 + numbers[at]])
        at += 1 + numbers[at]
    return found


def mline(record: Record) -> Shape | None:
    """Each vertex (11) has a mitre (13), and each strand its way along the mitre (the first 41 after each 74)."""
    vertices: list[tuple[float, float]] = []
    mitres: list[tuple[float, float]] = []
    ways: list[list[float]] = []
    x, wanted = 0.0, False
    for code, value in record.all(11, 21, 13, 23, 74, 41):
        number = float(value)
        if code in (11, 13):
            x = number
        elif code == 21:
            vertices.append((x, number))
            ways.append([])
        elif code == 23:
            mitres.append((x, number))
        elif code == 74:
            wanted = number > 0
        elif wanted and ways:
            ways[-1].append(number)
            wanted = False
    count = min((len(way) for way in ways), default=0)
    points, closed = np.array(vertices).reshape(-1, 2), bool(record.whole(71) & 2)
    if len(points) < 2:
        return None
    if len(mitres) != len(points) or not 0 < count <= STRANDS:
        return Path(points, closed=closed)
    across, along = np.array(mitres), np.array([way[:count] for way in ways])
    strands = [points + across * along[:, strand, None] for strand in range(count)]
    return PolylineGroup([_closed(strand, closed=closed) for strand in strands])
