"""Words of PMI in STEP files, and the signs and names that the document has for them.

Sources: ISO 10303-47 (modifiers), CAx-IF Recommended Practices for PMI in AP242 (words of dimensions), ISO 1101, ISO 14405-1,
ASME Y14.5-2018.
"""

from __future__ import annotations

from typing import Final

from spatial.knowledge.symbols import CHARACTERISTICS, TOLERANCE_MODIFIERS

MODIFIERS: Final = {
    "maximum_material_requirement": "maximum_material",
    "maximum_material_condition": "maximum_material",
    "least_material_requirement": "least_material",
    "least_material_condition": "least_material",
    "reciprocity_requirement": "reciprocity",
    "common_zone": "combined_zone",
    "statistical_tolerance": "statistical",
}
"""Modifiers of tolerances and datums that the document calls otherwise; any other word is kept."""

_SIGNS: Final = {name: sign for sign, name in reversed(TOLERANCE_MODIFIERS.items())}
MODIFIER_SIGNS: Final = _SIGNS | {"statistical": "⟨ST⟩", "each_radial_element": "ERE", "line_element": "LE"}
"""Name of a modifier to how it is written."""

CHARACTERISTIC_SIGNS: Final = {name: sign for sign, name in reversed(CHARACTERISTICS.items())} | {"coaxiality": "◎"}
"""Name of a characteristic to its symbol."""

SIZE_SIGNS: Final = {
    "diameter": "Ø",
    "radius": "R",
    "spherical_diameter": "SØ",
    "spherical_radius": "SR",
    "curve_length": "⌒",
}
"""Type of a dimension to the sign before its value."""

ZONE_SIGNS: Final = {"cylindrical": "Ø", "circular": "Ø", "spherical": "SØ"}
"""Shape of a tolerance zone to the sign before its value."""

BASIC: Final = "theoretical"
REFERENCE: Final = "auxiliary"
STATISTICAL: Final = frozenset(("statistical", "statistical dimension", "statistical tolerance"))
CONTROLLED_RADIUS: Final = "controlled radius"
SQUARE: Final = "square"
"""Words about a dimension."""

QUALIFIER_SIGNS: Final = {"maximum": "MAX", "minimum": "MIN", "average": "AVG"}
"""Qualifiers of a value that are written beside it."""
