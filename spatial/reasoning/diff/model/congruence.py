"""Whether two bodies have the same shape up to a rigid motion, and by which one, from their analytic faces.

Rotations come from pairs of directions (normals and axes) of like surfaces; every candidate is checked face by face.
Source: M. D. Shuster, S. D. Oh, "Three-axis attitude determination from vector observations" (TRIAD), J. Guidance and
Control 4 (1981).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.surfaces import AREA, CONE, CYLINDER, LENGTH, PLANE, TORUS, Index, Surfaces, is_close
from spatial.reasoning.diff.rigid import IDENTITY, Rigid, between
from spatial.reasoning.scene.model import Array

IN_PLACE: Final = 0.5
"""Part of a body's area that stays where it was in a body that was edited but not moved."""

CANDIDATES: Final = 300
"""Most rotations that are tried for one pair of bodies; a box with few distinct faces has 24."""

TRIMS: Final = 4
"""Times that the worse half of the constraints on a translation is left out: what was edited is less than half."""

PARALLEL: Final = 0.99
"""Cosine above which two directions do not determine a rotation."""


@dataclass(frozen=True, eq=False)
class Fit:
    """How well a transform takes one body to another.

    pairs: (n, 2) places of surfaces that coincide. share: part of the area that coincides, from 0 to 1.
    is_same: whether everything coincides, with equal areas. is_mirrored: the previous body was mirrored first.
    """

    transform: Rigid
    pairs: Index
    share: float
    is_same: bool
    is_mirrored: bool = False


def fit(previous: Body, current: Body, transform: Rigid) -> Fit:
    """Compare two bodies under a transform."""
    moved = previous.surfaces if transform is IDENTITY else previous.surfaces.transformed(transform)
    other = current.surfaces
    pairs = coincident(moved, other, current)
    same_area = is_close(moved.areas[pairs[:, 0]], other.areas[pairs[:, 1]])
    complete = len(pairs) == len(moved) == len(other) and bool(same_area.all())
    near = float(np.linalg.norm(transform.points(previous.center) - current.center)) <= 10 * LENGTH * current.size
    is_same = complete and near and has_equal_measures(previous, current)
    shared = float(np.minimum(moved.areas[pairs[:, 0]], other.areas[pairs[:, 1]]).sum())
    total = max(float(moved.areas.sum()), float(other.areas.sum()), 1e-300)
    return Fit(transform, pairs, shared / total if len(other) else float(near), is_same)


