"""Absolute boxes of shapes: the offsets of all containers applied, relative children placed, rotation as drawn.

The box of a rotated shape is the upright box around what is drawn. Containers do not turn their children: draw.io turns
each child itself when a group is turned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, TypeAlias

from spatial.models.diagram.cells import Cell, Cells, Point

Box: TypeAlias = tuple[float, float, float, float]
"""x, y of the upper left corner, width, height."""

DECIMALS: Final = 3
"""A thousandth of a pixel."""


def absolute(cells: Cells) -> dict[str, Box]:
    """The box of every vertex that is no label of an edge, before it is turned."""
    found: dict[str, Box] = {}
    for start in cells.vertices.values():
        if start.parent in cells.grounds:
            found[start.id] = _placed(start, None)
            continue
        waiting: list[Cell] = []
        cell: Cell | None = start
        while cell is not None and cell.id not in found:
            waiting.append(cell)
            cell = cells.vertices.get(cell.parent)
        for each in reversed(waiting):
            found[each.id] = _placed(each, found.get(each.parent))
    return found


def _placed(cell: Cell, parent: Box | None) -> Box:
    own = cell.geometry
    x, y = own.x, own.y
    if parent is not None:
        left, top, width, height = parent
        if own.relative:
            # Of a shape with geometry of its own the offset moves only the label.
            x, y = x * width + own.offset[0], y * height + own.offset[1]
        x, y = left + x, top + y
    return x, y, max(own.width, 0.0), max(own.height, 0.0)


def drawn(box: Box, cell: Cell, cells: Cells, placed: Mapping[str, Box]) -> Box:
    """The upright box around a shape as it is turned, and moved round its container where it is a port of a turned one."""
    if cell.geometry.relative and (parent := cells.vertices.get(cell.parent)) is not None:
        box = _carried(box, placed[parent.id], parent.style.rotation)
    turn = cell.style.rotation
    if not turn:
        return box
    x, y, width, height = box
    cosine, sine = abs(math.cos(math.radians(turn))), abs(math.sin(math.radians(turn)))
    wide, tall = width * cosine + height * sine, width * sine + height * cosine
    return x + (width - wide) / 2, y + (height - tall) / 2, wide, tall


def _carried(box: Box, parent: Box, turn: float) -> Box:
    """A box whose middle goes round the middle of another."""
    if not turn:
        return box
    x, y, width, height = box
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    cx, cy = parent[0] + parent[2] / 2, parent[1] + parent[3] / 2
    dx, dy = x + width / 2 - cx, y + height / 2 - cy
    return cx + cosine * dx - sine * dy - width / 2, cy + sine * dx + cosine * dy - height / 2, width, height


def reported(length: float) -> float:
    """A length as the document reports it: to DECIMALS, and no negative zero."""
    # Most lengths are whole; rounding those costs as much as everything else about a shape.
    return (length if length.is_integer() else round(length, DECIMALS)) + 0.0


def origin(cell: Cell, cells: Cells, placed: Mapping[str, Box]) -> Point:
    """What a cell's own coordinates count from; the points of a connector that is in another count from that one's parent."""
    holder = cells.holder(cell)
    return placed[holder.id][:2] if holder is not None else (0.0, 0.0)
