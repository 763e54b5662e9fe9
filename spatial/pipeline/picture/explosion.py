"""An assembly with its bodies apart, each moved along one axis until nothing is in its way.

Glossary
  rank   bodies of one size that leave in one direction from one level, as the screws of a cover: they move together.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.pipeline.picture.scene import SceneBody

GAP: Final = 0.06
"""Room between bodies along the axis on which they were moved, as a part of the assembly's size."""

ROUND: Final = 0.84
"""Least ratio of two sides of a box that are those of something round: a hexagon has 0.87."""

_DIGITS: Final = 3
"""Decimals of sizes and levels, as parts of the assembly's size, that are the same."""


def exploded(found: list[SceneBody]) -> list[SceneBody]:
    """The bodies apart, the largest where it was; screws, pins and nuts leave along their own axis."""
    boxes = np.array([body.mesh.box for body in found])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0))) or 1.0
    middle = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2.0
    shifts = np.zeros((len(found), 3))
    placed: list[Array] = []
    for rank, way in _ranks(boxes, middle, size):
        distance = 0.0 if not placed else _free(boxes[rank], way, np.array(placed), GAP * size)
        shifts[rank] = distance * way
        placed += [*(boxes[rank] + shifts[rank][:, None])]
    return [body.moved(shift) for body, shift in zip(found, shifts, strict=True)]


def _ranks(boxes: Array, middle: Array, size: float) -> list[tuple[list[int], Array]]:
    """The ranks, the largest bodies first, each with the direction in which it leaves."""
    spans = np.ptp(boxes, axis=1)
    half = np.maximum(np.ptp(boxes.reshape(-1, 3), axis=0) / 2.0, 1e-9 * size)
    ways = [_way(span, box.mean(axis=0) - middle, half) for span, box in zip(spans, boxes, strict=True)]
    groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for place, way in enumerate(ways):
        level = float(boxes[place].mean(axis=0) @ way)
        groups[*way, *np.round(np.array([*spans[place], level]) / size, _DIGITS).tolist()].append(place)
    ranks = [
        part
        for group in groups.values()
        for part in ([group] if _are_apart(boxes[group]) else [[one] for one in group])
    ]
    ordered = sorted(
        ranks, key=lambda rank: (-float(np.prod(spans[rank[0]])), _away(boxes[rank[0]], ways[rank[0]], middle))
    )
    return [(rank, ways[rank[0]]) for rank in ordered]


def _away(box: Array, way: Array, middle: Array) -> float:
    """How far a box is from the middle along a direction: of equal bodies the inner ones are placed first."""
    return float((box.mean(axis=0) - middle) @ way)


def _way(span: Array, away: Array, half: Array) -> Array:
    """One of six: along the axis of something round, else where the body is furthest out."""
    axis = _axis(span)
    axis = int(np.argmax(np.abs(away) / half)) if axis is None else axis
    way = np.zeros(3)
    way[axis] = 1.0 if away[axis] >= 0.0 else -1.0
    return way


def _axis(span: Array) -> int | None:
    """Of a body whose box is as wide as deep, and not as high: the direction of its height."""
    order = np.argsort(span)
    small, middle, large = span[order]
    if middle >= ROUND * large and small < ROUND * middle:
        return int(order[0])
    return int(order[2]) if small >= ROUND * middle and middle < ROUND * large else None


def _are_apart(boxes: Array) -> bool:
    common = np.minimum(boxes[:, None, 1], boxes[None, :, 1]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    meeting = np.asarray((common > 0.0).all(axis=2))
    return not meeting[~np.eye(len(boxes), dtype=bool)].any()


def _free(boxes: Array, way: Array, placed: Array, gap: float) -> float:
    """How far boxes (n, 2, 3) have to move until none is nearer to one that is placed than a gap, where they pass it."""
    axis, sign = int(np.argmax(np.abs(way))), float(way.sum())
    others = [other for other in range(3) if other != axis]
    common = np.minimum(boxes[:, None, 1], placed[None, :, 1]) - np.maximum(boxes[:, None, 0], placed[None, :, 0])
    passing = (common[..., others] > 1e-6 * gap).all(axis=2)
    begins = np.where(sign > 0.0, boxes[:, 0, axis], -boxes[:, 1, axis])[:, None]
    ends = np.where(sign > 0.0, boxes[:, 1, axis], -boxes[:, 0, axis])[:, None]
    lows = np.where(sign > 0.0, placed[:, 0, axis], -placed[:, 1, axis])[None] - ends - gap
    highs = np.where(sign > 0.0, placed[:, 1, axis], -placed[:, 0, axis])[None] - begins + gap
    distance = 0.0
    for low, high in sorted(zip(lows[passing].tolist(), highs[passing].tolist(), strict=True)):
        if low < distance < high:
            distance = high
    return distance
