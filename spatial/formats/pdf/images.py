"""The places of the images of a PDF page; their pixels are not read."""

from __future__ import annotations

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


def covered(page: Any) -> float:
    """Part of the page that images cover; none where it shows a 3D model, whose poster is no scan of a sheet."""
    if any(annotation.type[1] in _MODELS for annotation in page_annotations(page)):
        return 0.0
    shown = np.zeros((SQUARES, SQUARES), bool)
    sides = np.array([page.rect.width, page.rect.height])
    scale = (sides[::-1] if page.rotation % 180 == 90 else sides) / SQUARES
    for box in _boxes(page):
        left, top, right, bottom = np.clip(np.round(box.reshape(2, 2) / scale), 0, SQUARES).astype(int).ravel()
        shown[top:bottom, left:right] = True
    return float(shown.mean())


def _boxes(page: Any) -> list[np.ndarray[Any, Any]]:
    """In the frame of MuPDF: not rotated, y down."""
    try:
        boxes = _painted(page)
    except _FAULTS:
        return []
    return [box for box in boxes if np.isfinite(box).all()]


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
            corners = np.array(
                [(0.0, 0.0), (matrix.a, matrix.b), (matrix.c, matrix.d), (matrix.a + matrix.c, matrix.b + matrix.d)]
            )
            corners += (matrix.e, matrix.f)
            self.found.append(np.concatenate([corners.min(axis=0), corners.max(axis=0)]))

    def fill_image_mask(self, context: Any, image: Any, matrix: Any, *rest: Any) -> None:
        """An image that paints one colour."""
        self.fill_image(context, image, matrix, rest[-2] if len(rest) > 1 else 1.0)


def _painted(page: Any) -> list[np.ndarray[Any, Any]]:
    """The boxes of the images of a page as it stands unturned."""
    turned = page.rotation
    if turned:
        page.set_rotation(0)
    try:
        device = _Boxes()
        pymupdf.mupdf.fz_run_page(page.this, device, pymupdf.mupdf.FzMatrix(), pymupdf.mupdf.FzCookie())
        pymupdf.mupdf.fz_close_device(device)
    finally:
        if turned:
            page.set_rotation(turned)
    return device.found


def entities(page: Any, number: int, before: int, counts: dict[str, int]) -> list[dict[str, Any]]:
    """Images that the page draws, each by its corners; those that lie in its content are not looked for.

    before: entities that the document has so far; counts: goes up by what is found.
    """
    try:
        if not page.get_images():
            return []
    except _FAULTS:
        return []
    a, b, c, d, e, f = page.rotation_matrix
    turn, shift, height = np.array([[a, -b], [c, -d]]), np.array([e, -f]), float(page.rect.height)
    found: list[dict[str, Any]] = []
    for left, top, right, bottom in (box.tolist() for box in _boxes(page)):
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) @ turn + shift + (0.0, height)
        place = (np.round(corners, 3) + 0.0).tolist()
        found.append({"id": f"entity-{before + len(found) + 1}", "type": "image", "page": number, "points": place})
    if found:
        counts["image"] = counts.get("image", 0) + len(found)
    return found
