"""Upper deviations that are written without their sign: FreeCAD writes `0.10` over `-0.10` behind a size.

A negative deviation cannot lack its sign (ISO 129-1), so one that does is positive.
"""

from __future__ import annotations

from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Piece, median_height

SAME_START: Final = 0.6
"""Letter heights between where two deviations begin: as much as a sign takes."""
LEAST_RISE, MOST_RISE = 0.8, 2.2
"""Letter heights of the upper baseline over the lower one."""
SAME_HEIGHT: Final = 0.95
"""Height of the smaller of two deviations by that of the other, at least."""
SMALLER: Final = 0.9
"""Height of deviations by that of their size, at most."""
BEHIND: Final = 2.0
"""Letter heights from a size to its deviations."""


def unsigned_uppers(pieces: list[Piece]) -> set[int]:
    """The ids of decimals over a negative deviation of as many places, where larger letters of a size stand before both."""
    lowers = [piece for piece in pieces if words.is_negative(piece.text)]
    if not lowers:
        return set()
    grid = 2 * median_height([piece.h for piece in pieces])
    begins: GrowingCellIndex[Piece] = GrowingCellIndex(grid)
    ends: GrowingCellIndex[Piece] = GrowingCellIndex(grid)
    for piece in pieces:
        begins.add(piece.u0, piece.v, piece)
        if words.is_plain(piece.text):
            ends.add(piece.u1, piece.v, piece)
    above = [(upper, lower) for lower in lowers if (upper := _above(lower, begins)) is not None]
    return {id(upper) for upper, lower in above if _has_size(upper, lower, ends)}


def _above(lower: Piece, begins: GrowingCellIndex[Piece]) -> Piece | None:
    """The one decimal that stands where the upper deviation does; None where several do."""
    h = lower.h
    near = begins.in_box(
        lower.u0 - SAME_START * h, lower.v + LEAST_RISE * h, lower.u0 + SAME_START * h, lower.v + MOST_RISE * h
    )
    fitting = [
        piece
        for piece in near
        if piece.cell == lower.cell
        and min(piece.h, h) >= SAME_HEIGHT * max(piece.h, h)
        and words.is_unsigned_over(piece.text, lower.text)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _has_size(upper: Piece, lower: Piece, ends: GrowingCellIndex[Piece]) -> bool:
    """Whether a size in larger letters ends before two deviations and stands between their lines."""
    h = lower.h / SMALLER
    before = ends.in_box(lower.u0 - BEHIND * h, lower.v - h, lower.u0 + SAME_START * h, upper.v)
    return any(
        size.cell == lower.cell and size.h >= h and lower.top <= size.top and size is not upper for size in before
    )
