"""From the spelling of a label to its features, from the left.

Glossary
  stack           a label of several features: `Ø6.6 THRU` over `⌴Ø11 ↧6`.
  unknown token   a word that no rule knows. A label that begins with one is prose, not a callout.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts import modifiers, prefix
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, Members, Place, Size, converted
from spatial.understanding.sheet.callouts.registry import FEATURE_RULES
from spatial.understanding.sheet.callouts.scanner import Scanner
from spatial.understanding.sheet.callouts.size_again import take_size_again
from spatial.understanding.sheet.callouts.sizes import read_late_deviations
from spatial.understanding.sheet.callouts.spelling import Spelling
from spatial.understanding.sheet.label import Label

MOST_FEATURES: Final = 8
"""Features of one label: the longest stacks of real sheets have four; more is a table read as one line."""
MOST_UNKNOWN_TOKENS: Final = 12
"""Words of one label that no rule knows: more is prose with a size in it."""
MOST_OF_A_REMARK: Final = 3
"""Words behind a bound that say what it is of."""
SAME_LENGTH: Final = 0.01
"""Part by which a length in millimetres and in inches may differ, both rounded."""

_PHYSICAL: Final = re.compile(
    r"\s?(?:kgf?|[ck]?gf|[cm]N|[kM]?Ω|gms?|g|grams?|kgs|lbs?|oz|kN|N|Nm|N·m|bar|psi|[kM]?Pa|V|VDC|VAC|mA|A|W|kW|Hz|kHz|rpm|RPM|min-1|%|°\s?[CF]|HRC|HRB|HV|HB|dB|sec|hrs?|ml|l|L|m²|mm²|cm²|cm³|"
    r"kg[-/.]\w+|ft[-.]?lbs?|in[-.]?lbs?|pcs?|cycles|times|years?|days?)(?![A-Za-z])(?!\.?\s?\d)"
)
_JOINT: Final = re.compile(
    r"[,;/+&:|\-]|\.(?!\d)|(?i:AND|WITH|UND|MIT|ET|AVEC|E|CON|Y|X)(?=[\s⌴⌵Ø])|[xX](?=\d{1,4}(?:[.,]\d{1,4})?\s?±)"
)
_CJK: Final = r"\u3040-\u30ff\u3400-\u9fff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\s{_CJK}]{{1,60}}")
"""Chinese and Japanese words stand without spaces: each sign may be the last before one that a rule knows."""


def walk(label: Label, spelling: Spelling, context: Context) -> tuple[list[Feature], Members]:
    """Features from the left, and the members that all of them share.

    A first number may be a quantity or the leg of a chamfer: both are tried.
    """
    place = _place(label, spelling, context)
    prefix.skip_flags(place.scan)
    prefix.skip_all(place.scan)
    place.is_ordered = prefix.read_order(place.scan)
    goes_through = False
    if place.is_free:
        prefix.skip_name_of_extent(place.scan)
    else:
        goes_through = prefix.skip_name_of_hole(place.scan)
        prefix.skip_name_of_size(place.scan, is_dimension=place.role == "dimension")
        prefix.skip_name_of_thread(place.scan)
    goes_through |= prefix.read_before_quantity(place.scan)
    before = place.scan.at
    times = prefix.read_quantity(place.scan, is_dimension=place.role == "dimension")
    found, shared = _features(place, is_counted=times.quantity is not None)
    is_sure = times.is_sure or label.boxed
    is_one_leg = times.quantity == 1 and any(feature.size and feature.size.is_angular for feature in found)
    if times.quantity and not is_sure and (is_one_leg or not any(_is_more_than_a_number(feature) for feature in found)):
        place.scan.at, times = before, prefix.Multiplicity()
        found, shared = _features(place, is_counted=False)
    if times.quantity:
        shared["quantity"] = times.quantity
    if goes_through:
        shared.setdefault("through", True)
    return found, shared


def _place(label: Label, spelling: Spelling, context: Context) -> Place:
    return Place(
        scan=Scanner(spelling, thousands=context.decimal == ".", inches=context.unit == "inch"),
        context=context,
        role=label.role,
        breaks=_breaks(label, spelling),
        measured=label.measured,
        is_origin=label.boxed and label.role == "dimension",
    )


def _breaks(label: Label, spelling: Spelling) -> frozenset[int]:
    """Places in the spelling where the label's second and further lines begin."""
    begins: set[int] = set()
    at = 0
    for line in label.lines[:-1]:
        at += len(line) + 1
        begins.add(at)
    return frozenset(place for place, original in enumerate(spelling.places) if original in begins)


def _is_more_than_a_number(feature: Feature) -> bool:
    """Whether a number before a feature may count it; `1 X 45° TYP` is a leg and an angle."""
    size = feature.size
    if size is not None and size.is_angular:
        return size.upper is not None
    return size is None or bool(size.sign or size.classes or size.upper is not None or feature.members)


