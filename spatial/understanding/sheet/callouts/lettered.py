"""A size that a table gives by its letter, with the deviations that hold for every row: `B ±0.25`. ISO 129-1 (tabular dimensioning)."""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value
from spatial.understanding.sheet.callouts.spelling import Spelling
from spatial.understanding.sheet.label import Label

_LETTERED: Final = re.compile(
    rf"\s*(?P<letter>[A-WYZ])\s?(?:±\s?(?P<both>{DECIMAL})|\+\s?(?P<upper>{DECIMAL})\s?/?\s?-\s?(?P<lower>{DECIMAL}))\s?(?:mm)?\s*"
)
"""X stands for the figures of a general tolerance: `X ±0.5`, `X.X ±0.2`."""


def read_lettered(label: Label, spelling: Spelling) -> list[tuple[Feature, str]]:
    """A whole label that is a letter and deviations; of a free one, these have decimals."""
    found = _LETTERED.fullmatch(spelling.text)
    if found is None or label.boxed:
        return []
    upper, lower = found["both"] or found["upper"], found["both"] or found["lower"]
    if label.role == "free" and not re.search("[.,]", upper + lower):
        return []
    members = {
        "of": found["letter"],
        "upper_deviation": decimal_value(upper),
        "lower_deviation": -decimal_value(lower) + 0.0,
    }
    return [(Feature("tolerance", 0, len(spelling.text), members, STANDARD_WRITING), label.text)]
