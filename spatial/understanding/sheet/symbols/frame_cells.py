"""Signs in the cells of feature control frames (ASME Y14.5-2018 §6, ISO 1101): the geometric characteristics.

Glossary
  cell   a ruled compartment on the baseline of a text, left of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags, Indices
from spatial.understanding.sheet.symbols.near import Near, Surroundings
from spatial.understanding.sheet.symbols.shapes import Shape
from spatial.understanding.sheet.symbols.signs import MEET, Mark

LEAST: Final = 1.1
MOST: Final = 4.0
"""Letter heights that a cell is high and wide."""
MOST_OF_TWO: Final = 5.4
"""The same of the height of a cell before two lines, as that of a composite tolerance (ASME Y14.5-2018 §10.5)."""
SAME_WALL: Final = 0.06
"""Letter heights between two strokes that are one side of a high cell."""
NEXT: Final = 4
"""The sides of a cell have fewer than so many upright strokes between them."""
CROWDED: Final = 60
"""More upright strokes on one baseline are a hatch."""
CHORD: Final = 0.15
"""Of the radius of a round, by which the corners of the polygon may miss it."""
LEAST_APART: Final = 0.2
"""Letter heights between the two lines of ＝."""
LONG_SHAFT: Final = 0.6
"""Of the longest stroke of a runout's sign: the shaft of an arrow is longer, a barb shorter."""
CONTENT: Final = 12
"""A cell with more strokes has a drawing in it."""


def characteristics(surroundings: Surroundings) -> Iterator[tuple[int, Mark]]:
    """The geometric characteristics in cells left of texts, each behind the number of its text."""
    walls = np.bincount(surroundings.of[_walls(surroundings)], minlength=len(surroundings))
    for place in np.flatnonzero((walls >= 2) & (walls <= CROWDED)).tolist():
        near = surroundings.near(place)
        for cell in _cells(near) if near.words else ():
            mark = _content(near, cell)
            if mark is not None:
                yield place, mark


def _walls(near: Near | Surroundings) -> Indices:
    """Strokes that stand on the baseline like the sides of a cell."""
    lines = near.lines
    upright = (np.abs(near.slope) > 87.0) & (near.length > LEAST) & (lines[:, 0] < 0.3)
    upright &= (np.minimum(lines[:, 1], lines[:, 3]) < 0.25) & (np.maximum(lines[:, 1], lines[:, 3]) > 0.75)
    return np.flatnonzero(upright)


def _cells(near: Near) -> Iterator[Box]:
    """Ruled compartments left of the text, on its baseline."""
    walls = _with_longer(_upright(near), _walls(near))
    one, two = np.triu_indices(len(walls), 1)
    near_by = two - one <= NEXT
    one, two = one[near_by], two[near_by]
    bottom, top = np.maximum(walls[one, 1], walls[two, 1]), np.minimum(walls[one, 2], walls[two, 2])
    width, height = walls[two, 0] - walls[one, 0], top - bottom
    likely = (width >= LEAST) & (width <= MOST) & (height >= LEAST) & (height <= MOST_OF_TWO)
    # One of two sides may go on along a frame over or under it.
    likely &= (np.abs(walls[one, 1:] - walls[two, 1:]) < 0.15).any(axis=1)
    level = near.level() if likely.any() else near.lines[:0]
    for left, right, low, high in np.column_stack([walls[one, 0], walls[two, 0], bottom, top])[likely].tolist():
        if _spans(level, left, right, low) and _spans(level, left, right, high):
            yield left, low, right, high


def _upright(near: Near) -> Array:
    """(n, 3) u, low and high v of strokes; those that do not stand upright have no length."""
    lines = near.lines
    low, high = np.minimum(lines[:, 1], lines[:, 3]), np.maximum(lines[:, 1], lines[:, 3])
    upright = (np.abs(near.slope) > 87.0) & (near.length > LEAST)
    found: Array = np.column_stack([lines[:, 0], low, np.where(upright, high, low)])
    return found


