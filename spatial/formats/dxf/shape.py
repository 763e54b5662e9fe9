"""What every shape of a DXF can do in the plane."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from spatial.formats.dxf.canvas import Canvas, Pen
from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.plane import MAX_COORDINATE, Affine

Geometry: TypeAlias = dict[str, Any]
"""Members of an entity in the document."""


class Shape(Protocol):
    """The geometry of one entity, seen from above, in drawing units."""

    def moved(self, m: Affine) -> Shape:
        """The shape under an affine; a circle that is scaled unevenly becomes an ellipse."""
        ...

    def geometry(self, type: str, listed: ListedPoints) -> Geometry:
        """The members that the document lists for an entity of this type; `listed` rounds its points later."""
        ...

    def is_sane(self) -> bool:
        """Whether all coordinates are numbers below MAX_COORDINATE."""
        ...

    def draw(self, canvas: Canvas, pen: Pen) -> None:
        """Add its strokes, arcs and fills to a sheet."""
        ...


def are_sane_facts(facts: Geometry) -> bool:
    """Whether all numbers of members, and of lists in them, are below MAX_COORDINATE."""
    numbers = [
        n for fact in facts.values() for n in (fact if isinstance(fact, list) else [fact]) if isinstance(n, float)
    ]
    return all(abs(n) < MAX_COORDINATE for n in numbers)
