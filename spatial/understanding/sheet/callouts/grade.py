"""Deviations by a standard tolerance grade: `12 ±IT14/2`, `12 +IT14`, `12 -IT14`. ISO 286-1:2010 table 1, GOST 25346."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.inches import MILLIMETERS_AN_INCH
from spatial.understanding.sheet.callouts import iso286
from spatial.understanding.sheet.callouts.feature import DIGITS, Place, Size

MICROMETERS_A_MILLIMETER: Final = 1000.0

_GRADE: Final = re.compile(
    r"\(?\s?(?:(?P<both>±)\s?IT\s?(?P<half>01|0|1[0-8]|[1-9])\s?/\s?2|(?P<side>[+-])\s?IT\s?(?P<whole>01|0|1[0-8]|[1-9]))(?![\w/])\s?\)?"
)


def read_grade(place: Place, size: Size) -> bool:
    """Read a grade into the deviations of a size; False where none stands here, or the standard has none for the size."""
    if size.is_angular:
        return False
    with place.scan.trial() as trial:
        found = place.scan.take(_GRADE)
        width = _width(place, size, found["half"] or found["whole"]) if found else None
        if found is None or width is None:
            return False
        trial.kept = True
    size.grade = f"IT{found['half'] or found['whole']}"
    above = {"±": 0.5, "+": 1.0, "-": 0.0}[found["both"] or found["side"]]
    size.upper, size.lower = round(above * width, DIGITS), round((above - 1.0) * width, DIGITS) + 0.0
    return True


def _width(place: Place, size: Size, grade: str) -> float | None:
    """Width of a grade at a size, in the unit of the size: the standard is in millimetres."""
    is_inch = (size.number.unit or place.context.unit) == "inch"
    factor = MILLIMETERS_AN_INCH if is_inch else 1.0
    width = iso286.tolerance(size.number.value * factor, grade)
    return None if width is None else width / MICROMETERS_A_MILLIMETER / factor
