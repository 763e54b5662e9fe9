"""Lists and remarks that are callouts of holes and threads: `HOLES:` over `A- 8 HOLES M3 THRU`, `1: M2 threads 6mm deep`, `ALL HOLES Ø2.5`.

What stands at the balloons or letters of holes is their size, and no note about the part; under a heading of notes it is one. A list that
says what the positions of the views are, `1 - Pump` (GOST 2.109), is none either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.understanding.sheet.notes.line import Line

_FEATURES: Final = "|".join(map(words, ("hole", "thread", "counterbore", "countersink", "spotface")))
_HEADING: Final = re.compile(rf"\W*_*(?:[^\W\d_]+ )?(?:{_FEATURES})_*\s*[:\uff1a]?\W*", re.IGNORECASE)
"""Words that name features and nothing else, with a word before them: `Threaded holes:`."""
_SIZE: Final = re.compile(
    r"(?:[ØR⌀]\s?|\bM)\d+(?:[.,]\d+)?(?:\s?[x×]\s?\d+(?:[.,]\d+)?)?|\d+(?:[.,]\d+)?\s?±\s?\d+(?:[.,]\d+)?"
)
"""A size with its sign, or with its tolerance where the sign could not be read."""
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?\s?(?:mm|in\b|\"|°)?")
_OTHER: Final = re.compile(
    "|".join(map(words, ("through", "depth", "count", "place", "diameter", "typical", "spaced", "all", "hole_order"))),
    re.IGNORECASE,
)
_FEATURE: Final = re.compile(_FEATURES, re.IGNORECASE)
_LONGEST_HEADING, _LONGEST_CALLOUT = 60, 80
"""Characters of such a heading, and of such a line."""
_DASHES: Final = ("-", "\u2013", "\u2014")
"""What stands between the number of a position and what it is."""
_POSITION_WORDS: Final = 5
"""Of the name of a position, at most."""


def heads_features(text: str) -> bool:
    """Whether a line is the name of features, as it stands over their callouts."""
    return len(text) < _LONGEST_HEADING and _HEADING.fullmatch(text.strip()) is not None


def is_sized_feature(text: str) -> bool:
    """Whether a text is features with their size, and no other word: `ALL HOLES Ø2.5`, `M2 threads 6mm deep`."""
    if len(text) > _LONGEST_CALLOUT or _SIZE.search(text) is None or _FEATURE.search(text) is None:
        return False
    rest = _NUMBER.sub(" ", _OTHER.sub(" ", _FEATURE.sub(" ", _SIZE.sub(" ", text))))
    return not any(map(str.isalpha, rest.replace("x", " ").replace("X", " ")))


def are_sized_features(run: Sequence[Line]) -> bool:
    """Whether most lines of a list are features with their sizes."""
    return 2 * sum(is_sized_feature(line.text) for line in run) > len(run)


def are_named_positions(run: Sequence[Line], free: Sequence[Line]) -> bool:
    """Whether a list says what the numbers are that stand alone in the views: each a short name behind a dash.

    free: all lines of the sheet.
    """
    if not all(
        line.mark.strip().endswith(_DASHES)
        and not line.text.endswith(".")
        and len(line.text.split()) <= _POSITION_WORDS
        for line in run
    ):
        return False
    # Numbers beside one another are one line.
    whole = [f"{line.mark} {line.text}".split() for line in free]
    alone = {word for words in whole if all(map(str.isdigit, words)) for word in words}
    return {str(line.number) for line in run} <= alone
