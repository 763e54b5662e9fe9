"""Counterbores, countersinks and spotfaces. ASME Y14.5-2018 §4.6.2 to 4.6.5, ISO 15786, DIN 74, DIN 974, ISO 15065.

Glossary
  word      the sign or word that names a recess: ⌴, `CBORE`, `Senkung`. In `Ø6.6 ⌴Ø11` it belongs to the Ø behind it; only
            where none follows, to the one before: `Ø11 CBORE 6 DEEP`.
  measure   a diameter or an angle with its deviations.
"""

from __future__ import annotations

import re
from typing import Any, Final

from spatial.understanding.sheet.callouts import tail
from spatial.understanding.sheet.callouts.feature import Feature, Place
from spatial.understanding.sheet.callouts.scanner import DECIMAL, Number

_SPOTFACE: Final = re.compile(
    r"(?:⌴\s?)?(?:SF(?=[\sØ\d.]|\Z)|S\.F\.|S/F|(?i:SPOT[\s-]?FACED?|SFACE|PLANANSENKUNG|PLANSENKUNG))(?![A-Za-z])\s?[:=]?|⌴\s?(?:SF|S\.F\.)(?![A-Za-z])"
)
_COUNTERBORE: Final = re.compile(
    r"⌴(?!\s?(?:SF|S\.F))|(?i:C['/.]?\s?BORED?|CBR|COUNTER[\s-]?BORED?|ZYLINDERSENKUNG|FLACHSENKUNG|ZYL\.?\s?SENK(?:UNG|\.)?|LAMAGE|LAMATURA|ABOCARDADO|цековк\w*)(?![A-Za-z])\s?[:=]?|"
    r"DIN\s?974(?:-\d)?\s?-?(?=\s?Ø)|座ぐり|深ザグリ|ザグリ|沉孔"
)
_COUNTERSINK: Final = re.compile(
    r"⌵|(?i:CSK|C['/.]?\s?SINK|CSINK|C\.S\.K\.|COUNTER[\s-]?SINK|COUNTERSUNK|KEGELSENKUNG|SENKUNG|ANSENKUNG|SENKEN|FRAISURES?|SVASATURA|AVELLANADO|зенк\w*)"
    r"(?![A-Za-z])\s?[:=]?|皿ザグリ|皿もみ"
)
WORDS: Final = (_SPOTFACE, _COUNTERBORE, _COUNTERSINK)
_STANDARD: Final = re.compile(
    r"(?:(?i:NACH|ACC\.?\s?TO)\s)?(DIN\s?9?74(?:-\d)?(?:\s?-?\s?[A-Z]m?\s?[fm]?\s?\d{1,2}(?:[.,]\d)?)?|(?:EN\s)?ISO\s15065(?:\s?-?\s?\d{1,2})?)"
)
_ROUND: Final = re.compile(r"Ø|(?i:DIA\.?)(?=\s?[\d.,])")
_PREFIXES: Final = frozenset("⌴⌵")
_COMMA: Final = re.compile(r"[,;:]")
_BEHIND: Final = re.compile(r"(?i:DIA(?:M)?)(?![A-Za-z])\.?|Ø(?!\s?[\d.,])")
_BY: Final = re.compile(r"[xX,]|(?i:TO)(?=\s)")
_DEVIATION: Final = re.compile(
    r"±\s?([\d.,]{1,8})°?(?:\s?\d{0,2}\s?'(?:\s?\d{1,2}\s?\")?)?|(\+\s?[\d.,]{1,8})\s*/?\s*(-\s?[\d.,]{1,8}|0)°?"
)
_DEEP: Final = re.compile(r"(?i:MIN\.?\s?|MAX\.?\s?)?(?i:DEEP|DP|TIEF|PROF|DEPTH)")
_DEPTH: Final = re.compile(rf"[xX]\s?({DECIMAL})(?!\s?°)(?=\s*$|\s?(?:mm|[,;]))")


def spotface(place: Place) -> Feature | None:
    """`SF Ø20`, `⌴SF Ø20 ↧1`."""
    return _recess("spotface", _SPOTFACE, place)


def counterbore(place: Place) -> Feature | None:
    """`⌴Ø11 ↧6`, `CBORE Ø11 x 6 DEEP`, `Ø11 CBORE`."""
    return _recess("counterbore", _COUNTERBORE, place)


def countersink(place: Place) -> Feature | None:
    """`⌵Ø10 X 90°`, `82° CSK Ø.42`, `Senkung DIN 74-A4`."""
    return _recess("countersink", _COUNTERSINK, place)


