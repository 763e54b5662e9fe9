"""Sheet metal: a part of one thickness, with bends."""

from __future__ import annotations

from math import degrees
from typing import Any

from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.bands import Axis, Band, RoundFaces
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.unfolding import blank, neutral_fibre


def sheets(shape: FeatureShape, rounds: RoundFaces) -> list[Found]:
    """The part as a whole, where a bend shows that it was a sheet."""
    bends = _bends(shape, rounds)
    if not bends:
        return []
    thickness = sorted(outer.radius - inner.radius for _, inner, outer in bends)[len(bends) // 2]
    bends = [row for row in bends if abs(row[2].radius - row[1].radius - thickness) <= shape.tolerance]
    volume = abs(shape.definition.mass.volume) if shape.definition.has_volume else None
    if volume is None or thickness > thresholds.SHEET_THICKNESS * shape.size:
        return []
    # Both sides of a sheet have its volume by its thickness; what is more are its edges, what is less is no sheet.
    both = 2.0 * volume / thickness
    if both < thresholds.SHEET_AREA * sum(shape.areas):
        return []
    faces = sorted({face for _, inner, outer in bends for face in (*inner.faces, *outer.faces)})
    members: dict[str, Any] = {
        "thickness": thickness,
        "bends": [_bend(*row, thickness) for row in bends],
        "flat_area": both / 2.0,
        "flat_pattern": blank(shape, bends, thickness, volume),
    }
    return [Found("sheet_metal", faces, members)]


def _bends(shape: FeatureShape, rounds: RoundFaces) -> list[tuple[Axis, Band, Band]]:
    """Concave cylinders, each with a convex one about the same axis, tangent to planes on both sides."""
    found = []
    for axis in rounds.concave:
        for inner in axis.bands:
            if inner.kind != "cylinder" or inner.turn >= thresholds.WHOLE_TURN or not _is_tangent(shape, inner):
                continue
            outer = next(
                (
                    band
                    for other in rounds.convex
                    if shape.is_along(other.direction, axis.direction)
                    and float(axis.distances(other.origin[None])[0]) <= shape.tolerance
                    for band in other.bands
                    if _wraps(shape, axis, inner, other, band)
                ),
                None,
            )
            if outer is not None:
                found.append((axis, inner, outer))
    return found


def _wraps(shape: FeatureShape, axis: Axis, inner: Band, other: Axis, outer: Band) -> bool:
    """Whether a convex band is the outside of a bend: larger, as long, as far round."""
    low, high = sorted(float(axis.heights(other.at(height)[None])[0]) for height in (outer.low, outer.high))
    return (
        outer.kind == "cylinder"
        and outer.radius > inner.radius + shape.tolerance
        and abs(low - inner.low) + abs(high - inner.high) <= 2.0 * shape.tolerance
        and abs(outer.turn - inner.turn) <= 1e-3
        and _is_tangent(shape, outer)
    )


def _is_tangent(shape: FeatureShape, band: Band) -> bool:
    return (
        sum(
            shape.convexity(edge) == "smooth" and shape.kind(other) == "plane"
            for face in band.faces
            for edge, other in shape.neighbours(face)
        )
        >= 2
    )


def _bend(axis: Axis, inner: Band, outer: Band, thickness: float) -> dict[str, Any]:
    fibre = neutral_fibre(inner.radius, thickness)
    return {
        **({} if fibre is None else {"k_factor": fibre}),
        "inner_radius": inner.radius,
        "angle": degrees(inner.turn),
        "length": inner.length,
        "faces": sorted({*inner.faces, *outer.faces}),
    }
