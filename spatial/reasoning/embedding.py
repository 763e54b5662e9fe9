"""The shape of a cloud as a vector: rotation, translation and scale do not change it, a mirror image does.

Every number is a statistic of the points that a finer sample does not move: quantiles instead of histograms, whose bins jump. Lengths
are parts of the root mean square distance from the centroid (the scale, which is reported beside the vector).

| block | length | content | source |
|---|---|---|---|
| distances | 32 | quantiles of the distances between pairs of points | Osada et al. 2002, D2 |
| radii | 16 | quantiles of the distances from the centroid | Ankerst et al. 1999, shells |
| angles | 16 | quantiles of the cosine between two points, seen from the centroid | Osada et al. 2002, A3 with the centroid |
| extents | 2 | second and third principal extent as parts of the first | |
| hull | 3 | cube root of the volume and square root of the area of the convex hull, and its sphericity | Wadell 1935 |
| asymmetry | 2 | lengths of the third-order moments that are vectors | |
| chirality | 1 | cube root of the volume that three odd moments span; its sign changes in the mirror | |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.distance import pdist

from spatial.contract.extraction import SURFACE_TYPES
from spatial.reasoning.primitives.cloud import canonical_order
from spatial.reasoning.scene.model import Array, SceneObject

VERSION: Final = "embed-1"
"""Vectors of different versions must not be compared."""

BLOCKS: Final = {
    "distances": 32, "radii": 16, "angles": 16, "extents": 2, "hull": 3, "asymmetry": 2, "chirality": 1,
}  # fmt: skip
"""Length of each block, in the order of the vector."""

WEIGHTS: Final = {
    "distances": 1.0, "radii": 1.0, "angles": 0.5, "extents": 0.5, "hull": 0.5, "asymmetry": 0.25, "chirality": 0.25,
}  # fmt: skip
"""Weight of each block: small where a new sample of the same surface moves it most."""

LENGTH: Final = sum(BLOCKS.values())

LEAST_POINTS: Final = 16
"""Points of the smallest cloud that has a shape in this sense."""

SURE_POINTS: Final = 256
"""Points below which another sample of the same surface is farther away than many other parts."""

PAIRED: Final = 2_048
"""Points whose pairs are measured, 2 million; of larger clouds an even part."""

PAIRED_ANGLES: Final = 1_024
"""Points whose angles are measured."""

SURFACE_LENGTH: Final = len(SURFACE_TYPES) + 1
"""Length of the vector of the analytic surfaces."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """vector: (LENGTH,), of length 1. scale, diameter: root mean square distance from the centroid and largest distance, in scene units."""

    vector: Array
    scale: float
    diameter: float


def embed_points(points: Array) -> Embedding | None:
    """The embedding of (n, 3) points; None if all are at one place."""
    away = points - points.mean(axis=0)
    scale = float(np.sqrt((away**2).sum(axis=1).mean()))
    if scale <= np.finfo(float).tiny:
        return None
    unit = away / scale
    ordered = unit[canonical_order(unit)]
    distances = np.sort(pdist(_even(ordered, PAIRED)).astype(np.float32))
    parts = {
        "distances": _quantiles(distances, BLOCKS["distances"]),
        "radii": _quantiles(np.sort(np.linalg.norm(unit, axis=1)), BLOCKS["radii"]),
        "angles": _angles(_even(ordered, PAIRED_ANGLES)),
        "extents": _extents(unit),
        "hull": _hull(unit),
        **_odd_moments(unit),
    }
    vector = np.concatenate([WEIGHTS[name] / np.sqrt(size) * parts[name] for name, size in BLOCKS.items()])
    return Embedding(vector / np.linalg.norm(vector), scale, float(distances[-1]) * scale)


def embed_surfaces(found: SceneObject) -> Array | None:
    """(SURFACE_LENGTH,) of length 1: the root of the share of area of each surface type, and the compactness; None for no exact solid."""
    areas = np.zeros(SURFACE_LENGTH)
    for face in found.faces:
        if face.type in SURFACE_TYPES and face.area is not None:
            areas[SURFACE_TYPES.index(face.type)] += face.area
    if not areas.any() or found.volume is None or not found.surface_area:
        return None
    vector = np.sqrt(np.maximum(areas / areas.sum(), 0))
    vector[-1] = np.cbrt(36 * np.pi * found.volume**2 / found.surface_area**3)
    return np.asarray(vector / np.linalg.norm(vector))


def _even(ordered: Array, count: int) -> Array:
    """At most `count` of the points, at even steps of their order."""
    if len(ordered) <= count:
        return ordered
    places = np.linspace(0, len(ordered) - 1, count).astype(int)
    return np.asarray(ordered[places])


def _quantiles(ordered: Array, count: int) -> Array:
    """The middles of `count` equal parts of sorted values."""
    places = (np.arange(count) + 0.5) / count * (len(ordered) - 1)
    below = places.astype(int)
    values = ordered[np.stack([below, np.minimum(below + 1, len(ordered) - 1)])].astype(np.float64)
    return np.asarray(values[0] + (places - below) * (values[1] - values[0]))


def _angles(unit: Array) -> Array:
    lengths = np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    sight = (unit / lengths).astype(np.float32)
    cosines = (sight @ sight.T)[np.triu_indices(len(sight), 1)]
    return _quantiles(np.sort(cosines), BLOCKS["angles"])


def _extents(unit: Array) -> Array:
    extents = np.linalg.svd(unit, compute_uv=False)
    found: Array = extents[1:] / extents[0]
    return found


def _hull(unit: Array) -> Array:
    """Of flat points the volume is 0, and the area that of both sides is left out."""
    try:
        hull = ConvexHull(unit)
    except QhullError:
        return np.zeros(3)
    sphericity = np.pi ** (1 / 3) * (6 * hull.volume) ** (2 / 3) / hull.area
    return np.array([np.cbrt(hull.volume), np.sqrt(hull.area) / 2, sphericity])


def _odd_moments(unit: Array) -> dict[str, Array]:
    """Asymmetry and chirality from vectors of odd moments, which turn with the points."""
    square = (unit**2).sum(axis=1, keepdims=True)
    third, fifth = (unit * square).mean(axis=0), (unit * square**2).mean(axis=0)
    second = unit.T @ unit / len(unit)
    spanned = float(np.dot(third, np.cross(second @ third, second @ second @ third)))
    asymmetry = np.array([np.linalg.norm(third), np.linalg.norm(fifth) / 3])
    return {"asymmetry": asymmetry, "chirality": np.array([np.cbrt(spanned)])}
