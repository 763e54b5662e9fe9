"""How the shapes of a page lie to each other: few enough to be read, enough to know the layout.

The rule, among shapes that have the same parent and are visible:
  contains            every parent of its children; and the smallest other shape that a shape lies within entirely.
  overlaps            two shapes whose insides meet, neither within the other.
  left_of, above      a shape and the nearest one to its right (below it) that it shares some height (width) with.
  right_of, below     likewise to its left (above it), where that neighbour does not already say so the other way round.
Two shapes that an edge connects are related even where they are not neighbours, by the direction in which they are farther
apart; `via_edge` names the edge. Everything is near-linear in the number of shapes: they are swept along the emptier axis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from spatial.extraction.diagram.boxes import Box

RELATED: Final = 50_000
"""Most relations of a page."""

COMPARED: Final = 20_000_000
"""Most pairs of shapes of one parent that are compared; of a pile of thousands only neighbours by where they begin."""

LOOKED_AT: Final = 512
"""How many shapes that begin to the right of one are looked at for its neighbour, before it has none."""

MEET: Final = 0.5
"""Shapes that overlap by no more than this many pixels touch."""


class Shape(NamedTuple):
    """A shape and its edges: left, top, right, bottom."""

    id: str
    x0: float
    y0: float
    x1: float
    y1: float


Pair = tuple[str, str]
Places: TypeAlias = npt.NDArray[np.int64]
Lengths: TypeAlias = npt.NDArray[np.float64]


def relations(
    placed: Mapping[str, Box], parents: Mapping[str, str | None], edges: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, str]], bool]:
    """What the page's shapes are to each other, and whether there were more than RELATED."""
    joined: dict[Pair, str] = {}
    for edge in edges:
        if edge["source"] and edge["target"]:
            joined.setdefault((edge["source"], edge["target"]), edge["id"])
    families: dict[str | None, list[Shape]] = defaultdict(list)
    for name, parent in parents.items():
        x, y, width, height = placed[name]
        families[parent].append(Shape(name, x, y, x + width, y + height))
    found: dict[tuple[str, str, str], None] = {}
    for name, parent in parents.items():
        if parent is not None:
            found[("contains", parent, name)] = None
    for family in families.values():
        for relation in _of_family(family):
            found[relation] = None
    _by_edges(found, joined, {shape.id: (shape, parent) for parent, family in families.items() for shape in family})
    told = [_record(relation, joined) for relation in list(found)[:RELATED]]
    return told, len(found) > RELATED


def _record(relation: tuple[str, str, str], joined: Mapping[Pair, str]) -> dict[str, str]:
    kind, subject, other = relation
    edge = joined.get((subject, other)) or joined.get((other, subject))
    record = {"type": kind, "subject": subject, "object": other}
    return record | {"via_edge": edge} if edge and kind != "contains" else record


def _of_family(family: Sequence[Shape]) -> Iterator[tuple[str, str, str]]:
    """Relations of shapes with the same parent."""
    if len(family) < 2:
        return
    meeting = list(_meeting(family))
    within: dict[str, Shape] = {}
    for one, other in meeting:
        inner, outer = (one, other) if _area(one) <= _area(other) else (other, one)
        if _holds(outer, inner):
            if inner.id not in within or _area(outer) < _area(within[inner.id]):
                within[inner.id] = outer
        else:
            yield "overlaps", one.id, other.id
    yield from (("contains", outer.id, inner) for inner, outer in within.items())
    solid = [shape for shape in family if shape.x1 > shape.x0 and shape.y1 > shape.y0]
    yield from _neighbours(solid, "left_of", "right_of")
    yield from _neighbours([_turned(shape) for shape in solid], "above", "below")


def _turned(shape: Shape) -> Shape:
    """With x and y exchanged, so that below becomes right."""
    return Shape(shape.id, shape.y0, shape.x0, shape.y1, shape.x1)


def _area(shape: Shape) -> float:
    return (shape.x1 - shape.x0) * (shape.y1 - shape.y0)


def _holds(outer: Shape, inner: Shape) -> bool:
    return (
        outer.x0 - MEET <= inner.x0
        and outer.y0 - MEET <= inner.y0
        and inner.x1 <= outer.x1 + MEET
        and inner.y1 <= outer.y1 + MEET
        and _area(outer) > _area(inner)
    )


def _meeting(family: Sequence[Shape]) -> Iterator[tuple[Shape, Shape]]:
    """Pairs whose insides meet, each once, in file order."""
    frames = np.array([shape[1:] for shape in family])
    across, down = _met(frames[:, 0], frames[:, 2]), _met(frames[:, 1], frames[:, 3])
    # Sweep along the axis on which fewer meet, and ask of those about the other.
    along, other = (across, (1, 3)) if across.pairs <= down.pairs else (down, (0, 2))
    one, two = along.listed()
    low, high = frames[:, other[0]], frames[:, other[1]]
    meet = np.minimum(high[one], high[two]) - np.maximum(low[one], low[two]) > MEET
    meet &= along.ends[one] - along.starts[two] > MEET
    meet &= along.ends[two] - along.starts[two] > MEET
    first, second = np.minimum(one[meet], two[meet]), np.maximum(one[meet], two[meet])
    order = np.lexsort((second, first))
    yield from ((family[i], family[j]) for i, j in zip(first[order].tolist(), second[order].tolist(), strict=True))


