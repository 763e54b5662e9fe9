"""Rows among what the first rows left over: lettering that stands beside or in parts of a view.

Rows are found among all small pieces of a sheet. An arrowhead, an edge or a column of figures is nearer to a letter than its neighbour,
and a large thing takes small letters for its dots. Once lines read well they say how large letters are, and with which pen they are
drawn: rows are found again among the pieces alone that may be such letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Flags, Indices
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.ink import Ink, ink_of
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import Row, find_rows
from spatial.understanding.sheet.outlined.spelled import SURE

LARGE, SMALL = (0.6, 1.5), 0.35
"""Capital heights of the larger side of what may be a letter, and of what may be a point or a dash of one."""
SAME_PEN: Final = 0.03
"""Part by which the pens of lettering of one style differ."""
FEWEST, LETTERS = 2, 8
"""Glyphs of a row, and letters of a style from which it says what letters look like."""
MOST: Final = 3_000
"""Pieces that rows are found among: more are parts of views."""


def rows_of_rest(ink: Ink, reads: Sequence[ReadRow], well: Flags) -> list[Row]:
    """Rows of the pieces that no row has which reads well, and which are as large as letters of those rows.

    well: (n,) which rows read well.
    """
    free = _free(ink, reads, well)
    styles = _styles(ink, [read for read, is_well in zip(reads, well.tolist(), strict=True) if is_well])
    letters, points = _like_letters(ink, styles)
    places = np.flatnonzero(free & (letters | points))
    if not FEWEST <= len(places) <= MOST:
        return []
    rows = rows_of(ink, places)
    known = {_key(read.row) for read in reads}
    return [
        row for row in rows
        if sum(bool(letters[glyph].any()) for glyph in row.glyphs) >= FEWEST and _key(row) not in known
    ]  # fmt: skip


def rows_of(ink: Ink, places: Indices, directions: tuple[int, ...] = (0, 1)) -> list[Row]:
    """The rows of some of the components of a sheet, ascending, as `find_rows` finds them."""
    found = find_rows(ink_of(ink, places), directions)
    return [
        Row(row.quarter, [[int(places[each]) for each in glyph] for glyph in row.glyphs], row.height) for row in found
    ]


def _key(row: Row) -> frozenset[int]:
    return frozenset(row.pieces)


def _free(ink: Ink, reads: Sequence[ReadRow], well: Flags) -> Flags:
    """(k,) which components are of no row that reads well, or whose glyphs do by themselves."""
    free = np.ones(len(ink.boxes), bool)
    for read, is_well in zip(reads, well.tolist(), strict=True):
        if (is_well or (len(read.boxes) >= FEWEST and read.fit >= SURE)) and not _are_brackets(read):
            free[read.row.pieces] = False
    return free


def _are_brackets(read: ReadRow) -> bool:
    """Whether a row is of brackets alone, by their glyphs, which are round two lines and hold points of both."""
    signs = [CLASSES[number] for number in read.alike.argmax(axis=1).tolist()]
    return any(sign in "[](){}" for sign in signs if sign) and not any(sign.isalnum() for sign in signs)


def _styles(ink: Ink, reads: Sequence[ReadRow]) -> list[tuple[float, float]]:
    """Capital height and pen of the lettering of rows."""
    letters: dict[tuple[float, float], int] = {}
    for read in reads:
        pen = float(np.median(ink.width[read.row.pieces]))
        style = (round(read.height, 2), pen)
        letters[style] = letters.get(style, 0) + len(read.boxes)
    return [style for style in letters if _count(letters, style) >= LETTERS]


def _count(letters: dict[tuple[float, float], int], style: tuple[float, float]) -> int:
    """Letters of about a style."""
    height, pen = style
    return sum(
        count
        for (other, of), count in letters.items()
        if abs(other - height) <= SMALL * height / 3 and abs(of - pen) <= SAME_PEN * abs(pen)
    )


def _like_letters(ink: Ink, styles: Sequence[tuple[float, float]]) -> tuple[Flags, Flags]:
    """(k,) which components are as large as letters of a style, and which as its points, and drawn with its pen."""
    size = (ink.boxes[:, 2:] - ink.boxes[:, :2]).max(axis=1, initial=0.0)
    letters, points = np.zeros(len(size), bool), np.zeros(len(size), bool)
    for height, pen in styles:
        same = np.abs(ink.width - pen) <= SAME_PEN * abs(pen)
        letters |= same & (size >= LARGE[0] * height) & (size <= LARGE[1] * height)
        points |= same & (size <= SMALL * height)
    return letters, points
