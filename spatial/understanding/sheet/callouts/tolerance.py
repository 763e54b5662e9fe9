"""Sizes with deviations, and limits of size. ISO 406, ASME Y14.5-2018 §5.3."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.callouts import iso286
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import DIGITS, Feature, Members, Size, SizeRule, converted
from spatial.understanding.sheet.callouts.sizes import RADIUS_SIGNS

LEAST_OF_CODE: Final = 10
"""Two whole numbers from here on behind dashes are parts of a code, no deviations to one side of a size."""


def is_part_code(size: Size) -> bool:
    """Whether a whole number and what stands behind it are a code, whose parts of two digits and more have dashes before them.

    `5264 -17`, `5264-15` over `-14`, `77317-104-28LF`. A code has no sign of a size, and no decimals; deviations on one side have.
    """
    if size.upper is None or size.lower is None or size.sign or size.classes or size.is_angular:
        return False
    are_whole = float(size.number.value).is_integer() and not size.decimals
    return are_whole and size.upper <= 0 and size.lower <= -LEAST_OF_CODE


def _is_tolerance(feature: Feature, size: Size) -> bool:
    return size.upper is not None and not size.classes


def _complete_tolerance(feature: Feature, size: Size, context: Context) -> None:
    members = feature.members
    members["upper_deviation"], members["lower_deviation"] = size.upper, size.lower
    if size.grade:
        members["grade"], members["deviations_from"] = size.grade, iso286.STANDARD
    add_bounds(members)


def add_bounds(members: Members) -> None:
    """Add `max` and `min`, where nominal size and deviations are known."""
    if "upper_deviation" in members and "nominal" in members:
        members["max"] = round(members["nominal"] + members["upper_deviation"], DIGITS)
        members["min"] = round(members["nominal"] + members["lower_deviation"], DIGITS)


def _is_limit(feature: Feature, size: Size) -> bool:
    return size.other is not None or ("bound" in feature.members and size.sign not in RADIUS_SIGNS)


def complete_limit(feature: Feature, size: Size, context: Context) -> None:
    """Add `min` and `max`: both of two limits, the one that MIN or MAX names of a single one."""
    members = feature.members
    if size.other is not None:
        values = (converted(number.value, number.unit, context.unit) for number in (size.number, size.other))
        members["min"], members["max"] = sorted(values)
    else:
        members[members["bound"]] = members["nominal"]


TOLERANCE: Final = SizeRule("tolerance", _is_tolerance, _complete_tolerance)
LIMIT: Final = SizeRule("limit", _is_limit, complete_limit)
