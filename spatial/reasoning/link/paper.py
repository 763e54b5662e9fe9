"""The unit of a drawing that states none, by the scale of its views on paper.

Views are drawn at preferred scales. The length that dimensions print for a point of paper is at such a scale in one unit: 25.4 is no ratio
of preferred scales, so that views at 1:1 in millimetres are at no preferred scale in inches, and the other way round.

Source: ISO 5455:1979 (ratios of 1, 2 and 5), ASME Y14.2 and common practice (1:2.5, 1:4, 1:8).
"""

from __future__ import annotations

from math import floor, log10
from typing import Final

from spatial.contract.extraction import Structure

PREFERRED: Final = (1.0, 2.0, 2.5, 4.0, 5.0, 8.0, 10.0)
"""Mantissas of preferred scales."""

EXACT: Final = 0.001
"""Relative difference from a preferred scale: that of ends of lines that are rounded to a hundredth of a point."""

LEAST: Final = 4
"""Dimensions that must agree on the scale, and most of the sheet's must."""

_PAPER: Final = {"millimeter": 25.4 / 72.0, "inch": 1.0 / 72.0}
"""Units of length in a point."""


def unit_of_paper(sheet: Structure) -> str | None:
    """The unit in which the views are at a preferred scale on every page; None where none is, or both are."""
    pages = [
        float(agreed["value"])
        for each in sheet.sheets or ()
        if isinstance(agreed := (each.model_extra or {}).get("printed_per_unit"), dict)
        and each.unit == "point"
        and agreed["dimensions"] >= max(LEAST, agreed["of"] / 2)
    ]
    found = [unit for unit, size in _PAPER.items() if pages and all(_is_preferred(size / page) for page in pages)]
    return found[0] if len(found) == 1 else None


def _is_preferred(scale: float) -> bool:
    mantissa = scale / 10.0 ** floor(log10(scale))
    return any(abs(mantissa / each - 1.0) <= EXACT for each in PREFERRED)
