"""Which triangle is seen in each pixel, and which parts of lines: a software rasteriser with a depth buffer.

Pixel (row i, column j) has its centre at x = j + 0.5, y = i + 0.5; y is down; depth grows towards the eye, in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.geometry import raster

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

FRAGMENTS: Final = 2_000_000
"""Pixels of triangles that are compared at once: bounds the memory of one step."""

LINE_DEPTH: Final = 2.0
"""Pixels by which a line may lie behind what is seen around it: a line in the corner of two walls does."""

NOTHING: Final = -1


@dataclass(frozen=True)
class DepthBuffer:
    """What is seen."""

    depth: Array
    """(height, width); minus infinity where nothing is seen."""
    triangle: Indices
    """(height, width) its number; NOTHING where there is none."""

    @classmethod
    def empty(cls, width: int, height: int) -> DepthBuffer:
        """Nothing is seen yet."""
        return cls(np.full((height, width), -np.inf), np.full((height, width), NOTHING, np.int64))

    def draw(self, corners: Array, first: int = 0) -> None:
        """Draw triangles (n, 3, 3) x, y, depth. first: the number of the first."""
        height, width = self.depth.shape
        low, high = (_pixels(found(corners[..., 1], axis=1), height) for found in (np.min, np.max))
        area = _doubled_area(corners)
        kept = np.flatnonzero((np.abs(area) > 1e-9) & (high > low) & np.isfinite(corners).all(axis=(1, 2)))
        wide = _pixels(corners[kept, :, 0].max(axis=1), width) - _pixels(corners[kept, :, 0].min(axis=1), width)
        load = np.cumsum((high - low)[kept] * (wide + 1))
        for batch in np.split(
            kept, np.searchsorted(load, np.arange(FRAGMENTS, load[-1] if len(load) else 0, FRAGMENTS))
        ):
            if len(batch):
                self._draw(corners[batch], area[batch], batch + first, low[batch], high[batch])

    def fill(self, edges: Array, plane: tuple[float, float, float], number: int) -> None:
        """Fill closed polygons (n, 4) x1, y1, x2, y2 in a plane: depth = a x + b y + c."""
        height, width = self.depth.shape
        ends = edges.reshape(-1, 2)
        low, high = np.floor(ends.min(axis=0)).astype(int), np.ceil(ends.max(axis=0)).astype(int)
        low, high = np.maximum(low, 0), np.minimum(high, (width, height))
        size = int((high - low).max())
        if (high <= low).any():
            return
        upright = (edges - np.tile(low, 2)) * [1.0, -1.0, 1.0, -1.0] + [0.0, size, 0.0, size]
        covered = raster.fill(upright, np.zeros(len(edges), np.int64), 1, size)[0][::-1]
        row, column = np.nonzero(covered[: high[1] - low[1], : high[0] - low[0]] >= 0.5)
        row, column = row + low[1], column + low[0]
        a, b, c = plane
        depth = a * (column + 0.5) + b * (row + 0.5) + c
        nearer = depth > self.depth[row, column]
        self.depth[row[nearer], column[nearer]] = depth[nearer]
        self.triangle[row[nearer], column[nearer]] = number

    def visible(self, points: Array) -> Mask:
        """Which points (n, 3) are not behind something."""
        height, width = self.depth.shape
        column, row = np.floor(points[:, 0]).astype(int), np.floor(points[:, 1]).astype(int)
        farthest = np.full(len(points), np.inf)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                i, j = row + down, column + right
                inside = (i >= 0) & (i < height) & (j >= 0) & (j < width)
                around = np.where(inside, self.depth[np.clip(i, 0, height - 1), np.clip(j, 0, width - 1)], -np.inf)
                farthest = np.minimum(farthest, around)
        return np.asarray(points[:, 2] + LINE_DEPTH >= farthest)

    def _draw(self, corners: Array, area: Array, numbers: Indices, low: Indices, high: Indices) -> None:
        width = self.depth.shape[1]
        place, row = _ranges(low, high)
        begin, end = _crossed(corners[place], row.astype(np.float64) + 0.5)
        kept = end >= begin
        place, row, begin, end = place[kept], row[kept], begin[kept], end[kept]
        at, column = _ranges(_pixels(begin, width), _pixels(end, width))
        place, row = place[at], row[at]
        depth = _depth(corners, area)[place]
        nearness = depth[:, 0] * (column + 0.5) + depth[:, 1] * (row + 0.5) + depth[:, 2]
        pixel = row * width + column
        flat_depth, flat_triangle = self.depth.reshape(-1), self.triangle.reshape(-1)
        nearer = np.flatnonzero(nearness > flat_depth[pixel])
        ascending = nearer[np.argsort(nearness[nearer], kind="stable")]
        flat_depth[pixel[ascending]] = nearness[ascending]
        flat_triangle[pixel[ascending]] = numbers[place[ascending]]


def weights_at(corners: Array, x: Array, y: Array) -> Array:
    """(n, 3) the share that each corner of triangles (n, 3, 3) has in points x, y (n,) of theirs."""
    a, b, c = (corners[:, place, :2] for place in range(3))
    point = np.stack([x, y], axis=1)
    shares = np.stack(
        [_cross(b - point, c - point), _cross(c - point, a - point), _cross(a - point, b - point)], axis=1
    )
    total: Array = shares / shares.sum(axis=1, keepdims=True)
    return total


def _pixels(places: Array, count: int) -> Indices:
    """The first pixel whose centre is not before each place."""
    return np.clip(np.ceil(places - 0.5), 0, count).astype(np.int64)


def _ranges(begin: Indices, end: Indices) -> tuple[Indices, Indices]:
    """Every number from begin to end, and which range it is of."""
    count = np.maximum(end - begin, 0)
    place = np.repeat(np.arange(len(begin)), count)
    return place, np.arange(len(place)) - np.repeat(np.cumsum(count) - count, count) + begin[place]


def _crossed(corners: Array, y: Array) -> tuple[Array, Array]:
    """From where to where a row at y (n,) crosses triangles (n, 3, 3)."""
    low, high = np.full(len(y), np.inf), np.full(len(y), -np.inf)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        x1, y1, x2, y2 = corners[:, one, 0], corners[:, one, 1], corners[:, other, 0], corners[:, other, 1]
        rise = np.where(y2 != y1, y2 - y1, 1.0)
        part = (y - y1) / rise
        crossed = (y2 != y1) & (part >= 0.0) & (part <= 1.0)
        x = x1 + part * (x2 - x1)
        low = np.where(crossed, np.minimum(low, x), low)
        high = np.where(crossed, np.maximum(high, x), high)
    return low, high


def _depth(corners: Array, area: Array) -> Array:
    """(n, 3) a, b, c of depth = a x + b y + c over each triangle."""
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    a = (one[:, 2] * two[:, 1] - two[:, 2] * one[:, 1]) / area
    b = (one[:, 0] * two[:, 2] - two[:, 0] * one[:, 2]) / area
    return np.stack([a, b, corners[:, 0, 2] - a * corners[:, 0, 0] - b * corners[:, 0, 1]], axis=1)


def _doubled_area(corners: Array) -> Array:
    return _cross(corners[:, 1, :2] - corners[:, 0, :2], corners[:, 2, :2] - corners[:, 0, :2])


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
