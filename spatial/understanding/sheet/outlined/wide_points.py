"""Numbers whose point stands far from the digit behind it, as where every character takes the same width: 104, 8±0. 10.

What begins with 0 is a number whatever gap is in it, and several lines that are nothing but digits, a point and digits with a unit are
sizes, no items of a list. Where those of one lettering have the gap, all its numbers have: the mark of an item, as in `2. 4X M3`, has a
blank behind it on top of that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.lines import Line

SAME_GAP: Final = 0.2
"""Capital heights by which the gaps behind the points of one lettering differ; a blank is wider than that."""
SAME_SIZE: Final = 0.1
"""Part by which the heights of lines of one lettering differ."""
FEWEST: Final = 2
"""Numbers that begin with 0 and have the gap, from which the lettering has it."""
WIDE: Final = 0.3
"""Capital heights from which the gap behind a point is wide."""
FEWEST_SIZES: Final = 2
"""Lines that are sizes with a unit and have the gap, from which the lettering has it."""
LONGEST_ITEM: Final = 2
"""Characters of the mark of an item, with its point: lines of sizes may be a list of less than ten."""
_WHOLE: Final = re.compile(r"\d{1,4}[.,] \d{1,4} ?(?:mm|\(mm\)|cm|in)", re.IGNORECASE)
"""A line that is a size with its unit and nothing else."""
_ZERO: Final = re.compile(r"(?<![\d.,])0[.,](?=\d)")
_POINTED: Final = re.compile(r".*\d[.,]")


def join_wide_points(lines: Sequence[Line]) -> None:
    """Make one word of those that are one number by the gaps of their lettering."""
    known = np.array([found for line in lines for found in _gaps_of_zeros(line)], float).reshape(-1, 2)
    whole = [line for line in lines if _is_whole(line)]
    listed = all(len(_texts(line)[0]) <= LONGEST_ITEM for line in whole)
    sizes = np.array([] if listed else [(line.read.height, _gap(line, 1)) for line in whole], float).reshape(-1, 2)
    for line in lines:
        gaps = known[np.abs(known[:, 0] - line.read.height) <= SAME_SIZE * line.read.height, 1]
        wide = gaps[gaps >= WIDE]
        if len(wide) >= FEWEST and len(wide) > len(gaps) / 2:
            line.words = _joined(line, wide)
            continue
        gaps = sizes[np.abs(sizes[:, 0] - line.read.height) <= SAME_SIZE * line.read.height, 1]
        if len(gaps) >= FEWEST_SIZES:
            line.words = _joined(line, gaps)


def _gaps_of_zeros(line: Line) -> list[tuple[float, float]]:
    """Height of the line, and gap in its capital heights behind the point, of each number that begins with 0."""
    height, boxes = line.read.height, line.read.boxes
    signs = "".join(each.sign for each in line.spelled)
    ends = [found.end() for found in _ZERO.finditer(signs)] if len(signs) == len(boxes) else []
    return [(height, float(boxes[end, 0] - boxes[end - 1, 2]) / height) for end in ends]


def _is_whole(line: Line) -> bool:
    """Whether a line is a size whose point stands far from the digit behind it, with a unit."""
    return len(line.words) > 1 and _WHOLE.fullmatch(" ".join(_texts(line))) is not None


def _joined(line: Line, gaps: Array) -> list[list[int]]:
    texts = _texts(line)
    words = [line.words[0]]
    for place in range(1, len(texts)):
        is_number = bool(_POINTED.fullmatch(texts[place - 1])) and texts[place][:1].isdigit()
        if is_number and (np.abs(gaps - _gap(line, place)) <= SAME_GAP).any():
            words[-1] = words[-1] + line.words[place]
        else:
            words.append(line.words[place])
    return words


def _texts(line: Line) -> list[str]:
    return ["".join(line.spelled[place].sign for place in word) for word in line.words]


def _gap(line: Line, place: int) -> float:
    """Capital heights before a word."""
    before, word = line.words[place - 1], line.words[place]
    return float(line.read.boxes[word[0], 0] - line.read.boxes[before[-1], 2]) / line.read.height
