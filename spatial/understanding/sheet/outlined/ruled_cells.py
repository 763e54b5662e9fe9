"""The rule lines of a sheet, and the ruled cells between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box
from spatial.understanding.sheet.outlined.ink import LONG, Ink
from spatial.understanding.sheet.outlined.rows import turned

LEANING: Final = 0.02
"""Part of its length by which a rule line may lean."""
JOINED: Final = 0.02
"""Part of the largest letter that strokes of one rule line are apart at most."""
PIECE: Final = 0.1
"""Part of the largest letter that the strokes are long which a rule line is drawn in end to end."""
SLACK: Final = 0.25
"""Part of its height by which a rule line may end before the corner of a cell."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule lines in the frame of a quarter."""

    level: Array
    """(n, 3) height, least and greatest x"""
    upright: Array
    """(m, 3) x, least and greatest height"""

    @classmethod
    def of(cls, ink: Ink, quarter: int) -> Rules:
        """The rule lines that are drawn as such."""
        return cls(*_joined_rules(ink, quarter, np.concatenate([ink.barriers, ink.dividers])))

    @classmethod
    def with_pieces(cls, ink: Ink, quarter: int) -> Rules:
        """The same with those that are drawn in short strokes, end to end, and those that are filled."""
        strokes = ink.edges[ink.width[ink.of] >= 0]
        short = strokes[np.abs(strokes[:, 2:] - strokes[:, :2]).max(axis=1, initial=0.0) >= PIECE * ink.largest]
        known = np.concatenate([ink.barriers, ink.dividers])
        every = _joined_rules(ink, quarter, np.concatenate([known, ink.filled_rules, short]))
        drawn = _joined_rules(ink, quarter, known)
        least, apart = LONG * ink.largest, JOINED * ink.largest
        return cls(*(_long_or_drawn(rules, of, least, apart) for rules, of in zip(every, drawn, strict=True)))

    def cell(self, box: Array, high: float, wide: float) -> Box | None:
        """The cell around `box`: its four rule lines, each of which runs along all of its side. high, wide: what it is at most."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        below, above = _around(self.level, x, box[1], box[3])
        left, right = _around(self.upright, y, box[0], box[2])
        if above - below > high or right - left > wide:
            return None
        slack = SLACK * (above - below)
        closed = all(_runs(self.level, place, left + slack, right - slack) for place in (below, above)) and all(
            _runs(self.upright, place, below + slack, above - slack) for place in (left, right)
        )
        return (left, below, right, above) if closed else None

    def open_cell(self, box: Array, wide: float) -> tuple[Box, float] | None:
        """The cell around `box` in a row that is open at its far side, and the height of its one level rule.

        The rules at both its sides run along the neighbouring row, which is taken to be as high, and past the letter. wide: at most.
        """
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        left, right = _around(self.upright, y, box[0], box[2])
        if right - left > wide:
            return None
        for side, near in enumerate(_around(self.level, x, box[1], box[3])):
            if not np.isfinite(near):
                continue
            far = _around(self.level, x, np.nextafter(near, -np.inf), np.nextafter(near, np.inf))[side]
            beyond = 2 * near - far
            low, high = sorted((far, float(box[3]) if side == 0 else float(box[1])))
            is_row = min(near, beyond) <= box[1] and box[3] <= max(near, beyond)
            slack = SLACK * abs(near - far)
            columns_run_on = all(_runs(self.upright, place, low + slack, high) for place in (left, right))
            if is_row and columns_run_on and _runs(self.level, near, left + slack, right - slack):
                return (left, min(near, beyond), right, max(near, beyond)), near
        return None

    def run_by(self, place: float, x: float) -> bool:
        """Whether a level rule line at this height passes `x`."""
        return _runs(self.level, place, x, x)


def _joined_rules(ink: Ink, quarter: int, strokes: Array) -> tuple[Array, Array]:
    """The level and the upright rules that strokes (n, 4) draw, in the frame of a quarter."""
    ends = turned(strokes, quarter)
    left, low = np.minimum(ends[:, 0], ends[:, 2]), np.minimum(ends[:, 1], ends[:, 3])
    right, high = np.maximum(ends[:, 0], ends[:, 2]), np.maximum(ends[:, 1], ends[:, 3])
    wide, deep = right - left, high - low
    level, upright = deep <= LEANING * wide, wide <= LEANING * deep
    apart = JOINED * ink.largest
    return (
        _joined(np.stack([(low + high) / 2, left, right], axis=1)[level], apart),
        _joined(np.stack([(left + right) / 2, low, high], axis=1)[upright], apart),
    )


def _long_or_drawn(rules: Array, drawn: Array, least: float, apart: float) -> Array:
    """The rules (n, 3) that are longer than letters are high, or that have one of (m, 3) in them."""
    kept = rules[:, 2] - rules[:, 1] > least
    short = np.flatnonzero(~kept)
    of = rules[short][:, None]
    has = np.abs(of[..., 0] - drawn[:, 0]) <= apart
    has &= (of[..., 1] - apart <= drawn[:, 1]) & (of[..., 2] + apart >= drawn[:, 2])
    kept[short] = has.any(axis=1)
    return rules[kept]


def _joined(strokes: Array, apart: float) -> Array:
    """(m, 3) the rules that (n, 3) strokes draw: those in line that touch are one."""
    if not len(strokes):
        return strokes
    strokes = strokes[np.argsort(strokes[:, 0], kind="stable")]
    of_line = np.cumsum(np.diff(strokes[:, 0], prepend=strokes[0, 0]) > apart)
    order = np.lexsort((strokes[:, 1], of_line))
    strokes, of_line = strokes[order], of_line[order]
    rules: list[list[float]] = []
    for line in np.split(strokes, np.flatnonzero(np.diff(of_line)) + 1):
        place, first = float(np.median(line[:, 0])), len(rules)
        for _, begin, end in line.tolist():
            if len(rules) > first and begin <= rules[-1][2] + apart:
                rules[-1][2] = max(rules[-1][2], end)
            else:
                rules.append([place, begin, end])
    return np.array(rules)


def _around(rules: Array, along: float, low: float, high: float) -> tuple[float, float]:
    """The nearest rules before and behind that pass a place."""
    passing = rules[(rules[:, 1] <= along) & (rules[:, 2] >= along), 0]
    return float(passing[passing <= low].max(initial=-np.inf)), float(passing[passing >= high].min(initial=np.inf))


def _runs(rules: Array, place: float, begin: float, end: float) -> bool:
    """Whether a rule at this place runs from `begin` to `end`."""
    return bool(((rules[:, 0] == place) & (rules[:, 1] <= begin) & (rules[:, 2] >= end)).any())
