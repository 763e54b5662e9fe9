"""Pictures of rows of drawn lettering, for the reader of lines: nothing but the components of the row is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.raster import fill_picture
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import outlines
from spatial.understanding.sheet.outlined.rows import Row, turned

HIGH: Final = 48
"""Pixels of the height of a picture: what the reader of lines was trained with."""
OVER, BESIDE = 6, 8
"""Pixels of blank paper over and under the lettering, and before and behind it."""
LONGEST: Final = 60.0
"""Heights of a row that its picture is long at most: no line of lettering has more letters than fit there."""


@dataclass(frozen=True, slots=True)
class LinePicture:
    """A picture of a row."""

    pixels: NDArray[np.uint8]
    """(HIGH, w) 0 where there is ink, 255 where there is none, row 0 at the top."""
    left: float
    """Where column 0 is, in the frame of the row's quarter."""
    scale: float
    """Columns of one unit of the sheet."""


def line_picture(ink: Ink, row: Row, quarter: int, narrow: float = 1.0) -> LinePicture | None:
    """The picture of a row that reads in the direction of a quarter turn; None of one too long to be a line.

    narrow: part of their usual width that its letters have, to which they are drawn: of narrower ones the reader loses one of two.
    """
    places = [place for glyph in row.glyphs for place in glyph]
    edges = turned(outlines(ink, places, np.full(len(places), row.height))[0], quarter)
    low, high = (np.array([reach(edges[:, ::2]), reach(edges[:, 1::2])]) for reach in (np.min, np.max))
    tall = max(float(high[1] - low[1]), 1e-9)
    if high[0] - low[0] > LONGEST * tall:
        return None
    high_scale = (HIGH - 2 * OVER) / tall
    scale = high_scale / narrow
    placed = (edges - np.tile(low, 2)) * np.tile([scale, high_scale], 2) + np.tile([BESIDE, OVER], 2)
    wide = int(np.ceil(float(high[0] - low[0]) * scale)) + 2 * BESIDE
    pixels = np.round((1.0 - fill_picture(placed, HIGH, wide)[::-1]) * 255.0).astype(np.uint8)
    return LinePicture(pixels, float(low[0]) - BESIDE / scale, scale)
