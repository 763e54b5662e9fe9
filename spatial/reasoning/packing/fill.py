"""Fill one bin with as much as possible: in each step one empty space, and the block of equal items that suits it.

Source: the constructive step of Parreño et al. 2008 (see spaces.py), with blocks along three axes, and a choice among nearly equal blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.packing.boxes import Array, Item, Placed
from spatial.reasoning.packing.spaces import Spaces

Criterion = Literal["volume", "fit"]
"""What block suits a space: the one of most volume, or the one that leaves the thinnest rest."""

FILL_ORDERS: Final = np.array(list(permutations(range(3))))
"""(6, 3) orders of axes in which a block grows."""


@dataclass(frozen=True, eq=False)
class Kind:
    """Items of the same size and worth. members: their indices. choices: (k, 3) sizes in which they may be placed."""

    members: tuple[int, ...]
    choices: Array
    worth: float


@dataclass(frozen=True, eq=False)
class Rule:
    """How a filling goes on.

    order: axes by which the lowest space is chosen, the most important first.
    laxity: share of the best score that a block may miss and still be chosen at random.
    shorter: probability that a chosen block loses some of its layers.
    """

    order: tuple[int, int, int]
    criterion: Criterion
    laxity: float = 0.0
    shorter: float = 0.0


@dataclass(frozen=True, eq=False)
class Block:
    """A step of a filling: how many items of a kind, in which orientation, from which corner."""

    kind: int
    choice: int
    counts: NDArray[np.int64]
    lower: Array


def kinds_of(items: Sequence[Item]) -> list[Kind]:
    """Items by size, in the order of the input."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, item in enumerate(items):
        found.setdefault((item.sizes.tobytes(), item.worth), []).append(index)
    return [Kind(tuple(members), items[members[0]].sizes, items[members[0]].worth) for members in found.values()]


class Filling:
    """A bin while it is filled."""

    def __init__(self, kinds: Sequence[Kind], size: Array, reach: float, supported: bool) -> None:
        self.kinds = kinds
        self.spaces = Spaces(size, reach, supported)
        self.left = np.array([len(kind.members) for kind in kinds])
        self.blocks: list[Block] = []
        self._owner = np.concatenate([np.full(len(kind.choices), place) for place, kind in enumerate(kinds)])
        self._first = np.concatenate([[0], np.cumsum([len(kind.choices) for kind in kinds])])[:-1]
        self._sizes = np.concatenate([kind.choices for kind in kinds])

    def put(self, block: Block) -> None:
        """Place a block and update the spaces."""
        size = self.kinds[block.kind].choices[block.choice] * block.counts
        self.left[block.kind] -= int(block.counts.prod())
        self.blocks.append(block)
        waiting = self.left[self._owner] > 0
        if waiting.any():
            self.spaces.take(block.lower, block.lower + size, self._sizes[waiting])

    def run(self, rule: Rule, random: np.random.Generator | None = None) -> None:
        """Fill until nothing fits."""
        while (self.left > 0).any() and len(self.spaces):
            space = self._space(rule)
            block = self._block(space, rule, random)
            if block is None:
                self.spaces.lower = np.delete(self.spaces.lower, space, axis=0)
                self.spaces.upper = np.delete(self.spaces.upper, space, axis=0)
            else:
                self.put(block)

    def _space(self, rule: Rule) -> int:
        lower = self.spaces.lower
        key = np.lexsort((-self.spaces.sizes.prod(axis=1), *(lower[:, axis] for axis in reversed(rule.order))))
        return int(key[0])

    def _block(self, space: int, rule: Rule, random: np.random.Generator | None) -> Block | None:
        room, left = self.spaces.sizes[space], self.left[self._owner]
        most = np.floor((room + self.spaces.reach) / self._sizes).astype(np.int64)
        usable = np.nonzero((most > 0).all(axis=1) & (left > 0))[0]
        if not len(usable):
            return None
        counts = _grown(most[usable], left[usable])
        sizes = self._sizes[usable][:, None] * counts
        score = sizes.prod(axis=2) if rule.criterion == "volume" else -np.sort(room - sizes, axis=2)[:, :, 0]
        flat = score.ravel()
        best = int(np.argmax(flat))
        if random is not None and rule.laxity:
            close = np.nonzero(flat >= flat.max() - rule.laxity * max(abs(flat.max()), abs(flat.min())))[0]
            best = int(close[random.integers(len(close))])
        row, way = divmod(best, len(FILL_ORDERS))
        kind = int(self._owner[usable[row]])
        choice = int(usable[row] - self._first[kind])
        count = counts[row, way]
        if random is not None and rule.shorter and random.random() < rule.shorter:
            count = _shortened(count, random)
        return Block(kind, choice, count, self.spaces.lower[space].copy())


def _shortened(count: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """(3,) counts with fewer along one axis, where there are several: what is left may take the same items turned."""
    several = np.flatnonzero(count > 1)
    found = count.copy()
    if len(several):
        axis = several[random.integers(len(several))]
        found[axis] = random.integers(1, count[axis])
    return found


def _grown(most: NDArray[np.int64], left: NDArray[np.int64]) -> NDArray[np.int64]:
    """(u, 6, 3) counts along the axes: as many as fit and are left, by each order of axes."""
    counts = np.ones((len(most), len(FILL_ORDERS), 3), dtype=np.int64)
    for place, order in enumerate(FILL_ORDERS):
        rest = left.copy()
        for axis in order:
            counts[:, place, axis] = np.minimum(most[:, axis], rest)
            rest = rest // counts[:, place, axis]
    return counts


def placed_of(kinds: Sequence[Kind], blocks: Sequence[Block]) -> list[Placed]:
    """The items of blocks, one by one, lowest first within a block."""
    waiting = [iter(kind.members) for kind in kinds]
    found = []
    for block in blocks:
        size = kinds[block.kind].choices[block.choice]
        for z, y, x in np.ndindex(*(int(count) for count in block.counts[::-1])):
            lower = block.lower + np.array([x, y, z]) * size
            item = next(waiting[block.kind])
            found.append(Placed(item, block.choice, lower, lower + size))
    return found
