"""Arrowheads, by their shape alone: filled ones, and open ones of two short strokes.

Glossary
  head    an arrowhead: where its tip is, which way it points, how long it is.
  wings   the two strokes of an open head, or the long sides of a hollow one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.arcs import sweeps
from spatial.geometry.columns import every, greatest, scalar_products
from spatial.geometry.ordering import stable_order
from spatial.models.sheet.drawing import Array, Fill, Indices, Sheet, Symbol

SLIMMEST: Final = 8.0
STOUTEST: Final = 0.95
"""Length to width of a filled head; ISO 129-1 draws 15° to 90°, ASME 3:1. A triangle of equal sides, as of datums, is stouter."""
LONGEST: Final = 0.03
"""Of a head, in diagonals of the sheet."""
LONGEST_OF_ALL: Final = 0.05
"""The same where hardly any are shorter: on a sheet without a frame, which is not larger than its part."""
FEW: Final = 8
"""Heads that are hardly any: those of two dimensions of a plate, and what else looks like one."""
SHORTEST: Final = 2e-4
"""Of a head, in diagonals of the sheet: shorter ones are dots."""
IN_SIGN: Final = 0.1
"""Sizes of a sign by which a head that it is drawn with may stick out."""
SAME_TIP: Final = 1e-4
"""Diagonals of the sheet within which two tips are one."""
SAME_WAY: Final = 8
"""Steps of a unit by which directions of one head may differ."""
SQUARED: Final = 0.02
"""Sine of a little more than a degree: rounding to tenths of a point, as printers of PDF do, turns a short head so far."""
FULLNESS: Final = (0.25, 0.62)
"""Area of a head by its length and width: a triangle has 0.5, one with a notched back less."""
SAME_CORNER: Final = 1e-6
"""Sheet units between corners that are one."""
SAME_MEETING: Final = 2e-5
"""Diagonals of the sheet within which strokes of an open head meet."""
SAME_LENGTH: Final = 0.08
"""Relative difference of the strokes of an open head."""
OPENING: Final = (0.5, 0.99)
"""Cosine of the angle between them: 60° to 8°."""
MOST: Final = 4000
"""Heads of a sheet that are looked at, the longest: a filled area in triangles has ten thousands of small ones."""
FLAT: Final = 40.0
"""Degrees of an arc that is the flank of a head."""
ARCS: Final = 20_000
"""Of a sheet that are looked at."""
FARTHEST: Final = 1e9
"""Sheet units of a place from the origin, or degrees of a turn."""
SYMBOLS: Final = 3000
"""Of a sheet that are looked at."""
_WIDE, _STRIDE = 2**30, 2**31
"""Columns and rows below _WIDE have one key in 64 bits, with _STRIDE from a column to the next."""
FEW_CORNERS: Final = 8
"""Of an outline of straight sides."""
CORNERS: Final = 24
"""Of a filled head; GOST's have a notched back, some programs draw a curved one."""


@dataclass(frozen=True, slots=True)
class Heads:
    """n arrowheads."""

    tips: Array
    """(n, 2)"""
    ways: Array
    """(n, 2) unit vectors towards the tip."""
    lengths: Array
    """(n,)"""

    def __len__(self) -> int:
        return len(self.tips)


def diagonal(sheet: Sheet) -> float:
    """Of the paper."""
    x0, y0, x1, y1 = sheet.box
    size = float(np.hypot(x1 - x0, y1 - y0))
    return size if np.isfinite(size) and size > 0 else 1.0


def heads(sheet: Sheet) -> Heads:
    """Everything shaped like an arrowhead; whether it is one, the line at it says."""
    size = diagonal(sheet)
    found = _shaped(sheet, size, LONGEST)
    return found if len(found) > FEW else _shaped(sheet, size, LONGEST_OF_ALL)


def _shaped(sheet: Sheet, size: float, longest: float) -> Heads:
    """Filled and open heads, the longest ones; `longest`: in diagonals of the sheet."""
    strokes = np.concatenate((sheet.strokes.ends[~sheet.strokes.curved], _flanks(sheet)))
    both = [filled_heads(sheet.fills, size, longest), _open(strokes, size, longest)]
    tips = np.concatenate([h.tips for h in both])
    ways = np.concatenate([h.ways for h in both])
    found = Heads(tips, ways, np.concatenate([h.lengths for h in both]))
    return _longest(once(_outside(found, sheet.symbols[:SYMBOLS]), size))


