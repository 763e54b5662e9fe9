"""What is ruled round or through lettering: boxes of basic dimensions, feature control frames, datums, strike-outs, bars.

Glossary
  level     a stroke along the baseline of a direction of reading; an upright stands across it.
  frame     a feature control frame: two or more boxes in a row, about two letter heights tall (ASME Y14.5, ISO 1101).
  box       what is ruled round one piece.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

import numpy as np

from spatial.geometry.columns import every, greatest, least
from spatial.geometry.index import KeyIndex, portions, whole_numbers
from spatial.models.sheet.drawing import Array, Indices, Sheet
from spatial.understanding.sheet.lettering.pieces import Piece, cosine_sine

STRAIGHT: Final = 0.01
"""Sine of the angle by which a stroke may be off a direction."""
MANY: Final = 400
"""Strokes that are looked at round one piece."""
TALLEST: Final = 3.4
"""Letter heights of a box; a taller one is a cell of a table or a part's outline."""
COVERED: Final = 0.5
"""Of a stretch that a line between two pieces covers at least."""
STRIKE_COVERS: Final = 0.8
"""Of a piece that a line struck through it covers at least."""
STRIKE_LONGER: Final = 1.3
STRIKE_MORE: Final = 2.0
"""Such a line is at most STRIKE_LONGER times as long as its piece, and STRIKE_MORE letter heights."""
STRIKE_BAND: Final = (0.25, 0.75)
"""Letter heights above the baseline between which it runs."""
CORNER: Final = 0.2
"""Letter heights by which sides of a box may miss each other."""
TALLEST_SIDE: Final = 2.3
"""Heights of a box: a longer upright is a rule line of a table."""
OVERSHOOT: Final = 0.1
"""Heights of a box by which its side may go beyond a corner and still end there."""
NEAR_SIDE: Final = 0.2
"""Heights of a box between its side and another line that may be that side."""
UNDER: Final = 0.35
"""Of the length of a piece round its middle, where the sides above and below it must run."""
BELOW: Final = (0.02, 1.4)
"""Letter heights from the baseline down to the lower side of a box."""
ABOVE: Final = (0.9, 2.4)
"""Letter heights from the baseline up to its upper side."""
OWN_LINE, OWN_GAP = (0.25, 0.75), 2.0
"""Letter heights above the baseline of a size between which its own dimension line lies, and between them."""
LEAST_TALL: Final = 1.2
"""Letter heights of a box."""
SAME_LEVEL: Final = 0.02
"""Letter heights between levels that are one line."""
MOST_PARTS: Final = 12
"""Of the side of a row of boxes that is drawn in parts, on either end."""
NEAREST: Final = 3
"""Levels on either side that are tried."""
LONGEST: Final = 60.0
"""Letter heights of a row of boxes."""
FEW: Final = 48
"""Strokes up to which plain numbers are faster than numpy."""
SIDE: Final = (0.1, 1.1)
"""Letter heights from the baseline, down and up, between which the side of a cell stands: below the letters and above them."""
COLUMNS: Final = 512
"""Of a sheet at most, by which its lines are found; one is as wide as they are long in the mean, or wider."""
LONGEST_LINE: Final = 1e12
"""Sheet units: lines longer than this in the mean are damage."""
FEW_COLUMNS: Final = 12
"""Up to which a stretch is looked up column by column."""
BAND: Final = 1500
"""Strokes between two places up to which numpy is faster than columns, which have to be listed before they are asked."""

Line: TypeAlias = tuple[float, float, float]
"""Of a level: v, u least, u greatest; of an upright: u, v least, v greatest."""


@dataclass(frozen=True, slots=True)
class BoxRow:
    """Ruled boxes side by side."""

    low: float
    high: float
    edges: tuple[float, ...]
    """Of its boxes, from the left."""


