"""Glyphs that the page does not show: painted over with white, white on white, or cut away by a clipping path.

What could be unseen is told by the order of painting, by colour and by the clipping paths; the page is then rendered where such glyphs
stand, and those whose place has one colour are unseen. The pixels decide that alone; nothing is read from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pymupdf

from spatial.formats.pdf.glyphs import INVISIBLE, Glyphs
from spatial.formats.pdf.pieces import WHITE
from spatial.models.sheet.drawing import Array, Flags

_FLAGS: Final = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_INHIBIT_SPACES | pymupdf.TEXT_CLIP
_PIXELS: Final = 16.0
"""Pixels of the height of a glyph whose place is looked at."""
_MOST_PIXELS: Final = 1_000_000
"""Of what is rendered of one span."""
_MOST_SPANS: Final = 200
"""Of a page whose places are looked at; those after them are taken for seen."""
_MOST_EMPTY: Final = 0.9
"""Part of the glyphs of a span that cannot be seen where it cannot: traces are left of some."""
_CONTRAST: Final = 40
"""Of 255: less from the commonest colour of its place is not told apart from it."""
_TRACES: Final = 0.03
"""Part of the place of a glyph that may have another colour: an eraser leaves the ends of letters."""
_FEWEST_PROVEN, _PROVEN = 3, 1 / 3
"""Spans that a clipping path cuts away whole and whose places are empty, and their part of all such spans, that prove the path."""
_TOUCHING: Final = 0.01
"""Points between two places of one glyph."""


@dataclass(frozen=True, slots=True)
class Mask:
    """An opaque white fill."""

    order: int
    """In which it is painted (`seqno` of PyMuPDF)."""
    outlines: list[Array]
    """Each (n, 2), in the sheet's frame."""
    is_even_odd: bool
    """Whether what an even number of outlines goes round is left out (ISO 32000-2, 8.5.3.3)."""


def unseen(page: Any, found: Glyphs, masks: Sequence[Mask]) -> Flags:
    """(n,) which of the glyphs that the file shows are not to be seen on the page."""
    shown = np.array([found.spans[span]["type"] != INVISIBLE for span in found.span.tolist()], dtype=bool)
    if not shown.any():
        return shown
    clipped = shown & _clipped(page, found)
    suspected = shown & (_under(found, masks) | _white(found) | clipped)
    return _with_clipped(found, _blank(page, found, suspected), clipped) if suspected.any() else suspected


def _with_clipped(found: Glyphs, blank: Flags, clipped: Flags) -> Flags:
    """`blank` with the spans that clipping paths cut away whole, where the places of enough of them are empty.

    In the places of the others something else is drawn, or they lie over the border of the page.
    """
    whole = [members for span in np.unique(found.span[clipped]) if clipped[members := found.span == span].all()]
    proven = sum(bool(blank[members].all()) for members in whole)
    if proven < max(_FEWEST_PROVEN, _PROVEN * len(whole)):
        return blank
    for members in whole:
        blank[members] = True
    return blank


def _under(found: Glyphs, masks: Sequence[Mask]) -> Flags:
    """Whose middle lies in a mask that is painted later."""
    under = np.zeros(len(found.signs), bool)
    order = np.array([span["seqno"] for span in found.spans])[found.span]
    middles = _boxes(found).reshape(-1, 2, 2).mean(axis=1)
    for mask in masks:
        corners = np.concatenate(mask.outlines)
        low, high = corners.min(axis=0), corners.max(axis=0)
        members = np.flatnonzero((order < mask.order) & (middles > low).all(axis=1) & (middles < high).all(axis=1))
        if len(members):
            turns = sum(_winding(middles[members], outline) for outline in mask.outlines)
            under[members] |= np.asarray(turns) % 2 != 0 if mask.is_even_odd else np.asarray(turns) != 0
    return under


