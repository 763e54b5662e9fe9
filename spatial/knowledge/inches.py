"""Inches and millimetres: the international yard and pound agreement of 1959, and sizes that a sheet prints in both."""

from __future__ import annotations

from typing import Final

MILLIMETERS_AN_INCH: Final = 25.4


def decimals_of(written: str) -> int:
    """How many decimals a number is written with, behind a point or a comma."""
    return len(written.replace(",", ".").partition(".")[2])


def is_in_inches(millimeters: float, decimals: int, inches: float, inch_decimals: int) -> bool:
    """Whether a length in inches is one in millimetres, as far as the printed decimals of both say (ASME Y14.5-2018 §4.2)."""
    slack = 10.0**-decimals + MILLIMETERS_AN_INCH * 10.0**-inch_decimals
    return abs(millimeters - MILLIMETERS_AN_INCH * inches) <= slack
