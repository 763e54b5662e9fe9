"""Drawn lines that hang together, as boxes.

Glossary
  cell      a small square of the sheet; lines in one cell or in neighbours hang together.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Indices
from spatial.models.sheet.extents import box_around

CELLS: Final = 400
"""In a diagonal of the sheet: lines a millimeter apart on an A3 hang together; views are farther apart."""
MOST_SAMPLES: Final = 3_000_000
"""Places on lines of one sheet that are looked at; more is no line drawing."""
MOST_CELLS: Final = 100_000
"""Cells of one sheet with lines in them: those of the paper are fewer."""
MOST: Final = 300
"""Boxes that are merged, the largest."""
SMALLEST: Final = 0.01
"""Diagonals of the sheet of a box: smaller ones are signs."""


def cluster_boxes(ends: Array, diagonal: float) -> list[Box]:
    """Boxes round the lines (n, 4) that hang together; none where there are too many lines."""
    labels = _labels(ends, diagonal / CELLS)
    if labels is None:
        return []
    count = int(labels.max(initial=-1)) + 1
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    for place in (0, 2):
        np.minimum.at(low, labels, ends[:, place : place + 2])
        np.maximum.at(high, labels, ends[:, place : place + 2])
    size = (high - low).max(axis=1, initial=0.0)
    largest = np.argsort(-size, kind="stable")[:MOST]
    boxes = np.column_stack([low, high])[largest[size[largest] > SMALLEST * diagonal]]
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist()]


def _labels(ends: Array, cell: float) -> Indices | None:
    """The number of the cluster of each line; None where there are too many lines."""
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    counts = np.ceil(2 * lengths / cell) + 1
    if not len(ends) or counts.sum() > MOST_SAMPLES:
        return None
    counts = counts.astype(np.int64)
    line = np.repeat(np.arange(len(ends)), counts)
    step = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    part = step / np.maximum(counts[line] - 1, 1)
    places = ends[line, :2] + part[:, None] * (ends[line, 2:] - ends[line, :2])
    cells, of_sample = np.unique(np.floor(places / cell).astype(np.int64), axis=0, return_inverse=True)
    if len(cells) > MOST_CELLS:
        return None
    first = np.cumsum(counts) - counts
    labels: Indices = _connected(cells)[of_sample.ravel()[first]]
    return labels


def _connected(cells: Indices) -> Indices:
    """The number of the cluster of each cell (n, 2)."""
    number = {(x, y): place for place, (x, y) in enumerate(cells.tolist())}
    labels = np.full(len(cells), -1, np.int64)
    count = 0
    for place in range(len(cells)):
        if labels[place] >= 0:
            continue
        open_cells = [place]
        labels[place] = count
        while open_cells:
            x, y = cells[open_cells.pop()].tolist()
            for dx, dy in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
                other = number.get((x + dx, y + dy))
                if other is not None and labels[other] < 0:
                    labels[other] = count
                    open_cells.append(other)
        count += 1
    return labels


def merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap as one: the holes of a part lie within its outline."""
    found: list[Box] = []
    for box in boxes:
        whole, overlapping = box, [other for other in found if _overlap(box, other)]
        while overlapping:
            found = [other for other in found if other not in overlapping]
            whole = box_around([whole, *overlapping])
            overlapping = [other for other in found if _overlap(whole, other)]
        found.append(whole)
    return found


def _overlap(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
