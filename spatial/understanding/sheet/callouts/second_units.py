"""Sizes that datasheets give twice, the second time in round brackets and in the other unit: `10.2` with `(0.4)` beside it.

ASME Y14.5-2018 §4.2 has square brackets for that; round ones mean reference, unless they hold again and again what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering.printed_size import NUMBER, is_second_unit

FEWEST: Final = 3
"""Brackets that repeat their neighbour in the other unit; one or two may do so by chance."""
LEAST_PART: Final = 0.7
"""Of all brackets of a sheet: the text beside some stands nearer to another one."""
MOST_LABELS: Final = 2_000
"""Of one sheet that are compared: sheets with more are boards and maps."""
REACH: Final = 2.5
"""Heights of the larger lettering between a bracket and the size that it repeats."""

_DEVIATIONS: Final = rf"(?:\s?±\s?{NUMBER}|\s?\+\s?{NUMBER}\s?/?\s?[-−]\s?{NUMBER})?"
_BRACKETED: Final = re.compile(rf"\(\s?{NUMBER}{_DEVIATIONS}\s?\)")
_SIZE: Final = re.compile(rf"(?:S?Ø|S?R)?\s?{NUMBER}{_DEVIATIONS}")


def without_second_units(labels: Sequence[Label]) -> list[Label]:
    """The labels of a sheet without those in round brackets that give the size beside them in the other unit."""
    names = _second_units(labels) if len(labels) <= MOST_LABELS else frozenset()
    return [each for each in labels if not names or names.isdisjoint(each.sources)]


def _second_units(labels: Sequence[Label]) -> frozenset[str]:
    """Ids of the texts in brackets that repeat the size beside them, where it is the habit of the sheet; a reference stays."""
    bracketed = [each for each in labels if _BRACKETED.fullmatch(each.text.strip())]
    if len(bracketed) < FEWEST:
        return frozenset()
    sizes = [each for each in labels if _SIZE.fullmatch(each.text.strip())]
    repeated = [each for each in bracketed if any(_is_beside(each, size) and _repeats(each, size) for size in sizes)]
    is_habit = len(repeated) >= max(FEWEST, LEAST_PART * len(bracketed))
    return frozenset(name for each in repeated for name in each.sources) if is_habit else frozenset()


def _repeats(bracketed: Label, size: Label) -> bool:
    return is_second_unit(size.text.strip(), bracketed.text.strip(" ()"))


def _is_beside(one: Label, other: Label) -> bool:
    reach = REACH * max(one.height, other.height)
    left, bottom, right, top = one.box
    return (
        left - reach <= other.box[2]
        and other.box[0] <= right + reach
        and bottom - reach <= other.box[3]
        and other.box[1] <= top + reach
    )
