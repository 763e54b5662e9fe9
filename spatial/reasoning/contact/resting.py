"""The poses in which a body rests on a flat support, and how probable each is if it is dropped at random.

A body that is dropped without speed in a random orientation first lands on the facet of its hull that the vertical through its
centre of mass meets: its probability is the facet's solid angle seen from there. If the centre of mass does not project into that
facet, the body topples over the edge that it projects beyond, until it rests (Goldberg, Mirtich, Zhuang, Craig, Carlisle, Canny
1999, "Part pose statistics").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.contact.matrices import turn_between
from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.hull import Hull, hull_of, plane_axes
from spatial.reasoning.shape.tolerances import CONTACT

SIDES: Final = 72
"""Sides of the prism that stands for a cylinder; each of them is one rolling position."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A rest pose.

    rotation: (3, 3) from the present orientation; normal: (3,) outward normal of the resting facet in the present orientation.
    probability: of coming to rest so; margin: distance of the projected centre of mass from the polygon's nearest edge.
    height: of the centre of mass above the support; polygon: (k, 3) the facet, in the present position.
    rolls: whether it can roll: the side of a cylinder, of which one position stands for all.
    """

    rotation: Array
    normal: Array
    probability: float
    margin: float
    height: float
    polygon: Array
    rolls: bool = False


def rest_poses(body: Body, plane: Plane, most: int) -> list[Pose]:
    """The `most` probable rest poses of a body, most probable first; none for a body without a volume, or a ball."""
    shape = body.inner
    if shape is None:
        return []
    hull = body.hull or hull_of(_prism(shape) if shape.disc else shape.vertices)
    if hull is None or body.centre is None:
        return []
    facets = _Facets(hull, body.centre)
    chances = np.asarray(
        np.bincount(facets.settled(CONTACT * body.size), facets.chances, facets.count), dtype=np.float64
    )
    resting = np.flatnonzero(facets.margins > CONTACT * body.size)
    order = np.lexsort((np.round(facets.heights[resting] / body.size, 9), -np.round(chances[resting], 9)))
    if shape.disc and shape.axis is not None:
        return _of_cylinder(facets, chances, np.asarray(resting[order], dtype=np.int64), shape.axis, plane)
    return [_pose(facets, place, float(chances[place]), plane) for place in resting[order][:most].tolist()]


def _of_cylinder(facets: _Facets, chances: Array, resting: NDArray[np.int64], axis: Array, plane: Plane) -> list[Pose]:
    """The two ends, and one pose for all positions on the side."""
    is_side = np.abs(facets.normals @ axis) < _SIDE
    poses = [_pose(facets, place, float(chances[place]), plane) for place in resting[~is_side[resting]].tolist()]
    if is_side[resting].any():
        lying = max(
            resting[is_side[resting]].tolist(), key=lambda place: round(float(-facets.normals[place] @ plane.up), 9)
        )
        side = _pose(facets, lying, float(chances[is_side].sum()), plane)
        poses.append(replace(side, margin=0.0, rolls=True))
    return sorted(poses, key=lambda pose: -round(pose.probability, 9))


_SIDE: Final = 0.5
"""Cosine to the axis that tells a side from an end."""


def _prism(cylinder: Convex) -> Array:
    """Points on both rims of a cylinder."""
    assert cylinder.axis is not None
    right, up = plane_axes(cylinder.axis)
    angles = np.arange(SIDES) * (2 * np.pi / SIDES)
    rim = cylinder.disc * (np.outer(np.cos(angles), right) + np.outer(np.sin(angles), up))
    return np.vstack([end + rim for end in cylinder.vertices])


class _Facets:
    """The flat facets of a hull, seen from the centre of mass."""

    def __init__(self, hull: Hull, centre: Array) -> None:
        self.hull, self.centre = hull, centre
        self.labels = hull.labels
        self.count = int(hull.labels.max()) + 1
        areas = np.linalg.norm(
            np.cross(hull.triangles[:, 1] - hull.triangles[:, 0], hull.triangles[:, 2] - hull.triangles[:, 0]), axis=1
        )
        order = np.lexsort((-areas, hull.labels))
        self.widest = order[np.concatenate([[True], np.diff(hull.labels[order]) > 0])]
        self.normals = hull.normals[self.widest]
        self.heights = np.einsum("ij,ij->i", hull.triangles[self.widest, 0] - centre, self.normals)
        self.chances = np.bincount(hull.labels, _solid_angles(hull.triangles - centre), self.count) / (4 * np.pi)
        self._find_edges()

    def _find_edges(self) -> None:
        """Per facet, the signed distance of the projected centre from each of its edges, and the facet beyond."""
        triangles, labels = self.hull.triangles, self.labels
        starts, ends = triangles.reshape(-1, 3), np.roll(triangles, -1, axis=1).reshape(-1, 3)
        owner = np.repeat(labels, 3)
        keys = _edge_keys(triangles)
        order = np.lexsort((np.arange(len(keys)), keys[:, 1], keys[:, 0]))
        beyond = np.empty(len(keys), dtype=np.int64)
        beyond[order[0::2]], beyond[order[1::2]] = owner[order[1::2]], owner[order[0::2]]
        outer = beyond != owner  # not a diagonal of its own facet
        self.owner, self.beyond = owner[outer], beyond[outer]
        along = ends[outer] - starts[outer]
        inward = np.cross(self.normals[self.owner], along)
        inward = inward / np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), np.finfo(np.float64).tiny)
        self.insides = np.einsum("ij,ij->i", self.centre - starts[outer], inward)
        self.margins = np.full(self.count, np.inf)
        np.minimum.at(self.margins, self.owner, self.insides)

    def settled(self, reach: float) -> NDArray[np.int64]:
        """Per facet, the one on which a body that lands on it comes to rest; the height of its centre of mass falls at every step."""
        order = np.lexsort((self.insides, self.owner))
        worst = order[np.concatenate([[True], np.diff(self.owner[order]) > 0])]
        following = np.arange(self.count)
        following[self.owner[worst]] = self.beyond[worst]
        # Where the height does not fall the body rolls on a round side, and stays where it is.
        stays = (self.margins > reach) | (self.heights[following] >= self.heights - reach * _LEVEL)
        following = np.where(stays, np.arange(self.count), following)
        while (following != following[following]).any():
            following = following[following]
        return following


_LEVEL: Final = 1e-3
"""Fall of the centre of mass, as a share of the contact tolerance, below which facets are at the same height."""


def _edge_keys(triangles: Array) -> NDArray[np.int64]:
    """(3 m, 2) the corners of every edge by number, smaller first; both triangles of an edge have the same."""
    _, numbers = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    corners = numbers.reshape(-1, 3)
    return np.sort(np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)


def _solid_angles(triangles: Array) -> Array:
    """(m,) solid angles of (m, 3, 3) triangles seen from the origin (Van Oosterom, Strackee 1983)."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    below = (
        la * lb * lc
        + np.einsum("ij,ij->i", a, b) * lc
        + np.einsum("ij,ij->i", b, c) * la
        + np.einsum("ij,ij->i", c, a) * lb
    )
    return np.asarray(np.abs(2 * np.arctan2(volume, below)))


def _pose(facets: _Facets, place: int, probability: float, plane: Plane) -> Pose:
    normal = facets.normals[place]
    triangles = facets.hull.triangles[facets.labels == place]
    corners = np.unique(triangles.reshape(-1, 3), axis=0)
    right, up = plane_axes(normal)
    middle = corners.mean(axis=0)
    angles = np.arctan2((corners - middle) @ up, (corners - middle) @ right)
    polygon = corners[np.argsort(angles, kind="stable")]
    rotation = turn_between(normal, -plane.up)
    return Pose(rotation, normal, probability, float(facets.margins[place]), float(facets.heights[place]), polygon)
