"""Pictures and filled rectangles that hide what a page paints before them: opaque ones, as ISO 32000-2 (8.9, 11.3) has them painted.

A stamp over a row of a table hides the row, whose texts and paths stay in the file. A picture hides nothing that has a mask which lets
something through, a colour that is left out, an opacity, another blend mode than the normal one, or a clipping path that is no rectangle.
Pictures that lie over something on half the page are a scan, which may have what it shows as text beneath it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from pymupdf import mupdf

from spatial.formats.pdf.images import PageImages, bounds_of, box_of, part_covered, run_unturned
from spatial.geometry.columns import every
from spatial.models.sheet.drawing import Array, Flags, Indices

SCAN: Final = 0.5
"""Part of the page from which pictures are a scan of it."""
_FILLS: Final = 500
"""Filled paths of a page, the last ones, of which is asked whether they lie over glyphs."""
_GAP: Final = 0.02
"""Points between two pictures that touch."""
_IMAGES: Final = frozenset(("fill-image", "fill-imgmask"))
"""As PyMuPDF lists them."""
_MOST_MASKED: Final = 4_000_000
"""Pixels of the masks of a page that are looked at."""
_OPAQUE: Final = 250
"""Of 255: the least opacity of each pixel of an opaque image."""
_NORMAL: Final = 0
"""The blend mode, as MuPDF numbers them."""
_LEAST: Final = 1e-6
_FAULTS: Final = (mupdf.FzErrorBase, RuntimeError, ValueError, TypeError)


@dataclass(slots=True)
class Picture:
    """An opaque image, or the rectangle of it that its clipping paths leave, or several that lie side by side."""

    order: int
    """In which it is painted (`seqno` of PyMuPDF)."""
    box: Array
    """(4,) in the sheet's frame."""
    images: list[Array]
    """Each (4,) the same of the whole image."""
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
        self._fills: list[Picture] = []

    @cached_property
    def _boxes(self) -> list[Array]:
        """Of the images, in the sheet's frame."""
        return [self._moved(box) for box in self._images.listed]

    @cached_property
    def _listed(self) -> list[Picture]:
        """What the images would hide if they were opaque and the last that is painted."""
        return _joined([Picture(0, box, [box]) for box in self._boxes])

    @cached_property
    def _opaque(self) -> list[Picture]:
        """None where they are a scan of the page, in one piece or in strips: of those that have something beneath."""
        proven = self._proven("fill-image")
        found = _joined([each for each in proven if any(_is_same(each.images[0], box) for box in self._boxes)])
        over = [picture.box for picture in found if self._is_over_something(picture)]
        page = self._page.rect
        return found if part_covered(over, page.width, page.height) < SCAN else []

    @cached_property
    def _log(self) -> list[tuple[Any, ...]]:
        """What the page paints, as PyMuPDF lists it: its kind and box in the frame of MuPDF."""
        log: list[tuple[Any, ...]] = self._page.get_bboxlog()
        return log

    def _is_over_something(self, picture: Picture) -> bool:
        """Whether a text or path is painted before it that lies wholly in it."""
        below = [painted[1] for painted in self._log[: picture.order] if painted[0] not in _IMAGES]
        boxes = self._in_sheet(np.array(below).reshape(-1, 4))
        return bool(_within(boxes, picture.box).any())

    def _in_sheet(self, boxes: Array) -> Array:
        """(n, 4) boxes of MuPDF's frame in that of the sheet."""
        a, b, c, d, e, f = self._page.rotation_matrix
        corners = boxes.reshape(-1, 2, 2) @ [[a, -b], [c, -d]] + (e, self._page.rect.height - f)
        return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)

    def __bool__(self) -> bool:
        return bool(self._boxes)

    def covering(self, listed: Sequence[dict[str, Any]]) -> list[str]:
        """Ids of the listed images of the page under which something was found."""
        over = [image for picture in self._asked if picture.covers for image in picture.images]
        return [each["id"] for each in listed if any(_is_same(_around(np.array(each["points"])), box) for box in over)]

    def over(self, boxes: Array) -> Sequence[Picture]:
        """The opaque pictures, where one may lie over one of boxes (n, 4) of the sheet; which are opaque is asked only then."""
        if not any(_within(boxes, each.box).any() for each in self._listed):
            return ()
        self._asked = self._opaque
        return self._asked

    def hidden(self, boxes: Array, orders: Indices, words: Indices) -> Flags:
        """(n,) which glyphs, by their boxes (n, 4), lie wholly under a picture, with all of their words; the rest of a word tells it."""
        result = np.zeros(len(boxes), bool)
        for picture in (*self.over(boxes), *self._fills):
            under = picture.hides(boxes, orders)
            picture.covers |= bool(under.any())
            result |= under & ~np.isin(words, words[~under])
        return result

    def add_fills(self, boxes: Array, orders: Indices, filled: Array) -> bool:
        """Whether opaque rectangles are painted over glyphs, of which `hidden` then tells too; by boxes and order of the glyphs.

        filled: (n, 5) order and box of each filled path. Which are opaque is asked where one lies over a glyph, of a moderate number.
        """
        area = (filled[:, 3:] - filled[:, 1:3]).prod(axis=1)
        largest = SCAN * self._page.rect.width * self._page.rect.height
        filled = filled[(filled[:, 0] > orders.min(initial=np.iinfo(np.int64).max)) & (area < largest)]
        candidates = [Picture(int(fill[0]), fill[1:], []) for fill in filled[-_FILLS:]]
        over = {each.order for each in candidates if each.hides(boxes, orders).any()}
        self._fills = [fill for fill in self._rectangles if fill.order in over] if over else []
        return bool(self._fills)

    @cached_property
    def _rectangles(self) -> list[Picture]:
        """Opaque filled rectangles."""
        return self._proven("fill-path")

    def _proven(self, kind: str) -> list[Picture]:
        """None of a damaged page. kind: as PyMuPDF lists what is painted."""
        device = _Opaque(kind)
        try:
            run_unturned(self._page, device)
            orders = [order for order, (painted, *_) in enumerate(self._log) if painted == kind]
        except _FAULTS:
            return []
        if len(orders) != len(device.found):
            return []
        return [
            Picture(order, self._moved(found[0]), [self._moved(found[1])])
            for order, found in zip(orders, device.found, strict=True)
            if found is not None
        ]

    def _moved(self, box: Array) -> Array:
        """A box of MuPDF's frame in that of the sheet."""
        return _around(self._images.in_sheet(box))


