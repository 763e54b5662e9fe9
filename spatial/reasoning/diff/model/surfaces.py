"""The analytic faces of one body as arrays, faces on the same surface joined.

Kernels split a surface into faces differently (a hole as one or two half cylinders), so what is compared is the surface
with the sum of its faces' areas.

Glossary
  foot        the point of a plane or an axis that is nearest to a reference point.
  freeform    a face without parameters in the document (B-spline, extrusion, …), of which only the area is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from spatial.contract.extraction import Face
from spatial.geometry.components import connected_components
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.scene.model import Array

TYPES: Final = ("plane", "cylinder", "cone", "sphere", "torus")
"""Surfaces that their parameters determine."""

PLANE, CYLINDER, CONE, SPHERE, TORUS = range(len(TYPES))

LENGTH: Final = 2e-6
"""Difference of two lengths that are the same, as a part of the body's size: exports round to about 1e-7 of it."""

DIRECTION: Final = 1e-5
"""Difference of two unit directions that are the same, in radians."""

AREA: Final = 1e-5
"""Relative difference of two areas or volumes that are the same: freeform faces are measured by quadrature."""

Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Surfaces:
    """Surfaces of one body.

    types: (n,) place in TYPES. origins, directions: (n, 3); a sphere has the direction 0.
    sizes: (n, 2) radius and 0; of a cone radius at its origin and half angle in radians; of a torus major and minor radius.
    areas: (n,) sum over its faces. faces: ids of its faces. freeform: ascending areas of faces without parameters.
    """

    types: Index
    origins: Array
    directions: Array
    sizes: Array
    areas: Array
    faces: tuple[tuple[str, ...], ...]
    freeform: Array

    def __len__(self) -> int:
        return len(self.types)

    def transformed(self, by: Rigid) -> Surfaces:
        """The same surfaces elsewhere."""
        return replace(self, origins=by.points(self.origins), directions=by.directions(self.directions))

    def feet(self, where: Array) -> Array:
        """(n, 3) points nearest to `where` on planes and axes, relative to it; centres of spheres and tori."""
        gaps = self.origins - where
        along = (gaps * self.directions).sum(axis=1)[:, None] * self.directions
        # The foot on a plane is the part along the normal, on an axis the part across it.
        found: Array = np.where(self._is_plane, along, gaps - self._is_axis * along)
        return found

    def vectors(self, where: Array, size: float) -> Array:
        """(n, 9) what two surfaces must agree in, in units of tolerance: equal ones differ by less than 1 per column.

        where: a reference point; size: of the body.
        """
        length = LENGTH * size
        found = np.empty((len(self), 9))
        found[:, 0] = self.types * 10.0
        found[:, 1:4] = self.feet(where) / length
        found[:, 4:7] = np.where(self.is_unsigned[:, None], unsigned(self.directions), self.directions) / DIRECTION
        found[:, 7:9] = self.sizes / length
        cones = self._cones
        if len(cones):
            # The radius of a cone is stated at its origin, which is any point of its axis.
            along = ((where - self.origins[cones]) * self.directions[cones]).sum(axis=1)
            found[cones, 7] += along * np.tan(self.sizes[cones, 1]) / length
            found[cones, 8] = self.sizes[cones, 1] / DIRECTION
        return found

    @cached_property
    def is_unsigned(self) -> NDArray[np.bool_]:
        """(n,) whether a surface has an axis without a sign: cylinders and tori."""
        return np.isin(self.types, (CYLINDER, TORUS))

    @cached_property
    def _is_plane(self) -> NDArray[np.bool_]:
        return np.isin(self.types, (PLANE,))[:, None]

    @cached_property
    def _is_axis(self) -> NDArray[np.bool_]:
        return np.isin(self.types, (CYLINDER, CONE))[:, None]

    @cached_property
    def _cones(self) -> Index:
        return np.flatnonzero(self.types == CONE)


def surfaces_of(faces: Sequence[Face], factor: float, size: float) -> Surfaces:
    """The surfaces of faces, lengths times `factor`; size: of the body after that."""
    rows = [(face, values) for face in faces if (values := _values(face)) is not None]
    known = {id(face) for face, _ in rows}
    freeform = [(face.area or 0.0) * factor**2 for face in faces if id(face) not in known]
    numbers = np.array([values for _, values in rows], dtype=np.float64).reshape(-1, 9)
    numbers[:, 1:4] *= factor
    cones = numbers[:, 0] == CONE
    numbers[:, 7] *= factor
    numbers[:, 8] *= np.where(cones, 1.0, factor)
    single = Surfaces(
        types=numbers[:, 0].astype(np.intp),
        origins=numbers[:, 1:4],
        directions=numbers[:, 4:7],
        sizes=numbers[:, 7:9],
        areas=np.array([(face.area or 0.0) * factor**2 for face, _ in rows], dtype=np.float64),
        faces=tuple((face.id,) for face, _ in rows),
        freeform=np.sort(np.array(freeform, dtype=np.float64)),
    )
    return _joined(single, size)


def is_close(previous: Array, current: Array) -> NDArray[np.bool_]:
    """Whether areas or volumes are the same."""
    return np.abs(previous - current) <= AREA * np.maximum(np.abs(previous), np.abs(current))


def unsigned(directions: Array) -> Array:
    """Axes, turned so that the first component of some length is positive."""
    leading = np.argmax(np.abs(directions) > 0.3, axis=1)
    signs = np.where(directions[np.arange(len(directions)), leading] < 0, -1.0, 1.0)
    found: Array = directions * signs[:, None]
    return found


def _values(face: Face) -> tuple[float, ...] | None:
    """Type, origin, direction and sizes of a face; None where the document lacks one of them."""
    origin, axis, radius = face.origin, face.axis, face.radius
    if origin is None:
        return None
    if face.type == "plane" and face.normal:
        return PLANE, *origin, *face.normal, 0.0, 0.0
    if face.type == "cylinder" and axis and radius is not None:
        return CYLINDER, *origin, *axis, radius, 0.0
    if face.type == "cone" and axis and radius is not None and face.half_angle is not None:
        sign = -1.0 if face.half_angle < 0 else 1.0
        return CONE, *origin, *(sign * each for each in axis), radius, np.radians(abs(face.half_angle))
    if face.type == "sphere" and radius is not None:
        return SPHERE, *origin, 0.0, 0.0, 0.0, radius, 0.0
    if face.type == "torus" and axis and face.major_radius is not None and face.minor_radius is not None:
        return TORUS, *origin, *axis, face.major_radius, face.minor_radius
    return None


def _joined(single: Surfaces, size: float) -> Surfaces:
    """Faces on the same surface as one."""
    if len(single) < 2:
        return single
    where = single.origins.mean(axis=0)
    pairs = cKDTree(single.vectors(where, size)).query_pairs(1.0, p=np.inf, output_type="ndarray")
    if not len(pairs):
        return single
    groups = connected_components(len(single), *pairs.T)
    count = int(groups.max()) + 1
    first = np.array([int(np.argmax(groups == group)) for group in range(count)])
    members: list[list[str]] = [[] for _ in range(count)]
    for place, group in enumerate(groups):
        members[group].extend(single.faces[place])
    return Surfaces(
        types=single.types[first],
        origins=single.origins[first],
        directions=single.directions[first],
        sizes=single.sizes[first],
        areas=np.bincount(groups, weights=single.areas, minlength=count).astype(np.float64),
        faces=tuple(map(tuple, members)),
        freeform=single.freeform,
    )
