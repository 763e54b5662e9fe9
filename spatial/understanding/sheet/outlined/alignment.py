"""Which glyphs of a row each character is of that the reader of lines saw there.

Glossary
  cell   what is drawn for one character: a glyph, several pieces of it, or a part of letters that touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags
from spatial.understanding.sheet.outlined.classes import CLASSES, LIKE_NUMBERS, NO_LETTER, PHI
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.read_character import ReadCharacter

ASIDE: Final = 4.0
"""Cost of a character one capital height beside its glyph."""
UNSEEN: Final = 0.02
"""Chance that a glyph has at least of the character that stands at its place."""
ODD: Final = 0.2
"""The same of a glyph that the classifier takes for no letter: pieces that touch are none."""
OTHER_SIGN: Final = 1.5
"""Cost of a character that the classifier of glyphs does not know."""
TOUCHING, BROKEN = 1.2, 0.8
"""Cost of each further character of one glyph, and of each further glyph of one character."""
WHOLE: Final = 4.0
"""Cost of several characters of one glyph that the classifier is sure is one letter."""
APART: Final = 8.0
"""Cost of a gap of one capital height between two glyphs of one character."""
POINT: Final = 0.3
"""Capital heights of what may be a point, which is never a piece of the character beside it: it is what makes 1.5 of 15."""
MOST: Final = 4
"""Glyphs of one character, and characters of one glyph, at most."""
LEFT_OUT: Final = 3.5
"""Cost of a glyph without a character, and of a character without a glyph."""
NEAR: Final = 2.0
"""Capital heights beyond which a character is of no glyph."""

_AS: Final = {
    sign: [CLASSES.index(each) for each in (sign + "Ø" if sign in "0O" else sign) + LIKE_NUMBERS.get(sign, "")]
    for sign in CLASSES
} | {sign: [CLASSES.index("Ø")] for sign in PHI}
"""Classes that a character may look like: some lettering has zeros with a stroke, and a 6 that is drawn as a G."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of a row."""

    glyphs: tuple[int, ...]
    """Places of its glyphs in the row; none where nothing is drawn for it."""
    character: ReadCharacter | None
    """None of glyphs that the reader of lines saw no character in."""
    part: tuple[int, int] = (0, 1)
    """Which of how many characters of one glyph it is."""


def align(boxes: Array, alike: Floats, height: float, characters: Sequence[ReadCharacter]) -> list[Cell]:
    """The cells of a row, from the left.

    boxes: (n, 4), alike: (n, c) of its glyphs, as a ReadRow has them; height: of a capital letter; characters: without blanks, their
    sides in the frame of the row.
    """
    costs = _costs(boxes, alike, height, characters)
    gaps = np.maximum(boxes[1:, 0] - boxes[:-1, 2], 0.0) / height * APART
    point = (boxes[:, 3] - boxes[:, 1] <= POINT * height) & (boxes[:, 3] - np.median(boxes[:, 1]) <= height / 2)
    parted = point[1:] != point[:-1]
    of_letters = np.where(parted & ~_is_within(boxes), np.inf, gaps)
    gaps[parted] = np.inf
    beside = (boxes[1:, 0] >= boxes[:-1, 2]).tolist()
    return _traced(_steps((gaps.tolist(), of_letters.tolist()), beside, characters, costs), len(boxes), characters)


def _is_within(boxes: Array) -> Flags:
    """(n - 1,) whether the box of one of two glyphs side by side is within that of the other one: the leg of an R, not a point."""
    low, high = boxes[:, :2], boxes[:, 2:]
    behind = (low[1:] >= low[:-1]) & (high[1:] <= high[:-1])
    before = (low[:-1] >= low[1:]) & (high[:-1] <= high[1:])
    return np.asarray(behind.all(axis=1) | before.all(axis=1), bool)


@dataclass(frozen=True, slots=True)
class _Costs:
    """Of n glyphs and m characters; as lists, whose single numbers are asked for ten times as fast as those of arrays."""

    away: list[list[float]]
    """(n, m) how far each character is from each glyph; infinite where it is too far."""
    unlike: list[list[float]]
    """(n, m) how unlike it."""
    whole: list[float]
    """(n,) how sure each glyph is one letter."""
    doubled: list[list[float]]
    """(n, m) how sure it is that letter or digit by itself."""


