"""Signs that are drawn as others on the sheet are: a program draws a letter of a font the same each time.

A glyph that stands between two characters may be told by none of its neighbours. Where several glyphs of the sheet are drawn like it, were
read, and are one character, it is that character; a shape that two characters have, as l and I, tells nothing.

Where a font draws a letter as most fonts draw another one, all of them are read wrong: the V of a stroke font that ends flat is a U. The
words tell it: with the other letter several of them are words of drawings, and as they are read not one is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.lines import SINGLE, Line
from spatial.understanding.sheet.outlined.recognise import pictures_of
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled
from spatial.understanding.sheet.outlined.spelling import vocabulary_words

SAME_DRAWING: Final = 0.06
"""Root of the mean square of the differences of the pictures of two glyphs that are drawn alike; pixels are from 0 to 1."""
AS_WIDE: Final = 0.06
"""Part of its height by which the widths of two such glyphs differ."""
AS_LARGE: Final = 0.06
"""Capital heights by which their heights differ: o and O are of one shape."""
ENOUGH, LINES = 3, 2
"""Glyphs drawn alike that were read, and lines that they stand in."""
READ: Final = 0.5
"""Part of a line that is read, from which on it is lettering of which signs were left open."""
SIGNS: Final = "/%"
"""Signs that stand within words and numbers."""
DISTINCT: Final = 2
"""Letters of a line that no part of a view looks like, so that its glyphs are lettering."""
WORDS, LETTERS = 3, 6
"""Different words that tell what letter a shape is, and how long each is."""
MARKS: Final = frozenset(".,:;()")
"""What stands beside a word and is none of it."""
MOST: Final = 20_000
"""Glyphs of a sheet that are compared."""


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """Glyphs of a sheet, each a row of every array."""

    line: Array
    place: Array
    pictures: Floats
    form: Array
    """(n, 2) width over height, and height in capital heights."""
    signs: Array
    """What each was read as."""

    def drawn_like(self, other: int) -> Indices:
        """Places of the glyphs that are drawn like another one."""
        near = np.flatnonzero((np.abs(self.form - self.form[other]) <= (AS_WIDE, AS_LARGE)).all(axis=1))
        off = np.sqrt(np.mean((self.pictures[near] - self.pictures[other]) ** 2, axis=1))
        alike: Indices = near[off <= SAME_DRAWING]
        return alike

    def sign_like(self, other: int) -> str:
        """The one character that enough of the glyphs that were read and are drawn like another one are; empty where there is none."""
        alike = self.drawn_like(other)
        alike = alike[self.signs[alike] != UNREAD]
        signs = set(self.signs[alike].tolist())
        is_enough = len(alike) >= ENOUGH and len(set(self.line[alike].tolist())) >= LINES
        sign = signs.pop() if is_enough and len(signs) == 1 else ""
        return sign if sign.isalnum() or sign in SIGNS else ""

    def shape_of(self, members: Sequence[Sequence[int]], known: Set[int]) -> Iterator[int]:
        """Places of the glyphs that are drawn as these members of each word are; none where too few words have one drawing.

        A pen of another width draws another picture of the same letter. What is drawn as `known` glyphs are is none of the shape.
        """
        drawn = {each: set(self.drawn_like(each).tolist()) for word in members for each in word}
        most = max(sum(not like.isdisjoint(word) for word in members) for like in drawn.values())
        sign = self.signs[members[0][0]]
        for each in set().union(*(like for like in drawn.values() if like.isdisjoint(known))) if most >= WORDS else ():
            if self.signs[each] == sign:
                yield each


def settle_same_drawing(lines: Sequence[Line]) -> None:
    """Read the glyphs that were left open and are drawn as one character is in several other places."""
    drawn = _drawn(lines)
    open_ = [line for line in drawn if READ <= line.sure < 1 and any(map(str.isalnum, line.signs()))]
    if not open_:
        return
    glyphs = _glyphs([*open_, *(line for line in drawn if line.sure == 1.0 and line.distinct >= DISTINCT)])
    told: Mapping[int, list[tuple[int, str]]] = _told(glyphs)
    for number, signs in told.items():
        line = open_[number]
        for place, sign in signs:
            line.spelled[place] = Spelled(sign, SURE)


def with_drawn_alike(line: Line, good: Sequence[Line]) -> Line:
    """A line with the characters of its open glyphs that are drawn as one character of several good lines is."""
    others = _drawn([each for each in good if each.sure == 1.0])
    if line.read.drawn is None or not others:
        return line
    glyphs = _glyphs([line, *others])
    spelled = list(line.spelled)
    for place, each in enumerate(spelled):
        glyphs.signs[place] = UNREAD
        if each.sign == UNREAD and (sign := glyphs.sign_like(place)):
            spelled[place] = Spelled(sign, SINGLE)
    return replace(line, spelled=spelled)


def settle_by_words(lines: Sequence[Line]) -> None:
    """Read the letters of a shape as the one that makes words of the words that they stand in, where they are none now."""
    read = [line for line in _drawn(lines) if line.sure == 1.0]
    words = [word for number, line in enumerate(read) for word in _words(number, line)]
    votes: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for word in words:
        for place, better, said in _better(word.said):
            votes[word.said[place], better][said].append((word.line, word.places[place]))
    enough = {pair: own for pair, own in votes.items() if len(own) >= WORDS}
    if not enough:
        return
    glyphs = _glyphs(read)
    first = np.concatenate([[0], np.cumsum([len(line.spelled) for line in read])])
    known = {
        int(first[word.line]) + place for word in words if word.said in vocabulary_words() for place in word.places
    }
    for (_, better), own in enough.items():
        for place in glyphs.shape_of(
            [[int(first[line]) + glyph for line, glyph in places] for places in own.values()], known
        ):
            line, glyph = read[int(glyphs.line[place])], int(glyphs.place[place])
            line.spelled[glyph] = Spelled(better, line.spelled[glyph].chance)


@dataclass(frozen=True, slots=True)
class _Word:
    said: str
    """In capitals."""
    line: int
    places: tuple[int, ...]
    """Of its glyphs in the line."""


def _words(number: int, line: Line) -> Iterator[_Word]:
    """The words of a line that are long enough, all capitals."""
    signs = line.signs()
    for places in line.words:
        letters = [place for place in places if signs[place] not in MARKS]
        said = "".join(signs[place] for place in letters)
        if len(said) >= LETTERS and said.isascii() and said.isalpha() and said.isupper():
            yield _Word(said, number, tuple(letters))


def _better(said: str) -> Iterator[tuple[int, str, str]]:
    """Place, letter and word: the words of drawings that differ from what is none by one letter."""
    if said in vocabulary_words():
        return
    for place in range(len(said)):
        for better in ascii_uppercase:
            word = f"{said[:place]}{better}{said[place + 1 :]}"
            if word in vocabulary_words():
                yield place, better, word


def _drawn(lines: Sequence[Line]) -> list[Line]:
    """Those that are drawn; none of a sheet with more than can be compared."""
    drawn = [line for line in lines if line.read.drawn is not None and line.read.height > 0]
    return drawn if sum(len(line.spelled) for line in drawn) <= MOST else []


def _told(glyphs: _Glyphs) -> Mapping[int, list[tuple[int, str]]]:
    """By line the places of glyphs that were left open, with the character of each that is told."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for other in np.flatnonzero(glyphs.signs == UNREAD).tolist():
        sign = glyphs.sign_like(other)
        if sign:
            found[int(glyphs.line[other])].append((int(glyphs.place[other]), sign))
    return found


def _glyphs(lines: Sequence[Line]) -> _Glyphs:
    counts = [len(line.spelled) for line in lines]
    boxes = np.concatenate([line.read.boxes for line in lines])
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 1e-9)
    heights = np.repeat([line.read.height for line in lines], counts)
    return _Glyphs(
        np.repeat(np.arange(len(lines)), counts),
        np.concatenate([np.arange(count) for count in counts]),
        np.concatenate(pictures_of([line.read for line in lines])),
        np.stack([(boxes[:, 2] - boxes[:, 0]) / high, high / heights], axis=1),
        np.array([each.sign for line in lines for each in line.spelled]),
    )
