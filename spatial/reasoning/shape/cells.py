"""Orthogonal parts as a grid of box cells: which cells are material, and which facets between cells are walls.

The planes of a part at right angles cut its extent into cells. A facet between two cells is a wall if sampled points lie on it. Cells on
both sides of a wall differ, all others are alike, and outside there is no material. For a solid the result is exact if the
material has the document's volume; nothing is concluded from a grid that fails this check.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.convex import Array, Convex, box
from spatial.reasoning.shape.exact import planes_of
from spatial.reasoning.shape.hull import hull_of
from spatial.reasoning.shape.tolerances import COPLANAR, PARALLEL, SPARSE

Flags = NDArray[np.bool_]

MAX_PLANES: Final = 14
"""Planes of one direction beyond which no grid is made: racks and grilles, whose small facets get too few points."""

SURE: Final = 12.0
"""Expected points from which a facet without points is certainly none: exp(-12) is one in 160,000."""

PLANE_SHARE: Final = 0.005
"""Share of a cloud's points that lie in one plane where a wall is; random coordinates coincide by far less."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A part in cells.

    frame: (3, 3) rows are the directions of the grid, right-handed.
    levels: the planes' offsets along each row, ascending.
    walls: per direction (planes, cells, cells) the certainty that a facet is a wall, > 0, or none, < 0; other directions in order.
    material: (nx, ny, nz) the cells of material.
    error: how far the outermost levels may be wrong that no plane proves: the rim of an open thin container.
    off: points that lie in none of the planes, as a mask over the cloud.
    is_sound: whether no sure facet contradicts `material`; walls without thickness do.
    """

    frame: Array
    levels: tuple[Array, Array, Array]
    walls: tuple[Array, Array, Array]
    material: Flags
    off: Flags
    is_sound: bool
    error: float

    def corners(self, first: tuple[int, ...], last: tuple[int, ...]) -> Array:
        """(2, 3) lower and upper corner, in the frame, of the cells from `first` to `last`, both included."""
        lower = [self.levels[axis][first[axis]] for axis in range(3)]
        return np.array([lower, [self.levels[axis][last[axis] + 1] for axis in range(3)]])

    def volume(self) -> float:
        """Volume of the material."""
        x, y, z = (np.diff(levels) for levels in self.levels)
        return float(np.einsum("i,j,k,ijk->", x, y, z, self.material.astype(np.float64)))

    def parts(self) -> tuple[Convex, ...]:
        """The material as boxes that do not overlap, in the scene's frame."""
        boxes = (self.corners(first, last) for first, last in _merged(self.material))
        return tuple(box(found[0], found[1]).moved(self.frame.T) for found in boxes)


@lru_cache(maxsize=128)
def grid_of(item: SceneObject) -> Grid | None:
    """The grid of an object; None if its planes are not at right angles, or its points are too few."""
    if len(item.points) < SPARSE:
        return None
    frame = _frame(item)
    if frame is None:
        return None
    rows = item.points @ frame.T
    reach = COPLANAR * float(np.linalg.norm(np.ptp(rows, axis=0)))
    levels = _levels_of_faces(item, frame, rows, reach) if item.faces else _levels_of_points(rows, reach)
    if any(not 2 <= len(found) <= MAX_PLANES for found in levels):
        return None
    walls, off = _walls(rows, levels, reach)
    material, is_sound = _labelled(walls)
    return Grid(frame, levels, walls, material, off, is_sound, _LAST * reach / COPLANAR / len(item.points))


def _frame(item: SceneObject) -> Array | None:
    """(3, 3) the directions of the largest planes, at right angles."""
    if item.faces:
        normals, _ = planes_of(sorted(item.faces, key=lambda face: -(face.area or 0.0)))
    else:
        hull = hull_of(item.points)
        normals = np.array([facet.normal for facet in hull.largest(12)]) if hull else np.empty((0, 3))
    return right_angled(normals)


def right_angled(normals: Array) -> Array | None:
    """(3, 3) three directions at right angles among unit normals, the first one's first; None where there are none."""
    for first in normals[:3]:
        across = normals[np.abs(normals @ first) < PARALLEL]
        if len(across):
            second = across[0] - (across[0] @ first) * first
            second = second / np.linalg.norm(second)
            third = np.cross(first, second)
            return _signed(np.array([first, second, third]))
    return None


