"""Pack all items into the least height over a base: several deterministic orders, then a local search over orders, with a seed.

In two dimensions this is strip packing: the base is as deep as every item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item, Placed
from spatial.reasoning.packing.stack import Stack, Where, stack

KEYS: Final[tuple[Callable[[Array], float], ...]] = (
    lambda size: float(size[2]),
    lambda size: float(size[0] * size[1]),
    lambda size: float(size.prod()),
    lambda size: float(size[:2].max()),
    lambda size: float(size.max()),
    lambda size: float(size.sum()),
)
"""Orders by which items are placed, the largest first: height, base, volume, longest side of the base, longest side, sum of the sides."""

WHERES: Final[tuple[Where, ...]] = ("top", "low")

WORK: Final = 3_000
"""Items that one search places at most; about 0.1 ms each on one core of 2020."""


@dataclass(frozen=True)
class Strip:
    """The best stack; tried: how many stacks were made."""

    placed: tuple[Placed, ...]
    height: float
    tried: int


def pack_strip(
    items: Sequence[Item], base: Array, reach: float, *, seed: int, supported: bool = False, least: float = 0.0,
    work: int = WORK,
) -> Strip | None:  # fmt: skip
    """Pack all items over a base of (2,) extents so that the height is least; None if an item is larger than the base.

    least: a lower bound of the height, at which the search stops.
    """
    best, order, where, tried = _first(items, base, reach, supported)
    if best is None:
        return None
    random = np.random.default_rng(seed)
    while tried * len(items) < work and best.height > least + reach:
        turn: Where = where if random.random() < 0.8 else WHERES[random.integers(len(WHERES))]
        other = changed(order, random)
        found = stack(items, other, base, turn, reach, supported=supported, limit=best.height)
        tried += 1
        if found is not None:
            best, order, where = found, other, turn
    return Strip(best.placed, best.height, tried)


def _first(
    items: Sequence[Item], base: Array, reach: float, supported: bool
) -> tuple[Stack | None, list[int], Where, int]:
    """The best of the deterministic orders, and how many there are."""
    best: tuple[Stack | None, list[int], Where] = (None, [], "top")
    for key in KEYS:
        order = sorted(range(len(items)), key=lambda index: -key(items[index].sizes[0]))
        for where in WHERES:
            found = stack(items, order, base, where, reach, supported=supported)
            if found is not None and (best[0] is None or found.height < best[0].height):
                best = (found, order, where)
    return *best, len(KEYS) * len(WHERES)


def changed(order: Sequence[int], random: np.random.Generator) -> list[int]:
    """An order with two places exchanged, or one moved."""
    found = list(order)
    if len(found) < 2:
        return found
    first, second = (int(place) for place in random.choice(len(found), 2, replace=False))
    if random.random() < 0.5:
        found[first], found[second] = found[second], found[first]
    else:
        found.insert(second, found.pop(first))
    return found
