"""Marks of notes in any writing of a number: `[1]`, `#1`, `*1`, `1/`, `1º`, `1-`, `1.0`, `II.`, `三、`, `M1.`, `1 Deburr`.

Glossary
  counter  the number that a line may begin with, and how it is written.
  style    how it is written, the number left out: `[n]`, `roman.`. Counters of one style count up together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.notes.ranges import begins_range

_SERIES: Final = re.compile(r"(?P<series>[A-Z]{1,2})[-.]?(?P<count>\d{1,2})\s?[.):\u3001]\s*(?=\S)")
_UNIT: Final = rf"(?:{alternatives('length_unit')}|mm|cm)\b"
_BARE: Final = re.compile(
    rf"(?P<count>\d{{1,2}})(?:(?P<unread>{UNREAD})\s*|\s+)(?!{_UNIT})(?=[^\W\d_]{{2}})", re.IGNORECASE
)
"""`unread`: a point or bracket of drawn lettering that could not be told. A number before its unit is a size."""
_FRAMED: Final = re.compile(
    r"(?:(?P<open>[\[<{#/§*※]|№|N[º°]|N[or]\.\s?)\s?(?P<count>\d{1,2})(?P<close>[\]>}/]?)|(?P<plain>\d{1,2})(?P<sign>[/º°ª\]>]))\s?[.:)-]*\s*(?=[^\W\d_])"
)
_TAILED: Final = re.compile(
    rf"(?P<count>\d{{1,2}})\s?(?P<tail>[-–_=|;,\uff0c]{{1,2}}|\.0[.)]?)\s*(?!{_UNIT})(?=[^\W\d_]{{2}})",
    re.IGNORECASE,
)
"""A number with any other sign behind it, or counted as chapters are: `1- Deburr`, `1_ Deburr`, `1.0 Deburr`."""
_ROMAN: Final = re.compile(r"(?P<count>[IVX]{1,5})(?:\s?(?P<close>[.):])|\s(?P<dash>[-–]))\s+(?=\S)")
_IDEOGRAPHIC: Final = re.compile(
    r"(?P<count>[一二三四五六七八九十]{1,3})\s?(?P<close>[\u3001.:)\uff0e\uff1a\uff09])\s*(?=\S)"
)
_DASHES: Final = ("-", "\u2013")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10}
_IDEOGRAPHS: Final = "一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that a line may be marked with, if the line above or below is marked with the next one."""

    style: str
    number: int
    end: int
    """Characters of the mark."""
    series: str = ""
    is_loose: bool = False
    """Whether nothing stands behind the number: it may be a balloon or a row."""


def counter_of(text: str) -> Counter | None:
    """The counter that `text` begins with, in the first writing that fits; None for a range of sizes."""
    found = next(_counters(text), None)
    return None if found is None or begins_range(text) else found


def _counters(text: str) -> Iterator[Counter]:
    if found := _SERIES.match(text):
        yield Counter(found["series"], int(found["count"]), found.end(), found["series"])
    if found := _BARE.match(text):
        yield Counter("", int(found["count"]), found.end(), is_loose=found["unread"] is None)
    if found := _FRAMED.match(text):
        style = f"{found['open'] or ''}n{found['close'] or found['sign'] or ''}"
        yield Counter(style, int(found["count"] or found["plain"]), found.end())
    if found := _TAILED.match(text):
        # A dash may stand nearer to its number in one line than in the next.
        style = "" if found["tail"] in _DASHES else f"n{found['tail']}"
        yield Counter(style, int(found["count"]), found.end())
    if found := _ROMAN.match(text):
        yield Counter(f"roman{found['close'] or found['dash']}", _roman(found["count"]), found.end())
    if found := _IDEOGRAPHIC.match(text):
        yield Counter(f"ideograph{found['close']}", _ideographic(found["count"]), found.end())


def _roman(mark: str) -> int:
    values = [_ROMAN_VALUES[sign] for sign in mark]
    return sum(-each if each < max(values[at:]) else each for at, each in enumerate(values))


def _ideographic(mark: str) -> int:
    """Of 一 to 九十九: tens before 十, ones behind it."""
    tens, ten, ones = mark.rpartition("十")
    return 10 * (_IDEOGRAPHS.find(tens) + 1 if tens else 1) * bool(ten) + (_IDEOGRAPHS.find(ones) + 1 if ones else 0)
