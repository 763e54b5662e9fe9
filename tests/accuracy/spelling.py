"""When two texts are the same in print."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

_SPELLINGS = str.maketrans(
    {
        "⌀": "ø",
        "∅": "ø",
        "φ": "ø",
        "Φ": "ø",
        "×": "x",
        "−": "-",
        "–": "-",
        "—": "-",
        "º": "°",
        "“": '"',
        "”": '"',
        "’": "'",
        "‘": "'",
    }
)
_CODES = (("%%c", "ø"), ("%%p", "±"), ("+/-", "±"), ("%%d", "°"))


def spelled(text: object) -> str:
    """One spelling for what looks the same in print."""
    return re.sub(r"\s+", "", _signs(text))


def _signs(text: object) -> str:
    """One spelling for each sign, white space as it is."""
    made = "" if text is None else str(text)
    for code, sign in _CODES:
        made = made.replace(code, sign)
    made = unicodedata.normalize("NFKC", made.translate(_SPELLINGS)).casefold().replace("φ", "ø")
    return re.sub(r"(?<=\d),(?=\d)", ".", made)


def alike(one: object, other: object, least: float) -> bool:
    a, b = spelled(one), spelled(other)
    return a == b or (bool(a) and bool(b) and SequenceMatcher(None, a, b).ratio() >= least)


def numbers(text: object) -> list[float]:
    """As printed: `72.1 71.9` is two, however close they stand."""
    return [float(number) for number in re.findall(r"\d*\.?\d+", _signs(text))]


def same_text(want: object, got: object) -> bool:
    """Whether two texts have the same numbers and are alike in all else."""
    if spelled(want) == spelled(got):
        return True
    figures = numbers(want)
    return (not figures or figures == numbers(got)) and alike(want, got, 0.7 if figures else 0.9)
