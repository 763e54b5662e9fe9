"""What ties the box of a letter to the part: the triangle of a datum sign, or a line alone. ISO 5459 §7, ASME Y14.5-2018 §6.3.1.

Glossary
  triangle   the filled or open one at the foot of a datum sign, on the feature or on what leads to it; nearly as high as wide,
             which tells it from an arrowhead.
  stem       the line from the box to the triangle, straight or with corners; on sheets of ANSI Y14.5M-1982 it ends at the
             feature, without a triangle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Final, Literal

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags, Sheet
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering.pieces import Direction, cosine_sine
from spatial.understanding.sheet.lettering.ruled import BoxRow

AT_BOX: Final = 0.15
"""Heights of a box between it and the end of its stem."""
AT_STEM: Final = 0.1
"""Heights of a box between the end of a stem and what it leads to."""
CORNERS: Final = (3, 8)
"""Corners of the fill of a triangle: some exporters repeat them or cut them off."""
LONGEST_SIDE: Final = (0.2, 1.6)
"""Of a triangle, in heights of the box."""
COMPACT: Final = 0.2
"""Area of a triangle by the square of its longest side: 0.43 of an equilateral one, 0.25 of half a square; an arrowhead has 0.16."""
STEM_PARTS: Final = 4
"""Lines of a stem with corners."""
BRANCHES: Final = 12
"""Lines at a box, or at the end of a line, that are followed."""

_RUSSIAN_ALONE: Final = frozenset("БГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯ")
_RUSSIAN: Final = str.maketrans("ABCEHKMOPTX", "АВСЕНКМОРТХ")
"""Letters that look alike: fonts and their code pages give either."""

Tie = Literal["triangle", "stem"]


class DatumSigns:
    """What stands at the boxed letters of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def _filled(self) -> Array:
        """(n, 5) boxes of the compact fills of few corners, and their longest sides."""
        few = [fill.points for fill in self._sheet.fills if CORNERS[0] <= len(fill.points) <= CORNERS[1]]
        measured = [(*corners.min(axis=0), *corners.max(axis=0), _longest_if_compact(corners)) for corners in few]
        found = np.array(measured, float).reshape(-1, 5)
        return found[found[:, 4] > 0]

    def tie(self, row: BoxRow, direction: Direction) -> Tie | None:
        """What comes to the box of a letter from outside; None where nothing does."""
        tall = row.high - row.low
        x0, y0, x1, y1 = _box(row, direction)
        slack = AT_BOX * tall
        filled = self._filled_of(tall)
        beside = (filled[:, 2] > x0 - 2 * slack) & (filled[:, 0] < x1 + 2 * slack)
        beside &= (filled[:, 3] > y0 - 2 * slack) & (filled[:, 1] < y1 + 2 * slack)
        beside &= (filled[:, :2] < (x0, y0)).any(axis=1) | (filled[:, 2:4] > (x1, y1)).any(axis=1)
        if beside.any():
            return "triangle"
        ends = self._sheet.strokes.ends.reshape(-1, 2)
        far = self._far_ends(_at_box(ends, row, direction, slack).reshape(-1, 2))
        return ("triangle" if self._leads_to_triangle(far, tall) else "stem") if len(far) else None

    def _filled_of(self, tall: float) -> Array:
        """Those as large as the triangles of signs whose boxes are so tall."""
        low, high = LONGEST_SIDE
        return self._filled[(self._filled[:, 4] >= low * tall) & (self._filled[:, 4] <= high * tall)]

    def _far_ends(self, near: Flags) -> Array:
        """(n, 2) the other ends of lines of which one end is near; near: (m, 2) of each end of each line."""
        ends = self._sheet.strokes.ends
        of_one = np.flatnonzero(near.sum(axis=1) == 1)[:BRANCHES]
        return np.where(near[of_one, :1], ends[of_one, 2:], ends[of_one, :2])

    def _leads_to_triangle(self, far: Array, tall: float) -> bool:
        """Whether lines that end at some places, or go on there, come to a triangle."""
        slack = AT_STEM * tall
        for _ in range(STEM_PARTS):
            if any(self._is_at_triangle(place, tall, slack) for place in far):
                return True
            near = (self._are_near(place, slack) for place in far)
            far = np.concatenate([far[:0], *map(self._far_ends, near)])[:BRANCHES]
        return False

    def _are_near(self, place: Array, reach: float) -> Flags:
        """(m, 2) of each end of each line whether it is near a place."""
        near: Flags = (np.abs(self._sheet.strokes.ends.reshape(-1, 2) - place).max(axis=1) <= reach).reshape(-1, 2)
        return near

    def _is_at_triangle(self, place: Array, tall: float, slack: float) -> bool:
        """Whether a filled triangle, or three lines that close one, is at a place."""
        filled = self._filled_of(tall)
        at = ((place >= filled[:, :2] - slack) & (place <= filled[:, 2:4] + slack)).all(axis=1)
        return bool(at.any()) or self._is_at_drawn(place, tall, slack)

    def _is_at_drawn(self, place: Array, tall: float, slack: float) -> bool:
        """The same of three short lines, an open triangle."""
        ends = self._sheet.strokes.ends
        low, high = LONGEST_SIDE
        near = self._are_near(place, high * tall).all(axis=1)
        near &= np.hypot(*(ends[:, 2:] - ends[:, :2]).T) >= low * tall / 2
        for three in combinations(ends[np.flatnonzero(near)[:BRANCHES]], 3):
            corners = _corners(np.concatenate(three).reshape(-1, 2), slack)
            if len(corners) == CORNERS[0] and low * tall <= _longest_if_compact(corners) <= high * tall:
                begin, end = corners.min(axis=0) - slack, corners.max(axis=0) + slack
                if bool(((place >= begin) & (place <= end)).all()):
                    return True
        return False


