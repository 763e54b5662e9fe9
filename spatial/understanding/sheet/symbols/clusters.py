"""Signs of a few straight strokes that touch, looked for beside many texts at once.

Glossary
  cluster  strokes of which each has an end on another, or crosses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.geometry.components import connected_components
from spatial.geometry.index import portions, whole_numbers
from spatial.knowledge.symbols import OUTLINES
from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.symbols.near import Surroundings
from spatial.understanding.sheet.symbols.shapes import Shape, symbol_of
from spatial.understanding.sheet.symbols.signs import Mark

LONGEST: Final = OUTLINES["⌴"].width[1]
"""A stroke of a sign beside a word, but for the legs of a surface texture sign: the foot of a wide ⌴."""
FARTHEST: Final = 5.5
"""Letter heights from a word to the farthest stroke of the signs before it: the left wall of a wide ⌴ before a Ø."""
PLENTY: Final = 120
"""More short strokes beside one text are lettering in outlines or a hatch."""
TOUCH: Final = 0.09
"""Strokes of one sign come this near to one another."""
DIRECTIONS: Final = {0b1111: 4, 0b0011: 2, 0b1100: 2, 0b0101: 4}
"""Which of level 1, upright 2, rising 4 and falling 8 the strokes of a sign have, and how many it has that touch, at least: ↧, ⌴ □ ±, ⌵ and
⏥."""
_LEAST_STROKES: Final = np.array([DIRECTIONS.get(directions, 99) for directions in range(16)])


def clusters(surroundings: Surroundings) -> Iterator[tuple[int, Mark]]:
    """The number of a text and a sign near it."""
    chosen = _chosen(surroundings)
    for part in _parts(surroundings.of[chosen]):
        yield from _signs(surroundings, chosen[part])


def _chosen(surroundings: Surroundings) -> Indices:
    """Strokes that stand in the gap before a word, of texts that have some, and not too many."""
    lines = surroundings.lines
    low, high = np.minimum(lines[:, 1], lines[:, 3]), np.maximum(lines[:, 1], lines[:, 3])
    fit = np.flatnonzero((surroundings.length > 0.1) & (surroundings.length < LONGEST) & (low > -0.7) & (high < 1.9))
    words = [
        (place, word.begin, word.free)
        for place in np.unique(surroundings.of[fit]).tolist()
        for word in surroundings.words(place)
        if word.begin - word.free > 0.7
    ]
    of, begin, free = np.array(words, dtype=float).reshape(-1, 3).T
    stroke, word = whole_numbers(
        np.searchsorted(of, surroundings.of[fit]), np.searchsorted(of, surroundings.of[fit], side="right")
    )
    middle = ((lines[fit, 0] + lines[fit, 2]) / 2.0)[stroke]
    start = begin[word]
    gap = (middle < start + 0.35) & (middle > np.maximum(free[word] - 0.35, start - FARTHEST))
    before = np.zeros(len(fit), bool)
    before[stroke[gap]] = True
    chosen = fit[before]
    many = np.bincount(surroundings.of[chosen], minlength=len(surroundings))[surroundings.of[chosen]]
    return np.asarray(chosen[(many >= 2) & (many <= PLENTY)])


def _parts(of: Indices) -> Iterator[slice]:
    """The strokes of some texts at a time."""
    first = np.flatnonzero(np.diff(of, prepend=-1))
    size = np.diff(np.append(first, len(of)))
    ends = np.append(first, len(of))
    for texts in portions(size * size):
        yield slice(int(ends[texts.start]), int(ends[texts.stop]))


def _signs(surroundings: Surroundings, chosen: Indices) -> Iterator[tuple[int, Mark]]:
    of, lines = surroundings.of[chosen], surroundings.lines[chosen]
    group = _touching(lines, of)
    for members in _likely(lines, group):
        place = int(of[members[0]])
        shape = Shape.of(lines[members])
        if shape.counts == (1, 1, 0, 0):
            text = np.flatnonzero(of == place)
            members = text[_with_a_bar_below(lines[text], np.searchsorted(text, members), shape)]  # noqa: PLW2901
            shape = Shape.of(lines[members])
        sign = symbol_of(shape)
        if sign is not None and surroundings.near(place).alone(chosen[members] - surroundings.first(place), shape.box):
            yield place, Mark(sign, shape.box, frozenset(surroundings.line[chosen[members]].tolist()))


def _likely(lines: Array, group: Indices) -> Iterator[Indices]:
    """Clusters of two to nine lines that are together of a sign's size and have its directions."""
    order = np.argsort(group, kind="stable")
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    if not len(first):
        return
    size = np.diff(np.append(first, len(order)))
    ordered = lines[order]
    low = np.minimum.reduceat(np.minimum(ordered[:, :2], ordered[:, 2:]), first)
    high = np.maximum.reduceat(np.maximum(ordered[:, :2], ordered[:, 2:]), first)
    extent = high - low
    likely = (size >= 2) & (size <= 9) & every(extent < 2.7) & every(extent > 0.24)
    likely &= np.abs((low[:, 1] + high[:, 1]) / 2.0 - 0.5) < 0.9
    directions = np.bitwise_or.reduceat(Shape.directions(np.round(ordered, 2)), first)
    likely &= size >= _LEAST_STROKES[directions]
    for place in np.flatnonzero(likely).tolist():
        yield order[first[place] : first[place] + size[place]]


