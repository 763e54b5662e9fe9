"""PDF: pages with vector drawings, by MuPDF. Coordinates are points of the displayed page, origin lower left, y up.

Nothing is ever read from pixels: such pages have geometry and a warning. Lettering that is drawn as outlines or strokes is read from the
sheet (understanding.sheet.outlined).
"""

from __future__ import annotations

import re
from typing import Any, Final

import pymupdf

from spatial.contract.formats import FORMATS
from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.formats import content
from spatial.formats.pdf import marks, page_warnings, pages, paths
from spatial.formats.pdf.budget import ContentBudget
from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.outlines import GlyphOutlines
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing

FORMAT: Final = next(row for row in FORMATS if row.name == "pdf")

PAGES: Final = 1000
"""Pages that are read; a drawing has few."""
GEOMETRY_PAGES: Final = 60
"""Pages whose geometry is read."""
STROKES: Final = 1_000_000
"""Straight pieces of one file, after which no further page is read: what is listed must be interpreted within a deadline."""
BOOK: Final = 12
"""Pages from which a file may be a book, whose running text needs no geometry."""
TEXTS: Final = 50_000
"""Lines of lettering of one file."""
_FAULTS: Final = (
    pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, KeyError, IndexError, OverflowError, AssertionError,
)  # fmt: skip
"""What MuPDF and its bindings raise over damaged pages."""
TAIL_BYTES: Final = 1024
"""Bytes at the end in which the mark of the end is searched (ISO 32000-1, note to 7.5.5 in Adobe's edition)."""
_END: Final = b"%%EOF"
_THREE_D: Final = re.compile(r"/(?:3D|RichMedia)\b")

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def read(data: bytes, file_name: str) -> Drawing:
    """Read one file.

    Raises: ParseError where it is no PDF, is encrypted, or has no page that can be read.
    """
    is_cut = _END not in data[-TAIL_BYTES:]
    document = _opened(content.require(FORMAT, data, file_name), file_name, is_cut=is_cut)
    try:
        return _drawing(document, file_name, is_cut=is_cut)
    finally:
        document.close()


def _opened(data: bytes, file_name: str, *, is_cut: bool) -> Any:
    try:
        document: Any = pymupdf.open(stream=data, filetype="pdf")
        needs_password = document.needs_pass
        count = 0 if needs_password else document.page_count
    except _FAULTS as error:
        raise ParseError(
            f"{file_name}: the file is not a readable PDF; export it again", details={"phase": "read"}
        ) from error
    if needs_password:
        raise ParseError(
            f"{file_name}: the PDF is encrypted and needs a password; remove the password and send it again",
            details={"phase": "read", "encrypted": True},
        )
    if count < 1:
        what = "is cut off before its first page" if is_cut else "has no page"
        raise ParseError(f"{file_name}: the PDF {what}; export it again", details={"phase": "read"})
    return document


