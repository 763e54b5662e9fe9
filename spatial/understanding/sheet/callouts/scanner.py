"""A cursor over a label in one spelling, and the numbers in it.

Glossary
  number   a value with its unit sign: `10,5`, `.250`, `1 1/4"`, `45°30'`, `2'-3 1/2"`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from spatial.knowledge.inches import decimals_of
from spatial.knowledge.quantities import COUNT, PLACES
from spatial.understanding.sheet.callouts.spelling import Spelling

INCHES_A_FOOT: Final = 12
ARC_DECIMALS: Final = 2
"""Decimals of degrees that an angle in minutes is worth: a minute is 0.017°."""
DECIMAL: Final = r"(?:(?!0\d)\d{1,6}(?:[.,]\d{1,6})?+|[.,]\d{1,6})(?!\d|[.,]\d)"
"""`0144` and `11.8.2020` are a code and a date, not numbers."""
FRACTION: Final = r"(?:\d{1,3}[ -]{1,2})?\d{1,3}/(?:2|4|8|16|32|64|128)(?![\d/])"

_DECIMAL: Final = re.compile(DECIMAL)
_FRACTION: Final = re.compile(FRACTION)
_BY_DRILL: Final = re.compile(r"\s?(?i:DRILL|REAM)")
"""Drills and reamers have sizes in fractions of an inch: `5/16 DRILL`."""
_MINUTES: Final = re.compile(r"\s?°\s?(\d{1,2})\s?'(?:\s?(\d{1,2})\s?\")?")
_FEET: Final = re.compile(rf"(\d{{1,4}})\s?'\s?-?\s?({FRACTION}|{DECIMAL})\s?\"")
_UNIT: Final = re.compile(
    rf"\s?(?!(?i:in)\s{COUNT}\s?{PLACES})"  # `R5 IN 2 PLACES` is no inch
    r"(°|(?:mm|MM|cm|µm|µin|inch(?:es)?|INCH(?:ES)?|in\.|IN\.|in(?![a-zA-Z])|IN(?![a-zA-Z'])|\")(?![A-Za-z]))"
)
_UNITS: Final = {"mm": "millimeter", "cm": "centimeter", "µm": "micrometer", "µin": "microinch", "°": "degree"}


@dataclass(slots=True)
class Number:
    """One number as it is written."""

    value: float
    unit: str | None
    """millimeter, inch, degree, …; None where no unit is written."""
    decimals: int
    written: str

    @property
    def is_whole(self) -> bool:
        """Whether it is a plain integer."""
        return self.written.isdigit()


class Scanner:
    """A position in a label; `take` moves on only where its pattern matches."""

    def __init__(self, spelling: Spelling, *, thousands: bool = False, inches: bool = False) -> None:
        self.spelling = spelling
        self.text = spelling.text
        self.at = 0
        self.thousands = thousands
        """Whether `1,250` is twelve hundred and fifty."""
        self.inches = inches
        """Whether a fraction is a number without an inch sign behind it."""

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern's match at this place, after white space; the cursor moves behind it."""
        found = self.sees(pattern)
        if found:
            self.at = found.end()
        return found

    def sees(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern's match at this place; the cursor stays."""
        return pattern.match(self.text, self.start)

    @property
    def start(self) -> int:
        """Place of the next character that is no white space."""
        at, text = self.at, self.text
        while text.startswith(" ", at):
            at += 1
        return at

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.start >= len(self.text)

    def trial(self) -> Trial:
        """Try something: unless the trial is kept, the cursor goes back."""
        return Trial(self)

    def number(self, *, fractions: bool = False) -> Number | None:
        """The number at this place with its unit sign."""
        return self._feet() or self._fraction(anywhere=fractions or self.inches) or self._decimal()

    def _feet(self) -> Number | None:
        found = self.take(_FEET)
        if not found:
            return None
        inches = number_value(found[2])
        return Number(int(found[1]) * INCHES_A_FOOT + inches, "inch", 0, found[0])

    def _fraction(self, *, anywhere: bool) -> Number | None:
        with self.trial() as trial:
            found = self.take(_FRACTION)
            unit = self._unit() if found else None
            if not found or not (anywhere or unit == "inch" or self.sees(_BY_DRILL)):
                return None
            trial.kept = True
            return Number(fraction_value(found[0]), unit, 0, found[0])

    def _decimal(self) -> Number | None:
        found = self.take(_DECIMAL)
        if not found:
            return None
        written = found[0]
        number = self._value(written)
        minutes = _MINUTES.match(self.text, self.at)
        if minutes:
            self.at = minutes.end()
            return Number(number + int(minutes[1]) / 60 + int(minutes[2] or 0) / 3600, "degree", ARC_DECIMALS, written)
        return Number(number, self._unit(), decimals_of(written), written)

    def _value(self, written: str) -> float:
        if self.thousands and re.fullmatch(r"[1-9]\d{0,2},\d{3}", written):
            return float(written.replace(",", ""))
        return decimal_value(written)

    def _unit(self) -> str | None:
        found = _UNIT.match(self.text, self.at)
        if not found:
            return None
        self.at = found.end()
        return _UNITS.get(found[1] if found[1] in _UNITS else found[1].lower(), "inch")


class Trial:
    """What is tried at a place: unless `kept` is set, the cursor goes back."""

    def __init__(self, scan: Scanner) -> None:
        self._scan = scan
        self._before = scan.at
        self.kept = False

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *raised: object) -> None:
        if not self.kept:
            self._scan.at = self._before


def fraction_value(fraction: str) -> float:
    """The value of `1 1/4`, `1-1/4`, `3/8`."""
    *whole, part = re.split(r"[ -]+", fraction.strip())
    above, below = part.split("/")
    return (int(whole[0]) if whole else 0) + int(above) / int(below)


def decimal_value(decimal: str) -> float:
    """The value of `12.5`, `12,5`, `.250`."""
    return float(decimal.replace(",", "."))


def number_value(written: str) -> float:
    """The value of a fraction or a decimal number."""
    return fraction_value(written) if "/" in written else decimal_value(written)


def plain_size(size: str) -> str:
    """A size with one space between whole and fraction: `1-1/4` is `1 1/4`."""
    return " ".join(re.split(r"[ -]+", size.strip()))
