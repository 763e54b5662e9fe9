"""A character that was read in the picture of a line."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ReadCharacter:
    """One character of a line, a blank between words included."""

    sign: str
    chance: float
    left: float
    """Where the steps at which it was seen begin and end, in columns of the picture. A character is wider than that: its middle is
    about theirs."""
    right: float
    others: tuple[tuple[str, float], ...]
    """What it may be instead, with the chances, best first; never blank."""

    @property
    def middle(self) -> float:
        """In columns of the picture."""
        return (self.left + self.right) / 2.0


_SAME_SIGN: Final = {
    sign: known
    for known, signs in {
        "-": "一–—−",
        '"': "“”″",
        "'": "‘’′",
        "°": "º",
        "µ": "μ",
        "~": "∼",
        "Ω": "\u2126",
        ",": "、",
    }.items()
    for sign in signs
}
"""Characters of the reader of lines that are drawn as those of the classifier."""


def same_signs(character: str) -> str:
    """A character as the classifier writes it; empty of a blank."""
    if character in _SAME_SIGN:
        return _SAME_SIGN[character]
    wide = "\uff01" <= character <= "\uff5e" or character in "℃℉"
    return (unicodedata.normalize("NFKC", character) if wide else character).strip()
