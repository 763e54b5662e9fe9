"""Zeros and capital O that their neighbours leave open: the one that has the same shape elsewhere on the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.lines import SAME_PEN, Line
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

SIGNS: Final = ("0", "O")
ENOUGH: Final = 2
"""How many of each sign a sheet must have that its neighbours tell."""
STEADY: Final = 0.04
"""How much the width over the height of each sign differs on one sheet: more is of several fonts."""
DIFFERENT: Final = 0.06
"""By how much that of the two differs where it tells them apart."""
NEAR: Final = 0.3
"""Part of that difference by which a glyph is off the sign that it is."""
FURTHER: Final = 0.6
"""The same of one that is still less like the other sign than that sign is."""


@dataclass(frozen=True, slots=True)
class SameShapes:
    """How wide the zeros and capital O of a sheet are."""

    known: dict[str, Array]
    """(n, 2) pen and width over height of each glyph that is a sign."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> SameShapes:
        """Those of the lines whose every glyph is read."""
        return cls({sign: _shapes(lines, sign) for sign in SIGNS})

    def sign(self, line: Line, place: int) -> str:
        """The sign whose glyphs of the same pen are as wide as a glyph; empty where that does not tell."""
        return _sign(self.known, line.pen, _width(line, place))


def settle_same_shapes(lines: Sequence[Line], shapes: SameShapes) -> None:
    """Read the zeros and capital O that were left open and are as wide as those of the same pen that were read."""
    for line in lines:
        for place, each in enumerate(line.spelled):
            if each.sign == UNREAD and line.read.alike[place, CLASSES.index(SIGNS[0])] >= SURE:
                sign = shapes.sign(line, place)
                if sign:
                    line.spelled[place] = Spelled(sign, float(line.read.alike[place, CLASSES.index(sign)]))


def _shapes(lines: Sequence[Line], sign: str) -> Array:
    """(n, 2) pen and width over height of each glyph that is a sign."""
    found = [
        (line.pen, _width(line, place))
        for line in lines
        for place, each in enumerate(line.spelled)
        if each.sign == sign and line.sure == 1.0
    ]
    return np.array(found, float).reshape(-1, 2)


def _width(line: Line, place: int) -> float:
    left, low, right, high = line.read.boxes[place].tolist()
    return float((right - left) / max(high - low, 1e-9))


def _sign(known: dict[str, Array], pen: float, width: float) -> str:
    """The sign whose glyphs of a pen are as wide; empty where that does not tell."""
    usual = {}
    for sign, shapes in known.items():
        widths = shapes[np.abs(shapes[:, 0] - pen) <= SAME_PEN * abs(pen), 1]
        if len(widths) < ENOUGH:
            return ""
        usual[sign] = float(np.median(widths))
        if float(np.median(np.abs(widths - usual[sign]))) > STEADY:
            return ""
    apart = abs(usual[SIGNS[0]] - usual[SIGNS[1]])
    nearest = min(SIGNS, key=lambda sign: abs(usual[sign] - width))
    off = abs(usual[nearest] - width)
    # Narrower than zeros, or wider than O.
    is_beyond = all(abs(usual[sign] - width) >= apart for sign in SIGNS if sign != nearest)
    return nearest if apart >= DIFFERENT and off <= (FURTHER if is_beyond else NEAR) * apart else ""
