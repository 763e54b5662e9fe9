"""Boxes to pack, their orientations, and where they were put.

Glossary
  item         a box to pack.
  bin          a box that takes items: a container, a shelf, a strip whose height is open.
  orientation  an order of the item's axes: orientation (1, 0, 2) has the item's y extent along x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Rotations = Literal["none", "z", "all"]
"""Which turns by 90° are allowed: none, about z, or about all axes."""

Orientation = tuple[int, int, int]

ORIENTATIONS: Final[dict[Rotations, tuple[Orientation, ...]]] = {
    "none": ((0, 1, 2),),
    "z": ((0, 1, 2), (1, 0, 2)),
    "all": ((0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 0, 1), (1, 2, 0), (2, 1, 0)),
}
"""The identity comes first, so that nothing is turned where that gains nothing."""

SLACK: Final = 1e-6
"""Largest overlap that counts as touching, as a share of the largest extent: documents round coordinates to a millionth of their size."""


@dataclass(frozen=True, eq=False)
class Item:
    """A box to pack.

    orientations: what is allowed, at least one. sizes: (k, 3) extents in each of them, gap included.
    """

    id: str
    orientations: tuple[Orientation, ...]
    sizes: Array

    @property
    def volume(self) -> float:
        """Product of the extents."""
        return float(np.prod(self.sizes[0]))


def item_of(item_id: str, size: Array, rotations: Rotations) -> Item:
    """The item of (3,) extents in the orientations in which they differ."""
    seen: dict[tuple[float, ...], Orientation] = {}
    for order in ORIENTATIONS[rotations]:
        seen.setdefault(tuple(size[list(order)]), order)
    return Item(item_id, tuple(seen.values()), np.array(list(seen)))


@dataclass(frozen=True, eq=False)
class Placed:
    """An item in a bin.

    item: index of the item.
    lower: (3,) its lower corner, from the bin's.
    bin: index of the bin, where there are several.
    """

    item: int
    orientation: Orientation
    lower: Array
    upper: Array
    bin: int = 0