def _joined(pictures: list[Picture]) -> list[Picture]:
    """Pictures, and the rectangles that several of them fill side by side: programs cut an image into tiles."""
    return pictures + [
        joined
        for across in (0, 1)
        for joined in _rows(sorted(pictures, key=lambda each: _row(each, across)), across)
        if len(joined.images) > 1
    ]


def _row(picture: Picture, across: int) -> tuple[float, ...]:
    """What the pictures of a row (across: 1) or a column (0) share, and where in it one begins."""
    low, high = picture.box[across], picture.box[across + 2]
    return round(float(low), 1), round(float(high), 1), float(picture.box[1 - across])


def _rows(pictures: list[Picture], across: int) -> list[Picture]:
    """What touches in each row or column, joined; by `_row` in order."""
    rows: list[Picture] = []
    for each in pictures:
        last = rows[-1] if rows else None
        if (
            last
            and _row(last, across)[:2] == _row(each, across)[:2]
            and each.box[1 - across] <= last.box[3 - across] + _GAP
        ):
            box = _around(np.concatenate([last.box, each.box]).reshape(-1, 2))
            rows[-1] = Picture(min(last.order, each.order), box, last.images + each.images)
        else:
            rows.append(each)
    return rows


def _within(boxes: Array, box: Array) -> Flags:
    inside: Flags = every(boxes[:, :2] >= box[:2]) & every(boxes[:, 2:] <= box[2:])
    return inside


def _around(corners: Array) -> Array:
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def _is_same(one: Array, other: Array) -> bool:
    return bool(np.allclose(one, other, atol=1e-3))


def _is_upright(matrix: Any) -> bool:
    return bool(max(abs(matrix.b), abs(matrix.c)) < _LEAST or max(abs(matrix.a), abs(matrix.d)) < _LEAST)


class _Opaque(mupdf.FzDevice2):  # type: ignore[misc]  # SWIG's classes have no types
    """Records the images or fills of a page: of each that is an opaque rectangle the box that is shown and its own; None of the others."""

    _HELD: Final = (
        "clip_path", "clip_stroke_path", "clip_text", "clip_stroke_text", "clip_image_mask", "pop_clip",
        "begin_group", "end_group", "begin_mask", "begin_tile", "end_tile",
    )  # fmt: skip

    def __init__(self, kind: str) -> None:
        super().__init__()
        for name in (kind.replace("-", "_"), *self._HELD):
            getattr(self, f"use_virtual_{name}")()
        self.found: list[tuple[Array, Array] | None] = []
        self._masked = 0
        """Pixels of the masks that were looked at."""
        self._held: list[Array | None] = []
        """The clipping rectangles and groups in force; None of what may let through what is beneath, a mask until its clip is popped."""

    def fill_image(self, _context: Any, image: Any, matrix: Any, alpha: float, *_: Any) -> None:
        is_opaque = alpha == 1.0 and _is_upright(matrix) and not image.use_colorkey and self._is_filled(image.mask)
        self._add(box_of(matrix) if is_opaque else None)

    def fill_path(self, _context: Any, path: Any, _even_odd: Any, matrix: Any, *how: Any) -> None:
        """how: colour space, colour, opacity and what else there is of the colour."""
        is_opaque = how[2] == 1.0 and not how[3].op and mupdf.ll_fz_path_is_rect(path, matrix)
        self._add(bounds_of(path, matrix) if is_opaque else None)

    def _add(self, box: Array | None) -> None:
        held = [each for each in self._held if each is not None]
        if box is None or len(held) < len(self._held):
            self.found.append(None)
            return
        low, high = (np.array([each[part] for each in (box, *held)]) for part in (slice(0, 2), slice(2, 4)))
        self.found.append((np.concatenate([low.max(axis=0), high.min(axis=0)]), box))

    def _is_filled(self, mask: Any) -> bool:
        """Whether a mask of an image lets all of it be seen; where there is none, too."""
        if not mask:
            return True
        self._masked += mask.w * mask.h
        if self._masked > _MOST_MASKED:
            return False
        try:
            pixels = mupdf.FzPixmap(mupdf.ll_fz_get_pixmap_from_image(mask, None, None)[0])
        except _FAULTS:
            return False
        return bool(np.frombuffer(mupdf.fz_pixmap_samples_memoryview(pixels), np.uint8).min(initial=255) >= _OPAQUE)

    def clip_path(self, _context: Any, path: Any, _even_odd: Any, matrix: Any, _scissor: Any) -> None:
        self._held.append(bounds_of(path, matrix) if mupdf.ll_fz_path_is_rect(path, matrix) else None)

    def _hold(self, *_: Any) -> None:
        self._held.append(None)

    clip_stroke_path = clip_text = clip_stroke_text = begin_mask = _hold

    def clip_image_mask(self, _context: Any, image: Any, matrix: Any, _scissor: Any) -> None:
        """An image's own mask too."""
        self._held.append(box_of(matrix) if _is_upright(matrix) and self._is_filled(image) else None)

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
