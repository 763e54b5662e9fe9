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

FRAME: Final = 0.6
"""Part of width and height of the sheet: larger clusters that no dimension confirms are frames."""


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
    x, y = np.floor(places / cell).astype(np.int64).T
    # One number per cell, sorted as (x, y); between two columns is an empty row, so that no cell has a neighbour around the edge.
    height = int(y.max() - y.min()) + 2
    cells, of_sample = np.unique((x - x.min()) * height + (y - y.min()), return_inverse=True)
    if len(cells) > MOST_CELLS:
        return None
    labels: Indices = _connected(cells, height)[of_sample[np.cumsum(counts) - counts]]
    return labels


def _connected(cells: Indices, height: int) -> Indices:
    """The number of the cluster of each cell; cells (n,): sorted, a step along x is `height`."""
    here, there = [], []
    for step in (1, height - 1, height, height + 1):
        places = np.minimum(np.searchsorted(cells, cells + step), len(cells) - 1)
        (found,) = np.nonzero(cells[places] == cells + step)
        here.append(found)
        there.append(places[found])
    one, other = np.concatenate(here), np.concatenate(there)
    labels = np.arange(len(cells))
    while (apart := labels[one] != labels[other]).any():
        one, other = one[apart], other[apart]
        smaller, larger = np.minimum(labels[one], labels[other]), np.maximum(labels[one], labels[other])
        np.minimum.at(labels, larger, smaller)
        while ((further := labels[labels]) != labels).any():
            labels = further
    numbers: Indices = np.unique(labels, return_inverse=True)[1]
    return numbers


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


def is_frame(box: Box, paper: Box) -> bool:
    """Whether a box is as large as a frame of the sheet."""
    wide, tall = paper[2] - paper[0], paper[3] - paper[1]
    return box[2] - box[0] > FRAME * wide and box[3] - box[1] > FRAME * tall
