"""Feature control frames and datum features. ISO 1101, ISO 5459, ASME Y14.5-2018 §6 to §12, GOST 2.308.

Glossary
  zone        what a tolerance allows: its width or diameter, and how that is expressed.
  indicator   what stands behind the width: a modifier, a reach, an offset.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from spatial.knowledge.symbols import CHARACTERISTICS, TOLERANCE_MODIFIERS
from spatial.understanding.sheet.callouts.feature import Feature, LabelRule, Members
from spatial.understanding.sheet.callouts.production import Production, named, production
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
MOST_INDICATORS: Final = 6
"""Behind one tolerance."""

_SIGNS: Final = "|".join(re.escape(sign) for sign in CHARACTERISTICS)
_BEGIN: Final = re.compile(rf"\s*(?:(\d{{1,3}})\s?[xX]\s?)?\s?\|?\s?({_SIGNS})\s?\|?\s?")
_DATUM: Final = re.compile(
    r"[|\s]*\(?([A-HJ-NPR-Z][A-Z]?\d?(?:\s?-\s?[A-HJ-NPR-Z]\d?)*|[А-ЯA-Z]{1,3}(?:\s?-\s?[А-Я])*(?![А-Яа-я]))\)?"
)
_CIRCLED: Final = dict(zip("MLSFTURE", "ⓂⓁⓈⒻⓉⓊⓇⒺ", strict=True))
_DATUM_FEATURE: Final = re.compile(r"-?\s?([A-ZА-Я]{1,2})\s?-?")
_LONGEST: Final = 200
"""Characters of a frame: three rows of eight compartments."""
_ZONES: Final = {"S": "spherical", "□": "square"}
"""By the first sign before the width; every other sign is one of a diameter."""
_BETWEEN_PLANES: Final = frozenset(
    ("straightness", "flatness", "parallelism", "perpendicularity", "angularity", "position", "symmetry")
)
"""Characteristics whose zone without a sign lies between two parallel lines or planes (ISO 1101:2017 §7, §17); that of a cylinder, a
circle, a profile or a run-out has a shape that the frame does not say."""

Handler = Callable[[re.Match[str], Members], None]


def _zone(found: re.Match[str], members: Members) -> None:
    members["tolerance"] = decimal_value(found[2])
    if found[1]:
        members["zone"] = _ZONES.get(found[1][:1], "cylindrical")
    else:
        _add_zone_without_sign(members)


def _expressed(found: re.Match[str], members: Members) -> None:
    members["tolerance"] = decimal_value(found[2])
    _add_zone_without_sign(members)
    members["expressed_as"] = "diameter" if found[1] in "TТ" else "radius"


def _add_zone_without_sign(members: Members) -> None:
    if members.get("characteristic") in _BETWEEN_PLANES:
        members["zone"] = "parallel"


def _to(found: re.Match[str], members: Members) -> None:
    members["tolerance_to"] = decimal_value(found[1])


def _ignore_second_unit(_found: re.Match[str], _members: Members) -> None:
    """The width in the other unit says nothing new."""


def _per_length(found: re.Match[str], members: Members) -> None:
    members["per_length"] = decimal_value(found[1])


def _modifier(found: re.Match[str], members: Members) -> None:
    letter = found[1] or found[2]
    name = _CIRCLED[letter] if letter else next(part for part in found.groups()[2:] if part)
    members.setdefault("modifiers", []).append(TOLERANCE_MODIFIERS[name])


def _offset(found: re.Match[str], members: Members) -> None:
    members.setdefault("modifiers", []).append(TOLERANCE_MODIFIERS[found[1]])
    members["offset"] = decimal_value(found[3]) * (-1 if found[2] in ("-", "−") else 1)


def _projected(found: re.Match[str], members: Members) -> None:
    members["projected_zone"] = decimal_value(found[1]) if found[1] else True


def _at_most(found: re.Match[str], members: Members) -> None:
    members["maximum"] = decimal_value(found[1])


def _between(found: re.Match[str], members: Members) -> None:
    members["between"] = [found[1], found[2]]


ZONES: Final[tuple[Production[Handler], ...]] = named((
    production(
        "zone", "ISO 1101, ASME Y14.5-2018 §6",
        rf"(S?\s?[Øø⌀∅φΦ]|□)?\s?({DECIMAL})\s?",
        _zone, ("⌖ Ø0.2 A", "zone", "cylindrical"), ("∥ 0,1 A", "tolerance", 0.1),
    ),
    production(
        "zone-expressed", "GOST 2.308",
        rf"([TТ]/2|[TТR])\s?({DECIMAL})\s?",
        _expressed, ("⌯ T0,12 A", "expressed_as", "diameter"), ("◎ R0,05 A", "expressed_as", "radius"),
    ),
))  # fmt: skip
"""How a tolerance is written; one of them stands behind the characteristic."""

INDICATORS: Final[tuple[Production[Handler], ...]] = named((
    production(
        "zone-variable", "ISO 1101",
        rf"-\s?({DECIMAL})",
        _to, ("⌓ 0.1-0.2 A", "tolerance_to", 0.2),
    ),
    production(
        "zone-second-unit", "ASME Y14.5-2018 §4.2",
        rf"\[\s?[Øø⌀∅φΦ]?\s?{DECIMAL}\s?\]",
        _ignore_second_unit, ("⌖ .0024 [0.06] Z", "tolerance", 0.0024),
    ),
    production(
        "per-length", "ISO 1101, ASME Y14.5-2018 §6",
        rf"(?:/|x)\s?({DECIMAL})",
        _per_length, ("∥ 0.1/100 A", "per_length", 100.0),
    ),
    production(
        "zone-offset", "ISO 1101",
        rf"(UZ|OZ|Ⓤ)\s?([+−-])?\s?({DECIMAL})",
        _offset, ("⌓ 0.3 UZ-0.1 A", "offset", -0.1), ("⌓ 0.3 Ⓤ 0.1 A", "offset", 0.1),
    ),
    production(
        "tolerance-modifier", "ISO 1101, ISO 2692, ISO 5458, ASME Y14.5-2018 §6.3",
        r"\(([MLSFTURE])\)|([ML])(?=\s*\|)|([ⓂⓁⓈⒻⓉⓊⓇⒺⒾⒼ])|\b(CZR|CZ|SZ|UZ|OZ|SIM|UF|ACS|ALS|SCS|NC|LD|MD|PD|DV)\b|<(CZ)>",
        _modifier, ("⌖ Ø0.2Ⓜ A", "modifiers", ["maximum_material"]), ("⌓ Ø1 CZ A", "modifiers", ["combined_zone"]),
    ),
    production(
        "projected-zone", "ISO 1101, ASME Y14.5-2018",
        rf"Ⓟ\s?({DECIMAL})?",
        _projected, ("⌖ Ø0.2Ⓟ20 A", "projected_zone", 20.0),
    ),
    production(
        "tolerance-at-most", "ASME Y14.5-2018 §9.3",
        rf"MAX\.?\s?({DECIMAL})",
        _at_most, ("⌖ Ø0.2Ⓜ MAX 0.5 A", "maximum", 0.5),
    ),
    production(
        "between", "ISO 1101",
        r"([A-Z])\s?(?:↔|⟷|<-+>)\s?([A-Z])(?![A-Za-z])",
        _between, ("⌓ 0.1 P↔Q", "between", ["P", "Q"]),
    ),
))  # fmt: skip
"""What may stand behind a tolerance, in any order; the modifiers behind a datum too."""
_OF_DATUMS: Final = tuple(each for each in INDICATORS if each.meaning is _modifier)


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


def without_frames(label: Label) -> Label | None:
    """The lines that stand over or under the frames of a label; None where all lines, or none, are frames."""
    if label.cells or label.role == "frame":
        return None
    others = tuple(line for line in label.lines if _segment(line, is_framed=False) is None)
    return replace(label, lines=others) if 0 < len(others) < len(label.lines) else None


def read_datum(label: Label) -> Feature | None:
    """A datum feature: a letter or two in its box."""
    found = _DATUM_FEATURE.fullmatch(label.text.strip()) if label.role == "datum" else None
    return Feature("datum", 0, len(label.text), {"datum": found[1]}) if found else None


def _segment(text: str, is_framed: bool) -> Members | None:
    begin = _BEGIN.match(text)
    if begin is None:
        return None
    members: Members = {"characteristic": CHARACTERISTICS[begin[2]]}
    at = _take(ZONES, text, begin.end(), members, most=1)
    if "tolerance" not in members:
        return None
    if begin[1]:
        members["quantity"] = int(begin[1])
    at = _take(INDICATORS, text, at, members)
    datums, at = _datums(text, at)
    if not is_framed and not datums and _is_doubtful(begin[2], members["tolerance"]):
        return None
    if datums:
        members["datums"] = datums
    if is_framed and (rest := text[at:].strip(" |")):
        members["unread"] = rest
    return members


def _take(
    rows: tuple[Production[Handler], ...], text: str, at: int, members: Members, most: int = MOST_INDICATORS
) -> int:
    """Read what `rows` have at a place into the members; where the rest begins."""
    for _ in range(most):
        begin = _past(text, at)
        found = next(((row, match) for row in rows if (match := row.pattern.match(text, begin))), None)
        if found is None:
            break
        row, match = found
        row.meaning(match, members)
        at = match.end()
    return at


def _is_doubtful(sign: str, tolerance: float) -> bool:
    """Without a frame, — is a dash, ○ a balloon, ∠ 30 an angle and ⌒ 30 the length of an arc."""
    return sign in {"—", "○", "◯", "∠", "//", "＝"} or (sign == "⌒" and tolerance > MOST_PROFILE_TOLERANCE)


def _datums(text: str, at: int) -> tuple[list[Members], int]:
    """The datums, and where the rest begins."""
    datums: list[Members] = []
    while len(datums) < MOST_DATUMS and (found := _DATUM.match(text, at)):
        datum: Members = {"datum": re.sub(r"\s", "", found[1])}
        at = _take(_OF_DATUMS, text, found.end(), datum)
        datums.append(datum)
    return datums, at


def _past(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


DATUM: Final = LabelRule("datum", read_datum)
FRAME: Final = LabelRule("gdt", read_frame)
