"""left_of, above and the like: every object with its nearest neighbour in each direction with which it shares some extent across.

So an object has at most one neighbour in each direction that it names, and the number of relations grows with the number of objects,
not with its square. The rule is that of the relations of a diagram (docs/diagrams.md), in three dimensions too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.reasoning.scene.relations.boxes import Group
from spatial.reasoning.scene.relations.relation import RelationKind, SceneRelation

MODEL: Final[tuple[RelationKind, ...]] = ("left_of", "in_front_of", "below")
"""What an object is to one with a greater x, y, z: the front view of a model looks along +y, and z points up."""

UP: Final[tuple[RelationKind, ...]] = ("left_of", "below")
"""The same on a sheet, whose y points up."""

DOWN: Final[tuple[RelationKind, ...]] = ("left_of", "above")
"""The same in a diagram, whose y points down."""


def directions(group: Group, is_down: bool) -> Iterator[SceneRelation]:
    """Neighbours along every axis; objects that overlap along an axis are no neighbours along it."""
    names = MODEL if group.axes == 3 else DOWN if is_down else UP
    for axis, name in enumerate(names):
        for one, other in sorted(_neighbours(group, axis)):
            gap = float(group.low[other, axis] - group.high[one, axis])
            across = [float(-value) for place, value in enumerate(group.separation(one, other)) if place != axis]
            yield SceneRelation(
                type=name,
                subject=group.items[one].id,
                object=group.items[other].id,
                source="geometry",
                rule=f"nearest neighbour along {'xyz'[axis]} that shares extent across",
                measured={"gap": max(gap, 0.0), "shared_extent": across},
            )


def _neighbours(group: Group, axis: int) -> set[tuple[int, int]]:
    """Pairs of which the second is the nearest to the first in the axis' direction, or the first to the second against it."""
    found: set[tuple[int, int]] = set()
    others = [place for place in range(group.axes) if place != axis]
    for first, separation in group.chunks():
        rows = np.arange(first, first + len(separation))
        shares = np.asarray((separation[:, :, others] < -group.tolerance).all(axis=2))
        after = group.low[None, :, axis] - group.high[rows, None, axis]
        before = group.low[rows, None, axis] - group.high[None, :, axis]
        found |= {(one, other) for one, other in _nearest(after, shares, rows, group.tolerance)}
        found |= {(other, one) for one, other in _nearest(before, shares, rows, group.tolerance)}
    return found


def _nearest(gaps: np.ndarray, shares: np.ndarray, rows: np.ndarray, tolerance: float) -> Iterator[tuple[int, int]]:
    """For every row the column with the least gap that is not negative."""
    gaps = np.where(shares & (gaps >= -tolerance), gaps, np.inf)
    gaps[np.arange(len(rows)), rows] = np.inf
    nearest = gaps.argmin(axis=1)
    for place, column in enumerate(nearest):
        if np.isfinite(gaps[place, column]):
            yield int(rows[place]), int(column)
