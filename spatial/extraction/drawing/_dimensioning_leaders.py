"""Leaders: an arrowhead, the line at it, and the shoulder on which its text stands."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.extraction.drawing._dimensioning_arrows import Heads, heads
from spatial.extraction.drawing._dimensioning_lines import Lines
from spatial.extraction.drawing.sheet import Array, Sheet

MOST: Final = 4000
"""Heads of a sheet that are looked at."""
BENDS: Final = 3
"""Of one leader."""


def leaders(sheet: Sheet) -> list[list[tuple[float, float]]]:
    """Each from the tip of its arrow to its last end."""
    return of_heads(heads(sheet), Lines(sheet))


def of_heads(arrows: Heads, lines: Lines) -> list[list[tuple[float, float]]]:
    """The leaders of arrows whose line goes away from them."""
    found = []
    for tip, way, length in zip(arrows.tips[:MOST], arrows.ways[:MOST], arrows.lengths[:MOST], strict=True):
        tail = _tail(tip, way, float(length), lines)
        if tail is not None:
            found.append([(float(x), float(y)) for x, y in _followed(tip, tail, lines)])
    return found


def _tail(tip: Array, way: Array, length: float, lines: Lines) -> Array | None:
    """Where the line that begins in the head, or at its tip, ends behind it."""
    spans = lines.on(tip, -way, 0.12 * length)
    behind = spans[(spans[:, 0] > -0.5 * length) & (spans[:, 0] < 1.25 * length) & (spans[:, 1] > 1.6 * length)]
    return tip - way * behind[:, 1].max() if len(behind) else None


def _followed(tip: Array, tail: Array, lines: Lines) -> list[Array]:
    """A leader from its tip, bend after bend."""
    found = [tip, tail]
    for _ in range(BENDS):
        following = _next(found, lines)
        if following is None:
            break
        found.append(following)
    return found


def _next(so_far: list[Array], lines: Lines) -> Array | None:
    """The other end of the only stroke that goes on from the last one."""
    before, last = so_far[-2], so_far[-1]
    ends = lines.ends[lines.at(last)]
    if not 1 <= len(ends) <= 6:
        return None
    near_first = np.hypot(*(ends[:, :2] - last).T) < np.hypot(*(ends[:, 2:] - last).T)
    others = np.where(near_first[:, None], ends[:, 2:], ends[:, :2])
    back = np.hypot(*(others - before).T) < 1e-3 * lines.size
    came = (last - before) / max(float(np.hypot(*(last - before))), 1e-12)
    goes = others - last
    onward = (goes @ came) > -0.2 * np.hypot(*goes.T)
    ways = others[~back & onward]
    return ways[0] if len(ways) == 1 else None
