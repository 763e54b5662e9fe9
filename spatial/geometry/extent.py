"""How far a body reaches in a direction: tight boxes without an optimiser wherever geometry gives the answer.

On a plane, cylinder, cone or extrusion a straight line runs through every point, so that a greatest height lies on the
boundary: edges suffice. Lines reach as far as their ends, circles and ellipses to one known point, splines no further than
their control points, and are halved until that is sharp. Only spheres, tori and freeform faces can be highest in their
interior, at points that are then looked up in the trimmed face. A surface of several pieces may have an edge or a corner
where they meet, which is as high as any of its points: its pieces are searched one by one, their borders included.

Glossary
  patch              a piece of a surface on which it is smooth, from one knot to the next in both parameters.
  height             of a point in a direction: their scalar product.
  support            of a body in a direction: the greatest height of its points.
  interior extremum  a point inside a face that is higher than its boundary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, Protocol

import numpy as np

from spatial.geometry.curves import Arcs, Group, Sampled, Splines, samples
from spatial.geometry.quadrature import Array, Index
from spatial.geometry.splines import halves

SHARP: Final = 1e-12
"""How sharp a support of curves is, relative to their distance from the origin."""

LEAST_RISE: Final = 1e-9
"""Interior extrema less than this above the boundary, relative to the size of the face, are not looked for: rounding."""

_HALVINGS: Final = 40
"""Halvings of a spline piece, or golden sections of an interval: 2^-40 of its length is below SHARP."""

_SAMPLES: Final = 65
"""Samples of a curve without closed form, before the search around the highest of them."""

_GOLDEN: Final = 0.6180339887498949

_REFINEMENTS: Final = 30
"""Stencils around one local maximum, each smaller than the last."""

_FINEST: Final = 1e-9
"""Stencil, as a part of its patch, at which a search ends: a maximum is missed by the square of that."""

GRID_STEPS: Final = 5
"""Steps of the grid over one patch of a freeform surface, in a direction in which it is curved."""

_LEVEL: Final = 1e-12
"""Slopes and curvatures of a stencil below this, relative to its heights, count as none: rounding."""

_ZOOM, _APPROACH = 0.25, 0.8
"""What a stencil shrinks by once the peak is near its middle, and until then."""

_ON_AXIS: Final = 1e-12
"""Sine of the angle between a direction and an axis below which they count as parallel."""

_NEAR: Final = 0.3
"""A peak this near to the middle of a stencil, in steps, is worth a closer look."""

_STENCIL: Final = np.array([(i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])
_FIT: Final = np.linalg.pinv(
    np.stack([np.ones(9), *_STENCIL.T, *(_STENCIL**2).T, _STENCIL[:, 0] * _STENCIL[:, 1]], axis=1)
)
"""Least-squares quadratic through a 3 x 3 stencil: value, slopes, curvatures, twist."""

Contains = Callable[[float, float], bool]
"""Whether a point (u, v) of a surface is within the trimmed face."""


class CurvedFace(Protocol):
    """A face that may have an interior extremum."""

    def beyond(self, direction: Array, height: float) -> float:
        """The greatest height of its inner points if that is more than `height`, else `height`."""
        ...


@dataclass(frozen=True)
class Extent:
    """What bounds a body."""

    points: Array
    """(n, 3) that are not on curves."""
    groups: list[Group]
    faces: list[CurvedFace]
    """Those that may have interior extrema."""

    @cached_property
    def _corners(self) -> Array:
        """(n, 3) the points, and the ends of curves."""
        return np.concatenate([self.points, *(samples(group, 2).reshape(-1, 3) for group in self.groups)])

    def support(self, directions: Array) -> Array:
        """(k,) for unit directions (k, 3); minus infinity for a body of nothing."""
        found: Array = (self._corners @ directions.T).max(axis=0, initial=-np.inf)
        for group in self.groups:
            found = np.maximum(found, _arcs(group, directions)) if isinstance(group, Arcs) else found
        for at, direction in enumerate(directions):
            for group in self.groups:
                found[at] = _along(group, direction, float(found[at]))
            for face in self.faces:
                found[at] = face.beyond(direction, float(found[at]))
        return found


def box(extent: Extent, axes: Array) -> tuple[Array, Array]:
    """Least and greatest heights along three axes (3, 3), a row each."""
    heights = extent.support(np.concatenate([axes, -axes]))
    return -heights[3:], heights[:3]


def _arcs(group: Arcs, directions: Array) -> Array:
    """Greatest height of arcs at the point where they run across the direction, if that is within the arc."""
    x, y = group.frame[:, 1] @ directions.T, group.frame[:, 2] @ directions.T
    top = np.arctan2(y, x)
    turns = np.ceil((group.start[:, None] - top) / (2.0 * np.pi))
    within = top + turns * (2.0 * np.pi) <= group.stop[:, None]
    heights = np.where(within, group.frame[:, 0] @ directions.T + np.hypot(x, y), -np.inf)
    greatest: Array = heights.max(axis=0)
    return greatest


def _along(group: Group, direction: Array, height: float) -> float:
    if isinstance(group, Splines):
        return _splines(group, direction, height)
    if isinstance(group, Sampled):
        return _sampled(group, direction, height)
    return height


def _splines(group: Splines, direction: Array, height: float) -> float:
    """Halves the pieces whose control points reach beyond the height; their ends lie on the curve and raise it."""
    points = group.pieces.points
    heights = _heights(points, direction)
    sharp = SHARP * float(np.abs(heights).max(initial=0.0))
    for _ in range(_HALVINGS):
        reaching = heights.max(axis=1, initial=-np.inf) > height + sharp
        if not reaching.any():
            break
        points = np.concatenate(halves(points[reaching]))
        heights = _heights(points, direction)
        height = max(height, float(heights[:, [0, -1]].max()))
    return height


def _heights(points: Array, direction: Array) -> Array:
    """(n, degree + 1) heights of homogeneous control points."""
    heights: Array = (points[..., :3] @ direction) / points[..., 3]
    return heights


def _sampled(group: Sampled, direction: Array, height: float) -> float:
    """Golden-section search around the highest of some samples; for the rare curves that have no other form."""
    for panel in range(len(group.curve)):
        index = np.array([panel])
        grid = np.linspace(group.start[panel], group.stop[panel], _SAMPLES)
        values = group.evaluate(index, grid[None])[0][0] @ direction
        top = int(values.argmax())
        low, high = grid[max(top - 1, 0)], grid[min(top + 1, _SAMPLES - 1)]
        for _ in range(_HALVINGS):
            inner = np.array([high - (high - low) * _GOLDEN, low + (high - low) * _GOLDEN])
            left, right = group.evaluate(index, inner[None])[0][0] @ direction
            low, high = (low, inner[1]) if left > right else (inner[0], high)
            height = max(height, float(left), float(right))
    return height


@dataclass(frozen=True)
class RoundFace:
    """A face of a sphere (major radius 0) or a torus."""

    frame: Array
    """(4, 3): origin, x, y, z."""
    major: float
    minor: float
    contains: Contains

    def beyond(self, direction: Array, height: float) -> float:
        """At the points where the surface may be highest; what is level elsewhere is lowest.

        One is on the near side of the axis. The other is on the far side: a saddle of a ring, but highest on the inner sheet
        of a torus that crosses its axis (minor radius above the major one).
        """
        x, y, z = (self.frame[1:] @ direction).tolist()
        across = float(np.hypot(x, y))
        # Straight above the axis the highest points of a torus are a circle: it is in the face whole, or meets an edge.
        u = float(np.arctan2(y, x)) if across > _ON_AXIS else 0.0
        for side, turn in ((1.0, 0.0), (-1.0, np.pi)):
            rise = side * self.major * across + self.minor * float(np.hypot(across, z))
            top = float(self.frame[0] @ direction) + rise
            if top <= height + LEAST_RISE * (self.major + self.minor):
                break
            if self.contains((u + turn) % (2.0 * np.pi), float(np.arctan2(z, side * across))):
                return top
        return height


@dataclass(frozen=True)
class FreeformFace:
    """A face of a freeform surface, known by its points."""

    points: Callable[[Array, Array], Array]
    """(m, 3) at u (m,) and v (m,)."""
    borders: Callable[[], tuple[Array, Array]]
    """Ascending u and v between which there are patches, each with few local maxima."""
    steps: tuple[int, int]
    """Steps of the grid over a patch, along u and along v: one where the surface is straight, GRID_STEPS where it is curved."""
    contains: Contains
    hull: Array | None
    """(n, 3) points whose convex hull holds the surface, where some are known."""

    def beyond(self, direction: Array, height: float) -> float:
        """Refines every local maximum of the grid that may be higher."""
        boundary = height
        if self.hull is not None and float((self.hull @ direction).max()) <= height + LEAST_RISE * self._size:
            return height
        borders, points, shape = self._grid_points
        heights = (points @ direction).reshape(shape)
        height += LEAST_RISE * float(heights.max() - heights.min())
        starts = self._starts(borders, local_maxima(heights, height))
        tops, at = self._refine(direction, *starts)
        for maximum in np.argsort(-tops):
            if tops[maximum] <= height:
                break
            if self.contains(float(at[maximum, 0]), float(at[maximum, 1])):
                return float(tops[maximum])
        return boundary

    @cached_property
    def _grid_points(self) -> tuple[tuple[Array, Array], Array, tuple[int, ...]]:
        """The borders of the patches, the points (n, 3) of the grid, and how many there are along u and along v."""
        borders = self.borders()
        sides = tuple(_grid(side, steps) for side, steps in zip(borders, self.steps, strict=True))
        u, v = np.meshgrid(*sides, indexing="ij")
        return borders, self.points(u.ravel(), v.ravel()), u.shape

    @cached_property
    def _size(self) -> float:
        return 0.0 if self.hull is None else float(np.linalg.norm(np.ptp(self.hull, axis=0)))

    def _starts(self, borders: tuple[Array, Array], found: Index) -> tuple[Array, Array, Array]:
        """Where a search begins (m, 2), and the least and greatest parameters (m, 2) of its patch.

        A grid point (found: (n, 2)) on a border is a start in every patch that it touches.
        """
        rows = []
        for point in found.tolist():
            spans = [_touched(i, steps, len(side)) for i, steps, side in zip(point, self.steps, borders, strict=True)]
            rows += [[*point, *patch] for patch in product(*spans)]
        index = np.array(rows, dtype=np.intp).reshape(-1, 4)
        at = [_grid(side, steps)[index[:, n]] for n, (side, steps) in enumerate(zip(borders, self.steps, strict=True))]
        low, high = ([side[index[:, 2 + n] + end] for n, side in enumerate(borders)] for end in (0, 1))
        return np.stack(at, axis=1), np.stack(low, axis=1), np.stack(high, axis=1)

    def _refine(self, direction: Array, at: Array, low: Array, high: Array) -> tuple[Array, Array]:
        """The heights (m,) of the local maxima near starts (m, 2) within their patches, and where they are (m, 2).

        Each is the peak of a quadratic through a stencil around the last, again and again, on ever smaller stencils.
        """
        step = (high - low) / np.array(self.steps)
        tops, tops_at = np.full(len(at), -np.inf), at
        for _ in range(_REFINEMENTS if len(at) else 0):
            nodes = np.clip(at[:, None] + _STENCIL * step[:, None], low[:, None], high[:, None])
            heights = (self.points(nodes[..., 0].ravel(), nodes[..., 1].ravel()) @ direction).reshape(-1, 9)
            higher = heights[:, 4] > tops
            tops, tops_at = np.where(higher, heights[:, 4], tops), np.where(higher[:, None], at, tops_at)
            peaks = _peaks(heights)
            at = np.clip(at + step * peaks, low, high)
            near = np.abs(peaks).max(axis=1, keepdims=True) < _NEAR
            step = step * np.where(near, _ZOOM, _APPROACH)
            if (step <= _FINEST * (high - low)).all():
                break
        return tops, tops_at


def _grid(borders: Array, steps: int) -> Array:
    """The borders of patches, and the parameters between them that divide each patch into steps."""
    inner = np.linspace(borders[:-1], borders[1:], steps, endpoint=False, axis=1)
    return np.append(inner.ravel(), borders[-1])


def _touched(index: int, steps: int, borders: int) -> range:
    """The patches of one side that a grid point touches: two where it is a border between them."""
    return range(max((index - 1) // steps, 0), min(index // steps, borders - 2) + 1)


def local_maxima(heights: Array, height: float) -> Index:
    """Grid points (m, 2) that are no lower than their neighbours and whose surroundings may reach beyond a height."""
    rows, columns = heights.shape
    padded = np.full((rows + 2, columns + 2), -np.inf)
    padded[1:-1, 1:-1] = heights
    shifts = [(1 + i, 1 + j) for i, j in _STENCIL.astype(int).tolist() if i or j]
    around = np.stack([padded[i : rows + i, j : columns + j] for i, j in shifts])
    slack = np.where(np.isfinite(around), heights - around, 0.0).max(axis=0)
    return np.argwhere((heights >= around.max(axis=0)) & (heights + slack > height))


def _peaks(heights: Array) -> Array:
    """Where the quadratics through stencils (m, 9) are level, in steps (m, 2); at most one step away."""
    fit = (heights @ _FIT.T)[:, 1:]
    noise = _LEVEL * np.abs(heights).max(axis=1, initial=0.0)
    a, b, aa, bb, ab = np.where(np.abs(fit) > noise[:, None], fit, 0.0).T
    determinant = 4.0 * aa * bb - ab * ab
    concave = (aa < 0.0) & (determinant > 0.0)
    safe = np.where(concave, determinant, 1.0)
    peak = np.stack([(ab * b - 2.0 * bb * a) / safe, (ab * a - 2.0 * aa * b) / safe], axis=1)
    apart = np.stack([_peak(a, aa), _peak(b, bb)], axis=1)
    return np.clip(np.where(concave[:, None], peak, apart), -1.0, 1.0)


def _peak(slope: Array, curvature: Array) -> Array:
    """Where parabolas (m,) through the middle are highest, in steps: level ones stay, and others are climbed."""
    concave = curvature < 0.0
    return np.where(concave, -slope / np.where(concave, 2.0 * curvature, 1.0), np.sign(slope))
