"""Dimension lines: two arrowheads on one line that belong together.

Glossary
  inside    heads between the witnesses, pointing apart: |<--->|
  outside   heads beyond the witnesses, pointing at each other: -->| |<--
  text range  the stretch along which the text of a dimension can stand: its line and what goes on from it.
  shoulder  the stroke that goes on from the end of a dimension line at an angle, and at or on which its text stands (ISO 129-1); or the
            end of a leader from the middle of that line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

import numpy as np

from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.leaders.arrowheads import Heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

MOST: Final = 6000
"""Heads of a sheet that are looked at."""
NEIGHBOURS: Final = 5
"""How many heads further on the same line the other end of a dimension is looked for."""
INSIDE: Final = 0.95
"""How sure a dimension line between heads that point apart is."""
OUTSIDE: Final = 0.9
"""The same of heads that point at each other from outside."""
ON_LINE: Final = 0.15
"""Lengths of a head by which its line may pass its tip."""
TOUCHING: Final = 0.02
"""Lengths of a head between stretches that are one."""
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
LEAVES_OUTSIDE_AT: Final = (1.1, 1.25)
"""The same of a head that points from outside."""
FILLED_BY_HEADS: Final = 2.6
"""Lengths of a head: a shorter line between two is all covered by them, so that it must be drawn from tip to tip."""
LONG: Final = 30.0
"""Lengths of a head: from here a line must be drawn for DRAWN_PART of its length; a shorter one may be broken by its text alone."""
DRAWN_PART: Final = 0.4
FARTHEST_OUTSIDE: Final = 40.0
"""Lengths of a head between two that point at each other from outside."""
BEYOND_WITNESSES: Final = 2
"""Distances between the heads within which further stretches of the line may carry the text; or what begins behind a head."""
SHARED: Final = 0.6
"""How sure a dimension line is whose heads more likely belong to others; only the scale of the sheet can speak for it."""
BENT: Final = 0.1
"""Sine of the angle between a dimension line and its shoulder, at least."""

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """What one dimension measures on the sheet."""

    first: Place
    last: Place
    """Tips of its arrows."""
    measured: float
    """Between the tips, in the sheet's units; of an angular one, degrees."""
    text_range: tuple[float, float]
    """Along the line, from `first` towards `last`."""
    sure: float
    centre: Place | None = None
    """Of an angular one."""
    ends: tuple[Place, Place] | None = None
    """Where its line ends before its first tip and behind its last."""
    shoulders: tuple[tuple[Place, Place], ...] = ()
    """Each from the end of its line on."""
    only_to_scale: bool = False
    """Whether it is one only where it is as long, or as large, as printed."""


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


def with_shoulders(found: list[Span], lines: Lines) -> list[Span]:
    """Dimension lines with the strokes that go on alone, at an angle, from where they end, and the ends of leaders from their middles.

    Such a stroke may be drawn in two.
    """
    strokes = alone_at([(end, span) for span in found for end in span.ends or (span.first, span.last)], lines)
    leaders = alone_at([(_middle(span), span) for span in found], lines)
    further, landings = _landings(strokes, lines), _landings(leaders, lines)
    return [
        replace(
            span,
            shoulders=tuple(
                filter(
                    None,
                    (
                        *(held.get(2 * place + end) for held in (strokes, further) for end in (0, 1)),
                        landings.get(place),
                    ),
                )
            ),
        )
        for place, span in enumerate(found)
    ]


def _middle(span: Span) -> Place:
    return (span.first[0] + span.last[0]) / 2, (span.first[1] + span.last[1]) / 2


