"""How PMI would be written on a drawing: numbers with their decimals, signs, frames. ISO 129-1, ISO 1101, ISO 14405-1, ASME Y14.5-2018."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from spatial.geometry.rounding import significant
from spatial.knowledge import pmi as words
from spatial.models.brep.pmi import Dimension, Measure, Segment

Members = dict[str, Any]

_DIGITS: Final = 9
"""Significant digits of a number that the file gives no decimals for: less than the noise of conversions."""
_UNIT_SIGNS: Final = {"degree": "°", "radian": " rad"}


def number(measure: Measure) -> str:
    """A value without its unit, with the decimals that the file asks for."""
    value = measure.value or 0.0  # some programs write a deviation of -0
    plain = f"{value:.{_DIGITS}g}"
    if measure.decimals is None:
        return plain
    text = f"{value:.{measure.decimals}f}"
    # Fewer decimals than the value has would write another size.
    return text if float(text) == float(plain) else plain


def size(dimension: Dimension) -> str | None:
    """A dimension's value with what stands before and behind it; None where it has none."""
    value = _value(dimension)
    if value is None:
        return None
    if words.BASIC in dimension.modifiers:
        value = f"[{value}]"
    elif words.REFERENCE in dimension.modifiers:
        value = f"({value})"
    behind = [sign for name, sign in words.QUALIFIER_SIGNS.items() if name in dimension.qualifiers]
    if words.STATISTICAL.intersection(dimension.modifiers):
        behind.append(words.MODIFIER_SIGNS["statistical"])
    return " ".join([value, *behind])


def _value(dimension: Dimension) -> str | None:
    sign = words.SIZE_SIGNS.get(dimension.type, "")
    if words.CONTROLLED_RADIUS in dimension.modifiers:
        sign = "CR"
    elif words.SQUARE in dimension.modifiers:
        sign = "□"
    upper, lower = dimension.upper_limit, dimension.lower_limit
    if upper is not None and lower is not None:
        return f"{sign}{number(lower)}-{number(upper)}{_UNIT_SIGNS.get(upper.unit, '')}"
    if dimension.nominal is None:
        return None
    unit = _UNIT_SIGNS.get(dimension.nominal.unit, "")
    text = f"{sign}{number(dimension.nominal)}{unit}"
    if dimension.fit and dimension.fit.tolerance_class:
        return f"{text} {dimension.fit.tolerance_class}"
    return text + _deviations(dimension, unit)


def _deviations(dimension: Dimension, unit: str) -> str:
    upper, lower = dimension.upper_deviation, dimension.lower_deviation
    if upper is None or lower is None:
        return ""
    if upper.value == -lower.value and upper.value > 0 and upper.unit == lower.unit:
        return f"±{number(upper)}{unit}"
    return f" {_signed(upper)}{unit} {_signed(lower)}{unit}"


def _signed(measure: Measure) -> str:
    text = number(measure)
    return text if float(text) == 0 or text.startswith("-") else f"+{text}"


def frame(segment: Segment) -> str:
    """A row of a feature control frame: `⌖ Ø0.2Ⓜ A BⓂ`."""
    sign = words.CHARACTERISTIC_SIGNS.get(segment.characteristic, segment.characteristic)
    cells = [sign]
    if segment.magnitude is not None:
        cells.append(_zone(segment))
    for reference in segment.datums:
        each = reference.letter_modifiers or tuple(() for _ in reference.letters)
        letters = "-".join(letter + signs(own) for letter, own in zip(reference.letters, each, strict=False))
        cells.append(letters + signs(reference.modifiers))
    return " ".join(cells)


def _zone(segment: Segment) -> str:
    assert segment.magnitude is not None
    text = words.ZONE_SIGNS.get(segment.zone or "", "") + number(segment.magnitude)
    if segment.unit_size is not None:
        text += f"/{_per_unit(segment, segment.unit_size)}"
    if segment.displacement is not None:
        text += words.MODIFIER_SIGNS["unequally_disposed"] + number(segment.displacement)
    text += signs(segment.modifiers)
    if segment.maximum is not None:
        text += f" {number(segment.maximum)} MAX"
    if segment.projected_length is not None:
        text += words.MODIFIER_SIGNS["projected_zone"] + number(segment.projected_length)
    return text


def _per_unit(segment: Segment, unit_size: Measure) -> str:
    if segment.area_type == "circular":
        return f"Ø{number(unit_size)}"
    if segment.area_type in ("square", "rectangular"):
        second = segment.second_unit_size or unit_size
        return f"{number(unit_size)}x{number(second)}"
    return number(unit_size)


def signs(modifiers: Iterable[str]) -> str:
    """Modifiers as they follow a tolerance or a letter."""
    names = [name_of(modifier) for modifier in modifiers]
    return "".join(words.MODIFIER_SIGNS.get(name, f" {name.upper()}") for name in names)


def name_of(modifier: str) -> str:
    """The document's name of a modifier."""
    return words.MODIFIERS.get(modifier, modifier)


def in_unit_of(measure: Measure, other: Measure) -> float:
    """A value in the unit of another one."""
    if measure.unit == other.unit:
        return measure.value
    return significant(measure.base / other.factor)
