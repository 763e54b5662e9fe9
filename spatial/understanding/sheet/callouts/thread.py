"""Threads: ISO metric, Unified, pipe, trapezoidal, ACME, Whitworth, PG. ISO 6410-1, ISO 965-1, ASME B1.1 §6, ASME Y14.6.

One row a standard in STANDARDS; `M8 x 20` is a thread 20 long, since no M8 has that pitch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from spatial.knowledge import threads as tables
from spatial.understanding.sheet.callouts.feature import MILLIMETERS_AN_INCH, Feature, Place
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, worth

_VERB: Final = re.compile(
    r"(?i:TAP(?:PED)?|THREAD(?:ED)?|GEWINDE|INNENGEWINDE|AUSSENGEWINDE|FILETAGE|TARAUDAGE|FILETTATURA|ROSCA(?:D[OA])?|THD|резьба)(?![A-Za-z])[:\s]*"
)
_FASTENER: Final = re.compile(
    r"(?i)\b(?:SCREWS?|BOLTS?|NUTS?|WASHERS?|STUDS?|RIVETS?|\w*SCHRAUBEN?|\w*MUTTERN?|SCHEIBEN?|ECROUS?|ÉCROUS?|HEX\s?HEAD|SHCS|FHCS|BHCS|SELF.CLINCHING|PEM|"
    r"LOCKNUT|GEWINDESTIFT|VIS|VITE|DADO|TORNILLO|TUERCA|BUTTON\s?HEAD|CAP\s?HEAD|SET\s?SCREW|STANDOFF|SPACER|(?:DIN\s?(?!103\b|405\b|513\b)|ISO\s?(?!228|261|724|965|2904))\d{3,5})\b"
)
_PURPOSE: Final = re.compile(r"(?i)\b(?:FOR|FÜR|POUR|PER|PARA|ACC|NACH)\b")
_METRIC: Final = re.compile(rf"(MJ|MF|M)\s?({DECIMAL})(?!(?!(?i:THRU|THROUGH|DURCH))[a-wyzA-WYZ])")
_LEAD: Final = re.compile(
    rf"[xX]\s?(?:Ph|PH|L)\s?({DECIMAL})\s?-?\s?P\s?({DECIMAL})(?:\s?\((?:TWO|THREE|FOUR|\d)\s?STARTS?\))?"
)
_BY: Final = re.compile(rf"[xX*]\s?({DECIMAL})(?!(?!(?i:THRU|THROUGH|DURCH))[A-Za-z]|[°%])")
_CLASS: Final = re.compile(
    r"[-/,(]?\s?((?:[3-9][A-HefghR]){1,2}(?:\s?/\s?(?:[3-9][A-Hefgh]){1,2})?)(?![\w.])\)?(?:\s?-\s?[SNL](?![\w]))?"
)
_WIDE_DEPTH: Final = re.compile(rf"/\s?({DECIMAL})(?![\w])")
_TIMES_BEFORE: Final = re.compile(r"(?<![A-Za-z\d.,])\d{1,3}[xX]$")
_GLUED: Final = re.compile(r"(?!(?i:THRU|THROUGH|DURCH))[A-Za-z\d_]")
_PART: Final = re.compile(r"\s*-?(?!(?:DP|DEEP|DEPTH|TIEFE?|PROF|LG)\.?\s?\d)[A-Z]{2,}-?[A-Z]*\d|-\d{3,}|\.\d|-[A-Z]\d")
_SIZE: Final = rf"(?P<no>(?:#|(?i:No\.?|Nr\.?)\s?)\s?\d{{1,2}})|(?P<fr>{FRACTION})\"?|(?P<de>{DECIMAL})\"?"
_SERIES: Final = r"(UNJEF|UNJC|UNJF|UNJ|UNEF|UNRC|UNRF|UNR|UNC|UNF|UNS|UN|NEF|NC|NF|NS)"
_UNIFIED: Final = re.compile(
    rf"(?:{_SIZE})\s?(?:-|x|\s)\s?(\d{{1,2}}(?:[.,]5)?)(?:(?:\s?-?\s?|\s?TPI\s?){_SERIES})?(?![A-Za-z\d])"
)
_UNIFIED_SHORT: Final = re.compile(rf"(?:{_SIZE})\s?-?\s?{_SERIES}(?:\s?-\s?(\d{{1,2}})(?![A-Z\d]))?(?![A-Za-z])")
_SERIES_FIRST: Final = re.compile(rf"{_SERIES}\s(?:{_SIZE})(?:\s?-\s?(\d{{1,2}}))?(?![\w])")
_UNIFIED_CLASS: Final = re.compile(r"[-,\s(]*([1-5][ABG](?:G)?|[23](?=\s*$))(?![\w])\)?")
_PIPE_NAMES: Final = r"(?P<kind>NPTF|NPTR|NPT|NPSM|NPSF|NPSC|NPSL|NPSI|NPS|ANPT|BSPP|BSPT|BSP|PT|PF)"
_INCHES: Final = rf"(?P<size>{FRACTION}|[1-6](?!\d|[.,]\d))\s?\"?"
_PIPE: Final = re.compile(
    rf"{_INCHES}\s?(?:-\s?(?P<tpi>\d{{1,2}}(?:[.,]5|\s1/2)?))?\s?-?\s?{_PIPE_NAMES}(?:\s?-\s?[12])?(?![A-Za-z])"
)
_PIPE_FIRST: Final = re.compile(rf"{_PIPE_NAMES}\s?(?P<tpi>(?!))?{_INCHES}(?![A-Za-z\d])")
_BSP: Final = re.compile(
    rf"(?P<kind>Rp|Rc|RC|RP|Rs|G|R)\s?(?P<size>{FRACTION}|[1-6](?!\d|[.,]\d))\s?\"?(?:\s?-?\s?(?P<class>[AB])(?![A-Za-z\d]))?(?![A-Za-z\d])"
)
_TRAPEZOIDAL: Final = re.compile(
    rf"T[rR]\s?({DECIMAL})\s?[xX]\s?({DECIMAL})(?:\s?\(?P\s?({DECIMAL})\)?)?(?:\s?-?\s?(\d[eEcHhgG]))?"
)
_ACME: Final = re.compile(
    rf"(?:{_SIZE})\s?-?\s?(\d{{1,2}}(?:[.,]5)?|\d\s1/2)?\s?-?\s?(STUB\s)?ACME(?:\s?-?\s?(\d[GC]))?(?![A-Za-z])",
    re.IGNORECASE,
)
_WHITWORTH: Final = re.compile(
    rf"(?:W\s?(?P<w>{FRACTION})\"?|(?P<b>{FRACTION}|1)\s?\"?\s?(?:-\s?(?P<tpi>\d{{1,2}}))?\s?-?\s?(?P<kind>BSW|BSF|WHIT\w*))(?![A-Za-z\d])"
)
_PANZER: Final = re.compile(r"P[gG]\s?(7|9|11|13[.,]5|16|21|29|36|42|48)(?![\d.,])")
_ROUND: Final = re.compile(rf"Rd\s?({DECIMAL})\s?[xX]\s?(1/\d{{1,2}}|{DECIMAL})\"?")

Members = dict[str, Any]


def read(place: Place) -> Feature | None:
    """The thread that stands here."""
    scan = place.scan
    start = scan.start
    told = bool(scan.take(_VERB))
    if start and not told and scan.text[start - 1].isalnum() and not _TIMES_BEFORE.search(scan.text, 0, start):
        return None
    for standard in STANDARDS:
        with scan.trial() as trial:
            members = standard(place, told)
            trial.kept = members is not None
        if members is not None:
            return (
                None if _is_fastener(place) else Feature("thread", start, scan.at, members, members.pop("sure", 0.95))
            )
    return None


def _is_fastener(place: Place) -> bool:
    """`M8 SOCKET HEAD SCREW`, `M3 CLA-M3-2`: what is bought, not what is cut."""
    rest = place.scan.text[place.scan.at :]
    if _PART.match(rest):
        return True
    found = _FASTENER.search(rest)
    return found is not None and not _PURPOSE.search(rest[: found.start()])


def _metric(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_METRIC)
    if not found:
        return None
    diameter = _value(found[2])
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
    if place.free and not told and diameter < 1.6 and "pitch" not in members:
        return None  # a lone M1 is a mark
    written = place.scan.text[place.scan.start : place.scan.start + 8]
    if place.scan.start == place.scan.at and _GLUED.match(written):
        return None
    members["designation"] = members["size"] + (f"x{members['pitch']:g}" if "pitch" in members else "")
    if "pitch" not in members and coarse is not None:
        members["pitch"], members["pitch_is"] = coarse, "coarse"
    if tolerance := place.scan.take(_CLASS):
        members["class"] = tolerance[1].replace(" ", "")
    for name, length in zip(("depth", "hole_depth"), lengths, strict=False):
        members[name] = length
        members["through"], members["sure"] = False, 0.8
    return members


def _metric_pitch(place: Place, diameter: float, members: Members) -> list[float]:
    """Pitch and lead into the members; lengths that follow are given back."""
    if lead := place.scan.take(_LEAD):
        members["lead"], members["pitch"] = _value(lead[1]), _value(lead[2])
        if members["pitch"]:
            members["starts"] = max(1, round(members["lead"] / members["pitch"]))
        return []
    lengths: list[float] = []
    for _ in range(2):
        with place.scan.trial() as trial:
            found = place.scan.take(_BY)
            if not found or re.match(
                r"\s?(?i:DEEP|DP|TIEF|PROF|LG|mm\s?DEEP)(?!\w*\s?[\d.,]*\d)", place.scan.text[place.scan.at :]
            ):
                break
            trial.kept = True
            value = _value(found[1])
        if "pitch" not in members and not lengths and 0.15 <= value <= min(0.3 * diameter, 8.0):
            members["pitch"] = value
        else:
            lengths.append(value)
    if lengths and (deeper := place.scan.take(_WIDE_DEPTH)):
        lengths.append(_value(deeper[1]))
    return lengths


def _unified(place: Place, told: bool) -> Members | None:
    for pattern, kind in ((_UNIFIED, "long"), (_UNIFIED_SHORT, "short"), (_SERIES_FIRST, "first")):
        with place.scan.trial() as trial:
            found = place.scan.take(pattern)
            members = _unified_members(place, found, kind, told) if found else None
            trial.kept = members is not None
        if members is not None:
            if tolerance := place.scan.take(_UNIFIED_CLASS):
                members["class"] = tolerance[1]
            return members
    return None


def _unified_members(place: Place, found: re.Match[str], kind: str, told: bool) -> Members | None:
    parts = found.groups()
    series, tpi = {"long": (parts[4], parts[3]), "short": (parts[3], parts[4]), "first": (parts[0], parts[4])}[kind]
    size, diameter, marked = _unified_size(found, bool(series))
    if diameter is None:
        return None
    known = tables.UNIFIED.get(round(diameter, 4))
    threads = _value(tpi) if tpi else None
    if threads is None and known and series:
        threads = _threads(known, series)
    if series is None:
        series = _series(known, threads, told=told or marked)
        if series is None or (place.free and not marked and not told and "/" not in size):
            return None
    members: Members = {"standard": series, "size": size, "diameter": diameter, "unit": "inch"}
    if threads:
        members["tpi"] = int(threads) if threads == int(threads) else threads
        members["pitch"] = round(1 / threads, 6)
    members["designation"] = f"{size}-{members['tpi']} {series}" if threads else f"{size} {series}"
    return members


def _unified_size(found: re.Match[str], named: bool) -> tuple[str, float | None, bool]:
    """Size as it is called, diameter in inches, and whether a # or an inch dot says that it is a thread's."""
    if found["no"]:
        number = int(re.sub(r"\D", "", found["no"]))
        return f"#{number}", tables.numbered_diameter(number) if number in tables.NUMBERED else None, True
    if found["fr"]:
        return " ".join(re.split(r"[ -]+", found["fr"])), worth(found["fr"]), False
    written = found["de"]
    value = _value(written)
    if value in tables.NUMBERED and written.isdigit() and (value > 3 or not named):
        return f"#{written}", tables.numbered_diameter(int(value)), False
    return written, value if value <= 12 else None, written.startswith(".")


