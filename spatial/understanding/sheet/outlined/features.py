"""What the classifier sees of a glyph: a small picture of it, the directions of its edges, and its place in its line.

Glossary
  glyph     what is drawn for one character.
  frame     baseline and capital height of the line that a glyph stands in.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.geometry import raster

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.int64]

SIZE: Final = 32
"""Pixels of a side of the picture."""
MARGIN: Final = 3
DIRECTIONS: Final = 8
"""Directions of edges that are told apart."""
CELLS: Final = 8
"""Cells of a side in which directions are summed up."""
GREY: Final = SIZE // 2
"""Pixels of a side of the grey picture."""
BATCH: Final = 64
"""Pictures that are looked at together: what fits into the processor's cache."""
PLACES: Final = 8
"""Numbers that say where in its line a glyph stands, and how wide it is."""
COUNT: Final = DIRECTIONS * CELLS * CELLS + GREY * GREY + PLACES


def features(edges: Array, of: Indices, boxes: Array, frames: Array) -> Floats:
    """What the classifier sees of each glyph.

    edges: (n, 4) of closed polygons in the direction of reading, y up; of: (n,) glyph of each edge, ascending;
    boxes: (k, 4) x least, y least, x greatest, y greatest of each glyph; frames: (k, 2) baseline and capital height of the line that
    each stands in, NaN where it is not known.
    Returns: (k, COUNT)
    """
    low, high = boxes[:, :2], boxes[:, 2:]
    extent = np.maximum((high - low).max(axis=1), 1e-9)
    scale = (SIZE - 2 * MARGIN) / extent
    shift = SIZE / 2.0 - (low + high) / 2.0 * scale[:, None]
    placed = edges * scale[of, None] + np.tile(shift[of], 2)
    pictures = raster.fill(placed, of, len(boxes), SIZE)
    half = pictures[:, ::2] + pictures[:, 1::2]
    grey = (half[:, :, ::2] + half[:, :, 1::2]) * np.float32(0.25)
    batches = range(0, len(pictures), BATCH)
    directions = np.concatenate([_directions(pictures[begin : begin + BATCH]) for begin in batches])
    return np.concatenate([directions, grey.reshape(len(boxes), -1), places(boxes, frames)], axis=1)


def grey_pictures(seen: Floats) -> Floats:
    """(k, GREY * GREY) the grey pictures in what the classifier sees (k, COUNT)."""
    return seen[:, -(GREY * GREY + PLACES) : -PLACES]


def _directions(pictures: Floats) -> Floats:
    """Gradients by direction, summed up in cells that overlap by half; the square root evens out how thick strokes are."""
    padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1)))
    dx = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    dy = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    planes = np.empty((len(pictures), DIRECTIONS, SIZE, SIZE), np.float32)
    along, aside = np.empty_like(dx), np.empty_like(dy)
    for turn in range(DIRECTIONS // 2):
        angle = np.pi * turn / (DIRECTIONS // 2)
        np.multiply(np.float32(np.cos(angle)), dx, out=along)
        along += np.multiply(np.float32(np.sin(angle)), dy, out=aside)
        np.maximum(along, 0.0, out=planes[:, 2 * turn])
        np.maximum(np.negative(along, out=along), 0.0, out=planes[:, 2 * turn + 1])
    return np.asarray(np.sqrt(_POOL @ planes @ _POOL.T).reshape(len(pictures), -1))


def _pooling() -> Floats:
    """(CELLS, SIZE) the weight of each row of pixels in each row of cells, which overlap by half."""
    side = SIZE / CELLS
    cells = (np.arange(CELLS)[:, None] + 0.5) * side
    distance = np.abs(np.arange(SIZE) + 0.5 - cells) / side
    return np.asarray(np.maximum(1.0 - distance, 0.0) / np.sqrt(side), np.float32)


_POOL: Final = _pooling()


def places(boxes: Array, frames: Array) -> Floats:
    """The last PLACES of the features: how a glyph stands in its line. boxes: (k, 4); frames: (k, 2), as in `features`."""
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    slim = np.log((width + 0.02 * height + 1e-9) / (height + 0.02 * width + 1e-9))
    known = np.isfinite(frames).all(axis=1)
    base = np.where(known, frames[:, 0], 0.0)
    cap = np.where(known, frames[:, 1], 1.0)
    below = np.clip((boxes[:, 1] - base) / cap, -1.0, 1.5)
    above = np.clip((boxes[:, 3] - base) / cap, -1.0, 2.0)
    columns = [
        np.clip(slim, -3.0, 3.0),
        np.clip(np.abs(slim), 0.0, 3.0),
        known * 1.0,
        known * below,
        known * (above - 0.85) * 2.0,
        known * np.clip(height / cap, 0.0, 2.0),
        known * np.clip(width / cap, 0.0, 3.0),
        known * np.clip((above - 0.85) * 6.0, -1.0, 1.0),
    ]
    return np.stack(columns, axis=1).astype(np.float32)
