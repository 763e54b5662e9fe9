"""A line that is centred under a size in letters as high as its own: what the size is of, or how deep its hole is.

Offices write so across the dimension line: 1000±20 over `twisted`, 2.5 BSC over `(PITCH)`, 4-M3 over `3 MIN DEEP`. A caption of a view
stands further down, and a column of texts has another line as near below. A size without more than its number is no callout. A depth alone,
which is of no hole, may also stand on the line of its hole: `Ø100 H7  8,5 tief`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from spatial.knowledge.callout_words import BASIC_WORD
from spatial.knowledge.callout_words import words as callout_words
from spatial.models.sheet.drawing import Array, Box, Text
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label, are_read_alike, is_upright, joined, upright_box

CENTRED: Final = 0.15
"""Letter heights between the middles of the size and the line, at most."""
SPACING: Final = (1.1, 2.0)
"""Letter heights between their baselines."""
SPACING_OF_REMARK: Final = 2.4
"""The same at most of words in brackets, which are no caption."""
SAME_HEIGHT: Final = 0.08
"""Part by which the heights of their letters differ."""
REACH: Final = 3.0
"""Letter heights round a size in which such a line is looked for."""
BEHIND: Final = (0.2, 2.5)
"""Letter heights from the end of a hole to a depth on its line."""
OFF_LINE: Final = 0.25
"""Letter heights between their baselines."""
FURTHER: Final = 1.2
"""How much further down the next line stands than the words under the size, at least."""
MOST: Final = 200
"""Sizes of one sheet."""

_NUMBER: Final = r"(?:\d{1,5}(?:[.,]\d{1,5})?|[.,]\d{1,5})"
_COUNT: Final = r"(?:\(?\d{1,3}\)?\s?[xX×-]\s?)?"
_HOLE: Final = re.compile(rf"\(?{_COUNT}(?:[Øø⌀∅φ]\s?{_NUMBER}|M\s?{_NUMBER})")
_EXPLICIT: Final = re.compile(
    rf"{_HOLE.pattern}|{_COUNT}{_NUMBER}\s?(?:mm\s?)?(?:±\s?{_NUMBER}|(?:0\s)?[+\-−–]\s?\d?[.,]\d|{BASIC_WORD})"
)
"""What is a callout by itself."""
_WORDS: Final = re.compile(r"[^\W\d_]{3,20}(?:[\s/.-]{1,2}[^\W\d_]{1,20}){0,4}[.,]?")
_REMARK: Final = re.compile(rf"\({_WORDS.pattern}\)")
_DEPTH: Final = re.compile(
    rf"{_NUMBER}\s?(?:mm\s?)?(?:m[ai]x\.?\s|m[ai]n\.?\s)?{callout_words('depth')}|{callout_words('depth')}\s?{_NUMBER}(?:\s?m[ai][xn]\.?)?",
    re.IGNORECASE,
)


def with_centred_words_joined(labels: Sequence[Label], texts: Sequence[Text]) -> list[Label]:
    """The labels, the line that is centred under a size put behind it; texts: those of the sheet."""
    sizes = [label for label in labels if not label.boxed and is_upright(label) and _EXPLICIT.match(label.text)][:MOST]
    under = [label for label in labels if _may_stand_under(label)] if sizes else []
    if not under:
        return list(labels)
    by_id = {text.id: text for text in texts}
    places, all_boxes = (np.array([label.box for label in each]) for each in (under, labels))
    whole: dict[int, Label] = {}
    gone: set[int] = set()
    for size in sizes:
        near = (under[place] for place in _near(size, places) if id(under[place]) not in gone)
        lower = next((each for each in near if _is_behind(size, each) or _is_centred(size, each, by_id)), None)
        if lower is not None and (_is_depth(lower) or _is_nearest(size, lower, all_boxes)):
            whole[id(size)] = joined(size, lower, size, size.lines + lower.lines)
            gone.add(id(lower))
    return [whole.get(id(label), label) for label in labels if id(label) not in gone]


def _near(size: Label, places: Array) -> list[int]:
    """Which of some boxes (n, 4) lie about a size."""
    reach, (left, low, right, high) = REACH * size.height, size.box
    beside = (places[:, 0] <= right + reach) & (places[:, 2] >= left - reach)
    level = (places[:, 1] <= high + reach) & (places[:, 3] >= low - reach)
    found: list[int] = np.flatnonzero(beside & level).tolist()
    return found


def _may_stand_under(label: Label) -> bool:
    if label.boxed or not is_upright(label):
        return False
    is_words = len(label.lines) == 1 and bool(_WORDS.fullmatch(label.text) or _REMARK.fullmatch(label.text))
    return _is_depth(label) or (label.role in ("free", "leader") and is_words)


def _is_depth(label: Label) -> bool:
    """Whether a label is a depth and nothing else, in two languages for one."""
    return all(_DEPTH.fullmatch(line) for line in label.lines)


def _is_behind(size: Label, depth: Label) -> bool:
    if not _is_depth(depth) or not _HOLE.match(size.text) or not _are_alike(size, depth):
        return False
    own, box, height = upright_box(size), upright_box(depth), size.height
    is_level = abs(own[1] - (box[3] - depth.height)) <= OFF_LINE * height
    return is_level and BEHIND[0] * height <= box[0] - own[2] <= BEHIND[1] * height


def _are_alike(size: Label, lower: Label) -> bool:
    return are_read_alike(size, lower) and abs(lower.height - size.height) <= SAME_HEIGHT * size.height


def _is_centred(size: Label, lower: Label, texts: Mapping[str, Text]) -> bool:
    if not _are_alike(size, lower) or (_is_depth(lower) and not _HOLE.match(size.text)):
        return False
    box, height = upright_box(lower), size.height
    most = SPACING_OF_REMARK if _REMARK.fullmatch(lower.text) else SPACING[1]
    is_next = SPACING[0] <= (upright_box(size)[1] - box[3] + lower.height) / height <= most
    return is_next and any(abs(_middle(own) - _middle(box)) <= CENTRED * height for own in _boxes(size, texts))


def _boxes(size: Label, texts: Mapping[str, Text]) -> list[Box]:
    """Of a size, and of its number alone."""
    number = texts.get(size.sources[0]) if size.sources else None
    own = [upright_box(size)]
    return own if number is None else [*own, turned(number.box, quarter_turn(size.angle))]


def _middle(box: Box) -> float:
    return (box[0] + box[2]) / 2


def _is_nearest(size: Label, lower: Label, boxes: Array) -> bool:
    """Whether no other line stands as near under the words as they stand under the size."""
    turn = quarter_turn(size.angle)
    own, words = upright_box(size), upright_box(lower)
    gap = FURTHER * max(own[1] - words[3], 0.0)
    for each in boxes.tolist():
        box = turned(tuple(each), turn)
        is_below = box[3] <= words[1] and box[0] < words[2] and box[2] > words[0]
        if is_below and words[1] - box[3] < gap:
            return False
    return True