def _with_a_bar_below(lines: Array, members: Indices, cross: Shape) -> Indices:
    """The members of a cross, and of the bar that makes it ±, which touches it in some letterings only."""
    left, bottom, right, _ = cross.box
    level = np.abs(lines[:, 1] - lines[:, 3]) < 0.06
    below = level & (np.abs(lines[:, 0] - left) < 0.1) & (np.abs(lines[:, 2] - right) < 0.1)
    below &= (lines[:, 1] < bottom + 0.02) & (lines[:, 1] > bottom - 0.4)
    return np.union1d(members, np.flatnonzero(below))


def _touching(lines: Array, of: Indices) -> Indices:
    """(n,) the cluster of each line; lines of one text only are of one."""
    one, other = _overlapping(lines, of)
    tied = _ends_on(lines[one], lines[other]) | _ends_on(lines[other], lines[one]) | _crossing(lines[one], lines[other])
    return connected_components(len(lines), one[tied], other[tied])


def _overlapping(lines: Array, of: Indices) -> tuple[Indices, Indices]:
    """Pairs of lines of one text whose boxes touch, each pair once."""
    one, other = whole_numbers(np.arange(1, len(of) + 1), np.searchsorted(of, of, side="right"))
    low, high = np.minimum(lines[:, :2], lines[:, 2:]) - TOUCH, np.maximum(lines[:, :2], lines[:, 2:])
    near = (low[one, 0] <= high[other, 0]) & (low[other, 0] <= high[one, 0])
    one, other = one[near], other[near]
    near = (low[one, 1] <= high[other, 1]) & (low[other, 1] <= high[one, 1])
    return one[near], other[near]


def _ends_on(lines: Array, others: Array) -> Flags:
    """Whether an end of each line lies on another line."""
    along = others[:, 2:] - others[:, :2]
    square = np.maximum((along * along).sum(axis=1), 1e-12)
    offset = lines.reshape(-1, 2, 2) - others[:, None, :2]
    at = np.clip((offset * along[:, None]).sum(axis=2) / square[:, None], 0.0, 1.0)
    miss = offset - at[..., None] * along[:, None]
    return np.asarray(((miss * miss).sum(axis=2) < TOUCH * TOUCH).any(axis=1))


def _crossing(one: Array, other: Array) -> Flags:
    """Whether two lines cross."""
    return np.asarray(_apart(one, other) & _apart(other, one))


def _apart(one: Array, other: Array) -> Flags:
    """Whether the ends of each line are on either side of another."""
    along = other[:, None, 2:] - other[:, None, :2]
    offset = one.reshape(-1, 2, 2) - other[:, None, :2]
    side = along[..., 0] * offset[..., 1] - along[..., 1] * offset[..., 0]
    return np.asarray(side[:, 0] * side[:, 1] < 0.0)
