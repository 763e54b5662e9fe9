"""Fits: a size with an ISO 286 tolerance class, `Ø10 H7`, `Ø6 H7/k6`, `Ø35 L0/k6` of a bearing. ISO 286-1:2010, ISO 129-1, GOST 3325."""

from __future__ import annotations

from typing import Final

from spatial.knowledge.inches import MILLIMETERS_AN_INCH
from spatial.understanding.sheet.callouts import iso286
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import DIGITS, Feature, Members, Size, SizeRule
from spatial.understanding.sheet.callouts.sizes import RADIUS_SIGNS
from spatial.understanding.sheet.callouts.tolerance import add_bounds

BEARING: Final = "L"
"""Letter of the classes of rolling bearings in GOST 3325, which have no ISO grade."""
_BINARY_NOISE: Final = 1e-9
"""Millimetres that two equal decimal numbers may differ by."""


def _is_fit(feature: Feature, size: Size) -> bool:
    return bool(size.classes)


def _complete_fit(feature: Feature, size: Size, context: Context) -> None:
    """Class, grade and deviations; printed deviations win over the standard's, and a disagreement is reported."""
    members = feature.members
    members["class"] = "/".join(letter + grade for letter, grade in size.classes)
    for letter, grade in size.classes:
        members["hole_class" if letter.isupper() else "shaft_class"] = letter + grade
    members["grade"] = "/".join(f"IT{grade}" for letter, grade in size.classes if letter.upper() != BEARING)
    computed = [_computed(size, letter, grade, context) for letter, grade in size.classes]
    if len(size.classes) == 1:
        _add_deviations(members, size, computed[0])
        return
    for name, found in zip(("hole", "shaft"), computed, strict=True):
        if found:
            members[f"{name}_upper_deviation"], members[f"{name}_lower_deviation"] = found.upper, found.lower
            members["deviations_from"] = iso286.STANDARD


def _computed(size: Size, letter: str, grade: str, context: Context) -> iso286.Limits | None:
    """The standard's deviations in the sheet's unit: ISO 286 is in millimetres."""
    is_inch = (size.number.unit or context.unit) == "inch"
    if size.sign in RADIUS_SIGNS:
        return None  # the tables are of diameters and widths
    found = iso286.limits(size.number.value * (MILLIMETERS_AN_INCH if is_inch else 1.0), letter, grade)
    if found is None or not is_inch:
        return found
    return iso286.Limits(
        round(found.upper / MILLIMETERS_AN_INCH, DIGITS), round(found.lower / MILLIMETERS_AN_INCH, DIGITS)
    )


def _add_deviations(members: Members, size: Size, computed: iso286.Limits | None) -> None:
    if size.upper is not None and size.lower is not None:
        members["upper_deviation"], members["lower_deviation"] = size.upper, size.lower
        members["deviations_from"] = "printed"
        if computed and not _agrees(size.upper, size.lower, computed, size.decimals):
            members["standard_upper_deviation"], members["standard_lower_deviation"] = computed.upper, computed.lower
            members["disagrees_with"] = iso286.STANDARD
    elif computed:
        members["upper_deviation"], members["lower_deviation"] = computed.upper, computed.lower
        members["deviations_from"] = iso286.STANDARD
    add_bounds(members)


def _agrees(upper: float, lower: float, computed: iso286.Limits, decimals: int) -> bool:
    """Whether printed deviations are the standard's, rounded to the decimals that are printed."""
    half_a_digit = 0.5 * 10.0**-decimals + _BINARY_NOISE
    return abs(upper - computed.upper) <= half_a_digit and abs(lower - computed.lower) <= half_a_digit


FIT: Final = SizeRule("fit", _is_fit, _complete_fit)
