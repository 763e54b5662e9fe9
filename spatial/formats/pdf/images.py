"""The places of the images of a PDF page; their pixels are not read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

import numpy as np
import pymupdf

from spatial.formats.pdf.marks import page_annotations

IMAGES: Final = 500
"""Images of one page that are listed."""
SQUARES: Final = 100
"""Cells per side of the grid that measures the part of a page that images cover."""

_FAULTS: Final = (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError)
_MODELS: Final = frozenset(("3D", "RichMedia"))


class PageImages:
    """The images that a page paints, each by its box; looked for once."""

    def __init__(self, page: Any) -> None:
        self._page = page

    @cached_property
    def painted(self) -> list[np.ndarray[Any, Any]]:
        """In the frame of MuPDF: not rotated, y down."""
        return _sound(self._page, pymupdf.mupdf.fz_run_page)

    @cached_property
    def listed(self) -> list[np.ndarray[Any, Any]]:
        """Those that the resources of the page name, or its annotations paint; none that lie in its content. In the frame of `painted`."""
        try:
            if self._page.get_images():
                return self.painted
            return _sound(self._page, pymupdf.mupdf.fz_run_page_annots) if self._page.annot_xrefs() else []
        except _FAULTS:
            return []

    @cached_property
    def _shown(self) -> list[np.ndarray[Any, Any]]:
        """What clipping paths leave of `painted`; looked for apart, for most pages have many clipping paths and aren't asked this."""
        return _sound(self._page, pymupdf.mupdf.fz_run_page, _Shown())

    def covered(self) -> float:
        """Part of the page that images cover, as far as clipping paths leave them; none where it shows a 3D model.

        A model's poster is no scan of a sheet.
        """
        page = self._page
        if any(annotation.type[1] in _MODELS for annotation in page_annotations(page)):
            return 0.0
        width, height = page.rect.width, page.rect.height
        return part_covered(self._shown, *((height, width) if page.rotation % 180 == 90 else (width, height)))

    def in_sheet(self, box: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """(4, 2) the corners of a box of `painted` in the frame of the sheet."""
        left, top, right, bottom = box.tolist()
        a, b, c, d, e, f = self._page.rotation_matrix
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        moved: np.ndarray[Any, Any] = corners @ [[a, -b], [c, -d]] + (e, self._page.rect.height - f)
        return moved


def part_covered(boxes: Iterable[np.ndarray[Any, Any]], width: float, height: float) -> float:
    """The part of a page that boxes (4,) cover, overlaps counted once; its sides and the boxes are in one frame."""
    shown = np.zeros((SQUARES, SQUARES), bool)
    scale = np.array([width, height]) / SQUARES
    for box in boxes:
        low, high = np.clip(np.round(box.reshape(2, 2) / scale), 0, SQUARES).astype(int)
        shown[low[1] : high[1], low[0] : high[0]] = True
    return float(shown.mean())


def _sound(page: Any, run: Any, device: _Boxes | None = None) -> list[np.ndarray[Any, Any]]:
    """The boxes of the images that a function of MuPDF paints of a page as it stands unturned; none of a damaged page."""
    device = device or _Boxes()
    try:
        run_unturned(page, device, run)
    except _FAULTS:
        return []
    return [box for box in device.found if np.isfinite(box).all()]


class _Boxes(pymupdf.mupdf.FzDevice2):  # type: ignore[misc]  # SWIG's classes have no types
    """Records where images are painted. `Page.get_image_info` would paint shadings first, which takes 2.5 ms on a page that has one."""

    def __init__(self) -> None:
        super().__init__()
        self.use_virtual_fill_image()
        self.use_virtual_fill_image_mask()
        self.found: list[np.ndarray[Any, Any]] = []

    def fill_image(self, _context: Any, _image: Any, matrix: Any, alpha: float, *_: Any) -> None:
        """alpha: below a half it is a watermark or an effect, for MuPDF's own text device too."""
        if alpha >= 0.5 and len(self.found) < IMAGES:
            self.found.append(box_of(matrix))

    def fill_image_mask(self, context: Any, image: Any, matrix: Any, *rest: Any) -> None:
        """An image that paints one colour."""
        self.fill_image(context, image, matrix, rest[-2] if len(rest) > 1 else 1.0)


class _Shown(_Boxes):
    """Records what clipping paths leave of each image, by their boxes."""

    _CLIPS: Final = (
        "clip_path",
        "clip_stroke_path",
        "clip_text",
        "clip_stroke_text",
        "clip_image_mask",
        "begin_mask",
        "pop_clip",
    )

    def __init__(self) -> None:
        super().__init__()
        for name in self._CLIPS:
            getattr(self, f"use_virtual_{name}")()
        self._held: list[np.ndarray[Any, Any]] = []
        """Boxes of the clips in force; a mask is one until it is popped."""

    def fill_image(self, _context: Any, _image: Any, matrix: Any, alpha: float, *_: Any) -> None:
        """alpha: as `_Boxes` has it."""
        before = len(self.found)
        super().fill_image(_context, _image, matrix, alpha)
        if len(self.found) > before:
            low, high = np.split(np.array([self.found[-1], *self._held]), 2, axis=1)
            self.found[-1] = np.concatenate([low.max(axis=0), np.maximum(high.min(axis=0), low.max(axis=0))])

    def clip_path(self, _context: Any, path: Any, _even_odd: Any, matrix: Any, _scissor: Any) -> None:
        self._held.append(bounds_of(path, matrix))

    def clip_image_mask(self, _context: Any, _image: Any, matrix: Any, _scissor: Any) -> None:
        self._held.append(box_of(matrix))

    def _hold(self, *_: Any) -> None:
        self._held.append(np.array([-np.inf, -np.inf, np.inf, np.inf]))

    clip_stroke_path = clip_text = clip_stroke_text = begin_mask = _hold

    def pop_clip(self, *_: Any) -> None:
        if self._held:
            self._held.pop()


def bounds_of(path: Any, matrix: Any) -> np.ndarray[Any, Any]:
    """(4,) around a path of MuPDF."""
    box = pymupdf.mupdf.ll_fz_bound_path(path, None, matrix)
    return np.array([box.x0, box.y0, box.x1, box.y1])


def box_of(matrix: Any) -> np.ndarray[Any, Any]:
    """(4,) around what a matrix of MuPDF makes of the unit square, which an image fills."""
    corners = np.array(
        [(0.0, 0.0), (matrix.a, matrix.b), (matrix.c, matrix.d), (matrix.a + matrix.c, matrix.b + matrix.d)]
    )
    corners += (matrix.e, matrix.f)
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def run_unturned(page: Any, device: Any, run: Any = pymupdf.mupdf.fz_run_page) -> None:
    """Have a function of MuPDF paint a page as it stands unturned on a device."""
    turned = page.rotation
    if turned:
        page.set_rotation(0)
    try:
        run(page.this, device, pymupdf.mupdf.FzMatrix(), pymupdf.mupdf.FzCookie())
        pymupdf.mupdf.fz_close_device(device)
    finally:
        if turned:
            page.set_rotation(turned)


def entities(images: PageImages, number: int, before: int, counts: dict[str, int]) -> list[dict[str, Any]]:
    """The listed images of a page, each by its corners.

    before: entities that the document has so far; counts: goes up by what is found.
    """
    found: list[dict[str, Any]] = []
    for box in images.listed:
        place = (np.round(images.in_sheet(box), 3) + 0.0).tolist()
        found.append({"id": f"entity-{before + len(found) + 1}", "type": "image", "page": number, "points": place})
    if found:
        counts["image"] = counts.get("image", 0) + len(found)
    return found
