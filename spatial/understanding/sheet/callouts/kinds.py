"""What a dimension is: basic, reference, fit, tolerance, limit, radius or hole; a plain length or angle is none.

One row a kind in KINDS, in the order in which they are asked; a dimension has the first kind that claims it. What is
plainly a radius or a hole besides (`R5 ±0.1`, `Ø6.6 H7 THRU`) is said as a second kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from spatial.understanding.sheet.callouts import iso286
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import MILLIMETERS_AN_INCH, Feature, Size, converted

Kind = tuple[str, Callable[[Feature, Size], bool], Callable[[Feature, Size, Context], None]]
_ROUND: Final = frozenset(("Ø", "SØ"))
_RADII: Final = frozenset(("R", "SR", "CR"))


def kinds(feature: Feature, context: Context, *, boxed: bool, primary: bool) -> list[str]:
    """The types of callout that a dimension is, the main one first; its members are completed on the way."""
    size = feature.size
    if size is None:
        return [feature.type]
    if boxed and size.upper is None and not size.classes:
        feature.members["boxed"] = True
    _nominal(feature, size, context)
    found = [name for name, claims, _ in KINDS if claims(feature, size)]
    if not found:
        return []
    for name, _, complete in KINDS:
        if name in found:
            complete(feature, size, context)
    main = found[0]
    if main == "hole" and not _known(feature):
        feature.confidence = min(feature.confidence, 0.7)
    if main in {"basic", "reference_dimension"}:
        return [main]
    also = [name for name in found[1:] if name in {"radius", "hole"} and primary and _plain(name, main, feature)]
    return [main, *also]


def _plain(name: str, main: str, feature: Feature) -> bool:
    """Whether a second kind is worth saying: every R is a radius; a Ø is a hole where a depth or THRU says so."""
    if name == "radius":
        return main in {"tolerance", "fit"}
    return any(key in feature.members for key in ("through", "depth", "called_hole"))


def _nominal(feature: Feature, size: Size, context: Context) -> None:
    members = feature.members
    value = size.number.value if size.angular else converted(size.number.value, size.number.unit, context.unit)
    if size.other is None:
        members["nominal"] = value
        if size.sign in _ROUND:
            members["diameter"] = value
        if size.sign in _RADII:
            members["radius"] = value
    unit = "degree" if size.angular else context.unit or size.number.unit
    if unit:
        members["unit"] = unit
    if size.sign:
        members["sign"] = size.sign


def _is_basic(feature: Feature, size: Size) -> bool:
    return bool(feature.members.get("boxed")) and size.other is None


def _is_reference(feature: Feature, size: Size) -> bool:
    return bool(feature.members.get("reference"))


def _is_fit(feature: Feature, size: Size) -> bool:
    return bool(size.classes)


def _is_tolerance(feature: Feature, size: Size) -> bool:
    return size.upper is not None and not size.classes


def _is_limit(feature: Feature, size: Size) -> bool:
    return size.other is not None or ("bound" in feature.members and size.sign not in _RADII)


def _is_radius(feature: Feature, size: Size) -> bool:
    return size.sign in _RADII


def _is_hole(feature: Feature, size: Size) -> bool:
    if size.angular:
        return False
    drilled = feature.members.get("process") in {"drill", "ream", "bore", "drilled", "reamed", "bored", "punch"}
    return size.sign == "Ø" or (size.sign == "" and (_called(feature, size) or drilled))


def _called(feature: Feature, size: Size) -> bool:
    """Whether words make a bare number a hole: `6.6 THRU`, `4 HOLES 8`; `HOLE 3` is a name."""
    members = feature.members
    return bool(
        members.get("through") or (members.get("called_hole") and ("quantity" in members or size.number.decimals))
    )


def _nothing(feature: Feature, size: Size, context: Context) -> None:
    """All is said already."""


def _complete_fit(feature: Feature, size: Size, context: Context) -> None:
    """Class, grade and deviations; printed deviations win over the standard's, and a disagreement is said."""
    members = feature.members
    members["class"] = "/".join(letter + grade for letter, grade in size.classes)
    for letter, grade in size.classes:
        members["hole_class" if letter.isupper() else "shaft_class"] = letter + grade
    members["grade"] = "/".join(f"IT{grade}" for _, grade in size.classes)
    computed = [_computed(size, letter, grade, context) for letter, grade in size.classes]
    if len(size.classes) == 1:
        _deviate(members, size, computed[0], context)
        return
    for name, found in zip(("hole", "shaft"), computed, strict=True):
        if found:
            members[f"{name}_upper_deviation"], members[f"{name}_lower_deviation"] = found.upper, found.lower
            members["deviations_from"] = "ISO 286-1:2010"


