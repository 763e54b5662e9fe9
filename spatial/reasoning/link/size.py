"""A size that a drawing asks for, and which measures meet it. All lengths are millimetres."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from spatial.contract.extraction import Structure
from spatial.knowledge import general_tolerances
from spatial.reasoning.diff.drawing.general import GeneralTolerance, general_tolerance

Basis = Literal["stated", "general", "printed", "bound"]
"""What the limits of a size come from: its own tolerance or fit, a general tolerance, its digits, or a MAX or MIN."""

NOISE: Final = 1e-6
"""Part of a size that is rounding of the document's numbers."""

COARSEST: Final = {"inch": 0.01 * 25.4}
"""Coarsest step of a printed size that is taken as rounded; a whole 7 is 7.0, because exporters leave zeros away."""

COARSEST_METRIC: Final = 0.1

_NUMBER: Final = re.compile(r"\d*[.,]\d+|\d+")


@dataclass(frozen=True)
class Size:
    """A nominal size and its limits.

    rounding: by how much the printed nominal may differ from the modelled one.
    """

    nominal: float
    lower: float
    upper: float
    basis: Basis
    rounding: float = 0.0

    def is_exact(self, measured: float) -> bool:
        """Whether a measure is the nominal, or within limits of the size's own."""
        slack = self.rounding + NOISE * max(abs(measured), abs(self.nominal))
        if abs(measured - self.nominal) <= slack:
            return True
        return self.basis in ("stated", "bound") and self.accepts(measured)

    def accepts(self, measured: float) -> bool:
        """Whether a measure is within the limits, or the nominal."""
        slack = NOISE * max(abs(measured), abs(self.nominal))
        within = self.lower - slack <= measured <= self.upper + slack
        return within or abs(measured - self.nominal) <= self.rounding + slack

    def relative(self, measured: float) -> float:
        """Deviation from the nominal as a part of it."""
        return abs(measured - self.nominal) / self.nominal if self.nominal else float("inf")


@dataclass(frozen=True)
class SizeReader:
    """How sizes of one sheet are read.

    factor: millimetres per unit. resolution: the finest step that the sheet prints, in its unit; None where it is not known.
    is_converted: whether the model has another unit, in which a printed nominal is none: 8 mm are 0.315 in, and not quite.
    """

    unit: str
    factor: float
    resolution: float | None
    general: GeneralTolerance
    general_class: str | None
    is_converted: bool = False

    def size(
        self, nominal: float, members: Mapping[str, Any] | None = None, text: str = "", *, is_edge: bool = False
    ) -> Size:
        """The size of a callout. members: `min`, `max` in the callout's unit; text: as printed."""
        values = members or {}
        own = [None if values.get(name) is None else float(values[name]) * self.factor for name in ("min", "max")]
        millimetres = nominal * self.factor
        rounding = self._rounding(text, nominal)
        if own[0] is not None or own[1] is not None:
            is_bound = own[0] is None or own[1] is None
            low = 0.0 if own[0] is None else own[0]
            high = float("inf") if own[1] is None else own[1]
            return Size(
                millimetres, low, high, "bound" if is_bound else "stated", rounding if self.is_converted else 0.0
            )
        deviation = self._general(nominal, millimetres, text, is_edge=is_edge)
        if deviation is not None:
            return Size(millimetres, millimetres - deviation, millimetres + deviation, "general", rounding)
        return Size(millimetres, millimetres, millimetres, "printed", rounding)

    def reference(self, nominal: float, text: str) -> Size:
        """An auxiliary size, which is rounded as it is printed."""
        step = 10.0 ** -decimals(text, nominal) * self.factor
        return Size(nominal * self.factor, nominal * self.factor, nominal * self.factor, "printed", 0.5 * step)

    def _rounding(self, text: str, nominal: float) -> float:
        if self.is_converted:
            # Converted sizes are rounded up and down, each to its own digits.
            places = decimals(text, nominal)
            return 10.0**-places * self.factor if places else 0.0
        coarsest = COARSEST.get(self.unit, COARSEST_METRIC)
        step = coarsest if self.resolution is None else min(coarsest, self.resolution * self.factor)
        return 0.5 * step

    def _general(self, nominal: float, millimetres: float, text: str, *, is_edge: bool) -> float | None:
        if self.general_class:
            return general_tolerances.deviation(millimetres, self.general_class, is_edge=is_edge)
        stated = self.general.by_decimals.get(decimals(text, nominal))
        return None if stated is None else float(stated.replace(",", ".")) * self.factor


def decimals(text: str, nominal: float) -> int:
    """Decimals of the number in a text that is the nominal; 0 where none is."""
    for found in _NUMBER.findall(text):
        if abs(float(found.replace(",", ".")) - nominal) < 1e-9:
            return len(re.split("[.,]", found)[1]) if re.search("[.,]", found) else 0
    return 0


def reader(
    structure: Structure, unit: str, factor: float, resolution: float | None, *, is_converted: bool
) -> SizeReader:
    """The reader of a drawing whose dimensions have one unit."""
    general = general_tolerance(structure)
    name = general_tolerances.class_of(general.by_size) if general.by_size else None
    return SizeReader(unit, factor, resolution, general, name, is_converted)
