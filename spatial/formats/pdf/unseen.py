"""What the page does not show: glyphs and paths painted over with white or a picture, glyphs white on white or cut away by a clipping path.

What could be unseen is told by the order of painting, by colour and by the clipping paths; the page is then rendered where such glyphs
stand, and those whose place has one colour are unseen. The pixels decide that alone; nothing is read from them. A path is unseen whose
place is white, and a white line around which most of the page is white. What lies wholly under an opaque
picture or rectangle needs no pixels to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pymupdf

from spatial.formats.pdf.glyphs import INVISIBLE, Glyphs, glyph_boxes, glyph_orders
from spatial.formats.pdf.pictures import Pictures
from spatial.formats.pdf.pieces import WHITE, Pieces, is_white_line
from spatial.models.sheet.drawing import Array, Flags, Indices

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
_MOST_MASKS: Final = 200
"""Of a page under which paths are sought: more are the facets of shaded views, or a board's solder mask."""
_PATH_ZOOM: Final = 4.0
"""Pixels a point where a path is looked for: a hairline darkens its pixels by more than `_TINT`."""
_AROUND, _LEAST_AROUND = 1.0, 1.0
"""Widths of a white line, and points at least, on either side of it in which is looked for what it is seen on."""
_DARK: Final = 1 / 3
"""Part of that which is not white, from which on it is seen; lines that cross it are less."""
_HAIRLINE: Final = 0.1
"""Points that the thinnest line is wide."""
_TINT: Final = 8
"""Of 255: a pixel is white that is as near to it in each colour."""


@dataclass(frozen=True, slots=True)
class Mask:
    """An opaque white fill."""

    order: int
    """In which it is painted (`seqno` of PyMuPDF)."""
    path: int
    """Its place among the paths of the page."""
    outlines: list[Array]
    """Each (n, 2), in the sheet's frame."""
    is_even_odd: bool
    """Whether what an even number of outlines goes round is left out (ISO 32000-2, 8.5.3.3)."""

    @property
    def box(self) -> Array:
        """(4,) around its outlines."""
        corners = np.concatenate(self.outlines)
        return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def unseen(page: Any, found: Glyphs, masks: Sequence[Mask]) -> Flags:
    """(n,) which of the glyphs that the file shows are not to be seen on the page."""
    shown = np.array([found.spans[span]["type"] != INVISIBLE for span in found.span.tolist()], dtype=bool)
    if not shown.any():
        return shown
    clipped = shown & _clipped(page, found)
    suspected = shown & ~found.hidden & (_under(found, masks) | _white(found) | clipped)
    blank = _with_clipped(found, _blank(page, found, suspected), clipped) if suspected.any() else suspected
    return blank | found.hidden


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
    order = glyph_orders(found)
    middles = glyph_boxes(found).reshape(-1, 2, 2).mean(axis=1)
    for mask in masks:
        low, high = np.split(mask.box, 2)
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


def _blank(page: Any, found: Glyphs, suspected: Flags) -> Flags:
    """The glyphs of the spans in whose place nothing is to be seen; what was shown by one operator is seen or unseen as a whole."""
    result = np.zeros(len(suspected), bool)
    places, shown = glyph_boxes(found), page.get_displaylist()
    for span in np.unique(found.span[suspected])[:_MOST_SPANS].tolist():
        members = found.span == span
        if 2 * int(suspected[members].sum()) < int(members.sum()):
            # Of a text that runs over the border of a view the rest is seen.
            members &= suspected
        result[members] = _is_empty(shown, places[members], page.rect, float(np.median(found.size[members])))
    return result


def _is_empty(shown: Any, boxes: Array, frame: Any, size: float) -> bool:
    """Whether the places (n, 4) of glyphs have one colour each; of places off the page nothing can be told."""
    picture = _rendered(shown, boxes, frame, _PIXELS / size, pymupdf.csGRAY)
    if picture is None:
        return False
    corners = np.round(picture.boxes).astype(int) - picture.first
    even = [
        _is_even(picture.pixels[max(top, 0) : bottom + 1, max(left, 0) : right + 1, 0])
        for left, top, right, bottom in corners.tolist()
    ]
    return float(np.mean(even)) >= _MOST_EMPTY


@dataclass(frozen=True, slots=True)
class _Picture:
    """What the page shows around some places."""

    pixels: Any
    """(height, width, colours) 0 to 255, the upper row first."""
    boxes: Array
    """(n, 4) left, top, right and bottom of each place, in pixels of the whole page."""
    first: Array
    """(4,) the same of the picture's upper left corner, twice."""


def _rendered(shown: Any, boxes: Array, frame: Any, zoom: float, colours: Any, margin: float = 0.0) -> _Picture | None:
    """The page around boxes (n, 4) of the sheet's frame, `zoom` pixels a point or as many as are bearable; None off the page."""
    turned = boxes[:, [0, 3, 2, 1]] * (1.0, -1.0, 1.0, -1.0) + (0.0, frame.height, 0.0, frame.height)
    around = pymupdf.Rect(*turned[:, :2].min(axis=0) - margin, *turned[:, 2:].max(axis=0) + margin) & frame
    if around.is_empty:
        return None
    zoom = min(zoom, float(np.sqrt(_MOST_PIXELS / (around.width * around.height))))
    picture = shown.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), clip=around, colorspace=colours)
    rows = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)
    pixels = rows[:, : picture.n * picture.width].reshape(picture.height, picture.width, picture.n)
    return _Picture(pixels, turned * zoom, np.array([picture.x, picture.y] * 2))


