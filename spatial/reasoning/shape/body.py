"""The body of a scene object: what it fills for certain, what it cannot reach beyond, its mass properties, and what these rest on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.spatial import ConvexHull

from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.bores import bores_of
from spatial.reasoning.shape.cells import grid_of
from spatial.reasoning.shape.convex import Array, Convex, box
from spatial.reasoning.shape.exact import MAX_PLANES as MAX_SIDES
from spatial.reasoning.shape.exact import exact_shape, planes_of
from spatial.reasoning.shape.hull import Hull, hull_of, hull_of_planes
from spatial.reasoning.shape.sampled import sampled_shape
from spatial.reasoning.shape.tolerances import COPLANAR, VOLUME

Basis = Literal["faces", "points", "corners", "sample", "bounds", "flat"]
"""What a body rests on: analytic faces proven by the volume; points that prove a shape; a few points taken as corners; a sample, with an
error; the extent alone; points in one plane."""


@dataclass(frozen=True, eq=False)
class Body:
    """The shape of one object.

    outer: a convex shape that the object cannot reach beyond.
    inner: a convex shape whose hull the object's hull contains for certain; None where only an extent is known.
    parts: convex shapes that together are exactly the object; empty where the object is not known so well.
    cover: convex shapes that together contain the object; closer than `outer` for an orthogonal part with holes.
    error: how far the object's hull may reach beyond `inner`.
    hull: the flat sides of `inner`; None for a cylinder, a sphere or a flat object.
    fills_hull: whether `inner` is filled, but for its error: no point lies deep inside it, and no side is open.
    volume, centre: mass properties at uniform density; centre_from says where they come from.
    """

    id: str
    outer: Convex
    inner: Convex | None
    parts: tuple[Convex, ...]
    error: float
    basis: Basis
    points: Array
    hull: Hull | None = None
    volume: float | None = None
    centre: Array | None = None
    centre_from: Literal["document", "shape", "hull"] | None = None
    fills_hull: bool = False
    cover: tuple[Convex, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the shape is known exactly."""
        return bool(self.parts)

    @property
    def is_convex(self) -> bool:
        """Whether it is known exactly, and convex."""
        return len(self.parts) == 1

    @property
    def size(self) -> float:
        """Diagonal of the extent."""
        return self.outer.size

    def moved(self, rotation: Array, translation: Array) -> Body:
        """The body after x ↦ rotation x + translation."""
        return replace(
            self,
            outer=self.outer.moved(rotation, translation),
            inner=None if self.inner is None else self.inner.moved(rotation, translation),
            parts=tuple(part.moved(rotation, translation) for part in self.parts),
            cover=tuple(part.moved(rotation, translation) for part in self.cover),
            points=self.points @ rotation.T + translation,
            hull=None if self.hull is None else self.hull.moved(rotation, translation),
            centre=None if self.centre is None else rotation @ self.centre + translation,
        )


@lru_cache(maxsize=256)
def body_of(item: SceneObject) -> Body | None:
    """The body of an object; None if it has no geometry at all."""
    exact = exact_shape(item)
    if exact is not None:
        return _exact(item, exact)
    found = _orthogonal(item)
    if found is None and len(item.points):
        found = _of_points(item)
    if found is None and item.bounds is not None:
        extent = box(item.bounds[0], item.bounds[1])
        found = Body(item.id, extent, None, (), extent.size, "bounds", item.points)
    return None if found is None else _with_document(found, item)


def _exact(item: SceneObject, shape: Convex | Hull) -> Body:
    hull = shape if isinstance(shape, Hull) else None
    convex = shape.shape if isinstance(shape, Hull) else shape
    centre = hull.centroid if hull else convex.middle
    body = Body(item.id, convex, convex, (convex,), 0.0, "faces", item.points, hull, item.volume, centre, "shape", True)
    return _with_document(body, item)


def _orthogonal(item: SceneObject) -> Body | None:
    """A solid of planes at right angles, with or without round bores, whose cells have the document's volume."""
    if item.volume is None or item.volume <= 0 or not {face.type for face in item.faces} <= {"plane", "cylinder"}:
        return None
    grid = grid_of(item)
    if grid is None:
        return None
    drilled = sum(np.pi * bore.radius**2 * (bore.upper - bore.lower) for bore in bores_of(item))
    if abs(grid.volume() - drilled - item.volume) > VOLUME * item.volume:
        return None
    parts = grid.parts()
    hull = hull_of(np.vstack([part.vertices for part in parts]))
    if hull is None:
        return None
    exact = () if drilled else parts
    return Body(
        item.id,
        hull.shape,
        hull.shape,
        exact,
        0.0,
        "faces",
        item.points,
        hull,
        item.volume,
        _centre(parts),
        "shape",
        cover=parts,
    )


