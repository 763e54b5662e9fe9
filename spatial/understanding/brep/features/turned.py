"""Turned parts: round about one axis, with steps, grooves and shoulders along it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

from spatial.geometry.analytic import AnalyticSurface
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.bands import Axis, Band, RoundFaces
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape


def turned(shape: FeatureShape, rounds: RoundFaces) -> list[Found]:
    """The part as a whole, where a lathe made most of its surface."""
    whole = sum(shape.areas)
    best: tuple[float, Axis] | None = None
    for axis in rounds.convex:
        if not any(band.kind == "cylinder" and band.turn >= thresholds.WHOLE_TURN for band in axis.bands):
            continue
        area = sum(shape.areas[face] for face in _turned_faces(shape, axis))
        if best is None or area > best[0]:
            best = area, axis
    if best is None or best[0] < thresholds.TURNED_AREA * whole:
        return []
    return [_part(shape, best[1])]


def _turned_faces(shape: FeatureShape, axis: Axis) -> list[int]:
    """Faces round about the axis, and the flanks of threads about it."""
    cut = {face for band in axis.bands if band.thread for face in band.faces}
    return [face for face in range(len(shape.faces)) if face in cut or _is_turned(shape, axis, face)]


def _is_turned(shape: FeatureShape, axis: Axis, face: int) -> bool:
    """Whether a face is round about the axis, or a plane across it whose outer loop is a circle about it."""
    surface = shape.surfaces[face]
    if surface is None:
        return False
    on_axis = float(axis.distances(surface.origin[None])[0]) <= shape.tolerance
    if surface.kind == "sphere":
        return on_axis
    if not shape.is_along(surface.axis, axis.direction):
        return False
    if surface.kind != "plane":
        return on_axis
    outer = next((loop for loop in shape.loops(face) if loop.outer), None)
    return outer is not None and all(
        edge.center is not None and float(axis.distances(edge.center[None])[0]) <= shape.tolerance
        for edge in outer.edges
    )


def _part(shape: FeatureShape, axis: Axis) -> Found:
    faces = _turned_faces(shape, axis)
    low, high = shape.extent(faces, axis.direction)
    start = low - float(axis.origin @ axis.direction)
    bands = [band for band in axis.bands if band.kind == "cylinder" and band.turn >= thresholds.MORE_THAN_HALF]
    members: dict[str, Any] = {
        "axis": axis.direction,
        "position": axis.at(start),
        "length": high - low,
        "diameter": 2.0 * max(band.radius for band in bands),
        "steps": [_row(band, start) for band in bands],
    }
    grooves = [_row(band, start) for band in bands if _is_groove(shape, axis, band)]
    grooves = sorted(
        [*grooves, *_pointed(shape, axis, start), *_rounded(shape, axis, start)], key=lambda row: row["begin"]
    )
    if grooves:
        members["grooves"] = grooves
    return Found("turned", faces, members)


def _row(band: Band, start: float) -> dict[str, Any]:
    return {"diameter": 2.0 * band.radius, "begin": band.low - start, "end": band.high - start, "faces": band.faces}


def _is_groove(shape: FeatureShape, axis: Axis, band: Band) -> bool:
    """Whether walls rise on both sides of a floor: planes across the axis, or cones."""
    sides = set()
    for face in band.faces:
        for edge, other in shape.neighbours(face):
            surface = shape.surfaces[other]
            if other in band.faces or surface is None or shape.convexity(edge) != "concave":
                continue
            if surface.kind in ("plane", "cone") and shape.is_along(surface.axis, axis.direction):
                middle = float(axis.heights(edge.points).mean())
                sides.add(middle > (band.low + band.high) / 2.0)
    return len(sides) == 2


def _pointed(shape: FeatureShape, axis: Axis, start: float) -> Iterator[dict[str, Any]]:
    """V-grooves: two cones that meet in a concave circle. Their diameter is that of the circle."""
    cones = [
        band
        for band in axis.bands
        if band.kind == "cone"
        and band.turn >= thresholds.WHOLE_TURN
        and set(band.faces) <= set(_turned_faces(shape, axis))
    ]
    for low, high in product(cones, cones):
        is_root = abs(low.high - high.low) <= shape.tolerance and abs(low.radii[1] - high.radii[0]) <= shape.tolerance
        if (
            is_root
            and low.radii[0] > low.radii[1] + shape.tolerance
            and high.radii[1] > high.radii[0] + shape.tolerance
        ):
            faces = sorted({*low.faces, *high.faces})
            yield {"diameter": 2.0 * high.radii[0], "begin": low.low - start, "end": high.high - start, "faces": faces}


def _rounded(shape: FeatureShape, axis: Axis, start: float) -> Iterator[dict[str, Any]]:
    """Grooves with a round floor: a torus about the axis whose tube is open outwards, with an edge on either side."""
    found: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for face, surface in enumerate(shape.surfaces):
        if surface is None or surface.kind != "torus" or shape.bulge(face) >= 0.0 or not _is_turned(shape, axis, face):
            continue
        rims = [
            edge for edge, other in shape.neighbours(face) if edge.type == "circle" and shape.kind(other) != "torus"
        ]
        levels = {round(float(axis.heights(edge.points[:1])[0]) / shape.tolerance) for edge in rims}
        if len(levels) == 2 and all(shape.convexity(edge) == "convex" and _is_outside(edge, surface) for edge in rims):
            found[round(surface.radius, 6), round(float(axis.heights(surface.origin[None])[0]), 6)].append(face)
    for faces in found.values():
        low, high = shape.extent(faces, axis.direction)
        surface = shape.surfaces[faces[0]]
        assert surface is not None
        begin = low - float(axis.origin @ axis.direction) - start
        diameter = 2.0 * (surface.major_radius - surface.radius)
        yield {"diameter": diameter, "begin": begin, "end": begin + high - low, "faces": faces}


def _is_outside(edge: BodyEdge, torus: AnalyticSurface) -> bool:
    """Whether a rim is further from the axis than the floor of a groove."""
    return edge.radius is not None and edge.radius > torus.major_radius - torus.radius
