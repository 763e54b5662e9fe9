"""Holes that their drill calls: `#25 DRILL (0.150) THRU`, `5/16 DRILL (0.313)`. ASME B94.11M has the numbers of drills."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, FeatureRule, Members, Place
from spatial.understanding.sheet.callouts.production import Production, named, production
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, decimal_value

Reading = Callable[[re.Match[str]], Members]

_IN_BRACKETS: Final = rf"\(\s?Ø?\s?(?P<size>{DECIMAL})\s?\"?\s?(?i:DIA\.?)?\s?\)"


def _by_number(found: re.Match[str]) -> Members:
    members: Members = {"drill": f"#{found['number']}"}
    if found["size"]:
        members["diameter"] = decimal_value(found["size"])
    return members


def _by_size(found: re.Match[str]) -> Members:
    return {"drill": found["drill"], "diameter": decimal_value(found["size"])}


DRILLS: Final[tuple[Production[Reading], ...]] = named((
    production(
        "drill-by-number", "ASME B94.11M",
        rf"(?:#|(?i:NO\.?)\s?)(?P<number>\d{{1,2}})\s?(?i:DRILL)(?![A-Za-z])(?:\s*{_IN_BRACKETS})?",
        _by_number, ("#25 DRILL (0.150) THRU", "drill", "#25"), ("NO. 7 DRILL", "drill", "#7"),
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
            members = each.meaning(found) | {"process": "drill"}
            if place.context.unit:
                members["unit"] = place.context.unit
            return Feature("hole", start, place.scan.at, members, STANDARD_WRITING)
    return None


DRILL: Final = FeatureRule("hole", read_drill)
