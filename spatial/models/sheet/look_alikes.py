"""Cyrillic and Greek letters that look Latin, and when they are meant as Latin ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FOREIGN, FOREIGN_SHARE = 12, 0.2
"""Letters that are Cyrillic beyond doubt, and their part of all Cyrillic ones, on a page lettered in Cyrillic words."""

_LOOK_ALIKE: Final = dict(
    zip("АВСЕНІЈКМОРЅТХаеосрхіјΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIJKMOPSTXaeocpxijABEZHIKMNOPTX", strict=True)
)
_TABLE: Final = str.maketrans(_LOOK_ALIKE)


def is_foreign(signs: Iterable[str]) -> bool:
    """Whether a page is lettered in Cyrillic words: there a letter that looks Latin need not be."""
    letters = [sign for sign in signs if "\u0400" <= sign[0] <= "\u052f"]
    own = sum(sign not in _LOOK_ALIKE for sign in letters)
    return own >= FOREIGN and own > FOREIGN_SHARE * len(letters)


def latinised(text: str, *, foreign: bool) -> str:
    """Letters that only look Latin as Latin, where everything else is, on this page too (`is_foreign`)."""
    if foreign or text.isascii():
        return text
    folded = text.translate(_TABLE)
    return text if any("\u0370" <= sign <= "\u052f" for sign in folded) else folded