class _Sweep(NamedTuple):
    """Who begins before another ends, along one axis."""

    order: Places
    """Places by where they begin."""
    following: Places
    """How many of those that begin next do so before it ends."""
    starts: Lengths
    ends: Lengths

    @property
    def pairs(self) -> int:
        return int(self.following.sum())

    def listed(self) -> tuple[Places, Places]:
        """Both places of each pair, COMPARED at most."""
        counts = self.following
        if self.pairs > COMPARED:
            counts = np.minimum(counts, COMPARED // len(counts))
        ahead = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + 1
        one = np.repeat(np.arange(len(counts)), counts)
        return self.order[one], self.order[one + ahead]


def _met(starts: Lengths, ends: Lengths) -> _Sweep:
    order = np.argsort(starts, kind="stable")
    until = np.searchsorted(starts[order], ends[order] - MEET, side="left")
    return _Sweep(order, np.maximum(until - np.arange(len(order)) - 1, 0), starts, ends)


def _neighbours(family: Sequence[Shape], forward: str, backward: str) -> Iterator[tuple[str, str, str]]:
    """Each shape's nearest to the right, and where that one's nearest to the left is another, that one too."""
    right = dict(_nearest(family))
    mirrored = [Shape(shape.id, -shape.x1, shape.y0, -shape.x0, shape.y1) for shape in family]
    yield from ((forward, one, other) for one, other in right.items())
    yield from ((backward, one, other) for one, other in _nearest(mirrored) if right.get(other) != one)


def _nearest(family: Sequence[Shape]) -> Iterator[Pair]:
    """Each shape that has one, and the shape that begins next to the right of it at a common height."""
    if not family:
        return
    found = _following(np.array([shape[1:] for shape in family]))
    for place in np.flatnonzero(found >= 0).tolist():
        yield family[place].id, family[int(found[place])].id


def _following(frames: Lengths) -> Places:
    """For each frame (x0, y0, x1, y1) the place of the next to the right; -1 where there is none.

    Frames are looked up by the bands of height that they lie in, in the order in which they begin.
    """
    count = len(frames)
    order = np.argsort(frames[:, 0], kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    asked = np.searchsorted(frames[order, 0], frames[:, 2] - MEET, side="left")
    owner, band = _bands(frames[:, 1], frames[:, 3])
    keys = band * (count + 1) + rank[owner]
    listed = np.argsort(keys)
    keys, members, bands = keys[listed], owner[listed], band[listed]
    at = np.searchsorted(keys, band * (count + 1) + asked[owner], side="left")
    best = np.full(count, count, np.int64)
    open_ = np.arange(len(owner))
    for _ in range(LOOKED_AT):
        open_ = open_[at[open_] < len(keys)]
        open_ = open_[bands[at[open_]] == band[open_]]
        if not len(open_):
            break
        mine, theirs = owner[open_], members[at[open_]]
        shared = np.minimum(frames[mine, 3], frames[theirs, 3]) - np.maximum(frames[mine, 1], frames[theirs, 1])
        hit = (shared > MEET) & (mine != theirs)
        np.minimum.at(best, mine[hit], rank[theirs[hit]])
        open_ = open_[~hit]
        at[open_] += 1
    return np.where(best < count, order[np.minimum(best, count - 1)], -1)


def _bands(low: Lengths, high: Lengths) -> tuple[Places, Places]:
    """Each frame's place once for every band of height that it lies in, and that band."""
    heights = high - low
    # Twice the middle height; the mean where a few are so tall that they would lie in too many.
    step = max(2.0 * float(np.median(heights)), float(heights.mean()), 1.0)
    first, last = np.floor(low / step).astype(np.int64), np.floor(high / step).astype(np.int64)
    first -= (lowest := int(first.min()))
    last -= lowest
    counts = last - first + 1
    owner = np.repeat(np.arange(len(low)), counts)
    ahead = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    _, band = np.unique(first[owner] + ahead, return_inverse=True)
    return owner, band


def _by_edges(
    found: dict[tuple[str, str, str], None],
    joined: Mapping[Pair, str],
    shapes: Mapping[str, tuple[Shape, str | None]],
) -> None:
    """Relate what edges connect."""
    related = {frozenset((subject, other)) for _, subject, other in found}
    for source, target in joined:
        if source == target or source not in shapes or target not in shapes or frozenset((source, target)) in related:
            continue
        (one, parent), (other, parent_of_other) = shapes[source], shapes[target]
        if parent == parent_of_other and (relation := _apart(one, other)) is not None:
            found[relation, source, target] = None
            related.add(frozenset((source, target)))


def _apart(one: Shape, other: Shape) -> str | None:
    """The direction in which two shapes are farther apart; None where they meet."""
    gaps = {
        "left_of": other.x0 - one.x1,
        "right_of": one.x0 - other.x1,
        "above": other.y0 - one.y1,
        "below": one.y0 - other.y1,
    }
    direction = max(gaps, key=lambda name: gaps[name])
    return direction if gaps[direction] >= -MEET else None
