"""Signs that stand with a word: which strokes look like one, in the frame of the text.

Shapes are those of ASME Y14.5-2018 Annex C, ISO 129-1 and ISO 1302; sizes are in letter heights. `_strokes_near` has the
glossary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.extraction.drawing._strokes_near import Near
from spatial.extraction.drawing.sheet import Array, Box, Indices

LONGEST: Final = 1.75
"""A stroke of a sign beside a word, but for the legs of a surface texture sign."""
PLENTY: Final = 120
"""More short strokes beside one text are lettering in outlines or a hatch."""
TOUCH: Final = 0.09
"""Strokes of one sign come this near to one another."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign in the frame of a text."""

    text: str
    box: Box
    strokes: frozenset[int] = field(default_factory=frozenset)
    circles: frozenset[int] = field(default_factory=frozenset)
    radius: float = 0.0
    """Of a bracket's arc."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A handful of strokes that touch, sorted by direction."""

    level: Array
    """(a, 4) parallel to the baseline."""
    upright: Array
    """(b, 4) at right angles to it, the lower end first."""
    rising: Array
    """(c, 4) oblique, upwards to the right; the left end first."""
    falling: Array
    """(d, 4) oblique, downwards to the right; the left end first."""
    box: Box

    @classmethod
    def of(cls, lines: Array) -> Shape:
        """Of strokes (n, 4) whose left ends come first; doubled strokes once."""
        lines = np.array(sorted(set(map(tuple, np.round(lines, 2).tolist()))))
        slope = np.degrees(np.arctan2(lines[:, 3] - lines[:, 1], lines[:, 2] - lines[:, 0]))
        level, upright = np.abs(slope) < 7.0, np.abs(slope) > 83.0
        stands = lines[upright]
        down = stands[:, 1] > stands[:, 3]
        stands[down] = stands[down][:, [2, 3, 0, 1]]
        points = lines.reshape(-1, 2)
        (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        rest = ~level & ~upright
        box = (left, bottom, right, top)
        return cls(lines[level], stands, lines[rest & (slope > 0.0)], lines[rest & (slope < 0.0)], box)

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return len(self.level), len(self.upright), len(self.rising), len(self.falling)


def beside(near: Near) -> list[Mark]:
    """Everything near a text that looks like a sign that stands in a line of lettering."""
    return [*_diameters(near), *_clusters(near), *_textures(near), *_brackets(near), *_degrees(near)]


def _diameters(near: Near) -> Iterator[Mark]:
    """Ø: a circle of letter size and one stroke through its middle, oblique and longer than the circle is wide."""
    if not len(near.rounds):
        return
    length, slope = near.length, near.slope
    middle = (near.lines[:, :2] + near.lines[:, 2:]) / 2.0
    for (u, v, radius), number in zip(near.rounds.tolist(), near.round.tolist(), strict=True):
        if not (0.2 <= radius <= 0.8 and 0.1 <= v <= 0.9):
            continue
        through = _through(near.lines, u, v, 0.3 * radius)
        slash = through & (np.hypot(middle[:, 0] - u, middle[:, 1] - v) < 0.35 * radius)
        slash &= (slope > 25.0) & (slope < 86.0) & (length > 1.9 * radius) & (length < 4.6 * radius)
        if not slash.any():
            continue
        direction = slope[slash.argmax()]
        if (np.abs(slope[through] - direction) > 4.0).any():
            continue
        reach = max(radius, float(np.abs(near.lines[slash][:, [1, 3]] - v).max()))
        box = (u - radius, v - reach, u + radius, v + reach)
        yield Mark("Ø", box, frozenset(near.line[slash].tolist()), frozenset([number]))


def _through(lines: Array, u: float, v: float, slack: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which lines pass a point."""
    along = lines[:, 2:] - lines[:, :2]
    offset = np.array([u, v]) - lines[:, :2]
    square = np.maximum((along * along).sum(axis=1), 1e-12)
    at = (along * offset).sum(axis=1) / square
    miss = np.abs(along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]) / np.sqrt(square)
    return np.asarray((miss < slack) & (at > 0.0) & (at < 1.0))


def _degrees(near: Near) -> Iterator[Mark]:
    """°: a small circle at the top right of a number."""
    for (u, v, radius), number in zip(near.rounds.tolist(), near.round.tolist(), strict=True):
        if not (0.07 <= radius <= 0.24 and 0.6 <= v <= 1.2):
            continue
        if any(word.text[-1].isdigit() and -0.1 <= u - radius - word.end <= 0.8 for word in near.words):
            inside = (
                np.hypot(near.lines[:, [0, 2]] - u, near.lines[:, [1, 3]] - v).min(axis=1, initial=9.0) < 2.0 * radius
            )
            if not (inside | _through(near.lines, u, v, 2.0 * radius)).any():
                box = (u - radius, v - radius, u + radius, v + radius)
                yield Mark("°", box, circles=frozenset([number]))


def _brackets(near: Near) -> Iterator[Mark]:
    """( and ): arcs that stand upright, bend little and join nothing; whether they come in pairs is seen later."""
    if not len(near.bows):
        return
    u, v, radius = near.bows[:, 0], near.bows[:, 1], near.bows[:, 2]
    span = (near.bows[:, 4] - near.bows[:, 3]) % 360.0
    middle = (near.bows[:, 3] + span / 2.0) % 360.0
    half, inner = radius * np.sin(np.radians(span / 2.0)), radius * np.cos(np.radians(span / 2.0))
    opens = np.abs(middle - 180.0) < 12.0
    likely = (span >= 20.0) & (span <= 115.0) & (half >= 0.45) & (half <= 2.0) & (v >= -0.9) & (v <= 1.3)
    likely &= opens | (np.minimum(middle, 360.0 - middle) < 12.0)
    at = u + np.where(opens, -1.0, 1.0) * (radius + inner) / 2.0
    for word in near.words:
        likely &= (at < word.begin + 0.4) | (at > word.end - 0.4)
    chosen = np.flatnonzero(likely)
    if not len(chosen):
        return
    tips = _tips(near.bows)
    points = np.concatenate([near.lines.reshape(-1, 2), tips.reshape(-1, 2)])
    for place in chosen.tolist():
        if _joined(points, tips[place]):
            continue
        far, close = float(radius[place]), float(inner[place])
        left, right = (-far, -close) if opens[place] else (close, far)
        middle_u, up, tall = float(u[place]), float(v[place]), float(half[place])
        box = (middle_u + left, up - tall, middle_u + right, up + tall)
        yield Mark("(" if opens[place] else ")", box, frozenset(), frozenset([int(near.bow[place])]), far)


def _joined(points: Array, tips: Array) -> bool:
    """Whether other pieces end at one of the two ends of an arc, which are among the points themselves."""
    met = 0
    for u, v in tips.tolist():
        column = points[np.abs(points[:, 0] - u) < 0.08, 1]
        met += int((np.abs(column - v) < 0.08).sum())
    return met > 2


def _tips(bows: Array) -> Array:
    """(n, 2, 2) where arcs begin and end."""
    turn = np.radians(bows[:, 3:5])
    tips: Array = bows[:, None, :2] + bows[:, 2, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=2)
    return tips


def _textures(near: Near) -> Iterator[Mark]:
    """√: two strokes that meet below, both some 60 degrees to the baseline, the right one about twice as long."""
    length, slope = near.length, near.slope
    left = np.flatnonzero((slope > -76.0) & (slope < -44.0) & (length > 0.4) & (length < 2.4))[:PLENTY]
    right = np.flatnonzero((slope > 44.0) & (slope < 76.0) & (length > 0.8) & (length < 4.6))[:PLENTY]
    if not len(left) or not len(right):
        return
    gap = near.lines[left][:, None, 2:] - near.lines[right][None, :, :2]
    ratio = length[right][None, :] / length[left][:, None]
    met = (np.abs(gap).max(axis=2) < 0.08) & (ratio > 1.5) & (ratio < 3.0)
    for one, two in zip(*(part.tolist() for part in np.nonzero(met)), strict=True):
        short, long = near.lines[left[one]], near.lines[right[two]]
        box = (float(short[0]), float(long[1]), float(long[2]), float(long[3]))
        yield Mark("√", box, frozenset([int(near.line[left[one]]), int(near.line[right[two]])]))


def _clusters(near: Near) -> Iterator[Mark]:
    """Signs of a few straight strokes that touch."""
    low, high = np.minimum(near.lines[:, 1], near.lines[:, 3]), np.maximum(near.lines[:, 1], near.lines[:, 3])
    fit = (near.length > 0.1) & (near.length < LONGEST) & (low > -0.7) & (high < 1.9)
    middle = (near.lines[:, 0] + near.lines[:, 2]) / 2.0
    before = np.zeros(len(fit), bool)
    for word in near.words:
        if word.begin - word.free > 0.7:
            before |= (middle < word.begin + 0.35) & (middle > max(word.free - 0.35, word.begin - 5.0))
    fit &= before
    chosen = np.flatnonzero(fit)
    if not 2 <= len(chosen) <= PLENTY:
        return
    lines = near.lines[chosen]
    for group in _groups(lines):
        members, shape = group, Shape.of(lines[group])
        if shape.counts == (1, 1, 0, 0):
            members = _with_a_bar_below(lines, group, shape)
            shape = Shape.of(lines[members])
        sign = next((text for text, test in SHAPES.items() if test(shape)), None)
        if sign is not None and near.alone(chosen[members], shape.box):
            yield Mark(sign, shape.box, frozenset(near.line[chosen[members]].tolist()))


def _with_a_bar_below(lines: Array, members: Indices, cross: Shape) -> Indices:
    """The members of a cross, and of the bar that makes it ±, which touches it in some letterings only."""
    left, bottom, right, _ = cross.box
    level = np.abs(lines[:, 1] - lines[:, 3]) < 0.06
    below = level & (np.abs(lines[:, 0] - left) < 0.1) & (np.abs(lines[:, 2] - right) < 0.1)
    below &= (lines[:, 1] < bottom + 0.02) & (lines[:, 1] > bottom - 0.4)
    return np.union1d(members, np.flatnonzero(below))


def _groups(lines: Array) -> Iterator[Indices]:
    """Clusters of two to nine lines that are together of a sign's size."""
    group = touching(lines, TOUCH)
    count = int(group.max()) + 1
    size = np.bincount(group, minlength=count)
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    for ends in (lines[:, :2], lines[:, 2:]):
        np.minimum.at(low, group, ends)
        np.maximum.at(high, group, ends)
    extent = high - low
    likely = (size >= 2) & (size <= 9) & (extent < 2.7).all(axis=1) & (extent > 0.24).all(axis=1)
    likely &= np.abs((low[:, 1] + high[:, 1]) / 2.0 - 0.5) < 0.9
    for name in np.flatnonzero(likely).tolist():
        yield np.flatnonzero(group == name)


def touching(lines: Array, slack: float) -> Indices:
    """(n,) the cluster of each line: lines of which an end lies on another are of one."""
    along = lines[:, 2:] - lines[:, :2]
    square = np.maximum((along * along).sum(axis=1), 1e-12)
    points = lines.reshape(-1, 2)
    offset = points[:, None] - lines[None, :, :2]
    at = np.clip((offset * along).sum(axis=2) / square, 0.0, 1.0)
    miss = offset - at[..., None] * along
    off = np.sqrt((miss * miss).sum(axis=2)).reshape(-1, 2, len(lines)).min(axis=1)
    tied = (off < slack) | (off < slack).T | _crossing(lines)
    group = np.arange(len(lines))
    while True:
        least = np.where(tied, group[None, :], len(lines)).min(axis=1)
        least = np.minimum(least, group)
        if (least == group).all():
            return np.unique(group, return_inverse=True)[1].astype(np.int64)
        group = least[least]


def _crossing(lines: Array) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """(n, n) whether two lines cross."""

    def side(of: Array, point: Array) -> Array:
        along = of[:, None, 2:] - of[:, None, :2]
        offset = point[None] - of[:, None, :2]
        turned: Array = along[..., 0] * offset[..., 1] - along[..., 1] * offset[..., 0]
        return turned

    apart = side(lines, lines[:, :2]) * side(lines, lines[:, 2:]) < 0.0
    return np.asarray(apart & apart.T)


def _depth(shape: Shape) -> bool:
    """↧: a bar, a stem down from its middle, two barbs at its foot; a filled head adds a stroke across."""
    bottom, top = shape.box[1], shape.box[3]
    bars = shape.level[shape.level[:, 1] > top - 0.1] if len(shape.level) else shape.level
    if not (0.5 < shape.height < 1.8 and 0.3 < shape.width < 1.6 and len(bars) == 1 and len(shape.upright)):
        return False
    middle = float(bars[0, 0] + bars[0, 2]) / 2.0
    stem = shape.upright
    if (
        np.abs(stem[:, [0, 2]] - middle).max() > 0.1
        or stem[:, 1].min() > bottom + 0.35
        or stem[:, 3].max() < top - 0.12
    ):
        return False
    if not 1 <= len(shape.rising) <= 2 or not 1 <= len(shape.falling) <= 2 or len(shape.level) > 2:
        return False
    feet = np.concatenate([shape.rising[:, :2], shape.falling[:, 2:]])
    return bool(np.abs(feet - [middle, bottom]).max() < 0.14)


def _counterbore(shape: Shape) -> bool:
    """⌴: a square U."""
    if shape.counts != (1, 2, 0, 0) or not (0.55 < shape.width < 2.4 and 0.25 < shape.height < 1.3):
        return False
    bottom = shape.box[1]
    foot, walls = shape.level[0], shape.upright
    spread = abs(float(walls[0, 0] - walls[1, 0]))
    return bool(
        foot[1] < bottom + 0.07
        and foot[2] - foot[0] > 0.9 * shape.width
        and spread > 0.9 * shape.width
        and np.ptp(walls[:, 3]) < 0.1
        and np.abs(walls[:, 1] - bottom).max() < 0.1
        and shape.width > 0.9 * shape.height
    )


def _countersink(shape: Shape) -> bool:
    """⌵: a V with equal legs."""
    if shape.counts != (0, 0, 1, 1) or not 0.3 < shape.height < 1.3:
        return False
    rise, fall = shape.rising[0], shape.falling[0]
    legs = np.hypot(rise[2] - rise[0], rise[3] - rise[1]), np.hypot(fall[2] - fall[0], fall[3] - fall[1])
    wide = shape.width / shape.height
    return bool(np.abs(rise[:2] - fall[2:]).max() < 0.08 and max(legs) < 1.15 * min(legs) and 1.0 < wide < 2.6)


def _square(shape: Shape) -> bool:
    """□: four strokes that close a square."""
    if shape.counts != (2, 2, 0, 0) or not (
        0.4 < shape.width < 1.5 and abs(shape.width - shape.height) < 0.1 * shape.width
    ):
        return False
    level, upright = shape.level, shape.upright
    return bool(
        (level[:, 2] - level[:, 0]).min() > 0.94 * shape.width
        and (upright[:, 3] - upright[:, 1]).min() > 0.94 * shape.height
        and np.ptp(level[:, 1]) > 0.9 * shape.height
        and np.ptp(upright[:, 0]) > 0.9 * shape.width
    )


def _plus_minus(shape: Shape) -> bool:
    """±: a cross and a bar below."""
    if shape.counts != (2, 1, 0, 0) or not (0.25 < shape.width < 1.1 and 0.35 < shape.height < 1.3):
        return False
    low, high = shape.level[np.argsort(shape.level[:, 1])]
    stem = shape.upright[0]
    middle, centre = (high[0] + high[2]) / 2.0, (low[0] + low[2]) / 2.0
    return bool(
        abs(middle - stem[0]) < 0.1
        and abs(centre - stem[0]) < 0.1
        and abs((stem[1] + stem[3]) / 2.0 - high[1]) < 0.2 * shape.height
        and low[1] < shape.box[1] + 0.06
    )


def _parallelogram(shape: Shape) -> bool:
    """⏥ outside a frame, as tables of general tolerances have it."""
    if shape.counts != (2, 0, 2, 0) or not (0.8 < shape.width < 2.6 and 0.4 < shape.height < 1.2):
        return False
    level, rising = shape.level, shape.rising
    length = (level[:, 2] - level[:, 0]).min()
    return bool(
        np.ptp(level[:, 2] - level[:, 0]) < 0.08
        and 0.5 * shape.width < length < 0.9 * shape.width
        and np.ptp(level[:, 1]) > 0.9 * shape.height
        and np.abs(rising[:, 1] - shape.box[1]).max() < 0.06
        and np.abs(rising[:, 3] - shape.box[3]).max() < 0.06
    )


SHAPES: Final[dict[str, Callable[[Shape], bool]]] = {
    "↧": _depth,
    "⌴": _counterbore,
    "⌵": _countersink,
    "□": _square,
    "±": _plus_minus,
    "⏥": _parallelogram,
}