def _longest(every: Heads) -> Heads:
    """Those that are looked at, in their order."""
    if len(every) <= MOST:
        return every
    kept = np.sort(np.argsort(-every.lengths, kind="stable")[:MOST])
    return Heads(every.tips[kept], every.ways[kept], every.lengths[kept])


def _outside(every: Heads, symbols: Sequence[Symbol]) -> Heads:
    """Without the heads that signs such as ↧ are drawn with."""
    free = np.ones(len(every), bool)
    for x0, y0, x1, y1 in (symbol.box for symbol in symbols):
        slack = IN_SIGN * max(x1 - x0, y1 - y0)
        inside = (every.tips > (x0 - slack, y0 - slack)) & (every.tips < (x1 + slack, y1 + slack))
        free &= ~inside.all(axis=1)
    return Heads(every.tips[free], every.ways[free], every.lengths[free])


def once(every: Heads, size: float) -> Heads:
    """A head that is both filled and outlined, or drawn twice, is one."""
    same = np.column_stack((np.round(every.tips / (SAME_TIP * size)), np.round(every.ways * SAME_WAY)))
    _, first = np.unique(same, axis=0, return_index=True)
    first.sort()
    return Heads(every.tips[first], every.ways[first], every.lengths[first])


def squared(every: Heads) -> Heads:
    """With the ways that are nearly upright or level set right: corners are rounded."""
    near = np.abs(every.ways) < SQUARED
    ways = np.where(near, 0.0, every.ways)
    return Heads(every.tips, np.where(near[:, ::-1], np.sign(ways), ways), every.lengths)


def _none() -> Heads:
    return Heads(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


def filled_heads(fills: list[Fill], size: float, longest: float = LONGEST) -> Heads:
    """Filled outlines with few corners, one of them far from the others."""
    held = [f.points for f in fills if 3 <= len(f.points) <= 4 * CORNERS]
    if not held:
        return _none()
    points = np.concatenate(held)
    owner = np.repeat(np.arange(len(held)), [len(p) for p in held])
    points, owner = _corners(points, owner)
    count = np.bincount(owner, minlength=len(held))
    right = ((count >= 3) & (count <= CORNERS))[owner]
    points, owner = points[right], owner[right]
    if not len(points):
        return _none()
    _, begin, place = np.unique(owner, return_index=True, return_inverse=True)
    number = np.diff(np.append(begin, len(owner)))
    middle = _middles(points, begin, number)
    off = points - middle[place]
    far = np.hypot(off[:, 0], off[:, 1])
    order = np.lexsort((-far, place))
    tip = points[order[begin]]
    way = tip - middle
    reach = np.hypot(way[:, 0], way[:, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        way = way / reach[:, None]
    to_tip = tip[place] - points
    along = (to_tip * way[place]).sum(axis=1)
    aside = to_tip[:, 0] * way[place, 1] - to_tip[:, 1] * way[place, 0]
    length = np.maximum.reduceat(along, begin)
    width = np.maximum.reduceat(aside, begin) - np.minimum.reduceat(aside, begin)
    area = _area(to_tip, begin, number)
    with np.errstate(divide="ignore", invalid="ignore"):
        slim, full = length / width, area / (length * width)
    good = (slim > STOUTEST) & (slim < SLIMMEST) & (full > FULLNESS[0]) & (full < FULLNESS[1])
    good &= (length > SHORTEST * size) & (length < longest * size)
    return Heads(tip[good], way[good], length[good])


def _corners(points: Array, owner: Indices) -> tuple[Array, Indices]:
    """Outlines without repeated corners; those with no finite place are gone."""
    good = np.isfinite(points).all(axis=1) & (np.abs(points) < 1e9).all(axis=1)
    points, owner = points[good], owner[good]
    if not len(points):
        return points, owner
    begins = np.append(True, owner[1:] != owner[:-1])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(owner)), 0))
    near = greatest(np.abs(points[1:] - points[:-1])) < SAME_CORNER
    again = np.append(False, near) & ~begins
    closing = (greatest(np.abs(points - points[first])) < SAME_CORNER) & ~begins
    keep = ~(again | closing)
    return points[keep], owner[keep]


