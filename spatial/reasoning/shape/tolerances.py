"""Thresholds of the shape package. Lengths are shares of a size, so that no verdict changes when a scene is scaled."""

from __future__ import annotations

from typing import Final

COPLANAR: Final = 2e-6
"""Largest distance of a point from its plane, as a share of the object's size: documents round coordinates to a millionth of it."""

CONTACT: Final = 1e-5
"""Largest gap of two surfaces that touch, as a share of the larger object's size: several roundings, far below any machining tolerance."""

PRECISION: Final = 1e-9
"""Error of a distance, as a share of the larger object's size: float64 after the few hundred operations of a search."""

ZERO: Final = 1e-7
"""Lengths below this share of the size are the noise of float64 after a few rotations of a scene far from its origin."""

PARALLEL: Final = 1e-5
"""Largest deviation from parallel or perpendicular, in radians; the same as for `kind` box of an extracted solid."""

VOLUME: Final = 1e-5
"""Largest relative difference of two volumes that are the same: the document rounds radii and origins."""

SPARSE: Final = 64
"""Clouds with fewer points are taken as the corners of the object; a sample of a surface has more."""

MIN_PLANE_POINTS: Final = 4
"""Points that prove a plane: three define one, the fourth confirms it."""

UNCOVERED: Final = 5.0
"""Exponent of the chance that a random sample leaves a spot of the surface uncovered, exp(-5) = 0.7 % for the whole surface."""


def touching_reach(*sizes: float) -> float:
    """Largest gap of two bodies that touch while one moves, from their sizes: the reach of a large floor swallows no small part."""
    return max(CONTACT * min(sizes), PRECISION * max(sizes))
