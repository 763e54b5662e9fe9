"""Deviations and words in smaller letters that stand over the size that they belong to: ±0.05 over 4.8, REF over the end of 8.

Drawings of 2D programs of Japan have them so, further along the more room there is: none of them shares a line with its size. Others
raise deviations over the end of a size as an exponent, and DIN 406 once raised the class of a bore so and lowered that of a shaft.
"""

from __future__ import annotations

from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Piece, median_height
from spatial.understanding.sheet.lettering.ruled import Rules

SMALLER: Final = 0.9
"""Height by that of its size that what stands over it has at most."""
AS_TALL: Final = 1.05
"""The same of a class that stands behind the end of its size."""
LEAST: Final = 0.6
"""The same at least, unless it stands over the end of its size."""
LEAST_AT_END: Final = 0.45
RISE: Final = (0.6, 1.7)
"""Heights of the size between which its baseline lies over that of the size."""
RISE_IN_TWO_UNITS: Final = 2.0
"""The same at most of deviations in two units, whose lines stand further apart."""
BESIDE: Final = 0.6
"""Heights of the size that it begins behind its end at most."""
COVERED: Final = 0.3
"""Part of the shorter of the two that the other stands over, where it begins earlier than the size."""
INTO: Final = 0.1
"""Letter heights that a line may reach into what it bounds."""
WIDEST: Final = 6.0
"""Heights of what stands over a size from whose ends the size begins at most."""


def join_over_sizes(pieces: list[Piece], rules: Rules) -> list[Piece]:
    """Pieces with what stands over a size put behind it; each size takes one, and each goes to the nearest size."""
    above = [piece for piece in pieces if _stands_over(piece)]
    sizes = [piece for piece in pieces if words.is_size(piece.text) and words.has_digit(piece.text)]
    if not above or not sizes:
        return pieces
    grid: GrowingCellIndex[Piece] = GrowingCellIndex(2 * median_height([piece.h for piece in sizes]))
    for size in sizes:
        grid.add(size.u0, size.v, size)
    above = [piece for piece in above if not any(_is_behind(piece, size) for size in _before(piece, grid))]
    gone: set[int] = set()
    taken: set[int] = set()
    for piece in sorted(above, key=lambda each: (-each.v, each.u0)):
        under = (size for size in _under(piece, grid) if id(size) not in taken and _belongs(piece, size, rules))
        nearest = min(under, key=lambda each: piece.v - each.v, default=None)
        if nearest is not None:
            if words.is_deviation(piece.text):
                piece.text = words.close_up(piece.text)
            nearest.absorb(piece, " ")
            taken.add(id(nearest))
            gone.add(id(piece))
    return [piece for piece in pieces if id(piece) not in gone]


def _stands_over(piece: Piece) -> bool:
    """Whether a piece is a tolerance, or a word such as REF and MAX."""
    if piece.kind == "pair":
        return not piece.lines and piece.text[0] in "+-−–0"
    if words.is_deviation(piece.text) or _is_class_of_bore(piece.text):
        return True
    return piece.text.isalpha() and words.is_suffix(piece.text)


def _is_class_of_bore(text: str) -> bool:
    return text[0].isupper() and words.is_class(text)


def _before(piece: Piece, grid: GrowingCellIndex[Piece]) -> list[Piece]:
    h = piece.h / LEAST_AT_END
    return grid.in_box(piece.u0 - WIDEST * piece.h / LEAST_AT_END, piece.v - h, piece.u0, piece.v + h)


def _is_behind(piece: Piece, size: Piece) -> bool:
    """Whether a piece stands right behind a size on its line, to which it belongs first."""
    return abs(piece.v - size.v) < RISE[0] * size.h and -BESIDE * size.h < piece.u0 - size.u1 < BESIDE * size.h


def _under(piece: Piece, grid: GrowingCellIndex[Piece]) -> list[Piece]:
    h = piece.h
    return grid.in_box(
        piece.u0 - WIDEST * h / LEAST_AT_END, piece.v - RISE_IN_TWO_UNITS * h / LEAST_AT_END, piece.u1, piece.v
    )


def _belongs(piece: Piece, size: Piece, rules: Rules) -> bool:
    h, covered = size.h, min(piece.u1, size.u1) - max(piece.u0, size.u0)
    is_at_end = piece.u0 > size.u0 and piece.u0 - size.u1 < BESIDE * h
    ends_behind = is_at_end and piece.u1 > size.u1
    is_covering = covered > COVERED * min(piece.u1 - piece.u0, size.u1 - size.u0)
    return (
        piece.cell == size.cell
        and (LEAST_AT_END if ends_behind else LEAST) * h <= piece.h < _tallest(piece, size) * h
        and RISE[0] * h < piece.v - size.v < _highest(piece) * h
        and (ends_behind if _is_lone(piece) else is_at_end or is_covering)
        and not rules.line_between(
            size.top - INTO * h, piece.v + INTO * h, max(piece.u0, size.u0), max(min(piece.u1, size.u1), piece.u0)
        )
    )


def _is_lone(piece: Piece) -> bool:
    """Whether a piece is one signed deviation or a class, which may be of any size about it unless it stands over its end."""
    return piece.kind != "pair" and (piece.text[0] in "+-−–" or _is_class_of_bore(piece.text))


def _tallest(piece: Piece, size: Piece) -> float:
    """Height by that of its size that a piece has less than; a class at the very end of a size may be as tall as that."""
    is_at_end = words.is_usual_class(piece.text) and -INTO * size.h < piece.u0 - size.u1
    return AS_TALL if is_at_end else SMALLER


def _highest(piece: Piece) -> float:
    return RISE_IN_TWO_UNITS if "[" in piece.text else RISE[1]
