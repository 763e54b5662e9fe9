"""Path data (SVG 1.1 chapter 8.3, SVG 2 chapter 9.3) as absolute lines and cubic Béziers.

Glossary
  segment   (x, y) of a line, or (x1, y1, x2, y2, x, y) of a cubic Bézier curve.
  subpath   M, then its segments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from spatial.formats.svg.frame import MOST, Matrix

Segment: TypeAlias = tuple[float, ...]

NUMBERS: Final = 2_000_000
"""Most numbers of one path."""

SMALLEST: Final = 2.0**-126
"""Smallest radius of an arc; a smaller one is zero in single precision, for which a line is drawn (SVG 1.1 4.3, F.6.6)."""

_TOKEN: Final = re.compile(r"[MmZzLlHhVvCcSsQqTtAa]|[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?")
_TAKES: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_COMMANDS: Final = frozenset("MmZzLlHhVvCcSsQqTtAa")
_ARC: Final = re.compile(
    r"\s*,?\s*([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*"
    r"([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*([01])\s*,?\s*([01])"
)

_NEXT: Final = re.compile(r"\s*,?\s*([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)")


@dataclass(slots=True)
class Subpath:
    """One subpath, absolute."""

    start: tuple[float, float]
    segments: list[Segment] = field(default_factory=list)
    closed: bool = False

    @property
    def straight(self) -> bool:
        """Whether it has no curve."""
        return all(len(segment) == 2 for segment in self.segments)

    def extremes(self) -> tuple[list[float], list[float]]:
        """x and y of points whose box is the subpath's: ends, and where a curve turns back between them."""
        x0, y0 = self.start
        xs, ys = [x0], [y0]
        for segment in self.segments:
            x3, y3 = segment[-2], segment[-1]
            if len(segment) == 6:
                x1, y1, x2, y2 = segment[:4]
                # A curve lies within its control points: where those are between its ends it turns nowhere.
                if not (x0 <= x1 <= x3 >= x2 >= x0 or x0 >= x1 >= x3 <= x2 <= x0):
                    xs += [_along(t, x0, x1, x2, x3) for t in _extrema(x0, x1, x2, x3)]
                if not (y0 <= y1 <= y3 >= y2 >= y0 or y0 >= y1 >= y3 <= y2 <= y0):
                    ys += [_along(t, y0, y1, y2, y3) for t in _extrema(y0, y1, y2, y3)]
            x0, y0 = x3, y3
            xs.append(x0)
            ys.append(y0)
        return xs, ys

    def moved(self, matrix: Matrix) -> Subpath:
        """The subpath under a transform."""
        a, b, c, d, e, f = matrix
        moved: list[Segment] = []
        for segment in self.segments:
            if len(segment) == 2:
                x, y = segment
                moved.append((a * x + c * y + e, b * x + d * y + f))
            else:
                x, y, u, v, p, q = segment
                moved.append((
                    a * x + c * y + e, b * x + d * y + f, a * u + c * v + e, b * u + d * v + f, a * p + c * q + e,
                    b * p + d * q + f,
                ))  # fmt: skip
        x, y = self.start
        return Subpath((a * x + c * y + e, b * x + d * y + f), moved, self.closed)


def _along(t: float, p0: float, p1: float, p2: float, p3: float) -> float:
    u = 1 - t
    return u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3


