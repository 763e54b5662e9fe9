"""Parts of one row that are texts of their own: a deviation in smaller lettering behind its size, and a frame behind what it stands at.

ISO 129-1 writes the two deviations of a size one over the other: where the lower one stands on the baseline of the size, its digits are
high enough to be taken for letters of the size's row, and the zero over it is then nobody's. A feature control frame begins with its
characteristic (ISO 1101), and the edge of a part that it stands at is no letter of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.classes import CHARACTERISTICS, CLASSES, DIGITS
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import Row
from spatial.understanding.sheet.outlined.spelled import SURE

SMALLER: Final = (0.45, 0.85)
"""Height of the digits of a deviation in heights of those of its size."""
EVEN, LEVEL = 0.08, 0.12
"""Part of their height by which digits of one number differ, and by which the feet of the two numbers do."""

OFF, BESIDE = 0.25, 1.2
"""Heights of a size by which the feet of a deviation of its height are off its feet, and by which those of any are at most."""
MIDDLE: Final = (0.2, 0.8)
"""Heights of a deviation between which the middle of its sign is over its feet."""

_SIGNS: Final = {"+": "+", "-": "-", "_": "-"}
_FIGURES: Final = frozenset(DIGITS + "oO")
"""Digits, and what a small zero looks like."""


def with_parts_apart(reads: Iterable[ReadRow]) -> list[ReadRow]:
    """The rows, each of a size and a smaller deviation behind it, or of a frame and something before it, as several.

    A sign that a row ends with is of the deviation behind it.
    """
    return _with_signs_before([part for read in reads for part in _parts(read)])


def _with_signs_before(reads: list[ReadRow]) -> list[ReadRow]:
    """The rows, those that end with a sign without it where a number stands behind it which is a deviation, and that with the sign.

    Of two numbers at other heights than the size, or smaller, the sign stands at the middle of the one that it is of.
    """
    reads = list(reads)
    shapes = [[CLASSES[number] for number in read.chances.argmax(axis=1).tolist()] for read in reads]
    numbers = [place for place, signs in enumerate(shapes) if _is_whole(reads[place]) and _is_number(signs)]
    for place, signs in enumerate(shapes):
        size = _digits_before(signs, len(signs) - 1)
        if len(signs) < 2 or signs[-1] not in _SIGNS or not size or not _is_whole(reads[place]):
            continue
        behind = [other for other in numbers if other != place and _is_before(reads[place], size, reads[other])]
        if len(behind) == 1:
            numbers.remove(behind[0])
            reads[behind[0]] = _with_sign(reads[place], reads[behind[0]], _SIGNS[signs[-1]])
            reads[place] = _part(reads[place], 0, len(signs) - 1, size)
    return reads


def _is_whole(read: ReadRow) -> bool:
    return read.drawn is not None and len(read.row.glyphs) == len(read.boxes) and read.row is read.parts


def _is_number(signs: list[str]) -> bool:
    return all(sign in _FIGURES or sign in ".," for sign in signs) and any(sign in _FIGURES for sign in signs)


def _is_before(size: ReadRow, digits: list[int], number: ReadRow) -> bool:
    """Whether the last glyph of a row is the sign of the number behind it, which is smaller than the size or higher or lower.

    digits: places of those of the size.
    """
    if number.ink is not size.ink or number.quarter != size.quarter:
        return False
    of_size, sign = size.boxes[digits], size.boxes[-1]
    of_number = number.boxes[_higher(number.boxes)]
    base, large = float(np.median(of_size[:, 1])), float(np.median(of_size[:, 3] - of_size[:, 1]))
    foot, small = float(np.median(of_number[:, 1])), float(np.median(of_number[:, 3] - of_number[:, 1]))
    gap, middle = float(number.boxes[0, 0] - sign[2]), float(sign[1] + sign[3]) / 2
    is_off = abs(foot - base) >= OFF * large and abs(foot - base) <= large * BESIDE
    is_smaller = small <= SMALLER[1] * large and abs(foot - base) <= large * BESIDE
    is_level = MIDDLE[0] * small <= middle - foot <= MIDDLE[1] * small
    return (
        (is_off or is_smaller) and is_level and SMALLER[0] * large <= small <= (1 + EVEN) * large and 0 <= gap <= small
    )


def _higher(boxes: Array) -> Array:
    """(n,) which glyphs of a number are its digits, not its point."""
    heights = boxes[:, 3] - boxes[:, 1]
    return np.asarray(heights >= heights.max() / 2)


def _with_sign(size: ReadRow, number: ReadRow, sign: str) -> ReadRow:
    """A number with the last glyph of a row before it as its sign."""
    digits = number.boxes[_higher(number.boxes)]
    height = float(np.median(digits[:, 3] - digits[:, 1]))
    row = Row(number.quarter, [_glyphs(size)[-1], *_glyphs(number)], height)
    joined = replace(
        number, row=row, drawn=(number.ink, row), boxes=np.concatenate([size.boxes[-1:], number.boxes]),
        chances=np.concatenate([size.chances[-1:], number.chances]), alike=np.concatenate([size.alike[-1:], number.alike]),
        baseline=float(np.median(digits[:, 1])), height=height, framed=True, told=("", *number.told) if number.told else (),
    )  # fmt: skip
    return _signed(joined, sign)


def _signed(read: ReadRow, sign: str) -> ReadRow:
    """A deviation whose first glyph is its sign."""
    chances, alike = read.chances.copy(), read.alike.copy()
    chances[0], alike[0] = 0.0, 0.0
    chances[0, CLASSES.index(sign)] = alike[0, CLASSES.index(sign)] = 1.0
    return replace(read, chances=chances, alike=alike, told=(sign, *(read.told[1:] or [""] * (len(read.boxes) - 1))))


def _glyphs(read: ReadRow) -> list[list[int]]:
    """The components of the glyphs of a row in the direction of reading."""
    return read.row.glyphs if read.quarter == read.row.quarter else read.row.glyphs[::-1]


def _parts(read: ReadRow) -> list[ReadRow]:
    if len(read.row.glyphs) != len(read.boxes) or read.row is not read.parts:
        return [read]
    signs = [CLASSES[number] for number in read.chances.argmax(axis=1).tolist()]
    for at in range(1, len(signs) - 1):
        if signs[at] in _SIGNS:
            parts = _at_deviation(read, signs, at)
        elif signs[at] in CHARACTERISTICS and read.chances[at].max() >= SURE:
            parts = _at_frame(read, signs, at)
        else:
            continue
        if parts:
            return parts
    return [read]


def _at_deviation(read: ReadRow, signs: list[str], at: int) -> list[ReadRow]:
    """The size, its deviation from a place on, and what is as high as the size behind it, such as (VA); none where it is no deviation."""
    end = next((n for n in range(at + 1, len(signs)) if signs[n] not in _FIGURES and signs[n] not in ".,"), len(signs))
    size, deviation = _digits_before(signs, at), [n for n in range(at + 1, end) if signs[n] in _FIGURES]
    if not (size and deviation and _is_apart(read.boxes[size], read.boxes[deviation])):
        return []
    parts = [_part(read, 0, at, size), _signed(_part(read, at, end, deviation), _SIGNS[signs[at]])]
    if end == len(signs):
        return parts
    return [*parts, _part(read, end, len(signs), size)] if signs[end] == "(" else []


def _at_frame(read: ReadRow, signs: list[str], at: int) -> list[ReadRow]:
    """What stands before a frame that begins at a place, and the frame; none where no number follows its characteristic."""
    digits = [n for n in range(at + 1, len(signs)) if signs[n] in _FIGURES]
    if signs[at + 1] not in _FIGURES and signs[at + 1] not in ".Ø⌀":
        return []
    return [
        replace(part, is_certain=False) for part in (_part(read, 0, at, digits), _part(read, at, len(signs), digits))
    ]


def _digits_before(signs: list[str], at: int) -> list[int]:
    """Places of the digits of the number that ends before a place."""
    first = at
    while first and (signs[first - 1] in _FIGURES or signs[first - 1] in ".,"):
        first -= 1
    return [place for place in range(first, at) if signs[place] in _FIGURES]


def _is_apart(size: Array, deviation: Array) -> bool:
    """Whether the digits of a deviation are smaller than those of its size and stand on their baseline, or stand higher or lower.

    size: (n, 4); deviation: (k, 4)
    """
    heights = [boxes[:, 3] - boxes[:, 1] for boxes in (size, deviation)]
    large, small = (float(np.median(each)) for each in heights)
    is_even = all(np.ptp(each) <= 2 * EVEN * np.median(each) for each in heights)
    feet = abs(float(np.median(size[:, 1]) - np.median(deviation[:, 1])))
    is_smaller = small <= SMALLER[1] * large and feet <= LEVEL * large
    is_level = all(np.ptp(boxes[:, 1]) <= 2 * EVEN * large for boxes in (size, deviation))
    is_off = is_level and small <= (1 + EVEN) * large and OFF * large <= feet <= BESIDE * large
    return bool(is_even and SMALLER[0] * large <= small and (is_smaller or is_off))


def _part(read: ReadRow, first: int, last: int, digits: list[int]) -> ReadRow:
    """The glyphs of a row from one place to another, in the frame of its digits."""
    boxes = read.boxes[digits]
    height = float(np.median(boxes[:, 3] - boxes[:, 1]))
    row = Row(read.quarter, _glyphs(read)[first:last], height)
    return replace(
        read, row=row, drawn=(read.ink, row), boxes=read.boxes[first:last], chances=read.chances[first:last],
        alike=read.alike[first:last], baseline=float(np.median(boxes[:, 1])), height=height, framed=True, told=read.told[first:last],
    )  # fmt: skip
