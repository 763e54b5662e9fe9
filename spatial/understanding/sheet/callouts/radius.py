"""Radii: `R10`, `SR5`, `CR3`, and without a number `FULL R`, `VOLL R`. ASME Y14.5-2018 §4.4.2, ISO 129-1 §9.3."""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, FeatureRule, Place, Size, SizeRule
from spatial.understanding.sheet.callouts.sizes import RADIUS_SIGNS
from spatial.understanding.sheet.callouts.tolerance import complete_limit

_FULL: Final = re.compile(
    r"(?:(?i:FULL|VOLL(?:ER)?)\s?(?:R(?:AD(?:IUS|IEN)?|ADII)?|(?i:RAD(?:IUS)?))|R\s?(?i:FULL|VOLL))(?![A-Za-z\d])\.?"
    r"|(?<=[xX]\s)R(?=\s*$)"
)
"""Also counted, without its size: `2X R` of the ends of a slot (ASME Y14.5-2018 §4.4.2)."""


def read_full_radius(place: Place) -> Feature | None:
    """The full radius at this place: its size follows from the width that it rounds."""
    start = place.scan.start
    return Feature("radius", start, place.scan.at, {"full": True}) if place.scan.take(_FULL) else None


def _is_radius(feature: Feature, size: Size) -> bool:
    return size.sign in RADIUS_SIGNS


def _complete_radius(feature: Feature, size: Size, context: Context) -> None:
    if size.other is not None:
        complete_limit(feature, size, context)
    elif "bound" in feature.members:
        feature.members[feature.members["bound"]] = feature.members["radius"]


def _is_second(feature: Feature, main: str) -> bool:
    return main in {"tolerance", "fit"} or (main == "reference_dimension" and "mark" in feature.members)


FULL_RADIUS: Final = FeatureRule("radius", read_full_radius)
RADIUS: Final = SizeRule("radius", _is_radius, _complete_radius, is_second=_is_second)
