"""What every shape of a DXF can do in the plane."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from spatial.formats.dxf.canvas import Canvas, StrokeStyle
from spatial.formats.dxf.plane import Affine
from spatial.models.sheet.drawing import Array

Geometry: TypeAlias = dict[str, Any]
"""Members of an entity in the document."""


class Shape(Protocol):
    """The geometry of one entity, seen from above, in drawing units."""

    def moved(self, m: Affine) -> Shape:
        """The shape under an affine; a circle that is scaled unevenly becomes an ellipse."""
        ...

    def geometry(self, type: str) -> Geometry:
        """The members that the document lists for an entity of this type."""
        ...

    def draw(self, canvas: Canvas, pen: StrokeStyle) -> None:
        """Add its strokes, arcs and fills to a sheet."""
        ...

    def flattened(self) -> Array:
        """(n, 2) points along it, curves cut into chords."""
        ...
