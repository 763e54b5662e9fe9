"""From a label to its callouts: the registry of types, and the walk from feature to feature.

Glossary
  stack     a label of several features: `Ø6.6 THRU` over `⌴Ø11 ↧6`. The first callout has the whole text, each further one its own.
  stranger  a word that no rule knows. A label that begins with one is prose, not a callout.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from spatial.contract.drawing import Callout
from spatial.understanding.sheet.callouts import (
    chamfer,
    frame,
    kinds,
    prefix,
    radius,
    recess,
    sizes,
    tail,
    texture,
    thread,
)
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, Place, Rule
from spatial.understanding.sheet.callouts.scanner import Scanner
from spatial.understanding.sheet.callouts.spelling import LONGEST, Spelling, spell
from spatial.understanding.sheet.label import Label

RULES: Final = (
    Rule("thread", thread.read),
    Rule("surface_finish", texture.read),
    Rule("spotface", recess.spotface),
    Rule("counterbore", recess.counterbore),
    Rule("countersink", recess.countersink),
    Rule("chamfer", chamfer.read),
    Rule("radius", radius.read),
    Rule("size", sizes.read),
)
"""Heads, asked in this order; a `size` becomes what `kinds.KINDS` says. Frames and datums are `frame`'s."""

MOST_FEATURES: Final = 8
MOST_STRANGERS: Final = 12

_NEVER: Final = re.compile(
    r"(?i)\b(?:up|down|bend(?:ing)?|biegung|biegen|abkant\w*|gebogen|piega|pliage|plegado)\b.{0,40}?\d"  # bend notes of sheet metal
    r"|\bR\s?=?\s?[\d.,]{1,6}\s{0,3}K\s?=\s?[\d.,]{1,6}"  # the same by the factor K of the neutral line
    r"|(?<![\d.,])\d{1,4}(?:[.,]\d{1,3})?\s?:\s?\d{1,4}(?!\d)"  # scales
    r"|https?:|@|\bwww\.|\$|€|©"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}([./-])\d{1,2}\1(?:19|20)?\d{2}\b(?!\s?\")"
)
_NOTHING: Final = re.compile(
    r"\s*\d{0,6}[.,]?\d{1,6}°?\s*|[^\dR▽]*|(?:\s{0,3}[+-]\s?\d{0,3}[.,]?\d{1,4}|\s{1,3}0){1,4}\s*"
)
"""A plain number; a text without digits (but `FULL R`); deviations without a size, as ISO 13715 writes them at edges."""
_CUT_OFF: Final = re.compile(r"(?:\s(?i:to|bis|hasta|jusqu'à)|;)\s*\Z")
"""The end of a line of a cell that goes on below, as in tables of holes."""
_PHYSICAL: Final = re.compile(
    r"\s?(?:kgf?|g|lbs?|oz|kN|N|Nm|N·m|bar|psi|[kM]?Pa|V|VDC|VAC|mA|A|W|kW|Hz|kHz|rpm|RPM|min-1|%|°\s?[CF]|HRC|HRB|HV|HB|dB|sec|hrs?|ml|l|L|m²|mm²|cm²|cm³|"
    r"kg[-/.]\w+|ft[-.]?lbs?|in[-.]?lbs?|pcs?|cycles|times|years?|days?)(?![A-Za-z])(?!\.?\s?\d)"
)
_JOINT: Final = re.compile(r"[,;/+&:|\-]|\.(?!\d)|(?i:AND|WITH|UND|MIT|ET|AVEC|E|CON|Y|X)(?=[\s⌴⌵Ø])")
_WORD: Final = re.compile(r"[^\s]{1,60}")
_BRACKETED: Final = re.compile(
    r"\s*(?P<times>\d{1,3}\s?[xX]\s?)?(?P<sign>Ø|R)?\s?\(\s*(?P<inner>[^()]{1,80}?)\s*\)\s*(?P<rest>(?i:REF\.?|TYP\.?|mm)?\*{0,4})\s*"
)
_SQUARED: Final = re.compile(r"\s*(?P<times>\d{1,3}\s?[xX]\s?)?\[\s*(?P<inner>[^\[\]]{1,40}?)\s*\]\s*")
_LEAST_OR_MOST: Final = re.compile(
    r"(?i)(?P<bound>MAX|MIN)(?:IMUM|\.)?\s(?P<what>(?:[A-Z]{2,20}\s){0,6}?(?:DIMENSION|SIZE|WIDTH|LENGTH|HEIGHT|DEPTH|OPENING|TRAVEL|STROKE|RADIUS|DIAMETER|"
    r"THICKNESS|GAP|CLEARANCE|DISTANCE|WANDST[ÄA]RKE|L[ÄA]NGE|BREITE|H[ÖO]HE|WALL)\s(?:[A-Z]{2,20}\s){0,6}?)?"
    r"[=:]?\s?(?P<value>[ØR]?\s?[\d.,]{1,9}(?:\s?mm)?)\s*"
)


