"""The words of callouts by language, as patterns over a label's spelling.

The words are data: the section `callout` of the files in `labels/`. A blank within one may be any blank, a dash or none; a full stop may
stand behind one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from spatial.knowledge import vocabulary

MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "through": "says that a hole goes through: ASME Y14.5-2018 §4.6 has THRU; hole callouts of CAD programs translate THRU ALL",
        "depth": "stands before or behind a depth",
        "hole": "names holes",
        "count": "stands before a quantity: QTY 4",
        "place": "stands behind a quantity and is no word for holes",
        "counterbore": "names a counterbore",
        "countersink": "names a countersink",
        "spotface": "names a spotface",
        "chamfer": "names a chamfer",
        "thread": "names a thread, or says that a hole has one",
        "fillet": "names a fillet",
        "sphere": "says that a radius or a diameter is a sphere's",
        "radius": "stands for R",
        "diameter": "stands for Ø",
        "extent": "names what a size is, as a length, a width or a thickness: THK 12 ±0.1",
        "typical": "says that a size is one of several alike",
        "spaced": "says that holes are spaced equally",
        "around": "says that what stands before it holds all around a view: ISO 1302 and ISO 2553 have a circle for it",
        "all": "says, before threads or holes, that all of a part are what follows",
        "hole_order": "orders, behind a number of holes, how they are made: 8 HOLES DRILL M3",
    }
)
"""Key to what its words say; a new key is a line here and one in a file of `labels/`."""

CYRILLIC: Final = dict(zip("АВЕКМНОРСТХасеорх", "ABEKMHOPCTXaceopx", strict=True))
"""Cyrillic letters that look like Latin ones, to these: GOST sheets write М8-6Н with them, and fonts mix them in."""

BASIC_WORD: Final = r"(?i:BSC|BASIC)(?![A-Za-z])\.?|基準"
"""Makes a size basic, theoretically exact: ASME Y14.5-2018 §3, JIS B 0021."""

_WORDS: Final = vocabulary.section("callout", MEANINGS, "add it to MEANINGS in spatial/knowledge/callout_words.py")
_SIGNS: Final = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_UNSPACED: Final = re.compile(_SIGNS)
"""A kana, Han or Hangul sign: words of these scripts stand without blanks between them."""
_END: Final = rf"(?!(?-i:(?!{_SIGNS}))[^\W\d_Ø])(?:\.(?!\d))?"
"""Signs have no case: where case is ignored, `re` would look for that of each of 38,000, which takes 2 ms a word."""


def words(key: str) -> str:
    """A group of all words of `key`, which captures nothing."""
    return rf"(?:{_spaced(key)}|{_unspaced(key)})"


@cache
def _spaced(key: str) -> str:
    """Its words of scripts with blanks between words."""
    own = [word for word in _listed(key) if not _UNSPACED.search(word)]
    return rf"(?i:{vocabulary.joined(map(_with_any_blank, [*own, *filter(None, map(_in_latin, own))]))}){_END}"


@cache
def _unspaced(key: str) -> str:
    own = [word for word in _listed(key) if _UNSPACED.search(word)]
    return vocabulary.joined(own) if own else r"(?!)"


def spaced_words(key: str) -> str:
    """The same without words of scripts that have no blanks: what such a word belongs to stands on one side of it only."""
    return _spaced(key)


def _listed(key: str) -> list[str]:
    return [word for listed in _WORDS[key].values() for word in listed]


def _with_any_blank(word: str) -> str:
    """The pattern of a word: its endings are letters, as the 12 of `глуб12` is none."""
    return word.replace(" ", r"\s?-?\s?").replace(r"\w*", r"[^\W\d_]*")


def _in_latin(word: str) -> str | None:
    """A word as its spelling has it where capitals of it, or of a part of it, all look like Latin letters: СКВ, ОТВ, НА ПРОХОД."""
    parts = word.split(" ")
    latin = [_latin_part(part) for part in parts]
    return " ".join(latin) if latin != parts else None


def _latin_part(part: str) -> str:
    stem = part.removesuffix(r"\w*")
    capitals = stem.upper()
    looks_latin = bool(stem) and set(capitals) <= CYRILLIC.keys()
    return "".join(map(CYRILLIC.__getitem__, capitals)) + part[len(stem) :] if looks_latin else part
