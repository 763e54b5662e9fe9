"""Signs drawn as strokes beside texts, on a page that is written as PDF and read again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf

from spatial.formats.pdf.images import PageImages
from spatial.formats.pdf.paths import read_geometry
from spatial.formats.pdf.pictures import Pictures
from spatial.models.sheet.drawing import Sheet, Symbol, Text
from spatial.understanding.sheet.symbols.strokes import find

PYMUPDF: Any = pymupdf
SIDE = 600.0


class Pen:
    """Draws on a page in the frame of a line of lettering: origin at its first baseline, in letter heights."""

    def __init__(self, angle: float = 0.0, height: float = 9.0, style: str = "curves") -> None:
        self.file = PYMUPDF.open()
        self.page = self.file.new_page(width=SIDE, height=SIDE)
        self.angle, self.height, self.style = angle, height, style
        self.texts: list[Text] = []

    def at(self, u: float, v: float) -> tuple[float, float]:
        turn = np.radians(self.angle)
        x, y = u * self.height, v * self.height
        return float(300 + x * np.cos(turn) - y * np.sin(turn)), float(300 + x * np.sin(turn) + y * np.cos(turn))

    def _down(self, u: float, v: float) -> tuple[float, float]:
        x, y = self.at(u, v)
        return x, SIDE - y

    def write(self, text: str, u: float = 0.0, v: float = 0.0) -> None:
        width = 0.6 * len(text)
        corners = np.array([self.at(u, v), self.at(u + width, v), self.at(u + width, v + 1), self.at(u, v + 1)])
        box = (*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())
        advances = np.arange(len(text) + 1, dtype=np.float64) * (0.6 * self.height)
        name = f"annotation-{len(self.texts) + 1}"
        self.texts.append(
            Text(name, text, 1, self.at(u, v), self.angle, self.height, width * self.height, box, advances=advances)
        )

    def line(self, *points: tuple[float, float]) -> None:
        self.page.draw_polyline([self._down(*point) for point in points], width=0.5)

    def arc(self, u: float, v: float, radius: float, start: float, end: float) -> None:
        turns = np.radians(np.linspace(start, end, 19)).tolist()
        self.line(*((u + radius * np.cos(turn), v + radius * np.sin(turn)) for turn in turns))

    def circle(self, u: float, v: float, radius: float) -> None:
        if self.style == "curves":
            self.page.draw_circle(self._down(u, v), radius * self.height, width=0.5)
        elif self.style == "halves":
            self.arc(u, v, radius, 0, 180)
            self.arc(u, v, radius, 0, -180)
        elif self.style == "ellipse":
            turns = np.radians(np.linspace(0, 360, 25)).tolist()
            self.line(*((u + 0.9 * radius * np.cos(t), v + 1.1 * radius * np.sin(t)) for t in turns))
        else:
            turns = np.radians(np.linspace(0, 360, int(self.style) + 1)).tolist()
            points = [self._down(u + radius * np.cos(t), v + radius * np.sin(t)) for t in turns]
            self.page.draw_polyline([(round(x, 1), round(y, 1)) for x, y in points], width=0.5)

    def arrow(self, u: float) -> None:
        self.line((u - 0.4, -0.1), (u + 0.4, 1.1))
        self.line((u + 0.1, 1.0), (u + 0.4, 1.1), (u + 0.4, 0.75))

    def arrow_with_head(self, u: float) -> None:
        """Its head a closed triangle, at whose base the shaft ends."""
        self.line(
            (u - 0.6, -0.1), (u + 0.15, 0.65), (u - 0.05, 0.85), (u + 0.6, 1.1), (u + 0.35, 0.45), (u + 0.15, 0.65)
        )

    def fill(self, *points: tuple[float, float]) -> None:
        self.page.draw_polyline([self._down(*point) for point in points], color=None, fill=(0, 0, 0), closePath=True)

    def sheet(self) -> Sheet:
        again = PYMUPDF.open("pdf", self.file.tobytes())
        page = again[0]
        paths = read_geometry(page, 1, 0, Pictures(page, PageImages(page)))
        return Sheet(
            1,
            "page 1",
            "page",
            (0, 0, SIDE, SIDE),
            "point",
            texts=self.texts,
            strokes=paths.strokes,
            arcs=paths.arcs,
            fills=paths.fills,
        )

    def signs(self) -> str:
        """Those found, in reading order."""
        return "".join(symbol.text for symbol in sorted(find(self.sheet()), key=self._place))

    def _place(self, symbol: Symbol) -> float:
        turn = np.radians(self.angle)
        x, y = (symbol.box[0] + symbol.box[2]) / 2.0, (symbol.box[1] + symbol.box[3]) / 2.0
        return float(x * np.cos(turn) + y * np.sin(turn))


def diameter(pen: Pen, u: float = -0.8) -> None:
    pen.circle(u, 0.5, 0.42)
    pen.line((u - 0.27, -0.2), (u + 0.27, 1.2))
