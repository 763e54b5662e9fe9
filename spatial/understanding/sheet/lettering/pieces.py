"""Texts and symbols in the frame of their own baseline, where lettering of any angle is the same problem.

Glossary
  piece      a text, a symbol, or several of them once they are joined; `u` runs along its baseline, `v` across, upwards.
  direction  all pieces of one direction of direction, in its frame.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from spatial.models.sheet.drawing import Box, Symbol, Text

FARTHEST: Final = 1e9
"""Sheet units: what lies further away, or is no number, is damage."""

NO_CELL: Final = -1
"""Cell of what stands in open space."""

Kind = Literal["text", "sign", "pair"]


@dataclass(slots=True, eq=False)
class Piece:
    """One thing that is read, in its frame."""

    text: str
    u0: float
    u1: float
    v: float
    """Of the baseline; of a pair, of the lower line."""
    h: float
    """Of a capital letter."""
    top: float
    boxes: list[Box]
    ids: tuple[str, ...] = ()
    kind: Kind = "text"
    repairs: tuple[str, ...] = ()
    cell: int = NO_CELL
    """The ruled box that it stands in, from 0; of the number in a balloon less than NO_CELL, another for each balloon."""
    struck: bool = False
    lines: tuple[str, ...] = ()
    """Of a pair that stays two lines: limits."""
    symbol: Symbol | None = None
    edges: tuple[float, ...] = ()
    """Along `u`: where each character of its text begins, and where the last ends."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its ink."""
        return (self.u0 + self.u1) / 2, (self.v + self.top) / 2

    def absorb(self, piece: Piece, joint: str) -> None:
        """Put a piece at the end of this one; its baseline and its height stay."""
        self.text = f"{self.text}{joint}{piece.text}"
        self.u1 = max(self.u1, piece.u1)
        self.ids += piece.ids
        self.boxes += piece.boxes
        self.repairs += tuple(m for m in piece.repairs if m not in self.repairs)
        self.struck = self.struck or piece.struck


@dataclass(slots=True)
class Direction:
    """All pieces of one direction."""

    angle: float
    pieces: list[Piece] = field(default_factory=list)
    _axis: tuple[float, float] = field(init=False, repr=False)
    """Cosine and sine of its angle."""

    def __post_init__(self) -> None:
        self._axis = cosine_sine(self.angle)

    def turned(self, x: float, y: float) -> tuple[float, float]:
        """A place of the sheet in this frame."""
        c, s = self._axis
        return x * c + y * s, y * c - x * s

    def back(self, u: float, v: float) -> tuple[float, float]:
        """A place of this frame on the sheet."""
        c, s = self._axis
        return u * c - v * s, u * s + v * c


def cosine_sine(angle: float) -> tuple[float, float]:
    """Exact at right angles."""
    quarter = round(angle / 90)
    if abs(angle - 90 * quarter) < 1e-9:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


def apart(one: float, other: float, around: float = 360.0) -> float:
    """Degrees between two directions."""
    return abs((one - other + around / 2) % around - around / 2)


def median_height(heights: Collection[float]) -> float:
    """Typical letter height; 1 where there is none."""
    return sorted(heights)[len(heights) // 2] if heights else 1.0


def legible(text: Text) -> bool:
    """Whether it can be placed at all."""
    if not text.visible or not text.text.strip():
        return False
    (x, y), (left, bottom, right, top) = text.origin, text.box
    return (
        -FARTHEST < x < FARTHEST
        and -FARTHEST < y < FARTHEST
        and -FARTHEST < text.angle < FARTHEST
        and -FARTHEST < text.height < FARTHEST
        and -FARTHEST < text.width < FARTHEST
        and -FARTHEST < left < FARTHEST
        and -FARTHEST < bottom < FARTHEST
        and -FARTHEST < right < FARTHEST
        and -FARTHEST < top < FARTHEST
    )
