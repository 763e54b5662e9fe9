"""The nets of rule lines of a sheet: strokes gathered into whole rule lines that end where they meet others.

Glossary
  rule line   a horizontal or vertical line, in however many strokes it is drawn: (at, low, high).
  net         rule lines that are connected; one that touches fewer than two others bounds nothing and is dropped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest, least
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Fill, Flags, Indices, Sheet

MOST: Final = 1000
"""Rule lines of one direction that are looked at, the longest first, where the other has as many: a perforated plate has more, a table
has not."""

MOST_ROWS: Final = 30_000
"""Where the other direction has few: a table of some columns may have that many rows. Both directions have MOST times MOST crossings."""

_ROUNDS: Final = 24
"""Times that loose ends are cut; each round frees the rule lines that only touched a loose one."""

_TOUCHED: Final = 2
"""Rule lines that one touches at least: with fewer it bounds no cell."""

_SMALL_TEXT: Final = 10
"""Percentile of text heights that stands for the small print of a title block."""

_GAP: Final = 0.3
"""Heights of small print by which ends of rule lines may miss each other: rounding of exporters, not the gap of two cells."""

_GAP_OF_SHEET: Final = 0.01
"""The same in diagonals of the sheet, at most: of a sheet that has only large letters."""

_GAP_WITHOUT_TEXT: Final = 1e-3
"""The same in diagonals of the sheet, where no text gives a height."""

_MOST_COORDINATE: Final = 1e12
"""Sheet units; beyond it squares of coordinates lose the digits of a rule line."""

_EDGE: Final = 1e-6
"""Of the mean box of a text by which each is widened before strokes are looked up in it: rounding loses none on its edge."""

_CLIMB: Final = 0.006
"""Rise by run of a rule line: a third of a degree, by which turned or traced sheets are off."""

_BAR_CORNERS: Final = (3, 64)
"""Least and most corners of a fill that may be a bar; rounded ends have more than four."""

_BAR_THICKNESS: Final = 2.0
"""Tolerances: a thicker fill is a surface."""

_BAR_SLENDERNESS: Final = 6.0
"""Least length by thickness of a bar."""

_EXTENT_MARGIN: Final = 10.0
"""Tolerances between the places of two lines when all are laid out one after the other."""

_SHORTEST: Final = 2.5
"""Tolerances: a shorter rule line bounds no line of text."""

_ONE_LINE: Final = 1.5
"""Tolerances across which strokes are one line: both edges of a thick rule line are."""

_SHORT_OF_FRAME: Final = 3.0
"""Tolerances by which rule lines may end before the heavy line of a frame."""

_FRAME: Final = 0.6
"""Length of a line of a frame by that of the longest rule line of its direction."""

_LEAST_DRAWN: Final = 10.0
"""Tolerances of a rule line that may end short of a frame: strokes of letters are shorter."""

_ENDING_TOGETHER: Final = 2
"""Rule lines that end at one place before it, at least: one alone ends where its drafter wanted."""

_LETTER: Final = 1.5
"""Heights of a text that a stroke of its letters is long, at most; the text layer may know smaller letters than are drawn."""

_TALLER: Final = 0.5
"""Heights of a text by which letters may be drawn higher than the text layer knows."""

_MOST_LETTERED: Final = 5000
"""Texts whose letters are looked for among the strokes."""

_LEAST_WEIGHT: Final = 1e-12
"""Sheet units: the weight of a stroke without length."""

_LEAST_SUM: Final = 1e-300
"""Divisor where a line has no weight."""


@dataclass(frozen=True, slots=True)
class Net:
    """Connected rule lines; both (n, 3): at, low, high."""

    horizontal: Array
    """y, x least, x greatest."""
    vertical: Array
    """x, y least, y greatest."""


def gap_tolerance(sheet: Sheet) -> float:
    """How far ends of rule lines may miss each other, in sheet units."""
    heights = [text.height for text in sheet.texts if 0 < text.height < np.inf]
    across = float(np.hypot(sheet.box[2] - sheet.box[0], sheet.box[3] - sheet.box[1]))
    if not heights:
        return across * _GAP_WITHOUT_TEXT
    return min(_GAP * float(np.percentile(heights, _SMALL_TEXT)), across * _GAP_OF_SHEET)


def find_rule_lines(sheet: Sheet, tolerance: float) -> tuple[Array, Array]:
    """Horizontal and vertical rule lines of `sheet`, each (n, 3): at, low, high; the longest. Found once per sheet."""
    if sheet.rule_lines is None or sheet.rule_lines[0] != tolerance:
        sheet.rule_lines = tolerance, *_rule_lines(sheet, tolerance)
    return sheet.rule_lines[1:]


def _rule_lines(sheet: Sheet, tolerance: float) -> tuple[Array, Array]:
    solid = ~(sheet.strokes.curved | sheet.strokes.dashed)
    pieces = np.vstack([sheet.strokes.ends[solid], _bars(sheet.fills, tolerance)])
    with np.errstate(over="ignore", invalid="ignore"):
        pieces = pieces[every(np.abs(pieces) < _MOST_COORDINATE)]
        pieces = pieces[~_of_letters(pieces, sheet)]
        run, rise = np.abs(pieces[:, 2] - pieces[:, 0]), np.abs(pieces[:, 3] - pieces[:, 1])
    level = (rise <= np.minimum(tolerance, _CLIMB * run)) & (run > 0)
    plumb = (run <= np.minimum(tolerance, _CLIMB * rise)) & (rise > 0)
    horizontal = _gathered(pieces[level][:, (0, 2)], pieces[level][:, (1, 3)].mean(1), tolerance)
    vertical = _gathered(pieces[plumb][:, (1, 3)], pieces[plumb][:, (0, 2)].mean(1), tolerance)
    return _longest(horizontal, len(vertical)), _longest(vertical, len(horizontal))


def _longest(rule_lines: Array, others: int) -> Array:
    """Those of one direction that are looked at, in their order. others: how many there are of the other direction."""
    most = min(max(MOST, MOST * MOST // max(others, 1)), MOST_ROWS)
    length = rule_lines[:, 2] - rule_lines[:, 1]
    return np.asarray(rule_lines[np.sort(np.argsort(-length, kind="stable")[:most])])


def find_nets(horizontal: Array, vertical: Array, tolerance: float) -> list[Net]:
    """The nets of rule lines whose loose ends are cut."""
    horizontal, vertical = (
        _drawn_to_frames(horizontal, vertical, tolerance),
        _drawn_to_frames(vertical, horizontal, tolerance),
    )
    horizontal, vertical, touch = _trimmed(horizontal, vertical, tolerance)
    return [Net(horizontal[rows], vertical[columns]) for rows, columns in _connected(touch)]


def _of_letters(pieces: Array, sheet: Sheet) -> Flags:
    """(n,) which pieces are strokes of letters that the text layer has as well: short ones within the box of a text."""
    texts = [text for text in sheet.texts if 0 < text.height < np.inf and all(map(math.isfinite, text.box))][
        :_MOST_LETTERED
    ]
    inside = np.zeros(len(pieces), bool)
    if not texts or not len(pieces):
        return inside
    low, high = np.minimum(pieces[:, :2], pieces[:, 2:]), np.maximum(pieces[:, :2], pieces[:, 2:])
    size = greatest(high - low)
    short = np.flatnonzero(size <= _LETTER * max(text.height for text in texts))
    boxes, heights = np.array([text.box for text in texts]), np.array([text.height for text in texts])
    upright = np.array([abs(text.angle) < 1 for text in texts])
    tops = boxes[:, 3] + np.where(upright, _TALLER * heights, 0.0)
    windows = np.clip(np.column_stack([boxes[:, :3], tops]), -_MOST_COORDINATE, _MOST_COORDINATE)
    cell = float(greatest(np.abs(windows[:, 2:] - windows[:, :2])).mean())
    slack = _EDGE * cell
    for text, own in CellIndex(low[short], cell, short).in_boxes(windows + np.array([-slack, -slack, slack, slack])):
        within = every(low[own] >= boxes[text, :2]) & (high[own, 0] <= boxes[text, 2]) & (high[own, 1] <= tops[text])
        inside[own[within & (size[own] <= _LETTER * heights[text])]] = True
    return inside


def _drawn_to_frames(own: Array, others: Array, tolerance: float) -> Array:
    """`own` with the ends moved that stop together a little before one of `others` that runs past all of them: a frame."""
    if not len(own) or not len(others):
        return own
    reach, moved = _SHORT_OF_FRAME * tolerance, own.copy()
    length = others[:, 2] - others[:, 1]
    others = others[length >= _FRAME * length.max()]
    long = own[:, 2] - own[:, 1] > _LEAST_DRAWN * tolerance
    for end, sign in ((1, -1.0), (2, 1.0)):
        beyond = sign * (others[:, 0][None] - own[:, end][:, None])
        passes = (others[:, 1] <= own[:, :1]) & (others[:, 2] >= own[:, :1])
        short = passes & long[:, None] & (beyond > tolerance) & (beyond <= reach)
        for frame in np.flatnonzero(short.sum(0) >= _ENDING_TOGETHER).tolist():
            rows = np.flatnonzero(short[:, frame])
            ends = own[rows, end]
            together = rows[np.abs(ends - np.median(ends)) <= tolerance]
            if len(together) >= _ENDING_TOGETHER:
                moved[together, end] = others[frame, 0]
    return moved


def _bars(fills: list[Fill], tolerance: float) -> Array:
    """Middle lines (n, 4) of the fills that are bars: some exporters fill a thin rectangle for every rule line."""
    outlines = [fill.points for fill in fills if _BAR_CORNERS[0] <= len(fill.points) <= _BAR_CORNERS[1]]
    if not outlines:
        return np.zeros((0, 4))
    points = np.vstack(outlines)
    starts = np.cumsum([0, *(len(outline) for outline in outlines[:-1])])
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    middle, size = (low + high) / 2, high - low
    thin, long = size.min(1), size.max(1)
    bar = (thin <= _BAR_THICKNESS * tolerance) & (long >= _BAR_SLENDERNESS * np.maximum(thin, tolerance / 2))
    level = (size[:, 0] >= size[:, 1])[:, None]
    lines = np.where(
        level,
        np.column_stack([low[:, 0], middle[:, 1], high[:, 0], middle[:, 1]]),
        np.column_stack([middle[:, 0], low[:, 1], middle[:, 0], high[:, 1]]),
    )
    return np.asarray(lines[bar], float)


def _gathered(spans: Array, at: Array, tolerance: float) -> Array:
    """Pieces that lie on one line and meet, as one rule line each; what is too short to bound a line of text is dropped."""
    if not len(at):
        return np.zeros((0, 3))
    low, high = least(spans), greatest(spans)
    line = _lines(at, tolerance)
    order = np.lexsort((low, line))
    low, high, line, at = low[order], high[order], line[order], at[order]
    shift = line * (high.max() - low.min() + _EXTENT_MARGIN * tolerance)
    reach = np.maximum.accumulate(high + shift)
    starts = np.flatnonzero(np.r_[True, (low + shift)[1:] > reach[:-1] + tolerance])
    first = line[starts]
    weight = np.maximum(high - low, _LEAST_WEIGHT)
    place = np.bincount(line, weight * at) / np.maximum(np.bincount(line, weight), _LEAST_SUM)
    whole = np.column_stack([place[first], low[starts], np.maximum.reduceat(high, starts)])
    length = whole[:, 2] - whole[:, 1]
    return np.asarray(whole[length > _SHORTEST * tolerance], float)


def _lines(at: Array, tolerance: float) -> Indices:
    """For each piece the number of its line: both edges of a thick rule line are one."""
    order = np.argsort(at)
    ordered = at[order]
    chain = np.cumsum(np.r_[False, np.diff(ordered) > tolerance])
    first = ordered[np.searchsorted(chain, chain)]
    step = np.floor((ordered - first) / (_ONE_LINE * tolerance))
    line = np.cumsum(np.r_[False, (np.diff(chain) > 0) | (np.diff(step) > 0)])
    answer = np.empty(len(at), np.int64)
    answer[order] = line
    return answer


def _trimmed(horizontal: Array, vertical: Array, tolerance: float) -> tuple[Array, Array, Flags]:
    """Rule lines cut or extended to the outermost rule lines that they touch, and which touches which."""
    touch = _touching(horizontal, vertical, tolerance)
    for _ in range(_ROUNDS):
        cut_h, cut_v = _cut(horizontal, vertical, touch), _cut(vertical, horizontal, touch.T)
        keep_h, keep_v = touch.sum(1) >= _TOUCHED, touch.sum(0) >= _TOUCHED
        stable = keep_h.all() and keep_v.all() and np.array_equal(cut_h, horizontal) and np.array_equal(cut_v, vertical)
        horizontal, vertical = cut_h[keep_h], cut_v[keep_v]
        touch = _touching(horizontal, vertical, tolerance)
        if stable:
            break
    return horizontal, vertical, touch


def _touching(horizontal: Array, vertical: Array, tolerance: float) -> Flags:
    """(n, m) whether a horizontal rule line meets a vertical one."""
    y, x = horizontal[:, :1], vertical[:, 0][None]
    across = (x >= horizontal[:, 1:2] - tolerance) & (x <= horizontal[:, 2:] + tolerance)
    return across & (y >= vertical[:, 1][None] - tolerance) & (y <= vertical[:, 2][None] + tolerance)


def _cut(own: Array, others: Array, touch: Flags) -> Array:
    """`own` with ends where the outermost rule line that it touches is."""
    if not touch.size:
        return own
    low = np.where(touch, others[:, 0][None], np.inf).min(1)
    high = np.where(touch, others[:, 0][None], -np.inf).max(1)
    return np.column_stack([own[:, 0], low, high])


def _connected(touch: Flags) -> list[tuple[Indices, Indices]]:
    """Places of the horizontal and the vertical rule lines of each net."""
    found: list[tuple[Indices, Indices]] = []
    left = np.ones(touch.shape[0], bool)
    while left.any():
        rows = np.zeros(touch.shape[0], bool)
        rows[int(np.argmax(left))] = True
        while True:
            columns = touch[rows].any(0)
            wider = touch[:, columns].any(1) | rows
            if np.array_equal(wider, rows):
                break
            rows = wider
        left &= ~rows
        found.append((np.flatnonzero(rows), np.flatnonzero(columns)))
    return found
