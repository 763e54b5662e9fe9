"""The outlines of all shapes of a drawing at once: moved into pixels, measured, and as the document lists them.

A shape costs microseconds this way: Python only appends its coordinates, and numpy computes over all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from spatial.formats.svg.frame import Matrix
from spatial.formats.svg.path import Outline
from spatial.formats.svg.shapes import DECIMALS
from spatial.geometry.rounding import to_decimals
from spatial.models.sheet.drawing import Array, Indices

PLAIN: Final = 1e9
"""Below this, a number with three decimals has at most twelve digits."""

_ZEROS: Final = re.compile(r"\.?0+(?![\d.])")
"""At the end of a number with decimals."""

_POINTS: Final = {"M": b"\0", "L": b"\0", "C": b"\1\2\0", "Z": b""}
"""What the points of a step are: 1 and 2 the handles of a curve, 0 places on the outline."""


class Outlines:
    """Outlines in drawing order."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self._numbers: list[float] = []
        self._matrices: list[Matrix] = []

    def __len__(self) -> int:
        return len(self.codes)

    def add(self, outline: Outline, matrix: Matrix) -> None:
        """Add an outline in its own coordinates, with the transform into pixels."""
        self.codes.append(outline.code)
        self._numbers += outline.numbers
        self._matrices.append(matrix)

    @cached_property
    def points(self) -> Array:
        """(n, 2) all points in pixels. To be asked for when the last outline was added."""
        own = np.array(self._numbers, np.float64).reshape(-1, 2)
        a, b, c, d, e, f = np.repeat(np.array(self._matrices, np.float64).reshape(-1, 6), self._counts, axis=0).T
        x, y = own.T
        with np.errstate(all="ignore"):
            return np.column_stack([a * x + c * y + e, b * x + d * y + f])

    @cached_property
    def ends(self) -> list[int]:
        """Where the points of each outline end."""
        ends: list[int] = np.cumsum(self._counts).tolist()
        return ends

    @cached_property
    def _counts(self) -> Indices:
        return np.array([len(_roles(code)) for code in self.codes], np.int64)

    @cached_property
    def boxes(self) -> Array:
        """(shapes, 4) around each outline, exactly: left, top, right, bottom."""
        if not self.codes:
            return np.zeros((0, 4))
        roles = np.frombuffer(b"".join(map(_roles, self.codes)), np.uint8)
        curves = np.flatnonzero(roles == 1)
        reached = self.points.copy()
        if len(curves):
            # A curve reaches its ends, and where it turns back between them; the places of its handles take the latter.
            turns = _turning_points(*(self.points[curves + step] for step in (-1, 0, 1, 2)))
            reached[curves], reached[curves + 1] = turns
        starts = np.cumsum(self._counts) - self._counts
        return np.hstack([np.minimum.reduceat(reached, starts), np.maximum.reduceat(reached, starts)])

    def geometries(self, given: Iterable[bool]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Type and geometry of each shape for the document: a line, a polyline, or a path; nothing of one whose geometry is given."""
        exact = to_decimals(self.points, DECIMALS)
        is_plain = bool((np.abs(exact) < PLAIN).all())
        points: list[list[float]] = (exact + 0.0).tolist()
        numbers: list[float] = exact.ravel().tolist()
        boxes: list[list[float]] = to_decimals(self.boxes, DECIMALS).tolist()
        start = 0
        for code, end, box, is_given in zip(self.codes, self.ends, boxes, given, strict=True):
            kind = "" if is_given else _kind(code)
            if not kind:
                yield kind, {}
            elif kind == "line":
                yield kind, {"start": points[start], "end": points[start + 1]}
            elif kind == "polyline":
                yield kind, {"points": points[start:end], "closed": code[-1] == "Z"}
            else:
                values = tuple(numbers[2 * start : 2 * end])
                yield kind, {"d": _path_data(code, values, is_plain=is_plain), "bbox": box}
            start = end

    def outlines(self) -> Iterator[Outline]:
        """Each outline, in pixels."""
        numbers = self.points.ravel().tolist()
        start = 0
        for code, end in zip(self.codes, self.ends, strict=True):
            yield Outline(code, numbers[2 * start : 2 * end])
            start = end


@lru_cache(maxsize=256)
def _roles(code: str) -> bytes:
    return b"".join([_POINTS[step] for step in code])


@lru_cache(maxsize=256)
def _kind(code: str) -> str:
    if code == "ML":
        return "line"
    return "path" if "C" in code or code.count("M") > 1 else "polyline"


def _path_data(code: str, values: tuple[float, ...], *, is_plain: bool) -> str:
    """Path data of an outline whose numbers are rounded."""
    if is_plain:
        return _form(code, "%.12g") % values
    # Every number has three decimals here, so the zeros before a point are followed by it.
    return _ZEROS.sub("", _form(code, "%.3f") % values)


@lru_cache(maxsize=256)
def _form(code: str, number: str) -> str:
    pair = f"{number} {number}"
    steps = {"M": f" M{pair}", "L": f"L{pair}", "C": f"C{pair} {pair} {pair}", "Z": "Z"}
    return "".join([steps[step] for step in code])[1:]


def _turning_points(p0: Array, p1: Array, p2: Array, p3: Array) -> tuple[Array, Array]:
    """Where cubic Béziers turn back: for x and y two places within each, or its end where there is none.

    Args: (n, 2) each: start, handles, end.
    """
    a, b, c = p3 - 3 * p2 + 3 * p1 - p0, 2 * (p2 - 2 * p1 + p0), p1 - p0
    with np.errstate(all="ignore"):
        straight = np.abs(a) < 1e-12 * np.maximum(np.maximum(np.abs(b), np.abs(c)), 1e-12)
        root = np.sqrt(b * b - 4 * a * c)
        first = np.where(straight, np.where(b != 0, -c / b, np.nan), (-b + root) / (2 * a))
        second = np.where(straight, np.nan, (-b - root) / (2 * a))
        # A curve lies within its control points: where those are between its ends it turns nowhere.
        rises = (p0 <= p1) & (p1 <= p3) & (p3 >= p2) & (p2 >= p0)
        falls = (p0 >= p1) & (p1 >= p3) & (p3 <= p2) & (p2 <= p0)
        found = []
        for t in (first, second):
            u = 1 - t
            place = u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3
            found.append(np.where((t > 0) & (t < 1) & ~rises & ~falls, place, p3))
    return found[0], found[1]
