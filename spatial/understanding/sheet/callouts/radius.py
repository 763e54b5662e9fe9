"""Radii without a number: `FULL R`, `R`, `VOLL R`. ASME Y14.5-2018 §4.4.2; radii with a number are sizes."""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts.feature import Feature, Place

_FULL: Final = re.compile(
    r"(?:(?i:FULL|VOLL(?:ER)?)\s?(?:R(?:AD(?:IUS|IEN)?|ADII)?|(?i:RAD(?:IUS)?))|R\s?(?i:FULL|VOLL))(?![A-Za-z\d])\.?"
)


def read(place: Place) -> Feature | None:
    """The full radius that stands here: its size follows from the width that it rounds."""
    start = place.scan.start
    return Feature("radius", start, place.scan.at, {"full": True}) if place.scan.take(_FULL) else None
