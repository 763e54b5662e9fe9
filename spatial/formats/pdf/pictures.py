"""Pictures that hide what a page paints before them: opaque images, as ISO 32000-2 (8.9, 11.3) has them painted.

A stamp over a row of a table hides the row, whose texts and paths stay in the file. A picture hides nothing that has a mask, a colour that
is left out, an opacity, another blend mode than the normal one, or a clipping path that is no rectangle. Pictures of half the page are a
scan, which may have what it shows as text beneath it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from pymupdf import mupdf

from spatial.formats.pdf.images import PageImages, box_of, run_unturned
from spatial.geometry.columns import every
from spatial.models.sheet.drawing import Array, Flags, Indices

SCAN: Final = 0.5
"""Part of the page from which pictures are a scan of it."""
_NORMAL: Final = 0
"""The blend mode, as MuPDF numbers them."""
_LEAST: Final = 1e-6
_FAULTS: Final = (mupdf.FzErrorBase, RuntimeError, ValueError, TypeError)


@dataclass(slots=True)
class Picture:
    """An opaque image, or the rectangle of it that its clipping paths leave."""

    order: int
    """In which it is painted (`seqno` of PyMuPDF)."""
    box: Array
    """(4,) in the sheet's frame."""
    image: Array
    """(4,) the same of the whole image."""
    covers: bool = False
    """Whether a text or path was found beneath it, other than a white ground."""

    def hides(self, boxes: Array, orders: Indices) -> Flags:
        """(n,) whether what has these boxes (n, 4) lies wholly beneath it, by the order in which each is painted."""
        hidden: Flags = (orders < self.order) & _within(boxes, self.box)
        return hidden


class Pictures:
    """The pictures of a page that hide something."""

    def __init__(self, page: Any, images: PageImages) -> None:
        self._page, self._images = page, images
        self._asked: Sequence[Picture] = ()

    @cached_property
    def _boxes(self) -> list[Array]:
        """Of the images, in the sheet's frame; none where they are a scan of the page, in one piece or in strips."""
        boxes = [self._moved(box) for box in self._images.listed]
        area = sum(float(np.prod(box[2:] - box[:2])) for box in boxes)
        return boxes if area < SCAN * self._page.rect.width * self._page.rect.height else []

    @cached_property
    def _opaque(self) -> list[Picture]:
        try:
            return [picture for picture in self._proven() if any(_is_same(picture.image, box) for box in self._boxes)]
        except _FAULTS:
            return []

    def __bool__(self) -> bool:
        return bool(self._boxes)

    def covering(self, listed: Sequence[dict[str, Any]]) -> list[str]:
        """Ids of the listed images of the page under which something was found."""
        over = [picture.image for picture in self._asked if picture.covers]
        return [each["id"] for each in listed if any(_is_same(_around(np.array(each["points"])), box) for box in over)]

    def over(self, boxes: Array) -> Sequence[Picture]:
        """The opaque pictures, where one may lie over one of boxes (n, 4) of the sheet; which are opaque is asked only then."""
        if not any(_within(boxes, box).any() for box in self._boxes):
            return ()
        self._asked = self._opaque
        return self._asked

    def hidden(self, boxes: Array, orders: Indices, spans: Indices) -> Flags:
        """(n,) which glyphs, by their boxes (n, 4), lie wholly under a picture, with all that one operator shows (a span)."""
        result = np.zeros(len(boxes), bool)
        for picture in self.over(boxes):
            under = picture.hides(boxes, orders)
            under &= ~np.isin(spans, spans[~under])
            picture.covers |= bool(under.any())
            result |= under
        return result

    def _proven(self) -> list[Picture]:
        device = _Opaque()
        run_unturned(self._page, device)
        orders = [order for order, (kind, *_) in enumerate(self._page.get_bboxlog()) if kind == "fill-image"]
        if len(orders) != len(device.found):
            return []
        return [
            Picture(order, self._moved(found[0]), self._moved(found[1]))
            for order, found in zip(orders, device.found, strict=True)
            if found is not None
        ]

    def _moved(self, box: Array) -> Array:
        """A box of MuPDF's frame in that of the sheet."""
        return _around(self._images.in_sheet(box))


def _within(boxes: Array, box: Array) -> Flags:
    inside: Flags = every(boxes[:, :2] >= box[:2]) & every(boxes[:, 2:] <= box[2:])
    return inside


def _around(corners: Array) -> Array:
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def _is_same(one: Array, other: Array) -> bool:
    return bool(np.allclose(one, other, atol=1e-3))


class _Opaque(mupdf.FzDevice2):  # type: ignore[misc]  # SWIG's classes have no types
    """Records the images of a page: of each that is opaque the box that is shown and its own; None of the others."""

    _HELD: Final = (
        "clip_path", "clip_stroke_path", "clip_text", "clip_stroke_text", "clip_image_mask", "pop_clip",
        "begin_group", "end_group", "begin_mask", "begin_tile", "end_tile",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        for name in ("fill_image", *self._HELD):
            getattr(self, f"use_virtual_{name}")()
        self.found: list[tuple[Array, Array] | None] = []
        self._held: list[Array | None] = []
        """The clipping rectangles and groups in force; None of what may let through what is beneath, a mask until its clip is popped."""

    def fill_image(self, _context: Any, image: Any, matrix: Any, alpha: float, *_: Any) -> None:
        is_upright = max(abs(matrix.b), abs(matrix.c)) < _LEAST or max(abs(matrix.a), abs(matrix.d)) < _LEAST
        is_opaque = alpha == 1.0 and is_upright and not image.mask and not image.use_colorkey
        held = [each for each in self._held if each is not None]
        if not is_opaque or len(held) < len(self._held):
            self.found.append(None)
            return
        box = box_of(matrix)
        low, high = (np.array([each[part] for each in (box, *held)]) for part in (slice(0, 2), slice(2, 4)))
        self.found.append((np.concatenate([low.max(axis=0), high.min(axis=0)]), box))

    def clip_path(self, _context: Any, path: Any, _even_odd: Any, matrix: Any, _scissor: Any) -> None:
        if not mupdf.ll_fz_path_is_rect(path, matrix):
            self._held.append(None)
            return
        box = mupdf.ll_fz_bound_path(path, None, matrix)
        self._held.append(np.array([box.x0, box.y0, box.x1, box.y1]))

    def _hold(self, *_: Any) -> None:
        self._held.append(None)

    clip_stroke_path = clip_text = clip_stroke_text = clip_image_mask = begin_mask = _hold

    def begin_group(self, _context: Any, _area: Any, _space: Any, _isolated: Any, _knockout: Any, *how: Any) -> None:
        """how: blend mode and opacity."""
        self._held.append(np.array([-np.inf, -np.inf, np.inf, np.inf]) if how[:2] == (_NORMAL, 1.0) else None)

    def begin_tile(self, *_: Any) -> int:
        self._held.append(None)
        return 0

    def _leave(self, *_: Any) -> None:
        if self._held:
            self._held.pop()

    pop_clip = end_group = end_tile = _leave
