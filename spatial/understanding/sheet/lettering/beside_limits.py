"""Words that hold for a size whose limits stand over each other, beside their middle: `THRU` behind 18.993 over 18.972 (ASME Y14.5)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.label import Label, joined
from spatial.understanding.sheet.lettering.words import spread_limits_pair

GAP: Final = 1.0
"""Letter heights from the limits to the words."""
OFF_MIDDLE: Final = 0.3
"""Letter heights of the middle of the words from that of the two lines: on one of them they belong to it alone."""
MOST: Final = 50
"""Such words on a sheet."""

_WORDS: Final = re.compile(rf"{words('through')}(?:\s{words('through')})?|{words('typical')}\.?")


def join_words_beside(labels: list[Label]) -> list[Label]:
    """Labels of two limits with the words beside their middle put behind the lower one."""
    beside = [label for label in labels if len(label.lines) == 1 and _WORDS.fullmatch(label.text)][:MOST]
    limits = [label for label in labels if _are_limits(label)] if beside else []
    for word in beside:
        size = next((each for each in limits if _holds_for(word, each)), None)
        if size is None:
            continue
        limits = [each for each in limits if each is not size]
        whole = _joined(size, word)
        labels = [whole if label is size else label for label in labels if label is not word]
    return labels


def _are_limits(label: Label) -> bool:
    return len(label.lines) == 2 and not label.boxed and spread_limits_pair(*label.lines)


def _holds_for(word: Label, size: Label) -> bool:
    if word.page != size.page or word.angle != size.angle or round(size.angle) % 90:
        return False
    own, box, height = _upright(word), _upright(size), size.height
    level = abs((own[1] + own[3]) - (box[1] + box[3])) / 2 < OFF_MIDDLE * height
    return level and -OFF_MIDDLE * height < own[0] - box[2] < GAP * height


def _joined(size: Label, word: Label) -> Label:
    upper, lower = size.lines
    whole = joined(size, word, size, (upper, f"{lower} {word.text}"))
    return replace(whole, role=word.role) if size.role == "free" else whole


def _upright(label: Label) -> Box:
    return turned(label.box, round(label.angle) % 360)
