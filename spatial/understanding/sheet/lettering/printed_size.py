"""The number that the text of a dimension gives as its size."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from spatial.knowledge.inches import decimals_of, is_in_inches
from spatial.knowledge.value_forms import UNREAD

NUMBER: Final = r"(?:\d{1,9}(?:[.,]\d{0,9})?|[.,]\d{1,9})"

_SIGN: Final = r"(?:S?[ØøR⌀∅φΦ]|□|C(?=[1-9]|0?[.,]))"
"""A diameter, a radius, a square, a chamfer of 45° (JIS B 0001)."""
_SIZE: Final = re.compile(
    rf"\*?\s?\(?\s?(?:\d{{1,3}}\s?[xX×]\s?(?=[^\s\w]|\d|[ØøRS])|\d{{1,3}}\s?[-–]?\s?(?={_SIGN}\s?[.,]?\d)|\d{{1,2}}[-–](?=\d{{0,4}}[.,]\d))?"
    rf"\s?[\[(]?\s?(?:{_SIGN}|[SⒶ-ⓩ])?\s?(?P<size>{NUMBER})"
)
"""A quantity stands before a size by an x, before its sign with a dash or without one, or by a dash before decimals (JIS, GB): `2 X 12.5`,
`6 - Ø39`, `4-R1`, `2R3`, `2-0.90`; before all of it the asterisk of a note."""
_NAMED: Final = re.compile(rf"[^\W\d_][^=]{{0,40}}=\s?(?P<of>{_SIGN}?\s?{NUMBER}(?:\s?(?:mm|MM|cm|CM|in|IN))?)")
"""What is measured, and its size: `W=0.35`, `PCD = Ø197`, `WIDTH = 1200`."""
_SUM: Final = re.compile(rf"\d{{1,3}}\s?[xX×]\s?{NUMBER}\s?=\s?(?P<size>{NUMBER})")
"""Equal steps and their sum, which the dimension measures: `13x2.54=33.02` (ISO 129-1 §9.5)."""
_FRACTION: Final = re.compile(
    r"\(?\s?(?:\d{1,3}\s?[xX×]\s)?\s?(?:S[Øø]|[ØøRS⌀∅φ])?\s?"
    r"(?:(?P<whole>\d{1,3})[ -])?(?P<above>\d{1,3})[/⁄](?P<below>2|4|8|16|32|64|128)(?![\d/])"
)
"""A fraction of an inch, also a mixed one."""
INCHES_OF_FOOT: Final = 12
_FEET: Final = re.compile(
    r"\(?\s?(?P<feet>\d{1,3})\s?['′’]\s?[-–]?\s?(?P<inches>(?:\d{1,2}(?:\.\d{1,4})?|(?:\d{1,2}[ -])?\d{1,2}[/⁄]\d{1,2}))\s?(?:[\"″”]|'')"
)
"""Feet and inches, which are given in inches: `3'-6 1/2"`."""
_GOES_ON: Final = re.compile(rf"[.,]?{UNREAD}|(?<=[.,])\s+\d")
"""A number goes on behind a sign that was not read, or a blank behind its point: `2�2`, `2. 12`."""
_APART: Final = re.compile(
    rf"\s(?!0[.,]0+\s[+\-−–])\d+[.,/]\d|/\d|\s?[xX×](?!\s?[\d.,])|\s?[^\W\d_]{{2,}}\.?\s?{_SIGN}\s?\d|\s?[-–]?\s?M\d|-\d+\s+-\d|\s-\d{{2,}}\s+-\d{{2,}}(?![.,\d])"
)
"""What an integer is the beginning of, and no size: `1 1.43`, `6/21`; a quantity: `2x`, `4 PL R5`, `4-M3`; parts: `5264 -15 -14`.

Not deviations: `80 0.00 -0.25`.
"""
_COUNTED: Final = re.compile(rf"\((?P<count>\d{{1,3}})\s?[xX×]?\)\s*(?P<of>(?:S?[ØøR⌀∅φ□]\s?)?{NUMBER}.*)", re.DOTALL)
"""A quantity in brackets before its size: `(2) 19`."""
_SEVERAL: Final = re.compile(r"\d\s?\([^\W\d_][^()]*\)\s.*\d\s?\([^\W\d_]")
"""Sizes that say each what they are of, of several dimensions: `50.2(VA) 48.6(AA)`."""


@lru_cache(maxsize=8192)  # several stages ask for that of every text of a sheet
def printed_size(text: str) -> float | None:
    """The number that a dimension text gives as its size, in the text's own unit; None where a sign of it was not read, a blank
    stands in it, or it is a quantity or several sizes. Feet and inches are given in inches."""
    named = _NAMED.fullmatch(text)
    text = named["of"] if named else _without_count(text)
    if _SEVERAL.search(text):
        return None
    if feet := _FEET.match(text):
        return INCHES_OF_FOOT * int(feet["feet"]) + (printed_size(feet["inches"]) or 0.0)
    if (fraction := _FRACTION.match(text)) and int(fraction["above"]) < int(fraction["below"]):
        return int(fraction["whole"] or 0) + int(fraction["above"]) / int(fraction["below"])
    match = _SUM.match(text) or _SIZE.match(text)
    if match is None or _GOES_ON.match(text, match.end()):
        return None
    if match["size"].isdecimal() and _APART.match(text, match.end()):
        return None
    return float(match["size"].replace(",", ".").rstrip("."))


def decimals(text: str) -> int:
    """How many decimals that number has."""
    named = _NAMED.fullmatch(text)
    match = _SIZE.match(named["of"] if named else _without_count(text))
    return decimals_of(match["size"]) if match else 0


def _without_count(text: str) -> str:
    """A text without the quantity in brackets before its size; what is the size in the other unit is none: `(51) 2.01`."""
    counted = _COUNTED.fullmatch(text)
    return text if counted is None or is_second_unit(counted["count"], counted["of"]) else counted["of"]


def is_second_unit(first: str, second: str) -> bool:
    """Whether two texts give one size in millimetres and in inches, in either order (ASME Y14.5-2018 §4.2)."""
    one, two = printed_size(first), printed_size(second)
    if not one or not two:
        return False
    return _is_in_inches(one, first, two, second) or _is_in_inches(two, second, one, first)


def _is_in_inches(millimeters: float, first: str, inches: float, second: str) -> bool:
    """Whether the second text, with decimals, gives in inches what the first gives in millimetres."""
    return decimals(second) > 0 and is_in_inches(millimeters, decimals(first), inches, decimals(second))
