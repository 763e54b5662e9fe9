"""Patterns: features of one kind and size at equal steps on a line, a grid or a circle, or on both sides of a middle plane."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.rings import rings_among
from spatial.understanding.brep.features.shape import FeatureShape

LEAST: Final = 3
"""Fewest members: two of a kind are at equal steps whatever they are."""

_SQUARE: Final = 4
"""Members whose circle is a square grid, too. It is a circle where something round has its axis in the middle, as the bore of a flange:
what is dimensioned from an axis has polar coordinates, all else rectangular ones (ISO 129-1)."""

REPEATED: Final = ("hole", "slot", "pocket", "boss", "rib")
"""Types of which patterns are made: they have a position and an axis."""

MOST_MIRRORED: Final = 200
"""Members of one kind up to which a middle plane is looked for: each pair of them gives one to test."""

_ALIKE: Final = 6
"""Significant digits of sizes that are the same."""
_DIRECTION: Final = 4
"""Decimals of directions that are the same."""
_PLACED: Final = frozenset({"axis", "position", "interrupted", "walls"})
"""Members that say where a feature is, or what else has cut it."""


def patterns(shape: FeatureShape, found: list[Found]) -> list[tuple[Found, list[int]]]:
    """Each pattern, and the places of its members in the list of features."""
    levels: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    lines: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    kinds: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(found):
        if each.type in REPEATED:
            kind = (each.type, _sizes(each.members))
            way, level = _level(shape, each)
            levels[*kind, *way, level].append(place)
            kinds[kind].append(place)
            if each.members.get("through"):
                lines[*kind, *way].append(place)
    rows = []
    explained: set[int] = set()
    # What goes through is arranged whatever it enters by: a slot may have lowered the mouth of one.
    for group in (*lines.values(), *levels.values()):
        for members, own in _arranged(shape, found, [place for place in group if place not in explained]):
            explained |= set(own)
            rows.append(_row(found, own, members))
    for places in kinds.values():
        left = [place for place in places if place not in explained]
        if 2 <= len(left) <= MOST_MIRRORED and len(left) % 2 == 0:
            plane = _mirror(shape, [found[place].members for place in left])
            if plane is not None:
                rows.append(_row(found, left, plane))
    return rows


def _arranged(shape: FeatureShape, found: list[Found], places: list[int]) -> Iterator[tuple[dict[str, Any], list[int]]]:
    """How features of one kind and level are arranged: all in one way, or in circles and what is left in another."""
    if len(places) < LEAST:
        return
    axis = np.asarray(found[places[0]].members["axis"])
    points = np.array([found[place].members["position"] for place in places])
    points = points - ((points - points[0]) @ axis)[:, None] * axis
    if _meet(points, shape.tolerance):
        return
    faces = {face for place in places for face in found[place].faces}

    def steps(group: list[int]) -> dict[str, Any] | None:
        is_round = len(group) != _SQUARE or _is_about_something(shape, points[group].mean(axis=0), axis, faces)
        return _steps(shape, points[group], axis, is_round=is_round)

    everything = list(range(len(places)))
    whole = steps(everything)
    if whole is not None:
        yield {"axis": axis, **whole}, places
        return
    rings = rings_among(points, axis, shape.tolerance)
    rings = [ring for ring in rings if (members := steps(ring)) is not None and members["pattern"] == "circle"]
    rest = sorted(set(everything) - {place for ring in rings for place in ring})
    for group in (*rings, rest):
        members = steps(group) if len(group) >= LEAST else None
        if members is not None:
            yield {"axis": axis, **members}, [places[place] for place in group]


def _meet(points: Array, tolerance: float) -> bool:
    """Whether two points are one, as those of two lugs that one bolt goes through."""
    return len(set(map(tuple, np.round(points / (4.0 * tolerance)).tolist()))) < len(points)


def _row(found: list[Found], places: list[int], members: dict[str, Any]) -> tuple[Found, list[int]]:
    faces = sorted({face for place in places for face in found[place].faces})
    return Found("pattern", faces, {"count": len(places), **members}), places


def _sizes(value: Any) -> Any:
    """All sizes of a feature, rounded, to compare it with others."""
    if isinstance(value, dict):
        return tuple((name, _sizes(each)) for name, each in sorted(value.items()) if name not in _PLACED)
    if isinstance(value, list):
        return tuple(map(_sizes, value))
    return float(f"{value:.{_ALIKE}g}") if isinstance(value, float) else value


def _level(shape: FeatureShape, each: Found) -> tuple[tuple[float, ...], int]:
    """The direction of a feature, either way, and the plane in which it begins."""
    axis = each.members["axis"]
    upright = axis if axis[int(np.argmax(np.abs(axis) > 1e-6))] > 0.0 else -axis
    level = round(float(each.members["position"] @ upright) / (10.0 * shape.tolerance))
    return tuple((np.round(upright, _DIRECTION) + 0.0).tolist()), level


def _is_about_something(shape: FeatureShape, centre: Array, axis: Array, faces: set[int]) -> bool:
    """Whether a round face but those of the members has its axis through the middle of a pattern."""
    return any(
        surface is not None
        and surface.kind in ("cylinder", "cone", "torus")
        and face not in faces
        and shape.is_along(surface.axis, axis)
        and length(cross(centre - surface.origin, axis)) <= 2.0 * shape.tolerance
        for face, surface in enumerate(shape.surfaces)
    )


def _steps(shape: FeatureShape, points: Array, axis: Array, *, is_round: bool) -> dict[str, Any] | None:
    """is_round: whether a circle is meant where a square is one, too."""
    for rule in (_circle, _line, _grid) if is_round else (_line, _grid):
        members = rule(points, axis, shape.tolerance)
        if members is not None:
            return members
    return None


def _mirror(shape: FeatureShape, members: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The plane through the middle of the body on whose sides the features lie in pairs.

    Any two features of one kind have a plane between them; that it is also the middle of the body says that it is meant.
    """
    points = np.array([each["position"] for each in members])
    axes = np.array([each["axis"] for each in members])
    through = np.array([bool(each.get("through")) for each in members])
    for other in range(1, len(points)):
        normal = points[other] - points[0]
        apart = float(np.linalg.norm(normal))
        if apart <= 2.0 * shape.tolerance:
            continue
        normal = normal / apart
        low, high = shape.reach(normal)
        height = (low + high) / 2.0
        if abs(float((points[0] + points[other]) @ normal) / 2.0 - height) > 2.0 * shape.tolerance:
            continue
        if _pairs(shape, points, axes, through, normal, height):
            middle = points.mean(axis=0)
            return {
                "pattern": "mirror",
                "axis": normal,
                "position": middle + (height - float(middle @ normal)) * normal,
            }
    return None


