"""Sheets drawn by hand: texts, symbols, strokes and heads, turned to any angle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from spatial.models.sheet.drawing import Arcs, Fill, Sheet, Strokes, Symbol, Text, TextKind
from spatial.understanding.sheet.lettering.labels import find_labels

HEIGHT = 3.5
LETTER = 0.6
"""Width of a letter, in letter heights."""


@dataclass
class Board:
    """A sheet in the making; everything put on it is turned by `angle` about the middle of the paper."""

    angle: float = 0.0
    texts: list[Text] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    lines: list[tuple[float, float, float, float]] = field(default_factory=list)
    curves: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Straight pieces of curves."""
    arcs: list[tuple[float, float, float, float, float]] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place on the turned sheet."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return 500 + (x - 500) * c - (y - 500) * s, 500 + (x - 500) * s + (y - 500) * c

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Upright box around a turned rectangle."""
        corners = [self.at(x, y) for x in (x0, x1) for y in (y0, y1)]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def text(self, shown: str, x: float, y: float, height: float = HEIGHT, kind: TextKind = "text") -> float:
        """Put a text on its baseline; where it ends."""
        step = LETTER * height
        wide = step * len(shown)
        box = self.box(x, y, x + wide, y + height)
        advances = np.arange(len(shown) + 1, dtype=np.float64) * step
        name = f"annotation-{len(self.texts) + 1}"
        self.texts.append(
            Text(name, shown, 1, self.at(x, y), self.angle % 360, height, wide, box, kind=kind, advances=advances)
        )
        return x + wide

    def symbol(self, sign: str, x: float, y: float, height: float = HEIGHT) -> float:
        """Put a sign on a baseline; where it ends."""
        self.symbols.append(Symbol(sign, 1, self.box(x, y, x + height, y + height), self.angle % 360))
        return x + height

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a stroke."""
        self.lines.append((*self.at(x0, y0), *self.at(x1, y1)))

    def dashes(self, x0: float, y0: float, x1: float, y1: float, dash: float = 2.4, gap: float = 1.2) -> None:
        """Draw a line as dashes, each a stroke of its own; the last one ends where the line does."""
        long = math.hypot(x1 - x0, y1 - y0)
        count = max(round((long + gap) / (dash + gap)), 2)
        step = (long + gap) / count
        for number in range(count):
            begin, end = number * step / long, (number * step + step - gap) / long
            self.line(x0 + begin * (x1 - x0), y0 + begin * (y1 - y0), x0 + end * (x1 - x0), y0 + end * (y1 - y0))

    def flattened_arc(self, x: float, y: float, radius: float, begin: float, end: float, pieces: int = 8) -> None:
        """Draw an arc as pieces whose corners are rounded to tenths."""
        turns = [math.radians(begin + (end - begin) * step / pieces) for step in range(pieces + 1)]
        corners = [self.at(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
        rounded = [(round(across, 1), round(up, 1)) for across, up in corners]
        self.curves += [(*one, *other) for one, other in pairwise(rounded)]

    def boxes(self, xs: list[float], y0: float, y1: float) -> None:
        """Rule boxes side by side."""
        self.line(xs[0], y0, xs[-1], y0)
        self.line(xs[0], y1, xs[-1], y1)
        for x in xs:
            self.line(x, y0, x, y1)

    def head(self, x: float, y: float, way: float, *, filled: bool = True, length: float = 4.0) -> None:
        """Put an arrowhead with its tip at a place, pointing `way` degrees."""
        c, s = math.cos(math.radians(way)), math.sin(math.radians(way))
        back = [(x - length * c - k * s * length / 6, y - length * s + k * c * length / 6) for k in (1, -1)]
        if filled:
            self.fills.append(Fill(np.array([self.at(x, y), *(self.at(*p) for p in back)])))
        else:
            for place in back:
                self.line(x, y, *place)

    def inside(self, x0: float, x1: float, y: float, *, filled: bool = True) -> None:
        """Draw a dimension line with heads that point apart."""
        self.line(x0, y, x1, y)
        self.head(x0, y, 180, filled=filled)
        self.head(x1, y, 0, filled=filled)
        for x in (x0, x1):
            self.line(x, y - 30, x, y + 2)

    def sheet(self) -> Sheet:
        """What was drawn."""
        ends = np.array([*self.lines, *self.curves], float).reshape(-1, 4)
        count = len(ends)
        curved = np.arange(count) >= len(self.lines)
        strokes = Strokes(ends, np.zeros(count), np.zeros(count, np.int64), np.zeros(count, bool), curved)
        circles = np.array(self.arcs, float).reshape(-1, 5)
        many = len(circles)
        arcs = Arcs(circles, np.zeros(many), np.zeros(many, np.int64), np.zeros(many, bool))
        return Sheet(
            1,
            "page 1",
            "page",
            (0, 0, 1000, 1000),
            "point",
            texts=self.texts,
            symbols=self.symbols,
            strokes=strokes,
            arcs=arcs,
            fills=self.fills,
        )


def read(sheet: Sheet) -> list[tuple[str, ...]]:
    """The lines of each label of a sheet."""
    return [label.lines for label in find_labels(sheet, frozenset(), [])]


def taken(board: Board, text: str) -> Board:
    """Sizes to scale, and one whose text takes all of its line between one head and what is left of the line at the other."""
    for row in range(4):
        board.inside(200, 240 + 10 * row, 500 + 20 * row)
        board.text(str(40 + 10 * row), 215, 501 + 20 * row)
    board.head(200, 300, 180)
    board.head(230, 300, 0)
    board.line(218, 300, 230, 300)
    board.text(text, 205, 300 - HEIGHT / 2)
    return board
