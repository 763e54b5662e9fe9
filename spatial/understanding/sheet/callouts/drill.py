"""Holes that their drill calls: `#25 DRILL (0.150) THRU`, `5/16 DRILL (0.313)`. ASME B94.11M has the numbers of drills."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.knowledge import drills
from spatial.understanding.sheet.callouts.feature import (
    STANDARD_WRITING,
    Feature,
    FeatureRule,
    Members,
    Place,
    converted,
)
from spatial.understanding.sheet.callouts.production import Production, named, production
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, decimal_value

Reading = Callable[[re.Match[str], Place], Members | None]
"""None where it is no drill after all."""
ROUNDED: Final = 0.0015
"""Inches that a printed diameter may differ from the standard's, at two decimals more than an eighth."""

_IN_BRACKETS: Final = rf"\(\s?Ø?\s?(?P<size>{DECIMAL})\s?\"?\s?(?i:DIA\.?)?\s?\)"


def _by_name(found: re.Match[str], place: Place) -> Members:
    """The diameter is the printed one, or that of the standard, which is in inches."""
    name = found["letter"] or f"#{int(found['number'])}"
    members: Members = {"drill": name}
    if found["size"]:
        members["diameter"] = decimal_value(found["size"])
    elif name in drills.DRILLS:
        members["diameter"] = converted(drills.DRILLS[name], "inch", place.context.unit)
        members["diameter_from"], members["unit"] = drills.SOURCE, place.context.unit or "inch"
    return members


def _by_name_and_size(found: re.Match[str], place: Place) -> Members | None:
    """A number of a drill without its word, where the standard's diameter stands behind it."""
    members = _by_name(found, place)
    inches = drills.DRILLS.get(members["drill"])
    return members if inches and abs(inches - members["diameter"]) < ROUNDED else None


def _by_size(found: re.Match[str], place: Place) -> Members:
    return {"drill": found["drill"], "diameter": decimal_value(found["size"])}


DRILLS: Final[tuple[Production[Reading], ...]] = named((
    production(
        "drill-by-name", "ASME B94.11M",
        rf"(?:(?:#|(?i:NO\.?)\s?)(?P<number>\d{{1,2}})|(?:(?i:LETTER)\s)?\"?(?P<letter>[A-Z])\"?)\s?(?i:DRILL)(?![A-Za-z])(?:\s*{_IN_BRACKETS})?",
        _by_name, ("#25 DRILL (0.150) THRU", "drill", "#25"), ("NO. 7 DRILL", "diameter", 0.201), ("F DRILL THRU", "diameter", 0.257),
    ),
    production(
        "drill-with-size", "ASME B94.11M",
        rf"#\s?(?P<number>\d{{1,2}})(?P<letter>(?!))?\s?{_IN_BRACKETS}",
        _by_name_and_size, ("#30 (.1285) THRU", "drill", "#30"), ("#7 (0.201)", "diameter", 0.201),
    ),
    production(
        "drill-by-size", "practice",
        rf"(?P<drill>{FRACTION}|{DECIMAL})\s?(?i:DRILL)\s*{_IN_BRACKETS}",
        _by_size, ("5/16 DRILL (0.313) THRU", "diameter", 0.313),
    ),
))  # fmt: skip
"""Names of drills, most with their diameter in brackets."""


def read_drill(place: Place) -> Feature | None:
    """The hole at this place, by its drill."""
    start = place.scan.start
    for each in DRILLS:
        if found := place.scan.take(each.pattern):
            known = each.meaning(found, place)
            if known is None:
                return None
            members = known | {"process": "drill"}
            if place.context.unit:
                members["unit"] = place.context.unit
            return Feature("hole", start, place.scan.at, members, STANDARD_WRITING)
    return None


DRILL: Final = FeatureRule("hole", read_drill)
