"""Bounds of a group of objects as arrays, and distances between them.

A separation is the distance between two boxes along an axis; it is negative where they overlap along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.model import Array

RELATED: Final = 2_000
"""Most objects of one group whose bounds are compared pair by pair: about a second. Of a larger group only stated relations are given."""

ROWS: Final = 256
"""Objects whose separations to all others are held at a time, so that memory stays below 100 MB."""

RELATIVE_TOLERANCE: Final = 1e-6
"""Part of the group's diagonal below which a separation counts as none: above the noise of the file's decimals."""

FLAT_SLACK: Final = 5e-4
"""Part of a group's diagonal by which flat shapes may miss each other and still touch: half a pixel of a page of 1,000."""


@dataclass(frozen=True, eq=False)
class Group:
    """Objects with bounds that lie in one frame. low, high: (n, d) corners, d = 2 for flat objects."""

    items: Sequence[Item]
    low: Array
    high: Array

    @property
    def axes(self) -> int:
        """2 or 3."""
        return int(self.low.shape[1])

    @cached_property
    def diagonal(self) -> float:
        """Of the box around all."""
        return float(np.linalg.norm(self.high.max(axis=0) - self.low.min(axis=0)))

    @cached_property
    def tolerance(self) -> float:
        """Separation that counts as none."""
        return self.diagonal * RELATIVE_TOLERANCE

    def chunks(self) -> Iterator[tuple[int, Array]]:
        """First object, and (rows, n, d) separations of it and the next ones to all."""
        for first in range(0, len(self.items), ROWS):
            low, high = self.low[first : first + ROWS, None], self.high[first : first + ROWS, None]
            yield first, np.maximum(self.low[None] - high, low - self.high[None])

    def separation(self, one: int, other: int) -> Array:
        """(d,) between two objects."""
        return np.asarray(np.maximum(self.low[other] - self.high[one], self.low[one] - self.high[other]))


def groups_of(items: Sequence[Item]) -> tuple[list[Group], list[tuple[str, int]]]:
    """Groups of two objects or more, and name and size of those that are too large to compare."""
    by_name: dict[str, list[Item]] = {}
    for item in items:
        if item.group is not None and item.bounds is not None:
            by_name.setdefault(item.group, []).append(item)
    large = [(name, len(members)) for name, members in by_name.items() if len(members) > RELATED]
    return [_group(members) for members in by_name.values() if 2 <= len(members) <= RELATED], large


def _group(members: list[Item]) -> Group:
    axes = 2 if all(item.is_flat for item in members) else 3
    corners = np.stack([item.bounds for item in members if item.bounds is not None])[:, :, :axes]
    return Group(members, corners[:, 0], corners[:, 1])
