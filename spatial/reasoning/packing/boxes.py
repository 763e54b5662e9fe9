"""Boxes to pack, their orientations, and where they were put.

Glossary
  item         a box to pack.
  bin          a box that takes items: a container, a shelf, a strip whose height is open.
  orientation  an order of the item's axes: orientation (1, 0, 2) has the item's y extent along x.
  choice       index of one of an item's sizes, each of which belongs to one way to turn it.
  level        the smallest set of turns that contains one, as an index of ROTATIONS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Rotations = Literal["none", "z", "all"]
"""Which turns by 90° are allowed: none, about z, or about all axes."""

ROTATIONS: Final[tuple[Rotations, ...]] = get_args(Rotations)
"""Each contains those before it."""

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

    sizes: (k, 3) extents in each way to turn it that is allowed, at least one, gap included.
    levels: (k,) of each of them, ascending. worth: what counts where it is packed.
    """

    id: str
    sizes: Array
    levels: NDArray[np.int64]
    worth: float

    @property
    def volume(self) -> float:
        """Least product of the extents."""
        return float(self.sizes.prod(axis=1).min())

    def within(self, level: int) -> Item:
        """The item with the sizes up to a level; the first size is of level 0."""
        kept = self.levels <= level
        return Item(self.id, self.sizes[kept], self.levels[kept], self.worth)


def orientations_of(rotations: Rotations) -> list[tuple[int, Orientation]]:
    """The allowed orientations with their levels, ascending; the identity comes first."""
    allowed = ROTATIONS[: ROTATIONS.index(rotations) + 1]
    levels = {order: level for level in reversed(range(len(allowed))) for order in ORIENTATIONS[allowed[level]]}
    return sorted(((level, order) for order, level in levels.items()), key=lambda found: found[0])


def item_of(item_id: str, size: Array, rotations: Rotations) -> Item:
    """The item of (3,) extents in the orientations in which they differ; its volume is its worth."""
    seen: dict[tuple[float, ...], int] = {}
    for level, order in orientations_of(rotations):
        seen.setdefault(tuple(size[list(order)]), level)
    return Item(item_id, np.array(list(seen)), np.array(list(seen.values())), float(np.prod(size)))


def nested(items: Sequence[Item], work: int) -> Iterator[tuple[list[Item], int]]:
    """The items with the turns of each level, fewest first, and the work of a search at that level.

    A search that takes the best over all of them is never worse with more turns than with fewer. Levels above the first get half of the
    work each, so that all turns together cost twice as much as none.
    """
    for level in sorted({int(level) for item in items for level in item.levels}):
        yield [item.within(level) for item in items], work // 2 if level else work


@dataclass(frozen=True, eq=False)
class Placed:
    """An item in a bin.

    item: index of the item. choice: index of its size.
    lower: (3,) its lower corner, from the bin's.
    bin: index of the bin, where there are several.
    """

    item: int
    choice: int
    lower: Array
    upper: Array
    bin: int = 0
