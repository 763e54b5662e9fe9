"""The ones in flags: where a 1 is a bare stroke, the numbers in the other flags of the sheet say what such strokes in a flag are.

A flag around a number refers to a note or to a revision (ASME Y14.100 and ISO 7573 practice); 11 in it is two strokes of letter height.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Indices
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import SAME_HEIGHT, Line, has_pen
from spatial.understanding.sheet.outlined.rows import flags
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

MOST_ONES: Final = 2
"""Ones of a number of nothing else: no drawing has 111 notes."""
BARE: Final = 0.1
"""Width of a bare stroke in its height, at most."""
ONE: Final = "1"


def with_flagged_ones(ink: Ink, lines: Sequence[Line], good: list[Line]) -> list[Line]:
    """The good lines with the ones in flags, where other flags hold numbers in the same lettering."""
    chosen = {id(line) for line in good}
    short = [line for line in lines if id(line) not in chosen and len(line.pieces) <= MOST_ONES and _is_bare(line)]
    if not short:
        return good
    flag = flags(ink)
    numbers = [line for line in good if _in_one(flag, line) and "".join(line.signs()).isdecimal()]
    found = [line for line in short if _in_one(flag, line) and any(_is_alike(line, number) for number in numbers)]
    for line in found:
        line.spelled = [Spelled(ONE, SURE) for _ in line.spelled]
        line.words = [list(range(len(line.spelled)))]
    return good + found


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