class Rules:
    """The straight strokes of a sheet in the frame of one direction of direction."""

    def __init__(self, levels: Array, uprights: Array) -> None:
        """`levels`: (n, 3) v, u0, u1; `uprights`: (m, 3) u, v0, v1."""
        self._levels = _Lines(levels)
        self._uprights = _Lines(uprights)

    def levels(self, v0: float, v1: float, u0: float, u1: float) -> list[Line]:
        """Those between two heights that overlap a stretch."""
        return self._levels.within(v0, v1, u0, u1)

    def uprights(self, u0: float, u1: float, v0: float, v1: float) -> list[Line]:
        """Those between two places that overlap a stretch."""
        return self._uprights.within(u0, u1, v0, v1)

    def line_between(self, v0: float, v1: float, u0: float, u1: float) -> bool:
        """Whether a level covers most of a stretch between two heights."""
        return any(_covers(line, u0, u1) for line in self.levels(v0, v1, u0, u1))

    def bar_between(self, v0: float, v1: float, stretch: tuple[float, float], longest: float, h: float) -> bool:
        """Whether a level that does so is no longer than `longest`, with what is drawn before and behind it on its height."""
        for line in self.levels(v0, v1, *stretch):
            if _covers(line, *stretch) and line[2] - line[1] <= longest:
                _, low, high = self._whole(line, h)
                if high - low <= longest:
                    return True
        return False

    def have_own_lines(self, *pieces: Piece) -> bool:
        """Whether a dimension line is broken for each piece, or ends at it: it goes on beside it, level with its middle (ISO 129-1)."""
        return all(self._has_own_line(piece) for piece in pieces)

    def _has_own_line(self, piece: Piece) -> bool:
        h, (low, high), far = piece.h, OWN_LINE, OWN_GAP * piece.h
        beside = self.levels(piece.v + low * h, piece.v + high * h, piece.u0 - far, piece.u1 + far)
        return any(
            last - first > h and (0 < piece.u0 - last < far or 0 < first - piece.u1 < far) for _, first, last in beside
        )

    def crossed_by_sides(self, pieces: Sequence[Piece]) -> list[bool]:
        """Of each piece whether an upright passes through it, from below its letters to above them."""
        u0, u1, v, h = _measures(pieces)
        of, lines = self._uprights.passing(u0, u1, v + h / 2)
        sides = (lines[:, 1] < (v - SIDE[0] * h)[of]) & (lines[:, 2] > (v + SIDE[1] * h)[of])
        return _those(of[sides], len(pieces))

    def between_sides(self, pieces: Sequence[Piece]) -> list[bool]:
        """Of each piece whether uprights that may close a row of boxes stand on both sides of it."""
        u0, u1, v, h = _measures(pieces)
        middle, reach = (u0 + u1) / 2, (LONGEST + 2 * CORNER) * h
        foot, head = v + CORNER * h, v + (ABOVE[0] - CORNER) * h
        of, lines = self._uprights.passing(middle - reach, middle + reach, (foot + head) / 2)
        tall = (lines[:, 1] <= foot[of]) & (lines[:, 2] >= head[of])
        left, right = (
            _those(of[tall & side], len(pieces)) for side in (lines[:, 0] < middle[of], lines[:, 0] > middle[of])
        )
        return [both == (True, True) for both in zip(left, right, strict=True)]

    def may_be_struck(self, pieces: Sequence[Piece]) -> list[bool]:
        """Of each piece whether a level runs through most of it; `is_struck` says whether it is a line struck through."""
        u0, u1, v, h = _measures(pieces)
        of, lines = self._levels.passing(v + STRIKE_BAND[0] * h, v + STRIKE_BAND[1] * h, (u0 + u1) / 2)
        covered = np.minimum(lines[:, 2], u1[of]) - np.maximum(lines[:, 1], u0[of])
        return _those(of[covered > STRIKE_COVERS * (u1 - u0)[of]], len(pieces))

    def is_struck(self, piece: Piece) -> bool:
        """Whether a line is drawn through a piece: through its middle, hardly longer than it."""
        wide, h = piece.u1 - piece.u0, piece.h
        return any(
            min(high, piece.u1) - max(low, piece.u0) > STRIKE_COVERS * wide
            and high - low < STRIKE_LONGER * wide + STRIKE_MORE * h
            for _, low, high in self.levels(
                piece.v + STRIKE_BAND[0] * h, piece.v + STRIKE_BAND[1] * h, piece.u0, piece.u1
            )
        )

    def row_round(self, piece: Piece) -> BoxRow | None:
        """The row of boxes that a piece stands in."""
        sides = list(self._box_sides(piece))
        row = self._row_round(sides, piece)
        if row is None and sides:
            whole = {side: self._whole(side, piece.h) for side in dict.fromkeys(chain.from_iterable(sides))}
            longer = [(low, high) for low, high in sides if (whole[low], whole[high]) != (low, high)]
            row = self._row_round([(whole[low], whole[high]) for low, high in longer], piece)
        return row

    def _row_round(self, sides: list[tuple[Line, Line]], piece: Piece) -> BoxRow | None:
        """The first row of boxes between two of some sides that a piece stands in."""
        rows = (self._row_between(low, high, piece) for low, high in sides)
        return next((row for row in rows if row is not None), None)

    def _row_between(self, low: Line, high: Line, piece: Piece) -> BoxRow | None:
        """The row of boxes round a piece whose lower and upper sides are known."""
        h, middle = piece.h, piece.middle[0]
        left, right = max(low[1], high[1]), min(low[2], high[2])
        if right - left > LONGEST * h or not left <= middle <= right:
            return None
        tall = high[0] - low[0]
        slack = CORNER * h
        closing = (
            u
            for u, foot, head in self.uprights(left - slack, right + slack, low[0], high[0])
            if foot <= low[0] + slack and head >= high[0] - slack and head - foot < TALLEST_SIDE * tall
        )
        edges = _distinct(closing, slack)
        return BoxRow(low[0], high[0], tuple(edges)) if len(edges) >= 2 and edges[0] < middle < edges[-1] else None

    def _whole(self, side: Line, h: float) -> Line:
        """A side with what is drawn right before and behind it on its height: some programs draw the sides of a frame cell by cell."""
        v, left, right = side
        slack = SAME_LEVEL * h
        for _ in range(MOST_PARTS):
            parts = self.levels(v - slack, v + slack, left - slack, right + slack)
            wider = min([left, *(low for _, low, _ in parts)]), max([right, *(high for _, _, high in parts)])
            if wider == (left, right) or wider[1] - wider[0] > LONGEST * h:
                break
            left, right = wider
        return v, left, right

    def sides_at_corners(self, row: BoxRow) -> int:
        """How many of the four sides of a box end at its corners: those of cells, witness lines and outlines that cross go on."""
        tall = row.high - row.low
        near, slack = NEAR_SIDE * tall, OVERSHOOT * tall
        left, right = row.edges[0], row.edges[-1]
        sides = [self._side(self.levels(v - near, v + near, left, right), left, right) for v in (row.low, row.high)]
        sides += [
            self._side(self.uprights(u - near, u + near, row.low, row.high), row.low, row.high) for u in (left, right)
        ]
        return sum(overshoot <= slack for overshoot in sides)

    @staticmethod
    def _side(lines: list[Line], begin: float, end: float) -> float:
        """How far the shortest of some lines that cover most of a side goes beyond it."""
        over = [
            max(begin - low, high - end)
            for _, low, high in lines
            if min(high, end) - max(low, begin) > COVERED * (end - begin)
        ]
        return min(over, default=math.inf)

    def _box_sides(self, piece: Piece) -> Iterator[tuple[Line, Line]]:
        """Pairs of levels below and above a piece that may close a box, nearest first."""
        h = piece.h
        near = max(UNDER * (piece.u1 - piece.u0), 0.0)
        middle = piece.middle[0]
        below = self.levels(piece.v - BELOW[1] * h, piece.v - BELOW[0] * h, middle - near, middle + near)
        if not below:
            return
        above = self.levels(piece.v + ABOVE[0] * h, piece.v + ABOVE[1] * h, middle - near, middle + near)
        for low in _nearest(_joined(below, SAME_LEVEL * h), piece.v):
            for high in _nearest(_joined(above, SAME_LEVEL * h), piece.v):
                if LEAST_TALL * h < high[0] - low[0] < TALLEST * h:
                    yield low, high


