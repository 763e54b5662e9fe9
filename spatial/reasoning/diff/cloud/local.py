"""The surface near every point of a cloud: tangent planes, their noise, and normals that point outwards.

Source: H. Hoppe et al., "Surface reconstruction from unorganized points", SIGGRAPH 1992: planes by principal components,
orientation along the minimum spanning tree of neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
from scipy.spatial import cKDTree

from spatial.reasoning.scene.model import Array, SceneObject

NEIGHBOURS: Final = 12
"""Points of a tangent plane: enough to average noise, few enough to stay on one face."""

SAMPLE: Final = 400
"""Points that a registration moves: enough for six unknowns on any shape, and a fifth of the time of all."""

LEAST_POINTS: Final = 4
"""Fewest points of a cloud that has a surface."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points of one object. points: (n, 3) in the scene's units."""

    id: str
    name: str | None
    points: Array

    @cached_property
    def tree(self) -> cKDTree:
        """For nearest points."""
        return cKDTree(self.points)

    @cached_property
    def center(self) -> Array:
        """Mean of the points."""
        found: Array = self.points.mean(axis=0)
        return found

    @cached_property
    def size(self) -> float:
        """Diagonal of the box around the points."""
        return max(float(np.linalg.norm(np.ptp(self.points, axis=0))), 1e-12)

    @cached_property
    def axes(self) -> tuple[Array, Array]:
        """Standard deviations along the principal axes, the largest first, and the axes as (3, 3) columns, right-handed."""
        gaps = self.points - self.center
        values, vectors = np.linalg.eigh(gaps.T @ gaps / len(gaps))
        columns = vectors[:, ::-1].copy()
        columns[:, 2] *= np.sign(np.linalg.det(columns)) or 1.0
        return np.sqrt(np.maximum(values[::-1], 0.0)), columns

    @cached_property
    def spacing(self) -> float:
        """Median distance of a point to its nearest one."""
        if len(self.points) < 2:
            return self.size
        return float(np.median(self._near[0][:, 1]))

    @cached_property
    def _near(self) -> tuple[Array, NDArray[np.intp]]:
        """Distances to the nearest points, and which they are; the first is the point itself."""
        found: tuple[Array, NDArray[np.intp]] = self.tree.query(self.points, k=min(NEIGHBOURS, len(self.points)))
        return found

    @cached_property
    def reach(self) -> float:
        """Median distance to the farthest neighbour: how far a tangent plane holds."""
        return float(np.median(self._near[0][:, -1]))

    @cached_property
    def sample(self) -> Array:
        """(m, 3) at most SAMPLE of the points, evenly taken from their order."""
        step = -(-len(self.points) // SAMPLE)
        return self.points[::step]

    @cached_property
    def _planes(self) -> tuple[Array, Array, NDArray[np.intp]]:
        """Normals without a sign, distances of the points from their planes, and neighbours."""
        near = self._near[1]
        groups = self.points[near]
        gaps = groups - groups.mean(axis=1, keepdims=True)
        _, vectors = np.linalg.eigh(np.einsum("nki,nkj->nij", gaps, gaps))
        normals = vectors[:, :, 0]
        return normals, np.abs(np.einsum("ni,ni->n", normals, gaps[:, 0])), near

    @cached_property
    def noise(self) -> float:
        """Median distance of a point from the plane through its neighbours: noise, and curvature within the neighbourhood."""
        return float(np.median(self._planes[1])) if len(self.points) >= LEAST_POINTS else 0.0

    @property
    def normals(self) -> Array:
        """(n, 3) unit normals of the tangent planes, of either sign."""
        return self._planes[0]

    @cached_property
    def outward(self) -> Array:
        """(n, 3) the normals, turned outwards: from the highest point on, each as its neighbour in the tree."""
        normals, _, near = self._planes
        rows = np.repeat(np.arange(len(near)), near.shape[1])
        columns = near.ravel()
        cosines = np.abs(np.einsum("ni,ni->n", normals[rows], normals[columns]))
        weights = 1.0 - np.minimum(cosines, 1.0) + 1e-6
        graph = csr_matrix((weights, (rows, columns)), shape=(len(near), len(near)))
        tree = minimum_spanning_tree(graph)
        signs = np.ones(len(near))
        remaining = np.ones(len(near), dtype=bool)
        while remaining.any():
            places = np.flatnonzero(remaining)
            top = int(places[np.argmax(self.points[places, 2])])
            signs[top] = 1.0 if normals[top, 2] >= 0 else -1.0
            order, above = breadth_first_order(tree, top, directed=False)
            for place in order[1:]:
                parent = above[place]
                agrees = float(normals[place] @ normals[parent]) * signs[parent] >= 0
                signs[place] = 1.0 if agrees else -1.0
            remaining[order] = False
        found: Array = normals * signs[:, None]
        return found


def cloud_of(thing: SceneObject, factor: float) -> Cloud:
    """The cloud of an object, lengths times `factor`."""
    return Cloud(thing.id, thing.name, thing.points * factor)