def read(label: Label, context: Context) -> list[Callout]:
    """The callouts that a label is; none where it is a plain size or prose."""
    found = features(label, context)
    return [_callout(feature, text, label, context, place) for place, (feature, text) in enumerate(found)]


def features(label: Label, context: Context) -> list[tuple[Feature, str]]:
    """What the label asks for, each with the text that says it."""
    text = label.text
    if not text.strip() or len(text) > LONGEST:
        return []
    special = frame.datum(label) or frame.frame(label)
    if special:
        return [(special, text)]
    if label.role in {"frame", "datum"}:
        return []
    spelling = spell(text)
    nothing = _NOTHING.fullmatch(spelling.text) and not label.boxed and not texture.is_value(label)
    cut_off = label.role == "free" and _CUT_OFF.search(spelling.text)
    if nothing or cut_off or _NEVER.search(spelling.text):
        return []
    return (
        _bracketed(label, spelling, context)
        or _least_or_most(label, spelling, context)
        or _stack(label, spelling, context)
    )


def _bracketed(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    """A whole label in brackets: round ones mean reference (ISO 129-1 §9.8, ASME Y14.5 §4.3), square ones here a box."""
    round_, square = _BRACKETED.fullmatch(spelling.text), _SQUARED.fullmatch(spelling.text)
    found = round_ or square
    if found is None:
        return []
    inner = ((found["times"] or "") + (found["sign"] or "" if round_ else "") + found["inner"]).strip()
    if round_ and not _believable(inner, label):
        return []
    inside = Label(**{**_fields(label), "lines": (inner,), "boxed": bool(square)})
    parts, told = _walk(inside, spell(inner), context)
    if not parts:
        return []
    first = parts[0]
    first.members = {**told, **first.members}
    if square:
        return _settled([first], label, spelling, context, boxed=True) if first.size else []
    if first.size:
        kinds.kinds(replace(first, members=first.members), context, boxed=False, primary=False)
    feature = Feature(
        "reference_dimension",
        0,
        len(spelling.text),
        {**first.members, "reference": True, "feature": _what(first)},
        first.confidence,
    )
    if round_ and round_["rest"].startswith("*"):
        feature.members["mark"] = round_["rest"]
    return [(feature, label.text)]


def _what(feature: Feature) -> str:
    if feature.size is None:
        return feature.type
    if feature.size.angular:
        return "angle"
    return {"Ø": "diameter", "SØ": "spherical_diameter", "R": "radius", "SR": "spherical_radius", "CR": "radius"}.get(
        feature.size.sign, "length"
    )


def _believable(inner: str, label: Label) -> bool:
    """A free `(3)` is a mark or a count, a free `(2020)` a year."""
    if label.role != "free" or not inner.isdigit():
        return True
    return 10 <= int(inner) < 1900 or 2100 < int(inner) < 100000


def _least_or_most(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    """`MAX DIMENSION OF GRIPPER OPENING 95.15`, `MIN. 12`."""
    found = _LEAST_OR_MOST.fullmatch(spelling.text)
    if found is None or (label.role == "free" and not found["what"]):
        return []
    parts, _ = _walk(Label(**{**_fields(label), "lines": (found["value"],)}), spell(found["value"]), context)
    if len(parts) != 1 or parts[0].size is None:
        return []
    parts[0].members["bound"] = found["bound"].lower()
    if found["what"]:
        parts[0].members["of"] = found["what"].strip()
    return [(feature, label.text) for feature, _ in _settled(parts, label, spelling, context)[:1]]


def _stack(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    parts, told = _walk(label, spelling, context)
    for place, part in enumerate(parts):
        for name, value in told.items():
            if not place or name in _SHARED:
                part.members.setdefault(name, value)
    return _settled(parts, label, spelling, context, boxed=label.boxed)


_SHARED: Final = frozenset(("quantity", "typical", "equally_spaced", "bolt_circle_diameter"))
"""What holds for every feature of a stack when it stands before or behind it."""


def _walk(label: Label, spelling: Spelling, context: Context) -> tuple[list[Feature], dict[str, Any]]:
    """Features from the left, and what holds for all of them. A first number may be a quantity or a leg: both are tried."""
    place = _place(label, spelling, context)
    prefix.flags(place.scan)
    before = place.scan.at
    lead = prefix.quantity(place.scan)
    found, told = _features(place)
    if lead.quantity and not lead.sure and not any(_worth_saying(feature) for feature in found):
        place.scan.at, lead = before, prefix.Lead()
        found, told = _features(place)
    if lead.quantity:
        told["quantity"] = lead.quantity
    return found, told


def _worth_saying(feature: Feature) -> bool:
    size = feature.size
    return size is None or bool(size.sign or size.classes or size.upper is not None or feature.members)


def _features(place: Place) -> tuple[list[Feature], dict[str, Any]]:
    found: list[Feature] = []
    told: dict[str, Any] = {}
    strangers = 0
    closed = False
    while not place.scan.done and len(found) < MOST_FEATURES:
        closed = closed and place.scan.start not in place.breaks
        if tail.take(place, found[-1].members if found else told, rows=tail.CIRCLES):
            continue
        feature = None if closed else _head(place)
        if feature:
            feature.end = _tails(place, feature.members)
            found.append(feature)
        elif _passed_over(place, found[-1].members if found else told, closed=closed):
            continue
        elif not found or _PHYSICAL.match(place.scan.text, place.scan.at) or strangers >= MOST_STRANGERS:
            return [], {}
        else:
            place.scan.take(_WORD)
            strangers, closed = strangers + 1, True
    quantities = {feature.members["quantity"] for feature in found if "quantity" in feature.members}
    if len(quantities) == 1:
        told.setdefault("quantity", quantities.pop())
    if strangers and place.free:
        found = [feature for feature in found if _outspoken(feature)]
    return found, told


def _tails(place: Place, members: dict[str, Any]) -> int:
    """Read what follows a head; where its own text ends, before what holds for a whole stack: `⌴Ø6.5 ↧3 TYP 4 PLCS`."""
    end = place.scan.at
    while True:
        if tail.take(place, members, rows=tail.OWN):
            end = place.scan.at
        elif not tail.take(place, members, rows=tail.SHARED):
            return end


def _passed_over(place: Place, members: dict[str, Any], *, closed: bool) -> bool:
    rows = tail.AFTERTHOUGHTS if closed else tail.TAILS
    return tail.take(place, members, rows=rows) or bool(place.scan.take(_JOINT))


def _outspoken(feature: Feature) -> bool:
    """In a free text with further words, a bare Ø or number is prose."""
    size = feature.size
    return size is None or bool(
        size.classes or size.upper is not None or feature.members.keys() & {"through", "depth", "called_hole"}
    )


def _head(place: Place) -> Feature | None:
    again = prefix.quantity(place.scan) if place.scan.start in place.breaks else prefix.Lead()
    for rule in RULES:
        with place.scan.trial() as trial:
            feature = rule.read(place)
            trial.kept = feature is not None
        if feature:
            if again.quantity:
                feature.members.setdefault("quantity", again.quantity)
            return feature
    return None


def _settled(
    parts: list[Feature], label: Label, spelling: Spelling, context: Context, *, boxed: bool = False
) -> list[tuple[Feature, str]]:
    """Each part as the types of callout that it is, with its text; plain sizes fall away."""
    named = [(part, kinds.kinds(part, context, boxed=boxed, primary=not place)) for place, part in enumerate(parts)]
    _same_unit(parts, context)
    named = [(part, ["reference_dimension"] if _only_told(part) else types) for part, types in named if types]
    found: list[tuple[Feature, str]] = []
    for place, (part, types) in enumerate(named):
        text = spelling.written(part.start, part.end).strip(" ,;") if place else label.text
        found += [(replace(part, type=type_, members=dict(part.members)), text) for type_ in types]
    if len(named) > 1:
        first = named[0][0]
        for feature, _ in found[: len(named[0][1])]:
            feature.members["feature_text"] = spelling.written(first.start, first.end).strip(" ,;")
    return found


def _same_unit(parts: list[Feature], context: Context) -> None:
    """A recess is in the unit of its sheet, its own number or the hole it stands with."""
    written = (part.members.get("unit") for part in parts if part.size and not part.size.angular)
    unit = context.unit or next((name for name in written if name), None)
    for part in parts:
        if unit and part.type in _RECESSES and part.members.keys() & {"diameter", "depth"}:
            part.members.setdefault("unit", unit)


_RECESSES: Final = frozenset(("counterbore", "countersink", "spotface"))


def _place(label: Label, spelling: Spelling, context: Context) -> Place:
    return Place(
        scan=Scanner(spelling, thousands=context.decimal == ".", inches=context.unit == "inch"),
        context=context,
        role=label.role,
        breaks=_breaks(label, spelling),
    )


def _breaks(label: Label, spelling: Spelling) -> frozenset[int]:
    """Places in the spelling where the label's second and further lines begin."""
    begins: set[int] = set()
    at = 0
    for line in label.lines[:-1]:
        at += len(line) + 1
        begins.add(at)
    return frozenset(place for place, original in enumerate(spelling.places) if original in begins)


def _fields(label: Label) -> dict[str, Any]:
    return {name: getattr(label, name) for name in Label.__slots__}


def _only_told(part: Feature) -> bool:
    """Whether a thread is one of the sizes that the sheet marks as references: `M3*` on GOST sheets."""
    return part.type == "thread" and bool(part.members.get("reference"))


_OWN: Final = ("bound", "reference", "boxed", "called_hole", "sign")
"""Members that only helped to tell what a callout is."""


def _callout(feature: Feature, text: str, label: Label, context: Context, place: int) -> Callout:
    members = {name: value for name, value in feature.members.items() if value is not None and name not in _OWN}
    if feature.members.get("through"):
        members.pop("depth", None) if feature.type != "thread" else None
    elif "through" in members and "depth" not in members:
        members.pop("through")
    if label.struck:
        members["struck"] = True
    if label.mended:
        members["mended"] = list(label.mended)
    return Callout.model_validate(
        {
            **members,
            "id": context.number(),
            "type": feature.type,
            "text": text,
            "source": label.sources[0] if label.sources else "",
            "sources": list(label.sources),
            "position": label.position,
            "page": label.page,
            "role": label.role,
            "confidence": round(feature.confidence * (0.9 if label.role == "free" else 1.0), 3),
        }
    )
