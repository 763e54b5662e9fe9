"""A size that a table gives, by its letter or as a sum of its steps, with what holds for every row: `B ±0.25`, `"C" MAX`, `A BSC`.

ISO 129-1 (tabular dimensioning): the callout says of which size it is, and its deviations, which bound it is, or that it is basic.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import BASIC_WORD
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, Members
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value
from spatial.understanding.sheet.callouts.spelling import Spelling
from spatial.understanding.sheet.label import Label

_AGAIN: Final = rf"(?:\s?\[\s?[+-]?\s?{DECIMAL}\s?\])?"
"""A deviation in the other unit (ASME Y14.5-2018 §4.2)."""
_LETTERED: Final = re.compile(
    r"\s*(?:(?P<quote>\")?(?P<letter>[A-WYZ])(?(quote)\")|\(\s?(?P<sum>(?:[^\W\d_]{1,20}\.?\s?){1,4}(?:[+-]\s?\d{1,3}\s?)?\)?\s?[xX*]\s?"
    rf"{DECIMAL}{_AGAIN})\s?\))\s?"
    rf"(?:±\s?(?P<both>{DECIMAL})|\+\s?(?P<upper>{DECIMAL}){_AGAIN}\s?/?\s?-\s?(?P<lower>{DECIMAL})){_AGAIN}\s?(?:mm)?\s*"
)
"""X stands for the figures of a general tolerance: `X ±0.5`, `X.X ±0.2`. A sum has a number of steps in words, and the step."""
_EXTREME: Final = re.compile(
    r"\s*(?P<own>(?P<quote>\")?(?P<letter>[A-WYZ])(?(quote)\")\s(?P<bound>(?i:MAX|MIN))(?:(?i:IMUM)|\.)?)(?:\s?\((?i:SEE)\s[^()\d]{1,20}\d{0,2}\))?\s*"
)
"""The values of a column are the greatest or the least that its size may have: `"C" MAX`, perhaps with `(SEE TABLE 1)` under it."""
_BASIC: Final = re.compile(rf"\s*(?P<quote>\")?(?P<letter>[A-WYZ])(?(quote)\")\s?(?:{BASIC_WORD})\s*")
"""The values of a column are theoretically exact: `A BSC.`, `A 基準`."""


def read_lettered(label: Label, spelling: Spelling) -> list[tuple[Feature, str]]:
    """A whole label that is a letter, or a sum, and what holds for its size; of a free one, deviations have decimals."""
    if label.boxed:
        return []
    if found := _LETTERED.fullmatch(spelling.text):
        upper, lower = found["both"] or found["upper"], found["both"] or found["lower"]
        if label.role == "free" and not re.search("[.,]", upper + lower):
            return []
        return _callout(
            "tolerance", spelling, len(spelling.text), _deviations(found["letter"] or found["sum"], upper, lower)
        )
    if label.role in {"dimension", "leader"} and (found := _EXTREME.fullmatch(spelling.text)):
        return _callout("limit", spelling, found.end("own"), {"of": found["letter"], "limit": found["bound"].lower()})
    if label.role in {"dimension", "leader"} and (found := _BASIC.fullmatch(spelling.text)):
        return _callout("basic", spelling, len(spelling.text.rstrip()), {"of": found["letter"]})
    return []


def _deviations(of: str, upper: str, lower: str) -> Members:
    return {"of": of, "upper_deviation": decimal_value(upper), "lower_deviation": -decimal_value(lower) + 0.0}


def _callout(kind: str, spelling: Spelling, end: int, members: Members) -> list[tuple[Feature, str]]:
    return [(Feature(kind, 0, end, members, STANDARD_WRITING), spelling.written(0, end))]
