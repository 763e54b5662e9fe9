"""What a sheet is drawn on: millimeters from the lower left corner of the paper, y up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin
from typing import Any, Literal, Protocol

from tests.sheets.marks import Mark

Point = tuple[float, float]
Align = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Rule:
    """One straight line of a block or a table."""

    start: Point
    end: Point
    weight: float = 0.25


@dataclass(frozen=True)
class Lettering:
    """One line of text; `tag` where a DXF may keep it as an attribute."""

    at: Point
    text: str
    height: float
    align: Align = "left"
    tag: str | None = None


@dataclass
class Group:
    """Lines and texts that a DXF may keep as one block."""

    kind: Literal["title", "table"]
    rules: list[Rule] = field(default_factory=list)
    letterings: list[Lettering] = field(default_factory=list)

    def box(self, left: float, bottom: float, right: float, top: float, weight: float = 0.25) -> None:
        corners = ((left, bottom), (right, bottom), (right, top), (left, top), (left, bottom))
        self.rules += [Rule(a, b, weight) for a, b in pairwise(corners)]


@dataclass(frozen=True)
class Linear:
    """A linear or aligned dimension between two points; `base` is a point on its dimension line."""

    start: Point
    end: Point
    base: Point
    angle: float
    mark: Mark
    factor: float
    """Measured value per millimeter of paper."""

    @property
    def length(self) -> float:
        """Between its arrowheads, in millimeters of paper."""
        along = polar((0, 0), 1, self.angle)
        return abs((self.end[0] - self.start[0]) * along[0] + (self.end[1] - self.start[1]) * along[1])


@dataclass(frozen=True)
class Dimensioned:
    """A dimension that was drawn."""

    mark: Mark
    type: str
    value: float
    """What a reader of the file can measure: in its units, or in those of the sheet where the file itself says it."""

    def truth(self) -> dict[str, Any]:
        """Its entry in the truth file."""
        return {
            "type": self.type,
            "text": self.mark.text,
            "text_layer": " ".join(self.mark.lines) if self.mark.boxed else None,
            "value": self.value,
            "printed": self.mark.nominal and float(self.mark.nominal.replace(",", ".").rstrip("°")),
            "plain": self.mark.type == "dimension",
        }


class Canvas(Protocol):
    """Draws one sheet and keeps it as a file."""

    dimensioned: list[Dimensioned]

    def line(self, start: Point, end: Point, weight: float = 0.25, dashed: bool = False) -> None: ...

    def circle(self, center: Point, radius: float, weight: float = 0.5) -> None: ...

    def arc(self, center: Point, radius: float, start: float, end: float, weight: float = 0.5) -> None: ...

    def fill(self, points: Sequence[Point]) -> None: ...

    def text(self, at: Point, text: str, height: float, angle: float = 0, align: Align = "left") -> None: ...

    def wide(self, text: str, height: float) -> float: ...

    def group(self, group: Group) -> None: ...

    def paragraph(self, at: Point, lines: Sequence[str], height: float, pitch: float) -> None: ...

    def linear(self, linear: Linear) -> None: ...

    def angular(self, center: Point, radius: float, start: float, end: float, mark: Mark) -> None: ...

    def leader(self, tip: Point, knee: Point, landing: Point, mark: Mark, hole: tuple[Point, float] | None) -> None: ...

    def texture(self, at: Point, mark: Mark) -> None: ...

    def next_sheet(self) -> None: ...

    def data(self) -> bytes: ...


def polar(center: Point, radius: float, angle: float) -> Point:
    return center[0] + radius * cos(radians(angle)), center[1] + radius * sin(radians(angle))


def toward(start: Point, end: Point) -> tuple[Point, float]:
    """Unit vector and distance."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    return (dx / length, dy / length), length


def readable(angle: float) -> float:
    """The direction of reading of a text along a line: from below or from the right."""
    angle %= 180
    return angle - 180 if angle > 90 + 1e-9 else angle


def direction(start: Point, end: Point) -> float:
    return atan2(end[1] - start[1], end[0] - start[0]) * 180 / pi if start != end else degrees(0)
