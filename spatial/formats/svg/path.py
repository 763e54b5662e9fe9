"""Path data (SVG 1.1 chapter 8.3, SVG 2 chapter 9.3) as absolute lines and cubic Béziers.

Glossary
  segment   (x, y) of a line, or (x1, y1, x2, y2, x, y) of a cubic Bézier curve.
  subpath   M, then its segments.
  outline   all subpaths of a shape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from spatial.formats.svg.frame import MOST

Segment: TypeAlias = tuple[float, ...]

NUMBERS: Final = 2_000_000
"""Most numbers of one path."""

SMALLEST: Final = 2.0**-126
"""Smallest radius of an arc; a smaller one is zero in single precision, for which a line is drawn (SVG 1.1 4.3, F.6.6)."""

_COMMAND: Final = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])")
_NUMBER: Final = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?")
_ODD: Final = re.compile(r"[^0-9eE+\-., \t\r\nMmZzLlHhVvCcSsQqTtAa]")
"""Signs that no number, no separator and no command has."""
_TAKES: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_STEPS: Final = {"L": 2, "l": 2, "C": 6, "c": 6}
"""Of commands with one segment a step, numbers of each."""
_ARC: Final = re.compile(
    r"\s*,?\s*([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*"
    r"([+-]?[\d.]++(?:[eE][+-]?\d++)?)\s*,?\s*([01])\s*,?\s*([01])"
)

_NEXT: Final = re.compile(r"\s*,?\s*([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)")


class Outline(NamedTuple):
    """Subpaths in one: a letter a step, and the coordinates of all steps."""

    code: str
    """M begins a subpath and is always followed by L or C; Z closes it. Empty where nothing is drawn."""
    numbers: list[float]
    """x, y of M and L; x1, y1, x2, y2, x, y of C."""


@lru_cache(maxsize=1024)
def parse_path(data: str) -> Outline:
    """Path data, up to the first error, as browsers draw them. Symbols are used again and again: remembered."""
    lead, *parts = _COMMAND.split(_spaced_flags(data))
    if lead and _NUMBER.search(lead):
        return Outline("", [])
    is_plain = _ODD.search(data) is None
    if is_plain and len(data) < NUMBERS and (plain := _plain_outline(parts)) is not None:
        return plain
    builder, left = _PathBuilder(), NUMBERS
    for command, text in zip(parts[::2], parts[1::2], strict=True):
        left -= 1
        numbers = _numbers(text, is_plain=is_plain) if text else []
        if len(numbers) > left:
            numbers = numbers[: max(0, left)]
        left -= len(numbers)
        if left < 0 or not builder.take(command, numbers):
            break
    return builder.outline()


def _plain_outline(parts: list[str]) -> Outline | None:
    """The outline of commands and their arguments in turns, where all move, draw lines or curves, or close, as most do; else None.

    It is `_PathBuilder`'s, which also reads what is cut short or wrong.
    """
    code: list[str] = []
    numbers: list[float] = []
    x = y = begin_x = begin_y = 0.0
    is_fresh = is_begun = False
    for command, text in zip(parts[::2], parts[1::2], strict=True):
        values = _plain_numbers(text) if text else []
        if values is None or not _is_plain(command, len(values), is_begun=is_begun):
            return None
        if command in "zZ":
            code += () if is_fresh else "Z"
            is_fresh, x, y = True, begin_x, begin_y
            continue
        if command in "Mm":
            begin_x, begin_y = x, y = (x + values[0], y + values[1]) if command == "m" else values
            is_begun = is_fresh = True
            continue
        if is_fresh:
            code.append("M")
            numbers += (begin_x, begin_y)
            is_fresh = False
        step = _STEPS[command]
        if command in "lc":
            values = _from_here(values, step, x, y)
        numbers += values
        code.append(("L" if step == 2 else "C") * (len(values) // step))
        x, y = values[-2:]
    return Outline("".join(code), numbers)


def _plain_numbers(text: str) -> list[float] | None:
    """Arguments that stand apart, none of them absurd; None of others."""
    try:
        values = [*map(float, (text.replace(",", " ") if "," in text else text).split())]
    except ValueError:
        return None
    return values if not values or -MOST < min(values) <= max(values) < MOST else None


def _is_plain(command: str, count: int, *, is_begun: bool) -> bool:
    """Whether a command moves, draws lines or curves, or closes, with as many arguments as it takes."""
    if command in "zZ":
        return is_begun and not count
    if command in "Mm":
        return count == 2
    step = _STEPS.get(command)
    return step is not None and is_begun and count > 0 and not count % step


def _from_here(values: list[float], step: int, x: float, y: float) -> list[float]:
    """Coordinates of segments, each of which is relative to the end of the one before."""
    placed: list[float] = []
    for at in range(0, len(values), step):
        for place in range(at, at + step, 2):
            placed += (values[place] + x, values[place + 1] + y)
        x, y = placed[-2:]
    return placed


def _numbers(text: str, *, is_plain: bool) -> list[float]:
    """The arguments of a command. Most stand apart, and a split is faster than a pattern.

    is_plain: whether all signs of the path are of numbers, separators and commands.
    """
    if is_plain:
        try:
            return [*map(float, (text.replace(",", " ") if "," in text else text).split())]
        except ValueError:
            pass
    return [*map(float, _NUMBER.findall(text))]


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
    """Builds an outline from commands; keeps the current point, the last control point and the last command."""

    __slots__ = ("_begun", "_code", "_control", "_fresh", "_kind", "_numbers", "_start", "_x", "_y")

    def __init__(self) -> None:
        self._code: list[str] = []
        self._numbers: list[float] = []
        self._x = self._y = 0.0
        self._start = (0.0, 0.0)
        self._begun = False
        self._fresh = True
        """Whether the subpath has no segment yet."""
        self._control = (0.0, 0.0)
        self._kind = ""

    def outline(self) -> Outline:
        """What was built."""
        return Outline("".join(self._code), self._numbers)

    def take(self, command: str, numbers: list[float]) -> bool:
        """One command with all its arguments; False where it cannot be drawn."""
        name = command.upper()
        if name == "Z":
            self._close()
            return True
        if not self._begun and name != "M":
            return False
        sound = total = len(numbers)
        if numbers and not -MOST < min(numbers) <= max(numbers) < MOST:
            sound = next(place for place, value in enumerate(numbers) if not abs(value) < MOST)
        whole = sound - sound % _TAKES[name]
        if whole:
            self._draw(name, numbers if whole == total else numbers[:whole], command != name)
        return whole == total and whole > 0

    def _close(self) -> None:
        if self._begun:
            if not self._fresh:
                self._code.append("Z")
            self._fresh = True
            self._x, self._y = self._start
            self._kind = "Z"

    def _draw(self, name: str, values: list[float], relative: bool) -> None:
        if name == "M":
            self._move(values, relative)
        elif name == "L":
            self._lines(values, relative)
        elif name == "C":
            self._curves(values, relative)
        elif name in "HV":
            self._level(name, values, relative)
        else:
            count = _TAKES[name]
            for at in range(0, len(values), count):
                self._bend(name, values[at : at + count], relative)
        self._kind = name

    def _begin(self) -> None:
        """Begin the subpath with its first segment."""
        if self._fresh:
            self._code.append("M")
            self._numbers += self._start
            self._fresh = False

    def _move(self, values: list[float], relative: bool) -> None:
        x, y = (self._x + values[0], self._y + values[1]) if relative else (values[0], values[1])
        self._start = x, y
        self._x, self._y = x, y
        self._begun = self._fresh = True
        if len(values) > 2:
            self._lines(values[2:], relative)

    def _lines(self, values: list[float], relative: bool) -> None:
        self._begin()
        if relative:
            x, y = self._x, self._y
            placed: list[float] = []
            for across, down in zip(values[::2], values[1::2], strict=True):
                x, y = x + across, y + down
                placed += (x, y)
            values = placed
        self._numbers += values
        self._code.append("L" * (len(values) // 2))
        self._x, self._y = values[-2:]

    def _level(self, name: str, values: list[float], relative: bool) -> None:
        self._begin()
        for value in values:
            if name == "H":
                self._x = value + self._x if relative else value
            else:
                self._y = value + self._y if relative else value
            self._numbers += (self._x, self._y)
        self._code.append("L" * len(values))

    def _curves(self, values: list[float], relative: bool) -> None:
        self._begin()
        if relative:
            x, y = self._x, self._y
            placed: list[float] = []
            for at in range(0, len(values), 6):
                a, b, c, d, e, f = values[at : at + 6]
                placed += (a + x, b + y, c + x, d + y, e + x, f + y)
                x, y = placed[-2:]
            values = placed
        self._numbers += values
        self._code.append("C" * (len(values) // 6))
        c, d, self._x, self._y = values[-4:]
        self._control = c, d

    def _bend(self, name: str, values: list[float], relative: bool) -> None:
        """One S, Q, T or A."""
        dx, dy = (self._x, self._y) if relative else (0.0, 0.0)
        here, end = (self._x, self._y), (values[-2] + dx, values[-1] + dy)
        if name == "A":
            rx, ry, turn, large, sweep, *_ = values
            segments = arc_segments(here, rx, ry, turn, large != 0, sweep != 0, end)
        elif name == "S":
            first, self._control = self._mirrored("CS"), (values[0] + dx, values[1] + dy)
            segments = [(*first, *self._control, *end)]
        else:
            self._control = self._mirrored("QT") if name == "T" else (values[0] + dx, values[1] + dy)
            segments = [_raised(here, self._control, end)]
        if segments:
            self._begin()
        for segment in segments:
            self._numbers += segment
            self._code.append("L" if len(segment) == 2 else "C")
        self._x, self._y = end
        self._kind = name

    def _mirrored(self, kinds: str) -> tuple[float, float]:
        """The last control point mirrored at the pen, where the last command had one."""
        if self._kind and self._kind in kinds:
            return 2 * self._x - self._control[0], 2 * self._y - self._control[1]
        return self._x, self._y


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


def flatten(outline: Outline, tolerance: float) -> Iterator[list[tuple[float, float]]]:
    """Points along each subpath, curves cut so that no chord is off by more than the tolerance."""
    points: list[tuple[float, float]] = []
    numbers = iter(outline.numbers)
    for step in outline.code:
        if step == "Z":
            if points[-1] != points[0]:
                points.append(points[0])
            continue
        if step == "M" and points:
            yield points
            points = []
        if step == "C":
            curve = tuple(islice(numbers, 6))
            points.extend(_cut(points[-1], curve, tolerance))
            points.append((curve[4], curve[5]))
        else:
            points.append((next(numbers), next(numbers)))
    if points:
        yield points


def _cut(start: tuple[float, float], segment: Segment, tolerance: float) -> list[tuple[float, float]]:
    """The inner points of a curve; as many as its second differences ask for (Wang's formula)."""
    (x0, y0), (x1, y1, x2, y2, x3, y3) = start, segment
    bend = max(math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
    count = min(64, max(1, math.ceil(math.sqrt(0.75 * bend / tolerance)))) if math.isfinite(bend) else 1
    return [(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3) for a, b, c, d in _weights(count)]


@cache
def _weights(count: int) -> list[tuple[float, float, float, float]]:
    """Bernstein polynomials at the inner ends of so many equal parts of a curve; a drawing asks for few counts, and often."""
    parameters = ((step / count, 1 - step / count) for step in range(1, count))
    return [(u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t) for t, u in parameters]
