"""Symbols of the units of length (ISO 80000-1, ASME Y14.5)."""

from __future__ import annotations

from typing import Final

UNIT_SYMBOLS: Final = {
    "micrometer": "µm",
    "millimeter": "mm",
    "centimeter": "cm",
    "meter": "m",
    "kilometer": "km",
    "inch": "in",
    "foot": "ft",
    "mile": "mi",
    "mil": "mil",
    "point": "pt",
    "pixel": "px",
}
"""What stands behind a number; a unit without a symbol stands there by its name."""