def _recess(type_: str, word: re.Pattern[str], place: Place) -> Feature | None:
    scan = place.scan
    start = scan.start
    members: dict[str, Any] = {}
    if not scan.sees(word):
        _before(members, place, word, deep=type_ != "countersink")
    named = scan.take(word)
    if not named or ("diameter" in members and _has_its_own(named[0], members["diameter"], place)):
        return None
    if named[0] == "SF" and members and "Ø" not in scan.text[start : scan.at]:
        return None  # `1200 SF` are square feet
    if named[0].startswith("DIN"):
        members["standard"] = named[0].strip(" -")
    _standard(members, place)
    _behind(members, place)
    if "diameter" not in members:
        _behind_its_depth(members, place)
    if type_ != "countersink" and (depth := scan.take(_DEPTH)):
        members["depth"] = float(depth[1].replace(",", "."))
    _standard(members, place)
    return Feature(type_, start, scan.at, members, 0.95 if members else 0.6) if members or _in_a_stack(place) else None


def _in_a_stack(place: Place) -> bool:
    """Whether a word without a size stands with one that has a size: `Ø6.6 THRU CBORE`; a bare `CBORE` says nothing."""
    return not place.free and any(sign.isdigit() for sign in place.scan.text)


def _before(members: dict[str, Any], place: Place, word: re.Pattern[str], *, deep: bool) -> None:
    """`Ø11` of `Ø11 CBORE`, with the 6 of `Ø11 x 6 CBORE` and `Ø11 6 DEEP CBORE` and the angle of `Ø12 x 90° CSK`."""
    scan = place.scan
    if not _note(members, _measure(place), place) or scan.sees(word):
        return
    with scan.trial() as trial:
        more: dict[str, Any] = {}
        by = bool(scan.take(_BY))
        if deep and not by and scan.start not in place.breaks and tail.take(place, more, rows=tail.DEPTHS):
            # a sign behind a depth begins the next feature: `Ø6.6 ↧20 ⌴`
            trial.kept = bool(scan.sees(word)) and scan.text[scan.start] not in _PREFIXES
        elif by and (number := scan.number()):
            more = {"depth": place.length(number)} if deep else {"angle": number.value}
            if deep and scan.take(_DEEP):
                more["through"] = False
            trial.kept = (number.unit == "degree") is not deep and bool(scan.sees(word))
        if trial.kept:
            members.update(more)


def _behind(members: dict[str, Any], place: Place) -> None:
    """The measures that stand behind the word, as far as nothing is said twice."""
    for _ in range(3):
        with place.scan.trial() as trial:
            place.scan.take(_BY)
            measure = _measure(place)
            trial.kept = measure is not None and _note(members, measure, place)
        if not trial.kept:
            return


def _behind_its_depth(members: dict[str, Any], place: Place) -> None:
    """The Ø11 of `⌴ ↧6 Ø11`; what stands on the next line or goes through is the next feature."""
    scan = place.scan
    with scan.trial() as trial:
        more: dict[str, Any] = {}
        if tail.take(place, more, rows=tail.DEPTHS) and scan.sees(_ROUND) and scan.start not in place.breaks:
            _behind(more, place)
            trial.kept = "diameter" in more and not _goes_through(place)
        if trial.kept:
            members.update(more)


def _goes_through(place: Place) -> bool:
    return any(place.scan.sees(pattern) for pattern, _ in tail.THROUGH)


def _has_its_own(word: str, before: float, place: Place) -> bool:
    """Whether a diameter of its own follows the word, so that what stands before it is the hole's.

    No recess is narrower than its hole: `Ø11 CBORE, Ø6.6 THRU` is said from behind.
    """
    scan = place.scan
    behind: dict[str, Any] = {}
    with scan.trial():
        _standard({}, place)
        apart = bool(scan.take(_COMMA)) or scan.start in place.breaks
        _behind(behind, place)
        apart = apart and _goes_through(place)
        if "diameter" not in behind:
            _behind_its_depth(behind, place)
    if "diameter" not in behind or apart:
        return False
    glued = word[0] in _PREFIXES and bool(scan.sees(_ROUND)) and scan.start not in place.breaks
    return glued or bool(behind["diameter"] >= before)


def _standard(members: dict[str, Any], place: Place) -> None:
    found = place.scan.take(_STANDARD)
    if found:
        members["standard"] = found[1]


def _measure(place: Place) -> tuple[Number, dict[str, float]] | None:
    """A diameter or an angle with its deviations; a depth (`6 DEEP`) is the tail's."""
    scan = place.scan
    with scan.trial() as trial:
        signed = bool(scan.take(_ROUND))
        number = scan.number(fractions=signed)
        if number is None:
            return None
        behind = scan.take(_BEHIND)
        if not signed and not behind and scan.sees(_DEEP):
            return None
        found = scan.take(_DEVIATION)
        trial.kept = True
    return number, _deviations(found)


def _deviations(found: re.Match[str] | None) -> dict[str, float]:
    if not found:
        return {}
    written = [
        float(part.replace(",", ".").replace(" ", "")) for part in found.groups() if part and part.strip(".,+- ")
    ]
    if len(written) == 1:
        return {"upper_deviation": written[0], "lower_deviation": -written[0]}
    return {"upper_deviation": max(written), "lower_deviation": min(written)} if written else {}


def _note(members: dict[str, Any], measure: tuple[Number, dict[str, float]] | None, place: Place) -> bool:
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