def find_rules(sheet: Sheet, angle: float) -> Rules:
    """The sheet's straight strokes along and across a direction."""
    strokes = sheet.strokes
    ends = strokes.ends[~strokes.curved] if len(strokes.curved) == len(strokes.ends) else strokes.ends
    ends = ends[every(np.isfinite(ends))]
    c, s = cosine_sine(angle)
    u = np.stack((ends[:, 0] * c + ends[:, 1] * s, ends[:, 2] * c + ends[:, 3] * s), axis=1)
    v = np.stack((ends[:, 1] * c - ends[:, 0] * s, ends[:, 3] * c - ends[:, 2] * s), axis=1)
    along, across = np.abs(u[:, 1] - u[:, 0]), np.abs(v[:, 1] - v[:, 0])
    level, upright = across <= STRAIGHT * along, along <= STRAIGHT * across
    level &= along > 0
    upright &= across > 0
    return Rules(
        np.column_stack((v[level].mean(axis=1), least(u[level]), greatest(u[level]))),
        np.column_stack((u[upright].mean(axis=1), least(v[upright]), greatest(v[upright]))),
    )


def no_rules() -> Rules:
    """Where nothing is ruled, or too many directions are read."""
    return Rules(np.zeros((0, 3)), np.zeros((0, 3)))


