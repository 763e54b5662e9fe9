"""Threads of every standard. ISO 6410-1, ASME Y14.6.

One production per writing in STANDARDS; `M8 x 20` is a thread 20 long, since no M8 has that pitch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.knowledge.quantities import HOLES
from spatial.understanding.sheet.callouts import modifiers
from spatial.understanding.sheet.callouts.drill import read_drill
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, FeatureRule, Members, Place
from spatial.understanding.sheet.callouts.production import Production, named, production
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value
from spatial.understanding.sheet.callouts.thread_standards import inch, metric, pipe, unified

_VERB: Final = re.compile(rf"{words('thread')}(?:\s+(?:(?P<times>\d{{1,3}})\s+)?{HOLES})?[:\s]*")
"""What says that a thread follows, also in how many holes: `tap 4 holes M5`."""
_BY_WORD: Final = re.compile(words("thread"))
"""Behind a thread that something points at, it says that the part has it: `7*M3 THREADED SPACER`."""
_FASTENER: Final = re.compile(
    r"(?i)\b(?:SCREWS?(?!\s?-?\s?THREADS?\b)|BOLTS?|NUTS?|WASHERS?|STUDS?|RIVETS?|\w*SCHRAUBEN?|\w*MUTTERN?|SCHEIBEN?|ECROUS?|ÉCROUS?|HEX\s?HEAD|SHCS|FHCS|BHCS|SELF.CLINCHING|PEM|"
    r"LOCKNUT|GEWINDESTIFT|VIS|VITE|DADO|TORNILLO|TUERCA|BUTTON\s?HEAD|CAP\s?HEAD|SET\s?SCREW|STANDOFF|SPACER|(?:DIN\s?(?!103\b|405\b|513\b)|ISO\s?(?!228|261|724|965|2904))\d{3,5})\b"
)
_CLEARANCE: Final = re.compile(
    r"(?i:CLEAR(?:ANCE)?|CLR)(?![A-Za-z])\.?(?:\s(?i:HOLES?)(?![A-Za-z]))?|(?i:BOLT|SCREW)\s?(?i:HOLES?)(?![A-Za-z])"
)
"""Behind a thread it is the screw's, which the hole lets pass: `10-24 UNC-2B CLEAR`, `M5 CLEARANCE HOLE`."""
_DRILLED: Final = re.compile(
    rf"(?:[^\W\d_]{{2,20}}\s)?(?:{HOLES}\s?)?(?i:DRILLED|DRILL)\s(?:(?i:TO)\s)?Ø?\s?(?P<size>{DECIMAL})(?:\s?mm(?![A-Za-z]))?"
)
"""Behind a thread, what its holes are drilled to: where that is no narrower than the thread, a screw passes through them."""
_PURPOSE: Final = re.compile(r"(?i)\b(?:FOR|FÜR|POUR|PER|PARA|ACC|NACH)\b")
_TIMES_BEFORE: Final = re.compile(r"(?<![A-Za-z\d.,])\d{1,3}[xX]$")
_PART: Final = re.compile(
    rf"\s*-?(?!(?:{words('depth')}|LG)\.?\s?\d|[LR]H-\d[a-zA-Z]\b)[A-Z]{{2,}}-?[A-Z]*\d|-\d{{3,}}|\.\d|-(?![GH]\d(?:\s?[xX]\s?\d|\s|$))[A-Z]\d"
)
_MAKERS_CODE: Final = re.compile(r"\s[^\W\d_]{3,20}\s?:\s.{0,40}?(?<!\w)[A-Z]{2,6}-[A-Z]?\d")
"""Behind a thread, what is bought for it and whose code it has: `M4 insert: Maker AB-M4S`."""
_GLUED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
"""Chinese, Japanese or Korean words right behind a thread: `G3/4油路管接头` is a pipe joint."""

Standard = Callable[[re.Match[str], Place, bool], Members | None]
"""Gets the match, the place behind it, and whether a word (TAP, Gewinde) names a thread; None where it is none after all."""

_DESIGNATED: Final = (
    rf"(?P<name>(?!UN)[A-Z]{{2,4}}\d{{1,3}})\s?(?:(?={words('thread')}\s*$)"
    r"|\(\s?(?P<major>\d?[.,]\d{2,4})\s?\"?\s?-\s?(?P<tpi>\d{2,3})\s?\))"
)
"""A thread by a name that no table has, which the word for threads follows, or its diameter in inches and its threads an inch."""


def _read_designated(found: re.Match[str], place: Place, is_named: bool) -> Members | None:
    """`SM05 thread`, `SM1 (1.035" - 40)`, where something points with it."""
    if place.is_free:
        return None
    members: Members = {"designation": found["name"], "size": found["name"]}
    if found["tpi"]:
        members |= {"diameter": decimal_value(found["major"]), "unit": "inch", "tpi": int(found["tpi"])}
    return members