def _signed(frame: Array) -> Array:
    """The same axes, each with its largest component positive where that keeps them right-handed: a tidy frame for tidy parts."""
    order = [int(np.argmax(np.abs(frame[:, axis]))) for axis in range(3)]
    rows = frame[order] if sorted(order) == [0, 1, 2] else frame
    rows = rows * np.where(rows[np.arange(3), np.argmax(np.abs(rows), axis=1)] < 0, -1.0, 1.0)[:, None]
    return rows if np.linalg.det(rows) > 0 else rows * np.array([[1.0], [1.0], [-1.0]])


def _levels_of_faces(item: SceneObject, frame: Array, rows: Array, reach: float) -> tuple[Array, Array, Array]:
    normals, offsets = planes_of(item.faces)
    along = normals @ frame.T
    found = []
    for axis in range(3):
        aligned = np.abs(along[:, axis]) > 1 - PARALLEL
        ends = [rows[:, axis].min(), rows[:, axis].max()] if not aligned.any() else []
        found.append(_distinct(np.concatenate([offsets[aligned] * np.sign(along[aligned, axis]), ends]), 10 * reach))
    return found[0], found[1], found[2]


def _levels_of_points(rows: Array, reach: float) -> tuple[Array, Array, Array]:
    """The coordinates that many points share."""
    found = [_shared(np.sort(rows[:, axis]), reach) for axis in range(3)]
    return found[0], found[1], found[2]


def _shared(values: Array, reach: float) -> Array:
    groups = np.split(values, np.flatnonzero(np.diff(values) > reach) + 1)
    least = max(PLANE_SHARE * len(values), 8)
    counts = np.array([len(group) for group in groups if len(group) >= least])
    levels = np.array([float(np.median(group)) for group in groups if len(group) >= least])
    if len(levels) > _RASTER_LINES:
        # A cloud on a regular raster has a group at every raster line; only walls stand out of them.
        levels = levels[counts > _RASTER * np.median(counts)]
    ends = [end for end in (values[0], values[-1]) if not len(levels) or np.abs(levels - end).min() > 10 * reach]
    return np.sort(np.concatenate([levels, ends]))


_LAST: Final = 8.0
"""Mean gaps between the points of a wall by which its rim may be beyond its last point: exp(-8) is one in 3,000."""

_RASTER_LINES: Final = 8
"""Planes of one direction from which a cloud may be a raster."""

_RASTER: Final = 2.0
"""How many times as many points a wall has as a line of a raster."""


def _distinct(values: Array, reach: float) -> Array:
    values = np.sort(values)
    return values[np.concatenate([[True], np.diff(values) > reach])] if len(values) else values


def _walls(rows: Array, levels: tuple[Array, Array, Array], reach: float) -> tuple[tuple[Array, Array, Array], Flags]:
    """The certainty of every facet, and the points that lie in none: > 0 for a wall, by its points; < 0 for none, by those expected."""
    near = [np.abs(rows[:, axis][:, None] - levels[axis]) <= 4 * reach for axis in range(3)]
    on_edge = np.sum([each.any(axis=1) for each in near], axis=0) > 1
    counts = [_facet_counts(rows, levels, axis, near[axis] & ~on_edge[:, None]) for axis in range(3)]
    sides = [[np.diff(levels[other]) for other in range(3) if other != axis] for axis in range(3)]
    areas = [np.broadcast_to(np.outer(*each), count.shape) for each, count in zip(sides, counts, strict=True)]
    density = _density(
        np.concatenate([each.ravel() for each in counts]), np.concatenate([each.ravel() for each in areas])
    )
    walls = [
        np.where(count > _STRAY * density * area, count + SURE / 2, -density * area)
        for count, area in zip(counts, areas, strict=True)
    ]
    for each in walls:
        each[[0, -1]] *= np.where((each[[0, -1]] < 0) & (each[[0, -1]] > -SURE), _OUTSIDE, 1.0)
    return (walls[0], walls[1], walls[2]), ~np.any([each.any(axis=1) for each in near], axis=0)


_OUTSIDE: Final = 0.5
"""Weight of a small outermost facet without points: that a corner of a part is missing is less likely than that it got no points."""

_STRAY: Final = 0.05
"""Share of the expected points up to which points on a facet are strays: other surfaces that happen to cross its plane."""


