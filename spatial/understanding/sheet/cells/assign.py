"""Which cell each text belongs to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags, Indices, Text
from spatial.understanding.sheet.cells.cut import cut_text

PAIRS: Final = 1_000_000
"""Pairs of a text and a cell that are compared at once."""
AT_ONCE: Final = 64
"""Texts that are next to each other, which are compared with the cells level with them and with no others."""
_INTO_LETTER: Final = 0.1
"""Letter heights by which the box of a text may overlap a cell that it does not belong to."""
_WHOLLY_INSIDE: Final = 0.8
"""Part of a text in the cell that holds its middle, from which the place of its first letter does not matter."""
_BEGINS_INSIDE: Final = 0.25
"""Part of a text in the cell of its first letter, from which it runs out of that cell and not into it."""
_BEGINS_INSIDE_ALONE: Final = 0.3
"""The same where no cell holds its middle."""
_LETTER_WIDTH: Final = 0.4
"""Letter heights from the origin of a text to the middle of its first letter."""
_LEAST_SIDE: Final = 1e-12
"""Sheet units: of a box without width or height."""


def texts_of_cells(cells: Sequence[Box], texts: Sequence[Text]) -> list[list[Text]]:
    """For each cell the texts, or the parts of texts, of which it is the smallest that holds them; none that cannot be seen."""
    found: list[list[Text]] = [[] for _ in cells]
    if not cells:
        return found
    boxes = np.array(cells)
    order = np.argsort((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), kind="stable")
    boxes = boxes[order]
    held = [text for text in texts if text.visible and text.text.strip() and all(map(math.isfinite, text.box))]
    if not held:
        return found
    crossed = _crossed(held, boxes).tolist()
    parts = [
        part for text, cut in zip(held, crossed, strict=True) for part in (cut_text(text, boxes) if cut else [text])
    ]
    for part, place in zip(parts, _places(parts, boxes), strict=True):
        if place is not None:
            found[int(order[place])].append(part)
    return found


def are_lettered(boxes: Array, texts: Sequence[Text]) -> Flags:
    """(n,) whether the middle or the beginning of a text that can be seen lies in each of `boxes`, which do not overlap."""
    found = np.zeros(len(boxes), bool)
    held = [text for text in texts if text.visible and text.text.strip() and all(map(math.isfinite, text.box))]
    if held:
        own = np.array([text.box for text in held])
        with np.errstate(over="ignore"):
            middles = _holders((own[:, :2] + own[:, 2:]) / 2, boxes)
        begins = _holders(np.array([_first_letter(text) for text in held]), boxes)
        found[[place for place in (*middles, *begins) if place >= 0]] = True
    return found


def _crossed(texts: Sequence[Text], boxes: Array) -> Flags:
    """(texts,) whether a side of one of `boxes` may run between the letters of a text that reads at a multiple of 90°."""
    reach = np.array([_INTO_LETTER * abs(text.height) if math.isfinite(text.height) else 0.0 for text in texts])
    own = np.array([text.box for text in texts])
    plumb = np.array([math.isfinite(text.angle) and round(text.angle / 90) % 2 == 1 for text in texts])
    found = np.zeros(len(texts), bool)
    for part, level in _level(own, boxes):
        x1, y1, x2, y2 = (own[part, side, None] for side in range(4))
        left, bottom, right, top = boxes[level].T
        meets = (left < x2) & (right > x1) & (bottom < y2) & (top > y1)
        with np.errstate(over="ignore"):
            into = reach[part, None]
            across = (left > x1 - into) | (right < x2 + into)
            along = (bottom > y1 - into) | (top < y2 + into)
        found[part] = (meets & np.where(plumb[part, None], along, across)).any(axis=1)
    return found


def _level(own: Array, boxes: Array) -> Iterator[tuple[Indices, Indices]]:
    """Some boxes of `own` (n, 4) at a time, by place, and the places, in order, of those of `boxes` that they may meet.

    Looked at along the axis on which `own` is spread most; what is not finite meets nothing.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.fmax.reduce(own[:, :2], axis=0) - np.fmin.reduce(own[:, :2], axis=0)
    axis = int(spread[1] > spread[0])
    order = np.argsort(own[:, axis], kind="stable")
    step = min(AT_ONCE, max(PAIRS // len(boxes), 1))
    for start in range(0, len(order), step):
        part = order[start : start + step]
        low, high = np.fmin.reduce(own[part, axis]), np.fmax.reduce(own[part, axis + 2])
        yield part, np.flatnonzero((boxes[:, axis] <= high) & (boxes[:, axis + 2] >= low))


def _places(texts: Sequence[Text], boxes: Array) -> list[int | None]:
    """Place of the first of `boxes` that holds each text: by its middle, or by its beginning where it runs out of its cell."""
    own = np.array([text.box for text in texts])
    with np.errstate(over="ignore"):
        middles = _holders((own[:, :2] + own[:, 2:]) / 2, boxes)
    begins = _holders(np.array([_first_letter(text) for text in texts]), boxes)
    return [_place(text.box, *held, boxes) for text, held in zip(texts, zip(middles, begins, strict=True), strict=True)]


def _place(own: Box, middle: int, begin: int, boxes: Array) -> int | None:
    """Place of the box that a text is in; middle, begin: the box that holds its middle and its first letter, -1 for none."""
    if middle >= 0 and _overlap(own, boxes[middle].tolist()) > _WHOLLY_INSIDE:
        return middle
    if begin < 0:
        return middle if middle >= 0 else None
    if middle < 0:
        return begin if _overlap(own, boxes[begin].tolist()) > _BEGINS_INSIDE_ALONE else None
    return begin if _overlap(own, boxes[begin].tolist()) > _BEGINS_INSIDE else middle


def _first_letter(text: Text) -> tuple[float, float]:
    """Middle of the first letter of its first line."""
    way = math.radians(text.angle) if math.isfinite(text.angle) else math.nan
    along, up = min(_LETTER_WIDTH * text.height, text.width / 2), 0.5 * text.height
    x = text.origin[0] + along * math.cos(way) - up * math.sin(way)
    return x, text.origin[1] + along * math.sin(way) + up * math.cos(way)


def _holders(places: Array, boxes: Array) -> list[int]:
    """Place of the first of `boxes` that holds each of `places` (n, 2); -1 where none does."""
    found = np.full(len(places), -1, np.int64)
    for part, level in _level(np.hstack([places, places]), boxes):
        if len(level):
            x, y = places[part, :1], places[part, 1:]
            left, bottom, right, top = boxes[level].T
            inside = (left <= x) & (x <= right) & (bottom <= y) & (y <= top)
            found[part] = np.where(inside.any(axis=1), level[inside.argmax(axis=1)], -1)
    holders: list[int] = found.tolist()
    return holders


def _overlap(own: Box, box: Sequence[float]) -> float:
    """How much of `own` lies in `box`."""
    width, height = max(own[2] - own[0], _LEAST_SIDE), max(own[3] - own[1], _LEAST_SIDE)
    shared = max(min(own[2], box[2]) - max(own[0], box[0]), 0) * max(min(own[3], box[3]) - max(own[1], box[1]), 0)
    return shared / (width * height)
