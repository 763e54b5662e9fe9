"""What holds for a size whose limits stand over each other, beside their middle: `THRU` behind 18.993 over 18.972 (ASME Y14.5).

What stands half a line off both lines is of neither alone: it shows that the two are limits, however far apart, and not two sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.knowledge.callout_words import words
from spatial.models.sheet.drawing import Box, Sheet
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label, are_read_alike, is_upright, joined, upright_box
from spatial.understanding.sheet.lettering.words import DIAMETERS, is_plain, spread_limits_pair

GAP: Final = 1.0
"""Letter heights from the limits to the words."""
OFF_MIDDLE: Final = 0.3
"""Letter heights of the middle of the words from that of the two lines: on one of them they belong to it alone."""
MOST: Final = 50
"""Such words on a sheet."""
DROP: Final = (1.0, 1.6)
"""Letter heights between the baselines of two limits."""
ALIGNED: Final = 0.2
"""Letter heights by which they may end apart."""

_WORDS: Final = re.compile(rf"{words('through')}(?:\s{words('through')})?|{words('typical')}\.?")
_TIMES: Final = re.compile(r"[xX×]")
"""Between the two sizes of a slot."""
_PREFIX: Final = re.compile(r"(?:\d{1,3}\s?[xX×]\s?)?S?[Ø⌀]\s?")


def join_words_beside(labels: list[Label], sheet: Sheet) -> list[Label]:
    """Labels of two limits with the words beside their middle put behind the lower one, those of a slot with its other limits."""
    times = [label for label in labels if len(label.lines) == 1 and _TIMES.fullmatch(label.text)][:MOST]
    beside = [label for label in labels if len(label.lines) == 1 and _WORDS.fullmatch(label.text)][:MOST]
    signs = [symbol.box for symbol in sheet.symbols if symbol.text in DIAMETERS and not symbol.angle % 90][:MOST]
    if times or beside or signs:
        labels = _with_pairs(labels, [*(label.box for label in (*times, *beside)), *signs])
    for word in (*times, *beside):
        labels = _joined_times(labels, word) if word in times else _joined_words(labels, word)
    return labels


def _with_pairs(labels: list[Label], marks: list[Box]) -> list[Label]:
    """The labels, two sizes over each other whose middle a mark stands beside as one."""
    sizes = [label for label in labels if _is_size(label)]
    for upper, lower in _pairs(sizes):
        if not any(_is_level(mark, upper, lower) for mark in marks):
            continue
        into = upper if lower.role == "free" else lower
        labels = [_limits(upper, lower, into) if label is upper else label for label in labels if label is not lower]
    return labels


def _is_size(label: Label) -> bool:
    is_alone = len(label.lines) == 1 and not label.boxed and is_upright(label)
    return is_alone and is_plain(_PREFIX.sub("", label.text))


def _pairs(sizes: list[Label]) -> Iterator[tuple[Label, Label]]:
    """Sizes of which one stands right under another, each once, from the top."""
    boxes = np.array([upright_box(size) for size in sizes]).reshape(-1, 4)
    order = np.argsort(boxes[:, 2], kind="stable")
    ends = boxes[order, 2]
    taken: set[int] = set()
    for upper in sorted(sizes, key=lambda label: -upright_box(label)[1]):
        if id(upper) in taken:
            continue
        own, height = upright_box(upper), upper.height
        reach = 1.01 * ALIGNED * height
        aligned = order[np.searchsorted(ends, own[2] - reach) : np.searchsorted(ends, own[2] + reach)]
        drop = own[1] - boxes[aligned, 1]
        below = np.sort(aligned[(drop > DROP[0] * height) & (drop < DROP[1] * height)]).tolist()
        under = (sizes[place] for place in below if id(sizes[place]) not in taken)
        lower = next((each for each in under if _stand_over(upper, each)), None)
        if lower is not None:
            taken |= {id(upper), id(lower)}
            yield upper, lower


def _stand_over(upper: Label, lower: Label) -> bool:
    if not are_read_alike(upper, lower) or not spread_limits_pair(upper.text, lower.text):
        return False
    above, below, height = upright_box(upper), upright_box(lower), upper.height
    return DROP[0] * height < above[1] - below[1] < DROP[1] * height and abs(above[2] - below[2]) < ALIGNED * height


def _is_level(mark: Box, upper: Label, lower: Label) -> bool:
    """Whether a mark stands right before or behind two lines, level with their middle."""
    own = turned(mark, quarter_turn(upper.angle))
    above, below, height = upright_box(upper), upright_box(lower), upper.height
    level = abs((own[1] + own[3]) - (below[1] + above[3])) / 2 < OFF_MIDDLE * height
    gap = max(own[0] - above[2], min(above[0], below[0]) - own[2])
    return level and gap < GAP * height


def _limits(upper: Label, lower: Label, into: Label) -> Label:
    """Two limits as one label; the sign before their middle was read in the line that it is nearer to."""
    sign = _PREFIX.match(lower.text)
    if sign is None or _PREFIX.match(upper.text):
        return joined(upper, lower, into, upper.lines + lower.lines)
    return joined(upper, lower, into, (sign[0] + upper.text, lower.text[sign.end() :]))


def _joined_words(labels: list[Label], word: Label) -> list[Label]:
    """The labels with a word such as `THRU` behind the limits that it stands beside."""
    size = next((each for each in labels if _are_limits(each) and _holds_for(word, each)), None)
    if size is None:
        return labels
    whole = _with(size, word, (*size.lines[:-1], f"{size.lines[-1]} {word.text}"))
    return [whole if label is size else label for label in labels if label is not word]


def _joined_times(labels: list[Label], sign: Label) -> list[Label]:
    """The labels with both sizes of a slot as one, where limits stand before and behind the sign between them."""
    limits = [label for label in labels if _are_limits(label)]
    first = next((each for each in limits if _holds_for(sign, each)), None)
    second = next((each for each in limits if _holds_for(sign, each, is_behind=False)), None)
    if first is None or second is None:
        return labels
    (upper, lower), (high, low) = first.lines, second.lines
    whole = _with(_with(first, sign, first.lines), second, (upper, f"{lower} {sign.text} {high}", low))
    return [whole if label is first else label for label in labels if label is not sign and label is not second]


def _are_limits(label: Label) -> bool:
    lines = label.lines
    if label.boxed or len(lines) not in (2, 3):
        return False
    return spread_limits_pair(lines[0], lines[-1]) if len(lines) == 2 else " " in lines[1]


def _holds_for(word: Label, size: Label, *, is_behind: bool = True) -> bool:
    if not are_read_alike(word, size):
        return False
    own, box, height = upright_box(word), upright_box(size), size.height
    level = abs((own[1] + own[3]) - (box[1] + box[3])) / 2 < OFF_MIDDLE * height
    gap = own[0] - box[2] if is_behind else box[0] - own[2]
    return level and -OFF_MIDDLE * height < gap < GAP * height


def _with(size: Label, other: Label, lines: tuple[str, ...]) -> Label:
    whole = joined(size, other, size, lines)
    return replace(whole, role=other.role) if size.role == "free" else whole
