"""Between which points a dimension measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.models.sheet.drawing import Dimensioning

_POINTS: Final = {
    "linear": ("first", "second"),
    "aligned": ("first", "second"),
    "ordinate": ("definition", "first"),
    "diameter": ("definition", "third"),
}
"""Type of a native dimension, and of a found ordinate, to the points between which it measures."""


def ends_of(dimension: Dimensioning) -> tuple[Sequence[float], Sequence[float]] | None:
    """Between which points a dimension measures."""
    tips = dimension.further.get("arrow_tips", ())
    if len(tips) == 2 and dimension.type != "angular":
        return tips[0], tips[1]
    points = dimension.further.get("points", {})
    first, last = _POINTS.get(dimension.type, ("", ""))
    return (points[first], points[last]) if first in points and last in points else None
