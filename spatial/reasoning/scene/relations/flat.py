"""Flat shapes: which encloses which, which overlap, which share a side. Measured on their bounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spatial.reasoning.scene.relations.boxes import FLAT_SLACK, Group
from spatial.reasoning.scene.relations.relation import SceneRelation


def flat_relations(group: Group) -> Iterator[SceneRelation]:
    """contains (the smallest that encloses), overlaps, adjacent."""
    areas = (group.high - group.low).prod(axis=1)
    slack = group.diagonal * FLAT_SLACK
    for first, separation in group.chunks():
        rows = np.arange(first, first + len(separation))
        within = _within(group, rows, areas, group.tolerance)
        yield from _enclosed(group, rows, within, areas)
        yield from _touching(group, rows, separation, slack)


def _within(group: Group, rows: np.ndarray, areas: np.ndarray, tolerance: float) -> np.ndarray:
    """(rows, n) whether a row's object lies in a column's, which is larger."""
    inside = (group.low[rows, None] >= group.low[None] - tolerance) & (
        group.high[rows, None] <= group.high[None] + tolerance
    )
    return np.asarray(inside.all(axis=2) & (areas[rows, None] < areas[None] * (1 - 1e-9)))


def _enclosed(group: Group, rows: np.ndarray, within: np.ndarray, areas: np.ndarray) -> Iterator[SceneRelation]:
    ranked = np.where(within, areas[None], np.inf)
    for row, holder in zip(rows, ranked.argmin(axis=1), strict=True):
        if not np.isfinite(ranked[row - rows[0], holder]):
            continue
        margins = np.concatenate([group.low[row] - group.low[holder], group.high[holder] - group.high[row]])
        yield SceneRelation(
            type="contains",
            subject=group.items[holder].id,
            object=group.items[row].id,
            source="geometry",
            rule="smallest shape whose bounds enclose it",
            measured={"least_margin": float(margins.min())},
        )


def _touching(group: Group, rows: np.ndarray, separation: np.ndarray, slack: float) -> Iterator[SceneRelation]:
    """Each pair once, in the order of the group; nested shapes are no overlap."""
    near = (separation.max(axis=2) <= slack) & (np.arange(len(group.items))[None] > rows[:, None])
    for place, other in np.argwhere(near):
        one, gaps = int(rows[place]), separation[place, other]
        if _is_nested(group, one, int(other)):
            continue
        ids = group.items[one].id, group.items[int(other)].id
        if gaps.max() < -slack:
            measured = {"depth": float(-gaps.max())}
            yield SceneRelation("overlaps", *ids, "geometry", "bounds whose interiors meet", measured)
        elif gaps.min() < -slack:
            measured = {"gap": float(max(gaps.max(), 0.0)), "shared_side": float(-gaps.min())}
            yield SceneRelation("adjacent", *ids, "geometry", "bounds that share a piece of a side", measured)


def _is_nested(group: Group, one: int, other: int) -> bool:
    for inner, outer in ((one, other), (other, one)):
        low = group.low[inner] >= group.low[outer] - group.tolerance
        if low.all() and (group.high[inner] <= group.high[outer] + group.tolerance).all():
            return True
    return False
