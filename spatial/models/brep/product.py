"""The product tree of a file: which product is placed where, and what each is made of.

Glossary
  product  a part or an assembly, described once.
  node     one placement of a product in its parent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from OCP.gp import gp_Trsf
from OCP.TopoDS import TopoDS_Shape


@dataclass(frozen=True)
class StatedMeasures:
    """What the writing program computed, in millimetres and their powers; None where the file does not say."""

    volume: float | None = None
    area: float | None = None
    center: tuple[float, float, float] | None = None
    """Centre of mass, in the product's own coordinates."""
    of_one_solid: bool = False
    """Whether they are stated of a solid and not of the product; of a product of several solids they say nothing then."""


@dataclass(frozen=True)
class PartFacts:
    """What a file says of a product beside its shape."""

    number: str | None = None
    description: str | None = None
    material: str | None = None
    density: float | None = None
    """Kilograms per cubic metre."""
    stated: StatedMeasures = StatedMeasures()


@dataclass(frozen=True)
class Appearance:
    """How a product or a placement is shown."""

    color: str | None = None
    """#rrggbb, sRGB."""
    layers: tuple[str, ...] = ()
    hidden: bool = False
    faces: tuple[tuple[TopoDS_Shape, str], ...] = ()
    """Faces with a colour of their own."""


@dataclass
class Product:
    """A part or an assembly."""

    name: str | None
    shape: TopoDS_Shape | None = None
    """Of a part; where it was modelled, millimetres."""
    nodes: list[Node] = field(default_factory=list)
    """Of an assembly."""
    facts: PartFacts = PartFacts()
    appearance: Appearance = Appearance()


@dataclass
class Node:
    """One placement of a product in its parent."""

    name: str | None
    """The placement's own name, where the file gives it one."""
    product: Product
    transform: gp_Trsf
    """From the product to its parent; millimetres."""
    appearance: Appearance = Appearance()
    """Where the placement is shown otherwise than its product."""
