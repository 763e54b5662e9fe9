"""Forms of a whole label: in brackets, and `MAX DIMENSION OF GRIPPER OPENING 95`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.quantities import COUNT, PLACES
from spatial.understanding.sheet.callouts import modifiers, prefix
from spatial.understanding.sheet.callouts.classify import classify_features, size_types
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, Members, Place
from spatial.understanding.sheet.callouts.scanner import Scanner
from spatial.understanding.sheet.callouts.spelling import Spelling, spell
from spatial.understanding.sheet.callouts.walk import walk
from spatial.understanding.sheet.label import Label

LEAST_COUNT, FIRST_YEAR, LAST_YEAR, LEAST_CODE = 10, 1900, 2100, 10_000
"""A free whole number in brackets is a size from LEAST_COUNT, below which it is a mark or a count, to LEAST_CODE, from which it is a
code, unless it is a year."""

_BRACKETED: Final = re.compile(r"(?P<sign>Ø|R)?\s?\(\s*(?P<inner>[^()]{1,80}?)\s*\)")
_REMARK: Final = re.compile(
    r"\([^()\d]{2,40}\)|\(?(?i:SEE\sNOTES?)\s\d{1,2}\)?|(?i:ALL\sA?ROUND|EACH\sSIDE)(?![A-Za-z])|(?i:MAX\.?|MIN\.?)(?![A-Za-z])"
)
"""Behind a reference: `(1.5) (outline)`."""
_SQUARED: Final = re.compile(r"\s*(?:\d{1,3}\s?[xX]\s?)?\[[^\[\]]{1,40}\]\s*")
_MACHINED_TOGETHER: Final = re.compile(
    rf"\s*\[\s?(?P<inner>[^\[\]]{{2,60}})\]\s*(?P<behind>(?:{COUNT}\s?{PLACES}\.?)?)\s*"
)
_PLACES: Final = re.compile(rf"{COUNT}\s?{PLACES}\.?")
_SLASHED: Final = re.compile(r"\d{1,4}\s?/\s?\d{1,4}|\d{1,2}\s?-\s?(?:19|20)\d{2}")
"""A date, the number of a form or of a sheet: references with a fraction of an inch have its sign, or a Ø."""
_FURTHER_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_EXTREME: Final = re.compile(
    r"(?i)(?:(?P<sign>[ØR]?)\s?(?P<compared>[<>≤≥])\s?=?|(?P<bound>MAX|MIN)(?:IMUM|\.)?(?:\s|(?=\d)))(?P<what>(?:[A-Z]{2,20}\s){0,6}?(?:DIMENSION|SIZE|WIDTH|LENGTH|HEIGHT|DEPTH|OPENING|TRAVEL|STROKE|RADIUS|DIAMETER|"
    r"THICKNESS|GAP|CLEARANCE|DISTANCE|WANDST[ÄA]RKE|L[ÄA]NGE|BREITE|H[ÖO]HE|WALL)\s(?:[A-Z]{2,20}\s){0,6}?)?"
    r"[=:]?\s?(?P<value>[ØR]?\s?[\d.,]{1,9}(?:\s?mm)?)\s*(?P<remark>\([^()]{2,40}\))?\s*"
)
_BOUNDS: Final = {"<": "max", "≤": "max", ">": "min", "≥": "min"}
_MEASURES: Final = {
    "Ø": "diameter", "SØ": "spherical_diameter", "R": "radius", "SR": "spherical_radius", "CR": "radius",
}  # fmt: skip


_SERIES: Final = re.compile(r"\s?\d{1,3}\s?-\s?\d{1,3}\s?|\s?[1-9]\d{2,3},\s?[1-9]\d{2,3}\s?")
"""Whole numbers from one to another, as pins, positions or pages, and two with a comma between, as the dots of a screen in both directions,
`(480,272)`, or one of thousands: where nothing ties them to the part."""


def read_bracketed(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    """A whole label in round brackets, which mean reference (ISO 129-1 §9.8, ASME Y14.5 §4.3)."""
    around: Members = {}
    inner = _within_brackets(Place(Scanner(spelling), context, label.role, frozenset()), around)
    if inner is None or not _is_believable(inner, label):
        return []
    parts, shared = walk(replace(label, lines=(inner,), boxed=False), spell(inner), context)
    if not parts or _is_remark(parts, inner, label, context):
        return []
    first = parts[0]
    first.members = {**around, **shared, **first.members}
    if first.size:
        size_types(replace(first, members=first.members), context, boxed=False, first=False)
    members = {**first.members, "reference": True, "feature": _measure(first)}
    reference = Feature("reference_dimension", 0, len(spelling.text), members, first.confidence)
    return [*([(first, label.text)] if first.type == "thread" else []), (reference, label.text)]


def _within_brackets(place: Place, around: Members) -> str | None:
    """What a whole text has in round brackets; a quantity, TYP or a mark on either side of them goes into the members.

    None where anything else stands beside the brackets: what says how often a size applies is no part of it (ASME Y14.5-2018 §4.6.10).
    """
    scan = place.scan
    modifiers.take(place, around, rows=modifiers.TYPICAL)
    with scan.trial() as trial:
        times = prefix.read_quantity(scan).quantity
        is_open = scan.text.count("(", 0, scan.at) > scan.text.count(")", 0, scan.at)
        trial.kept = times is not None and not is_open and scan.sees(_BRACKETED) is not None
    if times and trial.kept:
        around["quantity"] = times
    found = scan.take(_BRACKETED)
    if found is None:
        return None
    while not scan.done and (modifiers.take(place, around, rows=modifiers.OF_REFERENCE) or scan.take(_REMARK)):
        pass
    return ((found["sign"] or "") + found["inner"]).strip() if scan.done else None


def read_squared(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    """A callout in square brackets, of what is machined together with another part (GOST 2.109): `[R113H7]`, `[M20-7H x 35] 8 holes`.

    A size alone in them is that beside it in the other unit; no such size has a class or a thread.
    """
    found = _MACHINED_TOGETHER.fullmatch(spelling.text)
    if found is None:
        return []
    inner = f"{found['behind']} {found['inner']}".strip()
    parts, shared = walk(replace(label, lines=(inner,)), spell(inner), context)
    if not parts or not any(part.type == "thread" or (part.size and part.size.classes) for part in parts):
        return []
    parts[0].members = {**shared, **parts[0].members}
    return [(feature, label.text) for feature, _ in classify_features(parts[:1], label, spell(inner), context)]


def is_bracketed_second_unit(text: str) -> bool:
    """Whether a whole text stands in square brackets: the size that is above or before it, in another unit (ASME Y14.5-2018 §4.2)."""
    return _SQUARED.fullmatch(text) is not None


def is_mark_in_box(label: Label, text: str) -> bool:
    """Whether a box holds a small whole number that nothing ties to the part: a contact or an item of the picture, no basic size."""
    return label.boxed and label.role == "free" and text.strip().isdecimal() and int(text) < LEAST_COUNT


def _is_remark(parts: Sequence[Feature], inner: str, label: Label, context: Context) -> bool:
    """Whether brackets hold words and a number in them: `(20 pockets)`, `(0.95mm stake shown)`.

    Sizes of a sheet stand without their unit (ASME Y14.5-2018 §4.2.1, ISO 129-1 §5), counts have no decimals.
    """
    size = parts[0].size
    rest = Place(Scanner(spell(inner)), context, label.role, frozenset())
    rest.scan.at = parts[-1].end
    modifiers.take(rest, {})
    if size is None or not rest.scan.sees(_FURTHER_WORD):
        return False
    return label.role == "free" or size.number.is_whole or size.number.unit not in (None, "degree")


def rest_is_read(place: Place) -> bool:
    """Whether nothing but modifiers, joints and remarks stands from a place to the end."""
    while not place.scan.done and (modifiers.take(place, {}) or place.scan.take(_REMARK)):
        pass
    return place.scan.done


def _measure(feature: Feature) -> str:
    """What a feature in brackets measures."""
    if feature.size is None:
        return feature.type
    return "angle" if feature.size.is_angular else _MEASURES.get(feature.size.sign, "length")


def _is_believable(inner: str, label: Label) -> bool:
    """Whether brackets hold a size: `(4 HOLES)` and a free `(3)` are a count, or a mark, a free `(2020)` is a year, `(9-10)` are pins."""
    if _PLACES.fullmatch(inner) or _SLASHED.fullmatch(inner) or (label.role == "free" and _SERIES.fullmatch(inner)):
        return False
    if label.role != "free" or not inner.isdigit():
        return True
    return LEAST_COUNT <= int(inner) < FIRST_YEAR or LAST_YEAR < int(inner) < LEAST_CODE


def read_extreme(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    """`MAX DIMENSION OF GRIPPER OPENING 95.15`, `MIN. 12`, with what it is of in brackets: `MAX 1.2 (IC+FR4)`."""
    found = _EXTREME.fullmatch(spelling.text)
    if found is None or (label.role == "free" and not found["what"]):
        return []
    value = (found["sign"] or "") + found["value"]
    parts, _ = walk(replace(label, lines=(value,)), spell(value), context)
    if len(parts) != 1 or parts[0].size is None:
        return []
    parts[0].members["bound"] = _BOUNDS.get(found["compared"]) or found["bound"].lower()
    if found["what"]:
        parts[0].members["of"] = found["what"].strip()
    return [(feature, label.text) for feature, _ in classify_features(parts, label, spelling, context)[:1]]
