"""Texts that run over several cells of a feature control frame, cut where the sides of the cells stand.

SolidWorks and Creo write the tolerance and the datums of a frame as one text, `0,1ABC`, and draw the cells round its characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from spatial.understanding.sheet.lettering.pieces import Direction, Piece
from spatial.understanding.sheet.lettering.ruled import SIDE, Rules

LONGEST: Final = 24
"""Characters of a text in a frame."""
MOST: Final = 4000
"""Pieces of one direction that are looked at."""
UNDER: Final = 0.1
"""Letter heights by which the rules under and over a text may be off the ends of the side of a cell."""
TALLEST: Final = 3.4
"""Letter heights of the side of a cell."""


def cut_at_sides(direction: Direction, rules: Rules) -> None:
    """Cut the texts of a direction where the side of a ruled box stands between two of their characters."""
    crossed = rules.crossed_by_sides(direction.pieces[:MOST])
    for place in range(len(crossed) - 1, -1, -1):
        piece = direction.pieces[place]
        if crossed[place] and 1 < len(piece.text) <= LONGEST and len(piece.edges) == len(piece.text) + 1:
            parts = list(_parts(piece, rules))
            if len(parts) > 1:
                direction.pieces[place : place + 1] = parts


def _parts(piece: Piece, rules: Rules) -> Iterator[Piece]:
    sides = _sides(piece, rules)
    middles = [(begin + end) / 2 for begin, end in pairwise(piece.edges)]
    cuts = {sum(middle < side for middle in middles) for side in sides} - {0, len(middles)}
    for begin, end in pairwise((0, *sorted(cuts), len(middles))):
        text = piece.text[begin:end]
        if text.strip():
            first, last = begin + len(text) - len(text.lstrip()), begin + len(text.rstrip())
            edges = piece.edges[first : last + 1]
            yield replace(piece, text=text.strip(), u0=edges[0], u1=edges[-1], edges=edges, boxes=list(piece.boxes))


def _sides(piece: Piece, rules: Rules) -> list[float]:
    """Where the sides of boxes stand whose lower and upper rules pass under and over the text."""
    h = piece.h
    stems = rules.uprights(piece.u0, piece.u1, piece.v, piece.v + h)
    return [
        u
        for u, foot, head in stems
        if foot < piece.v - SIDE[0] * h
        and head > piece.v + SIDE[1] * h
        and head - foot < TALLEST * h
        and rules.levels(foot - UNDER * h, foot + UNDER * h, u, u)
        and rules.levels(head - UNDER * h, head + UNDER * h, u, u)
    ]
