"""Dimension lines: two arrowheads on one line that belong together.

Glossary
  inside    heads between the witnesses, pointing apart: |<--->|
  outside   heads beyond the witnesses, pointing at each other: -->| |<--
  text range  the stretch along which the text of a dimension can stand: its line and what goes on from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.dimensions.drawn import LEAVES_OUTSIDE_AT, TOUCHING, Drawn, drawn_along
from spatial.understanding.sheet.dimensions.shoulders import with_shoulders
from spatial.understanding.sheet.dimensions.span import INSIDE, SHARED, Span
from spatial.understanding.sheet.leaders.arrowheads import Heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

MOST: Final = 6000
"""Heads of a sheet that are looked at."""
NEIGHBOURS: Final = 5
"""How many heads further on the same line the other end of a dimension is looked for."""
NEIGHBOURS_IN_CHAIN: Final = 3
"""The same where both heads point one way: two may have their tips at one place."""
OUTSIDE: Final = 0.9
"""How sure a dimension line is between heads that point at each other from outside."""
ON_LINE: Final = 0.15
"""Lengths of a head by which its line may pass its tip."""
SAME_TURN: Final = 0.6
"""Degrees between neighbours of one direction."""
MOST_SLANTED: Final = 400
"""Heads of slanted lines that are looked at one by one."""
TURNED: Final = 0.004
"""Sine of the angle by which the way of a head may be wrong, where its line set it right."""
SAME_WAY: Final = 0.06
"""Sine of the angle between two heads of one slanted line."""
SAME_OFFSET: Final = 0.1
"""Lengths of a head between the offsets of heads on one line."""
SAME_OFFSET_OF_SHEET: Final = 2e-4
"""The same in diagonals of the sheet, at least: rounding of exporters."""
SHORTEST: Final = 1e-6
"""Diagonals of the sheet between two heads of a dimension."""
SAME_LENGTH: Final = 0.3
"""Relative difference of the lengths of two heads of one dimension."""
LEAVES_AT: Final = (1.15, 1.25)
"""Lengths of a head behind its tip between which its line is drawn: behind any head, before any text."""
FILLED_BY_HEADS: Final = 2.6
"""Lengths of a head: a shorter line between two is all covered by them, so that it must be drawn from tip to tip."""
LONG: Final = 30.0
"""Lengths of a head: from here a line must be drawn for DRAWN_PART of its length; a shorter one may be broken by its text alone."""
DRAWN_PART: Final = 0.4
FARTHEST_OUTSIDE: Final = 40.0
"""Lengths of a head between two that point at each other from outside."""


def spans(lined: Heads, lines: Lines) -> list[Span]:
    """Every pair of heads on one line that point apart along a line, or at each other from outside.

    A head within a degree of upright or level stands so, but for corners that were rounded, and another points along the line that
    ends at it; only where it belongs to no dimension then, it points where it, or its line, is drawn to. Heads of slanted lines that
    the directions of others part from each other are looked for on each one's own line.

    lined: heads along the lines at them.
    """
    right = squared(lined)
    used: set[int] = set()
    found = _spans(right, lines, used)
    leaning = np.flatnonzero(np.abs(right.ways - lined.ways).max(axis=1, initial=0.0) > 1e-6)
    rest = leaning[~np.isin(leaning, list(used))]
    found += _spans(Heads(lined.tips[rest], lined.ways[rest], lined.lengths[rest]), lines, set())
    slanted = np.flatnonzero(np.abs(right.ways).min(axis=1, initial=1.0) > 0)
    rest = slanted[~np.isin(slanted, list(used))][:MOST_SLANTED]
    found += _on_own_lines(Heads(right.tips[rest], right.ways[rest], right.lengths[rest]), lines)
    return with_shoulders(found, lines)


def _spans(arrows: Heads, lines: Lines, used: set[int]) -> list[Span]:
    """Of heads as they point; `used` takes the numbers of those that belong to one."""
    return _of_groups(list(on_one_line(arrows, lines.size)), arrows, lines, used)


def _on_own_lines(arrows: Heads, lines: Lines) -> list[Span]:
    """Of heads as they point, those on the line of each; a head that has found its other is on no further line."""
    slack = (
        max(SAME_OFFSET_OF_SHEET * lines.size, SAME_OFFSET * float(np.median(arrows.lengths))) if len(arrows) else 0.0
    )
    groups = []
    for seed, (tip, way) in enumerate(zip(arrows.tips, arrows.ways, strict=True)):
        off = arrows.tips - tip
        aside, along = np.abs(off[:, 0] * way[1] - off[:, 1] * way[0]), np.abs(off @ way)
        turned = np.abs(arrows.ways[:, 0] * way[1] - arrows.ways[:, 1] * way[0])
        others = np.flatnonzero((aside <= slack + TURNED * along) & (turned < SAME_WAY))
        if len(others) > 1:
            groups.append(np.concatenate(([seed], others[others != seed])))
    return _of_groups(groups, arrows, lines, set())


def _of_groups(groups: list[Indices], arrows: Heads, lines: Lines, used: set[int]) -> list[Span]:
    """Of heads on one line each group, the line of its first; without those that are `used`, which takes the others."""
    if not groups:
        return []
    first = np.array([group[0] for group in groups])
    length = np.array([_median(arrows.lengths[group]) for group in groups])
    found: list[Span] = []
    for number, drawn in drawn_along(
        lines, arrows.tips[first], arrows.ways[first], ON_LINE * length, TOUCHING * length
    ):
        group = groups[number][~np.isin(groups[number], list(used))]
        if len(group) > 1 and group[0] == groups[number][0]:
            found += _paired(group, arrows, drawn, lines.size, used)
    return found


def on_one_line(arrows: Heads, size: float) -> Iterator[Indices]:
    """Places of the heads on one endless line."""
    count = min(len(arrows), MOST)
    if count < 2:
        return
    tips, ways = arrows.tips[:count], arrows.ways[:count]
    turn = np.degrees(np.arctan2(ways[:, 1], ways[:, 0])) % 180
    turn = np.where(turn > 179.5, turn - 180, turn)
    order = np.argsort(turn, kind="stable")
    for part in _parted(order, np.diff(turn[order]) > SAME_TURN):
        way = ways[part[0]]
        offset = tips[part] @ np.array([-way[1], way[0]])
        rank = np.argsort(offset, kind="stable")
        slack = max(SAME_OFFSET_OF_SHEET * size, SAME_OFFSET * _median(arrows.lengths[part]))
        for band in _parted(rank, np.diff(offset[rank]) > slack):
            yield from (part[line] for line in _no_wider(band, offset, ON_LINE * _median(arrows.lengths[part[band]])))


def _no_wider(band: Indices, offset: Array, widest: float) -> Iterator[Indices]:
    """At least two heads each, in order, cut where they are farthest apart: several lines may stand in a flight of steps."""
    bands = [band]
    while bands:
        band = bands.pop()
        if len(band) > 1 and offset[band[-1]] - offset[band[0]] > widest:
            cut = int(np.argmax(np.diff(offset[band]))) + 1
            bands += [band[cut:], band[:cut]]
        elif len(band) > 1:
            yield band


def _parted(order: Indices, apart: Flags) -> Iterator[Indices]:
    """Parts of at least two of `order` (n,), cut where a neighbour is `apart` (n - 1,) from the one before it."""
    cuts = np.flatnonzero(apart) + 1
    for begin, end in pairwise([0, *cuts.tolist(), len(order)]):
        if end - begin > 1:
            yield order[begin:end]


def _median(numbers: Array) -> float:
    """The median; faster than numpy's where they are few."""
    ordered: list[float] = sorted(numbers.tolist())
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _paired(group: Indices, arrows: Heads, drawn: Drawn, size: float, known: set[int]) -> list[Span]:
    """The dimensions of the heads on one line; `drawn`: from the tip of the first along it; `known` takes its heads."""
    origin, way = arrows.tips[group[0]], arrows.ways[group[0]]
    along = (arrows.tips[group] - origin) @ way
    order = np.argsort(along, kind="stable")
    at: list[float] = along[order].tolist()
    forward: list[bool] = ((arrows.ways[group] @ way) > 0)[order].tolist()
    length: list[float] = arrows.lengths[group][order].tolist()
    found: list[Span] = []
    used: set[int] = set()
    for one, other, kind in _possible(at, forward, length, drawn, SHORTEST * size):
        free = one not in used and other not in used
        if kind.is_of_free and not free:
            continue
        used |= {one, other} if free and not kind.only_to_scale else set()
        tips, lengths = (at[one], at[other]), (length[one], length[other])
        ends = drawn.tails(*tips, lengths) if kind.ways == _FACING else drawn.reach(*tips)
        span = _span((origin, way), tips, drawn, kind.sure if free else SHARED, lengths[0], ends)
        found.append(replace(span, only_to_scale=kind.only_to_scale))
    known.update(group[order[list(used)]].tolist())
    return found


