"""Diameters of circles of centres: circles of one size have their centres on them, evenly or not (ISO 129-1 §9, ASME Y14.5 §4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Dimensioning
from spatial.understanding.sheet.views.dimension_ends import ends_of

ON_CIRCLE: Final = 1e-3
"""Diagonals of the sheet between the circle that is measured and the centre of one on it."""
FEWEST: Final = 3
"""Circles on it: two lie across from one another at many a bore."""
LARGEST: Final = 0.6
"""Of its radius, the radius of a circle on it."""
WHOLE: Final = 359.0
"""Degrees of an arc that is a whole circle."""


def pitch_circles(circles: Array, size: float, dimensions: Sequence[Dimensioning]) -> frozenset[str]:
    """Ids of the diameters on whose circle lie the centres of circles of one size.

    circles: (n, 5) of the sheet: centre, radius, angles; size: the sheet's diagonal.
    """
    slack = ON_CIRCLE * size
    whole = circles[circles[:, 4] - circles[:, 3] >= WHOLE]
    asked = [(each.id, ends_of(each)) for each in dimensions if each.type == "diameter"]
    return frozenset(name for name, ends in asked if ends and _has_pattern(whole, np.array(ends, float)[:, :2], slack))


def _has_pattern(whole: Array, ends: Array, slack: float) -> bool:
    x, y = ends.mean(axis=0)
    radius = float(np.hypot(*(ends[1] - ends[0]))) / 2
    apart = np.hypot(whole[:, 0] - x, whole[:, 1] - y)
    on = whole[(np.abs(apart - radius) <= slack) & (whole[:, 2] <= LARGEST * radius)]
    return any(_places(on[np.abs(on[:, 2] - one) <= slack / 2], slack) >= FEWEST for one in on[:, 2])


def _places(circles: Array, slack: float) -> int:
    """How many centres there are; a circle may be drawn twice."""
    return len(np.unique(np.rint(circles[:, :2] / (4 * slack)), axis=0))
