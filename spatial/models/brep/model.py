"""What points and validity need of a file that was read as a boundary representation, whoever read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from OCP.TopoDS import TopoDS_Shape

from spatial.models.reading import Reading


class PlacedShape(Protocol):
    """A shell or face outside of any solid."""

    @property
    def id(self) -> str:
        """The document's id of it."""
        ...

    @property
    def shape(self) -> TopoDS_Shape:
        """Located where it stands; millimetres."""
        ...


class PlacedSolid(PlacedShape, Protocol):
    """One solid."""

    @property
    def name(self) -> str:
        """The product's name; empty where it has none."""
        ...

    @property
    def definition(self) -> str:
        """The same for all instances of one definition."""
        ...

    @property
    def closed(self) -> bool:
        """Whether its shells close."""
        ...

    @property
    def tessellated(self) -> bool:
        """Whether its faces are triangles and not surfaces."""
        ...


class Brep(Protocol):
    """One file."""

    @property
    def reading(self) -> Reading:
        """What was read."""
        ...

    @property
    def solids(self) -> Sequence[PlacedSolid]:
        """In the document's order."""
        ...

    @property
    def open_shapes(self) -> Sequence[PlacedShape]:
        """In the document's order."""
        ...

    @property
    def scale(self) -> float:
        """Document units per millimetre."""
        ...
