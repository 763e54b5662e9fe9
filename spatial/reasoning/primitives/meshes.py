"""Closed triangle meshes of bodies: a box exactly, round faces with chords whose deviation is reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.primitives.bodies import Body
from spatial.reasoning.scene.model import Array

SEGMENTS: Final = 64
"""Chords of a circle: they deviate by 0.12 % of the radius."""

RINGS: Final = 32
"""Rings of a sphere from pole to pole."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """vertices: (n, 3); triangles: (m, 3) indices, counter-clockwise seen from outside; deflection: largest distance from the surface."""

    vertices: Array
    triangles: NDArray[np.int64]
    deflection: float = 0.0

    @property
    def volume(self) -> float:
        """Of the closed mesh, by the divergence theorem."""
        corners = self.vertices[self.triangles] - self.vertices.mean(axis=0)
        return float(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)

    @property
    def area(self) -> float:
        """Of the triangles."""
        corners = self.vertices[self.triangles]
        cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        return float(np.linalg.norm(cross, axis=1).sum() / 2)


def mesh_of(body: Body) -> Mesh:
    """The mesh of a body, in the frame of the body's origin."""
    if body.kind == "box":
        vertices, triangles, deflection = _box(body.sizes)
    elif body.kind == "sphere":
        vertices, triangles, deflection = _rotated(*_sphere_profile(float(body.sizes[0])))
    else:
        vertices, triangles, deflection = _rotated(*_straight_profile(body))
    placed = vertices @ body.frame.T + body.origin
    if np.linalg.det(body.frame) < 0:
        triangles = triangles[:, ::-1]
    return Mesh(placed, triangles, deflection)


def _box(sizes: Array) -> tuple[Array, NDArray[np.int64], float]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * sizes / 2
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    return corners, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), 0.0


def _sphere_profile(radius: float) -> tuple[Array, Array]:
    angles = np.linspace(-np.pi / 2, np.pi / 2, RINGS + 1)
    return radius * np.cos(angles), radius * np.sin(angles)


def _straight_profile(body: Body) -> tuple[Array, Array]:
    """Radii and heights from the lower to the upper pole."""
    half = body.sizes[-1] / 2
    top = body.sizes[0] if body.kind == "cylinder" else body.sizes[1] if body.kind == "frustum" else 0.0
    radii, heights = [0.0, body.sizes[0], top, 0.0], [-half, -half, half, half]
    if top == 0:
        radii, heights = radii[:3], heights[:3]
    return np.array(radii), np.array(heights)


def _rotated(radii: Array, heights: Array) -> tuple[Array, NDArray[np.int64], float]:
    """The profile about z: its first and last place are poles, of radius 0."""
    angles = np.arange(SEGMENTS) * 2 * np.pi / SEGMENTS
    rings = [
        np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(SEGMENTS, z)])
        for r, z in zip(radii[1:-1], heights[1:-1], strict=True)
    ]
    vertices = np.vstack([[[0, 0, heights[0]]], *rings, [[0, 0, heights[-1]]]])
    here = np.arange(SEGMENTS)
    ahead = (here + 1) % SEGMENTS
    triangles = [np.column_stack([np.zeros(SEGMENTS, int), 1 + ahead, 1 + here])]
    for ring in range(len(rings) - 1):
        low, high = 1 + ring * SEGMENTS, 1 + (ring + 1) * SEGMENTS
        triangles += [
            np.column_stack([low + here, low + ahead, high + ahead]),
            np.column_stack([low + here, high + ahead, high + here]),
        ]
    last = 1 + (len(rings) - 1) * SEGMENTS
    triangles.append(np.column_stack([last + here, last + ahead, np.full(SEGMENTS, len(vertices) - 1)]))
    return vertices, np.vstack(triangles), _deflection(radii, heights)


def _deflection(radii: Array, heights: Array) -> float:
    """Of the chords of the circles, and of those of the profile where it is round."""
    around = float(radii.max() * (1 - np.cos(np.pi / SEGMENTS)))
    along = float(radii.max() * (1 - np.cos(np.pi / 2 / RINGS))) if len(radii) == RINGS + 1 else 0.0
    return around + along
