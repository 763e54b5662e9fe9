"""Feature control frames and datum features. ISO 1101, ISO 5459, ASME Y14.5-2018 §6 to §12."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.symbols import CHARACTERISTICS, TOLERANCE_MODIFIERS
from spatial.understanding.sheet.callouts.feature import Feature, LabelRule, Members
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value
from spatial.understanding.sheet.label import Label

FRAMED: Final = 0.9
"""Confidence of a frame, or of a text with datums."""
UNFRAMED: Final = 0.8
"""Confidence of a sign and a number without box and datums."""
MOST_PROFILE_TOLERANCE: Final = 2.0
"""Greatest number behind a free ⌒ that is a tolerance; a larger one is the length of an arc."""
MOST_DATUMS: Final = 3
"""ISO 5459 and ASME Y14.5: primary, secondary, tertiary."""

_SIGNS: Final = "|".join(re.escape(sign) for sign in CHARACTERISTICS)
_BEGIN: Final = re.compile(rf"\s*(?:(\d{{1,3}})\s?[xX]\s?)?\s?\|?\s?({_SIGNS})\s?\|?\s?")
_ZONE: Final = re.compile(rf"(S\s?Ø|Ø|⌀|S⌀|□)?\s?({DECIMAL})(?:\s?(?:/|x)\s?({DECIMAL}))?\s?")
_PROJECTED: Final = re.compile(rf"Ⓟ\s?({DECIMAL})?")
_MODIFIER: Final = re.compile(r"\(([MLSFTURE])\)|([ⓂⓁⓈⒻⓉⓊⓇⒺⒾⒼ])|\b(CZ|SZ|UZ|OZ|SIM|ACS|NC|LD|MD|PD|DV)\b|<(CZ)>")
_DATUM: Final = re.compile(r"[|\s]*\(?([A-HJ-NPR-Z][A-Z]?\d?(?:\s?-\s?[A-HJ-NPR-Z]\d?)*)\)?")
_CIRCLED: Final = dict(zip("MLSFTURE", "ⓂⓁⓈⒻⓉⓊⓇⒺ", strict=True))
_DATUM_FEATURE: Final = re.compile(r"-?\s?([A-Z]{1,2})\s?-?")
_LONGEST: Final = 200
"""Characters of a frame: three rows of eight compartments."""


def read_frame(label: Label) -> Feature | None:
    """A feature control frame: by its box, or by the sign that it begins with."""
    text = " | ".join(label.cells) if label.cells else label.text
    if len(text) > _LONGEST:
        return None
    segments = [
        segment
        for line in ([text] if label.cells else label.lines)
        if (segment := _segment(line, label.role == "frame"))
    ]
    if not segments:
        return None
    members: Members = dict(segments[0])
    if len(segments) > 1:
        members["segments"] = segments
        members["composite"] = len({segment.get("characteristic") for segment in segments}) == 1
    return Feature(
        "gdt", 0, len(label.text), members, FRAMED if "datums" in members or label.role == "frame" else UNFRAMED
    )


def read_datum(label: Label) -> Feature | None:
    """A datum feature: a letter or two in its box."""
    found = _DATUM_FEATURE.fullmatch(label.text.strip()) if label.role == "datum" else None
    return Feature("datum", 0, len(label.text), {"datum": found[1]}) if found else None


def _segment(text: str, is_framed: bool) -> Members | None:
    begin = _BEGIN.match(text)
    if begin is None:
        return None
    zone = _ZONE.match(text, begin.end())
    if zone is None:
        return None
    members: Members = {
        "characteristic": CHARACTERISTICS[begin[2]],
        "tolerance": decimal_value(zone[2]),
    }
    if begin[1]:
        members["quantity"] = int(begin[1])
    members["zone"] = {"S": "spherical", "Ø": "cylindrical", "⌀": "cylindrical", "□": "square"}.get(
        (zone[1] or " ")[0], "parallel"
    )
    if zone[3]:
        members["per_length"] = decimal_value(zone[3])
    at = _modifiers(text, zone.end(), members)
    at = _projected(text, at, members)
    datums = _datums(text, at)
    if not is_framed and not datums and _is_doubtful(begin[2], members["tolerance"]):
        return None
    if datums:
        members["datums"] = datums
    return members


def _is_doubtful(sign: str, tolerance: float) -> bool:
    """Without a frame, — is a dash, ○ a balloon, ∠ 30 an angle and ⌒ 30 the length of an arc."""
    return sign in {"—", "○", "◯", "∠", "//"} or (sign == "⌒" and tolerance > MOST_PROFILE_TOLERANCE)


def _modifiers(text: str, at: int, members: Members) -> int:
    found = _MODIFIER.match(text, _past(text, at))
    while found:
        members.setdefault("modifiers", []).append(TOLERANCE_MODIFIERS[_name(found)])
        at = found.end()
        found = _MODIFIER.match(text, _past(text, at))
    return at


def _name(found: re.Match[str]) -> str:
    return _CIRCLED[found[1]] if found[1] else found[2] or found[3] or found[4]


def _projected(text: str, at: int, members: Members) -> int:
    found = _PROJECTED.match(text, _past(text, at))
    if found is None:
        return at
    members["projected_zone"] = decimal_value(found[1]) if found[1] else True
    return _modifiers(text, found.end(), members)


def _datums(text: str, at: int) -> list[Members]:
    datums: list[Members] = []
    while len(datums) < MOST_DATUMS and (found := _DATUM.match(text, at)):
        datum: Members = {"datum": re.sub(r"\s", "", found[1])}
        at = _modifiers(text, found.end(), datum)
        datums.append(datum)
    return datums


def _past(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


DATUM: Final = LabelRule("datum", read_datum)
FRAME: Final = LabelRule("gdt", read_frame)
