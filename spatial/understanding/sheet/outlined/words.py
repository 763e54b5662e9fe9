"""Where the blanks of a line of drawn lettering are."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array

BLANK: Final = 0.2
"""Capital heights, beyond the usual gap of the line, from which a gap is a blank."""
NARROW, BESIDE_NARROW = 0.45, 0.1
"""Width of a 1 in capital heights, and how much wider the gap beside it is, twice that between two of them: digits of even width
leave it space."""
TALL: Final = 0.9
"""Height of a 1 in capital heights."""
POINT: Final = 0.25
"""Height of a point in capital heights: behind a 1, the gap before it is wider still."""
USUAL: Final = (0.06, 0.3)
"""Least and greatest usual gap, in capital heights."""
ON_A_GRID: Final = 0.12
"""Part of the step by which the middles of glyphs of even width are off their places."""
FEW: Final = 5
"""Glyphs from which a line shows whether they stand on a grid."""


def find_words(boxes: Array, height: float, step: float | None = None) -> list[list[int]]:
    """Places of the glyphs of each word of a line.

    boxes: (n, 4) of the glyphs from the left, in the direction of reading; height: of a capital letter; step: from one glyph to the next
    where they stand at even steps.
    """
    gaps = (boxes[1:, 0] - boxes[:-1, 2]) / height
    if step is not None:
        blank = np.round(_steps(boxes) / step) > 1
    else:
        usual = float(np.clip(np.median(gaps), *USUAL)) if len(gaps) > 2 else USUAL[0] * 2
        narrow = boxes[:, 2] - boxes[:, 0] <= NARROW * height
        point = boxes[:, 3] - boxes[:, 1] <= POINT * height
        stem = narrow & (boxes[:, 3] - boxes[:, 1] >= TALL * height)
        wider = 1.0 * (narrow[1:] | narrow[:-1]) + (narrow[:-1] & point[1:]) + (stem[1:] & stem[:-1])
        blank = gaps > usual + BLANK + BESIDE_NARROW * wider
    words: list[list[int]] = [[0]]
    for place, is_blank in enumerate(blank.tolist(), start=1):
        if is_blank:
            words.append([])
        words[-1].append(place)
    return words


def even_step(boxes: Array) -> float | None:
    """The step from the middle of one glyph to that of the next, where all glyphs of a line take the same width."""
    if len(boxes) < FEW:
        return None
    steps = _steps(boxes)
    step = float(np.median(steps))
    if step <= 0:
        return None
    widest = float((boxes[:, 2] - boxes[:, 0]).max())
    off = np.abs(steps / step - np.round(steps / step))
    return step if float((off <= ON_A_GRID).mean()) >= 0.85 and widest <= 1.05 * step else None


def _steps(boxes: Array) -> Array:
    return np.diff((boxes[:, 0] + boxes[:, 2]) / 2)
