"""Numbers in circles, which belong to no line beside them: balloons.

Item references of parts are numbers in circles (ISO 6433), and so are the numbers of characteristics that are inspected
(AS9102), which stand at the sizes themselves: `62X Ø0.5 (1-14)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.symbols.circles import whole

LARGEST: Final = 3.0
"""Letter heights of the radius of a balloon, at most: a number in a larger circle stands in a hole of the part."""
OFF_CENTRE: Final = 0.35
"""Part of the radius by which the middle of a number may miss that of its circle."""
OVER_CIRCLE: Final = 1.05
"""Radii of the circle within which the corners of the number lie."""
MOST: Final = 64
"""Circles of one neighbourhood that are looked at: balloons do not crowd."""
_NUMBER: Final = re.compile(r"\d{1,3}(?:[-./]\d{1,3})?[A-Za-z]?")


def balloons(sheet: Sheet, texts: Sequence[Text]) -> dict[str, int]:
    """Of each text that is the number in a balloon, its id and the number of its circle among those of the sheet."""
    numbers = [text for text in texts if _NUMBER.fullmatch(text.text.strip())]
    circles = sheet.arcs.circles
    if not numbers or not len(circles):
        return {}
    boxes = np.array([text.box for text in numbers])
    middles, half = (boxes[:, :2] + boxes[:, 2:]) / 2.0, (boxes[:, 2:] - boxes[:, :2]) / 2.0
    heights = np.array([text.height for text in numbers])
    closed = every(np.isfinite(circles)) & whole(circles)
    places = np.flatnonzero(closed & (circles[:, 2] <= LARGEST * heights.max()))
    found: dict[str, int] = {}
    for of, near in CellIndex(circles[places, :2], LARGEST * float(heights.max()), places).near(middles, MOST):
        radius = circles[near, 2]
        off = np.abs(middles[of] - circles[near, :2])
        is_central = (off.max(axis=1) <= OFF_CENTRE * radius) & (radius <= LARGEST * heights[of])
        corner = np.hypot(*(off + half[of]).T)
        for number, circle in zip(
            *(each[is_central & (corner <= OVER_CIRCLE * radius)].tolist() for each in (of, near)), strict=True
        ):
            found.setdefault(numbers[number].id, circle)
    return found
