"""Lettering of a PDF page that is no part of its content: annotations, form fields, and layers that are switched off.

Glossary
  annotation  a mark that a reviewer or a program put on the page: a note, a stamp, the value of a form field.
  SHX text    lettering that a program draws as strokes, and repeats in a comment so that it can be searched: AutoCAD ("EPDFSHX"),
              and programs that follow it.
  layer       an optional-content group; MuPDF draws nothing that is on one that is off.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import pymupdf

from spatial.formats.dxf.mtext import plain_mtext
from spatial.formats.dxf.text_codes import LETTERS, plain_line
from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.glyphs import Glyphs, glyphs, places_of, without
from spatial.formats.pdf.lettering import text_lines
from spatial.formats.pdf.outlines import GlyphOutlines
from spatial.models.sheet.drawing import Sheet, Text
from spatial.models.sheet.repairs import DRAWN

ANNOTATIONS: Final = 2_000
"""Annotations of one page that are drawn and read."""
LAYER: Final = "annotation"
SHX: Final = "SHX Text"
"""How the author of such a comment ends, behind the name of the program: `AutoCAD SHX Text`, `CAXA SHX Text`."""
_STACK: Final = re.compile(r"\\S(\\H[\d.]+x?;)?([^;\\]*[\^#/][^;\\]*;)")
"""Two deviations over one another in inline codes of MTEXT; some programs state their height within the stack."""
HIDDEN: Final = 2
"""Flag of an annotation that is not shown (ISO 32000-2, table 167)."""
UPRIGHT: Final = 1.5
"""Height over width from which the box of a comment of several letters is of lettering that is turned."""

_FAULTS: Final = (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError)


def numbered(document: Any, index: int) -> int:
    """How many annotations a page has; those that are written out in its list are made objects, which alone can be asked for."""
    held = pymupdf._as_pdf_document(document)
    listed = pymupdf.mupdf.pdf_dict_get(
        pymupdf.mupdf.pdf_lookup_page_obj(held, index), pymupdf.mupdf.pdf_new_name("Annots")
    )
    count = int(pymupdf.mupdf.pdf_array_len(listed))
    for place in range(count if count <= ANNOTATIONS else 0):
        one = pymupdf.mupdf.pdf_array_get(listed, place)
        if pymupdf.mupdf.pdf_is_dict(one) and not pymupdf.mupdf.pdf_is_indirect(one):
            pymupdf.mupdf.pdf_array_put(listed, place, pymupdf.mupdf.pdf_add_object(held, one))
    return count


def comments(page: Any, sheet: Sheet) -> list[Text]:
    """What a program says that its strokes mean; its comments are then hidden, or their boxes would be drawn."""
    found: list[Text] = []
    try:
        for annotation in _annotations(page) if page.annot_xrefs() else ():
            if _is_comment(annotation):
                found += _commented(annotation, sheet.page, (sheet.box[2], sheet.box[3]))
                annotation.set_flags(HIDDEN)
    except _FAULTS:
        return found
    return found


def mark(page: Any, sheet: Sheet) -> None:
    """Give lettering that annotations show its layer."""
    if not page.annot_xrefs():
        return
    shown: set[tuple[float, float]] = set()
    try:
        for annotation in _annotations(page):
            if not _is_comment(annotation):
                shown |= _origins(annotation, sheet.box[3])
    except _FAULTS:
        return
    for text in sheet.texts:
        if (round(text.origin[0]), round(text.origin[1])) in shown:
            text.layer = text.layer or LAYER


def _is_comment(annotation: Any) -> bool:
    """Whether it repeats lettering that a program draws as strokes."""
    return str(annotation.info["title"]).endswith(SHX)


def page_annotations(page: Any) -> Iterator[Any]:
    """The annotations of a page that are no links, popups or fields, one after the other: each asked for by its number is searched for."""
    return _chain(page.first_annot)


def _annotations(page: Any) -> Iterator[Any]:
    fields = (field._annot for field in _chain(page.first_widget))
    return itertools.chain(page_annotations(page), fields)


def _chain(first: Any) -> Iterator[Any]:
    """What is listed behind a first one, without what is of no known kind."""
    while first is not None:
        following = first.next
        if not isinstance(first, pymupdf.Annot) or first.type[0] != pymupdf.mupdf.PDF_ANNOT_UNKNOWN:
            yield first
        first = following


def _origins(annotation: Any, height: float) -> set[tuple[float, float]]:
    """Where the glyphs of an appearance stand on the sheet, in whole points."""
    return {
        (round(char["origin"][0]), round(height - char["origin"][1]))
        for block in annotation.get_textpage().extractRAWDICT()["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
    }


def _commented(annotation: Any, page: int, size: tuple[float, float]) -> list[Text]:
    words = _decoded(" ".join(str(annotation.info["content"])[:LETTERS].split()))
    left, top, right, bottom = (float(side) for side in annotation.rect * annotation.parent.rotation_matrix)
    wide, high = right - left, bottom - top
    on_page = right > 0 and left < size[0] and bottom > 0 and top < size[1]
    if not words or not on_page or not (0.1 < wide < 1e5 and 0.1 < high < 1e5):
        return []
    upright = high > UPRIGHT * wide and len(words) > 1
    low, up = size[1] - bottom, size[1] - top
    return [
        Text(
            id="",
            text=words,
            page=page,
            origin=(right, low) if upright else (left, low),
            angle=90.0 if upright else 0.0,
            height=wide if upright else high,
            width=high if upright else wide,
            box=(left, low, right, up),
            layer=LAYER,
            style=str(annotation.info["title"]),
            repairs=(DRAWN,),
        )
    ]


def _decoded(words: str) -> str:
    """The signs that codes stand for: the comment has `%%c` where AutoCAD draws Ø, and `\\S+0.1^-0.2;` for two deviations."""
    if _STACK.search(words):
        return plain_mtext(_STACK.sub(r"\1\\S\2", words))
    if "%%" not in words:
        return words
    return plain_line(words)


def hidden(page: Any, sheet: Sheet, seen: Glyphs, fonts: Fonts, outlines: GlyphOutlines) -> list[Text]:
    """Lines on layers that are off, marked invisible. seen: the glyphs of the page as it is displayed."""
    with _every_layer(page.parent) as switched:
        if not switched:
            return []
        found = without(glyphs(page, fonts, outlines), set(places_of(seen)))
    texts = text_lines(found, fonts, sheet.page, np.zeros((0, 4)))
    for text in texts:
        text.visible = False
    return texts


@contextmanager
def _every_layer(document: Any) -> Iterator[list[int]]:
    """With all layers on; gives those that were off."""
    held = pymupdf._as_pdf_document(document)
    count = pymupdf.mupdf.pdf_count_layers(held)
    off = [layer for layer in range(count) if not pymupdf.mupdf.pdf_layer_is_enabled(held, layer)]
    for layer in off:
        pymupdf.mupdf.pdf_enable_layer(held, layer, 1)
    try:
        yield off
    finally:
        for layer in off:
            pymupdf.mupdf.pdf_enable_layer(held, layer, 0)
