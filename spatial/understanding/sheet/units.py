"""The unit of a sheet's dimensions and the scale of its views: what the sheet states, and what its dimensions agree on.

Glossary
  printed_per_unit   how much of the printed unit one unit of the sheet stands for; most dimensions agree on it.
  scale              length on the paper over length of the part: 0.5 of a sheet to 1:2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from spatial.knowledge.value_forms import stated_length_unit
from spatial.understanding.sheet.callouts.context import Unit

PAPER_UNITS: Final[dict[Unit, float]] = {"millimeter": 25.4 / 72.0, "inch": 1.0 / 72.0}
"""Units of length in a point."""

AGREE: Final = 0.02
"""Relative difference between the stated scale and that of the dimensions within which they are one; two units are far apart."""

_RATIO: Final = re.compile(r"\(?\s*(\d+(?:[.,]\d+)?)\s*[:/]\s*(\d+(?:[.,]\d+)?)\s*\)?")


@dataclass(frozen=True, slots=True)
class SheetUnit:
    """The unit of a sheet's dimensions, and how it is known."""

    name: Unit
    found: Literal["stated", "scale"]
    """By a sentence of the sheet, or because dimensions and stated scale agree in no other unit."""


def stated_unit(texts: Iterable[str]) -> SheetUnit | None:
    """The unit that the lettering states; None where it states none, or several."""
    names = {name for text in texts if (name := stated_length_unit(text))}
    return SheetUnit(names.pop(), "stated") if len(names) == 1 else None


def unit_by_scale(printed_per_point: float, stated_scale: str | None) -> SheetUnit | None:
    """The unit in which the dimensions agree with the stated scale."""
    scale = parse_scale(stated_scale)
    if scale is None:
        return None
    found = (unit for unit, size in PAPER_UNITS.items() if abs(printed_per_point * scale / size - 1.0) <= AGREE)
    return next((SheetUnit(unit, "scale") for unit in found), None)


def contradiction(stated: SheetUnit, by_scale: SheetUnit, scale: str) -> str:
    """What a sheet says of its unit that its dimensions and its scale do not bear out, as those of templates often do not."""
    return (
        f"the sheet states the unit {stated.name}, but its dimensions agree with its scale {scale} in the unit {by_scale.name}; "
        "no unit of its dimensions is given"
    )


def stated_per_point(unit: SheetUnit | None, stated_scale: str | None) -> float | None:
    """How much of the stated unit a point stands for by the stated scale; None where either is not known."""
    scale = parse_scale(stated_scale)
    return PAPER_UNITS[unit.name] / scale if unit and scale else None


def parse_scale(written: str | None) -> float | None:
    """0.5 of `1:2`; None of what is no single ratio."""
    found = _RATIO.fullmatch(written.strip()) if written else None
    if found is None:
        return None
    above, below = (float(part.replace(",", ".")) for part in found.groups())
    return above / below if above and below else None


def scale_record(unit: SheetUnit, printed_per_point: float | None) -> dict[str, Any]:
    """Unit and scale as the sheet's record tells them."""
    record: dict[str, Any] = {"dimension_unit": {"name": unit.name, "found": unit.found}}
    if printed_per_point:
        record["scale"] = {"value": round(PAPER_UNITS[unit.name] / printed_per_point, 4), "found": "dimensions"}
    return record
