"""Pack as much as possible into one bin: several deterministic rules, then rebuilt parts of the best filling, with a seed.

Source: the improvement step of Parreño et al. 2008 (see spaces.py): the last blocks are removed and the bin is filled again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from spatial.reasoning.packing.bounds import fits
from spatial.reasoning.packing.boxes import Array, Item, Placed, nested
from spatial.reasoning.packing.fill import Block, Criterion, Filling, Kind, Rule, kinds_of, placed_of

ORDERS: Final = ((2, 1, 0), (2, 0, 1), (0, 2, 1), (1, 2, 0))
"""Layers from the floor up, and walls from one end of the bin to the other."""

CRITERIA: Final[tuple[Criterion, ...]] = ("volume", "fit")

LAXITIES: Final = (0.1, 0.2, 0.4)
"""Shares of the best score that a random choice may miss: Parreño et al. draw from 0.1 to 0.9; the larger ones never won in our trials."""

SHORTER: Final = (0.0, 0.0, 0.0, 0.2)
"""Probabilities with which a random rule shortens a block: short blocks fill small bins exactly, and large ones less well."""

SAME: Final = 1e-12
"""Relative difference of two sums of the same worths."""

WORK: Final = 1_200
"""Blocks that one search places at most; about 0.2 ms each on one core of 2020."""


@dataclass(frozen=True)
class Packed:
    """The best filling: placements, and how many fillings were tried."""

    placed: tuple[Placed, ...]
    worth: float
    tried: int


def pack(
    items: Sequence[Item], size: Array, reach: float, *, seed: int, supported: bool = False, work: int = WORK
) -> Packed:
    """Pack items into a bin of (3,) size so that what is packed has the most worth.

    reach: lengths up to it are zero. work: number of blocks after which the search of the first level of turns stops.
    """
    best, tried = Packed((), 0.0, 0), 0
    everything = sum(item.worth for item in items if fits(item, size, reach))
    for turnable, share in nested(items, work):
        found = _search(turnable, size, reach, seed, supported, share)
        tried += found.tried
        if found.worth > best.worth * (1 + SAME):
            best = found
        if best.worth >= everything * (1 - SAME):
            break
    return replace(best, tried=tried)


def _search(items: Sequence[Item], size: Array, reach: float, seed: int, supported: bool, work: int) -> Packed:
    fitting = [item for item in items if fits(item, size, reach)]
    if not fitting:
        return Packed((), 0.0, 0)
    index = {id(item): place for place, item in enumerate(items)}
    kinds = kinds_of(fitting)
    best: list[Block] = []
    most, done, tried = 0.0, 0, 0
    everything = sum(item.worth for item in fitting)
    random = np.random.default_rng(seed)
    for rule in _rules(random):
        filling = Filling(kinds, size, reach, supported)
        kept = int(random.integers(len(best))) if rule.laxity and best and random.random() < 0.5 else 0
        for block in best[:kept]:
            filling.put(block)
        filling.run(rule, random)
        tried += 1
        done += max(len(filling.blocks) - kept, 1)
        worth = _worth(kinds, filling.blocks)
        if worth > most * (1 + SAME):
            best, most = filling.blocks, worth
        if most >= everything * (1 - SAME) or (done >= work and tried >= len(ORDERS) * len(CRITERIA)):
            break
    moved = [_renumbered(placed, index[id(fitting[placed.item])]) for placed in placed_of(kinds, best)]
    return Packed(tuple(moved), most, tried)


def _rules(random: np.random.Generator) -> Iterator[Rule]:
    """The deterministic rules, then random ones without an end."""
    for order, criterion in product(ORDERS, CRITERIA):
        yield Rule(order, criterion)
    while True:
        yield Rule(
            ORDERS[random.integers(len(ORDERS))],
            CRITERIA[random.integers(len(CRITERIA))],
            LAXITIES[random.integers(len(LAXITIES))],
            SHORTER[random.integers(len(SHORTER))],
        )


def _worth(kinds: Sequence[Kind], blocks: Sequence[Block]) -> float:
    return float(sum(kinds[block.kind].worth * block.counts.prod() for block in blocks))


def _renumbered(placed: Placed, item: int) -> Placed:
    return Placed(item, placed.choice, placed.lower, placed.upper, placed.bin)