class _Lines:
    """Levels or uprights by their place, and by the columns of the sheet that they pass."""

    def __init__(self, lines: Array) -> None:
        self._held = lines[np.argsort(lines[:, 0], kind="stable")]
        self._places: list[float] = self._held[:, 0].tolist()
        self._begins, self._ends = (np.ascontiguousarray(self._held[:, end]) for end in (1, 2))
        self._left = float(lines[:, 1].min(initial=0.0))
        self._wide = self._width_of_columns()
        first, last = (((self._held[:, end] - self._left) / self._wide).astype(np.int64) for end in (1, 2))
        number, column = whole_numbers(first, last + 1)
        self._by_column = KeyIndex(column * len(lines) + number, number)
        self._columns: dict[int, tuple[list[int], list[Line]]] = {}
        self._begun: dict[int, tuple[list[int], list[Line]]] = {}
        self._first = first

    def _width_of_columns(self) -> float:
        """Without end where lines are too long to be told apart."""
        if not len(self._held):
            return 1.0
        with np.errstate(over="ignore"):
            mean = float((self._held[:, 2] - self._held[:, 1]).mean())
            wide = max(mean, (float(self._held[:, 2].max()) - self._left) / COLUMNS) or 1.0
        return wide if wide < LONGEST_LINE else math.inf

    def within(self, least: float, most: float, low: float, high: float) -> list[Line]:
        """Those between two places that overlap a stretch across; the first MANY."""
        first = bisect_left(self._places, least)
        last = min(bisect_left(self._places, most), first + 20 * MANY)
        if last <= first:
            return []
        left = max(int((low - self._left) / self._wide), 0)
        right = max(int((high - self._left) / self._wide), 0)
        if right - left < FEW_COLUMNS and last - first > BAND:
            return self._of_columns(first, last, left, right, low, high)[:MANY]
        part = self._held[first:last]
        if last - first > FEW:
            part = part[(self._begins[first:last] <= high) & (self._ends[first:last] >= low)][:MANY]
        return [(at, begin, end) for at, begin, end in part.tolist() if begin <= high and end >= low]

    def passing(self, least: Array, most: Array, at: Array) -> tuple[Indices, Array]:
        """The lines between two places that pass one across, of many questions (m,): the number of the question, the line (k, 3)."""
        column = np.clip((at - self._left) / self._wide, 0, COLUMNS + 1).astype(np.int64) * len(self._held)
        first, last = (np.searchsorted(self._held[:, 0], end) for end in (least, most))
        ranges = self._by_column.ranges(column + first, column + last - 1)
        found = [(np.zeros(0, np.int64), np.zeros((0, 3)))]
        for part in portions(ranges[1] - ranges[0]):
            of, numbers = self._by_column.things(*(ends[part] for ends in ranges))
            lines, place = self._held[numbers], at[part][of]
            passes = (lines[:, 1] <= place) & (lines[:, 2] >= place)
            found.append((of[passes] + part.start, lines[passes]))
        return np.concatenate([of for of, _ in found]), np.concatenate([lines for _, lines in found])

    def _of_columns(self, first: int, last: int, left: int, right: int, low: float, high: float) -> list[Line]:
        """The lines `first` to `last`, that excluded, that overlap a stretch from column `left` to `right`."""
        if left == right:
            numbers, lines = self._of_column(left)
            own = lines[bisect_left(numbers, first) : bisect_left(numbers, last)]
            return [line for line in own if line[1] <= high and line[2] >= low]
        found: list[tuple[int, Line]] = []
        for column in range(left, right + 1):
            # Lines that come from the column before have been met there.
            numbers, lines = self._of_column(column) if column == left else self._begun_in(column)
            begin, end = bisect_left(numbers, first), bisect_left(numbers, last)
            numbered = zip(numbers[begin:end], lines[begin:end], strict=True)
            found += [each for each in numbered if each[1][1] <= high and each[1][2] >= low]
        found.sort()
        return [line for _, line in found]

    def _begun_in(self, column: int) -> tuple[list[int], list[Line]]:
        """Numbers of the lines that begin in a column, ascending, and the lines."""
        if column not in self._begun:
            numbers, lines = self._of_column(column)
            begun = [each for each in zip(numbers, lines, strict=True) if self._first[each[0]] == column]
            self._begun[column] = [number for number, _ in begun], [line for _, line in begun]
        return self._begun[column]

    def _of_column(self, column: int) -> tuple[list[int], list[Line]]:
        """Numbers of the lines that pass a column, ascending, and the lines."""
        if column not in self._columns:
            own = np.array([column * len(self._held)])
            _, numbers = self._by_column.things(*self._by_column.ranges(own, own + len(self._held) - 1))
            self._columns[column] = numbers.tolist(), list(map(tuple, self._held[numbers].tolist()))
        return self._columns[column]


