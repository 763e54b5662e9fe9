"""A convex shape by its support function: a polytope, a cylinder, a sphere, or a polytope with a margin of uncertainty around it.

Glossary
  support function  h(u): the largest u·x of the shape; the point that attains it is the support point.
  Minkowski sum     every sum of a point of one shape and a point of another; its support function is the sum of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

Array = NDArray[np.float64]

_ORIGIN: Final = np.zeros(3)


@dataclass(frozen=True, eq=False)
class Convex:
    """The Minkowski sum of the hull of `vertices`, a ball, and a disc that is perpendicular to `axis`.

    vertices: (n, 3), n >= 1; a cylinder has the two ends of its axis, a sphere its centre.
    ball: radius of the ball, 0 for none.
    disc: radius of the disc, 0 for none.
    axis: (3,) unit normal of the disc.
    """

    vertices: Array
    ball: float = 0.0
    disc: float = 0.0
    axis: Array | None = None

    def support(self, direction: Array) -> Array:
        """(3,) the point of the shape that lies farthest along a direction, which need not be a unit vector."""
        found: Array = self.vertices[int(np.argmax(self.vertices @ direction))]
        if self.ball:
            found = found + self.ball * _unit(direction)
        if self.disc and self.axis is not None:
            found = found + self.disc * _unit(direction - (direction @ self.axis) * self.axis)
        return found

    def heights(self, directions: Array) -> Array:
        """(k,) the support function h at (k, 3) unit directions."""
        found: Array = (directions @ self.vertices.T).max(axis=1) + self.ball
        if self.disc and self.axis is not None:
            found = found + self.disc * np.sqrt(np.clip(1 - (directions @ self.axis) ** 2, 0, None))
        return found

    def widths(self, directions: Array) -> Array:
        """(k,) the extent along (k, 3) unit directions."""
        return self.heights(directions) + self.heights(-directions)

    def moved(self, rotation: Array, translation: Array = _ORIGIN) -> Convex:
        """The shape after x ↦ rotation x + translation."""
        return replace(
            self,
            vertices=self.vertices @ rotation.T + translation,
            axis=None if self.axis is None else rotation @ self.axis,
        )

    def grown(self, margin: float) -> Convex:
        """The shape with everything that is closer to it than `margin`."""
        return replace(self, ball=self.ball + margin)

    def swept(self, way: Array) -> Convex:
        """What the shape passes through on a straight way."""
        return replace(self, vertices=np.vstack([self.vertices, self.vertices + way]))

    @cached_property
    def bounds(self) -> Array:
        """(2, 3) minimum and maximum corner."""
        axes = np.eye(3)
        return np.stack([-self.heights(-axes), self.heights(axes)])

    @cached_property
    def size(self) -> float:
        """Diagonal of the bounds."""
        return float(np.linalg.norm(self.bounds[1] - self.bounds[0]))

    @cached_property
    def middle(self) -> Array:
        """(3,) a point inside: the mean of the vertices."""
        mean: Array = self.vertices.mean(axis=0)
        return mean

    @cached_property
    def diameter(self) -> float:
        """The largest distance of two of its points; of a cylinder, that of its rims."""
        spans = float(pdist(self.vertices).max()) if len(self.vertices) > 1 else 0.0
        return float(np.hypot(spans, 2 * self.disc)) + 2 * self.ball

    @property
    def is_polytope(self) -> bool:
        """Whether it is the hull of its vertices and nothing more."""
        return not self.ball and not self.disc

    def radius(self) -> float:
        """An upper bound of the distance of its points from `middle`."""
        return float(np.linalg.norm(self.vertices - self.middle, axis=1).max()) + self.ball + self.disc


def box(lower: Array, upper: Array) -> Convex:
    """The axis-aligned box between two corners, (3,) each."""
    corners = np.array([lower, upper], dtype=np.float64)
    return Convex(
        np.array([[corners[i, 0], corners[j, 1], corners[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    )


def cylinder(start: Array, end: Array, radius: float) -> Convex:
    """The circular cylinder between the centres of its ends, (3,) each."""
    return Convex(
        np.array([start, end], dtype=np.float64), disc=radius, axis=_unit(np.asarray(end) - np.asarray(start))
    )


def sphere(centre: Array, radius: float) -> Convex:
    """The ball of a radius around a centre, (3,)."""
    return Convex(np.array([centre], dtype=np.float64), ball=radius)


def _unit(vector: Array) -> Array:
    """The unit vector along a vector; zero for zero, where any point of a disc or ball is as far."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else np.zeros(3)
