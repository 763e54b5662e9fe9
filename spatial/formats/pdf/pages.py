"""One page of a PDF as a sheet: its frame, its lettering, its geometry, and what kind of page it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.formats.pdf import images, marks, page_warnings
from spatial.formats.pdf.budget import ContentBudget
from spatial.formats.pdf.facets import join_facets
from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.glyphs import Glyphs, glyph_boxes, glyph_orders, glyphs, not_repeated, split
from spatial.formats.pdf.lettering import text_lines
from spatial.formats.pdf.outlines import GlyphOutlines
from spatial.formats.pdf.partial_layer import mark_gaps
from spatial.formats.pdf.paths import PageGeometry, read_geometry
from spatial.formats.pdf.pictures import Pictures
from spatial.formats.pdf.unseen import unseen
from spatial.geometry.arcs import on_arcs
from spatial.models.sheet.drawing import Box, Sheet, Text, TextLayer
from spatial.models.sheet.extents import drawn_extents, intersection
from spatial.models.sheet.repairs import DRAWN

FEW_GLYPHS: Final = 20
"""With fewer a page has no lettering to speak of."""
FEW_COMMENTS: Final = 5
"""Comments that say what strokes mean from which a page has its lettering as text."""
MANY_SHORT: Final = 300
"""Short strokes or small fills from which lettering is taken to be drawn."""
COVERED: Final = 0.5
"""Part of a page that images cover from which it is a scan."""
LETTER, FILL_SLACK = 0.5, 0.3
"""Of the height of a text: least height of a filled letter in its place, and how far one may reach out of its box."""
RUNNING_TEXT: Final = 400
"""Glyphs from which a page of a document may be running text."""
BYTES_A_GLYPH: Final = 60
"""Content that shows little but text needs fewer."""
LARGEST_PAGE: Final = 864.0 * 1.2
"""Points of the longer side of what a book is printed on."""

MOST_NAMED: Final = 8
"""Texts that one warning names."""

RUNNING: Final = "not read"
"""`geometry` of a page of running text."""
LATE: Final = "not read within the deadline"
"""`geometry` of a page that takes too long."""

MILLIMETERS_A_POINT: Final = 25.4 / 72.0
SIZES: Final = {
    "A0": (2384, 3370), "A1": (1684, 2384), "A2": (1191, 1684), "A3": (842, 1191), "A4": (595, 842), "A5": (420, 595),
    "ANSI A": (612, 792), "ANSI B": (792, 1224), "ANSI C": (1224, 1584), "ANSI D": (1584, 2448), "ANSI E": (2448, 3168),
    "Legal": (612, 1008), "ARCH A": (648, 864), "ARCH B": (864, 1296), "ARCH C": (1296, 1728), "ARCH D": (1728, 2592),
}  # fmt: skip


def paper(width: float, height: float) -> str | None:
    """The name of a size of paper; both sides within 6 points."""
    short, long = sorted((width, height))
    return next((name for name, (a, b) in SIZES.items() if abs(short - a) <= 6 and abs(long - b) <= 6), None)


def sheet(
    page: Any,
    number: int,
    fonts: Fonts,
    outlines: GlyphOutlines,
    first_entity: int,
    budget: ContentBudget,
    *,
    book: bool,
) -> tuple[Sheet, PageGeometry, list[str]]:
    """Read one page; its geometry is left out where it is running text of a book, or more than the budget has left.

    Of content that takes too long to look through for lettering, nothing is read but the comments on it.
    """
    width, height = float(page.rect.width), float(page.rect.height)
    result = Sheet(number, f"page {number}", "page", (0.0, 0.0, width, height), "point")
    name = paper(width, height)
    result.further = {"paper_mm": [round(side * MILLIMETERS_A_POINT, 1) for side in (width, height)]}
    result.further |= ({"size": name} if name else {}) | ({"rotation": page.rotation} if page.rotation else {})
    comments = marks.comments(page, result)
    painted = images.PageImages(page)
    pictures = Pictures(page, painted)
    work = budget.work(page)
    if (refusal := budget.lettering_refusal(work, number)) is not None:
        result.further["geometry"], result.text_layer, result.texts = LATE, "none", comments
        return result, PageGeometry(), [refusal]
    found = glyphs(page, fonts, outlines, heights=not book, hidden=pictures.hidden if pictures else None)
    warnings = (
        [f"page {number}: {count_of(found.outside, 'character was', 'characters were')} outside the page and left out"]
        if found.outside
        else []
    )
    if book and _running_text(page, found, work.own):
        result.further["geometry"] = RUNNING
        geometry = PageGeometry()
    elif (refusal := budget.geometry_refusal(work, number)) is not None:
        result.further["geometry"] = LATE
        warnings.append(refusal)
        geometry = PageGeometry()
    else:
        geometry = read_geometry(page, number, first_entity, pictures)
    found = _without_copies(page, found, fonts, outlines, geometry, pictures, heights=not book)
    if geometry.unlisted is not None:
        result.further["unlisted"] = geometry.unlisted
    result.strokes, result.arcs, result.fills = geometry.strokes, geometry.arcs, geometry.fills
    displayed = found
    found, covered = _without_covered(page, found, fonts, result, geometry)
    result.text_layer = _text_layer(painted, found, result)
    if result.text_layer != "raster" or found.invisible < len(found.signs):
        result.texts = text_lines(found, fonts, number, result.strokes.ends)
        if result.text_layer == "raster":
            result.texts = [text for text in result.texts if text.visible]
        if found.invisible:
            join_facets(result)
            _show_drawn_lettering(result)
            mark_gaps(result)
    marks.mark(page, result)
    switched_off = marks.hidden(page, result, displayed, fonts, outlines)
    if result.text_layer == "outlined" and len(comments) >= FEW_COMMENTS:
        result.text_layer = "vector"
    warnings += _layer_warnings(result, found)
    result.texts += comments + switched_off
    if switched_off:
        warnings.append(
            f"page {number}: {count_of(len(switched_off), 'text lies', 'texts lie')} on layers that are switched off and not visible"
        )
    result.texts += covered
    warnings += _unseen_warnings(number, covered)
    listed = images.entities(painted, number, first_entity + len(geometry.entities), geometry.counts)
    geometry.entities += listed
    warnings += page_warnings.pictured(number, pictures.covering(listed))
    result.drawn = None if "geometry" in result.further else _drawn(result, listed)
    return result, geometry, warnings


def _without_copies(
    page: Any,
    found: Glyphs,
    fonts: Fonts,
    outlines: GlyphOutlines,
    geometry: PageGeometry,
    pictures: Pictures,
    *,
    heights: bool,
) -> Glyphs:
    """The glyphs of a page, read again where filled rectangles hide some: of two in one place the one that is seen may be left out."""
    if not pictures.add_fills(glyph_boxes(found), glyph_orders(found), geometry.filled):
        return found
    return glyphs(page, fonts, outlines, heights=heights, hidden=pictures.hidden)


def _without_covered(
    page: Any, found: Glyphs, fonts: Fonts, result: Sheet, geometry: PageGeometry
) -> tuple[Glyphs, list[Text]]:
    """The glyphs that are to be seen on the page, and the lines of the others, marked invisible."""
    is_drawn = "geometry" not in result.further
    seen, others = split(found, unseen(page, found, geometry.masks) if is_drawn else found.hidden)
    covered = text_lines(not_repeated(others, seen), fonts, result.page, result.strokes.ends)
    for text in covered:
        text.visible = False
    return seen, covered


def _unseen_warnings(number: int, covered: list[Text]) -> list[str]:
    if not covered:
        return []
    named = ", ".join(repr(text.text[:60]) for text in covered[:MOST_NAMED])
    more = ", …" if len(covered) > MOST_NAMED else ""
    said = count_of(len(covered), "text is", "texts are")
    return [f"page {number}: {said} painted over, cut away or white on white, and not visible: {named}{more}"]


def _drawn(result: Sheet, pictures: list[dict[str, Any]]) -> Box | None:
    """Around what is drawn and lies on the page."""
    boxes = [(*np.min(each["points"], axis=0), *np.max(each["points"], axis=0)) for each in pictures]
    found = drawn_extents(result.strokes.ends, result.arcs.circles, result.fills, result.texts, boxes)
    return found and intersection(found, result.box)


def _running_text(page: Any, found: Glyphs, size: int) -> bool:
    """Whether a page with so many bytes of content is one of running text."""
    small = max(page.rect.width, page.rect.height) <= LARGEST_PAGE
    return small and len(found.signs) >= RUNNING_TEXT and size < BYTES_A_GLYPH * len(found.signs)


def _text_layer(painted: images.PageImages, found: Glyphs, result: Sheet) -> TextLayer:
    count = len(found.signs)
    if count >= FEW_GLYPHS and found.invisible < 0.9 * count:
        return "vector"
    if painted.covered() >= COVERED and (found.invisible or count < FEW_GLYPHS):
        return "raster"
    if count >= FEW_GLYPHS:
        return "vector"
    ends = result.strokes.ends
    short = int((np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) < 6.0).sum()) if len(ends) else 0
    small = sum(1 for fill in result.fills if len(fill.points) > 4 and float(np.ptp(fill.points, axis=0).max()) < 20.0)
    if short + small >= MANY_SHORT:
        return "outlined"
    return "vector" if count else "raster" if painted.covered() > 0.1 else "none"


def _show_drawn_lettering(result: Sheet) -> None:
    """Programs draw lettering as strokes (Creo) or as filled outlines, and show it invisibly on top so that it can be searched."""
    hidden = [text for text in result.texts if not text.visible]
    ends = result.strokes.ends
    if not hidden:
        return
    middle = np.concatenate([(ends[:, :2] + ends[:, 2:]) / 2, on_arcs(result.arcs.circles, 0.5)])
    middle = middle[np.argsort(middle[:, 0])]
    filled = np.array([(*fill.points.min(0), *fill.points.max(0)) for fill in result.fills], float).reshape(-1, 4)
    for text in hidden:
        if _strokes_within(text, middle) or _fills_within(text, filled):
            text.visible = True
            text.repairs = (*text.repairs, DRAWN)


def _strokes_within(text: Text, middle: np.ndarray[Any, Any]) -> bool:
    left, bottom, right, top = text.box
    low, high = np.searchsorted(middle[:, 0], (left, right))
    heights = middle[low:high, 1]
    return bool(((heights >= bottom) & (heights <= top)).any())


def _fills_within(text: Text, boxes: np.ndarray[Any, Any]) -> bool:
    """Whether a filled outline, by its box of `boxes` (n, 4), is as high as a letter and lies in the box of the text."""
    left, bottom, right, top = text.box
    slack = FILL_SLACK * text.height
    inside = (boxes[:, :2] > (left - slack, bottom - slack)).all(axis=1)
    inside &= (boxes[:, 2:] < (right + slack, top + slack)).all(axis=1)
    return bool((inside & (boxes[:, 3] - boxes[:, 1] > LETTER * text.height)).any())


def _layer_warnings(result: Sheet, found: Glyphs) -> list[str]:
    if result.text_layer == "raster":
        return [page_warnings.is_image(result.page, has_text=bool(found.invisible))]
    return [page_warnings.without_text(result.page)] if result.text_layer == "none" else []
