"""Leaders: an arrowhead, the line at it, and the shoulder on which its text stands."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Leader, Sheet
from spatial.understanding.sheet.leaders.along_lines import along_lines
from spatial.understanding.sheet.leaders.arrowheads import Heads, heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

MOST: Final = 4000
"""Heads of a sheet that are looked at."""
ASIDE: Final = 0.12
"""Lengths of a head between its axis and its line."""
BEGINS: Final = (-0.5, 1.25)
"""Lengths of a head behind its tip between which its line begins."""
ENDS: Final = 1.6
"""Lengths of a head behind its tip beyond which its line ends."""
SAME_PLACE: Final = 1e-3
"""Diagonals of the sheet between ends that are one."""
BACK: Final = -0.2
"""Cosine of the sharpest bend: a leader does not turn back."""
CROWD: Final = 6
"""Strokes at the end of a line from which on it is part of a drawing, not of a leader."""
LEAST_LENGTH: Final = 1e-12
"""Sheet units: of a stroke without length."""
BENDS: Final = 3
"""Of one leader."""


def leaders(sheet: Sheet) -> list[Leader]:
    """Each from the tip of its arrow to its last end; looked for once a sheet."""
    if sheet.leaders is None:
        lines = Lines(sheet)
        sheet.leaders = of_heads(along_lines(heads(sheet), lines), lines)
    return sheet.leaders


def of_heads(lined: Heads, lines: Lines) -> list[Leader]:
    """The leaders of arrows, along the lines at them, whose line goes away from them."""
    arrows = squared(lined)
    tips, ways, lengths = arrows.tips[:MOST], arrows.ways[:MOST], arrows.lengths[:MOST]
    reach = _reach(tips, ways, lengths, lines)
    led = np.isfinite(reach)
    tips, tails = tips[led], tips[led] - ways[led] * reach[led, None]
    found: list[Leader] = [[tuple(tip), tuple(tail)] for tip, tail in zip(tips.tolist(), tails.tolist(), strict=True)]
    place, before, last = np.arange(len(tips)), tips, tails
    for _ in range(BENDS):
        goes_on, following = _next(before, last, lines)
        place, before, last = place[goes_on], last[goes_on], following[goes_on]
        for leader, end in zip(place.tolist(), last.tolist(), strict=True):
            found[leader].append(tuple(end))
    return found


def _reach(tips: Array, ways: Array, lengths: Array, lines: Lines) -> Array:
    """How far behind each tip the line ends that begins in its head; minus infinity where there is none."""
    reach = np.full(len(tips), -np.inf)
    for head, spans in lines.on(tips, -ways, ASIDE * lengths):
        length = lengths[head]
        behind = (spans[:, 0] > BEGINS[0] * length) & (spans[:, 0] < BEGINS[1] * length) & (spans[:, 1] > ENDS * length)
        np.maximum.at(reach, head[behind], spans[behind, 1])
    return reach


def _next(before: Array, last: Array, lines: Lines) -> tuple[Flags, Array]:
    """Whether one stroke alone goes on from each `last`, and its other end."""
    count = len(last)
    at, stroke = lines.at(last)
    ends, begin = lines.ends[stroke], last[at]
    near_first = _length(ends[:, :2] - begin) < _length(ends[:, 2:] - begin)
    others = np.where(near_first[:, None], ends[:, 2:], ends[:, :2])
    back = _length(others - before[at]) < SAME_PLACE * lines.size
    came = (last - before) / np.maximum(_length(last - before), LEAST_LENGTH)[:, None]
    goes = others - begin
    onward = (goes * came[at]).sum(axis=1) > BACK * _length(goes)
    way = np.flatnonzero(~back & onward)
    single = (np.bincount(at, minlength=count) <= CROWD) & (np.bincount(at[way], minlength=count) == 1)
    following = np.zeros((count, 2))
    following[at[way]] = others[way]
    return single, following


def _length(vectors: Array) -> Array:
    return np.asarray(np.hypot(vectors[:, 0], vectors[:, 1]))