def _facet_counts(rows: Array, levels: tuple[Array, Array, Array], axis: int, near: Flags) -> NDArray[np.int64]:
    first, second = (other for other in range(3) if other != axis)
    shape = len(levels[axis]), len(levels[first]) - 1, len(levels[second]) - 1
    held, plane = np.nonzero(near)
    cells = [np.searchsorted(levels[other], rows[held, other]) - 1 for other in (first, second)]
    inside = (cells[0] >= 0) & (cells[0] < shape[1]) & (cells[1] >= 0) & (cells[1] < shape[2])
    found = np.zeros(shape, dtype=np.int64)
    np.add.at(found, (plane[inside], cells[0][inside], cells[1][inside]), 1)
    return found


def _density(counts: NDArray[np.int64], areas: Array) -> float:
    """Points per area of the facets that have points: the median by area, which edges and openings do not move."""
    rates = counts / areas
    held = rates > 0
    order = np.argsort(rates[held])
    summed = np.cumsum(areas[held][order])
    return float(rates[held][order][np.searchsorted(summed, summed[-1] / 2)]) if held.any() else 0.0


def _labelled(walls: tuple[Array, Array, Array]) -> tuple[Flags, bool]:
    """(nx, ny, nz) which cells are material, and whether no sure facet contradicts it.

    Facets are taken in the order of their certainty; each says that two cells are alike, or that one is material and the other is not.
    Small facets, whose state is a matter of luck, so decide nothing that larger ones decide (Kruskal's spanning forest with parity).
    """
    shape = walls[1].shape[1] + 2, walls[0].shape[1] + 2, walls[0].shape[2] + 2  # with a ring of cells outside
    first, second, certainty = _pairs(walls, shape)
    leader, parity = list(range(int(np.prod(shape)))), [False] * int(np.prod(shape))
    is_sound = True
    for place in np.argsort(-np.abs(certainty), kind="stable").tolist():
        one, flips = _lead(leader, parity, int(first[place]))
        other, turns = _lead(leader, parity, int(second[place]))
        differs = bool(certainty[place] > 0)
        if one == other:
            is_sound = is_sound and ((flips ^ turns) == differs or bool(abs(certainty[place]) < SURE))
        else:
            leader[max(one, other)] = min(one, other)
            parity[max(one, other)] = flips ^ turns ^ differs
    found = np.array([_lead(leader, parity, cell)[1] for cell in range(len(leader))]).reshape(shape)
    return found[1:-1, 1:-1, 1:-1], is_sound


def _pairs(
    walls: tuple[Array, Array, Array], shape: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Neighbouring cells, and the certainty of the facet between them: > 0 for a wall, < 0 for none."""
    cells = np.arange(int(np.prod(shape))).reshape(shape)
    found = []
    for axis in range(3):
        open_facets = np.full([extent - (place == axis) for place, extent in enumerate(shape)], -np.inf)
        inner = tuple(slice(None) if place == axis else slice(1, -1) for place in range(3))
        open_facets[inner] = np.moveaxis(walls[axis], 0, axis)
        ahead = np.take(cells, range(1, shape[axis]), axis=axis)
        behind = np.take(cells, range(shape[axis] - 1), axis=axis)
        found.append((behind.ravel(), ahead.ravel(), open_facets.ravel()))
    behind_all, ahead_all, certainty = (np.concatenate(each) for each in zip(*found, strict=True))
    return behind_all, ahead_all, certainty


def _lead(leader: list[int], parity: list[bool], cell: int) -> tuple[int, bool]:
    """The representative of a cell's group, and whether the cell differs from it."""
    odd = False
    while leader[cell] != cell:
        odd ^= parity[cell]
        cell = leader[cell]
    return cell, odd


def _merged(cells: Flags) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Boxes of true cells, first and last cell each, that together are all of them and do not overlap."""
    left = cells.copy()
    for first in np.argwhere(cells).tolist():
        if not left[tuple(first)]:
            continue
        last = list(first)
        for axis in (2, 1, 0):
            while last[axis] + 1 < cells.shape[axis]:
                beyond = tuple(
                    slice(last[a] + 1, last[a] + 2) if a == axis else slice(first[a], last[a] + 1) for a in range(3)
                )
                if not left[beyond].all():
                    break
                last[axis] += 1
        left[tuple(slice(first[a], last[a] + 1) for a in range(3))] = False
        yield tuple(first), tuple(last)
