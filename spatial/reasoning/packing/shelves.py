"""Put all items onto as few equal shelves as possible, side by side: first fit by several orders, then a local search, with a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item, Placed
from spatial.reasoning.packing.spaces import Spaces
from spatial.reasoning.packing.stack import best_place
from spatial.reasoning.packing.strip import KEYS, changed

WORK: Final = 3_000
"""Items that one search places at most; about 0.15 ms each on one core of 2020."""


@dataclass(frozen=True)
class Shelved:
    """Placements on shelves; last_width: the extent along x that is used on the last shelf."""

    placed: tuple[Placed, ...]
    shelves: int
    last_width: float
    tried: int

    @property
    def key(self) -> tuple[int, float]:
        """What is minimised: shelves, then the width that is used on the last one."""
        return self.shelves, self.last_width


def pack_shelves(items: Sequence[Item], size: Array, reach: float, *, seed: int, work: int = WORK) -> Shelved | None:
    """Put items onto shelves of (3,) width, depth and height; None if an item is larger than a shelf."""
    best: Shelved | None = None
    best_order: list[int] = []
    tried = 0
    for key in KEYS:
        order = sorted(range(len(items)), key=lambda index: -key(items[index].sizes[0]))
        found = _first_fit(items, order, size, reach)
        tried += 1
        if found is not None and (best is None or found.key < best.key):
            best, best_order = found, order
    if best is None:
        return None
    random = np.random.default_rng(seed)
    while tried * len(items) < work and len(items) > 1:
        order = changed(best_order, random)
        found = _first_fit(items, order, size, reach)
        tried += 1
        if found is not None and found.key <= best.key:
            best, best_order = found, order
    return replace(best, tried=tried)


def _first_fit(items: Sequence[Item], order: Sequence[int], size: Array, reach: float) -> Shelved | None:
    shelves: list[Spaces] = []
    placed = []
    for index in order:
        put = _put(items[index], index, shelves, size, reach)
        if put is None:
            return None
        placed.append(put)
    last = max((float(put.upper[0]) for put in placed if put.bin == len(shelves) - 1), default=0.0)
    return Shelved(tuple(placed), len(shelves), last, 1)


def _put(item: Item, index: int, shelves: list[Spaces], size: Array, reach: float) -> Placed | None:
    """The place of an item on the first shelf that takes it, or on a new one; None if it is too large for any."""
    sizes = item.sizes
    for number in range(len(shelves) + 1):
        spaces = shelves[number] if number < len(shelves) else Spaces(size, reach)
        found = best_place(spaces, sizes, "left")
        if found is None:
            continue
        space, choice = found
        lower = spaces.lower[space].copy()
        upper = lower + sizes[choice]
        spaces.take(lower, np.array([upper[0], upper[1], size[2]]), np.zeros((1, 3)))
        if number == len(shelves):
            shelves.append(spaces)
        return Placed(index, item.orientations[choice], lower, upper, number)
    return None