def _possible(
    at: list[float], forward: list[bool], length: list[float], drawn: Drawn, least: float
) -> Iterator[tuple[int, int, _Kind]]:
    """Pairs of heads that can belong together, the likeliest first: by kind, near before far."""
    for kind in _KINDS:
        for step in range(1, kind.neighbours):
            for one in range(len(at) - step):
                other = one + step
                if (forward[one], forward[other]) not in kind.ways or at[other] - at[one] < least:
                    continue
                alike = abs(length[one] - length[other]) <= SAME_LENGTH * max(length[one], length[other])
                if alike and kind.is_drawn(drawn, at[one], at[other], length[one]):
                    yield one, other, kind


def _line_inside(drawn: Drawn, low: float, high: float, head: float) -> bool:
    """Whether a line leaves both heads inwards; the text may break it."""
    if high - low < FILLED_BY_HEADS * head:
        return drawn.any(high, low)
    is_drawn = high - low < LONG * head or drawn.length(low, high) > DRAWN_PART * (high - low)
    return is_drawn and all(_leave(drawn, low, high, head))


def _line_at_one(drawn: Drawn, low: float, high: float, head: float) -> bool:
    """Whether a line leaves one of the heads inwards: a text in a short dimension line may take all that is between it and the other."""
    return FILLED_BY_HEADS * head <= high - low < LONG * head and sum(_leave(drawn, low, high, head)) == 1


