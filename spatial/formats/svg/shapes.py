"""The basic shapes of SVG (SVG 1.1 chapter 9) as subpaths, and as the geometry that the document lists."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from spatial.formats.svg.frame import is_damaged, parse_length, parse_numbers, transform_point
from spatial.formats.svg.path import Subpath, arc_segments, parse_path
from spatial.formats.svg.state import State
from spatial.models.sheet.drawing import Box

DECIMALS: Final = 3

_MOVE: Final = "M%.3f %.3f"

_LINE: Final = "L%.3f %.3f"

_CURVE: Final = "C%.3f %.3f %.3f %.3f %.3f %.3f"

_ZEROS: Final = re.compile(r"\.?0+(?![\d.])")
"""At the end of a number."""

_MEASURES: Final = frozenset({"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"})


def subpaths_of(element: Any, name: str, width: float, height: float) -> Sequence[Subpath]:
    """An element's outline in its own coordinates."""

    def at(key: str, whole: float) -> float:
        return parse_length(element.get(key), whole)

    if name == "path":
        return parse_path(element.get("d") or "")
    if name == "line":
        return [Subpath((at("x1", width), at("y1", height)), [(at("x2", width), at("y2", height))])]
    if name in ("polyline", "polygon"):
        values = parse_numbers(element.get("points") or "")
        points = list(zip(values[::2], values[1::2], strict=False))
        return [Subpath(points[0], list(points[1:]), name == "polygon")] if len(points) > 1 else []
    if name == "rect":
        return _rectangle(element, width, height)
    return _ellipse(*_round(element, name, width, height))


def _round(element: Any, name: str, width: float, height: float) -> tuple[float, float, float, float]:
    """Middle and half axes of a circle or an ellipse."""
    keys = ("r", "r") if name == "circle" else ("rx", "ry")
    whole = (math.hypot(width, height) / math.sqrt(2),) * 2 if name == "circle" else (width, height)
    rx, ry = (parse_length(element.get(key), size) for key, size in zip(keys, whole, strict=True))
    return parse_length(element.get("cx"), width), parse_length(element.get("cy"), height), rx, ry


def _ellipse(x: float, y: float, rx: float, ry: float) -> list[Subpath]:
    if rx <= 0 or ry <= 0:
        return []
    right, left = (x + rx, y), (x - rx, y)
    halves = arc_segments(right, rx, ry, 0, False, True, left) + arc_segments(left, rx, ry, 0, False, True, right)
    return [Subpath(right, halves, True)]


def _rectangle(element: Any, whole: float, tall: float) -> list[Subpath]:
    x, y = parse_length(element.get("x"), whole), parse_length(element.get("y"), tall)
    width, height = parse_length(element.get("width"), whole), parse_length(element.get("height"), tall)
    if width <= 0 or height <= 0:
        return []
    rx, ry = (parse_length(element.get(key), size, -1.0) for key, size in (("rx", whole), ("ry", tall)))
    # One radius alone counts for both.
    rx, ry = max(ry if rx < 0 else rx, 0.0), max(rx if ry < 0 else ry, 0.0)
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if not rx or not ry:
        return [Subpath((x, y), [(x + width, y), (x + width, y + height), (x, y + height)], True)]
    right, bottom = x + width, y + height
    corners = [
        ((right - rx, y), (right, y + ry)),
        ((right, bottom - ry), (right - rx, bottom)),
        ((x + rx, bottom), (x, bottom - ry)),
        ((x, y + ry), (x + rx, y)),
    ]
    subpath = Subpath((x + rx, y), closed=True)
    for start, end in corners:
        subpath.segments += [start, *arc_segments(start, rx, ry, 0, False, True, end)]
    return [subpath]


def circle_or_ellipse(element: Any, name: str, state: State) -> tuple[str, dict[str, Any]] | None:
    """A circle that is still one, or an ellipse, under its transform; None for other elements."""
    if name not in ("circle", "ellipse"):
        return None
    x, y, rx, ry = _round(element, name, *state.port)
    center = rounded_point(transform_point(state.matrix, x, y))
    a, b, c, d, *_ = state.matrix
    # The half axes are the singular values of the matrix: the sum and the difference of these two lengths.
    half = math.hypot(a * rx + d * ry, b * rx - c * ry) / 2, math.hypot(a * rx - d * ry, b * rx + c * ry) / 2
    if 2 * min(half) <= 1e-6 * sum(half):
        return "circle", {"center": center, "radius": round(sum(half), DECIMALS)}
    axes, lengths, _ = np.linalg.svd(np.array([[a * rx, c * ry], [b * rx, d * ry]]))
    ends = (axes * lengths).T.tolist()
    return "ellipse", {"center": center, "major_axis": rounded_point(ends[0]), "minor_axis": rounded_point(ends[1])}


def describe(found: list[Subpath]) -> tuple[str, dict[str, Any]]:
    """A line, a polyline, or a path."""
    if len(found) == 1 and found[0].straight:
        subpath = found[0]
        if len(subpath.segments) == 1 and not subpath.closed:
            return "line", {"start": rounded_point(subpath.start), "end": rounded_point(subpath.segments[0])}
        return "polyline", {"points": rounded_points([subpath.start, *subpath.segments]), "closed": subpath.closed}
    return "path", {"d": " ".join(map(_path_data, found)), "bbox": [round(value, DECIMALS) for value in box_of(found)]}


def _path_data(subpath: Subpath) -> str:
    """Path data of a subpath."""
    form = [
        _MOVE,
        *[_CURVE if len(segment) == 6 else _LINE for segment in subpath.segments],
        "Z" if subpath.closed else "",
    ]
    # Every number has three decimals here, so the zeros before a point are followed by it.
    return _ZEROS.sub("", "".join(form) % (*subpath.start, *chain.from_iterable(subpath.segments)))


def box_of(found: Sequence[Subpath]) -> Box:
    """Around what is drawn, exactly."""
    every = [subpath.extremes() for subpath in found]
    xs, ys = [x for across, _ in every for x in across], [y for _, down in every for y in down]
    return min(xs), min(ys), max(xs), max(ys)


def rounded_point(point: tuple[float, ...]) -> list[float]:
    """x and y as the document lists them, without -0."""
    return [round(point[0], DECIMALS) + 0.0, round(point[1], DECIMALS) + 0.0]


def rounded_points(points: Sequence[tuple[float, ...]]) -> list[list[float]]:
    """Points as the document lists them."""
    return [rounded_point(point) for point in points]


def has_damaged_numbers(element: Any) -> bool:
    """Whether an element has a measure that is no number, or one that no drawing has; path data are checked where they are parsed."""
    return any(
        name in _MEASURES and (math.isnan(parse_length(value, 1.0, math.nan)) and value.strip() != "auto")
        for name, value in element.attrib.items()
    ) or is_damaged(element.get("points") or "")
