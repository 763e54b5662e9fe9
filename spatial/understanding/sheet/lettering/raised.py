"""Classes and brackets that stand on the upper line of two deviations go down to the line of their size.

SolidWorks writes `Ø8 H10 (+0,058 0)` with the class beside the upper deviation, and brackets as tall as both lines are.

Glossary
  pair      two deviations above each other; its line is that of the lower one.
  tall      a bracket drawn round a pair; limits within one are one line, as deviations are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Piece, median_height

SAME_LINE: Final = 0.3
"""Letter heights by which baselines of one line may differ."""
BELOW_TOP: Final = 0.4
"""Letter heights below the top of a pair up to which its upper line's baseline lies."""
TALL: Final = 1.4
"""Heights of one line from which a bracket is one round two limits: `Ø8 P6 (7.99 / 7.98)`."""
HALF_UP: Final = 0.9
"""Letter heights of a size over the lower of two limits that stand in a bracket above and below its middle."""
NEXT: Final = 1.2
"""Letter heights from the end of one piece to where the next begins."""


def lower_raised(pieces: list[Piece]) -> None:
    """Put raised classes and tall brackets on the line of the size before them, where it stands on the lower line of its deviations."""
    pairs = [piece for piece in pieces if piece.kind == "pair"]
    if not pairs:
        return
    ends: GrowingCellIndex[Piece] = GrowingCellIndex(2 * median_height([piece.h for piece in pieces]))
    for piece in pieces:
        ends.add(piece.u1, piece.v, piece)
        if piece.text == ")":
            ends.add(piece.u0, piece.v, piece)
    for pair in pairs:
        _lower_beside(pair, ends)


def _lower_beside(pair: Piece, ends: GrowingCellIndex[Piece]) -> None:
    opening = next((piece for piece in _before(pair, pair.u0, ends) if piece.text == "("), None)
    if pair.lines and (opening is None or opening.h < TALL * pair.h):
        return
    begin = pair.u0 if opening is None else opening.u0
    raised = (piece for piece in _before(pair, begin, ends) if words.begins_with_class(piece.text))
    named = next((piece for piece in raised if piece.v - pair.v > SAME_LINE * pair.h), None)
    begin = begin if named is None else named.u0
    sizes = (
        piece for piece in _before(pair, begin, ends) if words.has_digit(piece.text[-1:]) or words.is_class(piece.text)
    )
    highest = HALF_UP if pair.lines else SAME_LINE
    size = next((p for p in sizes if -SAME_LINE * pair.h <= p.v - pair.v <= highest * pair.h and p is not named), None)
    if size is None:
        return
    closing = next((piece for piece in _after(pair, ends) if piece.text == ")"), None)
    is_bracketed = bool(pair.lines) and closing is not None
    if is_bracketed:
        pair.lines = ()
    for piece in (opening, named, closing, pair if is_bracketed else None):
        if piece is not None:
            piece.top += size.v - piece.v
            piece.v = size.v
            piece.h = min(piece.h, size.h) if is_bracketed else piece.h


def _before(pair: Piece, u: float, ends: GrowingCellIndex[Piece]) -> Iterator[Piece]:
    """What ends before a place, on either line of a pair."""
    h = pair.h
    window = (u - NEXT * h, pair.v - SAME_LINE * h, u + SAME_LINE * h, pair.top - BELOW_TOP * h)
    return (piece for piece in ends.in_box(*window) if piece is not pair and piece.cell == pair.cell)


def _after(pair: Piece, ends: GrowingCellIndex[Piece]) -> Iterator[Piece]:
    h = pair.h
    window = (pair.u1 - SAME_LINE * h, pair.v - SAME_LINE * h, pair.u1 + NEXT * h, pair.top - BELOW_TOP * h)
    return (piece for piece in ends.in_box(*window) if piece is not pair and piece.cell == pair.cell)
