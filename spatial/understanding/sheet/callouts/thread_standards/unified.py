"""Unified screw threads: `1/4-20 UNC-2B`, `#10-32`, `.250-28`. ASME B1.1 §6."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge import threads as tables
from spatial.knowledge.callout_words import words
from spatial.understanding.sheet.callouts.feature import DIGITS, Members, Place
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, decimal_value, fraction_value, plain_size

MOST_DIAMETER: Final = 12.0
"""Inches: ASME B1.1 goes to 6, and a few large series beyond."""
MOST_SIZE_NUMBER_AMBIGUOUS: Final = 3
"""Up to this a bare number before a series is inches (`2-12 UN`), above it a size number (`10-32 UNF`)."""
TABLE_DECIMALS: Final = 4
"""Decimals of the diameters of the table."""

INCH_SIZE: Final = rf"(?P<no>(?:#|(?i:No\.?|Nr\.?)\s?)\s?\d{{1,2}})|(?P<fr>{FRACTION})\"?|(?P<de>{DECIMAL})\"?"
_SERIES: Final = r"(UNJEF|UNJC|UNJF|UNJ|UNEF|UNRC|UNRF|UNR|UNC|UNF|UNS|UN|NEF|NC|NF|NS)"
UNIFIED: Final = (
    rf"(?:{INCH_SIZE})\s?(?:-|x|\*|\s)\s?(\d{{1,2}}(?:[.,]5)?)(?:(?:\s?-?\s?|\s?TPI\s?){_SERIES})?(?![A-Za-z\d])"
)
UNIFIED_SHORT: Final = rf"(?:{INCH_SIZE})\s?-?\s?{_SERIES}(?:\s?-\s?(\d{{1,2}})(?![A-Z\d]))?(?![A-Za-z])"
NUMBER_OVER_THREADS: Final = rf"#?(?P<no>\d{{1,2}})\s?/\s?(?P<tpi>\d{{2}})(?:\s?-?\s?(?P<series>{_SERIES}))?(?![\w/])"
SERIES_FIRST: Final = rf"{_SERIES}\s(?:{INCH_SIZE})(?:\s?-\s?(\d{{1,2}}))?(?![\w])"
_UNIFIED_CLASS: Final = re.compile(r"[-,\s(]*([1-5][ABG](?:G)?|[23](?=\s*$))(?![\w])\)?")
_THREAD: Final = re.compile(words("thread"))
_OBSOLETE: Final = frozenset(("NC", "NF", "NEF", "NS"))
"""Series of American National threads (ASA B1.1-1935), before the unified ones: without threads an inch the letters say something else."""
_BASE_SERIES: Final = {
    "NC": "UNC", "UNJC": "UNC", "UNRC": "UNC", "NF": "UNF", "UNJF": "UNF", "UNRF": "UNF", "NEF": "UNEF", "UNJEF": "UNEF",
}  # fmt: skip
"""Series with a form of its own to the series that has its pitches."""


def read_unified(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`1/4-20 UNC-2B`: size, threads an inch, series."""
    return _with_class(place, _unified_members(place, found, found[5], found[4], is_named))


def read_unified_short(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`1/4 UNC`: size and series."""
    return _with_class(place, _unified_members(place, found, found[4], found[5], is_named))


def read_number_over_threads(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`6/32 TAP`, `10/32 UNF`: a size number over its threads an inch, where a word or a series says that it is no fraction."""
    number, threads = int(found["no"]), int(found["tpi"])
    is_thread = is_named or found["series"] or place.scan.sees(_THREAD) is not None
    if not is_thread or number not in tables.NUMBERED or _is_binary_fraction(number, threads):
        return None
    diameter = tables.numbered_diameter(number)
    series = _series(tables.UNIFIED[diameter], threads, is_named=False)
    if series is None:
        return None
    members = _members(found["series"] or series, f"#{number}", diameter, threads)
    return _with_class(place, members)


def _is_binary_fraction(above: int, below: int) -> bool:
    """Whether it is how a size in inches is written: `1/64`, in lowest terms and of a power of two."""
    return above % 2 == 1 and below & (below - 1) == 0


def read_unified_series_first(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`UNC 1/4-20`: series and size."""
    return _with_class(place, _unified_members(place, found, found[1], found[5], is_named))


def _with_class(place: Place, members: Members | None) -> Members | None:
    if members is not None and (tolerance := place.scan.take(_UNIFIED_CLASS)):
        members["class"] = tolerance[1]
    return members


def _unified_members(
    place: Place, found: re.Match[str], series: str | None, tpi: str | None, is_named: bool
) -> Members | None:
    size, diameter, is_marked = _unified_size(found, bool(series))
    if diameter is None:
        return None
    known = tables.UNIFIED.get(round(diameter, TABLE_DECIMALS))
    threads = decimal_value(tpi) if tpi else None
    if threads is None and known and series:
        threads = _threads(known, series)
    if series in _OBSOLETE and tpi is None and not found["fr"]:
        return None  # `2 NS, 2 FS` are near and far sides, `10NF` is a capacitor
    if series is None:
        series = _series(known, threads, is_named=is_named or is_marked)
        is_sure = is_marked or is_named or "/" in size or place.scan.sees(_THREAD) is not None
        if series is None or (place.is_free and not is_sure):
            return None
    return _members(series, size, diameter, threads)


def _members(series: str, size: str, diameter: float, threads: float | None) -> Members:
    members: Members = {"standard": series, "size": size, "diameter": diameter, "unit": "inch"}
    if threads:
        members["tpi"] = int(threads) if threads == int(threads) else threads
        members["pitch"] = round(1 / threads, DIGITS)
    members["designation"] = f"{size}-{members['tpi']} {series}" if threads else f"{size} {series}"
    return members


def _unified_size(found: re.Match[str], is_named: bool) -> tuple[str, float | None, bool]:
    """Size as it is called, diameter in inches, and whether a # or an inch dot says that it is a thread's."""
    if found["no"]:
        number = int(re.sub(r"\D", "", found["no"]))
        return f"#{number}", tables.numbered_diameter(number) if number in tables.NUMBERED else None, True
    if found["fr"]:
        return plain_size(found["fr"]), fraction_value(found["fr"]), False
    written = found["de"]
    value = decimal_value(written)
    if value in tables.NUMBERED and written.isdigit() and (value > MOST_SIZE_NUMBER_AMBIGUOUS or not is_named):
        return f"#{written}", tables.numbered_diameter(int(value)), False
    return written, value if value <= MOST_DIAMETER else None, written.startswith(".")


def _threads(known: tuple[float | None, ...], series: str) -> float | None:
    base = _BASE_SERIES.get(series, series)
    return known[tables.SERIES.index(base)] if base in tables.SERIES else None


def _series(known: tuple[float | None, ...] | None, threads: float | None, *, is_named: bool) -> str | None:
    """The series that a size has with so many threads, where none is written."""
    if known is None or threads is None:
        return None
    for name, usual in zip(tables.SERIES, known, strict=True):
        if usual == threads:
            return name
    return "UN" if is_named and threads in tables.CONSTANT_PITCH else None
