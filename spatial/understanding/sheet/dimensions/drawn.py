"""What is drawn along lines of a sheet."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.dimensions.span import INSIDE
from spatial.understanding.sheet.leaders.lines import Lines

TOUCHING: Final = 0.02
"""Lengths of a head between stretches that are one."""
LEAVES_OUTSIDE_AT: Final = (1.1, 1.25)
"""Lengths of a head that points from outside, behind its tip, between which its line is drawn."""
BEYOND_WITNESSES: Final = 2
"""Distances between the heads within which further stretches of the line may carry the text; or what begins behind a head."""


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

    def end_of(self, begin: float, end: float) -> float | None:
        """Where the stretch ends that begins before one place and ends after another."""
        last = bisect_left(self.begins, begin)
        return self.ends[last - 1] if last > 0 and self.ends[last - 1] > end else None

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