def _winding(points: Array, outline: Array) -> Array:
    """(n,) how often an outline (m, 2) goes round each of the points (n, 2)."""
    begin, end = outline, np.roll(outline, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    up, down = (begin[:, 1] <= y) & (end[:, 1] > y), (begin[:, 1] > y) & (end[:, 1] <= y)
    side = (end[:, 0] - begin[:, 0]) * (y - begin[:, 1]) - (x - begin[:, 0]) * (end[:, 1] - begin[:, 1])
    turns: Array = ((up & (side > 0)).sum(axis=1) - (down & (side < 0)).sum(axis=1)).astype(float)
    return turns


def _white(found: Glyphs) -> Flags:
    of_span = [bool(span["color"]) and len(span["color"]) != 4 and min(span["color"]) > WHITE for span in found.spans]
    return np.array(of_span, dtype=bool)[found.span]


def _clipped(page: Any, found: Glyphs) -> Flags:
    """Which MuPDF leaves out of a page of text because a clipping path cuts them away."""
    if not found.has_clipped:
        return np.zeros(len(found.signs), bool)
    text = page.get_textpage(flags=_FLAGS)
    lines = [line for block in text.extractDICT()["blocks"] for line in block.get("lines", ())]
    if sum(len(span["text"]) for line in lines for span in line["spans"]) >= _traced(found.spans):
        return np.zeros(len(found.signs), bool)
    chars = [
        char["origin"]
        for block in text.extractRAWDICT()["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
    ]
    matrix, height = page.rotation_matrix, float(page.rect.height)
    points = (pymupdf.Point(place) * matrix for place in chars)
    kept = {_place(point.x, height - point.y) for point in points}
    return np.array([not kept & _near(x, y) for x, y in found.origin.tolist()], dtype=bool)


def _traced(spans: Iterable[dict[str, Any]]) -> int:
    return sum(len(span["chars"]) for span in spans)


def _place(x: float, y: float) -> tuple[int, int]:
    return round(x / _TOUCHING), round(y / _TOUCHING)


def _near(x: float, y: float) -> set[tuple[int, int]]:
    column, row = _place(x, y)
    return {(column + across, row + up) for across in (-1, 0, 1) for up in (-1, 0, 1)}


def _boxes(found: Glyphs) -> Array:
    """(n, 4) around the capital letter that would stand in the place of each glyph."""
    along = found.direction * found.advance[:, None]
    up = np.column_stack([-found.direction[:, 1], found.direction[:, 0]]) * (0.7 * found.size)[:, None]
    corners = np.stack([found.origin, found.origin + along, found.origin + up, found.origin + along + up])
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)], axis=1)


def _blank(page: Any, found: Glyphs, suspected: Flags) -> Flags:
    """The glyphs of the spans in whose place nothing is to be seen; what was shown by one operator is seen or unseen as a whole."""
    result = np.zeros(len(suspected), bool)
    boxes, height = _boxes(found), float(page.rect.height)
    shown = page.get_displaylist()
    for span in np.unique(found.span[suspected])[:_MOST_SPANS].tolist():
        members = found.span == span
        if 2 * int(suspected[members].sum()) < int(members.sum()):
            # Of a text that runs over the border of a view the rest is seen.
            members &= suspected
        turned = boxes[members][:, [0, 3, 2, 1]] * (1.0, -1.0, 1.0, -1.0) + (0.0, height, 0.0, height)
        result[members] = _is_empty(shown, turned, page.rect, float(np.median(found.size[members])))
    return result


def _is_empty(shown: Any, boxes: Array, frame: Any, size: float) -> bool:
    """Whether the places (n, 4) of glyphs, in the frame of MuPDF, have one colour each; of places off the page nothing can be told."""
    around = pymupdf.Rect(*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)) & frame
    if around.is_empty:
        return False
    zoom = min(_PIXELS / size, float(np.sqrt(_MOST_PIXELS / (around.width * around.height))))
    picture = shown.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), clip=around, colorspace=pymupdf.csGRAY)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    corners = np.round(boxes * zoom).astype(int) - np.array([picture.x, picture.y] * 2)
    even = [
        _is_even(pixels[max(top, 0) : bottom + 1, max(left, 0) : right + 1])
        for left, top, right, bottom in corners.tolist()
    ]
    return float(np.mean(even)) >= _MOST_EMPTY


def _is_even(pixels: Any) -> bool:
    """Whether all but traces of the pixels have one colour; no pixels show nothing that could be told."""
    if not pixels.size:
        return False
    other = np.abs(pixels.astype(int) - int(np.median(pixels))) > _CONTRAST
    return float(other.mean()) <= _TRACES