def _threads(known: tuple[float | None, ...], series: str) -> float | None:
    base = {
        "NC": "UNC",
        "UNJC": "UNC",
        "UNRC": "UNC",
        "NF": "UNF",
        "UNJF": "UNF",
        "UNRF": "UNF",
        "NEF": "UNEF",
        "UNJEF": "UNEF",
    }.get(series, series)
    return known[tables.SERIES.index(base)] if base in tables.SERIES else None


def _series(known: tuple[float | None, ...] | None, threads: float | None, *, told: bool) -> str | None:
    """The series that a size has with so many threads, where none is written."""
    if known is None or threads is None:
        return None
    for name, usual in zip(tables.SERIES, known, strict=True):
        if usual == threads:
            return name
    return "UN" if told and threads in tables.CONSTANT_PITCH else None


def _pipe(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_PIPE) or place.scan.take(_PIPE_FIRST)
    if not found:
        return None
    kind, size = found["kind"], _plain(found["size"])
    american = kind.startswith(("N", "A"))
    table: Mapping[str, tuple[float, float]] = tables.PIPE_AMERICAN if american else tables.PIPE_PARALLEL
    if size not in table:
        return None
    return _pipe_members(kind, size, table[size], "inch" if american else "millimeter", place)


def _british(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_BSP)
    if not found:
        return None
    kind, size = found["kind"], _plain(found["size"])
    inch_radius = kind == "R" and (place.context.unit == "inch" or "/" not in size)
    lone = "/" not in size and not found["class"] and (place.free or kind != "G")
    if inch_radius or lone or size not in tables.PIPE_PARALLEL:
        return None
    members = _pipe_members(
        {"RC": "Rc", "RP": "Rp"}.get(kind, kind), size, tables.PIPE_PARALLEL[size], "millimeter", place
    )
    if found["class"]:
        members["class"] = found["class"]
    return members