def _middles(points: Array, begin: Indices, number: Indices) -> Array:
    """Of each outline that of its corners; of one with many, which may stand on one curved side, that of its sides by length."""
    corners = np.add.reduceat(points, begin, axis=0) / number[:, None]
    after = points[_following(len(points), begin, number)]
    long = np.hypot(after[:, 0] - points[:, 0], after[:, 1] - points[:, 1])
    moment = np.add.reduceat((points + after) * long[:, None], begin, axis=0)
    sides = moment / (2 * np.add.reduceat(long, begin))[:, None]
    return np.where((number > FEW_CORNERS)[:, None], sides, corners)


def _following(count: int, begin: Indices, number: Indices) -> Indices:
    """(n,) the place of the next corner of each corner's outline."""
    after = np.arange(1, count + 1)
    after[begin + number - 1] = begin
    return after


def _area(points: Array, begin: Indices, number: Indices) -> Array:
    """Of each outline."""
    after = points[_following(len(points), begin, number)]
    cross = points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]
    return np.asarray(np.abs(np.add.reduceat(cross, begin)) / 2)


def _flanks(sheet: Sheet) -> Array:
    """(n, 4) the ends of flat arcs: the flanks of a head may be curved."""
    circles = sheet.arcs.circles[:ARCS]
    circles = circles[every(np.abs(circles) < FARTHEST)]
    circles = circles[sweeps(circles) < FLAT]
    centre, radius, turns = circles[:, :2], circles[:, 2:3], circles[:, 3:5]
    ends = [centre + radius * np.column_stack((np.cos(turn), np.sin(turn))) for turn in np.radians(turns.T)]
    return np.concatenate(ends, axis=1)


def _open(ends: Array, size: float, longest: float) -> Heads:
    """Two short strokes of one length that meet at an acute angle."""
    with np.errstate(invalid="ignore", over="ignore"):  # a stroke may end nowhere
        length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    short = (length > SHORTEST * size) & (length < longest * size)
    ends = ends[short]
    if not len(ends):
        return _none()
    meets = np.concatenate((ends[:, :2], ends[:, 2:]))
    wings = np.concatenate((ends[:, 2:], ends[:, :2])) - meets
    cell = np.round(meets / (SAME_MEETING * size))
    order = _by_cell(cell)
    meets, wings, cell = meets[order], wings[order], cell[order]
    found = [_pairs(meets, wings, cell, step) for step in (1, 2, 3)]
    return Heads(*(np.concatenate([getattr(h, name) for h in found]) for name in ("tips", "ways", "lengths")))


def _by_cell(cell: Array) -> Indices:
    """(n,) the order of columns and rows (n, 2), whole numbers, by column, then by row."""
    if len(cell) and np.abs(cell).max() < _WIDE:  # one key is sorted in half the time of two
        return stable_order(cell[:, 0].astype(np.int64) * _STRIDE + cell[:, 1].astype(np.int64))
    return np.lexsort((cell[:, 1], cell[:, 0]))


def _pairs(meets: Array, wings: Array, cell: Array, step: int) -> Heads:
    """Heads of strokes that are `step` apart in order of where they meet."""
    if len(meets) <= step:
        return _none()
    same = np.flatnonzero((cell[:-step, 0] == cell[step:, 0]) & (cell[:-step, 1] == cell[step:, 1]))
    meets, one, other = meets[same], wings[same], wings[same + step]
    long, least = np.hypot(one[:, 0], one[:, 1]), np.hypot(other[:, 0], other[:, 1])
    cosine = scalar_products(one, other) / (long * least)
    good = (np.abs(long - least) < SAME_LENGTH * long) & (cosine > OPENING[0]) & (cosine < OPENING[1])
    axis = (one + other)[good] / 2
    length = np.hypot(axis[:, 0], axis[:, 1])
    return Heads(meets[good], -axis / length[:, None], length)
