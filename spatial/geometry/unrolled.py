"""Curves in space that run on cylinders and cones, seen in the parameters of these surfaces: (u, v), angle and way along the profile.

Only du counts for integrals over the boundary, and everything depends on u through its sine and cosine: u needs no continuation from
turn to turn, and a seam, which is taken once each way, cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial.geometry.curves import Group, joined
from spatial.geometry.integrals import Coedges
from spatial.geometry.quadrature import Array, Index


@dataclass(frozen=True)
class Unrolled:
    """Panels of a group, each on a surface of its own."""

    curve: Index
    base: Group
    panel: Index
    """(n,) into the base group."""
    frame: Array
    """(n, 4, 3): origin, x, y and z of the surface that each runs on."""
    rise: Array
    """(n,) way along z per way along the profile: 1 of a cylinder, the cosine of the half angle of a cone."""

    @property
    def dimension(self) -> int:
        return 2

    @property
    def start(self) -> Array:
        return self.base.start[self.panel]

    @property
    def stop(self) -> Array:
        return self.base.stop[self.panel]

    def placed(self, origin: Array, factor: float) -> Unrolled:
        raise RuntimeError("an unrolled curve has no place in space")

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        point, tangent = self.base.evaluate(self.panel[panel], parameter)
        origin, axes = self.frame[panel, None, 0], self.frame[panel, 1:]
        x, y, z = np.einsum("mki,mji->jmk", point - origin, axes)
        dx, dy, dz = np.einsum("mki,mji->jmk", tangent, axes)
        distance = x * x + y * y
        turn = np.where(distance > 0.0, (x * dy - y * dx) / np.where(distance > 0.0, distance, 1.0), 0.0)
        rise = self.rise[panel, None]
        return np.stack([np.arctan2(y, x), z / rise], axis=-1), np.stack([turn, dz / rise], axis=-1)

    def points(self, panel: Index, parameter: Array) -> Array:
        return self.evaluate(panel, parameter)[0]


def unroll(groups: list[Group], coedges: Coedges, frames: Array, rise: Array) -> tuple[list[Group], Coedges]:
    """The curves around faces on cylinders and cones, one for each face that they bound, and which bounds which.

    frames: (faces, 4, 3); rise: (faces,), see `Unrolled`.
    """
    found: list[Group] = []
    faces, signs, count = [], [], 0
    for group in groups:
        panel, coedge = joined(group.curve, coedges.curve)
        face = coedges.face[coedge]
        curve = np.arange(count, count + len(panel))
        found.append(Unrolled(curve, group, panel, frames[face], rise[face]))
        faces.append(face)
        signs.append(coedges.sign[coedge])
        count += len(panel)
    return found, Coedges(np.arange(count), np.concatenate(faces), np.concatenate(signs))
