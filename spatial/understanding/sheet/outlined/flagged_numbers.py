"""The numbers in flags, which refer to a note or to a revision and are often lettered lower than the notes.

A digit in a flag that its shape tells beyond doubt needs no lettering of its height beside it. Where a 1 is a bare stroke, the numbers in
the other flags of the sheet say what such strokes in a flag are: 11 is two of letter height.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Indices
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import SAME_HEIGHT, SINGLE, Line, has_pen, shares_pen
from spatial.understanding.sheet.outlined.rows import flags
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

MOST_DIGITS: Final = 2
"""Digits of the number of a note or of a revision."""
BARE: Final = 0.1
"""Width of a bare stroke in its height, at most."""
ONE: Final = "1"


def with_flagged_numbers(ink: Ink, lines: Sequence[Line], good: list[Line], certain: list[Line]) -> list[Line]:
    """The good lines with the digits in flags that are beyond doubt, and with the ones in flags that other numbers in flags tell.

    certain: the lines that say what the lettering of the sheet looks like.
    """
    chosen = {id(line) for line in good}
    short = [line for line in lines if id(line) not in chosen and len(line.spelled) <= MOST_DIGITS]
    if not short:
        return good
    flag = flags(ink)
    short = [line for line in short if _in_one(flag, line)]
    digits = [line for line in short if _is_digits(line) and shares_pen(line, certain)]
    numbers = [line for line in good if _in_one(flag, line) and "".join(line.signs()).isdecimal()] + digits
    ones = [line for line in short if _is_bare(line) and any(_is_alike(line, number) for number in numbers)]
    for line in ones:
        line.spelled = [Spelled(ONE, SURE) for _ in line.spelled]
        line.words = [list(range(len(line.spelled)))]
    return good + digits + ones


def _is_digits(line: Line) -> bool:
    """Whether a line is a number, each digit beyond doubt."""
    return "".join(line.signs()).isdecimal() and min(each.chance for each in line.spelled) >= SINGLE


def _is_bare(line: Line) -> bool:
    """Whether each glyph of a line is one upright stroke."""
    boxes = line.read.boxes
    wide, high = (boxes[:, 2:] - boxes[:, :2]).T
    return (
        not line.filled and all(len(glyph) == 1 for glyph in line.read.row.glyphs) and bool((wide <= BARE * high).all())
    )


def _in_one(flag: Indices, line: Line) -> bool:
    """Whether all of a line stands in one flag."""
    of = np.unique(flag[line.pieces])
    return len(of) == 1 and int(of[0]) >= 0


def _is_alike(line: Line, number: Line) -> bool:
    """Whether a line has the pen, the direction and the height of a number."""
    is_as_high = abs(line.read.height - number.read.height) <= SAME_HEIGHT * number.read.height
    return is_as_high and line.read.quarter == number.read.quarter and has_pen(number, line)
