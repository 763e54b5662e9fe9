"""Polygons as pictures: many small squares of pixels filled at once, by winding number."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

SAMPLES: Final = 2
"""Samples per pixel in each direction."""
BATCH: Final = 128
"""Pictures that are filled at once: what they take of memory."""


def fill(edges: Array, of: Indices, count: int, size: int) -> NDArray[np.float32]:
    """Coverage of each pixel, where the winding number is not zero.

    edges: (n, 4) x1, y1, x2, y2 of closed polygons, in pixels, y up, in any order; of: (n,) picture of each edge, ascending;
    count: number of pictures; size: pixels of a side.
    Returns: (count, size, size) 0 to 1; row 0 is the lowest.
    """
    pictures = np.zeros((count, size, size), np.float32)
    for begin in range(0, count, BATCH):
        stop = min(begin + BATCH, count)
        low, high = np.searchsorted(of, (begin, stop))
        pictures[begin:stop] = _filled(edges[low:high] * SAMPLES, of[low:high] - begin, stop - begin, (size, size))
    return pictures


def fill_picture(edges: Array, high: int, wide: int) -> NDArray[np.float32]:
    """Coverage of each pixel of one picture, where the winding number is not zero. edges: as in `fill`.

    Returns: (high, wide) 0 to 1; row 0 is the lowest.
    """
    picture: NDArray[np.float32] = _filled(edges * SAMPLES, np.zeros(len(edges), np.int64), 1, (high, wide))[0]
    return picture


def _filled(edges: Array, of: Indices, count: int, size: tuple[int, int]) -> NDArray[np.float32]:
    """(count, high, wide) coverage; edges in samples, size: (high, wide) in pixels."""
    side, breadth = size[0] * SAMPLES, size[1] * SAMPLES
    x1, y1, x2, y2 = edges.T
    sign = np.where(y2 > y1, 1, -1)
    # A row is crossed where its middle lies between the ends of an edge.
    first = np.clip(np.ceil(np.minimum(y1, y2) - 0.5), 0, side).astype(np.int64)
    last = np.clip(np.ceil(np.maximum(y1, y2) - 0.5), 0, side).astype(np.int64)
    rows = last - first
    edge = np.repeat(np.arange(len(edges)), rows)
    row = np.arange(len(edge)) - np.repeat(np.cumsum(rows) - rows, rows) + first[edge]
    along = (row + 0.5 - y1[edge]) / (y2 - y1)[edge]
    column = np.clip(np.ceil(x1[edge] + along * (x2 - x1)[edge] - 0.5), 0, breadth).astype(np.int64)
    place = (of[edge] * side + row) * (breadth + 1) + column
    turns = np.bincount(place, sign[edge], count * side * (breadth + 1)).astype(np.int32)
    # Sums of whole numbers take a fifth of the time of those of floating ones, each of which waits for the one before it.
    wound = turns.reshape(count, side, breadth + 1).cumsum(axis=2, dtype=np.int32)
    inside = (wound[:, :, :breadth] != 0).view(np.uint8)
    of_rows = sum(inside[:, row::SAMPLES] for row in range(SAMPLES))
    sums = sum(of_rows[:, :, column::SAMPLES] for column in range(SAMPLES))
    return np.asarray(sums / np.float32(SAMPLES * SAMPLES), np.float32)


def pen(ends: Array, width: Array) -> Array:
    """The outlines of lines that a round pen draws, as edges of closed polygons that all turn counter-clockwise.

    ends: (n, 4); width: (n,) of the pen. Returns: (n * 8, 4), the eight edges of each line one after the other.
    """
    along = ends[:, 2:] - ends[:, :2]
    angle = np.arctan2(along[:, 1], along[:, 0])
    # A half octagon around each end: its corners lie on the circle of the pen.
    turns = np.radians([-90.0, -30.0, 30.0, 90.0, 90.0, 150.0, 210.0, 270.0])
    direction = angle[:, None] + turns
    corner = np.stack([np.cos(direction), np.sin(direction)], axis=2) * (width / 2.0)[:, None, None]
    corner[:, :4] += ends[:, None, 2:]
    corner[:, 4:] += ends[:, None, :2]
    edges = np.empty((len(ends), 8, 4))
    edges[:, :, :2] = corner
    edges[:, :-1, 2:], edges[:, -1, 2:] = corner[:, 1:], corner[:, 0]
    return edges.reshape(-1, 4)
