"""The cells of one page: every id once, every parent present, no circle of parents.

Glossary
  cell      everything on a page: the root, layers, vertices (shapes) and edges (connectors).
  relative  geometry that is given as a fraction of the parent's size, or along an edge.

Source: mxGraph's mxCell and mxGeometry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from spatial.models.diagram.style import NO_STYLE, Style

Point = tuple[float, float]

NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})

MAX_LENGTH_PX: Final = 1e12
"""Lengths beyond this are damage."""


@dataclass(slots=True)
class Geometry:
    """Where a cell is, relative to its parent."""

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    relative: bool = False
    offset: Point = (0.0, 0.0)
    source_point: Point | None = None
    target_point: Point | None = None
    points: Sequence[Point] = ()


NOWHERE: Final = Geometry()
"""Geometry of cells without one."""

ATTACHED: Final = Geometry(relative=True)
"""Geometry of connectors without points of their own, as most are."""


@dataclass(slots=True)
class Cell:
    """One cell."""

    id: str
    parent: str
    kind: str
    """vertex, edge, or layer."""
    value: str = ""
    style: Style = NO_STYLE
    source: str | None = None
    target: str | None = None
    geometry: Geometry = field(default_factory=lambda: NOWHERE)
    visible: bool = True
    collapsed: bool = False
    locked: bool = False
    attributes: Mapping[str, str] = field(default_factory=lambda: NO_ATTRIBUTES)
    placeholders: bool = False


@dataclass(slots=True)
class Cells:
    """A page's cells in file order."""

    root: str
    grounds: dict[str, Cell]
    """The root and the layers: they are not drawn, and may have properties of their own."""
    vertices: dict[str, Cell]
    edges: dict[str, Cell]
    warnings: list[str]
    _holders: dict[str, str] = field(default_factory=dict)
    """Of connectors, and of cells in them: what the outermost of these connectors is in; filled as it is asked for."""

    @property
    def layers(self) -> list[Cell]:
        """From the lowest."""
        return [cell for cell in self.grounds.values() if cell.id != self.root]

    def get(self, identity: str) -> Cell | None:
        """A shape or connector by its id."""
        return self.vertices.get(identity) or self.edges.get(identity)

    def holder(self, cell: Cell) -> Cell | None:
        """The shape that a cell is in, through the connectors that it is in; None of one that is on the page."""
        trail: list[str] = []
        while cell.id not in self._holders and len(trail) <= len(self.edges):
            parent = None if cell.parent in self.vertices else self.edges.get(cell.parent)
            if parent is None:
                self._holders[cell.id] = cell.parent
                break
            trail.append(cell.id)
            cell = parent
        found = self._holders.get(cell.id, "")
        self._holders.update(dict.fromkeys(trail, found))
        return self.vertices.get(found)


def parse_length(text: str) -> float | None:
    """A length in pixels; None where the text is no number, or an absurd one."""
    try:
        value = float(text)
    except ValueError:
        return None
    # NaN fails both comparisons.
    return value if -MAX_LENGTH_PX < value < MAX_LENGTH_PX else None
