"""Words that make a dimension an extreme and stand apart from its text, at the end of its line: MAX DIMENSION OF THE OPENING."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.label import Label

REACH: Final = 5.0
"""Letter heights from the tip of the dimension to the words."""
ASIDE: Final = 1.5
"""Letter heights of the middle of the words from the dimension's line."""
INTO: Final = 0.5
"""Letter heights that the words may reach over the tip."""
MOST: Final = 50
"""Such words on a sheet."""

_EXTREME = re.compile(r"(?:max|min)(?:imum|imal|\.)?\b\D*", re.IGNORECASE)


def join_extremes(labels: list[Label], dimensions: Sequence[Dimensioning]) -> list[Label]:
    """Labels with such words put before the size that they belong to."""
    words = [label for label in labels if label.role == "free" and _EXTREME.fullmatch(label.text)][:MOST]
    for word in words:
        source = next((d.sources[0] for d in dimensions if d.sources and _at_end(word, d)), None)
        size = next((label for label in labels if source in label.sources and label.role == "dimension"), None)
        if size is None:
            continue
        whole = replace(size, lines=word.lines + size.lines, sources=word.sources + size.sources)
        labels = [whole if label is size else label for label in labels if label is not word]
    return labels


def _at_end(word: Label, dimension: Dimensioning) -> bool:
    """Whether words stand on the line of a dimension, beyond one of its tips."""
    tips = dimension.further.get("arrow_tips", ())
    if len(tips) != 2 or dimension.type == "angular":
        return False
    (x0, y0), (x1, y1) = tips
    long = math.dist(*tips)
    if not long:
        return False
    way = (x1 - x0) / long, (y1 - y0) / long
    off = word.position[0] - x0, word.position[1] - y0
    along, aside = off[0] * way[0] + off[1] * way[1], off[1] * way[0] - off[0] * way[1]
    half = (abs(way[0]) * (word.box[2] - word.box[0]) + abs(way[1]) * (word.box[3] - word.box[1])) / 2
    gap = max(-along, along - long) - half
    return bool(abs(aside) < ASIDE * word.height and -INTO * word.height < gap < REACH * word.height)
