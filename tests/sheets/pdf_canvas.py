"""Sheets as vector PDF, with the habits of several exporters."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pymupdf as _pymupdf

from tests.sheets.canvas import Align, Point, polar
from tests.sheets.drafting import Drafting, ways
from tests.sheets.signs import SIGNS
from tests.sheets.style import Style

pymupdf: Any = _pymupdf
POINTS = 72 / 25.4
"""PDF units in a millimeter."""
CAPITAL = 0.72
"""Height of a capital letter to the size of its font; near enough for Helvetica and DejaVu."""
FONTS = {"helv": None, "cour": None, "tiro": None, "sans": "DejaVuSans.ttf", "mono": "DejaVuSansMono.ttf"}


@cache
def _font(name: str) -> Any:
    return pymupdf.Font(name) if FONTS[name] is None else pymupdf.Font(fontfile=_file(name))


def _file(name: str) -> str | None:
    file = FONTS[name]
    return str(Path(mpl.get_data_path(), "fonts", "ttf", file)) if file else None


@dataclass(frozen=True)
class Habits:
    """How this exporter writes text."""

    font: str
    pieces: str
    """line, word or glyph."""
    drawn: frozenset[str]
    """Signs that it draws as strokes though the font may have them."""
    twice: bool
    """Every text is there two times at the same place, as a poor man's bold."""


def habits(rng: random.Random) -> Habits:
    drawn = {sign for sign in SIGNS if sign not in "()±" and rng.random() < 0.5} if rng.random() < 0.6 else set()
    drawn |= {"(", ")"} if rng.random() < 0.1 else set()
    return Habits(
        font=rng.choice(["helv", "helv", "sans", "sans", "mono", "cour", "tiro"]),
        pieces=rng.choice(["line", "line", "line", "word", "glyph"]),
        drawn=frozenset(drawn),
        twice=rng.random() < 0.05,
    )


class PdfCanvas(Drafting):
    """A PDF with one page a sheet."""

    def __init__(self, rng: random.Random, style: Style) -> None:
        super().__init__(style, ways(rng, style), POINTS)
        self.habits = habits(rng)
        self._document = pymupdf.open()
        self.next_sheet()

    def next_sheet(self) -> None:
        self._finish()
        width, height = self.style.width * POINTS, self.style.height * POINTS
        turned = self.style.rotate in {90, 270}
        self._page = self._document.new_page(width=height if turned else width, height=width if turned else height)
        self._shape = self._page.new_shape()

    def _finish(self) -> None:
        if len(self._document):
            self._shape.commit()
            self._page.set_rotation(self.style.rotate)

    def data(self) -> bytes:
        self._finish()
        self._document.subset_fonts()
        made: bytes = self._document.tobytes(garbage=3, deflate=True, no_new_id=True)
        return made

    def _at(self, point: Point) -> Any:
        """From the displayed paper to the page as it is before /Rotate."""
        width, height = self.style.width, self.style.height
        x, y = point[0], height - point[1]
        turned = {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[self.style.rotate]
        return pymupdf.Point(turned[0] * POINTS, turned[1] * POINTS)

    def _stroke(self, weight: float, dashed: bool = False) -> None:
        self._shape.finish(
            color=(0, 0, 0), width=weight * POINTS, dashes="[6 2 1 2] 0" if dashed else None, closePath=False
        )

    def line(self, start: Point, end: Point, weight: float = 0.25, dashed: bool = False) -> None:
        self._shape.draw_line(self._at(start), self._at(end))
        self._stroke(weight, dashed)

    def circle(self, center: Point, radius: float, weight: float = 0.5) -> None:
        self._shape.draw_circle(self._at(center), radius * POINTS)
        self._stroke(weight)

    def arc(self, center: Point, radius: float, start: float, end: float, weight: float = 0.5) -> None:
        steps = max(1, round((end - start) / 45))
        step = (end - start) / steps
        pull = 4 / 3 * sin(radians(step) / 4) / cos(radians(step) / 4) * radius
        for piece in range(steps):
            a, b = start + piece * step, start + (piece + 1) * step
            first, last = polar(center, radius, a), polar(center, radius, b)
            self._shape.draw_bezier(
                self._at(first),
                self._at(polar(first, pull, a + 90)),
                self._at(polar(last, pull, b - 90)),
                self._at(last),
            )
        self._stroke(weight)

    def fill(self, points: Sequence[Point]) -> None:
        self._shape.draw_polyline([self._at(point) for point in points])
        self._shape.finish(color=(0, 0, 0), fill=(0, 0, 0), width=0.1, closePath=True)

    def wide(self, text: str, height: float) -> float:
        return sum(SIGNS[run].advance * height if sign else self._run(run, height) for run, sign in self._runs(text))

    def _run(self, text: str, height: float) -> float:
        width: float = self._font_of(text).text_length(text, fontsize=height / CAPITAL)
        return width

    def _name(self, text: str) -> str:
        """The font of a run: a base-14 font where its encoding has all characters."""
        if FONTS[self.habits.font] is None and not all(ord(char) < 256 for char in text):
            return "sans"
        return self.habits.font

    def _font_of(self, text: str) -> Any:
        return _font(self._name(text))

    def _runs(self, text: str) -> Iterator[tuple[str, bool]]:
        """Pieces that are text, and signs to be drawn."""
        run = ""
        for char in text:
            if char in SIGNS and (char in self.habits.drawn or not _font("sans").has_glyph(ord(char))):
                if run:
                    yield run, False
                yield char, True
                run = ""
            else:
                run += char
        if run:
            yield run, False

    def text(self, at: Point, text: str, height: float, angle: float = 0, align: Align = "left") -> None:
        back = {"left": 0.0, "center": 0.5, "right": 1.0}[align] * self.wide(text, height)
        at = polar(at, -back, angle)
        for run, sign in self._runs(text):
            if sign:
                self.sign(run, at, height, angle)
                at = polar(at, SIGNS[run].advance * height, angle)
            else:
                self._write(at, run, height, angle)
                at = polar(at, self._run(run, height), angle)

    def _write(self, at: Point, run: str, height: float, angle: float) -> None:
        name = self._name(run)
        for offset, piece in self._pieces(run):
            if not piece.strip():
                continue
            place = polar(at, self._run(run[:offset], height), angle)
            for _ in range(2 if self.habits.twice else 1):
                self._put(place, piece, height, angle, name)

    def _pieces(self, run: str) -> Iterator[tuple[int, str]]:
        if self.habits.pieces == "line":
            yield 0, run
        elif self.habits.pieces == "glyph":
            yield from enumerate(run)
        else:
            offset = 0
            for word in run.split(" "):
                yield offset, word
                offset += len(word) + 1

    def _put(self, at: Point, text: str, height: float, angle: float, name: str) -> None:
        point = self._at(at)
        turn = pymupdf.Matrix(angle + self.style.rotate)
        self._shape.insert_text(
            point, text, fontsize=height / CAPITAL * POINTS, fontname=name, fontfile=_file(name), morph=(point, turn)
        )
