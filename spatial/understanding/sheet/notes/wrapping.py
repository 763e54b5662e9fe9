"""Whether lines are one text that was wrapped, or a list of texts of their own: what was wrapped fills its lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import OPEN_END
from spatial.understanding.sheet.notes.line import Line

_FEWEST: Final = 3
"""Lines from which on full ones are told from those of a list that are full by chance."""

_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""A sign of a script that sets no blanks between words."""
WEB: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
"""An address on the web."""
ENDS: Final = (".", "!", ";", "\u3002")
"""How a sentence ends."""
_FLUSH, _MOST_SET_IN = 0.3, 8.0
"""Letter heights between the left ends of the lines of a paragraph, and by which its first line is set in at most."""
_STEP, _GAP, _WIDEST_GAP = 1.1, 1.2, 2.5
"""The smallest step between two lines of a text, by which others exceed it that are one, and those that are a gap between two texts."""


def gaps(lines: Sequence[Line]) -> frozenset[int]:
    """Places of the lines that a gap stands before: lines follow one another by one step, and texts by a clearly larger one.

    None where the steps are of more than those two kinds: such lines are no list.
    """
    drops = [last.level - line.level for last, line in pairwise(lines)]
    least = min(drops, default=0.0)
    if least <= 0:
        return frozenset()
    wide = frozenset(place for place, drop in enumerate(drops, 1) if drop > _GAP * least)
    is_told = all(drop < _STEP * least or _GAP * least < drop < _WIDEST_GAP * least for drop in drops)
    return wide if is_told else frozenset()


def first_words_alike(lines: Sequence[Line]) -> frozenset[str]:
    """Words that most lines of a text begin with, three or more: a text that is wrapped does not begin its lines alike."""
    counted = Counter(map(first_word, lines))
    return frozenset(
        word for word, count in counted.items() if count >= _FEWEST and 2 * count > len(lines) and word.isalpha()
    )


def first_word(line: Line) -> str:
    """What stands before the first blank of a line, in small letters."""
    return line.text.split(" ", 1)[0].casefold()


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether none of the lines but the last has room for the first word of the next, and most of them do not begin as a text does."""
    if len(lines) < _FEWEST:
        return False
    lines = _with_first_flush(lines)
    widest, joints = width(lines), list(pairwise(lines))
    ended = sum(last.text.rstrip().endswith(ENDS) for last, _ in joints)
    return (
        2 * ended < len(joints)
        and not all(begins_anew(line) for _, line in joints)
        and all(is_full(last, line, widest) for last, line in joints)
    )


def _with_first_flush(lines: Sequence[Line]) -> Sequence[Line]:
    """`lines` with the first as wide as if it began where the others do: the first line of a paragraph may be set in."""
    first, rest = lines[0], lines[1:]
    h, left = max(first.height, 1e-9), rest[0].box[0]
    is_flush = all(abs(line.box[0] - left) < _FLUSH * h for line in rest)
    if not is_flush or not _FLUSH * h < first.box[0] - left < _MOST_SET_IN * h:
        return lines
    return [replace(first, box=(left, *first.box[1:])), *rest]


def begins_anew(line: Line) -> bool:
    """Whether a line begins as a text does: with a capital, in lettering that has small letters as well; Ø is a sign and no capital.

    An address on the web has small letters among capitals too.
    """
    text = line.text
    if not text[:1].isupper() or text[:1] == "\u00d8":
        return False
    return any(map(str.islower, WEB.sub("", text) if "//" in text or "www." in text else text))


def is_caseless(text: str) -> bool:
    """Whether it begins with a letter of a script without capitals, which says nothing of where a text begins."""
    return text[:1].isalpha() and text[:1].lower() == text[:1].upper()


def is_full(last: Line, line: Line, widest: float) -> bool:
    """Whether the first word of `line` would not have fitted behind `last`, where the widest line is `widest`."""
    letter = (line.box[2] - line.box[0]) / max(len(line.text), 1)
    # Chinese and Japanese lines are broken behind any sign.
    word = 1 if _UNSPACED.match(line.text) else len(line.text.split(" ", 1)[0])
    return widest - (last.box[2] - last.box[0]) <= (word + 1) * letter + line.height


def ends_open(line: Line) -> bool:
    """Whether a line ends as no text does: with a colon, a hyphen, an article."""
    text = line.text.rstrip()
    return text.endswith(COLONS) or OPEN_END.search(text) is not None


def texts_after_short_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Places of the lines whose first word would have fitted behind the line before them, so that no text was wrapped there."""
    widest = width(lines) if lines else 0.0
    return frozenset(
        place
        for place, (last, line) in enumerate(pairwise(lines), 1)
        if not (line.text[:1].islower() or ends_open(last) or is_full(last, line, widest))
    )


def width(lines: Sequence[Line]) -> float:
    """Of the widest line."""
    return max(line.box[2] - line.box[0] for line in lines)
