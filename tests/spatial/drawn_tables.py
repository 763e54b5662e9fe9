"""Sheets with tables drawn on them, for tests: ruled or not, headed at either end, wrapped, turned by quarters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from spatial.models.sheet.drawing import Fill, NativeTable, Sheet, Strokes, Text, TextKind

LETTER = 0.6
"""Advance of a letter, in its heights."""


@dataclass
class Paper:
    """An upright sheet that is drawn on, and turned when it is done."""

    width: float = 420.0
    height: float = 297.0
    texts: list[Text] = field(default_factory=list)
    strokes: list[tuple[float, float, float, float]] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    tables: list[NativeTable] = field(default_factory=list)
    page: int = 1

    def write(self, said: str, x: float, y: float, height: float = 2.5, kind: TextKind = "text") -> Text:
        """`said` with the middle of its capitals at `y`; lines of several stand under each other around it."""
        lines = said.split("\n")
        width = max(map(len, lines)) * height * LETTER
        top = y + (len(lines) - 1) * 0.8 * height + height / 2
        box = (x, top - height - (len(lines) - 1) * 1.6 * height, x + width, top)
        steps = np.linspace(0.0, width, len(said) + 1, dtype=np.float64) if len(lines) == 1 else None
        name = f"annotation-{self.page}-{len(self.texts) + 1}"
        text = Text(name, said, self.page, (x, top - height), 0.0, height, width, box, kind, advances=steps)
        self.texts.append(text)
        return text

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """A stroke."""
        self.strokes.append((x1, y1, x2, y2))

    def rectangle(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Four strokes."""
        for ends in ((x1, y1, x2, y1), (x2, y1, x2, y2), (x2, y2, x1, y2), (x1, y2, x1, y1)):
            self.line(*ends)

    def bar(self, x1: float, y1: float, x2: float, y2: float, thick: float = 0.2) -> None:
        """A rule as a filled rectangle."""
        grow = thick / 2
        self.fills.append(
            Fill(
                np.array(
                    [(x1 - grow, y1 - grow), (x2 + grow, y1 - grow), (x2 + grow, y2 + grow), (x1 - grow, y2 + grow)]
                )
            )
        )

    def sheet(self, angle: int = 0) -> Sheet:
        """What was drawn, turned by `angle` (a multiple of 90) about the origin."""
        ends = np.array(self.strokes, float).reshape(-1, 4)
        count = len(ends)
        flags = np.zeros(count, bool)
        texts = [_turned_text(text, angle) for text in self.texts]
        whole = np.hstack([_turned(ends[:, :2], angle), _turned(ends[:, 2:], angle)])
        strokes = Strokes(whole, np.zeros(count), np.full(count, -1), flags, flags.copy())
        fills = [Fill(_turned(fill.points, angle)) for fill in self.fills]
        box = _box(_turned(np.array([(0, 0), (self.width, self.height)], float), angle))
        return Sheet(
            self.page, "page", "page", box, "millimeter", texts=texts, strokes=strokes, fills=fills, tables=self.tables
        )


def table(
    paper: Paper,
    rows: Sequence[Sequence[str]],
    x: float,
    y: float,
    widths: Sequence[float],
    *,
    rules: str = "all",
    upwards: bool = False,
    step: float = 6.0,
    pad: float = 1.0,
) -> None:
    """Draw `rows`, the header first, from (x, y) down, or up. `rules`: all, bars, sloppy, columns, none."""
    edges = [x + sum(widths[:n]) for n in range(len(widths) + 1)]
    sign = 1 if upwards else -1
    levels = [y]
    for row in rows:
        lines = max((said.count("\n") + 1 for said in row), default=1)
        levels.append(levels[-1] + sign * step * (1 + 0.7 * (lines - 1)))
        middle = (levels[-1] + levels[-2]) / 2
        for edge, said in zip(edges, row, strict=False):
            if said:
                paper.write(said, edge + pad, middle)
    draw = paper.bar if rules == "bars" else paper.line
    loose = 0.25 if rules == "sloppy" else 0.0
    if rules in ("all", "bars", "sloppy"):
        for place, level in enumerate(levels):
            draw(edges[0] - loose, level, edges[-1] + loose * (-1) ** place, level)
    if rules == "columns":
        for level in (levels[0], levels[1], levels[-1]):
            draw(edges[0], level, edges[-1], level)
    if rules != "none":
        low, high = min(levels), max(levels)
        for place, edge in enumerate(edges):
            draw(edge, low + loose * (-1) ** place, edge, high + loose)


def framed(paper: Paper, margin: float = 10.0, strip: float = 5.0) -> None:
    """A border with zones."""
    paper.rectangle(margin, margin, paper.width - margin, paper.height - margin)
    inner = margin + strip
    paper.rectangle(inner, inner, paper.width - inner, paper.height - inner)
    for place in range(1, 6):
        x = inner + (paper.width - 2 * inner) * place / 6
        for low in (margin, paper.height - inner):
            paper.line(x, low, x, low + strip)
            paper.write(str(place), x - 20, low + strip / 2)
    for place, letter in enumerate("ABC"):
        paper.write(letter, margin + 1.5, inner + 20 + 60 * place)
        paper.write(letter, paper.width - inner + 1.5, inner + 20 + 60 * place)


def _turned(points: np.ndarray, angle: int) -> np.ndarray:
    x, y = points[:, 0], points[:, 1]
    return np.column_stack({0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[angle])


def _box(points: np.ndarray) -> tuple[float, float, float, float]:
    x1, y1 = points.min(0).tolist()
    x2, y2 = points.max(0).tolist()
    return x1, y1, x2, y2


def _turned_text(text: Text, angle: int) -> Text:
    origin = _turned(np.array([text.origin]), angle)[0].tolist()
    box = _box(_turned(np.array([text.box[:2], text.box[2:]]), angle))
    kept = {
        name: getattr(text, name)
        for name in ("id", "text", "page", "height", "width", "kind", "tag", "owner", "advances", "visible")
    }
    return Text(origin=(origin[0], origin[1]), angle=float(angle), box=box, **kept)
