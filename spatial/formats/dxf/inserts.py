"""Block references (INSERT): how a block comes to the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from spatial.formats.dxf.curves import plane_of
from spatial.formats.dxf.lettering import Lettering
from spatial.formats.dxf.look import Look, Shown
from spatial.formats.dxf.plane import IDENTITY, Affine, compose
from spatial.formats.dxf.spaces import Block
from spatial.formats.dxf.tags import Record


@dataclass(slots=True)
class Placement:
    """How what a block holds comes to the sheet."""

    m: Affine = IDENTITY
    """From the frame of the block to the sheet."""
    layer: str = "0"
    """Layer that layer 0 means."""
    color: str | None = None
    """`#rrggbb` that BYBLOCK means."""
    insert: str | None = None
    """Id of the outermost block reference."""
    depth: int = 0
    hidden: bool = False
    entity: int | None = None
    """Place of the one entity that owns all strokes, of a dimension (-1) or a table; None: each shape is an entity."""
    chain: tuple[str, ...] = ()
    """Names of the enclosing blocks, outermost first."""
    captured: list[Lettering] | None = None
    """Collects lettering instead of the sheet."""
    shown: dict[Look, Shown] | None = field(default=None, init=False)
    """How looks are shown that stand so, as far as they have been met."""

    def within(self, layer: str, color: str | None, insert: str | None, *, hidden: bool) -> Placement:
        """Of what belongs to a block reference that stands here."""
        depth = self.depth + 1
        return Placement(self.m, layer, color, insert, depth, hidden, self.entity, self.chain, self.captured)

    def of_block(self, name: str, m: Affine) -> Placement:
        """Of what a block holds."""
        chain = (*self.chain, name)
        return Placement(
            m, self.layer, self.color, self.insert, self.depth, self.hidden, self.entity, chain, self.captured
        )


MAX_REFERENCE: Final = 1e12
"""A block reference that magnifies more, or is further away, is damage."""


def insert_affine(record: Record, block: Block | None) -> Affine | None:
    """From the block's frame to the frame of the INSERT; None where its numbers are damaged."""
    angle = math.radians(record.number(50)) if math.isfinite(record.number(50)) else 0.0
    cos, sin = math.cos(angle), math.sin(angle)
    sx, sy = record.number(41, 1.0), record.number(42, 1.0)
    base = block.base if block else (0.0, 0.0)
    turn = (cos, sin, -sin, cos, record.number(10), record.number(20))
    m = compose(compose(turn, (sx, 0.0, 0.0, sy, 0.0, 0.0)), (1.0, 0.0, 0.0, 1.0, -base[0], -base[1]))
    m = compose(plane_of(record), m)
    return m if all(abs(n) < MAX_REFERENCE for n in m) else None


def array_offsets(record: Record, most: int) -> tuple[Iterator[Affine], bool]:
    """The offset of each copy of a rectangular array, row by row, and whether copies beyond `most` were cut off."""
    columns, rows = max(record.whole(70, 1), 1), max(record.whole(71, 1), 1)
    if columns * rows == 1:
        return iter((IDENTITY,)), False
    is_cut = columns * rows > most
    if is_cut:
        columns = min(columns, most)
        rows = min(rows, max(1, most // columns))
    # Offsets lie along the rotated axes but are not scaled.
    x, y = record.number(44), record.number(45)
    sx, sy = record.number(41, 1.0) or 1.0, record.number(42, 1.0) or 1.0
    copies = product(range(rows), range(columns))
    return ((1.0, 0.0, 0.0, 1.0, column * x / sx, row * y / sy) for row, column in copies), is_cut
