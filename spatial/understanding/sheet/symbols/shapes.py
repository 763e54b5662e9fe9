"""The shapes of signs that are a few straight strokes: ASME Y14.5-2018 Annex C, ISO 129-1; sizes are in letter heights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Indices


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
        direction = cls.directions(lines)
        upright = direction == 2
        stands = lines[upright]
        down = stands[:, 1] > stands[:, 3]
        stands[down] = stands[down][:, [2, 3, 0, 1]]
        points = lines.reshape(-1, 2)
        (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        box = (left, bottom, right, top)
        return cls(lines[direction == 1], stands, lines[direction == 4], lines[direction == 8], box)

    @staticmethod
    def directions(lines: Array) -> Indices:
        """(n,) of lines whose left ends come first: 1 level, 2 upright, 4 rising, 8 falling."""
        slope = np.degrees(np.arctan2(lines[:, 3] - lines[:, 1], lines[:, 2] - lines[:, 0]))
        oblique = np.where(slope > 0.0, 4, 8)
        return np.where(np.abs(slope) < 7.0, 1, np.where(np.abs(slope) > 83.0, 2, oblique)).astype(np.int64)

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return len(self.level), len(self.upright), len(self.rising), len(self.falling)


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
