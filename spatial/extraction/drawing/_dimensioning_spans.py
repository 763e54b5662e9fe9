"""Dimension lines: two arrowheads on one line that belong together.

Glossary
  inside    heads between the witnesses, pointing apart: |<--->|
  outside   heads beyond the witnesses, pointing at each other: -->| |<--
  shelf     the stretch along which the text of a dimension can stand: its line and what goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.extraction.drawing._dimensioning_arrows import Heads
from spatial.extraction.drawing._dimensioning_lines import Lines
from spatial.extraction.drawing.sheet import Array, Flags, Indices

MOST: Final = 6000
"""Heads of a sheet that are looked at."""
NEIGHBOURS: Final = 5
"""How many heads further on the same line the other end of a dimension is looked for."""
SHARED: Final = 0.6
"""How sure a dimension line is whose heads more likely belong to others; only the scale of the sheet can speak for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """What one dimension measures on the sheet."""

    first: tuple[float, float]
    last: tuple[float, float]
    """Tips of its arrows."""
    measured: float
    """Between the tips, in the sheet's units; of an angular one, degrees."""
    shelf: tuple[float, float]
    """Along the line, from `first` towards `last`."""
    sure: float
    centre: tuple[float, float] | None = None
    """Of an angular one."""


def spans(arrows: Heads, lines: Lines) -> list[Span]:
    """Every pair of heads on one line that point apart along a line, or at each other from outside."""
    found: list[Span] = []
    for group in _on_one_line(arrows, lines.size):
        found += _paired(group, arrows, lines)
    return found


def _on_one_line(arrows: Heads, size: float) -> Iterator[Indices]:
    """Places of the heads on one endless line."""
    count = min(len(arrows), MOST)
    if count < 2:
        return
    tips, ways = arrows.tips[:count], arrows.ways[:count]
    turn = np.degrees(np.arctan2(ways[:, 1], ways[:, 0])) % 180
    turn = np.where(turn > 179.5, turn - 180, turn)
    order = np.argsort(turn, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(turn[order]) > 0.6) + 1):
        way = ways[part[0]]
        offset = tips[part] @ np.array([-way[1], way[0]])
        rank = np.argsort(offset, kind="stable")
        slack = max(2e-4 * size, 0.1 * float(np.median(arrows.lengths[part])))
        for line in np.split(part[rank], np.flatnonzero(np.diff(offset[rank]) > slack) + 1):
            if len(line) > 1:
                yield line


def _paired(group: Indices, arrows: Heads, lines: Lines) -> list[Span]:
    """The dimensions of the heads on one line."""
    origin = arrows.tips[group[0]]
    way = arrows.ways[group[0]]
    group = group[np.argsort((arrows.tips[group] - origin) @ way, kind="stable")]
    at = (arrows.tips[group] - origin) @ way
    forward = (arrows.ways[group] @ way) > 0
    length = arrows.lengths[group]
    drawn = _covered(lines.on(origin, way, 0.15 * float(np.median(length))), 0.02 * float(np.median(length)))
    found: list[Span] = []
    used: set[int] = set()
    for one, other, inside in _possible(at, forward, length, drawn, 1e-6 * lines.size):
        free = one not in used and other not in used
        used |= {one, other} if free else set()
        found.append(_span(origin, way, at[one], at[other], drawn, (0.95 if inside else 0.9) if free else SHARED))
    return found


def _possible(at: Array, forward: Flags, length: Array, drawn: Array, least: float) -> Iterator[tuple[int, int, bool]]:
    """Pairs of heads that can belong together, the likeliest first: from inside before from outside, near before far."""
    for inside in (True, False):
        for step in range(1, NEIGHBOURS):
            for one in range(len(at) - step):
                other = one + step
                if (
                    forward[one] == inside
                    or forward[other] != inside
                    or _unlike(length, one, other)
                    or at[other] - at[one] < least
                ):
                    continue
                test = _line_inside if inside else _lines_outside
                if test(drawn, at[one], at[other], length[one]):
                    yield one, other, inside


def _unlike(length: Array, one: int, other: int) -> bool:
    return bool(abs(length[one] - length[other]) > 0.3 * max(length[one], length[other]))


def _covered(intervals: Array, slack: float) -> Array:
    """Intervals with those that touch made one."""
    found: list[list[float]] = []
    for begin, end in intervals.tolist():
        if found and begin <= found[-1][1] + slack:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([begin, end])
    return np.array(found).reshape(-1, 2)


def _line_inside(drawn: Array, low: float, high: float, head: float) -> bool:
    """Whether a line leaves both heads inwards; the text may break it."""
    leaves = (drawn[:, 0] < low + 1.25 * head) & (drawn[:, 1] > low + 1.15 * head)
    reaches = (drawn[:, 1] > high - 1.25 * head) & (drawn[:, 0] < high - 1.15 * head)
    if high - low < 2.6 * head:
        leaves = reaches = (drawn[:, 0] < high) & (drawn[:, 1] > low)
    inside = np.clip(np.minimum(drawn[:, 1], high) - np.maximum(drawn[:, 0], low), 0, None).sum()
    return bool(leaves.any() and reaches.any() and (inside > 0.4 * (high - low) or high - low < 30 * head))


def _lines_outside(drawn: Array, low: float, high: float, head: float) -> bool:
    """Whether each head has a line behind it."""
    before = (drawn[:, 0] < low - 1.2 * head) & (drawn[:, 1] > low - 1.25 * head)
    after = (drawn[:, 1] > high + 1.2 * head) & (drawn[:, 0] < high + 1.25 * head)
    return bool(before.any() and after.any() and high - low < 40 * head)


def _span(origin: Array, way: Array, low: float, high: float, drawn: Array, sure: float) -> Span:
    first, last = origin + way * low, origin + way * high
    touching = drawn[(drawn[:, 1] >= low - 1e-6) & (drawn[:, 0] <= high + 1e-6)]
    near = 2 * (high - low)
    begin = min(low, float(touching[:, 0].min(initial=low))) - low
    end = max(high, float(touching[:, 1].max(initial=high))) - low
    outside = drawn[
        (drawn[:, 1] > low - near) & (drawn[:, 1] < low) | (drawn[:, 0] > high) & (drawn[:, 0] < high + near)
    ]
    if sure < 0.95 and len(outside):
        begin, end = min(begin, float(outside[:, 0].min()) - low), max(end, float(outside[:, 1].max()) - low)
    return Span(
        (float(first[0]), float(first[1])), (float(last[0]), float(last[1])), float(high - low), (begin, end), sure
    )