def _extrema(p0: float, p1: float, p2: float, p3: float) -> list[float]:
    """Where along a cubic Bézier one coordinate turns back, inside it."""
    a, b, c = p3 - 3 * p2 + 3 * p1 - p0, 2 * (p2 - 2 * p1 + p0), p1 - p0
    if abs(a) < 1e-12 * max(abs(b), abs(c), 1e-12):
        roots = [-c / b] if b else []
    else:
        inside = b * b - 4 * a * c
        if inside < 0:
            return []
        root = math.sqrt(inside)
        roots = [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    return [t for t in roots if 0 < t < 1]


@lru_cache(maxsize=1024)
def parse_path(data: str) -> tuple[Subpath, ...]:
    """The subpaths of path data, up to the first error, as browsers draw them. Symbols are used again and again: remembered."""
    builder = _PathBuilder()
    tokens = _TOKEN.findall(_spaced_flags(data))[:NUMBERS]
    places = [place for place, token in enumerate(tokens) if token in _COMMANDS]
    if not places or places[0]:
        return ()
    for place, end in pairwise([*places, len(tokens)]):
        if not builder.take(tokens[place], list(map(float, tokens[place + 1 : end]))):
            break
    return tuple(subpath for subpath in builder.subpaths if subpath.segments)


def _spaced_flags(data: str) -> str:
    """Arc flags may stand without a separator: `a1 1 0 01.5 2` has the flags 0 and 1."""
    if "a" not in data and "A" not in data:
        return data
    return re.sub(r"([Aa])([^MmZzLlHhVvCcSsQqTtAa]*+)", lambda match: match.group(1) + _arcs(match.group(2)), data)


def _arcs(text: str) -> str:
    """The arguments of arcs, each number apart."""
    found: list[str] = []
    at = 0
    while match := _ARC.match(text, at):
        end = match.end()
        ends = []
        for _ in range(2):
            number = _NEXT.match(text, end)
            if number is None:
                return " ".join(found)
            ends.append(number.group(1))
            end = number.end()
        found += [*match.groups(), *ends]
        at = end
    return " ".join(found)


class _PathBuilder:
    """Builds subpaths from commands; keeps the current point, the last control point and the last command."""

    def __init__(self) -> None:
        self.subpaths: list[Subpath] = []
        self.x = self.y = 0.0
        self.control: tuple[float, float] | None = None
        self.kind = ""

    def take(self, command: str, numbers: list[float]) -> bool:
        """One command with all its arguments; False where it cannot be drawn."""
        name, relative = command.upper(), command.islower()
        if name == "Z":
            self._close()
            return True
        if not self.subpaths and name != "M":
            return False
        count, sound = _TAKES[name], len(numbers)
        if numbers and not -MOST < min(numbers) <= max(numbers) < MOST:
            sound = next(place for place, value in enumerate(numbers) if not abs(value) < MOST)
        for at in range(0, sound - count + 1, count):
            self._draw("L" if name == "M" and at else name, numbers[at : at + count], relative)
        return sound == len(numbers) and sound % count == 0 and bool(numbers)

    def _close(self) -> None:
        if self.subpaths:
            self.subpaths[-1].closed = True
            self.x, self.y = self.subpaths[-1].start
            self.kind = "Z"

    def _draw(self, name: str, values: list[float], relative: bool) -> None:
        points = self._placed(name, values, relative)
        if name == "M":
            self.subpaths.append(Subpath((points[0], points[1])))
        else:
            if self.kind == "Z":
                self.subpaths.append(Subpath((self.x, self.y)))
            self._segments(name, points, values)
        self.x, self.y, self.kind = points[-2], points[-1], name

    def _placed(self, name: str, values: list[float], relative: bool) -> Segment:
        """The points of a command, absolute."""
        dx, dy = (self.x, self.y) if relative else (0.0, 0.0)
        if name in "LMT":
            return values[0] + dx, values[1] + dy
        if name == "C":
            x1, y1, x2, y2, x, y = values
            return x1 + dx, y1 + dy, x2 + dx, y2 + dy, x + dx, y + dy
        if name == "H":
            return values[0] + dx, self.y
        if name == "V":
            return self.x, values[0] + dy
        if name == "A":
            return values[5] + dx, values[6] + dy
        return values[0] + dx, values[1] + dy, values[2] + dx, values[3] + dy

    def _segments(self, name: str, points: Segment, values: list[float]) -> None:
        segments = self.subpaths[-1].segments
        if name in "LHV":
            segments.append(points)
        elif name == "C":
            segments.append(points)
            self.control = points[2], points[3]
        elif name == "S":
            segments.append((*self._mirrored("CS"), *points))
            self.control = points[0], points[1]
        elif name == "A":
            rx, ry, turn, large, sweep, *_ = values
            segments += arc_segments((self.x, self.y), rx, ry, turn, large != 0, sweep != 0, (points[0], points[1]))
        else:
            self.control = middle = self._mirrored("QT") if name == "T" else (points[0], points[1])
            segments.append(_raised((self.x, self.y), middle, (points[-2], points[-1])))

    def _mirrored(self, kinds: str) -> tuple[float, float]:
        """The last control point mirrored at the pen, where the last command had one."""
        if self.kind and self.kind in kinds and self.control is not None:
            return 2 * self.x - self.control[0], 2 * self.y - self.control[1]
        return self.x, self.y


def _raised(start: tuple[float, float], middle: tuple[float, float], end: tuple[float, float]) -> Segment:
    """A quadratic Bézier as a cubic one."""
    return (
        start[0] + 2 / 3 * (middle[0] - start[0]),
        start[1] + 2 / 3 * (middle[1] - start[1]),
        end[0] + 2 / 3 * (middle[0] - end[0]),
        end[1] + 2 / 3 * (middle[1] - end[1]),
        *end,
    )


def arc_segments(
    start: tuple[float, float], rx: float, ry: float, turn: float, large: bool, sweep: bool, end: tuple[float, float]
) -> list[Segment]:
    """An elliptical arc as cubic Béziers of at most 90 degrees (SVG 1.1 appendix F.6.5)."""
    rx, ry = abs(rx), abs(ry)
    if start == end:
        return []
    if rx < SMALLEST or ry < SMALLEST:
        return [end]
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cosine * dx + sine * dy, cosine * dy - sine * dx
    stretch = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * stretch, ry * stretch
    below = (rx * y) ** 2 + (ry * x) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 / below - 1.0)) if below else 0.0
    root = root if large != sweep else -root
    cx, cy = root * rx * y / ry, -root * ry * x / rx
    center = (cosine * cx - sine * cy + (start[0] + end[0]) / 2, sine * cx + cosine * cy + (start[1] + end[1]) / 2)
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    span = math.atan2((-y - cy) / ry, (-x - cx) / rx) - first
    span += 2 * math.pi if sweep and span < 0 else -2 * math.pi if not sweep and span > 0 else 0.0
    pieces = _pieces(first, span, lambda u, v: (
        center[0] + cosine * rx * u - sine * ry * v, center[1] + sine * rx * u + cosine * ry * v
    ))  # fmt: skip
    return [*pieces[:-1], (*pieces[-1][:4], *end)] if pieces else [end]


