"""ACME and Whitworth threads. ASME B1.5, BS 84."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge import threads as tables
from spatial.understanding.sheet.callouts.feature import DIGITS, Members, Place
from spatial.understanding.sheet.callouts.scanner import FRACTION, decimal_value, number_value, plain_size
from spatial.understanding.sheet.callouts.thread_standards.unified import INCH_SIZE

_THREADS: Final = r"(?P<tpi>\d{1,2}(?:[.,]5)?|\d\s1/2)"
_ACME_CLASS: Final = r"(?:\s?-?\s?(?P<class>\d[GC]))?(?![A-Za-z])"
ACME: Final = rf"(?i:(?:{INCH_SIZE})\s?-?\s?{_THREADS}?\s?-?\s?(?P<stub>STUB\s)?ACME{_ACME_CLASS})"
ACME_FIRST: Final = rf"(?i:(?P<stub>STUB\s)?ACME\s(?:{INCH_SIZE})\s?-\s?{_THREADS}(?![\d.,/]){_ACME_CLASS})"
WHITWORTH: Final = (
    rf"(?:W\s?(?P<w>{FRACTION})\"?|(?P<b>{FRACTION}|1)\s?\"?\s?(?:-\s?(?P<tpi>\d{{1,2}}))?"
    r"\s?-?\s?(?P<kind>BSW|BSF|WHIT\w*))(?![A-Za-z\d])"
)


def read_acme(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`1 1/4-5 ACME-2G`."""
    size = plain_size(found["fr"] or found["de"] or "")
    if not size:
        return None
    diameter = number_value(size)
    members: Members = {
        "standard": "STUB ACME" if found["stub"] else "ACME",
        "size": size,
        "diameter": diameter,
        "unit": "inch",
    }
    if found["tpi"]:
        threads = number_value(found["tpi"])
        members["tpi"], members["pitch"] = threads, round(1 / threads, DIGITS) if threads else None
    if found["class"]:
        members["class"] = found["class"].upper()
    members["designation"] = f"{size}-{members['tpi']:g} ACME" if found["tpi"] else f"{size} ACME"
    return members


def read_whitworth(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`W 3/8"`, `1/2-12 BSW`."""
    size = plain_size(found["w"] or found["b"])
    kind = "BSF" if found["kind"] == "BSF" else "Whitworth"
    threads = (
        decimal_value(found["tpi"]) if found["tpi"] else tables.WHITWORTH.get(size) if kind == "Whitworth" else None
    )
    diameter = number_value(size)
    members: Members = {
        "standard": kind,
        "size": size,
        "diameter": diameter,
        "unit": "inch",
        "designation": found[0].strip(),
    }
    if threads:
        members["tpi"], members["pitch"] = threads, round(1 / threads, DIGITS)
    return members
