"""Rows of ruled cells, whatever stands in them: what tables of unknown kind are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from spatial.understanding.sheet.cells.grid import Cell, Grid

Band: TypeAlias = list[Cell]
"""Neighbouring cells between the same two rules, from the left."""
Columns: TypeAlias = tuple[tuple[int, int], ...]
"""The columns of the cells of one band."""


def bands_of(grid: Grid) -> Iterator[Band]:
    """The bands of a grid, the upper ones first."""
    levels: dict[tuple[int, int], Band] = defaultdict(list)
    for cell in grid.cells:
        levels[cell.rows].append(cell)
    for _, cells in sorted(levels.items()):
        cells.sort(key=lambda cell: cell.columns)
        band = cells[:1]
        for before, cell in pairwise(cells):
            if before.columns[1] != cell.columns[0]:
                yield band
                band = []
            band.append(cell)
        yield band


def columns_of(band: Band) -> Columns:
    """The columns of its cells."""
    return tuple(cell.columns for cell in band)


def under_one_another(bands: Sequence[Band]) -> Iterator[list[Band]]:
    """Runs of bands each of which adjoins the one above it."""
    run = list(bands[:1])
    for before, band in pairwise(bands):
        if before[0].rows[1] != band[0].rows[0]:
            yield run
            run = []
        run.append(band)
    yield run


def runs_of(grid: Grid) -> Iterator[list[Band]]:
    """Bands of neighbouring cells in the same columns, one under the other."""
    by_columns: dict[Columns, list[Band]] = defaultdict(list)
    for band in bands_of(grid):
        by_columns[columns_of(band)].append(band)
    for bands in by_columns.values():
        yield from under_one_another(bands)
