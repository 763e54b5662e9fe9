"""The circles and arcs of a sheet, those too that are drawn in parts: as several arcs, or as chords."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet

CHORDS: Final = (3, 24)
"""Least and most strokes of an arc that is drawn with chords."""
WIDEST_CHORD: Final = 60.0
"""Degrees that a chord of an arc goes round at most: the corners of a rectangle are on one circle too."""
CLOSED: Final = (345.0, 375.0)
"""Degrees that the arcs of a circle go round together: they may leave gaps, and overlap a little."""
WHOLE: Final = 359.0
"""Degrees from which one arc is a circle."""
LEAST_ARCS: Final = 180.0
"""The same of arcs that chords complete."""
ON_CIRCLE: Final = 0.04
"""Part of the radius by which an end of a chord may miss the circle."""
_NONE: Final = np.zeros(0, np.int64)


def drawn_circles(sheet: Sheet, height: float) -> tuple[Array, list[list[int]]]:
    """Circles and arcs (n, 5), arcs of one circle that close it as one, closed curves as circles, chains of chords as arcs.

    height: of the tallest letters. Of each also its entities.
    """
    circles = sheet.arcs.circles
    members = [[int(entity)] for entity in sheet.arcs.entity]
    extra: list[list[float]] = []
    for x, y, radius, places, chords in _closing(circles, sheet.strokes.ends, height):
        extra.append([x, y, radius, 0.0, 360.0])
        members.append([*sheet.arcs.entity[places].tolist(), *sheet.strokes.entity[chords].tolist()])
    chains = _chains(sheet.strokes.ends)
    for x, y, radius, entity in _loops(sheet, *chains):
        extra.append([x, y, radius, 0.0, 360.0])
        members.append([entity])
    bent, entities = _bent(sheet, height, *chains)
    members += [[entity] for entity in entities]
    return np.concatenate([circles, np.array(extra).reshape(-1, 5), bent]), members


def whole(circles: Array) -> Flags:
    """(n,) which of some arcs (n, 5) go round a whole circle."""
    return np.asarray(circles[:, 4] - circles[:, 3] >= WHOLE)


def _closing(circles: Array, ends: Array, height: float) -> Iterator[tuple[float, float, float, Indices, Indices]]:
    """Circles that are drawn as several arcs, or, where they are no larger than letters, as arcs and the chords between them.

    Of each its centre, its radius, its arcs and its chords, as places in `circles` and `ends`.
    """
    span = np.where(circles[:, 4] <= circles[:, 3], circles[:, 4] + 360.0, circles[:, 4]) - circles[:, 3]
    part = np.flatnonzero((span < WHOLE) & every(np.isfinite(circles)))
    if not len(part):
        return
    index: CellIndex | None = None
    key = np.round(circles[part, :3] / 0.3).astype(np.int64)
    order = np.lexsort(key.T)
    fresh = np.append(True, np.abs(np.diff(key[order], axis=0)).max(axis=1) > 0)
    for group in np.split(part[order], np.flatnonzero(fresh)[1:]):
        if len(group) < 2:
            continue
        x, y, radius = circles[group, :3].mean(axis=0).tolist()
        chords, turned = _NONE, 0.0
        if LEAST_ARCS < span[group].sum() < CLOSED[0] and radius < height:
            index = index or _short_strokes(ends, height)
            chords, turned = _chords_of(ends, index, (x, y, radius))
        if CLOSED[0] < span[group].sum() + turned < CLOSED[1]:
            yield x, y, radius, group, chords


def _short_strokes(ends: Array, height: float) -> CellIndex:
    """Strokes no longer than letters are high, by their middles."""
    with np.errstate(all="ignore"):
        short = np.flatnonzero(np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) < height)
    return CellIndex((ends[short, :2] + ends[short, 2:]) / 2.0, height, short)


def _chords_of(ends: Array, index: CellIndex, circle: tuple[float, float, float]) -> tuple[Indices, float]:
    """The strokes that begin and end on a circle and are short beside it, and the degrees that they go round together."""
    x, y, radius = circle
    near = index.in_box((x - radius, y - radius, x + radius, y + radius))
    arms = ends[near] - (x, y, x, y)
    away = np.abs(np.hypot(arms[:, [0, 2]], arms[:, [1, 3]]) - radius).max(axis=1, initial=0.0)
    chord = np.hypot(arms[:, 2] - arms[:, 0], arms[:, 3] - arms[:, 1])
    on = (away < ON_CIRCLE * radius) & (chord > 0.0) & (chord < radius)
    return near[on], float(np.degrees(2.0 * np.arcsin(chord[on] / (2.0 * radius))).sum())


def _loops(sheet: Sheet, first: Indices, count: Indices, closed: Flags) -> Iterator[tuple[float, float, float, int]]:
    """Closed chains of six or more short strokes that are nearly round: centre, mean radius, entity."""
    ends = sheet.strokes.ends
    for begin, size in zip(first[closed & (count >= 6)].tolist(), count[closed & (count >= 6)].tolist(), strict=True):
        if size > 200:
            continue
        points = ends[begin : begin + size, :2]
        low, high = points.min(axis=0), points.max(axis=0)
        centre, half = (low + high) / 2.0, (high - low) / 2.0
        if min(half) <= 0.0 or max(half) > 1.7 * min(half):
            continue
        arm = np.hypot(*((points - centre).T))
        if arm.min() >= 0.9 * min(half) and arm.max() <= 1.15 * max(half):
            yield float(centre[0]), float(centre[1]), float(arm.mean()), int(sheet.strokes.entity[begin])


def _chains(ends: Array) -> tuple[Indices, Indices, Flags]:
    """Of strokes that go on from one another: the first, how many there are, whether they close."""
    if not len(ends):
        return _NONE, _NONE, np.zeros(0, bool)
    scale = np.abs(ends[np.isfinite(ends)]).max(initial=1.0)
    fresh = np.ones(len(ends), bool)
    with np.errstate(all="ignore"):
        fresh[1:] = ~(greatest(np.abs(ends[1:, :2] - ends[:-1, 2:])) <= 1e-5 * scale)
        first = np.flatnonzero(fresh)
        count = np.diff(np.append(first, len(ends)))
        closed = greatest(np.abs(ends[first, :2] - ends[first + count - 1, 2:])) <= 2e-5 * scale
    return first, count, closed


def _bent(sheet: Sheet, height: float, first: Indices, count: Indices, closed: Flags) -> tuple[Array, list[int]]:
    """Arcs (n, 5) that are drawn as three or more chords, no longer than a bracket; the entity of each.

    CAD writes brackets so where its own stroke font has no arcs.
    """
    ends = sheet.strokes.ends
    some = ~closed & (count >= CHORDS[0]) & (count <= CHORDS[1])
    first, count = first[some], count[some]
    if not len(first):
        return np.zeros((0, 5)), []
    begin, middle, end = ends[first, :2], ends[first + count // 2, :2], ends[first + count - 1, 2:]
    with np.errstate(all="ignore"):
        centre = _centre(begin, middle, end)
        radius, chord = np.hypot(*(begin - centre).T), np.hypot(*(end - begin).T)
        good = np.flatnonzero((chord < 4.0 * height) & (radius < 3.0 * chord) & (radius > 0.5 * chord))
    which = np.repeat(good, count[good])
    if not len(which):
        return np.zeros((0, 5)), []
    starts = np.cumsum(count[good]) - count[good]
    stroke = np.arange(len(which)) - np.repeat(starts, count[good]) + first[which]
    off = np.abs(np.hypot(*(ends[stroke, 2:] - centre[which]).T) - radius[which])
    good = good[np.maximum.reduceat(off, starts) < 0.04 * chord[good]]
    arm, last, over = begin[good] - centre[good], end[good] - centre[good], middle[good] - begin[good]
    left = arm[:, 0] * over[:, 1] - arm[:, 1] * over[:, 0] > 0.0
    turns = np.degrees(np.arctan2(np.stack([arm[:, 1], last[:, 1]]), np.stack([arm[:, 0], last[:, 0]])))
    start, stop = np.where(left, turns[0], turns[1]), np.where(left, turns[1], turns[0])
    span = (stop - start) % 360.0
    bent = span <= WIDEST_CHORD * count[good]
    arcs: Array = np.column_stack([centre[good], radius[good], start, start + span])[bent]
    return arcs, sheet.strokes.entity[first[good][bent]].tolist()


def _centre(one: Array, two: Array, three: Array) -> Array:
    """(n, 2) of circles through three points each; not finite where they are on a line."""
    second, third = two - one, three - one
    twice = 2.0 * (second[:, 0] * third[:, 1] - second[:, 1] * third[:, 0])
    square, cube = (second * second).sum(axis=1), (third * third).sum(axis=1)
    x = (third[:, 1] * square - second[:, 1] * cube) / twice
    y = (second[:, 0] * cube - third[:, 0] * square) / twice
    found: Array = one + np.column_stack([x, y])
    return found
