"""Deviations in two units on a line of their own over the size that they belong to: `±.015 [±0.38]` over `.653 [16.59]`.

ASME Y14.5-2018 §4.2 and §5.3: both are one dimension. A text of dimensions that a draughtsman sets in two heights is broken so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.understanding.sheet.label import Label, are_read_alike, joined, upright_box
from spatial.understanding.sheet.lettering.printed_size import NUMBER, is_second_unit

GAP: Final = 1.2
"""Letter heights between the two lines."""
MOST: Final = 100
"""Such deviations of a sheet."""

_DEVIATIONS: Final = re.compile(rf"±\s?{NUMBER}\s?\[\s?±\s?{NUMBER}\s?\]")
_SIZE: Final = re.compile(rf"(?P<first>(?:S?[Ø⌀]|S?R)?\s?{NUMBER})\s?\[\s?(?P<second>(?:S?[Ø⌀]|S?R)?\s?{NUMBER})\s?\]")


def with_deviations_joined(labels: Sequence[Label]) -> list[Label]:
    """The labels, deviations in two units behind the size that they stand over, or under; those that may be of either stay alone."""
    found = list(labels)
    deviations = [each for each in labels if _DEVIATIONS.fullmatch(each.text.strip())][:MOST]
    sizes = [each for each in labels if _is_size(each)] if deviations else []
    for deviation in sorted(deviations, key=lambda each: -upright_box(each)[1]):
        near = [size for size in sizes if _is_next(size, deviation)]
        if len(near) != 1:
            continue
        [size] = near
        sizes = [each for each in sizes if each is not size]
        whole = joined(size, deviation, size, (size.lines[0], *deviation.lines, *size.lines[1:]))
        found = [whole if each is size else each for each in found if each is not deviation]
    return found


def _is_size(label: Label) -> bool:
    found = _SIZE.fullmatch(label.lines[0].strip())
    return found is not None and not label.boxed and is_second_unit(found["first"], found["second"])


def _is_next(size: Label, deviation: Label) -> bool:
    """Whether deviations stand right over or under a size, most of them beside its length."""
    if not are_read_alike(size, deviation):
        return False
    left, low, right, high = upright_box(size)
    begin, bottom, end, top = upright_box(deviation)
    gap = max(bottom - high, low - top)
    return gap < GAP * deviation.height and min(right, end) - max(left, begin) > (end - begin) / 2
