"""Distance, penetration and closest points of two convex shapes.

The distance is that of the Minkowski difference from the origin, found with the support function alone (Gilbert, Johnson, Keerthi 1988)
and the minimum-norm point algorithm (Wolfe 1976). The penetration is the smallest height h(u) of the Minkowski difference over all
unit u: a polytope inside it grows at its nearest facet until the facet is one of the difference (van den Bergen 2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.tolerances import ZERO

ROUNDS: Final = 200
"""Most rounds of either search: polytopes take ten to thirty, curved shapes up to a hundred."""

EXACT: Final = 1e-10
"""Error of the distance at which a search ends, as a share of the size."""

PAIRS: Final = 1_600
"""Polytopes with at most so many pairs of vertices are compared by the hull of all differences, which is exact at once."""

FACETS: Final = 8
"""Facets that grow in one round of the penetration search."""


@dataclass(frozen=True, eq=False)
class Proximity:
    """How near two shapes are.

    distance: > 0 between disjoint shapes; < 0 is the shortest translation that separates overlapping ones.
    on_first, on_second: (3,) the closest pair, or the deepest pair of overlapping shapes.
    direction: (3,) unit vector along which the first shape must move to get away from the second.
    """

    distance: float
    on_first: Array
    on_second: Array
    direction: Array

    def reversed(self) -> Proximity:
        """The same with the shapes in the other order."""
        return Proximity(self.distance, self.on_second, self.on_first, -self.direction)


def proximity(first: Convex, second: Convex) -> Proximity:
    """Signed distance and closest pair of two convex shapes."""
    size = max(first.size, second.size, float(np.finfo(np.float64).tiny))
    balls = first.ball + second.ball
    near = _closest(_core(first), _core(second), size)
    gap = near[0] - near[1]
    distance = float(np.linalg.norm(gap))
    if distance > ZERO * size:
        away = gap / distance
        return Proximity(distance - balls, near[0] - first.ball * away, near[1] + second.ball * away, away)
    return _penetration(first, second, size)


def is_clear(first: Convex, second: Convex, least: float) -> bool:
    """Whether the signed distance is `least` or more: faster than `proximity`, which finds the pair of points as well."""
    if not are_closer(first, second, max(least, 0.0)):
        return True
    size = max(first.size, second.size)
    near = _closest(_core(first), _core(second), size)
    distance = float(np.linalg.norm(near[0] - near[1]))
    if distance > ZERO * size:
        return distance - first.ball - second.ball >= least
    if least > 0 or _overlap_deeply(first, second, size):
        return False
    ahead, behind = _pair(first, second, direction := _shallowest(first, second, size))
    return -float((ahead - behind) @ direction) >= least


def _overlap_deeply(first: Convex, second: Convex, size: float) -> bool:
    """Whether two shapes overlap although the first one is made smaller: then their depth need not be known."""
    middle, share = first.middle, 1 - _DEEP
    smaller = Convex(middle + share * (first.vertices - middle), 0.0, share * first.disc, first.axis)
    near = _closest(smaller, _core(second), size)
    return float(np.linalg.norm(near[0] - near[1])) <= share * first.ball + second.ball + ZERO * size


_DEEP: Final = 0.02
"""Share by which the first shape is made smaller: an overlap of a hundredth of its thickness or more is seen at once."""


def _core(shape: Convex) -> Convex:
    """The shape without its ball, which only adds to distances."""
    return Convex(shape.vertices, 0.0, shape.disc, shape.axis)


def are_closer(first: Convex, second: Convex, reach: float) -> bool:
    """Whether the bounds come closer than `reach`; the cheap test before `proximity`."""
    return bool(
        np.all(first.bounds[0] - reach <= second.bounds[1]) and np.all(second.bounds[0] - reach <= first.bounds[1])
    )


def _closest(first: Convex, second: Convex, size: float) -> tuple[Array, Array]:
    """The closest points of two shapes; the same point twice where they overlap."""
    pairs = [_pair(first, second, second.middle - first.middle)]
    weights = np.ones(1)
    for _ in range(ROUNDS):
        rows = np.array([a - b for a, b in pairs])
        nearest = weights @ rows
        squared = float(nearest @ nearest)
        if squared <= (ZERO * size) ** 2 / 4:
            break
        pair = _pair(first, second, -nearest)
        difference = pair[0] - pair[1]
        gain = squared - float(nearest @ difference)
        if gain <= EXACT * size * np.sqrt(squared) or bool((rows == difference).all(axis=1).any()):
            break
        pairs.append(pair)
        weights, kept = _minimum_norm(np.vstack([rows, difference]), np.append(weights, 0.0), size)
        pairs = [pairs[place] for place in kept]
    return weights @ np.array([a for a, _ in pairs]), weights @ np.array([b for _, b in pairs])


def _pair(first: Convex, second: Convex, direction: Array) -> tuple[Array, Array]:
    """The points of both shapes whose difference is the support point of the Minkowski difference."""
    return first.support(direction), second.support(-direction)


def _minimum_norm(rows: Array, weights: Array, size: float) -> tuple[Array, list[int]]:
    """Weights of the point nearest to the origin in the hull of at most five (k, 3) rows, and the rows that have one."""
    kept = list(range(len(rows)))
    while True:
        flat = _flat_weights(rows[kept] / size)
        if flat.min() > -EXACT:
            flat = np.clip(flat, 0, None)
            return flat / flat.sum(), kept
        falling = flat < weights
        step = float(np.min(weights[falling] / (weights - flat)[falling]))
        weights = weights + min(step, 1.0) * (flat - weights)
        keep = weights > weights.min() if weights.min() <= EXACT else np.arange(len(weights)) != int(np.argmin(weights))
        weights = np.clip(weights[keep], 0, None)
        weights = weights / weights.sum()
        kept = [place for place, stays in zip(kept, keep, strict=True) if stays]


def _flat_weights(rows: Array) -> Array:
    """(k,) weights, which add up to 1, of the point nearest to the origin in the flat through (k, 3) rows."""
    if len(rows) == 1:
        return np.ones(1)
    spans = rows[1:] - rows[0]
    found, *_ = np.linalg.lstsq(spans.T, -rows[0], rcond=None)
    return np.concatenate([[1 - found.sum()], found])


def _penetration(first: Convex, second: Convex, size: float) -> Proximity:
    """The shortest translation that separates two shapes that overlap or touch."""
    direction = _shallowest(first, second, size)
    ahead, behind = _pair(first, second, direction)
    depth = float((ahead - behind) @ direction)
    return Proximity(-depth, *_deepest(first, second, direction, depth), -direction)


def _deepest(first: Convex, second: Convex, direction: Array, depth: float) -> tuple[Array, Array]:
    """The closest pair after the first shape moved out along `direction`, moved back."""
    apart = depth + 0.01 * max(first.size, second.size)
    a, b = _closest(first.moved(np.eye(3), -apart * direction), second, max(first.size, second.size))
    return a + apart * direction, b


def _shallowest(first: Convex, second: Convex, size: float) -> Array:
    """(3,) the unit direction in which the Minkowski difference reaches least far from the origin."""
    if first.is_polytope and second.is_polytope and len(first.vertices) * len(second.vertices) <= PAIRS:
        rows = (first.vertices[:, None] - second.vertices[None]).reshape(-1, 3)
        return np.asarray(_nearest_facets(rows, size)[0][0])
    rows = np.array([np.subtract(*_pair(first, second, way)) for way in _WAYS])
    for _ in range(ROUNDS):
        normals, reaches = _nearest_facets(rows, size)
        found = np.array([np.subtract(*_pair(first, second, way)) for way in normals[:FACETS]])
        heights = np.einsum("ij,ij->i", found, normals[:FACETS])
        if heights[0] - reaches[0] <= EXACT * size * 100:
            break
        rows = np.vstack([rows, found[heights - reaches[:FACETS] > EXACT * size]])
    return np.asarray(normals[0])


def _nearest_facets(rows: Array, size: float) -> tuple[Array, Array]:
    """Outward unit normals of the hull's facets and their distances from the origin, nearest first."""
    try:
        equations = ConvexHull(rows).equations
    except QhullError:  # both shapes lie in one plane: they separate across it at no depth
        normal = np.linalg.svd(rows - rows.mean(axis=0))[2][-1]
        return np.array([normal]), np.array([float(rows[0] @ normal)])
    order = np.lexsort((*equations[:, :3].T.round(9), (-equations[:, 3] / size).round(9)))
    return equations[order, :3], -equations[order, 3]


_STEPS: Final = (-1.0, 0.0, 1.0)
_GRID: Final = np.array([(x, y, z) for x in _STEPS for y in _STEPS for z in _STEPS if (x, y, z) != (0, 0, 0)])
_WAYS: Final = _GRID / np.linalg.norm(_GRID, axis=1, keepdims=True)
"""The 26 directions in which the search begins."""