class Fits:
    """Fits of bodies, each made once: the alignment of a scene and the description of its pairs need the same ones."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], tuple[Rigid, Fit]] = {}

    def of(self, previous: Body, current: Body, transform: Rigid) -> Fit:
        """The fit of two bodies under a transform."""
        key = id(previous), id(current), id(transform)
        if key not in self._known:
            # The transform is kept, so that no other one gets its id.
            self._known[key] = transform, fit(previous, current, transform)
        return self._known[key][1]


def coincident(moved: Surfaces, other: Surfaces, body: Body) -> Index:
    """(n, 2) places of surfaces that are the same, without regard to their areas."""
    if not len(moved) or not len(other):
        return np.empty((0, 2), dtype=np.intp)
    first, second = moved.vectors(body.center, body.size), body.vectors
    if first.shape == second.shape and np.abs(first - second).max() <= 1.0:
        rows = np.arange(len(first))
        return np.column_stack([rows, rows])
    # An axis has no sign of its own: its other direction is the same surface.
    flipped = second * np.array([1, 1, 1, 1, -1, -1, -1, 1, 1])
    unsigned = np.flatnonzero(other.is_unsigned)
    tree = cKDTree(np.vstack([second, flipped[unsigned]]))
    gaps, places = tree.query(first, p=np.inf, distance_upper_bound=1.0)
    owner = np.concatenate([np.arange(len(second)), unsigned])
    found: dict[int, int] = {}
    for row in np.flatnonzero(np.isfinite(gaps)):
        found.setdefault(int(owner[places[row]]), int(row))
    return np.array([(row, column) for column, row in sorted(found.items())], dtype=np.intp).reshape(-1, 2)


def has_equal_measures(previous: Body, current: Body) -> bool:
    """Whether volume, area and the areas of freeform faces are equal."""
    for before, after in ((previous.volume, current.volume), (previous.area, current.area)):
        if (before is None) != (after is None) or (before and after and abs(before - after) > AREA * abs(after)):
            return False
    first, second = previous.surfaces.freeform, current.surfaces.freeform
    return len(first) == len(second) and bool(is_close(first, second).all())


def register(previous: Body, current: Body, alignment: Rigid) -> Fit:
    """The best transform of one body to another: the alignment of the scene if most of the body is where it was."""
    in_place = best = fit(previous, current, alignment)
    has_equal = has_equal_measures(previous, current)
    if best.is_same or (best.share >= IN_PLACE and not has_equal):
        return best
    for candidate in candidates(previous, current, alignment):
        found = fit(previous, current, candidate)
        if found.is_same:
            return found
        best = max(best, found, key=lambda each: each.share)
    if has_equal:
        mirrored = _mirrored(previous)
        for candidate in candidates(mirrored, current, alignment):
            found = fit(mirrored, current, candidate)
            if found.is_same:
                return replace(found, is_mirrored=True)
    return in_place if in_place.share >= IN_PLACE else best


def candidates(previous: Body, current: Body, alignment: Rigid) -> Iterator[Rigid]:
    """Transforms worth a check, the least motion first."""
    shift = current.center - alignment.points(previous.center)
    yield Rigid(alignment.rotation, alignment.translation + shift)
    if previous.placement is not None and current.placement is not None:
        yield current.placement.after(previous.placement.inverse())
    rotations = sorted(
        islice(_rotations(previous.surfaces, current.surfaces, alignment), CANDIDATES),
        key=lambda each: float(np.linalg.norm(each - alignment.rotation).round(9)),
    )
    seen: set[bytes] = set()
    for rotation in rotations:
        key = np.round(rotation, 6).tobytes()
        if key not in seen:
            seen.add(key)
            yield from _translations(previous, current, rotation)


def _translations(previous: Body, current: Body, rotation: Array) -> Iterator[Rigid]:
    """By the centres, then by surfaces that both bodies have once."""
    by_centres = Rigid(rotation, current.center - rotation @ previous.center)
    yield by_centres
    if has_equal_measures(previous, current):
        return
    shift = _shift(previous.surfaces.transformed(by_centres), current.surfaces, current)
    if shift is not None:
        yield Rigid(rotation, by_centres.translation + shift)


def _shift(moved: Surfaces, other: Surfaces, body: Body) -> Array | None:
    """The small translation after which most surfaces of one size and direction coincide; None if they leave it open."""
    rows, values = _constraints(moved, other, body)
    if not len(values) or np.linalg.matrix_rank(rows, tol=1e-6) < 3:
        return None
    found = _solved(rows, values)
    for _ in range(TRIMS):
        # The surfaces that were edited do not take part in the translation of the others.
        gaps = np.abs(rows @ found - values)
        kept = gaps <= max(float(np.median(gaps)), LENGTH * body.size)
        if np.linalg.matrix_rank(rows[kept], tol=1e-6) < 3:
            return found
        found = _solved(rows[kept], values[kept])
    return found


def _solved(rows: Array, values: Array) -> Array:
    return np.asarray(np.linalg.lstsq(rows, values, rcond=None)[0], dtype=np.float64)


def _constraints(moved: Surfaces, other: Surfaces, body: Body) -> tuple[Array, Array]:
    """(n, 3) and (n,): directions, and how far each surface is from its nearest like one along them."""
    first, second = moved.feet(body.center), other.feet(body.center)
    rows, values = [np.empty((0, 3))], [np.empty(0)]
    for row in range(len(moved)):
        same_size = np.isclose(other.sizes, moved.sizes[row], rtol=1e-6, atol=0.0).all(axis=1)
        parallel = np.abs(other.directions @ moved.directions[row]) > 1.0 - 1e-8
        like = np.flatnonzero((other.types == moved.types[row]) & same_size & parallel)
        if len(like) == 0 or moved.types[row] not in (PLANE, CYLINDER):
            continue
        gaps = second[like] - first[row]
        nearest = int(np.argmin(np.linalg.norm(gaps, axis=1)))
        outer = np.outer(moved.directions[row], moved.directions[row])
        basis = outer if moved.types[row] == PLANE else np.eye(3) - outer
        rows.append(basis)
        values.append(basis @ gaps[nearest])
    return np.vstack(rows), np.concatenate(values)


def _labels(surfaces: Surfaces) -> list[Hashable]:
    """What a surface is without its place: type, sizes and area, rounded."""
    numbers = np.column_stack([surfaces.sizes, surfaces.areas])
    scale = np.maximum(np.abs(numbers), 1e-12)
    steps = np.round(np.log(scale) / 1e-4).astype(np.int64)
    cones = surfaces.types == CONE
    steps[cones, 0] = 0  # the radius of a cone depends on where its origin is
    return [(int(kind), *row) for kind, row in zip(surfaces.types, steps.tolist(), strict=True)]


def _rotations(previous: Surfaces, current: Surfaces, alignment: Rigid) -> Iterator[Array]:
    """Rotations that take two directions of the previous body to those of like surfaces of the current one."""
    first, second = _directed(previous), _directed(current)
    labels = [label for label in first if len(second.get(label, ())) > 0]
    labels.sort(key=lambda label: (len(first[label]) * len(second[label]), repr(label)))
    if not labels:
        return
    base = first[labels[0]][0]
    other = next(((label, each) for label in labels for each in first[label] if abs(each @ base) < PARALLEL), None)
    for target in second[labels[0]]:
        if other is None:
            yield between(alignment.rotation @ base, target) @ alignment.rotation
            continue
        for further in second[other[0]]:
            if abs(float(further @ target) - float(other[1] @ base)) < 1e-4:
                yield _frame(target, further) @ _frame(base, other[1]).T


def _frame(first: Array, second: Array) -> Array:
    """(3, 3) right-handed unit columns: the first direction, what is normal to both, and the third."""
    normal = np.cross(first, second)
    normal /= np.linalg.norm(normal)
    return np.column_stack([first, normal, np.cross(first, normal)])


def _directed(surfaces: Surfaces) -> dict[Hashable, list[Array]]:
    """Directions by the label of their surface; an axis without a sign gives both.

    The foot of an axis from the body's middle is a direction, too: parallel holes of a flange have no other.
    """
    found: dict[Hashable, list[Array]] = {}
    labels = _labels(surfaces)
    for place, label in enumerate(labels):
        direction = surfaces.directions[place]
        if not direction.any():
            continue
        found.setdefault(label, []).append(direction)
        if surfaces.types[place] in (CYLINDER, TORUS):
            found[label].append(-direction)
    axes = np.flatnonzero(surfaces.types == CYLINDER)
    if len(axes):
        widest = int(axes[int(np.argmax(surfaces.areas[axes]))])
        feet = surfaces.feet(surfaces.origins[widest])
        axis = surfaces.directions[widest]
        for place in map(int, axes):
            radial = feet[place] - (feet[place] @ axis) * axis
            length = float(np.linalg.norm(radial))
            if length > 1e-6 * (1.0 + float(surfaces.sizes[widest, 0])):
                found.setdefault(("radial", labels[place], round(np.log(length) / 1e-4)), []).append(radial / length)
    return found


def _mirrored(body: Body) -> Body:
    """The body, mirrored in the plane x = 0."""
    flip = np.array([-1.0, 1.0, 1.0])
    surfaces = replace(body.surfaces, origins=body.surfaces.origins * flip, directions=body.surfaces.directions * flip)
    center = None if body.center_of_mass is None else body.center_of_mass * flip
    bounds = None if body.bounds is None else np.sort(body.bounds * flip, axis=0)
    return replace(body, surfaces=surfaces, center_of_mass=center, bounds=bounds, placement=None)
