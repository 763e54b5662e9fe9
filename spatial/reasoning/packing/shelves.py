"""Put all items onto as few equal shelves as possible, side by side: first fit by several orders, then a local search, with a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item, Placed, nested
from spatial.reasoning.packing.spaces import Spaces
from spatial.reasoning.packing.stack import best_place
from spatial.reasoning.packing.trial import Trial, changed, first_trials, is_single

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
    """Put items onto shelves of (3,) width, depth and height; None if an item is larger than a shelf. work: as of pack_strip."""
    found = [_search(turnable, size, reach, seed, share) for turnable, share in nested(items, work)]
    fitting = [each for each in found if each is not None]
    best = min(fitting, key=lambda each: each.key, default=None)
    return best and replace(best, tried=sum(each.tried for each in fitting))


def _search(items: Sequence[Item], size: Array, reach: float, seed: int, work: int) -> Shelved | None:
    best: Shelved | None = None
    best_trial: Trial | None = None
    tried = 0
    for trial in first_trials(items):
        tried += 1
        found = _first_fit(items, trial, size, reach)
        if found is not None and (best is None or found.key < best.key):
            best, best_trial = found, trial
    if best is None or best_trial is None:
        return None
    random = np.random.default_rng(seed)
    while tried * len(items) < work and not is_single(items):
        trial = changed(best_trial, items, random)
        found = _first_fit(items, trial, size, reach)
        tried += 1
        if found is not None and found.key <= best.key:
            best, best_trial = found, trial
    return replace(best, tried=tried)


def _first_fit(items: Sequence[Item], trial: Trial, size: Array, reach: float) -> Shelved | None:
    shelves: list[Spaces] = []
    placed = []
    for index in trial.order:
        put = _put(index, trial.options(items, index), shelves, size, reach)
        if put is None:
            return None
        placed.append(put)
    last = max((float(put.upper[0]) for put in placed if put.bin == len(shelves) - 1), default=0.0)
    return Shelved(tuple(placed), len(shelves), last, 1)


def _put(
    index: int, options: tuple[int, Array], shelves: list[Spaces], size: Array, reach: float
) -> Placed | None:  # fmt: skip
    """The place of an item on the first shelf that takes it, or on a new one; None if it is too large for any."""
    before, sizes = options
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
        return Placed(index, before + choice, lower, upper, number)
    return None
