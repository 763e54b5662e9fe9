"""Dimensions, leaders and frames in plain lines and texts: what a PDF holds, and a DXF whose dimensions were exploded."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.sheets.canvas import Align, Dimensioned, Group, Linear, Point, direction, polar, readable, toward
from tests.sheets.marks import Mark
from tests.sheets.signs import SIGNS, place
from tests.sheets.style import Style


@dataclass(frozen=True)
class Ways:
    """How this exporter draws dimensions."""

    gap: bool
    """Text in a gap of the dimension line (ASME) or above it (ISO)."""
    arrow: float
    small: float
    """Height of deviations to that of the nominal size."""
    open_arrows: bool
    lone_signs: bool
    """Whether sign and digits of a deviation are two texts."""


def ways(rng: random.Random, style: Style) -> Ways:
    return Ways(
        gap=style.asme,
        arrow=rng.choice([2.5, 3.0, 3.5]),
        small=rng.choice([0.6, 0.7, 1.0]) if style.asme else rng.choice([0.6, 0.7]),
        open_arrows=rng.random() < 0.1,
        lone_signs=rng.random() < 0.3,
    )


class Drafting:
    """Compound things drawn with `line`, `circle`, `fill`, `text` and `wide` of a canvas."""

    def __init__(self, style: Style, manner: Ways, per_millimeter: float) -> None:
        """per_millimeter: units of the file in a millimeter of paper."""
        self.style, self.ways, self.per_millimeter = style, manner, per_millimeter
        self.dimensioned: list[Dimensioned] = []

    def line(self, start: Point, end: Point, weight: float = 0.25, dashed: bool = False) -> None:
        raise NotImplementedError

    def circle(self, center: Point, radius: float, weight: float = 0.5) -> None:
        raise NotImplementedError

    def arc(self, center: Point, radius: float, start: float, end: float, weight: float = 0.5) -> None:
        raise NotImplementedError

    def fill(self, points: Sequence[Point]) -> None:
        raise NotImplementedError

    def text(self, at: Point, text: str, height: float, angle: float = 0, align: Align = "left") -> None:
        raise NotImplementedError

    def wide(self, text: str, height: float) -> float:
        raise NotImplementedError

    def group(self, group: Group) -> None:
        for rule in group.rules:
            self.line(rule.start, rule.end, rule.weight)
        for each in group.letterings:
            self.text(each.at, each.text, each.height, 0, each.align)

    def paragraph(self, at: Point, lines: Sequence[str], height: float, pitch: float) -> None:
        for place_, line in enumerate(lines):
            self.text((at[0], at[1] - place_ * pitch), line, height)

    def arrow(self, tip: Point, angle: float) -> None:
        """An arrowhead that points in a direction."""
        left = polar(tip, self.ways.arrow, angle + 180 - 9.5)
        right = polar(tip, self.ways.arrow, angle + 180 + 9.5)
        if self.ways.open_arrows:
            self.line(left, tip, 0.18)
            self.line(tip, right, 0.18)
        else:
            self.fill((tip, left, right))

    def sign(self, sign: str, at: Point, height: float, angle: float) -> None:
        """A sign as strokes."""
        along = polar((0, 0), 1, angle)
        for piece in SIGNS[sign].pieces(at, height, along):
            for start, end in pairwise(piece):
                self.line(start, end, 0.18)
        for x, y, radius in SIGNS[sign].circles:
            self.circle(place((x, y), at, height, along), radius * height, 0.18)

    def mark_width(self, mark: Mark) -> float:
        height = self.style.lettering
        if mark.cells:
            return sum(self._cell_width(cell) for cell in mark.cells)
        small = max((self.wide(text, height * self.ways.small) for text in (mark.upper, mark.lower) if text), default=0)
        return max(self.wide(line, height) for line in mark.lines) + (small + height * 0.5 if small else 0)

    def write(self, mark: Mark, middle: Point, angle: float = 0) -> None:
        """The mark round a point."""
        height, width = self.style.lettering, self.mark_width(mark)
        along, up = polar((0, 0), 1, angle), polar((0, 0), 1, angle + 90)

        def at(x: float, y: float) -> Point:
            return middle[0] + x * along[0] + y * up[0], middle[1] + x * along[1] + y * up[1]

        pitch, count = height * 1.6, len(mark.lines)
        for row, line in enumerate(mark.lines):
            self.text(at(-width / 2, (count - 1) / 2 * pitch - row * pitch - height / 2), line, height, angle)
        self._deviations(mark, at, width, angle)
        if mark.boxed:
            half, tall = width / 2 + height * 0.4, height * 0.9
            corners = [at(-half, -tall), at(half, -tall), at(half, tall), at(-half, tall)]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                self.line(start, end, 0.18)

    def _deviations(self, mark: Mark, at: object, width: float, angle: float) -> None:
        assert callable(at)
        height, small = self.style.lettering, self.style.lettering * self.ways.small
        left = -width / 2 + self.wide(mark.lines[-1], height) + height * 0.4 if mark.upper else 0.0
        base = (1 - len(mark.lines)) / 2 * height * 1.6
        for text, y in ((mark.upper, base + small * 0.2), (mark.lower, base - small * 1.2)):
            if not text:
                continue
            if self.ways.lone_signs and text[0] in "+-":
                self.text(at(left, y), text[0], small, angle)
                self.text(at(left + self.wide("+", small) + small * 0.1, y), text[1:], small, angle)
            else:
                pad = 0 if text[0] in "+-" else self.wide("+", small)
                self.text(at(left + pad, y), text, small, angle)

    def linear(self, linear: Linear) -> None:
        """A dimension with extension lines, arrows and its text."""
        kind = "diameter" if "Ø" in linear.mark.text else "aligned" if linear.angle % 90 else "linear"
        self.dimensioned.append(Dimensioned(linear.mark, kind, linear.length * self.per_millimeter))
        along, across = polar((0, 0), 1, linear.angle), polar((0, 0), 1, linear.angle + 90)
        ends = [_onto(point, linear.base, along) for point in (linear.start, linear.end)]
        for point, end in zip((linear.start, linear.end), ends, strict=True):
            vector, length = toward(point, end)
            if length > 2:
                self.line(_moved(point, vector, 1), _moved(end, vector, 1.5), 0.18)
        self._dimension_line(linear, ends, along, across)

    def _dimension_line(self, linear: Linear, ends: list[Point], along: Point, across: Point) -> None:
        mark, height = linear.mark, self.style.lettering
        (first, last), width = ends, self.mark_width(mark)
        vector, length = toward(first, last)
        course = direction(first, last)
        middle = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
        upright = self.style.upright and abs(along[0]) < 0.99
        room = height * 2.2 * max(1, len(mark.lines)) if upright else width + 2 * height
        fits = length > room + 2 * self.ways.arrow
        if length > 2.6 * self.ways.arrow:
            self.arrow(first, course + 180)
            self.arrow(last, course)
        else:
            self.arrow(first, course)
            self.arrow(last, course + 180)
            self.line(_moved(first, vector, -7), first, 0.18)
        if not fits:
            far = 7 + width + height if not upright else 7 + height
            middle = _moved(last, vector, 7 + (height if upright else width / 2))
            self.line(first, _moved(last, vector, 6 if self.ways.gap or upright else far), 0.18)
        elif self.ways.gap or upright:
            half = room / 2
            self.line(first, _moved(middle, vector, -half), 0.18)
            self.line(_moved(middle, vector, half), last, 0.18)
        else:
            self.line(first, last, 0.18)
        turn = 0.0 if upright else readable(linear.angle)
        if not self.ways.gap and not upright:
            above = height * (
                0.95 + (0.8 if mark.upper else 0) + 0.8 * (len(mark.lines) - 1) + (0.6 if mark.boxed else 0)
            )
            middle = _moved(middle, polar((0, 0), 1, turn + 90), above)
        self.write(mark, middle, turn)

    def angular(self, center: Point, radius: float, start: float, end: float, mark: Mark) -> None:
        """The angle between two edges, its text outside of the arc."""
        self.dimensioned.append(Dimensioned(mark, "angular", (end - start) % 360))
        self.arc(center, radius, start, end, 0.18)
        self.arrow(polar(center, radius, start), start - 90)
        self.arrow(polar(center, radius, end), end + 90)
        away = radius + self.style.lettering + self.mark_width(mark) / 2
        self.write(mark, polar(center, away, (start + end) / 2))

    def leader(self, tip: Point, knee: Point, landing: Point, mark: Mark, hole: tuple[Point, float] | None) -> None:
        """A line from a feature to its text, which begins after the landing."""
        self.line(tip, knee, 0.18)
        self.line(knee, landing, 0.18)
        self.arrow(tip, direction(knee, tip))
        if mark.cells:
            self.frame(landing, mark)
        elif mark.type == "surface_finish":
            self.texture((landing[0] + 1, landing[1]), mark)
        else:
            self.write(mark, (landing[0] + 1 + self.mark_width(mark) / 2, landing[1]))

    def texture(self, at: Point, mark: Mark) -> None:
        """A surface texture sign (ISO 1302) with its parameter under the bar."""
        height, width = self.style.lettering, self.mark_width(mark)
        corner = at[0] + 1.4 * height, at[1] - 1.4 * height
        top = corner[0] + 1.7 * height, at[1] + 1.5 * height
        self.line((at[0] + 0.55 * height, at[1]), corner, 0.25)
        self.line((at[0] + 0.55 * height, at[1]), (corner[0] + 0.85 * height, at[1]), 0.25)
        self.line(corner, top, 0.25)
        self.line(top, (top[0] + width + height, top[1]), 0.25)
        self.text((top[0] + 0.5 * height, top[1] - 1.4 * height), mark.lines[0], height)

    def frame(self, at: Point, mark: Mark) -> None:
        """A feature control frame whose left side's middle is at a point."""
        height = self.style.lettering
        left, low, high = at[0], at[1] - height, at[1] + height
        self.line((left, low), (left, high), 0.25)
        for cell in mark.cells:
            width = self._cell_width(cell)
            for y in (low, high):
                self.line((left, y), (left + width, y), 0.25)
            self.line((left + width, low), (left + width, high), 0.25)
            self.text((left + (width - self.wide(cell, height)) / 2, at[1] - height / 2), cell, height)
            left += width

    def _cell_width(self, cell: str) -> float:
        return max(self.wide(cell, self.style.lettering) + self.style.lettering * 0.9, self.style.lettering * 2)


def _moved(point: Point, vector: Point, length: float) -> Point:
    return point[0] + vector[0] * length, point[1] + vector[1] * length


def _onto(point: Point, base: Point, along: Point) -> Point:
    """The point of the line through `base` that is nearest."""
    length = (point[0] - base[0]) * along[0] + (point[1] - base[1]) * along[1]
    return base[0] + along[0] * length, base[1] + along[1] * length