def _measures(pieces: Sequence[Piece]) -> tuple[Array, Array, Array, Array]:
    """(n,) each: where pieces begin and end, their baselines and heights."""
    u0, u1, v, h = np.array([(piece.u0, piece.u1, piece.v, piece.h) for piece in pieces], float).reshape(-1, 4).T
    return u0, u1, v, h


def _those(places: Indices, count: int) -> list[bool]:
    """Of each of `count` things whether it is among some."""
    found = np.zeros(count, bool)
    found[places] = True
    return found.tolist()


def _covers(line: Line, u0: float, u1: float) -> bool:
    """Whether a line covers most of a stretch."""
    return min(line[2], u1) - max(line[1], u0) >= COVERED * (u1 - u0)


def _nearest(levels: list[Line], v: float) -> list[Line]:
    return sorted(levels, key=lambda level: abs(level[0] - v))[:NEAREST]


def _joined(levels: list[Line], slack: float) -> list[Line]:
    """Levels, those at one height that overlap taken for one: the outline of a thick line is several lines."""
    found: list[Line] = []
    for v, low, high in sorted(levels):
        before = found[-1] if found else None
        if before and v - before[0] <= slack and low <= before[2] and high >= before[1]:
            found[-1] = (before[0], min(low, before[1]), max(high, before[2]))
        else:
            found.append((v, low, high))
    return found


def _distinct(places: Iterable[float], slack: float) -> list[float]:
    """Places in order, those closer than `slack` taken for one."""
    found: list[float] = []
    for place in sorted(places):
        if not found or place - found[-1] > slack:
            found.append(place)
    return found
