"""Triangles in space, as the (n, 3, 3) coordinates of their corners: areas, volumes, and whether they close."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross

Indices = NDArray[np.int64]

WELD: Final = 1e-6
"""Corners this near to each other, relative to the size of all, are one: exporters repeat a vertex with rounding noise."""


def areas_of(corners: Array) -> Array:
    """(n,) areas of triangles (n, 3, 3)."""
    half: Array = np.linalg.norm(_cross_products(corners), axis=1) / 2
    return half


def normals_of(corners: Array) -> Array:
    """(n, 3) unit normals of triangles (n, 3, 3), none of which is degenerate."""
    across = _cross_products(corners)
    normals: Array = across / np.linalg.norm(across, axis=1)[:, None]
    return normals


def node_normals(points: Array, corners: Indices) -> Array:
    """(n, 3) unit normals of nodes (n, 3): the mean of those of their triangles (m, 3), by area. Upright where there is none."""
    a, b, c = (points[corners[:, place]] for place in range(3))
    of_triangles = cross(b - a, c - a)
    normals = np.zeros_like(points)
    for place in range(3):
        np.add.at(normals, corners[:, place], of_triangles)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    upright = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    unit: Array = np.divide(normals, lengths, out=upright, where=lengths > 0)
    return unit


def sides_of(corners: Indices) -> tuple[Indices, Indices]:
    """Sides of triangles (m, 3), of nodes by number: those (k, 2) of one triangle only, and a number (3 m,) for each side.

    Numbered are the first sides of all triangles, then the second, then the third; two triangles share a side of one number.
    """
    sides = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    found, number, counts = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    return found[counts == 1], number.ravel()


def signed_volumes(corners: Array) -> Array:
    """(n,) signed volumes of the tetrahedra between triangles (n, 3, 3) and the origin.

    Over a closed surface whose normals point outwards they add up to the volume inside.
    """
    volumes: Array = np.einsum("ij,ij->i", corners[:, 0], cross(corners[:, 1], corners[:, 2])) / 6
    return volumes


def is_closed(corners: Array) -> bool:
    """Whether triangles (n, 3, 3) bound a volume: every edge is run through as often one way as the other."""
    if len(corners) < 4:
        return False
    flat = corners.reshape(-1, 3)
    size = float(np.ptp(flat, axis=0).max())
    if size <= 0.0:
        return False
    _, welded = np.unique(np.round(flat / (size * WELD)), axis=0, return_inverse=True)
    triangle = welded.reshape(-1, 3)
    begin, end = triangle.ravel(), triangle[:, [1, 2, 0]].ravel()
    real = begin != end
    low, high = np.minimum(begin, end)[real], np.maximum(begin, end)[real]
    way = np.where(begin < end, 1, -1)[real]
    _, edge = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    return not np.bincount(edge.ravel(), weights=way).any()


def _cross_products(corners: Array) -> Array:
    return np.asarray(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