STANDARDS: Final[tuple[Production[Standard], ...]] = named((
    production("thread-metric", "ISO 261, ISO 965-1, ISO 6410-1", metric.METRIC, metric.read_metric,
        ("M8x1.25-6H", "designation", "M8x1.25"), ("M8", "pitch", 1.25), ("MJ6x1", "standard", "MJ"), ("M8x20", "depth", 20.0),
        ("M3xDEPTH6", "depth", 6.0)),
    production("thread-trapezoidal", "ISO 2904, DIN 103", metric.TRAPEZOIDAL, metric.read_trapezoidal,
        ("Tr40x14(P7)", "starts", 2), ("Tr20x4", "pitch", 4.0)),
    production("thread-acme", "ASME B1.5", inch.ACME, inch.read_acme, ("1 1/4-5 ACME-2G", "class", "2G")),
    production("thread-acme-name-first", "practice", inch.ACME_FIRST, inch.read_acme, ("ACME 3/4-6", "tpi", 6.0)),
    production("thread-pipe", "ASME B1.20.1, B1.20.3", pipe.PIPE, pipe.read_pipe,
        ("3/8 NPT", "size", "3/8"), ("1/2-14 NPTF", "standard", "NPTF")),
    production("thread-pipe-name-first", "practice", pipe.PIPE_FIRST, pipe.read_pipe, ("NPT 3/8", "size", "3/8")),
    production("thread-whitworth", "BS 84", inch.WHITWORTH, inch.read_whitworth,
        ('W 3/8"', "standard", "Whitworth"), ("1/2-12 BSW", "tpi", 12.0)),
    production("thread-unified", "ASME B1.1", unified.UNIFIED, unified.read_unified,
        ("1/4-20 UNC-2B", "tpi", 20), ("#10-32 UNF", "size", "#10"), (".250-28", "standard", "UNF")),
    production("thread-unified-number-over-threads", "practice", unified.NUMBER_OVER_THREADS, unified.read_number_over_threads,
        ("6/32 TAP", "tpi", 32), ("10/32 UNF-2B", "size", "#10")),
    production("thread-unified-short", "practice", unified.UNIFIED_SHORT, unified.read_unified_short, ("1/4 UNC", "tpi", 20)),
    production("thread-unified-series-first", "practice", unified.SERIES_FIRST, unified.read_unified_series_first,
        ("UNC 1/4-20", "tpi", 20)),
    production("thread-pipe-iso", "ISO 228-1, ISO 7-1", pipe.BRITISH_PIPE, pipe.read_british_pipe,
        ("G1/2A", "class", "A"), ("Rp 1/2", "standard", "BSP Rp"), ("Rc1/4", "size", "1/4")),
    production("thread-conduit", "DIN 40430", pipe.CONDUIT, pipe.read_conduit, ("PG13,5", "tpi", 18)),
    production("thread-buttress", "DIN 513", metric.BUTTRESS, metric.read_buttress, ("S 40x7", "pitch", 7.0)),
    production("thread-designated", "practice of optics: SM1, RMS", _DESIGNATED, _read_designated,
        ("SM1 thread", "designation", "SM1"), ('SM1 (1.035" - 40)', "tpi", 40)),
    production("thread-round", "DIN 405", metric.ROUND, metric.read_round, ("Rd 20x1/8", "diameter", 20.0)),
))  # fmt: skip
"""Tried in this order."""


def read_thread(place: Place) -> Feature | None:
    """The thread at this place."""
    scan = place.scan
    start = scan.start
    verb = scan.take(_VERB)
    is_named = bool(verb)
    if start and not is_named and scan.text[start - 1].isalnum() and not _TIMES_BEFORE.search(scan.text, 0, start):
        return None
    for standard in STANDARDS:
        with scan.trial() as trial:
            found = scan.take(standard.pattern)
            members = standard.meaning(found, place, is_named) if found else None
            trial.kept = members is not None
        if members is not None:
            if verb and verb["times"]:
                members.setdefault("quantity", int(verb["times"]))
            return None if _is_fastener(place) else _feature(place, start, members, is_named=is_named)
    return None


def _feature(place: Place, start: int, members: Members, *, is_named: bool) -> Feature:
    if place.scan.take(_CLEARANCE):
        kept = {name: members[name] for name in ("quantity",) if name in members}
        drill = read_drill(place)
        kept |= drill.members if drill else {}
        return Feature("hole", start, place.scan.at, kept | {"clearance_for": members.get("designation")})
    if drilled := _clearance_drilled(place, members):
        return Feature("hole", start, place.scan.at, drilled)
    if is_named:
        members["named"] = True
    return Feature("thread", start, place.scan.at, members, members.pop("sure", STANDARD_WRITING))


def _clearance_drilled(place: Place, members: Members) -> Members | None:
    """`M2.5 MOUNTING HOLES DRILLED TO 2.75mm`: what holes are that let a screw pass; None where none are drilled so wide."""
    if members.get("unit") != "millimeter" or not members.get("diameter"):
        return None
    with place.scan.trial() as trial:
        found = place.scan.take(_DRILLED)
        trial.kept = found is not None and decimal_value(found["size"]) >= members["diameter"]
    if found is None or not trial.kept:
        return None
    kept = {name: members[name] for name in ("quantity", "designation") if name in members}
    made = {
        "diameter": decimal_value(found["size"]),
        "unit": "millimeter",
        "clearance_for": kept.pop("designation", None),
    }
    return kept | made | {"process": "drill"}


def names_fastener(words_before: str) -> bool:
    """Whether words before a thread name a part that is bought, not cut."""
    return _FASTENER.search(words_before) is not None


def _is_fastener(place: Place) -> bool:
    """`M8 SOCKET HEAD SCREW`, `M3 CLA-M3-2`: what is bought, not what is cut."""
    rest = place.scan.text[place.scan.at :]
    if place.scan.sees(_CLEARANCE) or (place.scan.sees(_BY_WORD) and not place.is_free):
        return False
    if _PART.match(rest) or _MAKERS_CODE.match(rest) or (_GLUED_NAME.match(rest) and not modifiers.is_here(place)):
        return True
    found = _FASTENER.search(rest)
    return found is not None and not _PURPOSE.search(rest[: found.start()])


THREAD: Final = FeatureRule("thread", read_thread)
