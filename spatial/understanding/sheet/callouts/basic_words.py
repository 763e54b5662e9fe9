"""The word that makes a size basic, where it is a text of its own at the size: BSC, BASIC, 基準 (ASME Y14.5-2018 §3, JIS B 0021)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.callout_words import BASIC_WORD
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label, are_read_alike, joined
from spatial.understanding.sheet.lettering.words import is_plain

OFF_LINE: Final = 1.4
"""Letter heights from the middle of a size up or down to that of its word, which may be raised as a deviation is."""
GAP: Final = (-1.2, 1.5)
"""Letter heights from the end of a size to the beginning of its word, which begins over its last digits where it is raised."""
MOST: Final = 100
"""Words of a sheet that stand alone."""

_BASIC: Final = re.compile(rf"\(?\s?(?:{BASIC_WORD})\s?\)?")
_LETTER: Final = re.compile(r"[A-WYZ]")
"""Of a size that a table gives, in the place of its number."""


def with_basic_words_joined(labels: Sequence[Label]) -> list[Label]:
    """The labels, a word that makes a size basic put behind the only size at which it begins; one at none or at two stays alone."""
    found = list(labels)
    words = [each for each in labels if not each.boxed and _BASIC.fullmatch(each.text.strip())][:MOST]
    sizes = [each for each in labels if len(each.lines) == 1 and _is_size(each)] if words else []
    for word in words:
        near = [size for size in sizes if _begins_at(word, size)]
        if len(near) != 1:
            continue
        [size] = near
        sizes = [each for each in sizes if each is not size]
        whole = joined(size, word, size, (f"{size.text.strip()} {word.text.strip()}",))
        whole = replace(whole, sources=tuple(dict.fromkeys(whole.sources)))
        found = [whole if each is size else each for each in found if each is not word]
    return found


def _is_size(label: Label) -> bool:
    is_letter = label.role in ("dimension", "leader") and _LETTER.fullmatch(label.text.strip())
    return is_plain(label.text) or bool(is_letter and not label.boxed)


def _begins_at(word: Label, size: Label) -> bool:
    if not are_read_alike(word, size):
        return False
    _, low, end, high = turned(size.box, quarter_turn(size.angle))
    begin, below, _, over = turned(word.box, quarter_turn(word.angle))
    off = abs(below + over - low - high) / 2
    return off <= OFF_LINE * size.height and GAP[0] * size.height <= begin - end <= GAP[1] * size.height
