"""Pictures of rows of drawn lettering, for the reader of lines: nothing but the components of the row is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.raster import fill_picture
from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import outlines
from spatial.understanding.sheet.outlined.rows import Row, turned, turned_boxes

HIGH: Final = 48
"""Pixels of the height of a picture: what the reader of lines was trained with."""
OVER, BESIDE = 6, 8
"""Pixels of blank paper over and under the lettering, and before and behind it."""
LONGEST, MOST = 60.0, 4
"""Heights of a row that a picture is long at most, and pictures of a row at most: no line has more letters than fit there."""
REPEATED, SAME_SIZE, MOSTLY, KINDS = 16, 0.02, 0.9, 3
"""Glyphs of a row that repeats one thing, part by which their sizes differ, part of them that are alike, and numbers of edges that these
have: no words have so many equal letters, and a board of a thousand holes has fifteen rows of them."""


@dataclass(frozen=True, slots=True)
class LinePicture:
    """A picture of a row."""

    pixels: NDArray[np.uint8]
    """(HIGH, w) 0 where there is ink, 255 where there is none, row 0 at the top."""
    left: float
    """Where column 0 is, in the frame of the row's quarter."""
    scale: float
    """Columns of one unit of the sheet."""


def line_picture(ink: Ink, row: Row, quarter: int) -> LinePicture | None:
    """The picture of a row that reads in the direction of a quarter turn; None of one too long for one picture."""
    spans = _spans(ink, row, quarter)
    low, high = spans[:, :2].min(axis=0), spans[:, 2:].max(axis=0)
    return _picture(ink, row, quarter, 1.0) if high[0] - low[0] <= LONGEST * max(high[1] - low[1], 1e-9) else None


def line_pictures(ink: Ink, row: Row, quarter: int, narrow: float = 1.0) -> list[LinePicture]:
    """The pictures, one behind the other, of a row that reads in the direction of a quarter turn; none of one that is no line.

    A row too long for one picture is cut at its widest gaps.
    narrow: part of their usual width that its letters have, to which they are drawn: of narrower ones the reader loses one of two.
    """
    spans = _spans(ink, row, quarter)
    order = np.argsort(spans[:, 0], kind="stable").tolist()
    tall = max(float(spans[:, 3].max() - spans[:, 1].min()), 1e-9)
    if spans[:, 2].max() - spans[:, 0].min() > MOST * LONGEST * tall or _is_repeated(ink, row, spans):
        return []
    return [
        _picture(ink, Row(row.quarter, [row.glyphs[place] for place in part], row.height), quarter, narrow)
        for part in _parts(order, spans, LONGEST * tall)
    ]


def _is_repeated(ink: Ink, row: Row, spans: Array) -> bool:
    """Whether a row repeats one thing, by the sizes of its glyphs and how many edges each has. spans: (n, 4) their boxes."""
    if len(spans) < REPEATED:
        return False
    sizes = spans[:, 2:] - spans[:, :2]
    edges = np.diff(np.searchsorted(ink.of, np.arange(len(ink.boxes) + 1)))
    counts = np.array([edges[glyph].sum() for glyph in row.glyphs])
    alike = (np.abs(sizes - np.median(sizes, axis=0)) <= SAME_SIZE * np.median(sizes, axis=0)).all(axis=1)
    kinds = np.sort(np.unique(counts[alike], return_counts=True)[1])[-KINDS:]
    return int(kinds.sum()) >= MOSTLY * len(spans)


def _spans(ink: Ink, row: Row, quarter: int) -> Array:
    """(n, 4) the boxes of glyphs in the frame of a quarter turn."""
    boxes = turned_boxes(ink.boxes, quarter)
    of = [boxes[glyph] for glyph in row.glyphs]
    return np.array([[*each[:, :2].min(axis=0), *each[:, 2:].max(axis=0)] for each in of])


def _parts(order: list[int], spans: Array, longest: float) -> list[list[int]]:
    """The glyphs from the left in parts that are no longer than `longest`, cut at the widest gap of the second half of what fits."""
    begin, end = spans[order[0], 0], np.maximum.accumulate(spans[order, 2])
    if end[-1] - begin <= longest or len(order) == 1:
        return [order]
    most = max(int(np.searchsorted(end, begin + longest)), 1)
    gaps = spans[order, 0][1:] - end[:-1]
    first = most // 2
    cut = first + 1 + int(gaps[first:most].argmax())
    return [order[:cut], *_parts(order[cut:], spans, longest)]


def _picture(ink: Ink, row: Row, quarter: int, narrow: float) -> LinePicture:
    """The picture of a row."""
    places = row.pieces
    return drawn_line(turned(outlines(ink, places, np.full(len(places), row.height))[0], quarter), narrow)


def drawn_line(edges: Array, narrow: float) -> LinePicture:
    """The picture of a line of polygons. edges: (n, 4) of their sides, y up; narrow: part of its width that it is drawn wider by."""
    low, high = (np.array([reach(edges[:, ::2]), reach(edges[:, 1::2])]) for reach in (np.min, np.max))
    high_scale = (HIGH - 2 * OVER) / max(float(high[1] - low[1]), 1e-9)
    scale = high_scale / narrow
    placed = (edges - np.tile(low, 2)) * np.tile([scale, high_scale], 2) + np.tile([BESIDE, OVER], 2)
    wide = int(np.ceil(float(high[0] - low[0]) * scale)) + 2 * BESIDE
    pixels = np.round((1.0 - fill_picture(placed, HIGH, wide)[::-1]) * 255.0).astype(np.uint8)
    return LinePicture(pixels, float(low[0]) - BESIDE / scale, scale)
