"""Rounding for documents: what rounding errors leave behind is not a fact about the model.

Twelve digits stay: thousands of times finer than any tolerance a drawing can state, and coarser than what 64-bit arithmetic
over a whole body loses. Positions are rounded by the size of the model, so that 1e-15 next to 100 is 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, isfinite, log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

DIGITS: Final = 12


def significant(value: float) -> float:
    """A number to its twelve leading digits."""
    if value == 0.0 or not isfinite(value):
        return value
    return round(float(value), DIGITS - 1 - floor(log10(abs(value))))


def angle(degrees: float) -> float:
    """An angle to a billionth of a degree; never -0.0."""
    return round(float(degrees), _ANGLE_DIGITS) + 0.0


_ANGLE_DIGITS: Final = 9


def decimals(size: float) -> int:
    """How many decimals a position has in a model of a size."""
    return DIGITS - 1 - floor(log10(size)) if size > 0.0 else DIGITS


def positions(points: NDArray[np.float64], places: int) -> list[list[float]]:
    """Coordinates (n, 3) to so many decimals; never -0.0."""
    rounded: list[list[float]] = (np.round(points, places) + 0.0).tolist()
    return rounded


def position(values: Iterable[float], places: int) -> tuple[float, ...]:
    """Coordinates of one point to so many decimals; never -0.0."""
    return tuple(round(float(value), places) + 0.0 for value in values)


def to_decimals(values: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """Each number to so many decimals exactly as `round` does, where `numpy.round` may be off by one in the last decimal.

    `numpy.round` multiplies first: 1.0015 is below the half, and 1001.5 is not. Numbers that near a half are left to `round`.
    """
    scale = 10.0**places
    with np.errstate(all="ignore"):
        scaled = values * scale
        whole = np.rint(scaled)
        found = whole / scale
        doubtful = ~((np.abs(scaled - whole) < _SURE) & (np.abs(scaled) < _EXACT))
    if doubtful.any():
        found[doubtful] = [round(value, places) for value in values[doubtful].tolist()]
    return found


_SURE: Final = 0.499
"""Below this distance from a whole number, the error of one multiplication cannot change to which it is rounded."""

_EXACT: Final = 1e12
"""Below this, that error is below a thousandth."""
