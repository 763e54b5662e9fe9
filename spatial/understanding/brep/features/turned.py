"""Turned parts: round about one axis, with steps, grooves and shoulders along it."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    if grooves:
        members["grooves"] = grooves
    return Found("turned", faces, members)


def _row(band: Band, start: float) -> dict[str, Any]:
    return {"diameter": 2.0 * band.radius, "begin": band.low - start, "end": band.high - start, "faces": band.faces}


def _is_groove(shape: FeatureShape, axis: Axis, band: Band) -> bool:
    """Whether walls across the axis rise on both sides."""
    sides = set()
    for face in band.faces:
        for edge, other in shape.neighbours(face):
            normal = shape.normal(other)
            if normal is None or shape.convexity(edge) != "concave" or not shape.is_along(normal, axis.direction):
                continue
            sides.add(float(np.sign(normal @ axis.direction)))
    return len(sides) == 2
