"""Rows above each other that are one callout or one note.

Glossary
  stack   rows with a common left edge, middle or right edge and regular spacing, from the top.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import Final

import numpy as np

from spatial.geometry.index import GrowingCellIndex, may_hold_points
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Piece, median_height
from spatial.understanding.sheet.lettering.ruled import Rules

CLOSEST: Final = 1.0
WIDEST: Final = 2.45
"""Spacing of baselines, in letter heights."""
CALLOUT_HEIGHTS: Final = (0.75, 1.34)
"""Least and greatest ratio of letter heights of two rows of one callout."""
WORDS_HEIGHT: Final = 0.6
"""The least of words without a figure under their size: ISO 3098 has letters of two neighbouring heights on a sheet."""
NOTE_HEIGHTS: Final = (0.85, 1.18)
"""The same of running words."""
ALIGNED: Final = 0.6
"""Letter heights by which edges of a stack may differ."""
NEXT_LINE: Final = 2.1
"""Spacing, in letter heights, up to which a line of a callout need not be aligned with that over it."""
UNDER: Final = 0.7
"""Part of the shorter of two such lines that the other covers, at least."""
LINES: Final = 60
"""Of one stack."""


def join_stacks(rows: list[Piece], rules: Rules) -> list[list[Piece]]:
    """Rows of one direction of direction, those that are read together in one list."""
    grid: GrowingCellIndex[Piece] = GrowingCellIndex(2 * median_height([row.h for row in rows]))
    for row in rows:
        for u in _edges(row):
            grid.add(u, row.v, row)
    below: dict[int, Piece] = {}
    taken: set[int] = set()
    over_others = compress(rows, _have_others_below(rows))
    for row in sorted(over_others, key=lambda r: (-r.v, r.u0)):
        lower = _next(row, grid, rules, taken)
        if lower is not None:
            below[id(row)] = lower
            taken.add(id(lower))
    return [_down(row, below) for row in rows if id(row) not in taken]


def _have_others_below(rows: list[Piece]) -> list[bool]:
    """Of each row whether another one may go on with it; most lettering of a drawing stands alone."""
    u0, u1, v, h = np.array([(row.u0, row.u1, row.v, row.h) for row in rows], float).reshape(-1, 4).T
    windows = np.column_stack([u0 - ALIGNED * h, v - WIDEST * h, u1 + ALIGNED * h, v - CLOSEST * h])
    places = np.column_stack([np.concatenate([u0, (u0 + u1) / 2, u1]), np.tile(v, 3)])
    found: list[bool] = may_hold_points(windows, places, 2 * median_height(h.tolist())).tolist()
    return found


def _edges(row: Piece) -> tuple[float, float, float]:
    return row.u0, (row.u0 + row.u1) / 2, row.u1


def _down(row: Piece, below: dict[int, Piece]) -> list[Piece]:
    found = [row]
    while id(found[-1]) in below and len(found) < LINES:
        found.append(below[id(found[-1])])
    return found


def _next(row: Piece, grid: GrowingCellIndex[Piece], rules: Rules, taken: set[int]) -> Piece | None:
    """The row under a row that goes on with it."""
    best, least = None, math.inf
    slack = ALIGNED * row.h
    apart: set[int] = set()
    for edge, u in enumerate(_edges(row)):
        for lower in grid.in_box(u - slack, row.v - WIDEST * row.h, u + slack, row.v - CLOSEST * row.h):
            drop = row.v - lower.v
            if id(lower) in taken or id(lower) in apart or lower is row or drop >= least:
                continue
            if abs(_edges(lower)[edge] - u) > slack:
                continue
            if _together(row, lower, rules):
                best, least = lower, drop
            else:
                apart.add(id(lower))
    best = best or _under(row, grid, rules, taken, apart)
    # A quantity that stands alone is of the size under it, where one is, and else of that over it.
    if best is not None and words.is_quantity(best.text) and _next(best, grid, rules, taken) is not None:
        return None
    return best


def _under(row: Piece, grid: GrowingCellIndex[Piece], rules: Rules, taken: set[int], apart: set[int]) -> Piece | None:
    """The next line of a callout that begins and ends anywhere under a row; `apart` are known not to go on with it."""
    window = (row.u0, row.v - NEXT_LINE * row.h, row.u1, row.v - CLOSEST * row.h)
    for lower in sorted(grid.in_box(*window), key=lambda each: -each.v):
        covered = min(row.u1, lower.u1) - max(row.u0, lower.u0)
        is_under = covered >= UNDER * min(row.u1 - row.u0, lower.u1 - lower.u0)
        if (
            is_under
            and id(lower) not in taken
            and id(lower) not in apart
            and words.continues(row.text, lower.text)
            and _together(row, lower, rules)
        ):
            return lower
    return None


def _together(row: Piece, lower: Piece, rules: Rules) -> bool:
    least = CALLOUT_HEIGHTS[0] if words.has_digit(lower.text) else WORDS_HEIGHT
    if row.cell != lower.cell or not least * row.h <= lower.h <= CALLOUT_HEIGHTS[1] * row.h:
        return False
    if words.continues(row.text, lower.text):
        return not words.is_wide_deviation(row.text, lower.text) or not _are_ruled_apart(row, lower, rules)
    if not words.flows(row.text, lower.text) or not NOTE_HEIGHTS[0] * row.h <= lower.h <= NOTE_HEIGHTS[1] * row.h:
        return False
    are_sizes = words.has_digit(row.text) and words.has_digit(lower.text)
    return not _are_ruled_apart(row, lower, rules) and not (are_sizes and rules.have_own_lines(row, lower))


def _are_ruled_apart(row: Piece, lower: Piece, rules: Rules) -> bool:
    """Whether a line runs between two rows."""
    return rules.line_between(
        lower.v + 0.9 * lower.h, row.v - 0.02 * row.h, max(row.u0, lower.u0), min(row.u1, lower.u1)
    )
