"""Pipe threads: NPT and its kin (ASME B1.20.1), G, R, Rp, Rc (ISO 228-1, ISO 7-1), Pg (DIN 40430)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from spatial.knowledge import threads as tables
from spatial.knowledge.inches import MILLIMETERS_AN_INCH
from spatial.understanding.sheet.callouts.feature import DIGITS, Members, Place
from spatial.understanding.sheet.callouts.scanner import FRACTION, decimal_value, plain_size

_PIPE_NAMES: Final = r"(?P<kind>NPTF|NPTR|NPT|NPSM|NPSF|NPSC|NPSL|NPSI|NPS|ANPT|BSPP|BSPT|BSP|PT|PF)"
_INCHES: Final = rf"(?P<size>{FRACTION}|[1-6](?!\d|[.,]\d))\s?\"?"
PIPE: Final = (
    rf"{_INCHES}\s?(?:-\s?(?P<tpi>\d{{1,2}}(?:[.,]5|\s1/2)?))?\s?-?\s?{_PIPE_NAMES}(?:\s?-\s?[12])?(?![A-Za-z])"
)
PIPE_FIRST: Final = rf"{_PIPE_NAMES}\s?(?P<tpi>(?!))?{_INCHES}(?![A-Za-z\d])"
BRITISH_PIPE: Final = (
    rf"(?P<kind>Rp|Rc|RC|RP|Rs|G|R)\s?{_INCHES}"
    r"(?:\s?-?\s?(?P<class>[AB])(?![A-Za-z\d]))?(?![A-Za-z\d])"
)
CONDUIT: Final = r"P[gG]\s?(7|9|11|13[.,]5|16|21|29|36|42|48)(?![\d.,])"
_ISO_KINDS: Final = frozenset(("G", "R", "Rp", "Rc", "Rs"))


def read_pipe(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`3/8 NPT`, `1/2-14 NPTF`."""
    kind, size = found["kind"], plain_size(found["size"])
    is_american = kind.startswith(("N", "A"))
    table: Mapping[str, tuple[float, float]] = tables.PIPE_AMERICAN if is_american else tables.PIPE_PARALLEL
    if size not in table:
        return None
    return _pipe_members(kind, size, table[size], "inch" if is_american else "millimeter")


def read_british_pipe(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`G1/2A`, `Rp 1/2`, `Rc1/4`."""
    kind, size = found["kind"], plain_size(found["size"])
    is_inch_radius = kind == "R" and (place.context.unit == "inch" or "/" not in size)
    is_lone = "/" not in size and not found["class"] and (place.is_free or kind != "G") and '"' not in found[0]
    if is_inch_radius or is_lone or size not in tables.PIPE_PARALLEL:
        return None
    members = _pipe_members({"RC": "Rc", "RP": "Rp"}.get(kind, kind), size, tables.PIPE_PARALLEL[size], "millimeter")
    if found["class"]:
        members["class"] = found["class"]
    return members


def _pipe_members(kind: str, size: str, values: tuple[float, float], unit: str) -> Members:
    standard = f"BSP {kind}" if kind in _ISO_KINDS else kind
    designation = f"{kind}{size}" if kind in _ISO_KINDS else f"{size} {kind}"
    return {
        "standard": standard,
        "size": size,
        "tpi": values[0],
        "diameter": values[1],
        "unit": unit,
        "designation": designation,
    }


def read_conduit(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`PG13,5`."""
    threads = tables.PANZER[decimal_value(found[1])]
    return {
        "standard": "PG",
        "size": f"PG{found[1]}",
        "tpi": threads,
        "pitch": round(MILLIMETERS_AN_INCH / threads, DIGITS),
        "designation": f"PG{found[1]}",
    }
