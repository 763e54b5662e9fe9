"""Figures behind the letters of designators: parts, pins and places count, as E0, E1, E2, where a word of letters ends with O or l.

The reader of lines knows words, and sees a letter behind a letter. That a page counts says which of the two a look-alike is: where one
designator ends with a figure that no letter looks like, its letters are those of a count.

Glossary
  stem   the capitals of a designator, before its figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.lines import Line
from spatial.understanding.sheet.outlined.recognise import ReadRow, reframed
from spatial.understanding.sheet.outlined.same_shape import SameShapes
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled
from spatial.understanding.sheet.outlined.spelling import PLAIN, vocabulary_words

MORE_LIKELY, MAY_BE = 0.5, 0.1
"""Part of the chance of a ring or stem, as its glyph alone is read, that is the figure's where its page counts with its capitals; the same
of a 0 whose count goes on with 1."""
FEW: Final = 2
"""Capitals before a zero that its shape alone tells: words end with O too, and in narrow lettering it is as wide as a zero."""

_DESIGNATOR: Final = re.compile(r"(?<![^\W_])(?P<stem>[A-Z]{1,3})(?P<figure>[0-9OIl|])(?![^\W_])")
_RINGS, _STEMS = "0O", "1Il|"


@dataclass(frozen=True, slots=True)
class _Designator:
    """Capitals and what may be a figure."""

    line: Line
    stem: str
    place: int
    """Of the glyph that may be a figure."""

    @property
    def sign(self) -> str:
        return self.line.spelled[self.place].sign

    @property
    def group(self) -> str:
        """The look-alikes of the glyph; empty where it has none."""
        return next((group for group in (_RINGS, _STEMS) if self.sign in group), "")

    @property
    def is_counted(self) -> bool:
        """Whether it ends with a figure beyond doubt, whatever stands before it."""
        if not self.group:
            return self.sign.isdigit()
        return self.group == _STEMS and self.sign == "1" and _share(self.line.read.chances[self.place], _STEMS) >= PLAIN


def settle_designators(lines: Sequence[Line], shapes: SameShapes) -> None:
    """Read the last glyph of a designator as the figure that it looks like where its page counts with the same capitals.

    A zero is also told by the zeros and capital O of the page alone.
    """
    found = [each for line in lines for each in _designators(line)]
    counted = {each.stem + each.sign for each in found if each.is_counted}
    for each in found:
        if each.group and each.sign != each.group[0] and _is_figure(each, counted, shapes):
            each.line.spelled[each.place] = Spelled(each.group[0], SURE)


def _designators(line: Line) -> list[_Designator]:
    return [
        _Designator(line, found["stem"], word[found.start("figure")])
        for word in line.words
        for found in _DESIGNATOR.finditer("".join(line.spelled[place].sign for place in word))
    ]


def _is_figure(designator: _Designator, counted: Set[str], shapes: SameShapes) -> bool:
    """Whether a look-alike is a figure. counted: designators whose figure is beyond doubt."""
    line, stem, group = designator.line, designator.stem, designator.group
    told = shapes.sign(line, designator.place) if group == _RINGS else ""
    is_counted = any(name[:-1] == stem for name in counted)
    if told and told != _RINGS[0]:
        return False
    if stem + designator.sign.upper() in vocabulary_words():  # NO and TO stand beside N1 and T1
        return told != "" and is_counted and len(line.words) == 1
    if not (is_counted or (told and len(stem) <= FEW)):
        return False
    if told and is_counted:
        return True
    least = MAY_BE if group == _RINGS and stem + "1" in counted else MORE_LIKELY
    return _share(_by_glyphs(line.read).chances[designator.place], group) >= least


def _by_glyphs(read: ReadRow) -> ReadRow:
    """A row as its glyphs alone are read; as it is, where the reader of lines has parted or added some."""
    parts = read.parts.glyphs if read.drawn is not None else []
    is_whole = len(parts) == len(read.boxes) and all(parts)
    return reframed(read, (read.baseline, read.height, read.framed)) if is_whole else read


def _share(chances: Floats, group: str) -> float:
    """The part of a figure in the chance of its look-alikes."""
    parts = [float(chances[CLASSES.index(sign)]) for sign in group]
    return parts[0] / max(sum(parts), 1e-9)
