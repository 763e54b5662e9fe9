"""Whether one of hundreds of wordings stands in a text: most texts have not even the letters that a wording cannot be without.

Glossary
  stem   the longest run of plain characters in a wording that stands outside of groups, classes and repetitions, in one case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from spatial.knowledge import vocabulary

SHORTEST: Final = 3
"""Bytes of a stem in UTF-8; fewer stand in every text. One ideograph has as many."""
_GROUP: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", re.DOTALL)
"""What must be told apart to find where a group ends: an escape, a class, and brackets."""
_PIECE: Final = re.compile(
    r"(?P<or>\|)|(?P<escape>\\[bBdDsSwW.])|(?P<other>\\)|(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<group>\()"
    r"|(?P<optional>[?*]|\{[^}]*\})|(?P<any>[.^$+])|(?P<plain>.)",
    re.DOTALL,
)


class Wordings:
    """Some wordings, regular expressions that are looked for without regard to case."""

    def __init__(self, fragments: Iterable[str]) -> None:
        self._fragments = tuple(fragments)

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in a text, as `re.search` of their alternatives tells."""
        said = folded(text)
        if any(map(said.__contains__, self.stems)):
            return self._all.search(text) is not None
        return self._without_stem is not None and self._without_stem.search(text) is not None

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of those that have one, none of which holds another."""
        found = sorted({stem for fragment in self._fragments if (stem := stem_of(fragment))}, key=len)
        return tuple(stem for place, stem in enumerate(found) if not any(other in stem for other in found[:place]))

    @cached_property
    def _all(self) -> re.Pattern[str]:
        return re.compile(vocabulary.joined(self._fragments), re.IGNORECASE)

    @cached_property
    def _without_stem(self) -> re.Pattern[str] | None:
        others = [fragment for fragment in self._fragments if not stem_of(fragment)]
        return re.compile(vocabulary.joined(others), re.IGNORECASE) if others else None


def folded(text: str) -> str:
    """A text in one case, in which characters are the same that `re.IGNORECASE` holds for the same, and a few more."""
    return text.casefold().replace("\u0131", "i").replace("\u0307", "")


def stem_of(fragment: str) -> str:
    """The stem of a wording; empty where it has none that is long enough, or any sign that is not known here."""
    runs, place = [""], 0
    while place < len(fragment):
        piece = _PIECE.match(fragment, place)
        if piece is None or piece["or"] or piece["other"]:
            return ""
        place = piece.end()
        if piece["plain"]:
            runs[-1] += piece["plain"]
            continue
        if piece["optional"]:
            runs[-1] = runs[-1][:-1]
        if piece["group"]:
            place = _end_of_group(fragment, place)
        runs.append("")
    stem = folded(max(runs, key=len))
    return stem if len(stem.encode()) >= SHORTEST else ""


def _end_of_group(fragment: str, place: int) -> int:
    """The place behind the group whose content begins at one."""
    depth = 1
    for piece in _GROUP.finditer(fragment, place):
        depth += {"(": 1, ")": -1}.get(piece.group(), 0)
        if not depth:
            return piece.end()
    return len(fragment)
