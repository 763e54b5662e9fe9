"""Which way lettering reads, and the upright frame of axes in which it reads from left to right: a sheet may be turned by quarters."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from spatial.models.sheet.drawing import Box, Text

_SAME_LINE: Final = 0.55
"""Of the lower box's height that two boxes of one line share."""
_DASHED: Final = re.compile(r"[-\u2010-\u2013]\w")
_LETTER_GAP: Final = 0.15
"""Letter heights between two letters of a word."""
_LEAST_HEIGHT: Final = 1e-12
"""Sheet units: of a box without height."""


def quarter_turn(angle: float) -> int:
    """The nearest of 0, 90, 180 and 270 degrees."""
    return round(angle / 90) * 90 % 360


def quarter(texts: Iterable[Text]) -> int:
    """Direction that most characters of `texts` read in: 0, 90, 180 or 270."""
    votes: Counter[int] = Counter()
    for text in texts:
        if math.isfinite(text.angle):
            votes[quarter_turn(text.angle)] += len(text.text.strip())
    return votes.most_common(1)[0][0] if votes else 0


def turned(box: Box, angle: int) -> Box:
    """`box` in the upright frame of lettering that reads at `angle` (a multiple of 90)."""
    if angle == 0:
        return box
    x1, y1, x2, y2 = box
    return {90: (y1, -x2, y2, -x1), 180: (-x2, -y2, -x1, -y1), 270: (-y2, x1, -y1, x2)}[angle]


def lines(texts: Sequence[Text]) -> list[str]:
    """The lines of `texts` from the top as they read; texts of one line are joined by a space, a number that goes on by none."""
    angle = quarter(texts)
    return ["".join(_with_gaps(line, angle)).strip() for line in lines_of_texts(texts)]


def _with_gaps(line: Sequence[Text], angle: int) -> Iterator[str]:
    """The texts of a line with what stands between them."""
    for place, text in enumerate(line):
        last = line[place - 1]
        gap = turned(text.box, angle)[0] - turned(last.box, angle)[2]
        if place and not goes_on(last.text, text.text, gap / max(min(last.height, text.height), _LEAST_HEIGHT)):
            yield " "
        yield text.text


def goes_on(first: str, second: str, gap: float) -> bool:
    """Whether `second` is a dash and what follows it, as near behind a letter or digit as letters of a word: C and -1042.

    gap: in heights of the lower letters.
    """
    return _DASHED.match(second) is not None and first[-1:].isalnum() and abs(gap) <= _LETTER_GAP


def lines_of_texts(texts: Sequence[Text]) -> list[list[Text]]:
    """`texts` line by line from the top, each line from the left."""
    angle = quarter(texts)
    placed = [(text, turned(text.box, angle)) for text in texts]
    placed.sort(key=lambda each: -(each[1][1] + each[1][3]))
    found: list[list[tuple[Text, Box]]] = []
    for text, box in placed:
        if found and _are_level(found[-1][0][1], box):
            found[-1].append((text, box))
        else:
            found.append([(text, box)])
    return [[text for text, _ in sorted(line, key=lambda each: each[1][0])] for line in found]


def _are_level(first: Box, second: Box) -> bool:
    """Whether two boxes stand on one line: they share most of the lower one's height."""
    shared = min(first[3], second[3]) - max(first[1], second[1])
    return shared > _SAME_LINE * max(min(first[3] - first[1], second[3] - second[1]), _LEAST_HEIGHT)
