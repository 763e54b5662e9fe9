"""Limits of size by ISO 286-1:2010.

Glossary
  class   a letter for where the tolerance lies and a grade for its width: H7 (hole), k6 (shaft).
  delta   ISO 286-1 §4.3.2.5: what holes K to ZC in fine grades are shifted by, so that fits on both bases are alike.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from spatial.knowledge import iso286 as tables

LARGEST: Final = 3150.0
"""Millimetres."""


STANDARD: Final = "ISO 286-1:2010"


@dataclass(frozen=True, slots=True)
class Limits:
    """Deviations from the nominal size in millimetres."""

    upper: float
    lower: float


def usual(letter: str, grade: str) -> bool:
    """Whether a letter and a grade are a class that the standard tabulates."""
    bounds = tables.USUAL_GRADES.get(letter.lower())
    return bounds is not None and letter in {letter.lower(), letter.upper()} and bounds[0] <= int(grade) <= bounds[1]


def limits(nominal: float, letter: str, grade: str) -> Limits | None:
    """Deviations of a class at a nominal size in millimetres; None where the standard has none."""
    width = tolerance(nominal, grade)
    if width is None:
        return None
    found = _hole(nominal, letter, grade, width) if letter.isupper() else _shaft(nominal, letter, grade, width)
    if found is None:
        return None
    upper, lower = found
    return Limits(round(upper / 1000, 6) + 0.0, round(lower / 1000, 6) + 0.0)


def tolerance(nominal: float, grade: str) -> float | None:
    """Width of a grade in micrometres."""
    return _at(tables.GRADES.get(grade, ()), tables.MAIN_STEPS, nominal)


def _shaft(nominal: float, letter: str, grade: str, width: float) -> tuple[float, float] | None:
    if letter == "js":
        return width / 2, -width / 2
    under = _under(nominal, letter)
    if under is not None:
        return -under, -under - width
    over = _over(nominal, letter, grade)
    return None if over is None else (over + width, over)


def _hole(nominal: float, letter: str, grade: str, width: float) -> tuple[float, float] | None:
    shaft = letter.lower()
    if shaft == "js":
        return width / 2, -width / 2
    under = _under(nominal, shaft)
    if under is not None:
        return under + width, under
    upper = (
        _at(tables.UPPER_J.get(grade, ()), tables.MAIN_STEPS, nominal)
        if shaft == "j"
        else _tight(nominal, shaft, grade)
    )
    return None if upper is None else (upper, upper - width)


def _tight(nominal: float, shaft: str, grade: str) -> float | None:
    """Upper limit of the holes K to ZC, ISO 286-1 table 3."""
    fine = int(grade) <= (8 if shaft in {"k", "m", "n"} else 7)
    if shaft == "n" and not fine and 3 < nominal <= 500:
        return 0.0
    if shaft == "k" and not fine and 3 < nominal <= 500:
        return None
    if shaft == "m" and grade == "6" and 250 < nominal <= 315:
        return -9.0  # the standard's own exception to the rule
    over = _over(nominal, shaft, "7" if shaft == "k" else grade)
    return None if over is None else -over + (_delta(nominal, grade) if fine else 0.0)


def _delta(nominal: float, grade: str) -> float:
    finer = {"1": "0", "0": "01"}.get(grade, str(int(grade) - 1))
    this, that = tolerance(nominal, grade), tolerance(nominal, finer)
    if not 3 < nominal <= 500 or int(grade) < 3 or this is None or that is None:
        return 0.0
    return this - that


def _under(nominal: float, letter: str) -> float | None:
    if letter in {"a", "b"} and nominal <= 1:
        return None
    if letter in tables.UPPER_MAIN:
        return _at(tables.UPPER_MAIN[letter], tables.MAIN_STEPS, nominal)
    return _at(tables.UPPER_FINE.get(letter, ()), tables.FINE_STEPS, nominal)


def _over(nominal: float, letter: str, grade: str) -> float | None:
    if letter == "j":
        return _at(tables.LOWER_J.get(grade, ()), tables.MAIN_STEPS, nominal)
    if letter == "k":
        return (_at(tables.LOWER_K, tables.MAIN_STEPS, nominal) or 0.0) if grade in {"4", "5", "6", "7"} else 0.0
    if letter in tables.LOWER_MAIN:
        return _at(tables.LOWER_MAIN[letter], tables.MAIN_STEPS, nominal)
    return _at(tables.LOWER_FINE.get(letter, ()), tables.FINE_STEPS, nominal)


def _at(row: tuple[float | None, ...], steps: tuple[int, ...], nominal: float) -> float | None:
    if not 0 < nominal <= LARGEST:
        return None
    place = bisect_left(steps, nominal)
    return row[place] if place < len(row) else None
