"""One line of lettering of a sheet, as notes are made of.

Glossary
  line     what stands on one baseline and reads as one: a number and its text are often two pieces.
  mark     "1.", "1.2", "2)", "(3)", "①", "4、", "NOTE 4:", "b.", "-": what numbers or sets off a note.
  series   "M" of the marks "M1.", "M2.": letters before numbers that count up, each series for itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from spatial.models.sheet.drawing import Box

OPEN_SPACE: Final = -1
NOTE_WORDS: Final = 2
"""Words of a note."""
_SIGNS: Final = re.compile(r"[\u30a1-\u30ff]+|[\u3040-\u309f\u3400-\u9fff\uac00-\ud7af]")
"""Of Chinese, Japanese and Korean; katakana one after the other spell one word."""
_WORDS: Final = re.compile(rf"{_SIGNS.pattern}|[^\W\d_]{{2,}}")
_PLAIN: Final = re.compile(r"\W*[^\W\d_]+(?:['’.-][^\W\d_]+)*\W*|.*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af].*")
_VALUE: Final = re.compile(r"(?:±|\+ ?/ ?-)\s?\d*[.,]?\d|\b[RØ⌀]\s?\d|\d\s?°")
"""A value with a sign: a deviation, a radius or diameter, an angle."""


def word_count(text: str) -> int:
    """Words of at least two letters; each sign of Chinese, Japanese and Korean counts as one, katakana in a row as one."""
    return len(_WORDS.findall(text))


def has_words(text: str, least: int) -> bool:
    """Whether a text has so many words, without a look at what stands behind them."""
    return sum(1 for _ in islice(_WORDS.finditer(text), least)) >= least


def plain_words(text: str) -> int:
    """Of what stands between blanks that which is written as words are: names of nets and pads have figures and joints."""
    return sum(_PLAIN.fullmatch(word) is not None for word in text.split())


def sign_count(text: str) -> int:
    """Signs of Chinese, Japanese and Korean, katakana in a row as one."""
    return len(_SIGNS.findall(text))


def single_count(text: str) -> int:
    """Words of one language, where a text says the same in the signs of one and the letters of another."""
    signs = sign_count(text)
    return max(signs, word_count(text) - signs)


def statement_count(text: str) -> int:
    """Words, and values with a sign: `ALL DIMENSIONS ±.010` says as much as three words."""
    return word_count(text) + len(_VALUE.findall(text))


@dataclass(slots=True, eq=False)
class Line:
    """One line of lettering in upright axes."""

    text: str
    """Without its mark."""
    box: Box
    height: float
    sources: tuple[str, ...]
    page: int
    cell: int
    """Number of its ruled cell; `OPEN_SPACE` or less outside of cells."""
    mark: str = ""
    """What was taken off before `text`."""
    number: int | None = None
    letter: str | None = None
    """Of a part of a note: "a" of "5a", ".2" of "1.2"."""
    within: int | None = None
    """The note that its mark says it is a part of: 1 of "1.2"."""
    series: str = ""
    loose: bool = False
    """Whether its number has no point or bracket: it may be a balloon or a row."""
    begin: float = 0.0
    """Where its text begins, after the mark."""
    bullet: bool = False
    after_blank: bool = False
    """Whether an empty line of its text stands before it."""
    heading_begin: float | None = None
    """Where the heading begins that stands before its mark: `Note: 1. ...`."""
    hanging: float | None = None
    """Where its text begins behind a label that stands off from it: `Note:     The ...`."""

    @property
    def level(self) -> float:
        """Height of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def marked(self) -> bool:
        """Whether a number or a letter stands before it."""
        return self.number is not None or self.letter is not None

    def take_back_mark(self) -> None:
        """Make its mark the beginning of its text again: it counts nothing."""
        self.text, self.mark, self.begin = f"{self.mark}{self.text}".strip(), "", self.box[0]
        self.number = self.letter = self.within = None
        self.series, self.loose, self.bullet = "", False, False
