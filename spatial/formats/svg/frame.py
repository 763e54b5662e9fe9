"""Where things are in an SVG: lengths, transforms, viewBox (SVG 1.1 chapter 7, SVG 2 chapter 8). Pixels are CSS pixels, 96 to the inch."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final, TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

PIXELS: Final = {
    "": 1.0, "px": 1.0, "in": 96.0, "cm": 96.0 / 2.54, "mm": 96.0 / 25.4, "q": 96.0 / 101.6, "pt": 96.0 / 72.0, "pc": 16.0,
    "em": 16.0, "rem": 16.0, "ex": 8.0,
}  # fmt: skip
"""Pixels in a unit; em and ex by the browsers' default font size."""

UNIT_NAMES: Final = {
    "mm": "millimeter",
    "cm": "centimeter",
    "in": "inch",
    "pt": "point",
    "pc": "pica",
    "px": "pixel",
    "": "pixel",
}

MOST: Final = 1e9
"""Coordinates beyond this are damage."""

_LENGTH: Final = re.compile(r"\s*([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)\s*([a-zA-Z%]*)\s*")
_NUMBER: Final = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?")
_TRANSFORM: Final = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*+)\)")


def parse_numbers(text: str) -> list[float]:
    """All numbers of a list; what is not finite or absurd is 0."""
    return [value if abs(value) < MOST else 0.0 for value in map(float, _NUMBER.findall(text))]


def parse_length(text: str | None, whole: float, default: float = 0.0) -> float:
    """A length in pixels; a percentage is of `whole`; the default where there is none."""
    if not text:
        return default
    number = plain_number(text)
    if number is not None:
        return number
    parsed = _parsed(text)
    if parsed is None:
        return default
    value, is_percent = parsed
    return value * whole / 100.0 if is_percent else value


def plain_number(text: str) -> float | None:
    """A number without a unit, which most lengths are; None where it is something else, or absurd."""
    try:
        number = float(text)
    except ValueError:
        return None
    # Python reads digits of other scripts and underscores too.
    return number if -MOST < number < MOST and text.isascii() and "_" not in text else None


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[float, bool] | None:
    """A length in pixels, or in percent; None of what is no length, or an absurd one."""
    match = _LENGTH.fullmatch(text)
    if match is None or not abs(value := float(match.group(1))) < MOST:
        return None
    unit = match.group(2).lower()
    return (value, True) if unit == "%" else (value * PIXELS.get(unit, 1.0), False)


def is_damaged(text: str) -> bool:
    """Whether a list of numbers or path data has one that is absurd, or a word that is none."""
    return "nan" in text.lower() or any(not abs(value) < MOST for value in map(float, _NUMBER.findall(text)))


def is_extent(text: str) -> bool:
    """Whether a length may be one of a drawing's sides: a negative one is an error (SVG 1.1 §5.1.2, SVG 2 §8.2)."""
    return not is_damaged(text) and not text.strip().startswith("-")


def parse_size(text: str | None) -> tuple[float, str] | None:
    """A length as it is written: number and unit's name; None where it is none, or in percent."""
    match = _LENGTH.fullmatch(text) if text else None
    name = UNIT_NAMES.get(match.group(2).lower()) if match else None
    return (float(match.group(1)), name) if match and name else None


def compose(outer: Matrix, inner: Matrix) -> Matrix:
    """First the inner, then the outer."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, l = inner  # noqa: E741 - the sixth letter after six
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f


def transform_point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point moved."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


@lru_cache(maxsize=1024)
def parse_transform(text: str | None) -> Matrix:
    """A `transform` attribute; what it does not understand moves nothing."""
    result = IDENTITY
    for name, arguments in _TRANSFORM.findall(text) if text else ():
        step = _step(name, parse_numbers(arguments))
        if step is not None:
            result = compose(result, step)
    return result


def _step(name: str, values: list[float]) -> Matrix | None:
    if not values:
        return None
    first = values[0]
    second = values[1] if len(values) > 1 else None
    if name == "translate":
        return 1.0, 0.0, 0.0, 1.0, first, second or 0.0
    if name == "scale":
        return first, 0.0, 0.0, first if second is None else second, 0.0, 0.0
    if name == "rotate":
        return _rotation(first, *(values[1:3] if len(values) >= 3 else (0.0, 0.0)))
    if name == "matrix":
        return (values[0], values[1], values[2], values[3], values[4], values[5]) if len(values) >= 6 else None
    slope = math.tan(math.radians(first))
    return (1.0, 0.0, slope, 1.0, 0.0, 0.0) if name == "skewX" else (1.0, slope, 0.0, 1.0, 0.0, 0.0)


def _rotation(degrees: float, x: float, y: float) -> Matrix:
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y


def viewbox_matrix(box: str | None, fit: str | None, x: float, y: float, width: float, height: float) -> Matrix:
    """From the coordinates of a viewBox to those of its viewport; no viewBox only moves."""
    frame = parse_numbers(box) if box else []
    if len(frame) != 4 or frame[2] <= 0 or frame[3] <= 0 or width <= 0 or height <= 0:
        return 1.0, 0.0, 0.0, 1.0, x, y
    words = (fit or "xMidYMid meet").split()
    across, down = width / frame[2], height / frame[3]
    if words[0] != "none":
        across = down = max(across, down) if "slice" in words else min(across, down)
    left = x + (width - frame[2] * across) * _share(words[0], "x")
    top = y + (height - frame[3] * down) * _share(words[0], "Y")
    return across, 0.0, 0.0, down, left - frame[0] * across, top - frame[1] * down


def _share(word: str, axis: str) -> float:
    """Which part of the spare space comes first; none where the picture is stretched."""
    position = word.partition(axis)[2][:3]
    return {"Min": 0.0, "Mid": 0.5, "Max": 1.0}.get(position, 0.0 if word == "none" else 0.5)
