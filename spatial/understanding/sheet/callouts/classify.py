"""Which callout types a size is, and which callouts the features of a label become; a plain length or angle is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, Size, converted
from spatial.understanding.sheet.callouts.registry import SIZE_RULES
from spatial.understanding.sheet.callouts.sizes import DIAMETER_SIGNS, RADIUS_SIGNS
from spatial.understanding.sheet.callouts.spelling import Spelling
from spatial.understanding.sheet.callouts.tolerance import is_part_code
from spatial.understanding.sheet.label import Label

_HOLE_TREATMENTS: Final = frozenset(("counterbore", "countersink", "spotface"))
_PUNCTUATION: Final = " ,;"
_COUNT_BEHIND_DEPTH: Final = re.compile(r"(↧\s?[\d.,]+)\s[xX×]\s?\d{1,2}$")
_SAYS: Final = frozenset(
    ("quantity", "through", "depth", "process", "called_hole", "bolt_circle_diameter", "reference")
)
"""Members that tell what a diameter is of."""


def classify_features(
    parts: Sequence[Feature], label: Label, spelling: Spelling, context: Context, *, boxed: bool = False
) -> list[tuple[Feature, str]]:
    """Every feature as the callout types that it is, each with its text; plain sizes are left out."""
    is_free = label.role == "free"
    if any(part.size and _is_no_tolerance(part.size, is_free=is_free) for part in parts):
        return []
    if is_free and context.unit == "millimeter" and any(part.size and _is_in_inches(part.size) for part in parts):
        return []
    typed = [(part, size_types(part, context, boxed=boxed, first=not place)) for place, part in enumerate(parts)]
    _share_unit(parts, context)
    typed = [
        (part, [*types, "reference_dimension"] if _is_reference_thread(part) else types)
        for part, types in typed
        if types
    ]
    is_row = _is_row_of_diameters(parts, label)
    found: list[tuple[Feature, str]] = []
    for place, (part, types) in enumerate(typed):
        text = _own_text(part, spelling) if place or is_row else label.text
        found += [(replace(part, type=type_, members=dict(part.members)), text) for type_ in types]
    if len(typed) > 1 and not is_row:
        first = typed[0][0]
        for feature, _ in found[: len(typed[0][1])]:
            feature.members["feature_text"] = spelling.written(first.start, first.end).strip(_PUNCTUATION)
    return found


def _own_text(part: Feature, spelling: Spelling) -> str:
    """What is written of one feature of several, without the count behind the last depth, which is of all."""
    written = spelling.written(part.start, part.end).strip(_PUNCTUATION)
    return _COUNT_BEHIND_DEPTH.sub(r"\1", written) if "quantity" in part.members else written


def _is_row_of_diameters(parts: Sequence[Feature], label: Label) -> bool:
    """Whether diameters of which nothing else is said stand on one line: circles about one centre are measured so (ISO 129-1 §9.2),
    each for itself; what is done to one hole says what it is."""
    bare = [part.size is not None and part.size.sign == "Ø" and _SAYS.isdisjoint(part.members) for part in parts]
    return len(label.lines) == 1 and len(bare) > 1 and all(bare)


def size_types(feature: Feature, context: Context, *, boxed: bool, first: bool) -> list[str]:
    """The callout types of a feature, the main one first; members of a size are completed on the way.

    Args:
        first: whether it is the label's first feature, of which a second type may be reported.
    """
    size = feature.size
    if size is None:
        return [feature.type]
    if boxed and size.upper is None and not size.classes and "mark" not in feature.members:
        feature.members["boxed"] = True
    _add_nominal(feature, size, context)
    rules = [rule for rule in SIZE_RULES if rule.matches(feature, size)]
    if not rules:
        return []
    for rule in rules:
        rule.complete(feature, size, context)
    main, *others = rules
    feature.confidence = min(feature.confidence, main.most_confidence(feature))
    seconds = [rule.type for rule in others if first and rule.is_second(feature, main.type)]
    is_lone = main.stands_alone and "mark" not in feature.members
    return [main.type] if is_lone else [main.type, *seconds]


def _is_no_tolerance(size: Size, *, is_free: bool) -> bool:
    """Whether deviations are none: both are nothing without a decimal, as where `3.2 ±0.15` has lost its points; parts of a code; or,
    of a text that nothing ties to the part, more than the size itself: `15 ±25` is a row of a table."""
    if size.upper is None or size.lower is None or size.classes or size.is_angular:
        return False
    if size.upper == size.lower == 0:
        return not size.decimals
    return is_part_code(size) or (is_free and 0 < size.number.value < -size.lower)


def _is_in_inches(size: Size) -> bool:
    """Whether two limits have no zero before their points, which millimetres have and inches have not (ASME Y14.5-2018 §4.3.1): on a sheet
    in millimetres they are those of a size beside them, again in inches."""
    return size.other is not None and all(each.written[:1] in (".", ",") for each in (size.number, size.other))


def _add_nominal(feature: Feature, size: Size, context: Context) -> None:
    members = feature.members
    value = size.number.value if size.is_angular else converted(size.number.value, size.number.unit, context.unit)
    if size.other is None:
        members["nominal"] = value
        if size.sign in DIAMETER_SIGNS:
            members["diameter"] = value
        if size.sign in RADIUS_SIGNS:
            members["radius"] = value
    unit = "degree" if size.is_angular else context.unit or size.number.unit
    if unit:
        members["unit"] = unit
    if size.sign:
        members["sign"] = size.sign


def _share_unit(parts: Sequence[Feature], context: Context) -> None:
    """Give a hole treatment the unit of its sheet, of its own number or of the hole that it stands with."""
    written = (part.members.get("unit") for part in parts if part.size and not part.size.is_angular)
    unit = context.unit or next((name for name in written if name), None)
    for part in parts:
        if unit and part.type in _HOLE_TREATMENTS and part.members.keys() & {"diameter", "depth"}:
            part.members.setdefault("unit", unit)


def _is_reference_thread(part: Feature) -> bool:
    """Whether a thread is one of the sizes that the sheet marks as references: `M3*` on GOST sheets."""
    return part.type == "thread" and bool(part.members.get("reference"))
