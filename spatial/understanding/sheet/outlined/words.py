"""Where the blanks of a line of drawn lettering are."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags
from spatial.understanding.sheet.outlined.proportion import narrowness

BLANK: Final = 0.2
"""Capital heights, beyond the usual gap of the line, from which a gap is a blank."""
NARROW, BESIDE_NARROW = 0.45, 0.1
"""Width of a 1 in capital heights, and how much wider the gap beside it is, twice that between two of them: digits of even width
leave it space."""
TALL: Final = 0.9
"""Height of a 1 in capital heights."""
POINT: Final = 0.25
"""Height of a point in capital heights: behind a 1, the gap before it is wider still."""
EVEN, EVEN_POINT = 0.3, 0.8
"""Capital heights from the middle of a 1 to that of the figure beside it, beyond the width of that, and to that of a point behind it, up
to which both are of one number: all figures of a stroke font take the same width."""
USUAL: Final = (0.06, 0.3)
"""Least and greatest usual gap, in capital heights."""
ON_A_GRID: Final = 0.12
"""Part of the step by which the middles of glyphs of even width are off their places."""
WITH_BLANK: Final = 2
"""Steps from one glyph of even width to the next over one blank."""
STEADY: Final = 0.035
"""Part of the step by which most glyphs of a line are off it which shows that all of its letters take the same width: those that are
about as wide as each other by chance stand less evenly."""
MOST_STEADY: Final = 75
"""Percent of the glyphs of such a line."""
FEW: Final = 5
"""Glyphs from which a line shows whether they stand on a grid, and gaps between letters from which it shows which are wide."""
PARTED: Final = 0.1
"""Capital heights from the widest gap within words to the narrowest between words, where the gaps of a line are of these two kinds."""
WITHIN_WORDS, BETWEEN_WORDS, BEYOND_USUAL = 0.25, 0.28, 0.15
"""Capital heights of the former at most and of the latter at least, and by which the latter is wider than the usual gap of the line."""


def find_words(boxes: Array, height: float, letters: Flags, step: float | None = None) -> list[list[int]]:
    """Places of the glyphs of each word of a line.

    boxes: (n, 4) of the glyphs from the left, in the direction of reading; height: of a capital letter; letters: (n,) whether each is a
    letter, not one that looks like a 1; step: from one glyph to the next where they stand at even steps.
    """
    wide = height * narrowness(boxes, height)
    gaps = (boxes[1:, 0] - boxes[:-1, 2]) / wide
    if step is not None:
        blank = np.round(_steps(boxes) / step) > 1
    else:
        usual = float(np.clip(np.median(gaps), *USUAL)) if len(gaps) > 2 else USUAL[0] * 2
        narrow = boxes[:, 2] - boxes[:, 0] <= NARROW * wide
        point = boxes[:, 3] - boxes[:, 1] <= POINT * height
        stem = narrow & (boxes[:, 3] - boxes[:, 1] >= TALL * height)
        wider = 1.0 * (narrow[1:] | narrow[:-1]) + (narrow[:-1] & point[1:]) + (stem[1:] & stem[:-1])
        between = letters[1:] & letters[:-1]
        least = usual + BLANK + BESIDE_NARROW * np.where(between, 0.0, wider)
        blank = gaps > np.where(between, np.minimum(least, _parted_from(gaps[between], usual)), least)
        figures = ~letters & (boxes[:, 3] - boxes[:, 1] >= TALL * height)
        blank &= ~_of_one_number(boxes, wide, stem & ~letters, figures, point)
    words: list[list[int]] = [[0]]
    for place, is_blank in enumerate(blank.tolist(), start=1):
        if is_blank:
            words.append([])
        words[-1].append(place)
    return words


def _of_one_number(boxes: Array, wide: float, ones: Flags, figures: Flags, points: Flags) -> Flags:
    """(n - 1,) whether a glyph and the next are a 1 and a figure or a point, no further apart than figures of even width have it.

    wide: capital height in the proportion of the letters; ones, figures, points: (n,) whether each is a 1, as high as figures, a point.
    """
    widths, steps = (boxes[:, 2] - boxes[:, 0]) / wide, _steps(boxes) / wide
    behind, before = (
        one & figure & ~other & (steps <= width + EVEN)
        for one, figure, other, width in (
            (ones[:-1], figures[1:], ones[1:], widths[1:]),
            (ones[1:], figures[:-1], ones[:-1], widths[:-1]),
        )
    )
    return np.asarray(behind | before | (ones[:-1] & points[1:] & (steps <= EVEN_POINT)), bool)


def _parted_from(gaps: Array, usual: float) -> float:
    """From which width the gaps between the letters of a line part words, where none is nearly as wide as those; infinite where that is
    not to be seen. gaps: (k,), usual: in capital heights.
    """
    if len(gaps) < FEW:
        return np.inf
    ordered = np.sort(gaps)
    steps = np.diff(ordered)
    at = int(steps.argmax())
    within, between = float(ordered[at]), float(ordered[at + 1])
    is_parted = steps[at] >= PARTED and within <= WITHIN_WORDS and between >= max(BETWEEN_WORDS, usual + BEYOND_USUAL)
    is_parted &= at + 1 > len(gaps) / 2
    return (within + between) / 2 if is_parted else np.inf


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


def steady_step(boxes: Array) -> float | None:
    """The same of a line that shows beyond doubt that its letters all take the same width."""
    step = even_step(boxes)
    if step is None:
        return None
    steps = _steps(boxes) / step
    return step if float(np.percentile(np.abs(steps - np.round(steps)), MOST_STEADY)) <= STEADY else None


def is_over_blank(step: float, one: float, other: float) -> bool:
    """Whether one blank is between two glyphs whose middles stand so, of lettering of such a step."""
    return abs((other - one) / step - WITH_BLANK) <= ON_A_GRID


def _steps(boxes: Array) -> Array:
    return np.diff((boxes[:, 0] + boxes[:, 2]) / 2)
