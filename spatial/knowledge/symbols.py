"""Symbols of drawings: the outlines of those that exporters draw as strokes, and the names of those of geometric tolerancing.

Sources: ASME Y14.5-2018 Annex C and ISO 129-1 (outlines, sizes in letter heights), ISO 1101 and ASME Y14.5-2018 §6 to §12
(characteristics), ISO 1101, ISO 2692, ISO 5458, ISO 8015 and ASME Y14.5-2018 §6.3 (modifiers). Bounds of outlines are wider than
the standards': they hold what CAD programs draw.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

Range = tuple[float, float]
"""Least and greatest, both excluded."""
Count = tuple[int, int]
"""Fewest and most, both included."""

_ANY: Final[Range] = (-math.inf, math.inf)
_SOME: Final[Count] = (1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Outline:
    """How many strokes a symbol has in each direction, and how large it is."""

    level: Count = (0, 0)
    """Strokes parallel to the baseline."""
    upright: Count = (0, 0)
    rising: Count = (0, 0)
    """Oblique strokes, upwards to the right."""
    falling: Count = (0, 0)
    width: Range = _ANY
    """Letter heights."""
    height: Range = _ANY
    """Letter heights."""
    aspect: Range = _ANY
    """Width by height."""

    def has_counts(self, level: int, upright: int, rising: int, falling: int) -> bool:
        """Whether strokes are as many in each direction as it has."""
        bounds = (self.level, self.upright, self.rising, self.falling)
        return all(
            fewest <= count <= most
            for count, (fewest, most) in zip((level, upright, rising, falling), bounds, strict=True)
        )

    def has_size(self, width: float, height: float) -> bool:
        """Whether a width and a height, in letter heights, are within its bounds."""
        return (
            self.width[0] < width < self.width[1]
            and self.height[0] < height < self.height[1]
            and self.aspect[0] * height < width < self.aspect[1] * height
        )


OUTLINES: Final[dict[str, Outline]] = {
    # depth: a bar, a stem, two barbs; a filled head adds a stroke across and doubles the barbs
    "↧": Outline((1, 2), _SOME, (1, 2), (1, 2), width=(0.3, 1.6), height=(0.5, 1.8)),
    # counterbore: a square U
    "⌴": Outline((1, 1), (2, 2), width=(0.55, 2.4), height=(0.25, 1.3), aspect=(0.9, math.inf)),
    # countersink: a V of 90°, drawn wider or narrower by some programs
    "⌵": Outline(rising=(1, 1), falling=(1, 1), height=(0.3, 1.3), aspect=(1.0, 2.6)),
    "□": Outline((2, 2), (2, 2), width=(0.4, 1.5)),
    # a cross and a bar below; Creo letters are drawn a third higher than the hidden text over them says
    "±": Outline((2, 2), (1, 1), width=(0.25, 1.5), height=(0.35, 1.6)),
    # flatness, outside of a frame as tables of general tolerances have it
    "⏥": Outline((2, 2), rising=(2, 2), width=(0.8, 2.6), height=(0.4, 1.2)),
}
"""Symbol to its outline: those that are a few straight strokes."""

CHARACTERISTICS: Final = {
    "⏤": "straightness", "—": "straightness", "⏥": "flatness", "▱": "flatness", "○": "circularity", "◯": "circularity",
    "⌭": "cylindricity",
    "⌒": "profile_of_a_line", "⌓": "profile_of_a_surface", "∥": "parallelism", "//": "parallelism", "⫽": "parallelism",
    "⟂": "perpendicularity",
    "⊥": "perpendicularity", "∠": "angularity", "⌖": "position", "⊕": "position", "◎": "concentricity", "⌾": "concentricity",
    "⌯": "symmetry", "＝": "longitudinal_section_profile",
    "↗": "circular_runout", "⌰": "total_runout", "⌮": "all_around_profile",
}  # fmt: skip
"""Symbol of a geometric characteristic to its name in the document; ＝ is the profile of a longitudinal section of GOST 2.308."""

TOLERANCE_MODIFIERS: Final = {
    "Ⓜ": "maximum_material", "Ⓛ": "least_material", "Ⓢ": "regardless_of_feature_size", "Ⓕ": "free_state", "Ⓣ": "tangent_plane",
    "Ⓤ": "unequally_disposed", "Ⓡ": "reciprocity", "Ⓔ": "envelope", "Ⓘ": "independency", "Ⓟ": "projected_zone", "Ⓖ": "least_squares",
    "CZ": "combined_zone", "SZ": "separate_zones", "UZ": "unequal_zone", "OZ": "offset_zone", "SIM": "simultaneous",
    "CZR": "combined_zone_rotational_only", "UF": "united_feature",
    "ACS": "any_cross_section", "ALS": "any_longitudinal_section", "SCS": "specific_cross_section",
    "NC": "not_convex", "LD": "minor_diameter", "MD": "major_diameter", "PD": "pitch_diameter", "DV": "variable_angle",
}  # fmt: skip
"""Symbol or letters of a modifier of a tolerance or a datum to its name in the document."""

ROUGHNESS_GRADES: Final = {
    "N1": 0.025, "N2": 0.05, "N3": 0.1, "N4": 0.2, "N5": 0.4, "N6": 0.8, "N7": 1.6, "N8": 3.2, "N9": 6.3, "N10": 12.5, "N11": 25.0,
    "N12": 50.0,
}  # fmt: skip
"""Roughness grade number to Ra in micrometres: ISO 1302 (1992), annex."""

PREFERRED_ROUGHNESS: Final = frozenset(("1", "12", "125", "16", "2", "25", "32", "4", "5", "63", "8"))
"""Digits of the values that ISO 1302 and ASME B46.1 prefer: 0.8, 3.2, 12.5, 63, 125."""
_NUMBER: Final = re.compile(r"\d{1,3}(?:[.,]\d{1,3})?|[.,]\d{1,3}")


def is_preferred_roughness(text: str) -> bool:
    """Whether `text` is a number alone, and one that roughness is given in."""
    written = text.strip()
    return _NUMBER.fullmatch(written) is not None and re.sub("[.,]", "", written).strip("0") in PREFERRED_ROUGHNESS