def alone_at(places: list[tuple[Place, Span]], lines: Lines) -> dict[int, tuple[Place, Place]]:
    """The only stroke that begins at a place of a dimension line at an angle, by the number of the place.

    None at a tip, where its witness stands.
    """
    numbers = np.array(
        [number for number, (place, span) in enumerate(places) if place not in (span.first, span.last)], int
    )
    own = [places[number] for number in numbers.tolist()]
    begins = np.array([place for place, _ in own], float).reshape(-1, 2)
    tips = np.array([(*span.first, *span.last) for _, span in own], float).reshape(-1, 4)
    at, strokes = lines.at(begins)
    begun = _from(lines.ends[strokes], begins[at])
    along, line = begun[:, 2:] - begun[:, :2], (tips[:, 2:] - tips[:, :2])[at]
    bend = np.abs(along[:, 0] * line[:, 1] - along[:, 1] * line[:, 0])
    bent = bend >= BENT * np.hypot(along[:, 0], along[:, 1]) * np.hypot(line[:, 0], line[:, 1])
    return _single(numbers[at[bent]], begun[bent])


def _landings(leaders: dict[int, tuple[Place, Place]], lines: Lines) -> dict[int, tuple[Place, Place]]:
    """The only other stroke at the end of each leader, which the text stands on, by the leader's number."""
    numbers = np.array(list(leaders), int)
    held = np.array([(*begin, *end) for begin, end in leaders.values()], float).reshape(-1, 4)
    at, strokes = lines.at(held[:, 2:])
    begun = _from(lines.ends[strokes], held[at, 2:])
    back, long = begun[:, 2:] - held[at, :2], begun[:, 2:] - begun[:, :2]
    other = np.hypot(back[:, 0], back[:, 1]) > np.hypot(long[:, 0], long[:, 1]) / 2
    return _single(numbers[at[other]], begun[other])


def _from(strokes: Array, begins: Array) -> Array:
    """Strokes (n, 4), each from its end near a place (n, 2) on."""
    off = np.hypot(strokes[:, 0::2] - begins[:, :1], strokes[:, 1::2] - begins[:, 1:])
    return np.where((off[:, 0] <= off[:, 1])[:, None], strokes, strokes[:, [2, 3, 0, 1]])


def _single(numbers: Indices, strokes: Array) -> dict[int, tuple[Place, Place]]:
    """Beginning and end of each stroke (n, 4) whose number (n,) no other has."""
    found, first, count = np.unique(numbers, return_index=True, return_counts=True)
    alone = zip(found[count == 1].tolist(), strokes[first[count == 1]].tolist(), strict=True)
    return {number: ((x0, y0), (x1, y1)) for number, (x0, y0, x1, y1) in alone}


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


def drawn_along(
    lines: Lines, places: Array, ways: Array, slacks: Array, touching: Array
) -> Iterator[tuple[int, Drawn]]:
    """What is drawn on each endless line through a place (n, 2) along its way (n, 2), by the line's number; of none nothing.

    slacks, touching (n,): how far a stroke may pass the place, and how far stretches are apart at most that are one.
    """
    for of, intervals in lines.on(places, ways, slacks):
        numbers, begin = np.unique(of, return_index=True)
        for number, part in zip(numbers.tolist(), np.split(intervals, begin)[1:], strict=True):
            yield number, Drawn.of(part[np.argsort(part[:, 0], kind="stable")], float(touching[number]))


def are_tips_of(places: Array, dimension_lines: Iterable[Span], slack: float) -> Flags:
    """(n,) whether each place (n, 2) is a tip of one of the dimension lines."""
    found = np.zeros(len(places), bool)
    tips = [tip for span in dimension_lines for tip in (span.first, span.last)]
    if tips:
        for of, _ in CellIndex(np.array(tips, float), slack).near(places, 1):
            found[of] = True
    return found