def _leave(drawn: Drawn, low: float, high: float, head: float) -> tuple[bool, bool]:
    """Whether a line leaves the lower head inwards, and the upper one."""
    return (
        drawn.any(low + LEAVES_AT[1] * head, low + LEAVES_AT[0] * head),
        drawn.any(high - LEAVES_AT[0] * head, high - LEAVES_AT[1] * head),
    )


def _lines_outside(drawn: Drawn, low: float, high: float, head: float) -> bool:
    """Whether each head has a line behind it."""
    near = high - low < FARTHEST_OUTSIDE * head
    least, most = LEAVES_OUTSIDE_AT
    return (
        near and drawn.any(low - least * head, low - most * head) and drawn.any(high + most * head, high + least * head)
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """How two heads of one dimension stand, and how its line is drawn."""

    ways: frozenset[tuple[bool, bool]]
    """Whether the lower and the upper head may point upwards."""
    is_drawn: Callable[[Drawn, float, float, float], bool]
    sure: float
    only_to_scale: bool = False
    is_of_free: bool = False
    """Whether neither head may be of another."""
    neighbours: int = NEIGHBOURS


_APART, _FACING, _ALIKE = (
    frozenset({(False, True)}),
    frozenset({(True, False)}),
    frozenset({(False, False), (True, True)}),
)

_KINDS: Final = (
    _Kind(_APART, _line_inside, INSIDE),
    _Kind(_FACING, _lines_outside, OUTSIDE),
    _Kind(_APART, _line_at_one, OUTSIDE, only_to_scale=True, is_of_free=True),
    _Kind(_ALIKE, _line_inside, SHARED, only_to_scale=True, neighbours=NEIGHBOURS_IN_CHAIN),
)
"""The likeliest first; in a chain one head may stand for those of both dimensions at its place."""


def _span(
    line: tuple[Array, Array],
    tips: tuple[float, float],
    drawn: Drawn,
    sure: float,
    head: float,
    ends: tuple[float, float],
) -> Span:
    """On the line through a place along a way."""
    ((x, y), (dx, dy)), (low, high) = (part.tolist() for part in line), tips
    begin, end = drawn.text_range(low, high, sure, head)
    first, last, one, other = ((x + dx * at, y + dy * at) for at in (low, high, *ends))
    return Span(first, last, high - low, (begin - low, end - low), sure, ends=(one, other))
