"""Counterbores, countersinks and spotfaces. ASME Y14.5-2018 §4.6.2 to 4.6.5, ISO 15786, DIN 74, DIN 974, ISO 15065.

Glossary
  word      the sign or word that names a hole treatment: ⌴, `CBORE`, `Senkung`. In `Ø6.6 ⌴Ø11` it belongs to the Ø behind it; only
            where none follows, to the one before: `Ø11 CBORE 6 DEEP`.
  measure   a diameter or an angle with its deviations.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.understanding.sheet.callouts import modifiers
from spatial.understanding.sheet.callouts.feature import DIGITS, STANDARD_WRITING, Feature, FeatureRule, Members, Place
from spatial.understanding.sheet.callouts.prefix import names_holes
from spatial.understanding.sheet.callouts.scanner import DECIMAL, Number, decimal_value

WORD_ONLY: Final = 0.6
"""Confidence of a word without a size of its own, in a stack that has one."""
MOST_MEASURES: Final = 3
"""Measures behind a word: diameter, angle, and one more that a dual size repeats."""

_SPOTFACE: Final = re.compile(
    rf"(?:⌴\s?)?(?:(?:SF(?=[\sØ\d.]|\Z)|S\.F\.|S/F)(?![A-Za-z])|{words('spotface')})\s?[:=]?|⌴\s?(?:SF|S\.F\.)(?![A-Za-z])"
)
_COUNTERBORE: Final = re.compile(rf"⌴(?!\s?(?:SF|S\.F))|{words('counterbore')}\s?[:=]?|DIN\s?974(?:-\d)?\s?-?(?=\s?Ø)")
_COUNTERSINK: Final = re.compile(rf"⌵|{words('countersink')}\s?[:=]?")
WORDS: Final = (_SPOTFACE, _COUNTERBORE, _COUNTERSINK)
_UNNAMED_COUNTERSINK: Final = re.compile(rf"(?=Ø\s?{DECIMAL}\s?[xX]\s?(?:60|82|90|100|120)\s?°)")
"""A diameter and the angle of a countersink's cone, without its sign (ISO 15786): `Ø12x90°`."""
_STANDARD: Final = re.compile(
    r"(?:(?i:NACH|ACC\.?\s?TO)\s)?(DIN\s?9?74(?:-\d)?(?:\s?-?\s?[A-Z]m?\s?[fm]?\s?\d{1,2}(?:[.,]\d)?)?|(?:EN\s)?ISO\s15065(?:\s?-?\s?\d{1,2})?)"
)
_ROUND: Final = re.compile(rf"Ø|{words('diameter')}(?=\s?[\d.,])")
_PREFIXES: Final = frozenset("⌴⌵")
_COMMA: Final = re.compile(r"[,;:]")
_BEHIND: Final = re.compile(rf"{words('diameter')}|Ø(?!\s?[\d.,])")
_BY: Final = re.compile(r"[xX,]|(?i:TO|À|AT|A)(?=\s)")
_DEVIATION: Final = re.compile(
    rf"±\s?({DECIMAL})°?(?:\s?\d{{0,2}}\s?'(?:\s?\d{{1,2}}\s?\")?)?|(\+\s?{DECIMAL})\s*/?\s*(-\s?{DECIMAL}|0)°?|[-/]\s?(?P<other>{DECIMAL})(?=\s?[xX]\s?\d{{2,3}}\s?°)"
)
_DEEP: Final = re.compile(rf"(?i:MIN\.?\s?|MAX\.?\s?)?{words('depth')}")
_DEPTH: Final = re.compile(rf"[xX]\s?({DECIMAL})(?!\s?°)(?=\s*$|\s?(?:mm|[,;]))")

_LENGTH: Final = re.compile(rf"{DECIMAL}(?!\s?°)")


def read_spotface(place: Place) -> Feature | None:
    """`SF Ø20`, `⌴SF Ø20 ↧1`."""
    return _hole_treatment("spotface", _SPOTFACE, place)


