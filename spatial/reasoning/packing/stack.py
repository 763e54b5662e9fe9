"""Place items one by one into a bin whose height is open, each where it rises least.

Source: the bottom-left-fill rule of Baker, Coffman and Rivest, "Orthogonal packings in two dimensions", SIAM Journal on Computing 9 (1980),
on maximal spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item, Placed
from spatial.reasoning.packing.spaces import Spaces
from spatial.reasoning.packing.trial import Trial

Where = Literal["top", "low", "left"]
"""Which place an item takes: where its top is lowest; the lowest one that it fits best; or where it reaches least along x."""


@dataclass(frozen=True, eq=False)
class Stack:
    """Placements of all items, and the height of the highest top."""

    placed: tuple[Placed, ...]
    height: float


def stack(
    items: Sequence[Item], trial: Trial, base: Array, where: Where, reach: float, *, supported: bool = False,
    limit: float = np.inf,
) -> Stack | None:  # fmt: skip
    """Stack the items by a trial on a base of (2,) extents; None if one is too large, or the height exceeds a limit."""
    height = sum(float(item.sizes.max()) for item in items)
    spaces = Spaces(np.array([base[0], base[1], height]), reach, supported)
    options = [trial.options(items, index) for index in trial.order]
    least = _least_after([sizes for _, sizes in options])
    placed, top = [], 0.0
    for place, index in enumerate(trial.order):
        before, sizes = options[place]
        found = best_place(spaces, sizes, where)
        if found is None:
            return None
        space, choice = found
        lower = spaces.lower[space].copy()
        upper = lower + sizes[choice]
        placed.append(Placed(index, before + choice, lower, upper))
        top = max(top, float(upper[2]))
        if top > limit:
            return None
        if place + 1 < len(trial.order):
            spaces.take(lower, upper, least[place + 1])
    return Stack(tuple(placed), top)


def _least_after(sizes: Sequence[Array]) -> list[Array]:
    """(1, 3) for each place of an order: the least extents of what is still to come."""
    least = [found.min(axis=0) for found in sizes]
    for place in range(len(least) - 2, -1, -1):
        least[place] = np.minimum(least[place], least[place + 1])
    return [found[None] for found in least]


def best_place(spaces: Spaces, choices: Array, where: Where) -> tuple[int, int] | None:
    """Index of the space and of the size, of (k, 3) choices, where an item goes; None where it fits nowhere."""
    room = spaces.sizes[:, None] - choices[None]
    space, choice = np.nonzero((room >= -spaces.reach).all(axis=2))
    if not len(space):
        return None
    lower, rest = spaces.lower[space], room[space, choice]
    upper = lower + choices[choice]
    slack = np.minimum(rest[:, 0], rest[:, 1])
    keys: dict[Where, tuple[Array, ...]] = {
        "top": (lower[:, 0], lower[:, 1], slack, lower[:, 2], upper[:, 2]),
        "low": (lower[:, 0], lower[:, 1], upper[:, 2], slack, lower[:, 2]),
        "left": (lower[:, 1], slack, upper[:, 0]),
    }
    best = int(np.lexsort(keys[where])[0])
    return int(space[best]), int(choice[best])
