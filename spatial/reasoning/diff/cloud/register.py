"""The rigid motion between two clouds of one object, and the signed distances that it leaves.

Sources: W. Kabsch, Acta Crystallographica A 32 (1976), for points in the same order; Y. Chen, G. Medioni, "Object modelling
by registration of multiple range images", Image and Vision Computing 10 (1992), for point-to-plane iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final, Literal

import numpy as np

from spatial.reasoning.diff.cloud.local import LEAST_POINTS, Cloud
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.scene.model import Array

EXACT: Final = 1e-6
"""Distance of the same point in two clouds, as a part of the cloud's size: documents round to a millionth."""

ITERATIONS: Final = 20
"""Most point-to-plane steps: they converge quadratically near the solution."""

FAR: Final = 1.5
"""Reaches of a tangent plane up to which a point is measured against it; beyond, the distance to the nearest point counts."""

PLANES: Final = 5
"""Nearest points whose planes are tried: at an edge of three faces some of them lie on each."""

STARTS: Final = 4
"""First guesses that are refined: a box without distinct faces has four rotations that look alike."""

SLIDING: Final = 0.05
"""Part of the largest singular value below which a motion slides along the surface, as a sphere's rotations do: it is left out."""

OUTLYING: Final = 0.05
"""Part of the points that may lie outside the tolerance: planes at sharp edges are blurred."""

NOISES: Final = 3.0
"""Noises by which the median distance of two samples of one surface may differ."""

FINE: Final = 0.1
"""Spacings by which the median distance may differ where there is no noise, and what is then the finest change that shows."""


@dataclass(frozen=True, eq=False)
class Registration:
    """Two clouds under a transform. residual: median distance of the points of one cloud from the surface of the other."""

    transform: Rigid
    residual: float
    is_same: bool
    method: Literal["same_points", "point_to_plane", "too_few_points"]


def register(previous: Cloud, current: Cloud, alignment: Rigid, known: Registration | None = None) -> Registration:
    """The motion of one cloud to the other; the alignment of the scene where it explains the clouds.

    known: the check of the alignment, if it was made before.
    """
    placed = known or check(previous, current, alignment)
    if placed.is_same:
        return placed
    ordered = same_points(previous, current)
    if ordered is not None:
        return ordered
    best = placed
    if min(len(previous.points), len(current.points)) >= LEAST_POINTS:
        starts = _best_starts(previous, current, alignment)
        found = [check(previous, current, _refined(previous, current, start)) for start in starts]
        same = [each for each in found if each.is_same]
        if same:
            # A symmetric thing has several motions to the same place; the least turn is the one that happened, mostly.
            return min(same, key=lambda each: round(each.transform.after(alignment.inverse()).angle, 6))
        best = min([placed, *found], key=lambda each: round(each.residual, 12))
    # A cloud that no motion explains has changed: it is compared where it stands if most of it does.
    return placed if placed.residual <= 2.0 * best.residual else best


def check(previous: Cloud, current: Cloud, transform: Rigid) -> Registration:
    """Both clouds under a transform."""
    if len(previous.points) == len(current.points):
        gaps = current.points - transform.points(previous.points)
        if np.linalg.norm(gaps, axis=1).max(initial=0.0) <= EXACT * current.size:
            return Registration(transform, 0.0, True, "same_points")
    if min(len(previous.points), len(current.points)) < LEAST_POINTS:
        return Registration(transform, 0.0, False, "too_few_points")
    off = [np.abs(plane_distances(previous, transform.inverse().points(current.sample), previous.normals))]
    off.append(np.abs(plane_distances(current, transform.points(previous.sample), current.normals)))
    spacing, noise = max(previous.spacing, current.spacing), max(previous.noise, current.noise)
    allowed = max(NOISES * noise, FINE * spacing)
    medians = [float(np.median(each)) for each in off]
    beyond = max(float((each > max(NOISES * noise, spacing)).mean()) for each in off)
    is_same = max(medians) <= allowed and beyond <= OUTLYING
    return Registration(transform, max(medians), is_same, "point_to_plane")