def _pipe_members(kind: str, size: str, values: tuple[float, float], unit: str, place: Place) -> Members:
    standard = f"BSP {kind}" if kind in {"G", "R", "Rp", "Rc", "Rs"} else kind
    designation = f"{kind}{size}" if kind in {"G", "R", "Rp", "Rc", "Rs"} else f"{size} {kind}"
    return {
        "standard": standard,
        "size": size,
        "tpi": values[0],
        "diameter": values[1],
        "unit": unit,
        "designation": designation,
    }


def _trapezoidal(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_TRAPEZOIDAL)
    if not found:
        return None
    lead = _value(found[2])
    pitch = _value(found[3]) if found[3] else lead
    if not 0 < pitch <= lead:
        return None
    members: Members = {
        "standard": "Tr",
        "size": f"Tr{found[1]}",
        "diameter": _value(found[1]),
        "pitch": pitch,
        "unit": "millimeter",
    }
    members["designation"] = f"Tr{found[1]}x{found[2]}" + (f"P{found[3]}" if found[3] else "")
    if found[3]:
        members["lead"], members["starts"] = lead, max(1, round(lead / pitch))
    if found[4]:
        members["class"] = found[4]
    return members


def _acme(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_ACME)
    if not found:
        return None
    size = _plain(found["fr"] or found["de"] or "")
    if not size:
        return None
    diameter = worth(size) if "/" in size else _value(size)
    members: Members = {
        "standard": "STUB ACME" if found[5] else "ACME",
        "size": size,
        "diameter": diameter,
        "unit": "inch",
    }
    if found[4]:
        threads = worth(found[4]) if "/" in found[4] else _value(found[4])
        members["tpi"], members["pitch"] = threads, round(1 / threads, 6) if threads else None
    if found[6]:
        members["class"] = found[6].upper()
    members["designation"] = f"{size}-{members['tpi']:g} ACME" if found[4] else f"{size} ACME"
    return members