class Drawn:
    """The stretches of one line that are drawn; those that touch are one."""

    def __init__(self, begins: list[float], ends: list[float]) -> None:
        """Both in order."""
        self.begins, self.ends = begins, ends
        self.sums = list(accumulate((end - begin for begin, end in zip(begins, ends, strict=True)), initial=0.0))

    @classmethod
    def of(cls, intervals: Array, slack: float) -> Drawn:
        """Of (n, 2) sorted by their beginning."""
        begins: list[float] = []
        ends: list[float] = []
        for begin, end in intervals.tolist():
            if ends and begin <= ends[-1] + slack:
                ends[-1] = max(ends[-1], end)
            else:
                begins.append(begin)
                ends.append(end)
        return cls(begins, ends)

    def any(self, before: float, after: float) -> bool:
        """Whether a stretch begins before one place and ends after another."""
        last = bisect_left(self.begins, before)
        return last > 0 and self.ends[last - 1] > after

    def length(self, low: float, high: float) -> float:
        """How much is drawn between two places."""
        return self._until(high) - self._until(low)

    def _until(self, place: float) -> float:
        last = bisect_left(self.begins, place)
        return self.sums[last] - max(self.ends[last - 1] - place, 0.0) if last else 0.0

    def reach(self, low: float, high: float) -> tuple[float, float]:
        """From where to where the stretches are drawn that reach two heads or lie between them."""
        first, last = bisect_left(self.ends, low - 1e-6), bisect_right(self.begins, high + 1e-6)
        if first >= last:
            return low, high
        return min(low, self.begins[first]), max(high, self.ends[last - 1])

    def tails(self, low: float, high: float, heads: tuple[float, float]) -> tuple[float, float]:
        """Where the lines end that begin behind two heads, of their lengths, which point at each other; of none, the back of the head."""
        (before, behind), at = heads, LEAVES_OUTSIDE_AT[1]
        first, last = bisect_left(self.ends, low - at * before), bisect_right(self.begins, high + at * behind) - 1
        begin, end = low - before, high + behind
        if first < len(self.begins) and self.begins[first] < low - at * before:
            begin = self.begins[first]
        if last >= 0 and self.ends[last] > high + at * behind:
            end = self.ends[last]
        return begin, end

    def text_range(self, low: float, high: float, sure: float, head: float) -> tuple[float, float]:
        """From where to where the text of a dimension between two heads can stand."""
        begin, end = self.reach(low, high)
        if sure >= INSIDE:
            return begin, end
        near = max(BEYOND_WITNESSES * (high - low), LEAVES_OUTSIDE_AT[1] * head)
        left = slice(bisect_right(self.ends, low - near), bisect_left(self.ends, low))
        right = slice(bisect_right(self.begins, high), bisect_left(self.begins, high + near))
        begins, ends = self.begins[left] + self.begins[right], self.ends[left] + self.ends[right]
        return min([begin, *begins]), max([end, *ends])


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
        yield from _parted(part[rank], np.diff(offset[rank]) > slack)


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
        if kind.only_to_scale and not free:
            continue
        used |= {one, other} if free and not kind.only_to_scale else set()
        tips, lengths = (at[one], at[other]), (length[one], length[other])
        ends = drawn.reach(*tips) if kind.inside else drawn.tails(*tips, lengths)
        span = _span((origin, way), tips, drawn, kind.sure if free else SHARED, lengths[0], ends)
        found.append(replace(span, only_to_scale=kind.only_to_scale))
    known.update(group[order[list(used)]].tolist())
    return found


def _possible(
    at: list[float], forward: list[bool], length: list[float], drawn: Drawn, least: float
) -> Iterator[tuple[int, int, _Kind]]:
    """Pairs of heads that can belong together, the likeliest first: by kind, near before far."""
    for kind in _KINDS:
        for step in range(1, NEIGHBOURS):
            for one in range(len(at) - step):
                other = one + step
                if forward[one] == kind.inside or forward[other] != kind.inside or at[other] - at[one] < least:
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

    inside: bool
    is_drawn: Callable[[Drawn, float, float, float], bool]
    sure: float
    only_to_scale: bool = False


_KINDS: Final = (
    _Kind(True, _line_inside, INSIDE),
    _Kind(False, _lines_outside, OUTSIDE),
    _Kind(True, _line_at_one, OUTSIDE, only_to_scale=True),
)
"""The likeliest first."""


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
