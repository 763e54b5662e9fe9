"""Sheets whose texts are drawn again in a font of outlines or of strokes, without a text layer: what was drawn is the truth.

The fonts are those of Debian's packages that `scripts/lettering/fonts.py` names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pymupdf as _pymupdf
from numpy.typing import NDArray

from scripts.lettering.fonts import FONTS, HERSHEY, LIBRECAD, Glyph, hershey_glyphs, librecad_glyphs, outline_glyphs
from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Sheet, Text

pymupdf: Any = _pymupdf
STROKE_FONTS: Final = {
    "romans": LIBRECAD / "romans.lff",
    "iso3098": LIBRECAD / "iso3098.lff",
    "simplex": LIBRECAD / "simplex.lff",
    "standard": LIBRECAD / "standard.lff",
    "rowmans": HERSHEY / "rowmans.jhf",
    "futural": HERSHEY / "futural.jhf",
}
"""What CAD programs letter sheets with; nothing of romans and rowmans was learned from by the classifier of glyphs."""
OUTLINE_FONTS: Final = {
    "Lato": FONTS / "truetype/lato/Lato-Regular.ttf",
    "FreeSans": FONTS / "truetype/freefont/FreeSans.ttf",
    "Liberation Sans Narrow": FONTS / "truetype/liberation/LiberationSansNarrow-Regular.ttf",
    "osifont": FONTS / "truetype/osifont/osifont.ttf",
    "DejaVu Sans Mono": FONTS / "truetype/dejavu/DejaVuSansMono.ttf",
}
"""Nothing of the first three was learned from by the classifier of glyphs."""
PEN: Final = 0.1
"""Capital heights of the pen of stroke fonts: ISO 3098-1, lettering B."""
WIDEST: Final = 0.9
"""Part of the advance of a character that its glyph takes at most."""
Font = Mapping[str, Glyph]


@cache
def font(path: Path, signs: str) -> Font:
    """The glyphs of a font for these characters. Raises: FileNotFoundError."""
    if not path.exists():
        raise FileNotFoundError(f"{path}: install the Debian packages that scripts/lettering/fonts.py names")
    read = {".lff": librecad_glyphs, ".jhf": hershey_glyphs}.get(path.suffix, outline_glyphs)
    return {glyph.sign: glyph for glyph in read(path, signs)}


def drawn_in(data: bytes, path: Path, pages: int = 1) -> tuple[bytes, list[Text]]:
    """A PDF with the texts of another drawn in a font, and these texts, blanks in place of characters that the font has not.

    Raises: FileNotFoundError where the font is not installed.
    """
    sheets = reader.read(data, "sheet.pdf").sheets[:pages]
    signs = "".join(
        sorted({sign for sheet in sheets for text in sheet.texts for sign in text.text if not sign.isspace()})
    )
    glyphs = font(path, signs)
    source, made = pymupdf.open(stream=data, filetype="pdf"), pymupdf.open()
    texts: list[Text] = []
    for sheet in sheets:
        _add_without_texts(source[sheet.page - 1], made)
        texts += _draw_texts(made[-1], sheet, glyphs)
    result: bytes = made.tobytes(deflate=True)
    return result, texts


def _add_without_texts(page: Any, made: Any) -> None:
    plain = re.sub(r"<text\b.*?</text>", "", page.get_svg_image(text_as_path=False), flags=re.DOTALL)
    made.insert_pdf(pymupdf.open("pdf", pymupdf.open("svg", plain.encode()).convert_to_pdf()))


def _draw_texts(page: Any, sheet: Sheet, glyphs: Font) -> list[Text]:
    shape, drawn = page.new_shape(), []
    for text in sheet.texts:
        if text.visible and text.advances is not None and len(text.advances) > len(text.text):
            drawn.append(replace(text, text="".join(sign if sign in glyphs else " " for sign in text.text)))
            for place, sign in enumerate(text.text):
                if sign in glyphs:
                    _draw(shape, glyphs[sign], text, place, page.rect.height)
    shape.commit()
    return drawn


def _draw(shape: Any, glyph: Glyph, text: Text, place: int, page_height: float) -> None:
    assert text.advances is not None
    begin, end = (float(at) for at in text.advances[place : place + 2])
    corners = np.concatenate(glyph.outlines) if glyph.lines is None else glyph.lines.reshape(-1, 2)
    left, width = float(corners[:, 0].min()), float(np.ptp(corners[:, 0]))
    squeezed = min(1.0, WIDEST * (end - begin) / max(width * text.height, 1e-9))
    offset = (begin + end - width * squeezed * text.height) / 2

    def placed(points: NDArray[np.float64]) -> list[tuple[float, float]]:
        along = (points[:, 0] - left) * squeezed * text.height + offset
        up, angle = points[:, 1] * text.height, math.radians(text.angle)
        x = text.origin[0] + along * math.cos(angle) - up * math.sin(angle)
        y = text.origin[1] + along * math.sin(angle) + up * math.cos(angle)
        return list(zip(x.tolist(), (page_height - y).tolist(), strict=True))

    if glyph.lines is None:
        for outline in glyph.outlines:
            shape.draw_polyline(placed(outline))
        shape.finish(color=None, fill=(0, 0, 0), closePath=True)
        return
    for line in glyph.lines:
        shape.draw_line(*placed(line.reshape(2, 2)))
    shape.finish(width=PEN * text.height, lineCap=1, closePath=False)