def _costs(boxes: Array, alike: Floats, height: float, characters: Sequence[ReadCharacter]) -> _Costs:
    middle = np.array([(each.left + each.right) / 2 for each in characters])
    away = np.maximum(np.maximum(boxes[:, :1] - middle, middle - boxes[:, 2:3]), 0.0) / height
    unlike = np.full(away.shape, OTHER_SIGN)
    odd = alike.argmax(axis=1) == CLASSES.index(NO_LETTER)
    for place, each in enumerate(characters):
        if each.sign in _AS:
            seen = alike[:, _AS[each.sign]].max(axis=1)
            unlike[:, place] = -np.log(np.maximum(seen, np.where(odd, ODD, UNSEEN)))
    whole = WHOLE * alike[:, np.arange(len(CLASSES)) != CLASSES.index(NO_LETTER)].max(axis=1, initial=0.0)
    # The reader of lines sees one o in oo where letters are narrow.
    letters = np.array([each.sign.isalnum() for each in characters], bool)
    doubled = np.where(letters, WHOLE * np.exp(-unlike), 0.0)
    far = np.where(away > NEAR, np.inf, away * ASIDE)
    return _Costs(far.tolist(), unlike.tolist(), np.asarray(whole, float).tolist(), doubled.tolist())


def _steps(
    gaps: tuple[list[float], list[float]], beside: list[bool], characters: Sequence[ReadCharacter], costs: _Costs
) -> dict[tuple[int, int], tuple[float, int, int]]:
    """(cost, glyphs, characters) of the cheapest last step to each number of glyphs and characters.

    gaps: (n - 1,) the cost of the gap behind each glyph where it is of one character with the next, and where that is a letter; beside:
    (n - 1,) whether the next glyph begins behind the end of each.
    """
    away, never = costs.away, [False] * len(beside)
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, 0, 0)}
    for glyphs in range(len(gaps[0]) + 2):
        for read in range(len(characters) + 1):
            if (glyphs, read) == (0, 0):
                continue
            options = []
            if glyphs and (before := best.get((glyphs - 1, read))):
                options.append((before[0] + LEFT_OUT, 1, 0))
            if read and (before := best.get((glyphs, read - 1))):
                options.append((before[0] + LEFT_OUT, 0, 1))
            if glyphs and read and away[glyphs - 1][read - 1] < np.inf:
                sign = characters[read - 1].sign
                parted = beside if sign.isdigit() else never
                options += _matches(best, (glyphs, read), costs, gaps[sign.isalpha()], parted)
            best[glyphs, read] = min(options, default=(np.inf, 0, 0))
    return best


def _matches(
    best: dict[tuple[int, int], tuple[float, int, int]],
    end: tuple[int, int],
    costs: _Costs,
    gaps: list[float],
    parted: list[bool],
) -> list[tuple[float, int, int]]:
    """The steps that end with a glyph and a character of each other."""
    glyphs, read = end
    away, unlike = costs.away[glyphs - 1], costs.unlike[glyphs - 1]
    options = [(best[glyphs - 1, read - 1][0] + (away[read - 1] + unlike[read - 1]), 1, 1)]
    for more in range(2, min(MOST, read) + 1):
        cost = sum(away[read - more : read]) + TOUCHING * more + costs.whole[glyphs - 1]
        options.append((best[glyphs - 1, read - more][0] + cost, 1, more))
    for more in range(2, min(MOST, glyphs) + 1):
        cost = min(each[read - 1] for each in costs.away[glyphs - more : glyphs]) + BROKEN * more
        cost += sum(gaps[glyphs - more : glyphs - 1])
        alone = [each[read - 1] for each in costs.doubled[glyphs - more : glyphs]]
        if all(parted[glyphs - more : glyphs - 1]):  # ⌀4, of which the reader of lines sees the 4
            cost += max(alone) * min(costs.whole[glyphs - more : glyphs]) / WHOLE
        else:
            cost += min(alone)
        options.append((best[glyphs - more, read - 1][0] + cost, more, 1))
    return options


def _traced(
    best: dict[tuple[int, int], tuple[float, int, int]], count: int, characters: Sequence[ReadCharacter]
) -> list[Cell]:
    cells: list[Cell] = []
    glyphs, read = count, len(characters)
    while glyphs or read:
        _, drawn, told = best[glyphs, read]
        places = tuple(range(glyphs - drawn, glyphs))
        if told > 1:
            cells += [Cell(places, characters[read - 1 - number], (told - 1 - number, told)) for number in range(told)]
        else:
            cells.append(Cell(places, characters[read - 1] if told else None))
        glyphs, read = glyphs - drawn, read - told
    return cells[::-1]
