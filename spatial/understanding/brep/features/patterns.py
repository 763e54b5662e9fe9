"""Patterns: features of one kind and size at equal steps along a line, in a grid, or around a circle."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape

LEAST: Final = 3
"""Fewest members: two of a kind are at equal steps whatever they are."""

_ALIKE: Final = 6
"""Digits of sizes that are the same."""


def patterns(shape: FeatureShape, found: list[Found]) -> list[tuple[Found, list[int]]]:
    """Each pattern, and the places of its members in the list of features."""
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(found):
        if each.type == "hole":
            groups[_key(shape, each)].append(place)
    rows = []
    for places in groups.values():
        if len(places) >= LEAST:
            pattern = _pattern(
                shape, np.array([found[place].members["position"] for place in places]), found[places[0]]
            )
            if pattern is not None:
                faces = sorted({face for place in places for face in found[place].faces})
                rows.append((Found("pattern", faces, pattern), places))
    return rows


def _key(shape: FeatureShape, hole: Found) -> tuple[Any, ...]:
    """What members of a pattern have in common: size, and the plane in which they begin or end."""
    members = hole.members
    axis = members["axis"]
    upright = axis if axis[int(np.argmax(np.abs(axis) > 1e-6))] > 0.0 else -axis
    sizes = [members.get(name) for name in ("diameter", "depth")]
    treated = [
        members[name]["diameter"] for name in ("counterbore", "countersink", "spotface", "chamfer") if name in members
    ]
    level = round(float(members["position"] @ upright) / (10.0 * shape.tolerance))
    return (
        *(None if size is None else round(size, _ALIKE) for size in (*sizes, *treated)),
        tuple(np.round(upright, 4).tolist()),
        level,
    )


def _pattern(shape: FeatureShape, points: Array, first: Found) -> dict[str, Any] | None:
    axis = np.asarray(first.members["axis"])
    for rule in (_circle, _line, _grid):
        members = rule(points, axis, shape.tolerance)
        if members is not None:
            return {"count": len(points), "axis": axis, **members}
    return None


def _circle(points: Array, axis: Array, tolerance: float) -> dict[str, Any] | None:
    """Equal steps around a whole circle."""
    middle = points.mean(axis=0)
    away = points - middle
    radii = np.linalg.norm(away, axis=1)
    if np.ptp(radii) > 2.0 * tolerance or radii.min() <= tolerance:
        return None
    x = away[0] / radii[0]
    angles = np.sort(np.arctan2(away @ np.cross(axis, x), away @ x))
    steps = np.diff(angles, append=angles[0] + 2.0 * np.pi)
    if np.ptp(steps) * radii[0] > 4.0 * tolerance:
        return None
    return {
        "pattern": "circle",
        "diameter": 2.0 * float(radii.mean()),
        "position": middle,
        "step_angle": 360.0 / len(points),
    }


def _line(points: Array, axis: Array, tolerance: float) -> dict[str, Any] | None:
    """Equal steps along a straight line."""
    middle = points.mean(axis=0)
    _, sizes, rows = np.linalg.svd(points - middle)
    if sizes[1] > 2.0 * tolerance * np.sqrt(len(points)):
        return None
    steps = np.diff(np.sort((points - middle) @ rows[0]))
    if np.ptp(steps) > 4.0 * tolerance:
        return None
    return {"pattern": "line", "position": middle, "pitch": float(steps.mean())}


def _grid(points: Array, axis: Array, tolerance: float) -> dict[str, Any] | None:
    """Rows and columns at right angles, every place taken."""
    nearest = np.linalg.norm(points[1:] - points[0], axis=1)
    along = points[1 + int(np.argmin(nearest))] - points[0]
    x = along / np.linalg.norm(along)
    y = np.cross(axis, x)
    rows = [_levels((points - points[0]) @ direction, tolerance) for direction in (x, y)]
    if len(rows[0]) * len(rows[1]) != len(points) or min(map(len, rows)) < 2:
        return None
    pitches = [np.diff(levels) for levels in rows]
    if any(np.ptp(steps) > 4.0 * tolerance for steps in pitches):
        return None
    return {"pattern": "grid", "position": points.mean(axis=0), "pitches": [float(steps.mean()) for steps in pitches]}


def _levels(values: Array, tolerance: float) -> Array:
    """Different values, ascending."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.diff(ordered, prepend=-np.inf) > 2.0 * tolerance])
