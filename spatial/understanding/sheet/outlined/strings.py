"""Whether strokes beside the texts of a sheet are lettering: letters are drawn one after the other along a line.

AutoCAD prints its stroke fonts as strokes, and the other fonts of a sheet as text; where it writes comments that say what the strokes
mean, dimensions have none. What is looked at is the order of drawing alone, which takes a millisecond: most sheets have no such strokes.

Glossary
  chain    strokes that are drawn one after the other, each from where the one before it ends.
  string   things as large as letters, drawn one after the other side by side, on one baseline.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest
from spatial.geometry.index import lie_in_boxes
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet
from spatial.models.sheet.repairs import PARTIAL
from spatial.understanding.sheet.outlined.letters import LARGEST

MEETS: Final = 0.001
"""Part of the largest letter within which a stroke begins where the one before it ends."""
PEN: Final = 0.02
"""Part of the largest letter up to which the width of a pen makes strokes touch."""
HIGHEST: Final = 0.7
"""Part of the largest letter that the letters of a string are high at most."""
LEVEL, LIKE, GAP, WIDE = 0.03, 0.6, (0.02, 0.9), 1.3
"""Heights by which feet or tops of two neighbours differ, part of the higher one that the lower one is high, least and greatest gap, and
width of a letter, in heights."""
POINT: Final = 0.25
"""Part of the height of the digits beside it that the point of a number is high and wide at most."""
WORD_GAP: Final = 2.0
"""Greatest gap between letters of one line, in heights: a blank stands between words."""
SHORTEST, KINDS = 4, 3
"""Letters of a string, and how many of them differ: hatching and threads repeat one shape."""
MOSTLY_LEVEL, UNEVEN, STROKES = 0.5, 0.04, 2.5
"""Part of the letters of a string that are as high as its capitals, by which part these differ, and strokes of a letter: pieces of one
curve are of any height."""
BESIDE_FILLS: Final = 20
"""Letters in strings from which strokes are read on a sheet whose drawn letters are filled, unless texts say that strokes are letters too:
fewer are outlines of the filled ones."""
PASSES: Final = 12
"""How often things that touch the next one are joined."""


def lettering_strokes(sheet: Sheet, fewest: int = SHORTEST) -> Flags:
    """(n,) which strokes of a sheet with texts may be of letters that no text says; none where strings of them have fewer letters.

    One string is enough to look: the few sizes of a view in the middle of a catalogue's page are lettering too, and what reads
    them tells by their glyphs whether they are.
    """
    free = unsaid_strokes(sheet)
    ends, width = sheet.strokes.ends[free], sheet.strokes.width[free]
    boxes, kinds = _letters(ends, width, _largest(sheet))
    count = max(_in_strings(boxes[:, sides], kinds, _largest(sheet)) for sides in ([0, 1, 2, 3], [1, 0, 3, 2]))
    return free if count >= fewest else np.zeros(len(free), bool)


def unsaid_strokes(sheet: Sheet) -> Flags:
    """(n,) which strokes are small enough for letters and no text says them."""
    strokes, largest = sheet.strokes, _largest(sheet)
    length = np.hypot(*(strokes.ends[:, 2:] - strokes.ends[:, :2]).T)
    free: Flags = (length <= largest) & ~strokes.dashed
    over = covered(sheet, (strokes.ends[:, :2] + strokes.ends[:, 2:]) / 2)
    free[free] = ~_said(strokes.ends[free], strokes.width[free], over[free], largest)
    return free


def _largest(sheet: Sheet) -> float:
    """How high a letter of a sheet is at most."""
    left, bottom, right, top = sheet.box
    return LARGEST * min(right - left, top - bottom)


def covered(sheet: Sheet, points: Array) -> Flags:
    """(n,) whether a text that is seen, and says all that is drawn for it, stands over a point."""
    boxes = np.array([text.box for text in sheet.texts if text.visible and PARTIAL not in text.repairs], float).reshape(
        -1, 4
    )
    return lie_in_boxes(points, boxes)


def _said(ends: Array, width: Array, over: Flags, largest: float) -> Flags:
    """(n,) whether a text says a stroke: it stands over it, or over a letter of its line. over: (n,) whether one stands over it."""
    if not len(ends):
        return over
    boxes, kinds = _letters(ends, width, largest)
    counts = kinds.astype(np.int64)
    said = with_lines(boxes, np.logical_or.reduceat(over, np.cumsum(counts) - counts), largest)
    return np.asarray(over | np.repeat(said, counts), bool)


def with_lines(boxes: Array, said: Flags, largest: float) -> Flags:
    """(k,) whether a text says a letter, or one of the same line: letters of a text may be narrower than those that are drawn for it.

    boxes: (k, 4) in the order of drawing; said: (k,) whether a text says each by itself.
    """
    said = said.copy()
    for sides in ([0, 1, 2, 3], [1, 0, 3, 2]):
        line = np.concatenate([[0], np.cumsum(~follows(boxes[:, sides], largest, WORD_GAP))])
        said |= (np.bincount(line, weights=said) > 0)[line]
    return said


def _letters(ends: Array, width: Array, largest: float) -> tuple[Array, Array]:
    """Boxes (k, 4) of what may be letters, in the order of drawing, and of how many strokes (k,) each is."""
    if not len(ends):
        return np.zeros((0, 4)), np.zeros(0, np.int64)
    meets = greatest(np.abs(ends[1:, :2] - ends[:-1, 2:])) <= MEETS * largest
    first = np.flatnonzero(np.concatenate([[True], ~meets]))
    low = np.minimum.reduceat(np.minimum(ends[:, :2], ends[:, 2:]), first)
    high = np.maximum.reduceat(np.maximum(ends[:, :2], ends[:, 2:]), first)
    pen = np.minimum(width[first], PEN * largest)
    boxes, firsts = joined(np.concatenate([low, high], axis=1), pen, largest)
    return boxes, np.diff(np.append(first[firsts], len(ends)))


def joined(boxes: Array, pen: Array, largest: float) -> tuple[Array, Indices]:
    """Things that are drawn one after the other and touch, as one: their boxes (j, 4), and the first (j,) of each.

    boxes: (k, 4) in the order of drawing; pen: (k,) within which they touch; largest: side of what is no larger than a letter.
    """
    first = np.arange(len(boxes))
    for _ in range(PASSES):
        slack = pen[first][1:, None]
        low, high = boxes[:, :2], boxes[:, 2:]
        touches = every((low[1:] <= high[:-1] + slack) & (high[1:] >= low[:-1] - slack))
        touches &= greatest(np.maximum(high[1:], high[:-1]) - np.minimum(low[1:], low[:-1])) <= largest
        if not touches.any():
            break
        begins = np.flatnonzero(np.concatenate([[True], ~touches]))
        boxes = np.concatenate([np.minimum.reduceat(low, begins), np.maximum.reduceat(high, begins)], axis=1)
        first = first[begins]
    return boxes, first


def _in_strings(boxes: Array, kinds: Array, largest: float) -> int:
    """How many letters stand in strings that run along the first side. boxes: (k, 4) least and greatest of both sides."""
    within = ~_are_points(boxes)
    boxes, kinds = boxes[within], kinds[within]
    if len(boxes) < SHORTEST:
        return 0
    begin, low, end, high = boxes.T
    tall, wide = high - low, end - begin
    padded = np.concatenate([[False], follows(boxes, largest, GAP[1]), [False]])
    firsts, lasts = np.flatnonzero(padded[1:] & ~padded[:-1]), np.flatnonzero(~padded[1:] & padded[:-1])
    return sum(
        last - first + 1
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
        if last - first + 1 >= SHORTEST
        and _is_string(wide[first : last + 1], tall[first : last + 1], kinds[first : last + 1])
    )


def _are_points(boxes: Array) -> Flags:
    """(k,) whether things are the point of a number: a dot at the foot between two neighbours on one baseline, behind the one before it.

    boxes: (k, 4) as of lines along the first side.
    """
    points = np.zeros(len(boxes), bool)
    if len(boxes) < SHORTEST:
        return points
    begin, low, end, high = boxes.T
    tall = np.minimum(high[2:] - low[2:], high[:-2] - low[:-2])
    within = slice(1, -1)
    small = greatest(np.stack([high - low, end - begin], axis=1))[within] <= POINT * tall
    level = np.maximum(np.abs(low[2:] - low[:-2]), np.abs(high[2:] - high[:-2])) <= LEVEL * tall
    foot = np.minimum(np.abs(low[within] - low[:-2]), np.abs(high[within] - high[:-2])) <= LEVEL * tall
    between = (begin[within] > end[:-2]) & (end[within] < begin[2:])
    between |= (end[within] < begin[:-2]) & (begin[within] > end[2:])  # lines that run down a sheet
    points[within] = small & level & foot & between
    return points


def follows(boxes: Array, largest: float, most: float) -> Flags:
    """(k - 1,) whether a letter stands beside the one before it on its baseline.

    boxes: (k, 4) as of lines along the first side; largest: how high a letter may be; most: greatest gap, in heights.
    """
    begin, low, end, high = boxes.T
    tall, wide = high - low, end - begin
    height = np.maximum(tall[1:], tall[:-1])
    gap = np.maximum(begin[1:], begin[:-1]) - np.minimum(end[1:], end[:-1])
    apart = np.minimum(np.abs(np.diff(low)), np.abs(np.diff(high)))
    beside = (height > 0) & (height <= HIGHEST * largest) & (apart <= LEVEL * height)
    beside &= np.minimum(tall[1:], tall[:-1]) >= LIKE * height
    beside &= (gap > GAP[0] * height) & (gap <= most * height) & (np.maximum(wide[1:], wide[:-1]) <= WIDE * height)
    return np.asarray(beside, bool)


def _is_string(wide: Array, tall: Array, kinds: Array) -> bool:
    """Whether things side by side are letters by their sizes. kinds: of how many strokes each is."""
    capital = float(np.quantile(tall, 0.75, method="lower"))
    shapes = np.stack([kinds, np.round(20 * wide / capital), np.round(20 * tall / capital)])
    return bool(
        len(np.unique(shapes, axis=1).T) >= KINDS
        and (np.abs(tall - capital) <= UNEVEN * capital).mean() >= MOSTLY_LEVEL
        and kinds.mean() >= STROKES
    )
