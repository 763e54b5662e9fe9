"""Single lines of lettering as pictures, drawn with a typeface that PyMuPDF brings."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pymupdf as _pymupdf
from numpy.typing import NDArray

pymupdf: Any = _pymupdf
CAPITALS: Final = 0.65
"""Part of the picture's height that capitals take."""
CAPITAL_HEIGHT: Final = 0.72
"""Of Helvetica, in font sizes."""


def picture(text: str, height: int = 48) -> tuple[NDArray[np.uint8], list[tuple[float, float]]]:
    """The picture (height, w) of a line, and where each of its characters begins and ends in columns."""
    font, size, margin = pymupdf.Font("helv"), CAPITALS * height / CAPITAL_HEIGHT, height / 5
    ends = [margin + font.text_length(text[:place], size) for place in range(len(text) + 1)]
    page = pymupdf.open().new_page(width=round(ends[-1] + margin), height=height)
    writer = pymupdf.TextWriter(page.rect)
    writer.append((margin, height * (1 + CAPITALS) / 2), text, font, size)
    writer.write_text(page)
    drawn = page.get_pixmap(colorspace=pymupdf.csGRAY)
    pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width]
    return pixels, list(itertools.pairwise(ends))