def _features(place: Place, *, is_counted: bool) -> tuple[list[Feature], Members]:
    found: list[Feature] = []
    shared: Members = {}
    unknown_tokens = 0
    is_closed = False  # an unknown token ends the features of its line
    while not place.scan.done and len(found) < MOST_FEATURES:
        is_closed = is_closed and place.scan.start not in place.breaks
        members = found[-1].members if found else shared
        if modifiers.take(place, members, rows=modifiers.CIRCLES) or (found and _take_line_of_count(place, members)):
            continue
        feature = None if is_closed else _feature(place, may_count=not found and "through" in shared)
        if feature:
            if found and found[-1].type == "thread" and feature.size and feature.size.sign == "Ø":
                modifiers.take_depth_behind_class(place, feature.members)  # its drill: `M3 x 6 / Ø2.6 x 9`
            _take_behind(place, feature)
            if not found or not _is_repeated(found[-1].size, feature.size):
                found.append(feature)
        elif _pass_over(place, members, is_closed=is_closed):
            continue
        elif not found or _is_physical(place.scan) or unknown_tokens >= MOST_UNKNOWN_TOKENS:
            return [], {}
        else:
            place.scan.take(_WORD)
            unknown_tokens, is_closed = unknown_tokens + 1, True
    _share_quantity(found, shared)
    if unknown_tokens and place.is_free:
        is_short = unknown_tokens <= MOST_OF_A_REMARK
        found = [each for each in found if _is_more_than_a_size(each, is_counted=is_counted, is_short=is_short)]
    return found, shared


def _take_line_of_count(place: Place, members: Members) -> bool:
    """Read a line that says how often all of it applies and nothing else: `4 PLC`, no `4 HOLES Ø6`."""
    if place.scan.start not in place.breaks:
        return False
    with place.scan.trial() as trial:
        counted: Members = {}
        is_count = modifiers.take(place, counted, rows=modifiers.COUNTS)
        trial.kept = is_count and (place.scan.done or place.scan.start in place.breaks)
        if trial.kept:
            members.update(counted)
        return trial.kept


def _take_behind(place: Place, feature: Feature) -> None:
    """Read what follows a feature into its members, and pass over its size in the other unit."""
    feature.end = _take_modifiers(place, feature.members)
    if feature.size is None:
        return
    if feature.members.get("through") and read_late_deviations(place, feature.size):
        feature.end = _take_modifiers(place, feature.members)
    take_size_again(place, feature.size)


def _is_repeated(one: Size | None, other: Size | None) -> bool:
    """Whether a size stands again in the other unit, both with their units: `12.7mm MAX 0.50in. MAX`."""
    if one is None or other is None or {one.number.unit, other.number.unit} != {"millimeter", "inch"}:
        return False
    lengths = [converted(each.number.value, each.number.unit, "millimeter") for each in (one, other)]
    return abs(lengths[0] - lengths[1]) <= SAME_LENGTH * max(lengths)


def _is_physical(scan: Scanner) -> bool:
    """Whether a unit of another quantity than length stands behind a number."""
    return scan.text[: scan.at].rstrip()[-1:].isdigit() and _PHYSICAL.match(scan.text, scan.at) is not None


def _share_quantity(found: list[Feature], shared: Members) -> None:
    """Let a quantity that stands behind one feature hold for all, where no other is written; that before a size of a further line is
    of this size: `Ø8 THRU` over `4X Ø6`."""
    counted = (each for place, each in enumerate(found) if not (place and each.size and each.has_own_count))
    quantities = {feature.members["quantity"] for feature in counted if "quantity" in feature.members}
    if len(quantities) == 1:
        shared.setdefault("quantity", quantities.pop())


def _feature(place: Place, *, may_count: bool) -> Feature | None:
    """The feature at a place, by the first rule that reads one.

    may_count: whether how many there are may stand here, as at the beginning of a line: `THRU 3X Ø12`.
    """
    is_counted = may_count or place.scan.start in place.breaks
    again = prefix.read_quantity(place.scan) if is_counted else prefix.Multiplicity()
    before = place.scan.at
    for rule in FEATURE_RULES:
        feature = rule.read(place)
        if feature is None:
            place.scan.at = before
        else:
            if again.quantity:
                feature.members.setdefault("quantity", again.quantity)
                feature.has_own_count = True
            return feature
    return None


def _take_modifiers(place: Place, members: Members) -> int:
    """Read what follows a feature; where its own text ends, before what holds for a whole stack: `⌴Ø6.5 ↧3 TYP 4 PLCS`."""
    end = place.scan.at
    while True:
        if modifiers.take(place, members, rows=modifiers.OWN):
            end = place.scan.at
        elif not modifiers.take(place, members, rows=modifiers.SHARED):
            return end


def _pass_over(place: Place, members: Members, *, is_closed: bool) -> bool:
    rows = modifiers.AFTERTHOUGHTS if is_closed else modifiers.MODIFIERS
    return modifiers.take(place, members, rows=rows) or bool(place.scan.take(_JOINT))


def _is_more_than_a_size(feature: Feature, *, is_counted: bool, is_short: bool) -> bool:
    """Whether a feature of a free text with further words is a callout: a bare Ø, thread or number is prose there, M2 a steel; a bound
    with its unit and a few words is none, as `5° MAX SWAY`."""
    size = feature.size
    if feature.type == "thread" and feature.members.get("pitch_is") == "coarse":
        return is_counted or bool(feature.members.keys() & {"class", "depth", "through", "quantity", "hand", "named"})
    is_bounded = is_short and size is not None and size.number.unit is not None and "bound" in feature.members
    return size is None or bool(
        is_bounded
        or size.classes
        or size.upper is not None
        or feature.members.keys() & {"through", "depth", "called_hole"}
    )