def _whitworth(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_WHITWORTH)
    if not found:
        return None
    size = _plain(found["w"] or found["b"])
    kind = "BSF" if found["kind"] == "BSF" else "Whitworth"
    threads = _value(found["tpi"]) if found["tpi"] else tables.WHITWORTH.get(size) if kind == "Whitworth" else None
    diameter = worth(size) if "/" in size else _value(size)
    members: Members = {
        "standard": kind,
        "size": size,
        "diameter": diameter,
        "unit": "inch",
        "designation": found[0].strip(),
    }
    if threads:
        members["tpi"], members["pitch"] = threads, round(1 / threads, 6)
    return members


def _panzer(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_PANZER)
    if not found:
        return None
    threads = tables.PANZER[_value(found[1])]
    return {
        "standard": "PG",
        "size": f"PG{found[1]}",
        "tpi": threads,
        "pitch": round(MILLIMETERS_AN_INCH / threads, 6),
        "designation": f"PG{found[1]}",
    }


def _round(place: Place, told: bool) -> Members | None:
    found = place.scan.take(_ROUND)
    if not found:
        return None
    return {
        "standard": "Rd",
        "size": f"Rd{found[1]}",
        "diameter": _value(found[1]),
        "unit": "millimeter",
        "designation": found[0].strip(),
    }


def _plain(size: str) -> str:
    return " ".join(re.split(r"[ -]+", size.strip()))


def _value(written: str) -> float:
    return float(written.replace(",", "."))


STANDARDS: Final[tuple[Callable[[Place, bool], Members | None], ...]] = (
    _metric, _trapezoidal, _acme, _pipe, _whitworth, _unified, _british, _panzer, _round,
)  # fmt: skip