def only_datums(found: Sequence[Label]) -> list[Label]:
    """Labels in which a boxed letter without a triangle is a datum sign only where a frame of the sheet names it.

    Letters in boxes with lines at them are also revisions in a border, codes of an order and marks of a view.
    """
    named = {
        letter
        for label in found
        if label.role == "frame"
        for cell in label.cells[1:]
        for letter in cell.replace("-", " ").split()
    }
    return [
        replace(label, role="free", boxed=False)
        if label.role == "datum" and not label.has_triangle and label.text not in named
        else label
        for label in found
    ]


def in_one_script(found: Sequence[Label]) -> list[Label]:
    """Labels in which all datums of a sheet that names some by Russian letters have Russian ones (GOST 2.308)."""
    names = [name for label in found for name in _datum_names(label)]
    if not any(letter in _RUSSIAN_ALONE for name in names for letter in name):
        return list(found)
    return [_in_russian(label) if _datum_names(label) else label for label in found]


def _datum_names(label: Label) -> tuple[str, ...]:
    """What a datum sign or the cells behind the tolerance of a frame say."""
    return (label.text,) if label.role == "datum" else label.cells[2:] if label.role == "frame" else ()


def _in_russian(label: Label) -> Label:
    first = 2 if label.role == "frame" else 0
    parts = label.cells if label.role == "frame" else label.lines
    turned = [part.translate(_RUSSIAN) if place >= first else part for place, part in enumerate(parts)]
    cells = tuple(turned) if label.cells else ()
    return replace(label, cells=cells, lines=(" ".join(part for part in turned if part),))


def _longest_if_compact(corners: Array) -> float:
    """The longest side of an outline as compact as the triangle of a datum sign; 0 of another."""
    x, y = corners[:, 0], corners[:, 1]
    longest = float(np.hypot(x[:, None] - x, y[:, None] - y).max())
    area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
    return longest if area >= COMPACT * longest**2 else 0.0


def _box(row: BoxRow, direction: Direction) -> Box:
    corners = np.array([direction.back(u, v) for u in (row.edges[0], row.edges[-1]) for v in (row.low, row.high)])
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x0, y0, x1, y1


def _at_box(points: Array, row: BoxRow, direction: Direction, slack: float) -> Flags:
    """Of each point whether it is at a box or within it."""
    c, s = cosine_sine(direction.angle)
    u, v = points[:, 0] * c + points[:, 1] * s, points[:, 1] * c - points[:, 0] * s
    inside: Flags = (
        (u > row.edges[0] - slack) & (u < row.edges[-1] + slack) & (v > row.low - slack) & (v < row.high + slack)
    )
    return inside


def _corners(points: Array, slack: float) -> Array:
    """Places at which exactly two of six ends meet; fewer than three where they close no triangle."""
    meet = np.abs(points[:, None] - points).max(axis=2) <= slack
    if not (meet.sum(axis=1) == 2).all():
        return points[:0]
    return points[[place for place in range(len(points)) if not meet[place, :place].any()]]
