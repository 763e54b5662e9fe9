"""Collects the strokes, arcs and fills of shapes, each with the place of its entity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from spatial.formats.dxf.plane import DECIMALS, arc_points, rounded_points
from spatial.models.sheet.drawing import Arcs, Array, Fill, Strokes

Outlines: TypeAlias = list[list[list[float]]]
"""Polylines as the document lists them."""

Mark: TypeAlias = tuple[int, int, int, int]


class Canvas:
    """Collects what is drawn on one sheet."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float, float, float]] = []
        self.line_facts: list[tuple[float, int, bool, bool]] = []
        self.chunks: list[Array] = []
        self.chunk_facts: list[tuple[float, int, bool, bool]] = []
        self.circles: list[tuple[float, float, float, float, float]] = []
        self.circle_facts: list[tuple[float, int, bool]] = []
        self.fills: list[Fill] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: StrokeStyle) -> None:
        """One straight piece."""
        self.lines.append((x1, y1, x2, y2))
        self.line_facts.append((pen.width, pen.entity, pen.dashed, False))

    def path(self, points: Array, pen: StrokeStyle, *, curved: bool) -> None:
        """Pieces from point to point."""
        if len(points) > 1:
            self.chunks.append(np.hstack((points[:-1], points[1:])))
            self.chunk_facts.append((pen.width, pen.entity, pen.dashed, curved))

    def arc(self, x: float, y: float, radius: float, start: float, end: float, pen: StrokeStyle) -> None:
        """Counter-clockwise, in degrees."""
        self.circles.append((x, y, radius, start, end))
        self.circle_facts.append((pen.width, pen.entity, pen.dashed))

    def mark(self) -> Mark:
        """Numbers of lines, chunks, circles and fills so far."""
        return len(self.lines), len(self.chunks), len(self.circles), len(self.fills)

    def since(self, mark: Mark, most: int) -> tuple[Outlines, Outlines]:
        """Lines and fills since a mark, at most `most` of each."""
        lines, chunks, circles, fills = mark
        found = [
            [[round(x1, DECIMALS), round(y1, DECIMALS)], [round(x2, DECIMALS), round(y2, DECIMALS)]]
            for x1, y1, x2, y2 in self.lines[lines : lines + most]
        ]
        found += [rounded_points(np.vstack((c[:, :2], c[-1:, 2:]))) for c in self.chunks[chunks : chunks + most]]
        found += [rounded_points(arc_points(*circle)) for circle in self.circles[circles : circles + most]]
        return found[:most], [rounded_points(fill.points) for fill in self.fills[fills : fills + most]]

    def strokes(self) -> Strokes:
        """Everything straight."""
        if not self.lines and not self.chunks:
            return Strokes.none()
        ends = np.vstack([np.array(self.lines, dtype=np.float64).reshape(-1, 4), *self.chunks])
        counts = np.array([1] * len(self.lines) + [len(chunk) for chunk in self.chunks])
        width, entity, dashed, curved = zip(*self.line_facts, *self.chunk_facts, strict=True)
        return Strokes(
            ends,
            np.repeat(np.array(width, dtype=np.float64), counts),
            np.repeat(np.array(entity, dtype=np.int64), counts),
            np.repeat(np.array(dashed, dtype=bool), counts),
            np.repeat(np.array(curved, dtype=bool), counts),
        )

    def arcs(self) -> Arcs:
        """Circles and circular arcs."""
        if not self.circles:
            return Arcs.none()
        width, entity, dashed = zip(*self.circle_facts, strict=True)
        return Arcs(
            np.array(self.circles, dtype=np.float64),
            np.array(width, dtype=np.float64),
            np.array(entity, dtype=np.int64),
            np.array(dashed, dtype=bool),
        )


@dataclass(slots=True)
class StrokeStyle:
    """How a shape is drawn, and of which entity it is."""

    width: float = 0.0
    dashed: bool = False
    entity: int = -1
