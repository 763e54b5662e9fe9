"""Pack all items into the least height over a base: deterministic orders, then a local search over orders and turns, with a seed.

In two dimensions this is strip packing: the base is as deep as every item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item, Placed, nested
from spatial.reasoning.packing.stack import Stack, Where, stack
from spatial.reasoning.packing.trial import KEYS, Trial, changed, first_trials

WHERES: Final[tuple[Where, ...]] = ("top", "low")

FIRST: Final = len(KEYS) * len(WHERES)
"""Deterministic trials, with which a search begins."""

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

    least: a lower bound of the height, at which the search stops. work: items that the search of the first level of turns places at most.
    """
    best: Strip | None = None
    tried = 0
    for turnable, share in nested(items, work):
        found = search_strip(turnable, base, reach, seed=seed, supported=supported, least=least, work=share)
        if found is None:
            continue
        tried += found.tried
        if best is None or found.height < best.height - reach:
            best = found
        if best.height <= least + reach:
            break
    return best and replace(best, tried=tried)


def search_strip(
    items: Sequence[Item], base: Array, reach: float, *, seed: int, supported: bool = False, least: float = 0.0,
    work: int = WORK,
) -> Strip | None:  # fmt: skip
    """What `pack_strip` finds with all turns from the start."""
    best, trial, where, tried = _first(items, base, reach, supported)
    if best is None or trial is None:
        return None
    random = np.random.default_rng(seed)
    while tried * len(items) < work and best.height > least + reach:
        turn: Where = where if random.random() < 0.8 else WHERES[random.integers(len(WHERES))]
        other = changed(trial, items, random)
        found = stack(items, other, base, turn, reach, supported=supported, limit=best.height)
        tried += 1
        if found is not None:
            best, trial, where = found, other, turn
    return Strip(best.placed, best.height, tried)


def _first(
    items: Sequence[Item], base: Array, reach: float, supported: bool
) -> tuple[Stack | None, Trial | None, Where, int]:
    """The best of the deterministic trials, and how many there are."""
    best: tuple[Stack | None, Trial | None, Where] = (None, None, "top")
    for trial in first_trials(items):
        for where in WHERES:
            found = stack(items, trial, base, where, reach, supported=supported)
            if found is not None and (best[0] is None or found.height < best[0].height):
                best = (found, trial, where)
    return *best, FIRST
