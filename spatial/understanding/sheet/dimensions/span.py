"""What one dimension measures on a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Flags

INSIDE: Final = 0.95
"""How sure a dimension line between heads that point apart is."""
SHARED: Final = 0.6
"""How sure a dimension line is whose heads more likely belong to others; only the scale of the sheet can speak for it."""

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """What one dimension measures on the sheet."""

    first: Place
    last: Place
    """Tips of its arrows."""
    measured: float
    """Between the tips, in the sheet's units; of an angular one, degrees."""
    text_range: tuple[float, float]
    """Along the line, from `first` towards `last`."""
    sure: float
    centre: Place | None = None
    """Of an angular one."""
    ends: tuple[Place, Place] | None = None
    """Where its line ends before its first tip and behind its last."""
    shoulders: tuple[tuple[Place, Place], ...] = ()
    """Each from the end of its line on."""
    only_to_scale: bool = False
    """Whether it is one only where it is as long, or as large, as printed."""


def are_tips_of(places: Array, dimension_lines: Iterable[Span], slack: float) -> Flags:
    """(n,) whether each place (n, 2) is a tip of one of the dimension lines."""
    found = np.zeros(len(places), bool)
    tips = [tip for span in dimension_lines for tip in (span.first, span.last)]
    if tips:
        for of, _ in CellIndex(np.array(tips, float), slack).near(places, 1):
            found[of] = True
    return found