def same_points(previous: Cloud, current: Cloud) -> Registration | None:
    """The motion of the same points in the same order (Kabsch); None if they are others."""
    if len(previous.points) != len(current.points) or len(previous.points) < LEAST_POINTS:
        return None
    first, second = previous.points - previous.center, current.points - current.center
    left, _, right = np.linalg.svd(first.T @ second)
    sign = np.sign(np.linalg.det(left @ right))
    rotation = right.T @ np.diag([1.0, 1.0, sign]) @ left.T
    found = Rigid(rotation, current.center - rotation @ previous.center)
    gaps = current.points - found.points(previous.points)
    if np.linalg.norm(gaps, axis=1).max() > EXACT * current.size:
        return None
    return Registration(found, 0.0, True, "same_points")


def plane_distances(surface: Cloud, points: Array, normals: Array) -> Array:
    """(n,) distances of points from the tangent planes of a cloud, signed as its normals are.

    Of the planes of the nearest points the one that is nearest counts: at a sharp edge the others are extended past it.
    """
    gaps, nearest = surface.tree.query(points, k=min(PLANES, len(surface.points)))
    heights = np.einsum("nki,nki->nk", points[:, None] - surface.points[nearest], normals[nearest])
    rows = np.arange(len(points))
    found: Array = heights[rows, np.argmin(np.abs(heights), axis=1)]
    far = gaps[:, 0] > FAR * surface.reach
    signs = np.where(heights[:, 0] < 0, -1.0, 1.0)
    return np.where(far, signs * gaps[:, 0], found)


def _best_starts(previous: Cloud, current: Cloud, alignment: Rigid) -> list[Rigid]:
    """The first guesses that leave the least distance; of equal ones the least turn."""
    starts = list(_starts(previous, current, alignment))
    off = [float(np.median(current.tree.query(start.points(previous.sample))[0])) for start in starts]
    step = 0.25 * max(previous.spacing, current.spacing)
    if not step:  # all points of both are at one place each
        return starts[:STARTS]
    order = sorted(range(len(starts)), key=lambda place: (round(off[place] / step), place))
    return [starts[place] for place in order[:STARTS]]


def _starts(previous: Cloud, current: Cloud, alignment: Rigid) -> Iterator[Rigid]:
    """First guesses: the shift of the centres, then the principal axes in all orders and directions, the least turn first."""
    rotations = [alignment.rotation]
    _, first = previous.axes
    _, second = current.axes
    turns = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            swap = np.eye(3)[:, list(order)] * signs
            if np.linalg.det(swap) > 0 and _fits(previous, current, order):
                turns.append(second @ swap @ first.T)
    turns.sort(key=lambda each: float(np.linalg.norm(each - alignment.rotation).round(6)))
    for rotation in (*rotations, *turns):
        yield Rigid(rotation, current.center - rotation @ previous.center)


def _fits(previous: Cloud, current: Cloud, order: tuple[int, ...]) -> bool:
    """Whether the spreads along the axes agree in an order."""
    first, second = previous.axes[0][list(np.argsort(order))], current.axes[0]
    return bool(np.abs(first - second).max() <= 0.15 * max(float(second.max()), 1e-12))


def _refined(previous: Cloud, current: Cloud, start: Rigid) -> Rigid:
    """Point-to-plane steps from a first guess (K.-L. Low, "Linear least-squares optimization for point-to-plane ICP", 2004)."""
    transform, size = start, current.size
    for _ in range(ITERATIONS):
        moved = transform.points(previous.sample)
        gaps, nearest = current.tree.query(moved)
        kept = gaps <= max(FAR * current.reach, float(np.median(gaps)))
        points, normals = (moved[kept] - current.center) / size, current.normals[nearest[kept]]
        wanted = np.einsum("ni,ni->n", current.points[nearest[kept]] - moved[kept], normals)
        step = np.linalg.lstsq(np.hstack([np.cross(points, normals), normals]), wanted, rcond=SLIDING)[0]
        rotation = _rotation(step[:3] / size)
        shift = step[3:] + current.center - rotation @ current.center
        transform = Rigid(rotation, shift).after(transform)
        if np.abs(step).max() <= EXACT * size:
            break
    return transform


def _rotation(vector: Array) -> Array:
    """(3, 3) rotation by |vector| radians about it (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-15:
        return np.eye(3)
    x, y, z = vector / angle
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Array = np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * skew @ skew
    return found
