"""How often a basic size applies, which stands beside its box: `(5X)` before 1.27 in a box. ASME Y14.5-2018 §4.6.10 and §5.3.4."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label, are_read_alike, joined
from spatial.understanding.sheet.lettering.words import is_plain

LEVEL: Final = 0.4
"""Letter heights between the middles of a count and its size, across their line."""
GAP: Final = 2.0
"""The same between their ends, along it."""
LETTER: Final = 0.8
"""Letter heights that a character takes at most."""
MOST: Final = 100
"""Counts of a sheet that stand alone."""

_COUNT: Final = re.compile(r"\(?\d{1,3}\s?[xX×]\)?")


def with_counts_joined(labels: Sequence[Label]) -> list[Label]:
    """The labels, a count that stands alone beside the box of a size put before or behind it; one that may be of two stays alone."""
    found = list(labels)
    counts = [each for each in labels if not each.boxed and _COUNT.fullmatch(each.text.strip())][:MOST]
    boxed = [each for each in labels if each.boxed and len(each.lines) == 1 and is_plain(each.text)] if counts else []
    for count in counts:
        near = [size for size in boxed if _is_beside(count, size)]
        if len(near) != 1:
            continue
        [size] = near
        boxed = [each for each in boxed if each is not size]
        whole = _whole(count, size)
        found = [whole if each is size else each for each in found if each is not count]
    return found


def _whole(count: Label, size: Label) -> Label:
    first, second = (count, size) if _along(count) < _along(size) else (size, count)
    whole = joined(first, second, size, (f"{first.text.strip()} {second.text.strip()}",))
    return replace(whole, sources=tuple(dict.fromkeys(whole.sources)))


def _is_beside(count: Label, size: Label) -> bool:
    if not are_read_alike(count, size):
        return False
    half = LETTER * (len(count.text) * count.height + len(size.text) * size.height) / 2
    is_level = abs(_across(count) - _across(size)) < LEVEL * size.height
    return is_level and abs(_along(count) - _along(size)) < half + GAP * size.height


def _along(label: Label) -> float:
    return _upright(label)[0]


def _across(label: Label) -> float:
    return _upright(label)[1]


def _upright(label: Label) -> tuple[float, float]:
    """The middle of a label where its lettering reads from left to right."""
    x, y = label.position
    at = turned((x, y, x, y), quarter_turn(label.angle))
    return at[0], at[1]