def _pieces(first: float, span: float, at: Callable[[float, float], tuple[float, float]]) -> list[Segment]:
    """Cubic Béziers along the unit circle, each point placed."""
    count = max(1, math.ceil(abs(span) / (math.pi / 2) - 1e-9))
    step = span / count
    reach = 4 / 3 * math.tan(step / 4)
    found: list[Segment] = []
    for piece in range(count):
        a, b = first + piece * step, first + (piece + 1) * step
        ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        found.append((*at(ca - reach * sa, sa + reach * ca), *at(cb + reach * sb, sb - reach * cb), *at(cb, sb)))
    return found


def flatten(subpath: Subpath, tolerance: float) -> list[tuple[float, float]]:
    """Points along a subpath, curves cut so that no chord is off by more than the tolerance."""
    points = [subpath.start]
    for segment in subpath.segments:
        if len(segment) == 6:
            points.extend(_cut(points[-1], segment, tolerance))
        points.append((segment[-2], segment[-1]))
    return [*points, subpath.start] if subpath.closed and points[-1] != subpath.start else points


def _cut(start: tuple[float, float], segment: Segment, tolerance: float) -> list[tuple[float, float]]:
    """The inner points of a curve; as many as its second differences ask for (Wang's formula)."""
    (x0, y0), (x1, y1, x2, y2, x3, y3) = start, segment
    bend = max(math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
    count = min(64, max(1, math.ceil(math.sqrt(0.75 * bend / tolerance)))) if math.isfinite(bend) else 1
    found = []
    for step in range(1, count):
        t = step / count
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found
