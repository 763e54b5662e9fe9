"""Views and labels as PNG or SVG."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from spatial.document.preview import svg
from spatial.models.picture import PictureFormat, PicturePlan
from spatial.pipeline.picture.labels import LETTER, SIZE, Label
from spatial.pipeline.picture.view import SAMPLES, View

INK: Final = "#1f2933"
LEADER: Final = "#b4232a"
LINE_WIDTH: Final = 1.4
"""Pixels."""
DOT: Final = 2.5
"""Radius of the end of a leader."""
COLORS: Final = 128
"""In the palette of a PNG: shades of a few colours need no more."""

_FONT: Final = ImageFont.load_default(SIZE * SAMPLES)
Image.preinit()  # the process that draws may open no more files by then


def png(views: list[View], labels: list[Label], plan: PicturePlan, title: str) -> bytes:
    """A raster picture."""
    del title
    picture = _image(views, plan)
    pen = ImageDraw.Draw(picture)
    for view in views:
        for stroke in view.strokes:
            points = (stroke + SAMPLES * np.array([view.left, view.top])).ravel().tolist()
            pen.line(points, fill=INK, width=round(LINE_WIDTH * SAMPLES))
    for label in labels:
        _write(pen, label)
    small = picture.resize((plan.width, plan.height), Image.Resampling.BOX)
    return _encoded(small)


def _encoded(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def vector(views: list[View], labels: list[Label], plan: PicturePlan, title: str) -> bytes:
    """Visible lines and labels as SVG, over the shaded surfaces as an image."""
    shaded = _encoded(_image(views, plan).resize((plan.width, plan.height), Image.Resampling.BOX))
    link = f"data:image/png;base64,{base64.b64encode(shaded).decode()}"
    body = [svg.element("image", href=link, width=float(plan.width), height=float(plan.height))]
    for view in views:
        moved = [stroke / SAMPLES + [view.left, view.top] for stroke in view.strokes]
        data = " ".join(svg.path(points) for points in _joined(moved))
        body.append(
            svg.element(
                "path", d=data, fill="none", stroke=INK, stroke_width=LINE_WIDTH, stroke_linecap="round", class_="edges"
            )
        )
    body += [mark for label in labels for mark in _label_marks(label)]
    box = (0.0, 0.0, float(plan.width), float(plan.height))
    return svg.document(body, box, title=title, pixels=float(max(plan.width, plan.height))).encode()


WRITERS: Final[dict[PictureFormat, Callable[[list[View], list[Label], PicturePlan, str], bytes]]] = {
    "png": png,
    "svg": vector,
}
"""By the format of the file."""


def _image(views: list[View], plan: PicturePlan) -> Image.Image:
    """The shaded surfaces of all views, in samples."""
    pixels = np.full((plan.height * SAMPLES, plan.width * SAMPLES, 3), 255, np.uint8)
    for view in views:
        height, width = view.body.shape
        top, left = view.top * SAMPLES, view.left * SAMPLES
        pixels[top : top + height, left : left + width] = np.round(view.colors * 255.0).astype(np.uint8)
    return Image.fromarray(pixels)


def _joined(strokes: Iterable[np.ndarray]) -> list[list[list[float]]]:
    """Strokes that follow each other as one line."""
    found: list[list[list[float]]] = []
    for begin, end in (stroke.tolist() for stroke in strokes):
        if found and max(abs(a - b) for a, b in zip(found[-1][-1], begin, strict=True)) < 1e-3:
            found[-1].append(end)
        else:
            found.append([begin, end])
    return found


def _leader(label: Label, width: float) -> list[tuple[float, float]]:
    """From the words to the feature. width: of the words, in pixels."""
    side = 1.0 if label.on_left else -1.0
    begin = label.x + side * (width + SIZE / 3.0)
    return [(begin, label.y), (begin + side * SIZE / 2.0, label.y), label.target]


def _label_marks(label: Label) -> list[str]:
    width = LETTER * SIZE * len(label.text)
    x, y = label.target
    return [
        svg.element("path", d=svg.path(_leader(label, width)), fill="none", stroke=LEADER),
        svg.element("circle", cx=x, cy=y, r=DOT, fill=LEADER),
        svg.element(
            "text", svg.text(label.text), x=label.x, y=label.y + 0.35 * SIZE, font_size=SIZE, fill=INK,
            text_anchor="start" if label.on_left else "end", textLength=width,
        ),
    ]  # fmt: skip


def _write(pen: ImageDraw.ImageDraw, label: Label) -> None:
    """One label into a picture of samples."""
    width = _length(label.text)
    line = [(x * SAMPLES, y * SAMPLES) for x, y in _leader(label, width / SAMPLES)]
    pen.line(line, fill=LEADER, width=SAMPLES)
    (x, y), radius = line[-1], DOT * SAMPLES
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=LEADER)
    place = label.x * SAMPLES - (0.0 if label.on_left else width)
    for part in _parts(label.text):
        if part == "Ø":
            _diameter_sign(pen, place, label.y * SAMPLES)
        else:
            pen.text((place, label.y * SAMPLES), part, fill=INK, font=_FONT, anchor="lm")
        place += _length(part)


def _parts(text: str) -> list[str]:
    """The text, cut around its diameter signs, which the font does not have."""
    pieces = text.split("Ø")
    return [pieces[0], *(part for piece in pieces[1:] for part in ("Ø", piece))]


def _length(text: str) -> float:
    """In samples."""
    return sum(0.8 * SIZE * SAMPLES if part == "Ø" else _FONT.getlength(part) for part in _parts(text))


def _diameter_sign(pen: ImageDraw.ImageDraw, x: float, y: float) -> None:
    size = SIZE * SAMPLES
    middle, radius, reach = x + 0.4 * size, 0.28 * size, 0.38 * size
    pen.ellipse((middle - radius, y - radius, middle + radius, y + radius), outline=INK, width=SAMPLES + 1)
    pen.line((middle - 0.6 * reach, y + reach, middle + 0.6 * reach, y - reach), fill=INK, width=SAMPLES + 1)