def read_counterbore(place: Place) -> Feature | None:
    """`⌴Ø11 ↧6`, `CBORE Ø11 x 6 DEEP`, `Ø11 CBORE`; with an angle it is a countersink, as `沉头孔` may be either."""
    one, other = place.scan.sees(_COUNTERBORE), place.scan.sees(_COUNTERSINK)
    if one and other and other.end() > one.end():
        return None  # `pogłębienie stożkowe` begins with the word for a counterbore
    found = _hole_treatment("counterbore", _COUNTERBORE, place)
    if found is not None and "angle" in found.members:
        found.type = "countersink"
    return found


def read_countersink(place: Place) -> Feature | None:
    """`⌵Ø10 X 90°`, `82° CSK Ø.42`, `Senkung DIN 74-A4`."""
    with place.scan.trial() as trial:
        named = _hole_treatment("countersink", _COUNTERSINK, place)
        trial.kept = named is not None
    if named is not None or not place.scan.sees(_UNNAMED_COUNTERSINK):
        return named
    start = place.scan.start
    members: Members = {}
    _add_behind(members, place)
    return Feature("countersink", start, place.scan.at, members)


def _hole_treatment(type_: str, word: re.Pattern[str], place: Place) -> Feature | None:
    scan = place.scan
    start = scan.start
    members: Members = {}
    if _is_hole_before(place, word):
        return None
    if not scan.sees(word) and not names_holes(scan.text[:start]):
        _add_before(members, place, word, has_depth=type_ != "countersink")
    named = scan.take(word)
    if not named or ("diameter" in members and _has_its_own(named[0], members["diameter"], place)):
        return None
    if named[0] == "SF" and members and "Ø" not in scan.text[start : scan.at]:
        return None  # `1200 SF` are square feet
    if named[0].startswith("DIN"):
        members["standard"] = named[0].strip(" -")
    _add_standard(members, place)
    _add_behind(members, place)
    if "diameter" not in members:
        _add_behind_its_depth(members, place)
    if members.get("diameter") == 0:
        return None  # torn, or read wrong: no bore is of nothing
    if type_ != "countersink" and (depth := scan.take(_DEPTH)):
        members["depth"] = decimal_value(depth[1])
    _add_standard(members, place)
    return (
        Feature(type_, start, scan.at, members, STANDARD_WRITING if members else WORD_ONLY)
        if members or _is_in_a_stack(place)
        else None
    )


def _is_hole_before(place: Place, word: re.Pattern[str]) -> bool:
    """Whether the hole stands here, and the wider one behind it has the word and its own depth: `Ø3.4, 6.5 ⌴ ↧3.3`."""
    with place.scan.trial():
        hole = _measure(place)
        wider = _measure(place) if hole and place.scan.take(_BY) else None
        if not hole or not wider or wider[0].unit == "degree" or wider[0].value <= hole[0].value:
            return False
        return bool(place.scan.take(word)) and any(place.scan.sees(each.pattern) for each in modifiers.DEPTHS)


def _is_in_a_stack(place: Place) -> bool:
    """Whether a word without a size is ordered, or stands with one that has a size: `Ø6.6 THRU CBORE`; a bare `CBORE` is no callout.

    Nor is a sentence about it with an angle alone: `COUNTERBORES ARE CHAMFERED AT 45°`.
    """
    return (place.is_ordered or not place.is_free) and _LENGTH.search(place.scan.text) is not None


def _add_before(members: Members, place: Place, word: re.Pattern[str], *, has_depth: bool) -> None:
    """`Ø11` of `Ø11 CBORE`, with the 6 of `Ø11 x 6 CBORE` and `Ø11 6 DEEP CBORE` and the angle of `Ø12 x 90° CSK`."""
    scan = place.scan
    if not _add(members, _measure(place), place) or scan.sees(word):
        return
    with scan.trial() as trial:
        more: Members = {}
        by = bool(scan.take(_BY))
        if (
            has_depth
            and not by
            and scan.start not in place.breaks
            and modifiers.take(place, more, rows=modifiers.DEPTHS)
        ):
            # a sign behind a depth begins the next feature: `Ø6.6 ↧20 ⌴`
            trial.kept = bool(scan.sees(word)) and scan.text[scan.start] not in _PREFIXES
        elif by and (number := scan.number()):
            more = {"depth": place.length(number)} if has_depth else {"angle": number.value}
            if has_depth and scan.take(_DEEP):
                more["through"] = False
            trial.kept = (number.unit == "degree") is not has_depth and bool(scan.sees(word))
        if trial.kept:
            members.update(more)


