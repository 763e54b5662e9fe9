"""Sizes that datasheets give twice, the second time in the other unit: `10.2` with `(0.4)` beside it.

ASME Y14.5-2018 §4.2 has square brackets for that; round ones mean reference, unless they hold again and again what stands beside them.
What stands in them right under a size, or right behind it, is put behind it: `Ø0.032` over `(Ø0,81)` is one hole.
Tall brackets round two deviations are often drawn, and may not have been read: `.551 +.0020 -.0016` and `14.00 +.05 -.04` right
behind it are one size all the same, because size and deviations agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from spatial.counting import count_of
from spatial.knowledge.inches import MILLIMETERS_AN_INCH, decimals_of
from spatial.understanding.sheet.callouts.scanner import decimal_value
from spatial.understanding.sheet.label import Label, are_read_alike, joined, upright_box
from spatial.understanding.sheet.lettering.printed_size import NUMBER, decimals, is_second_unit

FEWEST: Final = 3
"""Brackets that repeat their neighbour in the other unit; one or two may do so by chance."""
LEAST_PART: Final = 0.7
"""Of all brackets of a sheet: the text beside some stands nearer to another one."""
MOST_LABELS: Final = 2_000
"""Of one sheet that are compared: sheets with more are boards and maps."""
REACH: Final = 2.5
"""Heights of the larger lettering between a bracket and the size that it repeats."""

BEHIND: Final = 2.5
"""Letter heights from a size to the same one in the other unit, with a drawn bracket between them."""
LEVEL: Final = 0.3
"""Letter heights by which their middles are apart."""

UNDER: Final = 1.3
"""Heights of the larger lettering between a size and the bracket right under it, across their lines."""
ALIGNED: Final = 1.5
"""The same between their middles or their ends, along their lines."""
NEXT: Final = 1.5
"""The same between a size and the bracket right behind it."""

_DEVIATIONS: Final = rf"(?:\s?±\s?{NUMBER}|\s?\+\s?{NUMBER}\s?/?\s?[-−]\s?{NUMBER})?"
_BRACKETED: Final = re.compile(rf"\(\s?(?:S?[Ø⌀]|S?R)?\s?{NUMBER}{_DEVIATIONS}\s?\)")
_SIZE: Final = re.compile(rf"(?:S?[Ø⌀]|S?R)?\s?{NUMBER}{_DEVIATIONS}(?:\s(?i:MIN|MAX|TYP|SQ|REF)\.?){{0,2}}")
_DEVIATION: Final = re.compile(rf"[±+\-−]\s?({NUMBER})")


_WITH_DEVIATIONS: Final = re.compile(
    rf"(?:S?[Ø⌀]|S?R)?\s?(?P<size>{NUMBER})\s?\+\s?(?P<upper>{NUMBER})\s?/?\s?[-−]\s?(?P<lower>{NUMBER})"
)


class _SecondUnits(NamedTuple):
    """What stands in brackets on a sheet whose habit that is."""

    repeated: list[Label]
    """Gives the size beside it in the other unit, or its deviation."""
    unpaired: list[Label]
    """Looks like those, beside a size that was not read."""


def without_second_units(labels: Sequence[Label]) -> list[Label]:
    """The labels of a sheet without those that give the size beside them in the other unit, which is put behind a size that it stands
    right under; of sizes with deviations both as one."""
    if len(labels) > MOST_LABELS:
        return list(labels)
    repeated, unpaired = _second_units(labels)
    gone = {id(one) for one in (*repeated, *unpaired)}
    left = [each for each in labels if id(each) not in gone]
    for bracket in repeated:
        near = [each for each in left if _is_next(bracket, each) and _gives_again(bracket, each)]
        if len(near) == 1:
            [size] = near
            whole = joined(size, bracket, size, (*size.lines, bracket.text.strip()))
            left = [whole if each is size else each for each in left]
    return _with_second_behind(left)


def warnings_of_second_units(labels: Sequence[Label], page: int) -> list[str]:
    """A sentence on the sizes in brackets that are left out."""
    left_out = _second_units(labels).unpaired if len(labels) <= MOST_LABELS else []
    if not left_out:
        return []
    held = f"{count_of(len(left_out), 'size')} in brackets left out"
    return [
        f"page {page}: {held}, which may be a reference or, as others of the sheet, the size beside it in the other unit"
    ]


def _gives_again(bracket: Label, size: Label) -> bool:
    return _SIZE.fullmatch(size.text.strip()) is not None and _repeats(bracket, size)


def _is_next(bracket: Label, size: Label) -> bool:
    """Whether a bracket stands right under a size, or right behind it."""
    if not are_read_alike(bracket, size):
        return False
    height = max(bracket.height, size.height)
    left, low, right, high = upright_box(size)
    begin, bottom, end, top = upright_box(bracket)
    is_level = abs((low + high) - (bottom + top)) / 2 < LEVEL * height
    if is_level:
        return -LEVEL * height < begin - right < NEXT * height
    is_aligned = min(abs(begin - left), abs(end - right), abs(begin + end - left - right) / 2) < ALIGNED * height
    return is_aligned and -LEVEL * height < low - top < UNDER * height


def _with_second_behind(labels: list[Label]) -> list[Label]:
    """The labels, a size with two deviations and the same in the other unit right behind it as one."""
    deviated = [each for each in labels if _WITH_DEVIATIONS.fullmatch(each.text.strip())]
    gone: set[int] = set()
    for first in deviated:
        second = next((each for each in deviated if _is_right_behind(each, first) and _is_same(first, each)), None)
        if second is None or not gone.isdisjoint((id(first), id(second))):
            continue
        gone |= {id(first), id(second)}
        whole = joined(first, second, first, (f"{first.text.strip()} [{second.text.strip()}]",))
        labels = [whole if each is first else each for each in labels if each is not second]
    return labels


def _is_right_behind(second: Label, first: Label) -> bool:
    """Whether a label follows another one on its line."""
    if second is first or not are_read_alike(first, second):
        return False
    height = first.height
    _, low, right, high = upright_box(first)
    begin, bottom, _, top = upright_box(second)
    is_level = abs((low + high) - (bottom + top)) / 2 < LEVEL * height
    return is_level and 0 < begin - right < BEHIND * height


def _is_same(first: Label, second: Label) -> bool:
    """Whether two sizes with their deviations are one in inches and millimetres, in either order; deviations are rounded more."""
    one, two = (_WITH_DEVIATIONS.fullmatch(each.text.strip()) for each in (first, second))
    if one is None or two is None or not is_second_unit(one["size"], two["size"]):
        return False
    ratio = MILLIMETERS_AN_INCH if decimal_value(one["size"]) < decimal_value(two["size"]) else 1 / MILLIMETERS_AN_INCH
    return all(_is_rounded(decimal_value(one[name]) * ratio, two[name]) for name in ("upper", "lower"))


def _is_rounded(value: float, written: str) -> bool:
    """Whether a number is a value, rounded up or down to its decimals."""
    return abs(value - decimal_value(written)) < 1.5 * 10.0 ** -decimals_of(written)


def _second_units(labels: Sequence[Label]) -> _SecondUnits:
    """Nothing unless it is the habit of the sheet to repeat sizes in brackets; a reference stays."""
    bracketed = [each for each in labels if _BRACKETED.fullmatch(each.text.strip())]
    if len(bracketed) < FEWEST:
        return _SecondUnits([], [])
    sizes = [each for each in labels if _SIZE.fullmatch(each.text.strip())]
    repeated = [each for each in bracketed if any(_is_beside(each, size) and _repeats(each, size) for size in sizes)]
    if len(repeated) < max(FEWEST, LEAST_PART * len(bracketed)):
        return _SecondUnits([], [])
    others = _without(bracketed, repeated)
    deviations = [
        each for each in others if any(_is_beside(each, size) and _is_deviation(each, size) for size in sizes)
    ]
    return _SecondUnits(repeated + deviations, _unpaired(_without(others, deviations), repeated, sizes))


def _without(labels: Sequence[Label], gone: Sequence[Label]) -> list[Label]:
    names = set(map(id, gone))
    return [each for each in labels if id(each) not in names]


def _unpaired(others: Sequence[Label], repeated: Sequence[Label], sizes: Sequence[Label]) -> list[Label]:
    """Those of the other sizes in brackets that have as many decimals as most that repeat a size: they may be references or not.

    The decimals of sizes outside brackets, and so of references, are others.
    """
    [(usual, _)] = Counter(_decimals(each) for each in repeated).most_common(1)
    outside = {_decimals(size) for size in sizes if any(_repeats(each, size) for each in repeated)}
    if not usual or usual in outside:
        return []
    return [each for each in others if _decimals(each) == usual]


def _decimals(label: Label) -> int:
    return decimals(label.text.strip(" ()"))


def _repeats(bracketed: Label, size: Label) -> bool:
    return is_second_unit(size.text.strip(), bracketed.text.strip(" ()"))


def _is_deviation(bracketed: Label, size: Label) -> bool:
    """Whether a bracket gives the deviation of a size in the other unit, whose sign was not read: `(0,05)` under ±.002."""
    return any(is_second_unit(each, bracketed.text.strip(" ()")) for each in _DEVIATION.findall(size.text))


def _is_beside(one: Label, other: Label) -> bool:
    reach = REACH * max(one.height, other.height)
    left, bottom, right, top = one.box
    return (
        left - reach <= other.box[2]
        and other.box[0] <= right + reach
        and bottom - reach <= other.box[3]
        and other.box[1] <= top + reach
    )
