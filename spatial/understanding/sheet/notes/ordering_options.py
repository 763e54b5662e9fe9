"""The legend of an ordering code: what each suffix of the part's number stands for, `-T: MATTE TIN`. It is no note on the part.

Glossary
  option   a suffix with its dash, a colon and what it stands for; a dash that marks an item of a list has a blank behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.notes.line import Line

_OPTION: Final = re.compile(r"(?:\*\s?)?[-\u2013][A-Z\d]{1,4}:\s")
_FEWEST: Final = 3
"""Options of a legend."""
_STEP: Final = 2.4
"""Letter heights from one line of the legend to the next."""
_INDENT: Final = 3.0
"""Letter heights by which its headings and further lines begin before or behind the line beside them."""


def without_options(found: Sequence[Line]) -> list[Line]:
    """The lines without those of such a legend: its options, what stands right under them, and their headings."""
    options = [line for line in found if _OPTION.match(line.mark + line.text)]
    if len(options) < _FEWEST:
        return list(found)
    grid: GrowingCellIndex[Line] = GrowingCellIndex(_STEP * median(line.height for line in found))
    for line in found:
        grid.add(line.box[0], line.level, line)
    gone = set(map(id, options))
    reached = list(options)
    while reached:
        at = reached.pop()
        aside, step = _INDENT * at.height, _STEP * at.height
        for line in grid.in_box(at.box[0] - aside, at.level - step, at.box[0] + aside, at.level + step):
            if id(line) not in gone and not line.number and _stand_together(at, line):
                gone.add(id(line))
                reached.append(line)
    return [line for line in found if id(line) not in gone]


def _stand_together(at: Line, line: Line) -> bool:
    """Whether a line stands right over or under one of a legend, begun about where it begins."""
    h = max(at.height, 1e-9)
    is_next = 0 < abs(at.level - line.level) < _STEP * h
    return is_next and line.cell == at.cell and abs(line.box[0] - at.box[0]) < _INDENT * h
