"""The spaces that an object can go into: pockets and boxes between walls, and round bores.

Glossary
  cavity   a box or a bore that is free of the object's material and has walls on at least two opposite pairs of sides.
  side     of a box: -x, +x, -y, +y, -z, +z of its frame; of a bore: its two ends are the sides of its axis.
  opening  a side without a wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final, Literal

import numpy as np

from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import body_of
from spatial.reasoning.shape.bores import Bore, bores_of
from spatial.reasoning.shape.cells import Flags, Grid, grid_of, right_angled
from spatial.reasoning.shape.convex import Array, Convex, box, cylinder

SEEDS: Final = 150
"""Cells from which boxes grow, largest first; a pocket of a part has a handful of cells."""

Side = Literal["wall", "open", "unknown"]


@dataclass(frozen=True, eq=False)
class Cavity:
    """A space inside an object.

    frame: (3, 3) rows are its directions; a bore's axis is the last one.
    lower, upper: (3,) its extent along them.
    sides: what is at -x, +x, -y, +y, -z, +z of the frame.
    radius: of a bore; None for a box.
    error: how far the ends of an opening may be from where they are reported, in the scene's units; walls are exact.
    basis: what it rests on.
    """

    frame: Array
    lower: Array
    upper: Array
    sides: tuple[Side, Side, Side, Side, Side, Side]
    radius: float | None = None
    error: float = 0.0
    basis: Literal["planes of the faces", "planes of the points", "bore", "corners"] = "planes of the points"

    @property
    def shape(self) -> Convex:
        """The space as a convex shape."""
        if self.radius is None:
            return box(self.lower, self.upper).moved(self.frame.T)
        middle = (self.lower + self.upper)[:2] / 2
        ends = [self.frame.T @ np.append(middle, level) for level in (self.lower[2], self.upper[2])]
        return cylinder(ends[0], ends[1], self.radius)

    @property
    def size(self) -> Array:
        """(3,) extent along its frame."""
        return self.upper - self.lower

    @property
    def openings(self) -> list[Array]:
        """The unit vectors that point out through the sides without a wall."""
        return [self._outward(side) for side in range(6) if self.sides[side] == "open"]

    @property
    def possible_openings(self) -> list[Array]:
        """The unit vectors that point out through the sides that are not known to be walls."""
        return [self._outward(side) for side in range(6) if self.sides[side] != "wall"]

    def side_towards(self, direction: Array) -> int | None:
        """The side that a direction points out through; None if it is oblique to all of them."""
        found = [side for side in range(6) if float(self._outward(side) @ direction) > 1 - _OBLIQUE]
        return found[0] if found else None

    def _outward(self, side: int) -> Array:
        return np.asarray(self.frame[side // 2] * (1.0 if side % 2 else -1.0))


_OBLIQUE: Final = 1e-9
"""1 - cosine of the angle from which a direction is oblique to a side: 0.0026 degrees."""


@lru_cache(maxsize=128)
def cavities_of(item: SceneObject) -> tuple[Cavity, ...]:
    """The cavities of an object, largest first; none for an object that is not known to be hollow."""
    found = list(_boxes(item))
    inside = inside_of(item) if item.kind == "container" and not found else None
    found += [] if inside is None else [inside]
    found += [_of_bore(bore) for bore in bores_of(item)]
    return tuple(sorted(found, key=lambda cavity: -float(np.prod(cavity.size))))


def _boxes(item: SceneObject) -> Iterator[Cavity]:
    if item.kind not in ("container", "unknown"):
        return
    grid = grid_of(item)
    if grid is None or (grid.off.any() and not item.faces):
        return
    is_thick = grid.is_sound and not grid.material.all()
    if not is_thick and item.kind != "container":
        return
    free = ~grid.material if is_thick else np.ones_like(grid.material)
    for first, last in _largest(grid, free, is_thick):
        cavity = _between(grid, free, is_thick, first, last, bool(item.faces))
        if cavity is not None:
            yield cavity


def _largest(grid: Grid, free: Flags, is_thick: bool) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Boxes of free cells that cannot grow, each once."""
    volumes = np.einsum("i,j,k->ijk", *(np.diff(levels) for levels in grid.levels))
    seeds = sorted(np.argwhere(free).tolist(), key=lambda cell: -float(volumes[tuple(cell)]))[:SEEDS]
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    for seed in seeds:
        if any(all(a <= c <= b for a, c, b in zip(first, seed, last, strict=True)) for first, last in found):
            continue
        for order in permutations(range(3)):
            found[_grown(grid, free, is_thick, seed, order)] = None
    return list(found)