def _centre(parts: tuple[Convex, ...]) -> Array:
    """The centre of mass of boxes that do not overlap."""
    volumes = np.array([np.prod(np.linalg.norm(part.vertices[[4, 2, 1]] - part.vertices[0], axis=1)) for part in parts])
    return np.asarray(volumes @ np.array([part.middle for part in parts]) / volumes.sum())


def _of_points(item: SceneObject) -> Body:
    """The body of an object with points: proven by them, or the hull of the sample and its error."""
    found = sampled_shape(item.points)
    if found is None:
        return _flat(item)
    hull, shape = found.hull, found.shape
    volume, centre = (hull.volume, hull.centroid) if hull else (volume_of(shape), shape.middle)
    # A few corners of a surface are those of a slab; the points of a larger cloud show what is open.
    is_open = item.kind == "container" or (item.kind == "surface" and found.basis != "corners")
    hollow = is_open or bool(item.faces)
    if found.error or hollow:
        error = found.error if not hollow or found.error else 0.0
        outer = _outer(item, shape.grown(error))
        return Body(
            item.id, outer, shape, (), error, "sample" if error else "points", item.points, hull, volume, centre, "hull",
            fills_hull=found.is_convex and not hollow,
        )  # fmt: skip
    basis: Basis = "corners" if found.basis == "corners" else "points"
    return Body(item.id, shape, shape, (shape,), 0.0, basis, item.points, hull, volume, centre, "shape", True)


def _flat(item: SceneObject) -> Body:
    """A body of points in one plane, on one line or at one place, which has no volume."""
    shape = Convex(_extremes(item.points))
    return Body(item.id, shape, shape, (shape,) if len(item.points) > 2 else (), 0.0, "flat", item.points)


def _extremes(points: Array) -> Array:
    """The corners of the hull of points that span no volume."""
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2] if len(points) > 1 else np.eye(3)
    flat = centred @ axes[:2].T
    if len(points) < 4 or float(np.ptp(flat, axis=0).min()) <= COPLANAR * float(np.ptp(flat, axis=0).max()):
        return points[[int(np.argmin(flat[:, 0])), int(np.argmax(flat[:, 0]))]] if len(points) > 3 else points
    return np.asarray(points[ConvexHull(flat).vertices])


def _outer(item: SceneObject, shape: Convex) -> Convex:
    """The smallest shape that the object is proven to stay within: the document's bounds and plane faces that all points lie behind."""
    if item.origin != "solid" or item.bounds is None:
        return shape
    normals, offsets = planes_of(item.faces)
    reach = 10 * COPLANAR * shape.size
    behind = (item.points @ normals.T <= offsets + reach).all(axis=0) if len(normals) else np.zeros(0, dtype=bool)
    sides = np.vstack([np.eye(3), -np.eye(3), normals[behind]])
    limits = np.concatenate([item.bounds[1], -item.bounds[0], offsets[behind]])
    found = hull_of_planes(sides, limits) if len(sides) <= MAX_SIDES else None
    return found.shape if found is not None else box(item.bounds[0], item.bounds[1])


def volume_of(shape: Convex) -> float:
    """The volume of a polytope, a cylinder or a sphere."""
    if shape.disc:
        return float(np.pi * shape.disc**2 * np.linalg.norm(shape.vertices[1] - shape.vertices[0]))
    if len(shape.vertices) == 1:
        return float(4 / 3 * np.pi * shape.ball**3)
    hull = hull_of(shape.vertices)
    return 0.0 if hull is None else hull.volume


def _with_document(body: Body, item: SceneObject) -> Body:
    """The body with the document's volume and centre of mass, which know cavities that a hull does not."""
    volume = item.volume if item.volume and item.volume > 0 else body.volume
    if item.center_of_mass is None:
        return replace(body, volume=volume)
    return replace(body, volume=volume, centre=item.center_of_mass, centre_from="document")
