"""The product tree of a file: which product is placed where, and what each is made of.

Glossary
  product  a part or an assembly, described once.
  node     one placement of a product in its parent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from OCP.gp import gp_Trsf
from OCP.TopoDS import TopoDS_Shape


@dataclass
class Product:
    """A part or an assembly."""

    name: str | None
    shape: TopoDS_Shape | None = None
    """Of a part; where it was modelled, millimetres."""
    nodes: list[Node] = field(default_factory=list)
    """Of an assembly."""


@dataclass
class Node:
    """One placement of a product in its parent."""

    name: str | None
    """The placement's own name, where the file gives it one."""
    product: Product
    transform: gp_Trsf
    """From the product to its parent; millimetres."""