def _drawing(document: Any, file_name: str, *, is_cut: bool) -> Drawing:
    units = Units(name="point", found="declared", source="PDF user space, 1/72 inch")
    drawing = Drawing(FORMAT.name, units, [], layers=paths.layers(document), has_drawn_signs=True)
    unseen = [layer["name"] for layer in drawing.layers if not layer["visible"]]
    if unseen:
        drawing.warnings.append(
            f"{count_of(len(unseen), 'layer is', 'layers are')} switched off and not read: {_listed(unseen)}"
        )
    if document.is_repaired:
        what = "cut off" if is_cut else "damaged"
        drawing.warnings.append(f"the file is {what} and was repaired; parts of it may be missing")
        drawing.partial = is_cut
    fonts, count = Fonts(document), int(document.page_count)
    outlines, budget = GlyphOutlines(fonts), ContentBudget()
    texts = geometries = strokes = 0
    for index in range(min(count, PAGES)):
        try:
            page, unit = _framed(document, index)
            book = count >= BOOK or geometries >= GEOMETRY_PAGES
            sheet, drawn, warnings = pages.sheet(
                page, index + 1, fonts, outlines, len(drawing.entities), budget, book=book
            )
            warnings += unit + _three_d(document, page, index + 1)
        except _FAULTS as error:
            drawing.warnings.append(f"page {index + 1} could not be read and was left out ({type(error).__name__})")
            drawing.partial = True
            continue
        geometries += "geometry" not in sheet.further
        sheet.texts = sheet.texts[: max(TEXTS - texts, 0)]
        for number, text in enumerate(sheet.texts, start=texts + 1):
            text.id = f"annotation-{number}"
        texts += len(sheet.texts)
        drawing.sheets.append(sheet)
        drawing.entities += drawn.entities
        for name, amount in drawn.counts.items():
            drawing.entity_counts[name] = drawing.entity_counts.get(name, 0) + amount
        drawing.warnings += [*drawn.warnings, *warnings]
        strokes += len(sheet.strokes.ends)
        full = texts >= TEXTS or strokes >= STROKES or geometries >= GEOMETRY_PAGES * 4 or index + 1 >= PAGES
        if full and index + 1 < count:
            drawing.warnings.append(
                f"only the first {index + 1} of {count_of(count, 'page')} could be read within the limits"
            )
            break
    drawing.shapes = outlines.shapes
    drawing.warnings = page_warnings.counted(drawing.warnings, (sheet.page for sheet in drawing.sheets))
    _finish(drawing, count, file_name, budget.refusal)
    return drawing


def _listed(names: list[str]) -> str:
    return ", ".join(name[:60] for name in names[:8]) + (", …" if len(names) > 8 else "")


def _framed(document: Any, index: int) -> tuple[Any, list[str]]:
    """A page, and what was changed of it. Raises: ValueError where it has no size to speak of."""
    xref, warnings = document.page_xref(index), []
    count = marks.numbered(document, index)
    if count > marks.ANNOTATIONS:
        # Those without an appearance are given one whenever a page is drawn: 20 000 take more than a minute.
        document.xref_set_key(xref, "Annots", "null")
        warnings.append(f"page {index + 1} has {count_of(count, 'annotation')}; all were left out")
    unit, turn = (document.xref_get_key(xref, key)[1] for key in ("UserUnit", "Rotate"))
    if unit not in ("null", "1") and turn != "0":
        # PyMuPDF's rotation matrix knows nothing of the unit by which MuPDF multiplies everything else.
        document.xref_set_key(xref, "UserUnit", "null")
        warnings.append(f"page {index + 1} is measured in units of {unit[:12]} pt")
    page = document[index]
    _require_frame(page)
    return page, warnings


def _require_frame(page: Any) -> None:
    width, height = float(page.rect.width), float(page.rect.height)
    if not (0.0 < width < 1e6 and 0.0 < height < 1e6):
        raise ValueError(f"the page measures {width:g} x {height:g} pt")


def _three_d(document: Any, page: Any, number: int) -> list[str]:
    for xref, *_ in page.annot_xrefs():
        if xref > 0 and _THREE_D.search(document.xref_get_key(xref, "Subtype")[1]):
            return [f"page {number} holds a 3D model as an annotation; it was not read: send the model as STEP"]
    return []


def _finish(drawing: Drawing, count: int, file_name: str, refusal: str | None) -> None:
    if not drawing.sheets:
        raise ParseError(
            f"{file_name}: no page could be read ({count_of(count, 'page')}); export it again",
            details={"phase": "read"},
        )
    if (
        refusal is not None
        and drawing.is_empty
        and all(sheet.further.get("geometry") == pages.LATE for sheet in drawing.sheets)
    ):
        raise ParseError(f"{file_name}: {refusal}", details={"phase": "read"})
    if drawing.partial and drawing.is_empty:
        raise ParseError(
            f"{file_name}: the PDF is cut off or damaged, and nothing on its pages could be read; export it again",
            details={"phase": "read"},
        )
    skipped = sum(sheet.further.get("geometry") == pages.RUNNING for sheet in drawing.sheets)
    if skipped:
        drawing.warnings.append(
            f"{count_of(skipped, 'page is', 'pages are')} running text, of which no geometry was read"
        )
