"""ISO metric, trapezoidal and round threads. ISO 261, ISO 965-1, ISO 2904, DIN 405, DIN 103."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge import threads as tables
from spatial.knowledge.quantities import COUNT, PLACES
from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.callouts import modifiers
from spatial.understanding.sheet.callouts.feature import Members, Place
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value

LEAST_LONE_DIAMETER: Final = 1.6
"""Millimetres: a free M smaller than this, without a pitch, is a mark on the sheet; ISO 262 prefers no smaller size."""
LEAST_PITCH: Final = 0.15
MOST_PITCH: Final = 8.0
"""Millimetres; ISO 261 goes from 0.2 to 8."""
MOST_PITCH_OF_DIAMETER: Final = 0.3
"""Greatest pitch as a part of the diameter; a number behind x that is larger is a length: `M8x20`."""
LENGTH_BEHIND: Final = 0.8
"""Confidence of a thread with a length behind an x, which may be a bolt's."""

METRIC: Final = rf"(MJ|MF|M)\s?({DECIMAL})(?!(?!(?i:THRU|THROUGH|DURCH))[a-wyzA-WYZ])"
_LEAD: Final = re.compile(
    rf"[xX]\s?(?:(?:Ph|PH|L)\s?({DECIMAL})\s?-?\s?P\s?({DECIMAL})|({DECIMAL})\s?\(\s?P\s?({DECIMAL})\s?\))"
    r"(?:\s?\((?i:TWO|THREE|FOUR|\d)\s?(?i:STARTS?)\))?"
)
_BY: Final = re.compile(
    rf"[xX*]\s?(?!(?!1\b){COUNT}\s?{PLACES}(?![A-Za-z]))(?P<before>P\s?=?\s?)?({DECIMAL})(\s?mm(?![A-Za-z])(?!\s?(?i:DEEP|DP|TIEF|PROF)))?"
    r"(?(before)|(?P<behind>\s?(?:P|(?i:PITCH))(?![A-Za-z\d]))?)(?!(?!(?i:THRU|THROUGH|DURCH|LH(?![A-Za-z]))|[xX]\s?\d)[A-Za-z]|[°%])"
)
"""A pitch, with or without its unit or the letter P on either side of it, or a length."""
_CLASS: Final = re.compile(
    r"[-/,(]?\s?((?:[3-9][A-HefghR]){1,2}(?:\s?/\s?(?:[3-9][A-Hefgh]){1,2})?|[A-H][3-9]\s?/\s?[efgh][3-9]|(?<=-)[GH][4-8])(?:(?=\s?[xX]\s?\d)|(?![A-Za-z\d_.]))\)?(?:\s?-\s?[SNL](?![\w]))?"
)
"""ISO 965-1 puts the grade first; the classes of both threads are also written as those of a fit: `M8x1.25-H7/g6`."""
_HAND: Final = re.compile(r"-?\s?([LR]H)(?=\s?-\s?\d)")
"""GOST 2.311 has the hand before the class: `M20x1,5LH-6g`."""
_ENGAGEMENT: Final = re.compile(r"\s?-\s?[SNL](?=\s?-\s?LH)")
"""The group of the length of engagement (ISO 965-1), where no class stands before it: `M20x2-L-LH`."""
_LETTERED: Final = re.compile(rf"-?\s?P\s?[=:]?\s?({DECIMAL})(?![\w°])")
"""JIS practice: `M10 P1.25`."""
_DASHED: Final = re.compile(r"-\s?(\d?[.,]\d{1,2})(?![\w°]|[.,]\d)")
"""A pitch of the standard behind a dash, with its decimals: `M8-1.0`."""
_WIDE_DEPTH: Final = re.compile(rf"/\s?({DECIMAL})(?![\w])")
_UNREAD_PITCH: Final = re.compile(rf"\s?{UNREAD}|\s{{1,3}}(\d?[.,]\d{{1,2}})(?![\w°.,%])")
"""Right behind the size, what was not read, or a number with decimals that may have lost its x: no M9 alone, which is a coarse thread."""
_GLUED: Final = re.compile(r"(?!LH(?![A-Za-z])|(?i:THRU|THROUGH|DURCH|X\s?(?:DEPTH|DEEP|TIEFE?|PROF)))[A-Za-z\d_]")
_DEPTH_WORD: Final = re.compile(r"\s?(?i:DEEP|DP|TIEF|PROF|LG|mm\s?DEEP)(?!\w*\s?[\d.,]*\d)")
TRAPEZOIDAL: Final = (
    rf"T[rR]\s?({DECIMAL})\s?[xX]\s?({DECIMAL})(?:\s?\(?P\s?({DECIMAL})\)?)?"
    r"(?:\s?-?\s?(\d[eEcHhgG]))?(?![\d.,]*\s?[xX]\s?[\d.,])"
)
"""A third number behind an x is the wall of a tube: `TR4X2X.125`."""
BUTTRESS: Final = r"S\s?([1-9]\d{1,2})\s?[xX]\s?([2-9]|[1-4]\d)(?![\d.,°]|\s?[xX])"
ROUND: Final = rf"Rd\s?({DECIMAL})\s?[xX]\s?(1/\d{{1,2}}|{DECIMAL})\"?"


