"""Pack items side by side into the rectangle of least area: strips of several widths, and the best one searched further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.packing.bounds import least_height
from spatial.reasoning.packing.boxes import Array, Item, Placed, nested
from spatial.reasoning.packing.strip import FIRST, search_strip

ASPECTS: Final = (1.0, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
"""Ratios of width to depth of the rectangles that are tried."""

SHARE: Final = 4
"""Strips that are searched further: the best of the first round."""


@dataclass(frozen=True, eq=False)
class Rectangle:
    """Placements with the depth along z, and the (2,) extents that they use, without the gap."""

    placed: tuple[Placed, ...]
    size: Array
    tried: int

    @property
    def area(self) -> float:
        """Its area."""
        return float(self.size.prod())


def pack_rectangle(items: Sequence[Item], reach: float, gap: float, *, seed: int, work: int) -> Rectangle:
    """Pack flattened items: width along x, depth along z, y as deep as the base.

    work: items that the search of the first level of turns places at most.
    """
    found = [_search(turnable, reach, gap, seed, share) for turnable, share in nested(items, work)]
    best = min(found, key=lambda each: each.area)
    return Rectangle(best.placed, best.size, sum(each.tried for each in found))


def _search(items: Sequence[Item], reach: float, gap: float, seed: int, work: int) -> Rectangle:
    first = FIRST * len(items)
    widths = _widths(items)[: max(3, work // (2 * first))]
    found = sorted((_strip(items, width, reach, gap, seed, first) for width in widths), key=lambda each: each.area)
    best, tried = found[0], sum(each.tried for each in found)
    rest = (work - first * len(widths)) // SHARE
    for start in found[:SHARE]:
        if rest <= first:
            break
        width = float(start.size[0]) + gap + reach
        again = _strip(items, width, reach, gap, seed, rest)
        tried += again.tried
        best = again if again.area < best.area else best
    return Rectangle(best.placed, best.size, tried)


def _widths(items: Sequence[Item]) -> list[float]:
    """Widths that take every item, those of nearly square rectangles first."""
    area = sum(float((item.sizes[:, 0] * item.sizes[:, 2]).min()) for item in items)
    least = max(float(item.sizes[:, 0].min()) for item in items)
    row = sum(float(item.sizes[:, 0].min()) for item in items)
    widths = [max(least, float(np.sqrt(area * aspect))) for aspect in ASPECTS]
    return list(dict.fromkeys([widths[0], row, least, *widths]))


def _strip(items: Sequence[Item], width: float, reach: float, gap: float, seed: int, work: int) -> Rectangle:
    base = np.array([width, 1.0])
    strip = search_strip(items, base, reach, seed=seed, least=least_height(items, base, reach).value, work=work)
    assert strip is not None, "the width takes every item"
    used = max(float(placed.upper[0]) for placed in strip.placed)
    return Rectangle(strip.placed, np.array([used, strip.height]) - gap, strip.tried)
