"""Short texts in open space that say how something is made: `MILL AT THE ASSEMBLY`, `Bohrungen ansenken`, `Plattendicke ca. 9 mm`.

Names of parts, views and details are as short. They have no verb in the form that orders, name nothing in particular, and state no
value, so that each rule below holds for the shortest text.

Sources: ISO 6428 and ISO 129-1 §9 (indications in words), ASME Y14.100-2017 §4.26 (local notes).
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_figure_caption
from spatial.knowledge.value_forms import GENERAL_TOLERANCE
from spatial.understanding.sheet.notes.line import NOTE_WORDS, word_count
from spatial.understanding.sheet.notes.remarks import is_remark

_LONGEST: Final = 160
"""Characters of such a text."""
_IMPERATIVE_WORDS, _FORBIDDING_WORDS, _FEATURE_WORDS = 3, 5, 2
"""Words of an order whose verb may be a noun as well, of what forbids something, and of the name of a feature before its depth."""
_ORDERED_FIRST: Final = re.compile(rf"{alternatives('ordered_first')}\b", re.IGNORECASE)
_ORDERED_LAST: Final = re.compile(rf"\b({alternatives('ordered_last')})[.!]?$", re.IGNORECASE)
_PERMITTED: Final = re.compile(rf"\b{alternatives('permitted')}[.!]?$", re.IGNORECASE)
_LIMIT: Final = re.compile(r"\d|\bm(?:ax|in)", re.IGNORECASE)
_ORDERED: Final = re.compile(alternatives("ordered"), re.IGNORECASE)
_IMPERATIVE: Final = re.compile(
    rf"{alternatives('imperative')}\b.*\s{alternatives('definite')}\b", re.IGNORECASE | re.DOTALL
)
_FORBIDDING: Final = re.compile(rf"{alternatives('forbidden')}\s+[^\W\d_]", re.IGNORECASE)
_NUMBER: Final = r"\d+(?:[.,]\d+)?"
_LENGTH: Final = r"(?:mm|cm|in(?:ch(?:es)?)?\b\.?|\"|[μµ]m|мм)"
_APPROXIMATELY: Final = rf"(?:~|≈|{alternatives('approximately')})"
_THICKNESS: Final = re.compile(
    rf"[^\d:=~≈]*?{alternatives('thickness')}(?:\s[^\W\d_]+|(?:\s[^\W\d_]+){{2,4}}\s*(?=[:=]))?"
    rf"\s*(?:is\s+)?[:=]?\s*{_APPROXIMATELY}?\s*{_NUMBER}"
    rf"(?:\s*(?:-|–|{alternatives('range_to')})\s*{_NUMBER})?\s*{_LENGTH}\.?",
    re.IGNORECASE,
)
"""A thickness that words state, since no view shows it: `Plattendicke ca. 9 bis 10 mm`, `Espesor de la placa: 2 mm`."""
_DEPTH: Final = re.compile(
    rf"(?P<feature>(?:[^\W\d_]+\s+){{{_FEATURE_WORDS},6}})(?:{words('depth')}|{alternatives('width')})\s*{_NUMBER}\s*(?:{_LENGTH})?"
    r"(?:\s*[x×]\s?\d{1,2}|\s*\d{1,2}\s?[x×])?",
    re.IGNORECASE,
)
"""A feature that words name with one size of it: `End Milled Keyway Depth 0.25`."""
_CALLED: Final = re.compile(
    rf"\b(?:{'|'.join(map(words, ('hole', 'thread', 'counterbore', 'countersink', 'spotface')))})", re.IGNORECASE
)
"""A feature whose depth is part of a callout."""
_APPROXIMATE: Final = re.compile(
    rf"(?:[^\W\d_]+\s)?{alternatives('dimensions')}\s(?:[^\W\d_]+\s)*?(?:{_APPROXIMATELY}|{alternatives('predicate')}(?:\s[^\W\d_]+)+)[.!]?",
    re.IGNORECASE,
)
"""What holds of all sizes: `Overall dimensions approximate`, `Maße können leicht abweichen`."""
_TEETH: Final = re.compile(rf"{alternatives('teeth')}\s*[:=]?\s*\d{{1,4}}\.?", re.IGNORECASE)
"""What no view counts: the data of a gear in words (ISO 1340), where they are one line."""
_COPIES: Final = re.compile(alternatives("copies"), re.IGNORECASE)


def is_instruction(text: str) -> bool:
    """Whether a short text says how something is made, what shall not be, how thick the material is, how many teeth or copies there are.

    Or it remarks by what, in how many places or on which sides something is made.
    """
    said = text.strip()
    if GENERAL_TOLERANCE.fullmatch(said) is not None:
        return True
    if not said or len(said) > _LONGEST or word_count(said) < NOTE_WORDS or is_figure_caption(said):
        return False
    return _is_order(said) or _is_stated(said) or is_remark(said)


def _is_order(text: str) -> bool:
    return (
        _ORDERED_FIRST.match(text) is not None
        or _ends_with_order(text)
        or permits(text)
        or _ORDERED.search(text) is not None
        or (word_count(text) >= _IMPERATIVE_WORDS and _IMPERATIVE.match(text) is not None)
        or (word_count(text) >= _FORBIDDING_WORDS and _FORBIDDING.match(text) is not None)
    )


def permits(text: str) -> bool:
    """Whether it ends with a word that permits: `Zentrierbohrung zulässig`; what is the most that is permitted is a column of a table."""
    found = _PERMITTED.search(text)
    return found is not None and found.start() > 0 and _LIMIT.search(text) is None


def _ends_with_order(text: str) -> bool:
    """Whether it ends with a verb: one with a capital is a noun, unless all is in capitals."""
    found = _ORDERED_LAST.search(text)
    return found is not None and found.start() > 0 and (found[1][:1].islower() or text.isupper())


def _is_stated(text: str) -> bool:
    if any(form.fullmatch(text) is not None for form in (_THICKNESS, _APPROXIMATE, _TEETH, _COPIES)):
        return True
    found = _DEPTH.fullmatch(text)
    return found is not None and _CALLED.search(found["feature"]) is None
