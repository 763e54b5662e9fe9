"""What no packing can beat: bounds from volumes, areas and items that exclude each other.

Source: the continuous bound L0 and the bound of large items of Martello, Pisinger and Vigo, "The three-dimensional bin packing problem",
Operations Research 48 (2000).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spatial.reasoning.packing.boxes import Array, Item

Reason = Literal["all items", "volume", "area", "tallest item", "largest item", "items that exclude each other"]
"""What a bound rests on."""


@dataclass(frozen=True)
class Bound:
    """No packing is better than value, and why."""

    value: float
    reason: Reason


def least_height(items: Sequence[Item], base: Array, reach: float) -> Bound:
    """The least height over a base of (2,) extents; all items fit the base."""
    heights = [_lowest(item, base, reach) for item in items]
    large = [height for item, height in zip(items, heights, strict=True) if is_large(item, base, reach)]
    volume = sum(item.volume for item in items) / float(base.prod())
    bounds = [
        Bound(volume, "volume"),
        Bound(max(heights, default=0.0), "tallest item"),
        Bound(float(sum(large)), "items that exclude each other"),
    ]
    return max(bounds, key=lambda bound: bound.value)


def least_bins(items: Sequence[Item], size: Array, reach: float) -> Bound:
    """The least number of bins of (3,) size in which the items stand side by side, none on another; every item fits."""
    areas = sum(float(item.sizes[:, :2].prod(axis=1).min()) for item in items)
    share = math.ceil(areas / float(size[:2].prod()) - 1e-9)
    large = sum(is_large(item, size[:2], reach) for item in items)
    if large > share:
        return Bound(float(large), "items that exclude each other")
    return Bound(float(max(share, 1 if len(items) else 0)), "area")


def fits(item: Item, size: Array, reach: float) -> bool:
    """Whether an item fits an empty bin in some orientation."""
    return bool((item.sizes <= size + reach).all(axis=1).any())


def is_large(item: Item, base: Array, reach: float) -> bool:
    """Whether no second item of which the same is true fits beside it: it exceeds half of the base both ways, as it fits."""
    sizes = item.sizes
    fitting = sizes[(sizes[:, :2] <= base + reach).all(axis=1)]
    return len(fitting) > 0 and bool((fitting[:, :2] > base / 2 + reach).all())


def _lowest(item: Item, base: Array, reach: float) -> float:
    sizes = item.sizes
    fitting = sizes[(sizes[:, :2] <= base + reach).all(axis=1)]
    return float(np.min(fitting[:, 2])) if len(fitting) else 0.0