def read_metric(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`M8x1.25-6H`, `MJ6x1`, `M8x20`."""
    diameter = decimal_value(found[2])
    members: Members = {
        "standard": "MJ" if found[1] == "MJ" else "ISO metric",
        "size": f"M{found[2]}",
        "diameter": diameter,
        "unit": "millimeter",
    }
    lengths = _metric_pitch(place, diameter, members)
    coarse = tables.METRIC_COARSE.get(diameter)
    if coarse is None and diameter not in tables.METRIC_FINE_ONLY and "pitch" not in members:
        return None
    if place.is_free and not is_named and diameter < LEAST_LONE_DIAMETER and "pitch" not in members:
        return None  # a lone M1 is a mark
    written = place.scan.text[place.scan.start : place.scan.start + 8]
    if place.scan.start == place.scan.at and _GLUED.match(written):
        return None
    members |= _designation(place, diameter, members, coarse)
    place.scan.take(_ENGAGEMENT)
    if hand := place.scan.take(_HAND):
        members["hand"] = "left" if hand[1].startswith("L") else "right"
    if tolerance := place.scan.take(_CLASS):
        members["class"] = tolerance[1].replace(" ", "")
        if not lengths and modifiers.take_depth_behind_class(place, members):
            members["sure"] = LENGTH_BEHIND
            if deeper := place.scan.take(_WIDE_DEPTH):
                members["hole_depth"] = decimal_value(deeper[1])
    for name, length in zip(("depth", "hole_depth"), lengths, strict=False):
        members[name] = length
        members["through"], members["sure"] = False, LENGTH_BEHIND
    return members


def _designation(place: Place, diameter: float, members: Members, coarse: float | None) -> Members:
    """The designation of a thread, and its pitch where that is the coarse one; nothing where a pitch may stand there that was not read."""
    if "pitch" in members:
        return {"designation": f"{members['size']}x{members['pitch']:g}"}
    if _may_have_pitch(place, diameter):
        return {}
    return {"designation": members["size"]} | ({} if coarse is None else {"pitch": coarse, "pitch_is": "coarse"})


def _may_have_pitch(place: Place, diameter: float) -> bool:
    """Whether what stands right behind the size of a thread may be its pitch."""
    found = _UNREAD_PITCH.match(place.scan.text, place.scan.at)
    if found is None:
        return False
    return found[1] is None or LEAST_PITCH <= decimal_value(found[1]) <= MOST_PITCH_OF_DIAMETER * diameter


def _metric_pitch(place: Place, diameter: float, members: Members) -> list[float]:
    """Pitch and lead into the members; lengths that follow are given back."""
    if lead := place.scan.take(_LEAD):
        members["lead"], members["pitch"] = (decimal_value(part) for part in lead.groups() if part)
        if members["pitch"]:
            members["starts"] = max(1, round(members["lead"] / members["pitch"]))
        return []
    if (pitch := _written_pitch(place, diameter)) is not None:
        members["pitch"] = pitch
    lengths: list[float] = []
    for _ in range(2):
        with place.scan.trial() as trial:
            found = place.scan.take(_BY)
            if not found or _DEPTH_WORD.match(place.scan.text, place.scan.at):
                break
            value = decimal_value(found[2])
            most = min(MOST_PITCH_OF_DIAMETER * diameter, MOST_PITCH)
            is_pitch = "pitch" not in members and not lengths and LEAST_PITCH <= value <= most
            if (found[3] or found["before"] or found["behind"]) and not is_pitch:
                break  # `M6 x 20mm` is a screw
            trial.kept = True
        if is_pitch:
            members["pitch"] = value
        else:
            lengths.append(value)
    if lengths and (deeper := place.scan.take(_WIDE_DEPTH)):
        lengths.append(decimal_value(deeper[1]))
    return lengths


def _written_pitch(place: Place, diameter: float) -> float | None:
    """A pitch that no x joins to the diameter: behind a P, or one of the standard's behind a dash."""
    with place.scan.trial() as trial:
        found = place.scan.take(_LETTERED)
        if found:
            value = decimal_value(found[1])
            trial.kept = LEAST_PITCH <= value <= min(MOST_PITCH_OF_DIAMETER * diameter, MOST_PITCH)
        elif found := place.scan.take(_DASHED):
            value = decimal_value(found[1])
            is_known = value in {*tables.METRIC_FINE.get(diameter, ()), tables.METRIC_COARSE.get(diameter)}
            trial.kept = is_known and not _DEPTH_WORD.match(place.scan.text, place.scan.at)
        return value if trial.kept else None


def read_trapezoidal(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`Tr40x14(P7)`."""
    lead = decimal_value(found[2])
    pitch = decimal_value(found[3]) if found[3] else lead
    if not 0 < pitch <= lead:
        return None
    members: Members = {
        "standard": "Tr",
        "size": f"Tr{found[1]}",
        "diameter": decimal_value(found[1]),
        "pitch": pitch,
        "unit": "millimeter",
    }
    members["designation"] = f"Tr{found[1]}x{found[2]}" + (f"P{found[3]}" if found[3] else "")
    if found[3]:
        members["lead"], members["starts"] = lead, max(1, round(lead / pitch))
    if found[4]:
        members["class"] = found[4]
    return members


def read_buttress(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`S 40x7`; GOST 2.307 writes a thickness with S."""
    diameter, pitch = decimal_value(found[1]), decimal_value(found[2])
    if place.is_free and not is_named:
        return None
    return {
        "standard": "S", "size": f"S{found[1]}", "diameter": diameter, "pitch": pitch, "unit": "millimeter",
        "designation": f"S{found[1]}x{found[2]}",
    }  # fmt: skip


def read_round(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`Rd 20x1/8`."""
    return {
        "standard": "Rd",
        "size": f"Rd{found[1]}",
        "diameter": decimal_value(found[1]),
        "unit": "millimeter",
        "designation": found[0].strip(),
    }
