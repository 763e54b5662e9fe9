"""Curves that are drawn in steps shorter than anyone sees, as fewer pieces.

Plotter files draw a circle in a hundred strokes, and paint the letters of filled fonts with a pen, dot by dot: a sheet with little on
it has 200,000 strokes. What a pen draws is no other line where its path is straightened by a part of its width.

Glossary
  run   strokes that are drawn one after the other, each from where the one before it ends, with one pen.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Indices

HIDDEN: Final = 0.25
"""Part of the width of a pen by which its path is moved at most: its edge goes on to lie within what it drew."""
PASSES: Final = 16
"""How often two neighbours are made one: 65,000 steps of one run at most."""


def without_steps(ends: Array, width: Array, slack: float) -> tuple[Array, Indices]:
    """The pieces (p, 4) that runs of strokes are, and the piece (n,) of each stroke; each is of the pen of its strokes.

    ends, width: (n, 4), (n,) in the order of drawing; slack: how near pieces touch, in the sheet's units.
    """
    pieces, pens, moved = ends.copy(), width.copy(), np.zeros(len(ends))
    first = np.arange(len(ends))
    for _ in range(PASSES):
        meets = (np.abs(pieces[1:, :2] - pieces[:-1, 2:]).max(axis=1, initial=0.0) <= slack) & (pens[1:] == pens[:-1])
        off = np.maximum(moved[1:], moved[:-1]) + _off_chord(pieces[:-1, :2], pieces[:-1, 2:], pieces[1:, 2:])
        joints = _apart(np.flatnonzero(meets & (off <= slack + HIDDEN * pens[:-1])))
        if not len(joints):
            break
        pieces[joints, 2:], moved[joints] = pieces[joints + 1, 2:], off[joints]
        kept = np.ones(len(pieces), bool)
        kept[joints + 1] = False
        pieces, pens, moved, first = pieces[kept], pens[kept], moved[kept], first[kept]
    return pieces, np.searchsorted(first, np.arange(len(ends)), side="right") - 1


def _off_chord(begin: Array, middle: Array, end: Array) -> Array:
    """(n,) how far each middle (n, 2) is from the line between the other two."""
    chord, along = end - begin, middle - begin
    length = np.maximum((chord * chord).sum(axis=1), 1e-18)
    part = np.clip((along * chord).sum(axis=1) / length, 0.0, 1.0)
    return np.asarray(np.hypot(*(along - part[:, None] * chord).T))


def _apart(joints: Indices) -> Indices:
    """Every second one of those of which each follows the other, so that no piece is at two of them."""
    places = np.arange(len(joints))
    begins = np.concatenate([[True], np.diff(joints) > 1])[: len(joints)]
    firsts = np.maximum.accumulate(np.where(begins, places, 0))
    return np.asarray(joints[(places - firsts) % 2 == 0])
