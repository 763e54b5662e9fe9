"""Similarity transforms: turn, mirror, scale, shift."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spatial.geometry.quadrature import Array


@dataclass(frozen=True)
class Placement:
    """A similarity transform from a definition (millimetres) to the document (its units)."""

    linear: Array
    """(3, 3)."""
    shift: Array
    """(3,)."""

    @cached_property
    def factor(self) -> float:
        """Document units of length per millimetre of the definition."""
        return float(abs(np.linalg.det(self.linear)) ** (1.0 / 3.0))

    @cached_property
    def turn(self) -> Array:
        """(3, 3) orthogonal: what it does to directions; mirrors too."""
        return np.asarray(self.linear / self.factor)

    def points(self, where: Array) -> Array:
        """Points (n, 3) of the definition, in the document."""
        return np.asarray(where @ self.linear.T + self.shift)

    def directions(self, along: Array) -> Array:
        """Unit directions (n, 3) of the definition, in the document."""
        return np.asarray(along @ self.turn.T)


AS_MODELLED = Placement(np.eye(3), np.zeros(3))
"""Definition and document are the same."""
