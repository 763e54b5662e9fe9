"""The spatial index: things found by the square cell of the plane that they are in, without a look at all of them.

`CellIndex` holds points that are all known, and answers many questions at once as arrays. `GrowingCellIndex` holds
objects that come and go one by one. `KeyIndex` is what a `CellIndex` stands on: anything with an integer key, such as
the direction and the offset of a line.

Glossary
  cell   column and row of a square; cell (0, 0) begins at the origin.
  range  whole numbers from a first one to before a last one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.columns import every
from spatial.geometry.ordering import stable_order
from spatial.geometry.quadrature import Array
from spatial.geometry.range_counts import RangeCounts, boxes_over

Indices = NDArray[np.int64]
T = TypeVar("T")

PAIRS_AT_ONCE: Final = 1_000_000
"""Pairs of a question and an answer that one array holds: 8 MB each."""

PAIRS_PER_THING: Final = 16
"""Pairs of a box and a point that are looked at for each of them, beside PAIRS_AT_ONCE."""

OBJECTS_PER_CELL: Final = 48
"""Objects that a cell of a growing index holds; hundreds of texts on one spot are no lettering that can be read."""

CELLS_PER_WINDOW: Final = 4096
"""Cells that a window of a growing index may meet; a larger window is damage, and finds nothing."""

_LEAST_CELL: Final = 1e-9
_EDGE: Final = 1e-6
"""Cells by which boxes are widened so that rounding loses no point on their edges."""
_FARTHEST: Final = 1e9
"""Columns and rows beyond this share the outermost one."""
_STRIDE: Final = 2_147_483_647
"""From the key of a cell to that of the cell above; more than there are columns."""
_NEIGHBOURS: Final = np.array([(column, row) for row in (-1.0, 0.0, 1.0) for column in (-1.0, 0.0, 1.0)])


class KeyIndex:
    """Numbers of things by an integer key; things of one key keep their order."""

    def __init__(self, keys: Indices, numbers: Indices | None = None) -> None:
        """`keys`, `numbers`: (n,); without numbers, things are numbered from 0."""
        order = stable_order(keys)
        self.keys = keys[order]
        self.numbers: Indices = order if numbers is None else numbers[order]

    def ranges(self, low: Indices, high: Indices, most: int | None = None) -> tuple[Indices, Indices]:
        """The range of `numbers` whose keys are from `low` to `high` (n,); of `most` things, the first ones."""
        firsts = np.searchsorted(self.keys, low, side="left")
        lasts = np.searchsorted(self.keys, high, side="right")
        return firsts, lasts if most is None else np.minimum(lasts, firsts + most)

    def things(self, firsts: Indices, lasts: Indices) -> tuple[Indices, Indices]:
        """The things of some ranges (n,): the number of the range, in order, and that of the thing."""
        of, at = whole_numbers(firsts, lasts)
        return of, self.numbers[at]


class CellIndex:
    """Points of the plane by cell."""

    def __init__(self, points: Array, cell: float, numbers: Indices | None = None) -> None:
        """`points`: (n, 2), finite; `cell`: side of a cell; `numbers`: (n,) what each is a point of, ascending."""
        self._cell = max(cell, _LEAST_CELL)
        cells = _cells(points, self._cell)
        self._low = np.array([column.min(initial=_FARTHEST) for column in cells.T])
        self._high = np.array([column.max(initial=-_FARTHEST) for column in cells.T])
        self._index = KeyIndex(_keys(cells), numbers)
        self._repeats = numbers is not None and bool((np.diff(numbers) == 0).any())

    def near(self, places: Array, most: int | None = None) -> Iterator[tuple[Indices, Indices]]:
        """The things in the cells of places (m, 2) and in the eight around; of each cell the first `most`.

        Some places at a time: the number of the place, in order, and that of the thing.
        """
        keys = _keys(_cells(places, self._cell)[:, None] + _NEIGHBOURS)
        firsts, lasts = self._index.ranges(keys, keys, most)
        for part in portions((lasts - firsts).sum(axis=1)):
            of, things = self._index.things(firsts[part].ravel(), lasts[part].ravel())
            yield of // len(_NEIGHBOURS) + part.start, things

    def in_boxes(self, boxes: Array) -> Iterator[tuple[Indices, Indices]]:
        """The things in the cells that boxes (m, 4) meet; a box that is not finite meets none.

        Some boxes at a time: the number of the box, in order, and that of the thing.
        """
        sound = every(np.isfinite(boxes))[:, None]
        with np.errstate(invalid="ignore", over="ignore"):
            low = np.where(sound, np.maximum(boxes[:, :2] // self._cell, self._low), 0.0)
            high = np.where(sound, np.minimum(boxes[:, 2:] // self._cell, self._high), -1.0)
        meets = every(low <= high)
        low, high = (np.where(meets[:, None], end, 0.0).astype(np.int64) for end in (low, high))
        box, row = whole_numbers(low[:, 1], np.where(meets, high[:, 1] + 1, low[:, 1]))
        firsts, lasts = self._index.ranges(row * _STRIDE + low[box, 0], row * _STRIDE + high[box, 0])
        for part in portions(np.bincount(box, lasts - firsts, len(boxes))):
            rows = slice(*np.searchsorted(box, (part.start, part.stop)).tolist())
            of, things = self._index.things(firsts[rows], lasts[rows])
            yield box[rows][of], things

    def in_box(self, box: tuple[float, float, float, float]) -> Indices:
        """The things in the cells that a box meets, each once."""
        found = np.zeros(0, np.int64)
        if not all(map(math.isfinite, box)):
            return found
        left, bottom = (max(box[axis] // self._cell, float(self._low[axis])) for axis in (0, 1))
        right, top = (min(box[axis + 2] // self._cell, float(self._high[axis])) for axis in (0, 1))
        if right < left or top < bottom:
            return found
        row = np.arange(int(bottom), int(top) + 1) * _STRIDE
        firsts, lasts = self._index.ranges(row + int(left), row + int(right))
        parts = [self._index.numbers[a:b] for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True) if b > a]
        found = np.concatenate([found, *parts])
        return np.unique(found) if self._repeats else found


def may_hold_points(boxes: Array, points: Array, cell: float) -> NDArray[np.bool_]:
    """(m,) whether a point of (n, 2) lies in each box (m, 4); also true of some whose edge a point touches.

    cell: about a side of the boxes.
    """
    held = np.zeros(len(boxes), bool)
    slack = _EDGE * max(cell, _LEAST_CELL)
    wider = boxes + np.array([-slack, -slack, slack, slack])
    left = _most_pairs(boxes, points)
    for of, number in CellIndex(points, cell).in_boxes(wider):
        held[of[_lie(points[number], wider[of])]] = True
        if (left := left - len(of)) < 0:
            sound = every(np.isfinite(wider))
            held[sound] = RangeCounts(points).in_boxes(wider[sound]) > 0
            break
    return held


def lie_in_boxes(points: Array, boxes: Array) -> NDArray[np.bool_]:
    """(n,) whether each point of (n, 2) lies in a box of (m, 4), edges included; what is not finite lies in none, and holds none."""
    held = np.zeros(len(points), bool)
    boxes, numbers = boxes[every(np.isfinite(boxes))], np.flatnonzero(every(np.isfinite(points)))
    if not len(boxes):
        return held
    cell = max(float((boxes[:, 2:] - boxes[:, :2]).max(axis=1).mean()), _LEAST_CELL)
    slack = _EDGE * cell
    left = _most_pairs(boxes, points)
    for of, number in CellIndex(points[numbers], cell, numbers).in_boxes(
        boxes + np.array([-slack, -slack, slack, slack])
    ):
        held[number[_lie(points[number], boxes[of])]] = True
        if (left := left - len(of)) < 0:
            held[numbers] = boxes_over(points[numbers], boxes) > 0
            break
    return held


def _most_pairs(boxes: Array, points: Array) -> int:
    """How many pairs of a box and a point are looked at; where they crowd, sorting them takes less."""
    return PAIRS_AT_ONCE + PAIRS_PER_THING * (len(boxes) + len(points))


def _lie(points: Array, boxes: Array) -> NDArray[np.bool_]:
    """(n,) whether each point (n, 2) lies in its box (n, 4)."""
    (x, y), (left, bottom, right, top) = points.T, boxes.T
    return np.asarray((x >= left) & (x <= right) & (y >= bottom) & (y <= top))


class GrowingCellIndex(Generic[T]):
    """Objects at a place of the plane, added and removed one by one."""

    def __init__(self, cell: float) -> None:
        """`cell`: side of a cell; 1 where that is no length."""
        self._cell = cell if math.isfinite(cell) and cell > 0 else 1.0
        self._cells: defaultdict[tuple[int, int], list[tuple[float, float, T]]] = defaultdict(list)

    def add(self, x: float, y: float, thing: T) -> None:
        """Keep an object at a place; a cell with OBJECTS_PER_CELL takes no more."""
        held = self._cells[int(x // self._cell), int(y // self._cell)]
        if len(held) < OBJECTS_PER_CELL:
            held.append((x, y, thing))

    def remove(self, x: float, y: float, thing: T) -> None:
        """Remove an object that was added at this very place."""
        held = self._cells.get((int(x // self._cell), int(y // self._cell)), [])
        held[:] = [entry for entry in held if entry[2] is not thing]

    def in_box(self, left: float, bottom: float, right: float, top: float) -> list[T]:
        """The objects in a window; none where it meets more than CELLS_PER_WINDOW cells."""
        cell, cells = self._cell, self._cells
        columns = range(int(left // cell), int(right // cell) + 1)
        rows = range(int(bottom // cell), int(top // cell) + 1)
        if len(columns) * len(rows) > CELLS_PER_WINDOW:
            return []
        return [
            thing
            for column in columns
            for row in rows
            if (held := cells.get((column, row)))
            for x, y, thing in held
            if left <= x <= right and bottom <= y <= top
        ]


def whole_numbers(firsts: Indices, lasts: Indices) -> tuple[Indices, Indices]:
    """All whole numbers of some ranges (n,): the number of the range, in order, and the whole number."""
    count = np.maximum(lasts - firsts, 0)
    of = np.repeat(np.arange(len(count)), count)
    return of, np.arange(len(of)) + np.repeat(firsts - np.cumsum(count) + count, count)


def portions(sizes: NDArray[np.generic], most: int = PAIRS_AT_ONCE) -> Iterator[slice]:
    """Neighbours of `sizes` (n,) that have at most `most` together; what has more by itself stands alone."""
    total = np.cumsum(sizes)
    begin = 0
    while begin < len(total):
        done = int(total[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(total, done + most, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end


def _cells(points: Array, cell: float) -> Array:
    """Column and row (…, 2) of points, as whole floats."""
    return np.clip(np.floor(points / cell), -_FARTHEST, _FARTHEST)


def _keys(cells: Array) -> Indices:
    whole = np.clip(cells, -_FARTHEST, _FARTHEST).astype(np.int64)
    return np.asarray(whole[..., 1] * _STRIDE + whole[..., 0])
