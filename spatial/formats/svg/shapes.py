"""The basic shapes of SVG (SVG 1.1 chapter 9) as outlines, in their own coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from spatial.formats.svg.frame import is_damaged, parse_length, parse_numbers, plain_number, transform_point
from spatial.formats.svg.path import SMALLEST, Outline, arc_segments, parse_path
from spatial.formats.svg.state import State

DECIMALS: Final = 3

NOTHING: Final = Outline("", [])

Measures: TypeAlias = Mapping[str, float | str]
"""Attribute to its value: a plain number as one, any other length as it is written."""

_MEASURES: Final = frozenset({"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"})

GEOMETRY: Final = _MEASURES | {"d", "points", "id"}
"""Attributes that say nothing of how an element looks, unless a rule asks for them."""

_ROUND: Final = 4 / 3 * math.tan(math.pi / 8)
"""Length of the handles of a quarter of a unit circle as a cubic Bézier."""


def measures_of(attributes: Mapping[str, str]) -> Measures | None:
    """The measures among attributes; None where one is no number, or one that no drawing has."""
    found: dict[str, float | str] = {}
    if _MEASURES.isdisjoint(attributes):
        return found
    for name, text in attributes.items():
        if name not in _MEASURES:
            continue
        number = plain_number(text)
        if number is not None:
            found[name] = number
        elif math.isnan(parse_length(text, 1.0, math.nan)) and text.strip() != "auto":
            return None
        else:
            found[name] = text
    return found


def length(measures: Measures, name: str, whole: float, default: float = 0.0) -> float:
    """A measure in pixels; a percentage is of `whole`."""
    value = measures.get(name)
    if value.__class__ is float:  # twice as fast as isinstance, and there are four a shape
        return value
    return default if value is None else parse_length(str(value), whole, default)


def outline_of(attributes: Mapping[str, str], name: str, measures: Measures, port: tuple[float, float]) -> Outline:
    """An element's outline in its own coordinates; one without steps where it draws nothing."""
    if name == "path":
        return parse_path(attributes.get("d") or "")
    width, height = port
    if name == "rect":
        return _rectangle(measures, width, height)
    if name == "line":
        ends = (("x1", width), ("y1", height), ("x2", width), ("y2", height))
        return Outline("ML", [length(measures, key, whole) for key, whole in ends])
    if name in ("polyline", "polygon"):
        values = parse_numbers(attributes.get("points") or "")
        count = len(values) // 2
        code = "M" + "L" * (count - 1) + ("Z" if name == "polygon" else "")
        return Outline(code, values[: 2 * count]) if count > 1 else NOTHING
    return _ellipse(*round_of(name, measures, port))


def has_damaged_points(attributes: Mapping[str, str]) -> bool:
    """Whether the points of a polyline have a number that no drawing has; path data are checked where they are parsed."""
    points = attributes.get("points")
    return points is not None and is_damaged(points)


def round_of(name: str, measures: Measures, port: tuple[float, float]) -> tuple[float, float, float, float]:
    """Middle and half axes of a circle or an ellipse."""
    width, height = port
    x, y = length(measures, "cx", width), length(measures, "cy", height)
    if name == "circle":
        radius = length(measures, "r", math.hypot(width, height) / math.sqrt(2))
        return x, y, radius, radius
    return x, y, length(measures, "rx", width), length(measures, "ry", height)


def _ellipse(x: float, y: float, rx: float, ry: float) -> Outline:
    if rx <= 0 or ry <= 0:
        return NOTHING
    left, right, top, bottom = x - rx, x + rx, y - ry, y + ry
    if rx < SMALLEST or ry < SMALLEST:
        return Outline("MLLZ", [right, y, left, y, right, y])
    u, v = _ROUND * rx, _ROUND * ry
    return Outline("MCCCCZ", [
        right, y, right, y + v, x + u, bottom, x, bottom, x - u, bottom, left, y + v, left, y, left, y - v, x - u, top, x, top,
        x + u, top, right, y - v, right, y,
    ])  # fmt: skip


def _rectangle(measures: Measures, whole: float, tall: float) -> Outline:
    x, y = length(measures, "x", whole), length(measures, "y", tall)
    width, height = length(measures, "width", whole), length(measures, "height", tall)
    if width <= 0 or height <= 0:
        return NOTHING
    right, bottom = x + width, y + height
    rx, ry = length(measures, "rx", whole, -1.0), length(measures, "ry", tall, -1.0)
    # One radius alone counts for both.
    rx, ry = max(ry if rx < 0 else rx, 0.0), max(rx if ry < 0 else ry, 0.0)
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if not rx or not ry:
        return Outline("MLLLZ", [x, y, right, y, right, bottom, x, bottom])
    corners = [
        ((right - rx, y), (right, y + ry)),
        ((right, bottom - ry), (right - rx, bottom)),
        ((x + rx, bottom), (x, bottom - ry)),
        ((x, y + ry), (x + rx, y)),
    ]
    code, numbers = "M", [x + rx, y]
    for start, end in corners:
        for segment in (start, *arc_segments(start, rx, ry, 0, False, True, end)):
            code += "L" if len(segment) == 2 else "C"
            numbers += segment
    return Outline(f"{code}Z", numbers)


def circle_or_ellipse(name: str, measures: Measures, state: State) -> tuple[str, dict[str, Any]]:
    """What a circle or an ellipse is under its transform: a circle only where it is still one."""
    x, y, rx, ry = round_of(name, measures, state.port)
    center = rounded_point(transform_point(state.matrix, x, y))
    a, b, c, d, *_ = state.matrix
    # The half axes are the singular values of the matrix: the sum and the difference of these two lengths.
    half = math.hypot(a * rx + d * ry, b * rx - c * ry) / 2, math.hypot(a * rx - d * ry, b * rx + c * ry) / 2
    if 2 * min(half) <= 1e-6 * sum(half):
        return "circle", {"center": center, "radius": round(sum(half), DECIMALS)}
    axes, lengths, _ = np.linalg.svd(np.array([[a * rx, c * ry], [b * rx, d * ry]]))
    ends = (axes * lengths).T.tolist()
    return "ellipse", {"center": center, "major_axis": rounded_point(ends[0]), "minor_axis": rounded_point(ends[1])}


def rounded_point(point: tuple[float, ...]) -> list[float]:
    """x and y as the document lists them, without -0."""
    return [round(point[0], DECIMALS) + 0.0, round(point[1], DECIMALS) + 0.0]
