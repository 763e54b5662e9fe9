"""Chamfers: `1x45°`, `45° x 1`, `C1`, `CHAMFER 0,2`, `Fase 1x45°`. ISO 129-1 §11.4, ASME Y14.5-2018 §4.6.7, JIS B 0001 (C)."""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts.feature import Feature, Place
from spatial.understanding.sheet.callouts.scanner import Number

_WORD: Final = re.compile(
    r"(?i:CHAMFERS?|CHAMF?|CHF|FASEN?|CHANFREINS?|SMUSS[OI]|CHAFL[AÁ]N|фаск[аи])(?![A-Za-z])\.?\s?[:=]?"
)
_BY: Final = re.compile(r"[xX/]")
_C: Final = re.compile(r"C\s?(?=\d|[.,]\d)")
_TOLERANCE: Final = re.compile(
    r"±\s?[\d.,]{1,8}°?(?:\s?\d{0,2}\s?'(?:\s?\d{1,2}\s?\")?)?|(?:\+\s?[\d.,]{1,8}|0)\s{1,2}-\s?[\d.,]{1,8}(?!\s?°)|\+\s?[\d.,]{1,8}\s{1,2}0(?![\d.,])"
)
"""Of the leg or the angle: `1 ±0.1 x 45°`, `0,3 0 -0.1 X 45°`."""


def read(place: Place) -> Feature | None:
    """The chamfer that stands here."""
    scan = place.scan
    start = scan.start
    named = bool(scan.take(_WORD))
    letter = not named and bool(scan.take(_C))
    first = scan.number()
    if first is None:
        return None
    plus_minus = scan.take(_TOLERANCE)
    second = None if letter else _second(place)
    if not second and plus_minus:
        return None
    trailing = bool(second or not letter) and bool(scan.take(_WORD))
    if letter:
        return _by_letter(place, start, first)
    return _told(place, start, first, second, named=named or trailing)


def _second(place: Place) -> Number | None:
    with place.scan.trial() as trial:
        if place.scan.take(_BY) and (number := place.scan.number()):
            place.scan.take(_TOLERANCE)
            trial.kept = True
            return number
    return None


def _by_letter(place: Place, start: int, leg: Number) -> Feature | None:
    """C0.5: a leg at 45°; a lone C1 or C12 that nothing ties to the part may be a zone or an item."""
    after = place.scan.text[place.scan.at : place.scan.at + 1]
    if (place.free and not leg.decimals) or leg.value > 100 or after.isalnum() or leg.unit == "degree":
        return None
    return _chamfer(place, start, leg, 45.0, 0.85)


def _told(place: Place, start: int, first: Number, second: Number | None, *, named: bool) -> Feature | None:
    if second is None:
        return _chamfer(place, start, first, None, 0.9) if named and first.unit != "degree" else None
    angular = [number.unit == "degree" for number in (first, second)]
    if sum(angular) == 1:
        angle, leg = (first, second) if angular[0] else (second, first)
        if not 0 < angle.value < 90 or leg.value <= 0:
            return None
        return _chamfer(place, start, leg, angle.value, 0.95 if named or angle.value == 45 else 0.85)
    if sum(angular) == 0 and named:
        feature = _chamfer(place, start, first, None, 0.9)
        feature.members["second_leg"] = place.length(second)
        return feature
    if (
        not any(angular)
        and second.value in {30, 45, 60}
        and second.whole
        and 0 < first.value < second.value
        and first.decimals
    ):
        # exporters lose the degree sign: `0,3x45` has no other reading
        return _chamfer(place, start, first, second.value, 0.7)
    return None


def _chamfer(place: Place, start: int, leg: Number, angle: float | None, confidence: float) -> Feature:
    members: dict[str, object] = {"leg": place.length(leg)}
    if angle is not None:
        members["angle"] = angle
    return Feature("chamfer", start, place.scan.at, members, confidence)
