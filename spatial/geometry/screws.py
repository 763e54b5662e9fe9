"""The screw motion that carries a surface into itself, from points of the surface and its normals.

A surface that a screw motion carries into itself has, at each of its points, a normal at right angles to the velocity of the motion: its
normals lie in a linear complex, which linear least squares find (H. Pottmann, J. Wallner, Computational Line Geometry, 2001, section 3.1
and chapter 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross

OUT_OF_TANGENT: Final = 0.02
"""Greatest sine of the angle between the motion and the surface: splines follow a helix only nearly."""

LEAST_SPREAD: Final = 0.02
"""Least part of the normals that is across the plane in which most of them lie: a cylinder has none, and any screw about its axis."""

CERTAIN: Final = 1e-2
"""Greatest ratio of the residual of the motion to that of the next one: a sphere or a cone of one turn has many."""


@dataclass(frozen=True)
class Screw:
    """A turn about an axis with a shift along it."""

    origin: Array
    """(3,) the point of the axis that is nearest to the middle of the surface's points."""
    axis: Array
    """(3,) unit."""
    lead: float
    """Shift along the axis in a whole turn, in the units of the points; positive of a right-hand screw."""


def screw(points: Array, normals: Array) -> Screw | None:
    """The motion that carries a surface into itself; None where there is none or more than one.

    Args:
        points: (n, 3) of the surface.
        normals: (n, 3) unit, there.
    """
    middle = points.mean(axis=0)
    away = points - middle
    size = float(np.abs(away).max(initial=0.0))
    if size <= 0.0 or len(points) < 6:
        return None
    away = away / size
    spread = np.linalg.svd(normals, compute_uv=False)
    if spread[2] < LEAST_SPREAD * spread[0]:
        return None
    moments = cross(away, normals)
    across = moments.T @ normals
    solved = np.linalg.solve(normals.T @ normals, across.T)
    values, vectors = np.linalg.eigh(moments.T @ moments - across @ solved)
    axis = vectors[:, 0]
    shift = -solved @ axis
    velocity = cross(axis, away) + shift
    speed = np.linalg.norm(velocity, axis=1)
    out = np.abs(np.einsum("ij,ij->i", velocity, normals))
    if values[0] > CERTAIN * values[1] or (out > OUT_OF_TANGENT * speed).any():
        return None
    return Screw(middle + size * cross(axis, shift), axis, 2.0 * np.pi * size * float(axis @ shift))