def _computed(size: Size, letter: str, grade: str, context: Context) -> iso286.Limits | None:
    """ISO 286 is in millimetres; on a sheet in inches the result is, too, in inches."""
    inches = (size.number.unit or context.unit) == "inch"
    found = iso286.limits(size.number.value * (MILLIMETERS_AN_INCH if inches else 1.0), letter, grade)
    if found is None or not inches:
        return found
    return iso286.Limits(round(found.upper / MILLIMETERS_AN_INCH, 6), round(found.lower / MILLIMETERS_AN_INCH, 6))


def _deviate(members: dict[str, Any], size: Size, computed: iso286.Limits | None, context: Context) -> None:
    if size.upper is not None and size.lower is not None:
        members["upper_deviation"], members["lower_deviation"] = size.upper, size.lower
        members["deviations_from"] = "printed"
        if computed and not _agree(size, computed):
            members["standard_upper_deviation"], members["standard_lower_deviation"] = computed.upper, computed.lower
            members["disagrees_with"] = "ISO 286-1:2010"
    elif computed:
        members["upper_deviation"], members["lower_deviation"] = computed.upper, computed.lower
        members["deviations_from"] = "ISO 286-1:2010"
    _bounds(members)


def _agree(size: Size, computed: iso286.Limits) -> bool:
    """To the digits that are printed."""
    half = 0.5 * 10.0**-size.decimals + 1e-9
    assert size.upper is not None and size.lower is not None
    return abs(size.upper - computed.upper) <= half and abs(size.lower - computed.lower) <= half


def _complete_tolerance(feature: Feature, size: Size, context: Context) -> None:
    members = feature.members
    members["upper_deviation"], members["lower_deviation"] = size.upper, size.lower
    _bounds(members)


def _bounds(members: dict[str, Any]) -> None:
    if "upper_deviation" in members and "nominal" in members:
        members["max"] = round(members["nominal"] + members["upper_deviation"], 6)
        members["min"] = round(members["nominal"] + members["lower_deviation"], 6)


def _complete_limit(feature: Feature, size: Size, context: Context) -> None:
    members = feature.members
    if size.other is not None:
        values = (converted(number.value, number.unit, context.unit) for number in (size.number, size.other))
        members["min"], members["max"] = sorted(values)
    else:
        members[members["bound"]] = members["nominal"]


def _complete_radius(feature: Feature, size: Size, context: Context) -> None:
    if size.other is not None:
        _complete_limit(feature, size, context)
    elif "bound" in feature.members:
        feature.members[feature.members["bound"]] = feature.members["radius"]


def _complete_hole(feature: Feature, size: Size, context: Context) -> None:
    if "nominal" in feature.members:
        feature.members["diameter"] = feature.members["nominal"]


def _known(feature: Feature) -> bool:
    """Whether more than a Ø says that it is a hole and no shaft."""
    return any(key in feature.members for key in ("through", "depth", "quantity", "called_hole", "process"))


KINDS: Final[tuple[Kind, ...]] = (
    ("basic", _is_basic, _nothing),
    ("reference_dimension", _is_reference, _nothing),
    ("fit", _is_fit, _complete_fit),
    ("tolerance", _is_tolerance, _complete_tolerance),
    ("limit", _is_limit, _complete_limit),
    ("radius", _is_radius, _complete_radius),
    ("hole", _is_hole, _complete_hole),
)
