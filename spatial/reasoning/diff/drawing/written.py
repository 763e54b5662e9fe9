"""Texts as two readings of one sheet may have them: with other spaces, signs and decimal marks."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

NUMBER: Final = re.compile(r"\d*[.,]\d+|\d+")
"""A number as a drawing has it, with a point or a comma."""


def squeezed(text: str) -> str:
    """Text without spaces, in the compatible Unicode form: what a reader sees is the same."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def is_same_text(previous: str | None, current: str | None) -> bool:
    """Whether two texts differ in nothing but spaces."""
    return squeezed(previous or "") == squeezed(current or "")


def decimals_of(previous: str, current: str) -> tuple[int, int] | None:
    """Decimals before and after of the first number that has the same value with another number of decimals.

    None where the texts differ in anything else: "10.0" and "10.00" are the same nominal, "10.0" and "10.5" are not.
    """
    if NUMBER.sub("#", squeezed(previous)) != NUMBER.sub("#", squeezed(current)):
        return None
    pairs = list(zip(NUMBER.findall(previous), NUMBER.findall(current), strict=True))
    if any(_value(before) != _value(after) for before, after in pairs):
        return None
    return next(
        (counts for before, after in pairs if (counts := (_count(before), _count(after)))[0] != counts[1]), None
    )


def _value(number: str) -> float:
    return float(number.replace(",", "."))


def _count(number: str) -> int:
    return len(re.split(r"[.,]", number)[1]) if re.search(r"[.,]", number) else 0
