"""Chamfers: `1x45°`, `45° x 1`, `C1`, `C1x45°`, `CHAMFER 0,2`, `Fase 1x45°`. ISO 129-1 §11.4, ASME Y14.5-2018 §4.6.7, JIS B 0001 (C)."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, FeatureRule, Place
from spatial.understanding.sheet.callouts.scanner import Number

USUAL_ANGLE: Final = 45.0
"""Degrees: what C stands for, and most chamfers have."""
ANGLES: Final = frozenset((30, 45, 60))
"""Degrees that are believed where the exporter has lost the degree sign."""
NAMED: Final = 0.9
"""Confidence of a word and a leg."""
BY_LETTER: Final = 0.85
"""Confidence of `C0.5`: C may be a zone of the sheet."""
UNUSUAL_ANGLE: Final = 0.85
"""Confidence of `1x20°`, which may be a taper."""
WITHOUT_DEGREE_SIGN: Final = 0.7
"""Confidence of `0,3x45`."""
MOST_LEG: Final = 100.0
"""Greatest leg behind a C, in the sheet's unit; more is an item number."""

MOST_WHOLE_LEG: Final = 10.0
"""Greatest leg of `1 x 45`, in the sheet's unit; a larger number may be the width of a slot."""

_WORD: Final = re.compile(rf"{words('chamfer')}(?:\s?/\s?[^\W\d_]{{3,20}})?\s?[:=]?")
_TIMES: Final = re.compile(
    r"(\d{1,3})\s?[xX]\s?(?=(?:\d{0,3}[.,])?\d{1,3}\s?(?:mm)?\s?[xX]\s?\d{1,2}\s?°|\d{1,2}\s?°\s?[xX]\s?[\d.,])"
)
"""How many chamfers the word stands for, before leg and angle: `CHAM 3X 1 X 45°`."""
_COUNT_BEHIND: Final = re.compile(r"[xX]\s?\d{1,3}\s*$")
"""Behind a leg with its letter: `C1 x4`."""
_COUNTED: Final = re.compile(r"(?i:CHAMFERS|FASEN|CHANFREINS|SMUSSI|CHAFLANES|фас(?:ки|ок))(?![A-Za-z])")
"""Behind a whole number it says how many: `2 фаски`."""
_BY: Final = re.compile(r"[xX/]")
_SLASH: Final = re.compile(r"/")
"""Joins a leg and a usual angle; with any other it is a ratio, as the `5.625°/64` of a motor's steps."""
_C: Final = re.compile(r"C\s?(?=\d|[.,]\d)")
_BOUND: Final = re.compile(r"(?i:MAX|MIN)(?![A-Za-z\d])")
"""Right behind the leg, as `C0.5MAX`."""
_OTHER_UNIT: Final = re.compile(r"\[\s?[\d.,]{1,8}\s?\]")
"""The leg again, in square brackets in the other unit: `.20 [5.0] x 45°` (ASME Y14.5-2018 §4.2)."""
_TOLERANCE: Final = re.compile(
    r"±\s?[\d.,]{1,8}°?(?:\s?\d{0,2}\s?'(?:\s?\d{1,2}\s?\")?)?|(?:\+\s?[\d.,]{1,8}|0)(?:\s|\s?/\s?)-\s?[\d.,]{1,8}(?!\s?°)|\+\s?[\d.,]{1,8}(?:\s|\s?/\s?)0(?![\d.,])"
)
"""Of the leg or the angle: `1 ±0.1 x 45°`, `0,3 0 -0.1 X 45°`."""


def read_chamfer(place: Place) -> Feature | None:
    """The chamfer at this place."""
    scan = place.scan
    start = scan.start
    is_named = bool(scan.take(_WORD))
    times = scan.take(_TIMES) if is_named else None
    has_letter = bool(scan.take(_C))
    first = scan.number()
    if first is None:
        return None
    plus_minus = scan.take(_TOLERANCE)
    scan.take(_OTHER_UNIT)
    is_by_slash = bool(scan.sees(_SLASH))
    second = None if has_letter and scan.sees(_COUNT_BEHIND) else _second(place)
    if not second and plus_minus:
        return None
    if second is None and not is_named and first.is_whole and place.scan.sees(_COUNTED):
        return None
    is_named_behind = bool(second or not has_letter) and bool(scan.take(_WORD))
    if has_letter and second is None:
        return _by_letter(place, start, first, is_named=is_named)
    if has_letter and second and second.unit != "degree":
        return None
    if is_by_slash and second and not {first.value, second.value} & ANGLES:
        return None
    feature = _by_numbers(place, start, first, second, is_named=is_named or is_named_behind)
    if feature and times:
        feature.members["quantity"] = int(times[1])
    return feature


def _second(place: Place) -> Number | None:
    with place.scan.trial() as trial:
        if place.scan.take(_BY) and (number := place.scan.number()):
            place.scan.take(_TOLERANCE)
            trial.kept = True
            return number
    return None


def _by_letter(place: Place, start: int, leg: Number, *, is_named: bool) -> Feature | None:
    """C0.5: a leg at 45°; a lone C1 or C12 that nothing ties to the part may be a zone or an item."""
    after = place.scan.text[place.scan.at : place.scan.at + 1]
    is_zone = place.is_free and not is_named and not leg.decimals
    is_torn = after == "]"  # a bracket that was read as a C
    is_word = after.isascii() and after.isalnum() and not place.scan.sees(_BOUND)
    if is_zone or is_torn or leg.value > MOST_LEG or is_word or leg.unit == "degree":
        return None
    return _chamfer(place, start, leg, USUAL_ANGLE, BY_LETTER)


def _by_numbers(place: Place, start: int, first: Number, second: Number | None, *, is_named: bool) -> Feature | None:
    if second is None:
        return _chamfer(place, start, first, None, NAMED) if is_named and first.unit != "degree" else None
    is_angle = [number.unit == "degree" for number in (first, second)]
    if sum(is_angle) == 1:
        angle, leg = (first, second) if is_angle[0] else (second, first)
        if not 0 < angle.value < 90 or leg.value <= 0:
            return None
        return _chamfer(
            place,
            start,
            leg,
            angle.value,
            STANDARD_WRITING if is_named or angle.value == USUAL_ANGLE else UNUSUAL_ANGLE,
        )
    if sum(is_angle) == 0 and is_named:
        feature = _chamfer(place, start, first, None, NAMED)
        feature.members["second_leg"] = place.length(second)
        return feature
    if (
        not any(is_angle)
        and second.value in ANGLES
        and second.is_whole
        and 0 < first.value < second.value
        and (first.decimals or (second.value == USUAL_ANGLE and _is_whole_leg(place, first)))
    ):
        # Exporters lose the degree sign: `0,3x45` has no other reading, nor has `1 x 45` at the part.
        return _chamfer(place, start, first, second.value, WITHOUT_DEGREE_SIGN)
    return None


def _is_whole_leg(place: Place, number: Number) -> bool:
    """Whether a whole number before `x 45` is a leg: at a leader, or 1 at a dimension, since nobody counts to one."""
    return (place.role == "leader" and number.value <= MOST_WHOLE_LEG) or (
        place.role == "dimension" and number.value == 1
    )


def _chamfer(place: Place, start: int, leg: Number, angle: float | None, confidence: float) -> Feature:
    members: dict[str, object] = {"leg": place.length(leg)}
    if angle is not None:
        members["angle"] = angle
    return Feature("chamfer", start, place.scan.at, members, confidence)


CHAMFER: Final = FeatureRule("chamfer", read_chamfer)
