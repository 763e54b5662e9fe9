"""Short remarks at a view or a leader without a verb: `TAPE PER EIA-481`, `SPRING CLIP 2 PLACES`, `NOT THROUGH`, `4 holes on both sides`.

A name says what something is. Such a remark says what something is made by, in how many places it is, or whether holes go through,
which no view shows.

Sources: ISO 6428 and ISO 129-1 §9 (indications in words), ASME Y14.5-2018 §4.6 (`THRU`) and §4.7 (`PLACES`).
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.knowledge.patterns import alternatives
from spatial.understanding.sheet.notes.line import NOTE_WORDS, plain_words, word_count

_NAMED_WORDS: Final = 8
"""Words before what a remark says of them, at most."""
_GOVERNED: Final = re.compile(
    rf"(?P<what>[^\d:=]+?)\s(?i:{alternatives('governed_by')})\s"
    r"(?:[A-Z]{2,6}[ -]\S*\d\S*|(?=\S*\d)(?=\S*[A-Z-])\S{4,})(?:\s\S+){0,3}"
)
"""Words, and the designation of a standard or a drawing that they follow."""
_IN_PLACES: Final = re.compile(rf"(?P<what>.+?)[,\s]\s?\(?\d{{1,3}}\s(?i:{alternatives('places')})\)?\.?", re.DOTALL)
_SIZE: Final = re.compile(r"[ØøΦ⌀±°]|\bM\d|(?:^|\s)R?\d*[.,]?\d+(?:\s|$)|\d\s?(?:mm|cm|in|\")(?!\w)")
"""What a callout states: a size, or a thread."""
_FEATURES: Final = "|".join(map(words, ("hole", "thread", "counterbore", "countersink", "spotface")))
_CALLED: Final = re.compile(rf"\b(?:{_FEATURES}|{words('chamfer')}|{words('fillet')}|{words('radius')})")
"""A feature of a callout, of which the count of places is a part."""
_ANSWERED: Final = re.compile(
    rf"(?i:{alternatives('answered')})[,\s]\s?(?:{words('through')}|{_FEATURES})(?:\s{words('hole')})?[.!]?"
)
"""Whether a feature is what it may look like: the words of its callout, affirmed or denied."""
_ON_SIDES: Final = re.compile(rf"\d{{1,3}}\s{words('hole')}\s(?:[^\W\d_]+\s){{1,4}}(?i:{alternatives('sides')})\.?")


def is_remark(text: str) -> bool:
    """Whether a text says by which standard, in how many places or on which sides something is, or whether it goes through."""
    said = text.strip()
    if _ANSWERED.fullmatch(said) is not None or _ON_SIDES.fullmatch(said) is not None:
        return True
    return _is_governed(said) or is_in_places(said)


def _is_governed(text: str) -> bool:
    found = _GOVERNED.fullmatch(text)
    return found is not None and NOTE_WORDS <= plain_words(found["what"]) <= _NAMED_WORDS


def is_in_places(text: str) -> bool:
    """Whether a text says in how many places is what it names; of what a callout states, the callout says it."""
    found = _IN_PLACES.fullmatch(text)
    if found is None or _SIZE.search(found["what"]) is not None or _CALLED.search(found["what"]) is not None:
        return False
    return NOTE_WORDS <= word_count(found["what"]) <= _NAMED_WORDS