def _grown(
    grid: Grid, free: Flags, is_thick: bool, seed: list[int], order: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, last = list(seed), list(seed)
    for axis in order:
        for ends, step in ((last, 1), (first, -1)):
            while 0 <= ends[axis] + step < free.shape[axis]:
                beyond = [slice(a, b + 1) for a, b in zip(first, last, strict=True)]
                beyond[axis] = slice(ends[axis] + step, ends[axis] + step + 1)
                plane = ends[axis] + (step > 0)
                if not free[tuple(beyond)].all() or (
                    not is_thick and (_facets(grid, axis, plane, first, last) > 0).any()
                ):
                    break
                ends[axis] += step
    return tuple(first), tuple(last)


def _facets(
    grid: Grid, axis: int, plane: int, first: list[int] | tuple[int, ...], last: list[int] | tuple[int, ...]
) -> Array:
    """The certainty of the facets of one plane over a box of cells."""
    across = [slice(first[other], last[other] + 1) for other in range(3) if other != axis]
    return np.asarray(grid.walls[axis][plane, across[0], across[1]])


def _between(
    grid: Grid, free: Flags, is_thick: bool, first: tuple[int, ...], last: tuple[int, ...], has_faces: bool
) -> Cavity | None:
    sides: list[Side] = []
    for axis in range(3):
        for cell, step in ((first[axis], 0), (last[axis], 1)):
            sides.append(_side(grid, free, is_thick, axis, cell + step, first, last))
    pairs = sum(sides[2 * axis] == sides[2 * axis + 1] == "wall" for axis in range(3))
    if pairs < 2:
        return None
    lower, upper = grid.corners(first, last)
    basis: Literal["planes of the faces", "planes of the points"] = (
        "planes of the faces" if has_faces else "planes of the points"
    )
    error = 0.0 if has_faces or "open" not in sides else grid.error
    return Cavity(
        grid.frame, lower, upper, (sides[0], sides[1], sides[2], sides[3], sides[4], sides[5]), error=error, basis=basis
    )


def _side(
    grid: Grid, free: Flags, is_thick: bool, axis: int, plane: int, first: tuple[int, ...], last: tuple[int, ...]
) -> Side:
    if not is_thick:
        return "wall" if (_facets(grid, axis, plane, first, last) > 0).all() else "open"
    behind = plane if plane > last[axis] else plane - 1
    if not 0 <= behind < free.shape[axis]:
        return "open"
    beyond = [slice(a, b + 1) for a, b in zip(first, last, strict=True)]
    beyond[axis] = slice(behind, behind + 1)
    return "open" if free[tuple(beyond)].any() else "wall"


def inside_of(item: SceneObject) -> Cavity | None:
    """The inside of an object's box, for an object that is said to be hollow and whose points show no more than a box."""
    body = body_of(item)
    hull = body.hull if body is not None and body.basis in ("points", "corners") else None
    if hull is None or hull.shape.vertices.shape[0] != _BOX_CORNERS:
        return None
    frame = _tidy(np.array([facet.normal for facet in hull.facets]))
    if frame is None:
        return None
    rows = hull.vertices @ frame.T
    return Cavity(frame, rows.min(axis=0), rows.max(axis=0), ("unknown",) * 6, basis="corners")


_BOX_CORNERS: Final = 8


def _tidy(normals: Array) -> Array | None:
    along = right_angled(normals)
    is_square = along is not None and bool((np.abs(normals @ along.T).max(axis=1) > 1 - _OBLIQUE).all())
    return along if is_square else None


def _of_bore(bore: Bore) -> Cavity:
    middle = bore.frame[:2] @ bore.centre
    return Cavity(
        bore.frame,
        np.append(middle - bore.radius, bore.lower),
        np.append(middle + bore.radius, bore.upper),
        ("wall", "wall", "wall", "wall", bore.ends[0], bore.ends[1]),
        radius=bore.radius,
        error=bore.error,
        basis="bore",
    )
