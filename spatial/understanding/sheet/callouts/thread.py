"""Threads of every standard. ISO 6410-1, ASME Y14.6.

One row per standard in STANDARDS; `M8 x 20` is a thread 20 long, since no M8 has that pitch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.understanding.sheet.callouts import modifiers
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, FeatureRule, Members, Place
from spatial.understanding.sheet.callouts.thread_standards.inch import read_acme, read_whitworth
from spatial.understanding.sheet.callouts.thread_standards.metric import read_metric, read_round, read_trapezoidal
from spatial.understanding.sheet.callouts.thread_standards.pipe import read_british_pipe, read_conduit, read_pipe
from spatial.understanding.sheet.callouts.thread_standards.unified import read_unified

_VERB: Final = re.compile(
    r"(?i:TAP(?:PED)?|THREAD(?:ED)?|GEWINDE|INNENGEWINDE|AUSSENGEWINDE|FILETAGE|TARAUDAGE|FILETTATURA|ROSCA(?:D[OA])?|THD|резьба)(?![A-Za-z])(?:\s+(?:(?P<times>\d{1,3})\s+)?(?i:HOLES?)(?![A-Za-z]))?[:\s]*"
)
"""What says that a thread follows, also in how many holes: `tap 4 holes M5`."""
_FASTENER: Final = re.compile(
    r"(?i)\b(?:SCREWS?|BOLTS?|NUTS?|WASHERS?|STUDS?|RIVETS?|\w*SCHRAUBEN?|\w*MUTTERN?|SCHEIBEN?|ECROUS?|ÉCROUS?|HEX\s?HEAD|SHCS|FHCS|BHCS|SELF.CLINCHING|PEM|"
    r"LOCKNUT|GEWINDESTIFT|VIS|VITE|DADO|TORNILLO|TUERCA|BUTTON\s?HEAD|CAP\s?HEAD|SET\s?SCREW|STANDOFF|SPACER|(?:DIN\s?(?!103\b|405\b|513\b)|ISO\s?(?!228|261|724|965|2904))\d{3,5})\b"
)
_PURPOSE: Final = re.compile(r"(?i)\b(?:FOR|FÜR|POUR|PER|PARA|ACC|NACH)\b")
_TIMES_BEFORE: Final = re.compile(r"(?<![A-Za-z\d.,])\d{1,3}[xX]$")
_PART: Final = re.compile(r"\s*-?(?!(?:DP|DEEP|DEPTH|TIEFE?|PROF|LG)\.?\s?\d)[A-Z]{2,}-?[A-Z]*\d|-\d{3,}|\.\d|-[A-Z]\d")
_GLUED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
"""Chinese, Japanese or Korean words right behind a thread: `G3/4油路管接头` is a pipe joint."""

Standard = Callable[[Place, bool], Members | None]

STANDARDS: Final[tuple[Standard, ...]] = (
    read_metric, read_trapezoidal, read_acme, read_pipe, read_whitworth, read_unified, read_british_pipe, read_conduit, read_round,
)  # fmt: skip
"""In the order in which they are asked; each gets the place and whether a word (TAP, Gewinde) says that a thread follows."""


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
            members = standard(place, is_named)
            trial.kept = members is not None
        if members is not None:
            if verb and verb["times"]:
                members.setdefault("quantity", int(verb["times"]))
            return (
                None
                if _is_fastener(place)
                else Feature("thread", start, scan.at, members, members.pop("sure", STANDARD_WRITING))
            )
    return None


def _is_fastener(place: Place) -> bool:
    """`M8 SOCKET HEAD SCREW`, `M3 CLA-M3-2`: what is bought, not what is cut."""
    rest = place.scan.text[place.scan.at :]
    if _PART.match(rest) or (_GLUED_NAME.match(rest) and not modifiers.is_here(place)):
        return True
    found = _FASTENER.search(rest)
    return found is not None and not _PURPOSE.search(rest[: found.start()])


THREAD: Final = FeatureRule("thread", read_thread)
