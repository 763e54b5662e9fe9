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
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from spatial.understanding.diagram.boxes import Box

RELATED: Final = 50_000
"""Most relations of a page."""

COMPARED: Final = 5_000_000
"""Most pairs of shapes of one parent that are compared; of a pile of thousands only neighbours by where they begin."""

LOOKED_AT: Final = 512
"""How many shapes that begin to the right of one are looked at for its neighbour, before it has none."""

MEET: Final = 0.5
"""Shapes that overlap by no more than this many pixels touch."""


Pair = tuple[str, str]
Relation = tuple[str, str, str]
Places: TypeAlias = npt.NDArray[np.int64]
Lengths: TypeAlias = npt.NDArray[np.float64]
Frames: TypeAlias = npt.NDArray[np.float64]
"""(n, 4): left, top, right, bottom of shapes, in file order."""

_DIRECTIONS: Final = ("left_of", "right_of", "above", "below")

_TURNED: Final = (1, 0, 3, 2)
"""Columns of frames with x and y exchanged, so that below becomes right."""


def relations(
    placed: Mapping[str, Box], parents: Mapping[str, str | None], edges: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, str]], bool]:
    """What the page's shapes are to each other, and whether there were more than RELATED."""
    joined: dict[Pair, str] = {}
    for edge in edges:
        if edge["source"] and edge["target"]:
            joined.setdefault((edge["source"], edge["target"]), edge["id"])
    families: dict[str | None, list[str]] = defaultdict(list)
    for name, parent in parents.items():
        families[parent].append(name)
    found: dict[Relation, None] = dict.fromkeys(
        ("contains", parent, name) for name, parent in parents.items() if parent is not None
    )
    for names in families.values():
        if len(names) > 1:
            found.update(dict.fromkeys(_of_family(names, np.array([placed[name] for name in names]))))
    _by_edges(found, joined, placed, parents)
    reported = [_record(relation, joined) for relation in islice(found, RELATED)]
    return reported, len(found) > RELATED


def _record(relation: Relation, joined: Mapping[Pair, str]) -> dict[str, str]:
    kind, subject, other = relation
    record = {"type": kind, "subject": subject, "object": other}
    if kind != "contains" and (edge := joined.get((subject, other)) or joined.get((other, subject))):
        record["via_edge"] = edge
    return record


def _of_family(names: Sequence[str], boxes: Lengths) -> Iterator[Relation]:
    """Relations of shapes with the same parent. boxes: (n, 4) x, y, width, height."""
    frames = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
    yield from _overlapping(names, frames)
    solid = np.flatnonzero((frames[:, 2] > frames[:, 0]) & (frames[:, 3] > frames[:, 1]))
    named, frames = [names[place] for place in solid.tolist()], frames[solid]
    yield from _neighbours(named, frames, "left_of", "right_of")
    yield from _neighbours(named, frames[:, _TURNED], "above", "below")


def _overlapping(names: Sequence[str], frames: Frames) -> Iterator[Relation]:
    """Shapes whose insides meet, and those that lie within another."""
    one, two = _meeting(frames)
    areas = (frames[:, 2] - frames[:, 0]) * (frames[:, 3] - frames[:, 1])
    first = areas[one] <= areas[two]
    inner, outer = np.where(first, one, two), np.where(first, two, one)
    holds = (
        (frames[outer, :2] - MEET <= frames[inner, :2]).all(axis=1)
        & (frames[inner, 2:] <= frames[outer, 2:] + MEET).all(axis=1)
        & (areas[outer] > areas[inner])
    )
    yield from _named("overlaps", names, one[~holds], two[~holds])
    inside, around = _closest(inner[holds], outer[holds], areas)
    yield from _named("contains", names, around, inside)


def _closest(inner: Places, outer: Places, areas: Lengths) -> tuple[Places, Places]:
    """Each shape that lies within others, in the order of the pairs, and the smallest of them, the first where some are as small."""
    inside, asked = np.unique(inner, return_index=True)
    order = np.lexsort((areas[outer], inner))
    starts = np.searchsorted(inner[order], inside)
    listed = np.argsort(asked)
    return inside[listed], outer[order[starts]][listed]


def _named(kind: str, names: Sequence[str], subjects: Places, others: Places) -> Iterator[Relation]:
    """The same relation between shapes by their places; no more of them than tell that a page has too many."""
    pairs = zip(subjects[: RELATED + 1].tolist(), others[: RELATED + 1].tolist(), strict=True)
    return ((kind, names[i], names[j]) for i, j in pairs)


def _meeting(frames: Frames) -> tuple[Places, Places]:
    """Pairs whose insides meet, each once, in file order."""
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
    return first[order], second[order]


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


def _neighbours(names: Sequence[str], frames: Frames, forward: str, backward: str) -> Iterator[Relation]:
    """Each shape's nearest to the right, and where that one's nearest to the left is another, that one too."""
    if not len(frames):
        return
    right = _following(frames)
    left = _following(frames[:, (2, 1, 0, 3)] * (-1.0, 1.0, -1.0, 1.0))
    one = np.flatnonzero(right >= 0)
    yield from _named(forward, names, one, right[one])
    one = np.flatnonzero(left >= 0)
    one = one[right[left[one]] != one]
    yield from _named(backward, names, one, left[one])


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
    found: dict[Relation, None],
    joined: Mapping[Pair, str],
    placed: Mapping[str, Box],
    parents: Mapping[str, str | None],
) -> None:
    """Relate what edges connect."""
    related = {(subject, other) for _, subject, other in found}
    for pair in joined:
        source, target = pair
        if source == target or pair in related or (target, source) in related:
            continue
        if source not in parents or target not in parents or parents[source] != parents[target]:
            continue
        if (relation := _apart(placed[source], placed[target])) is not None:
            found[relation, source, target] = None
            related.add(pair)


def _apart(one: Box, other: Box) -> str | None:
    """The direction in which two shapes are farther apart; None where they meet."""
    gaps = (
        other[0] - (one[0] + one[2]), one[0] - (other[0] + other[2]), other[1] - (one[1] + one[3]),
        one[1] - (other[1] + other[3]),
    )  # fmt: skip
    widest = max(gaps)
    return _DIRECTIONS[gaps.index(widest)] if widest >= -MEET else None