def _add_behind(members: Members, place: Place) -> None:
    """The measures that stand behind the word, as far as none comes twice."""
    for _ in range(MOST_MEASURES):
        with place.scan.trial() as trial:
            place.scan.take(_BY)
            measure = _measure(place)
            trial.kept = measure is not None and _add(members, measure, place)
        if not trial.kept:
            return


def _add_behind_its_depth(members: Members, place: Place) -> None:
    """The Ø11 of `⌴ ↧6 Ø11`; what stands on the next line or goes through is the next feature."""
    scan = place.scan
    with scan.trial() as trial:
        more: Members = {}
        if modifiers.take(place, more, rows=modifiers.DEPTHS) and scan.sees(_ROUND) and scan.start not in place.breaks:
            _add_behind(more, place)
            trial.kept = "diameter" in more and not _goes_through(place)
        if trial.kept:
            members.update(more)


def _goes_through(place: Place) -> bool:
    return any(place.scan.sees(each.pattern) for each in modifiers.THROUGH)


def _has_its_own(word: str, before: float, place: Place) -> bool:
    """Whether a diameter of its own follows the word, so that what stands before it is the hole's.

    No hole treatment is narrower than its hole: `Ø11 CBORE, Ø6.6 THRU` is written from behind.
    """
    scan = place.scan
    behind: Members = {}
    with scan.trial():
        _add_standard({}, place)
        apart = bool(scan.take(_COMMA)) or scan.start in place.breaks
        _add_behind(behind, place)
        apart = apart and _goes_through(place)
        if "diameter" not in behind:
            _add_behind_its_depth(behind, place)
    if "diameter" not in behind or apart:
        return False
    glued = word[0] in _PREFIXES and bool(scan.sees(_ROUND)) and scan.start not in place.breaks
    return glued or bool(behind["diameter"] >= before)


def _add_standard(members: Members, place: Place) -> None:
    found = place.scan.take(_STANDARD)
    if found:
        members["standard"] = found[1]


def _measure(place: Place) -> tuple[Number, dict[str, float]] | None:
    """A diameter or an angle with its deviations; a depth (`6 DEEP`) is a modifier."""
    scan = place.scan
    with scan.trial() as trial:
        has_sign = bool(scan.take(_ROUND))
        number = scan.number(fractions=has_sign)
        if number is None:
            return None
        behind = scan.take(_BEHIND)
        if not has_sign and not behind and scan.sees(_DEEP):
            return None
        found = scan.take(_DEVIATION)
        trial.kept = True
    if found and found["other"]:
        return number, {
            "upper_deviation": 0.0,
            "lower_deviation": round(decimal_value(found["other"]) - number.value, DIGITS),
        }
    return number, _deviations(found)


def _deviations(found: re.Match[str] | None) -> dict[str, float]:
    if not found:
        return {}
    written = [decimal_value(part.replace(" ", "")) for part in found.groups() if part and part.strip(".,+- ")]
    if len(written) == 1:
        return {"upper_deviation": written[0], "lower_deviation": -written[0]}
    return {"upper_deviation": max(written), "lower_deviation": min(written)} if written else {}


def _add(members: Members, measure: tuple[Number, dict[str, float]] | None, place: Place) -> bool:
    if measure is None:
        return False
    number, deviations = measure
    name = "angle" if number.unit == "degree" else "diameter"
    if name in members:
        return False
    members[name] = number.value if name == "angle" else place.length(number)
    if name == "diameter":
        members.update(deviations)
        if unit := place.context.unit or number.unit:
            members["unit"] = unit
    return True


SPOTFACE: Final = FeatureRule("spotface", read_spotface)
COUNTERBORE: Final = FeatureRule("counterbore", read_counterbore)
COUNTERSINK: Final = FeatureRule("countersink", read_countersink)
