"""Rows of cells whose sides are drawn as dashes, each a stroke of its own.

A program that draws all its thin lines dashed, or takes a drawing apart for printing, leaves a feature control frame without a side that
runs from corner to corner. Dashes in line, with gaps shorter than letters, are one side; it counts where such sides close a row of cells.

Glossary
  chain   dashes in line as one line: (at, low, high).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest, least
from spatial.models.sheet.drawing import Array, Sheet, Strokes

GAP: Final = 0.6
"""Letter heights between two dashes of a line."""
TOUCH: Final = 0.06
"""Letter heights within which ends touch and lines are one."""
CORNER: Final = 0.25
"""Letter heights by which sides may miss each other: a corner may lie in a gap."""
TALL: Final = (1.1, 11.0)
"""Letter heights of a side of cells: one row, or several over each other."""
LONGEST: Final = 60.0
"""Letter heights of the side of a row."""
BLANK: Final = 0.45
"""Part of a chain that the gaps between its dashes take at most."""
STRAIGHT: Final = 0.02
"""Letter heights by which the ends of a dash may be off its line, and a part of its length: exporters round."""
MOST: Final = 2000
"""Chains of one direction; a sheet with more is hatched in dashes."""
SIDES_OF_ROW: Final = 3
"""Sides of cells that end on a side along a row of them, which are two at least."""
ROUNDS: Final = 8
"""Times that chains which close nothing are left out; each frees those that met only them."""


def with_dashed_sides(sheet: Sheet) -> Sheet:
    """The sheet with the sides of rows of cells that are drawn as dashes as strokes from end to end; the sheet itself where it has none."""
    heights = [text.height for text in sheet.texts if text.visible and 0 < text.height < np.inf]
    sides = _known(sheet.strokes, float(np.median(heights))) if heights else np.zeros((0, 4))
    return replace(sheet, strokes=_with(sheet.strokes, sides)) if len(sides) else sheet


def _known(strokes: Strokes, height: float) -> Array:
    """The same as `dashed_sides`, looked for once for each height of letters."""
    if strokes.dashed_sides is None or strokes.dashed_sides[0] != height:
        strokes.dashed_sides = height, dashed_sides(strokes, height)
    return strokes.dashed_sides[1]


def dashed_sides(strokes: Strokes, height: float) -> Array:
    """(n, 4) the sides that are chains, from left to right or from below. height: of the letters of the sheet."""
    plain = ~(strokes.curved | strokes.dashed)
    ends = (strokes.ends[plain] if len(plain) == len(strokes.ends) else strokes.ends) / height
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.abs(ends[:, 2:] - ends[:, :2])
        sound = every(np.isfinite(ends)) & (greatest(size) < LONGEST) & (greatest(size) > 0)
    ends, size = ends[sound], size[sound]
    level, upright = (size[:, 1 - axis] <= STRAIGHT * np.minimum(1.0 + size[:, axis], 2.0) for axis in (0, 1))
    columns = _lines(ends[upright], 1)
    upright_chains = _chains(columns)
    if not len(upright_chains):
        return np.zeros((0, 4))
    rows = _lines(ends[level], 0)
    level_chains = _chains(rows)
    found = [np.zeros((0, 4))]
    for along, across, order in (
        ((level_chains, rows), (upright_chains, columns), (1, 0, 2, 0)),
        ((upright_chains, columns), (level_chains, rows), (0, 1, 0, 2)),
    ):
        long, short = _closing(*along, *across)
        found += [long[:, order], short[:, [order[1], order[0], order[3], order[2]]]]
    return np.asarray(np.concatenate(found) * height, float)


def _lines(ends: Array, axis: int) -> Array:
    """(n, 3) straight strokes along an axis as at, low, high, in order."""
    spans = ends[:, [axis, axis + 2]]
    lines = np.column_stack([ends[:, [1 - axis, 3 - axis]].mean(axis=1), least(spans), greatest(spans)])
    order = np.argsort(lines[:, 0], kind="stable")
    new = np.r_[True, np.diff(lines[order, 0]) > TOUCH][: len(lines)]
    number = np.empty(len(lines), np.int64)
    number[order] = np.cumsum(new)
    return np.asarray(lines[np.lexsort((lines[:, 1], number))], float)


def _chains(lines: Array) -> Array:
    """(n, 3) lines in order that stand in line with gaps between them: as far as they go, and from corner to corner where ends touch."""
    found: list[Array] = []
    for fewest in (-np.inf, TOUCH):
        whole, gaps = _joined(lines, fewest, GAP)
        length = whole[:, 2] - whole[:, 1]
        has_gaps = (gaps > TOUCH) & (gaps <= BLANK * length)
        found.append(whole[has_gaps & (length >= TALL[0]) & (length <= LONGEST)])
    chains = np.concatenate(found)
    return np.asarray(np.unique(chains, axis=0), float) if len(chains) else chains


def _without_gaps(lines: Array) -> Array:
    """(n, 3) lines in order, those that touch or overlap as one; without short ones."""
    whole, _ = _joined(lines, -np.inf, TOUCH)
    return np.asarray(whole[whole[:, 2] - whole[:, 1] >= TALL[0]], float)


def _joined(lines: Array, least_gap: float, most_gap: float) -> tuple[Array, Array]:
    """(n, 3) lines in order, each with those in line with it that follow after such gaps, and (n,) how long the gaps are together."""
    if not len(lines):
        return lines, np.zeros(0)
    in_line = np.abs(np.diff(lines[:, 0])) <= TOUCH
    shift = np.r_[0, np.cumsum(~in_line)] * (2 * LONGEST + np.ptp(lines[:, 1:]))
    gap = (lines[:, 1] + shift)[1:] - np.maximum.accumulate(lines[:, 2] + shift)[:-1]
    is_next = in_line & (gap > least_gap) & (gap <= most_gap)
    starts = np.flatnonzero(np.r_[True, ~is_next])
    whole = np.column_stack([lines[starts, :2], np.maximum.reduceat(lines[:, 2], starts)])
    return whole, np.add.reduceat(np.r_[0.0, np.where(is_next, np.maximum(gap, 0.0), 0.0)], starts)


def _closing(along: Array, rows: Array, across: Array, columns: Array) -> tuple[Array, Array]:
    """The chains along rows and across them that close cells, with one another or with lines drawn in one."""
    across = across[across[:, 2] - across[:, 1] <= TALL[1]]
    if not 0 < len(along) <= MOST or not 0 < len(across) <= MOST:
        return np.zeros((0, 3)), np.zeros((0, 3))
    long, high = map(_without_gaps, (rows, columns))
    high = high[high[:, 2] - high[:, 1] <= TALL[1]]
    for _ in range(ROUNDS):
        level = _in_order(np.concatenate([along, long]))
        stands = np.array([_ends_on(upright, level) for upright in across.tolist()], bool)
        across = across[stands]
        upright = np.concatenate([across, high])
        lies = np.array([_sides_on(side, upright) >= SIDES_OF_ROW for side in along.tolist()], bool)
        along = along[lies]
        if stands.all() and lies.all():
            break
    return along, across


def _in_order(lines: Array) -> Array:
    return np.asarray(lines[np.argsort(lines[:, 0], kind="stable")])


def _ends_on(upright: list[float], level: Array) -> bool:
    """Whether both ends of an upright are on lines along rows."""
    at, *ends = upright
    for end in ends:
        first, last = np.searchsorted(level[:, 0], (end - CORNER, end + CORNER))
        beside = level[first:last]
        if not ((beside[:, 1] <= at + CORNER) & (beside[:, 2] >= at - CORNER)).any():
            return False
    return True


def _sides_on(side: list[float], uprights: Array) -> int:
    """At how many places of a line along a row uprights end."""
    at, low, high = side
    ends = (np.abs(uprights[:, 1:] - at) <= CORNER).any(axis=1)
    places = np.sort(uprights[ends & (uprights[:, 0] >= low - CORNER) & (uprights[:, 0] <= high + CORNER), 0])
    return int((np.diff(places) > CORNER).sum()) + 1 if len(places) else 0


def _with(strokes: Strokes, sides: Array) -> Strokes:
    """Strokes and more of them, which are of no entity."""
    count = len(sides)
    no = np.zeros(count, bool)
    return Strokes(
        np.concatenate([strokes.ends, sides]),
        np.concatenate([strokes.width, np.zeros(count)]),
        np.concatenate([strokes.entity, np.full(count, -1)]),
        np.concatenate([strokes.dashed, no]),
        np.concatenate([strokes.curved, no]),
        None if strokes.filled is None else np.concatenate([strokes.filled, no]),
    )