def _is_even(pixels: Any) -> bool:
    """Whether all but traces of the pixels have one colour; no pixels show nothing that could be told."""
    if not pixels.size:
        return False
    other = np.abs(pixels.astype(int) - int(np.median(pixels))) > _CONTRAST
    return float(other.mean()) <= _TRACES


def unseen_paths(page: Any, pieces: Pieces, masks: Sequence[Mask], pictures: Pictures) -> Flags:
    """(paths,) which paths are not to be seen: white lines on white, and what lies wholly in masks or pictures that are painted later.

    An office blanks the signatures of a sheet so before it gives the sheet away, and stamps the row of a revision over the one before.
    """
    result = np.zeros(len(pieces.style), bool)
    boxes = _piece_boxes(pieces)
    white = _white_lines(pieces)
    shown = page.get_displaylist() if len(white) else None
    if len(white):
        wide = _AROUND * (boxes[white, 2:] - boxes[white, :2]).min(axis=1, keepdims=True).clip(_LEAST_AROUND)
        around = boxes[white] + wide * (-1.0, -1.0, 1.0, 1.0)
        result[pieces.path[white]] = True
        result[pieces.path[white][_tinted_part(shown, around, page.rect) > _DARK]] = False
    has_masks = 0 < len(masks) <= _MOST_MASKS
    if not has_masks and not pictures:
        return result
    paths = path_boxes(pieces)
    for mask in masks if has_masks else ():
        below = _within(paths[: mask.path], mask.box)
        below = below[~result[below]]
        if len(below):
            shown = shown or page.get_displaylist()
            result[below] = _is_white(shown, paths[below], page.rect)
    return result | _pictured_paths(paths, pieces, pictures)


def _pictured_paths(paths: Array, pieces: Pieces, pictures: Pictures) -> Flags:
    """(paths,) which paths, by their boxes (n, 4), lie wholly under a picture."""
    result = np.zeros(len(paths), bool)
    drawn = np.ones(len(paths), bool)
    drawn[[*pieces.masks]] = False
    for picture in pictures.over(paths):
        hidden = picture.hides(paths, pieces.order)
        picture.covers |= bool((hidden & drawn).any())
        result |= hidden
    return result


def _white_lines(pieces: Pieces) -> Indices:
    """Places of the pieces of paths that are stroked with white and not filled."""
    white = [is_white_line(style) for style in pieces.styles]
    return np.flatnonzero(np.array(white)[pieces.style][pieces.path]) if any(white) else np.zeros(0, np.int64)


def _piece_boxes(pieces: Pieces) -> Array:
    """(n, 4) around each piece with the width of its line."""
    low, high = np.minimum(pieces.ends[:, :2], pieces.ends[:, 2:]), np.maximum(pieces.ends[:, :2], pieces.ends[:, 2:])
    bent = pieces.curve >= 0
    corners = pieces.control[pieces.curve[bent]].reshape(-1, 4, 2)
    low[bent], high[bent] = corners.min(axis=1), corners.max(axis=1)
    half = np.array([max(style.get("width", 0.0), _HAIRLINE) / 2 for style in pieces.styles])[pieces.style]
    return np.concatenate([low, high], axis=1) + half[pieces.path][:, None] * (-1.0, -1.0, 1.0, 1.0)


def path_boxes(pieces: Pieces) -> Array:
    """(paths, 4) around each path with the width of its line; not a number around one without pieces."""
    boxes = np.full((len(pieces.style), 4), np.nan)
    first = np.flatnonzero(np.diff(pieces.path, prepend=-1))
    low, high = np.split(_piece_boxes(pieces), 2, axis=1)
    boxes[pieces.path[first]] = np.concatenate(
        [np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)], axis=1
    )
    return boxes


def _within(boxes: Array, box: Array) -> Indices:
    """Which of the boxes (n, 4) lie in a box."""
    inside = (boxes[:, 0] >= box[0]) & (boxes[:, 2] <= box[2]) & (boxes[:, 1] >= box[1]) & (boxes[:, 3] <= box[3])
    return np.flatnonzero(inside)


def _is_white(shown: Any, boxes: Array, frame: Any) -> Flags:
    """(n,) whether the page is white in boxes (n, 4) of the sheet's frame; of what is off the page nothing can be told."""
    white: Flags = _tinted_part(shown, boxes, frame) == 0.0
    return white


def _tinted_part(shown: Any, boxes: Array, frame: Any) -> Array:
    """(n,) the part of boxes (n, 4) of the sheet's frame in which the page is not white; 1 of what is off the page."""
    picture = _rendered(shown, boxes, frame, _PATH_ZOOM, pymupdf.csRGB, margin=1.0)
    if picture is None:
        return np.ones(len(boxes))
    pixels = picture.pixels.min(axis=2)
    height, width = pixels.shape
    tinted = np.zeros((height + 1, width + 1), np.int64)
    tinted[1:, 1:] = (pixels < 255 - _TINT).cumsum(axis=0).cumsum(axis=1)
    corners = np.floor(picture.boxes).astype(int) - picture.first
    left, top = np.maximum(corners[:, 0], 0), np.maximum(corners[:, 1], 0)
    right, bottom = np.minimum(corners[:, 2] + 1, width), np.minimum(corners[:, 3] + 1, height)
    on_page = (left < right) & (top < bottom)
    left, top, right, bottom = (np.where(on_page, side, 0) for side in (left, top, right, bottom))
    inside = tinted[bottom, right] - tinted[top, right] - tinted[bottom, left] + tinted[top, left]
    part: Array = np.where(on_page, inside / np.maximum((bottom - top) * (right - left), 1), 1.0)
    return part