def _with_longer(upright: Array, places: Indices) -> Array:
    """(n, 3) the walls at some places, each also as one with the wall right over or under it: those of two lines behind a high cell."""
    own = upright[places]
    others = upright[upright[:, 2] > upright[:, 1]]
    level = np.abs(own[:, None, 0] - others[None, :, 0]) < SAME_WALL
    over, at = np.nonzero(level & (np.abs(own[:, None, 2] - others[None, :, 1]) < SAME_WALL))
    under, below = np.nonzero(level & (np.abs(own[:, None, 1] - others[None, :, 2]) < SAME_WALL))
    longer = [
        np.column_stack([own[over, :2], others[at, 2]]),
        np.column_stack([own[under, 0], others[below, 1], own[under, 2]]),
    ]
    walls: Array = np.unique(np.round(np.concatenate([own, *longer]), 2), axis=0)
    return walls


def _spans(lines: Array, left: float, right: float, v: float) -> bool:
    """Whether a level line at height v runs over the middle of a cell."""
    middle = (left + right) / 2.0
    return bool(((lines[:, 0] < middle) & (lines[:, 2] > middle) & (np.abs(lines[:, 1] - v) < 0.15)).any())


def _content(near: Near, cell: Box) -> Mark | None:
    left, bottom, right, top = cell
    points = near.lines.reshape(-1, 2, 2)
    slack = 0.04
    inside = (points > [left - slack, bottom - slack]).all(axis=(1, 2)) & (points < [right + slack, top + slack]).all(
        axis=(1, 2)
    )
    middle = points.mean(axis=1)
    edge = np.minimum(np.abs(middle - [left, bottom]), np.abs(middle - [right, top])).min(axis=1) < 0.06
    rounds = np.flatnonzero(_within(near.rounds, cell))
    lines = np.flatnonzero(inside & ~edge & (near.length > 0.08) & ~_are_chords(points, near.rounds[rounds]))
    bows = np.flatnonzero(_within(near.bows, cell))
    written = any(word.end > left + 0.1 and word.begin < right - 0.1 for word in near.words)
    if written or not 0 < len(lines) + len(rounds) + len(bows) <= CONTENT:
        return None
    sign = _named(near, lines, rounds, bows, top - bottom)
    if sign is None:
        return None
    circles = frozenset([*near.round[rounds].tolist(), *near.bow[bows].tolist()])
    box = _bounds(near, lines, rounds, bows, cell)
    return Mark(sign, box, frozenset(near.line[lines].tolist()), circles)


def _are_chords(points: Array, rounds: Array) -> Flags:
    """Which strokes (n, 2, 2) are sides of the polygon that a round (m, 3) is drawn as."""
    arms = np.hypot(*(points[:, :, None] - rounds[None, None, :, :2]).transpose(3, 0, 1, 2))
    on_it: Flags = (np.abs(arms - rounds[:, 2]) < CHORD * rounds[:, 2]).all(axis=1).any(axis=1)
    return on_it


def _within(circles: Array, cell: Box) -> Flags:
    """Which circles (n, 3 or more) are in a cell."""
    u, v, radius = circles[:, 0], circles[:, 1], circles[:, 2]
    inside = (u > cell[0]) & (u < cell[2]) & (v - 0.1 < cell[3]) & (v > cell[1] - 0.6 * radius)
    return np.asarray(inside & (radius < 0.75 * (cell[2] - cell[0])))


def _bounds(near: Near, lines: Indices, rounds: Indices, bows: Indices, cell: Box) -> Box:
    points = near.lines[lines].reshape(-1, 2)
    discs = np.concatenate([near.rounds[rounds], near.bows[bows][:, :3]])
    low = np.concatenate([points, discs[:, :2] - discs[:, 2:]]).min(axis=0)
    high = np.concatenate([points, discs[:, :2] + discs[:, 2:]]).max(axis=0)
    low, high = np.maximum(low, cell[:2]), np.minimum(high, cell[2:])
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _named(near: Near, lines: Indices, rounds: Indices, bows: Indices, tall: float) -> str | None:
    """The characteristic that the content of a cell draws."""
    shape = Shape.of(near.lines[lines]) if len(lines) else None
    discs = np.unique(np.round(near.rounds[rounds], 1), axis=0)  # some programs draw everything twice
    if len(bows):
        return _profile(near.bows[bows], shape) if not len(rounds) else None
    if len(discs) == 2 and shape is None:
        together = np.hypot(*(discs[0, :2] - discs[1, :2])) < 0.15
        return "◎" if together and abs(discs[0, 2] - discs[1, 2]) > 0.1 * discs[:, 2].max() else None
    if len(discs) == 1:
        return _circular(discs[0], shape)
    return _straight(shape, tall) if shape is not None and not len(discs) else None


