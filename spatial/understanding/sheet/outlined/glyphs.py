"""Which pieces of a line of drawn lettering are of one glyph: i and its dot, but not 0 and the comma behind it."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.models.sheet.extents import area_of

POINT_OFF: Final = 0.1
"""Heights by which a point is below the feet of the letters beside it."""
JOINED: Final = 0.4
"""Part of the narrower one by which two pieces overlap along the line where they are of one glyph: i and its dot."""
DOT, STEM, SLANTED = 0.3, 0.4, 0.08
"""Heights of the line: size of a dot, width of what a slanted dot may stand over, gap between the two along the line."""
DIGIT, COMMA, HANGS, BEHIND = 0.8, 0.45, 0.12, 0.4
"""Heights of the line: of a digit at least, of the comma behind it at most, and that it hangs below the feet of the digit at least; part of
the width of the digit behind which it begins."""
SHORT, SLIM = 0.15, 0.45
"""Heights of a line that the strokes of " are high at least, and part of their own height that they are thick at most."""
QUOTE, QUOTE_THICK, QUOTE_EVEN = 0.45, 0.12, 0.05
"""Heights of a line that the strokes of " are high and thick at most, and by which their extents differ."""


def glyphs_of(boxes: Array, places: list[int], height: float) -> list[list[int]]:
    """Pieces that stand one over the other are of one glyph."""
    ordered = sorted(places, key=lambda place: float(boxes[place, 0] + boxes[place, 2]))
    glyphs: list[list[int]] = []
    around: list[tuple[float, float, float, float]] = []
    for place in ordered:
        box: tuple[float, float, float, float] = tuple(boxes[place].tolist())
        if glyphs and _is_one_glyph(around[-1], box, height):
            glyphs[-1].append(place)
            last = around[-1]
            around[-1] = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
        else:
            glyphs.append([place])
            around.append(box)
    return glyphs


def _is_one_glyph(
    one: tuple[float, float, float, float], two: tuple[float, float, float, float], height: float
) -> bool:
    widths = one[2] - one[0], two[2] - two[0]
    lap = min(one[2], two[2]) - max(one[0], two[0])
    sizes = max(widths[0], one[3] - one[1]), max(widths[1], two[3] - two[1])
    is_over = max(one[1], two[1]) >= min(one[3], two[3])
    is_at_foot = max(sizes) > DOT * height and abs(one[1] - two[1]) <= POINT_OFF * height
    if min(sizes) <= DOT * height and not is_over and (is_at_foot or not _is_within(one, two)):
        # The point of a slanted 0.5 stands under its 0, that of a slanted 1.5 within the box of its 1.
        return False
    if not is_over and _is_comma_behind(one, two, height):
        return False
    narrower = max(min(widths), 0.02 * height)
    if lap >= JOINED * narrower or (lap >= 0 and narrower <= 0.02 * height):
        return True
    # The dots of a slanted i or colon stand beside what they are over.
    return is_over and min(sizes) <= DOT * height and max(widths) <= STEM * height and -lap <= SLANTED * height


def _is_comma_behind(
    one: tuple[float, float, float, float], two: tuple[float, float, float, float], height: float
) -> bool:
    """Whether one of two pieces is the comma behind the other one, which stands partly under it in a slanted 0,5.

    A comma hangs down from the feet of its digit, on the right of it.
    """
    comma, digit = sorted((one, two), key=lambda box: box[3] - box[1])
    return (
        digit[3] - digit[1] >= DIGIT * height
        and comma[3] - comma[1] <= COMMA * height
        and comma[2] - comma[0] <= DOT * height
        and digit[1] - comma[1] >= HANGS * height
        and comma[2] > digit[2]
        and comma[0] > digit[0] + BEHIND * (digit[2] - digit[0])
    )


def _is_within(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    """Whether one of two boxes is inside of the other."""
    inner, outer = sorted((one, two), key=area_of)
    return all(inner[side] > outer[side] for side in (0, 1)) and all(inner[side] < outer[side] for side in (2, 3))


def is_quote(strokes: Array, letters: Array) -> bool:
    """Whether pieces (k, 4) are the two strokes of a " of a row with these glyphs (n, 4), all as boxes in the frame of the row.

    They are thin, and both in the upper half of its letters, or the lower one of a row that stands upside down.
    """
    low, high = np.percentile(letters[:, 1], 10), np.percentile(letters[:, 3], 90)
    middle, height = (low + high) / 2, high - low
    sizes = strokes[:, 2:] - strokes[:, :2]
    is_thin = bool((sizes[:, 0] <= np.minimum(QUOTE_THICK * height, SLIM * sizes[:, 1])).all())
    is_thin &= bool((sizes[:, 1] >= SHORT * height).all())
    is_thin &= bool((np.ptp(sizes, axis=0) <= QUOTE_EVEN * height).all())
    is_half = bool((strokes[:, 1] > middle).all() or (strokes[:, 3] < middle).all())
    return len(strokes) == 2 and is_thin and is_half and bool((sizes[:, 1] <= QUOTE * height).all())