def _pairs(shape: FeatureShape, points: Array, axes: Array, through: Array, normal: Array, height: float) -> bool:
    """Whether the mirror image of every feature is another one."""
    images = points - 2.0 * ((points @ normal) - height)[:, None] * normal
    turned = axes - 2.0 * (axes @ normal)[:, None] * normal
    gaps = np.linalg.norm(images[:, None] - points[None], axis=2)
    partner = np.argmin(gaps, axis=1)
    near = gaps[np.arange(len(points)), partner] <= 4.0 * shape.tolerance
    along = np.einsum("ij,ij->i", turned, axes[partner])
    alike = np.where(through, np.abs(along), along) >= 1.0 - 1e-6
    return bool(np.all(near & alike & (partner != np.arange(len(points))))) and len(set(partner.tolist())) == len(
        points
    )


def _circle(points: Array, axis: Array, tolerance: float) -> dict[str, Any] | None:
    """Equal steps around a whole circle."""
    middle = points.mean(axis=0)
    away = points - middle
    radii = np.linalg.norm(away, axis=1)
    if np.ptp(radii) > 2.0 * tolerance or radii.min() <= tolerance:
        return None
    x = away[0] / radii[0]
    angles = np.sort(np.arctan2(away @ cross(axis, x), away @ x))
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
    _, sizes, rows = np.linalg.svd(points - middle, full_matrices=False)
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
    y = cross(axis, x)
    rows = [_levels((points - points[0]) @ direction, tolerance) for direction in (x, y)]
    if len(rows[0]) * len(rows[1]) != len(points) or min(map(len, rows)) < 2:
        return None
    pitches = [np.diff(levels) for levels in rows]
    if any(np.ptp(steps) > 4.0 * tolerance for steps in pitches):
        return None
    return {
        "pattern": "grid",
        "position": points.mean(axis=0),
        "pitches": [float(steps.mean()) for steps in pitches],
        "counts": list(map(len, rows)),
        "directions": [x, y],
    }


def _levels(values: Array, tolerance: float) -> Array:
    """Different values, ascending."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.diff(ordered, prepend=-np.inf) > 2.0 * tolerance])
