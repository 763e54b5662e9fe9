"""Matches strokes against the outlines of symbols in `knowledge.symbols`; sizes are in letter heights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge.symbols import OUTLINES
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


def _is_depth(shape: Shape) -> bool:
    """↧: a bar, a stem down from its middle, two barbs at its foot; a filled head adds a stroke across."""
    bottom, top = shape.box[1], shape.box[3]
    bars = shape.level[shape.level[:, 1] > top - 0.1] if len(shape.level) else shape.level
    if len(bars) != 1:
        return False
    middle = float(bars[0, 0] + bars[0, 2]) / 2.0
    stem = shape.upright
    if (
        np.abs(stem[:, [0, 2]] - middle).max() > 0.1
        or stem[:, 1].min() > bottom + 0.35
        or stem[:, 3].max() < top - 0.12
    ):
        return False
    feet = np.concatenate([shape.rising[:, :2], shape.falling[:, 2:]])
    return bool(np.abs(feet - [middle, bottom]).max() < 0.14)


def _is_counterbore(shape: Shape) -> bool:
    """⌴: a square U."""
    bottom = shape.box[1]
    foot, walls = shape.level[0], shape.upright
    spread = abs(float(walls[0, 0] - walls[1, 0]))
    return bool(
        foot[1] < bottom + 0.07
        and foot[2] - foot[0] > 0.9 * shape.width
        and spread > 0.9 * shape.width
        and np.ptp(walls[:, 3]) < 0.1
        and np.abs(walls[:, 1] - bottom).max() < 0.1
    )


def _is_countersink(shape: Shape) -> bool:
    """⌵: a V with equal legs."""
    rise, fall = shape.rising[0], shape.falling[0]
    legs = np.hypot(rise[2] - rise[0], rise[3] - rise[1]), np.hypot(fall[2] - fall[0], fall[3] - fall[1])
    return bool(np.abs(rise[:2] - fall[2:]).max() < 0.08 and max(legs) < 1.15 * min(legs))


def _is_square(shape: Shape) -> bool:
    """□: four strokes that close a square."""
    if abs(shape.width - shape.height) >= 0.1 * shape.width:
        return False
    level, upright = shape.level, shape.upright
    return bool(
        (level[:, 2] - level[:, 0]).min() > 0.94 * shape.width
        and (upright[:, 3] - upright[:, 1]).min() > 0.94 * shape.height
        and np.ptp(level[:, 1]) > 0.9 * shape.height
        and np.ptp(upright[:, 0]) > 0.9 * shape.width
    )


def _is_plus_minus(shape: Shape) -> bool:
    """±: a cross and a bar below."""
    low, high = shape.level[np.argsort(shape.level[:, 1])]
    stem = shape.upright[0]
    middle, centre = (high[0] + high[2]) / 2.0, (low[0] + low[2]) / 2.0
    return bool(
        abs(middle - stem[0]) < 0.1
        and abs(centre - stem[0]) < 0.1
        and abs((stem[1] + stem[3]) / 2.0 - high[1]) < 0.2 * shape.height
        and low[1] < shape.box[1] + 0.06
    )


def _is_parallelogram(shape: Shape) -> bool:
    """⏥ outside a frame, as tables of general tolerances have it."""
    level, rising = shape.level, shape.rising
    length = (level[:, 2] - level[:, 0]).min()
    return bool(
        np.ptp(level[:, 2] - level[:, 0]) < 0.08
        and 0.5 * shape.width < length < 0.9 * shape.width
        and np.ptp(level[:, 1]) > 0.9 * shape.height
        and np.abs(rising[:, 1] - shape.box[1]).max() < 0.06
        and np.abs(rising[:, 3] - shape.box[3]).max() < 0.06
    )


_MATCHERS: Final[dict[str, Callable[[Shape], bool]]] = {
    "↧": _is_depth,
    "⌴": _is_counterbore,
    "⌵": _is_countersink,
    "□": _is_square,
    "±": _is_plus_minus,
    "⏥": _is_parallelogram,
}
"""Symbol to how its strokes stand to each other; the symbols are those of `knowledge.symbols.OUTLINES`."""

if missing := _MATCHERS.keys() ^ OUTLINES.keys():
    raise ValueError(
        f"{', '.join(sorted(missing))}: add the outline to spatial/knowledge/symbols.py and the matcher here"
    )


def symbol_of(shape: Shape) -> str | None:
    """The symbol that a shape is; None where it is none."""
    for symbol, stands in _MATCHERS.items():
        outline = OUTLINES[symbol]
        if outline.has_counts(*shape.counts) and outline.has_size(shape.width, shape.height) and stands(shape):
            return symbol
    return None
