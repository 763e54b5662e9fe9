"""What a search varies: the order in which items are placed, and how single items are turned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item

KEYS: Final[tuple[Callable[[Array], float], ...]] = (
    lambda size: float(size[2]),
    lambda size: float(size[0] * size[1]),
    lambda size: float(size.prod()),
    lambda size: float(size[:2].max()),
    lambda size: float(size.max()),
    lambda size: float(size.sum()),
)
"""Orders by which items are placed, the largest first: height, base, volume, longest side of the base, longest side, sum of the sides."""

FREE: Final = -1
"""The choice of an item that is turned as suits the place best."""

TURNED: Final = 0.5
"""Share of the changes that turn an item, where any can be turned."""


@dataclass(frozen=True)
class Trial:
    """Indices of the items in the order of placing, and by index of an item the choice that it is held to, or FREE."""

    order: tuple[int, ...]
    choices: tuple[int, ...]

    def options(self, items: Sequence[Item], index: int) -> tuple[int, Array]:
        """The first choice that an item may take, and the (k, 3) sizes from there on."""
        choice = self.choices[index]
        sizes = items[index].sizes
        return (0, sizes) if choice == FREE else (choice, sizes[choice : choice + 1])


def first_trials(items: Sequence[Item]) -> Iterator[Trial]:
    """The deterministic orders, with every item free."""
    for key in KEYS:
        order = sorted(range(len(items)), key=lambda index: -key(items[index].sizes[0]))
        yield Trial(tuple(order), (FREE,) * len(items))


def is_single(items: Sequence[Item]) -> bool:
    """Whether there is nothing to vary."""
    return len(items) < 2 and all(len(item.sizes) < 2 for item in items)


def changed(trial: Trial, items: Sequence[Item], random: np.random.Generator) -> Trial:
    """A trial with one item turned or set free, two places exchanged, or one moved."""
    turnable = [index for index, item in enumerate(items) if len(item.sizes) > 1]
    if turnable and (len(items) < 2 or random.random() < TURNED):
        index = turnable[random.integers(len(turnable))]
        choices = list(trial.choices)
        choices[index] = int(random.integers(FREE, len(items[index].sizes)))
        return Trial(trial.order, tuple(choices))
    order = list(trial.order)
    if len(order) < 2:
        return trial
    first, second = (int(place) for place in random.choice(len(order), 2, replace=False))
    if random.random() < 0.5:
        order[first], order[second] = order[second], order[first]
    else:
        order.insert(second, order.pop(first))
    return Trial(tuple(order), trial.choices)