def _profile(bows: Array, shape: Shape | None) -> str | None:
    """⌒ and ⌓: an arch, open or closed below."""
    span = (bows[:, 4] - bows[:, 3]) % 360.0
    middle = (bows[:, 3] + span / 2.0) % 360.0
    if span.sum() < 90.0 or span.sum() > 270.0 or abs(float((middle * span).sum() / span.sum()) - 90.0) > 25.0:
        return None
    if shape is None:
        return "⌒"
    return "⌓" if shape.counts == (1, 0, 0, 0) and shape.box[3] < float(bows[:, 1].max()) + 0.3 else None


def _circular(disc: Array, shape: Shape | None) -> str | None:
    """○, ⌖ and ⌭."""
    if shape is None:
        return "○" if disc[2] > 0.25 else None
    u, v, radius = disc.tolist()
    if shape.counts[2:] == (0, 0) and min(shape.counts[:2]) >= 1:
        across = abs(float(shape.level[:, 1].mean()) - v) < 0.2 * radius
        along = abs(float(shape.upright[:, 0].mean()) - u) < 0.2 * radius
        return "⌖" if across and along and min(shape.width, shape.height) > 2.1 * radius else None
    if shape.counts == (0, 0, 2, 0):
        return "⌭"
    return None


def _straight(shape: Shape, tall: float) -> str | None:
    """The signs without curves."""
    level, upright, rising, falling = shape.counts
    if falling == 0 and upright == 0:
        if (level, rising) == (1, 0):
            return "⏤" if shape.width > 0.5 else None
        if (level, rising) == (0, 2):
            return "∥" if abs(shape.rising[0, 0] - shape.rising[1, 0]) > 0.08 else None
        if (level, rising) == (2, 0):
            return "＝" if shape.width > 0.5 and shape.height > LEAST_APART else None
        if (level, rising) == (2, 2):
            return "⏥"
        if (level, rising) == (1, 1):
            return "∠" if np.abs(shape.rising[0, :2] - shape.level[0, :2]).max() < 0.12 else None
        if (level, rising) == (3, 0):
            return "⌯" if np.ptp(shape.level[:, 1]) > 0.2 else None
    if (level, upright, rising, falling) == (1, 1, 0, 0):
        stem, foot = shape.upright[0], shape.level[0]
        middle = abs(float(foot[0] + foot[2]) / 2.0 - float(stem[0])) < 0.15 * shape.width + 0.05
        return "⊥" if middle and abs(float(stem[1] - foot[1])) < 0.1 else None
    return _runout(shape)


def _runout(shape: Shape) -> str | None:
    """↗ one arrow; ⌰ two arrows on a bar: shafts rise to the right, each with two short barbs or a head, filled or in outlines."""
    lines = np.concatenate([shape.rising, shape.upright, shape.level, shape.falling])
    shafts = int(_are_shafts(shape, lines).sum())
    barbs = len(lines) - shafts
    if shafts == 1 and 2 <= barbs <= 4 and shape.height > 0.4:
        return "↗"
    if shafts == 2 and 4 <= barbs <= 9 and len(shape.level):
        return "⌰"
    return None


def _are_shafts(shape: Shape, lines: Array) -> Flags:
    """Which rising strokes are shafts: long ones on whose lower end no stroke ends but a bar; sides of a head end on one another."""
    rising = shape.rising
    length = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    rise = np.hypot(rising[:, 2] - rising[:, 0], rising[:, 3] - rising[:, 1])
    tips = np.concatenate([rising, shape.upright, shape.falling]).reshape(-1, 2)
    meet = (np.abs(rising[:, None, :2] - tips[None]).max(axis=2) < MEET).sum(axis=1) > 1
    return np.asarray((rise > LONG_SHAFT * length.max(initial=0.0)) & ~meet)
