"""From a product tree to the bodies that stand in the world, each with the definition it is a placement of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape

from spatial.contract.extraction import AssemblyNode
from spatial.geometry import rounding
from spatial.models.brep.definition import Definition
from spatial.models.brep.product import Node, Product
from spatial.models.brep.topology import matrix, subshapes, unplaced

BodyKind = Literal["solid", "shell", "face", "edge", "vertex"]

_KINDS: Final[tuple[tuple[BodyKind, TopAbs_ShapeEnum, TopAbs_ShapeEnum], ...]] = (
    ("solid", TopAbs_ShapeEnum.TopAbs_SOLID, TopAbs_ShapeEnum.TopAbs_SHAPE),
    ("shell", TopAbs_ShapeEnum.TopAbs_SHELL, TopAbs_ShapeEnum.TopAbs_SOLID),
    ("face", TopAbs_ShapeEnum.TopAbs_FACE, TopAbs_ShapeEnum.TopAbs_SHELL),
    ("edge", TopAbs_ShapeEnum.TopAbs_EDGE, TopAbs_ShapeEnum.TopAbs_FACE),
    ("vertex", TopAbs_ShapeEnum.TopAbs_VERTEX, TopAbs_ShapeEnum.TopAbs_EDGE),
)
"""Each kind of body, and what it must not be part of."""


_PREFIXES: Final = {"edge": "curve", "vertex": "point"}
"""What ids begin with where that is not the kind."""


@dataclass(frozen=True)
class Instance:
    """One placement of one body."""

    id: str
    kind: BodyKind
    name: str | None
    definition: Definition
    transform: gp_Trsf
    """From the definition to the world, millimetres."""

    @property
    def shape(self) -> TopoDS_Shape:
        """Where it stands; millimetres."""
        return self.definition.shape.Moved(TopLoc_Location(self.transform), False)


@dataclass
class FlattenedAssembly:
    """Bodies in the order in which the file has them."""

    instances: list[Instance] = field(default_factory=list)
    definitions: dict[Any, Definition] = field(default_factory=dict)
    tree: list[AssemblyNode] = field(default_factory=list)

    def of_kind(self, *kinds: BodyKind) -> list[Instance]:
        """The instances of some kinds."""
        return [instance for instance in self.instances if instance.kind in kinds]


def flatten(roots: list[Node], scale: float) -> FlattenedAssembly:
    """Every body of every placement. scale: document units per millimetre, for the tree's transforms."""
    return _Flattener(scale).run(roots)


class _Flattener:
    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._found = FlattenedAssembly()
        self._counts: dict[BodyKind, int] = {}
        self._parts: dict[int, list[tuple[BodyKind, TopoDS_Shape]]] = {}
        self._products: dict[int, str] = {}

    def run(self, roots: list[Node]) -> FlattenedAssembly:
        for root in roots:
            node = self._node(root, gp_Trsf(), None)
            if node.children:
                self._found.tree.append(node)
        return self._found

    def _node(self, node: Node, above: gp_Trsf, inherited: str | None) -> AssemblyNode:
        transform = above.Multiplied(node.transform)
        product = node.product
        name = product.name or node.name or inherited
        solids = [instance.id for instance in self._bodies(product, transform, name) if instance.kind == "solid"]
        children = []
        for child in product.nodes:
            below = self._node(child, transform, name)
            if child.name is None and child.product.name is None:
                # A product of several bodies comes as one placement per body; they are the product's own.
                solids += below.solids or []
            else:
                children.append(below)
        return AssemblyNode(
            name=name or "unnamed",
            definition=self._products.setdefault(id(product), f"product-{len(self._products) + 1}"),
            transform=_rows(node.transform, self._scale),
            solids=solids or None,
            children=children or None,
            **({"instance": node.name} if node.name and node.name != name else {}),
        )

    def _bodies(self, product: Product, transform: gp_Trsf, name: str | None) -> list[Instance]:
        found = []
        for kind, part in self._parts_of(product):
            place = transform.Multiplied(part.Location().Transformation())
            definition = self._definition(part)
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            found.append(Instance(f"{_PREFIXES.get(kind, kind)}-{number}", kind, name, definition, place))
        self._found.instances += found
        return found

    def _parts_of(self, product: Product) -> list[tuple[BodyKind, TopoDS_Shape]]:
        if id(product) not in self._parts:
            shape = product.shape
            self._parts[id(product)] = [] if shape is None or shape.IsNull() else parts(shape)
        return self._parts[id(product)]

    def _definition(self, part: TopoDS_Shape) -> Definition:
        """The same for every placement of the same body, whichever way it came to be placed."""
        bare = unplaced(part)
        key = (hash(bare), bare.Orientation() == TopAbs_Orientation.TopAbs_REVERSED)
        if key not in self._found.definitions:
            self._found.definitions[key] = Definition(f"definition-{len(self._found.definitions) + 1}", bare)
        return self._found.definitions[key]


def parts(shape: TopoDS_Shape) -> list[tuple[BodyKind, TopoDS_Shape]]:
    """The bodies in a shape: solids, then shells outside of solids, faces outside of shells, and so on."""
    return [(kind, part) for kind, wanted, outside in _KINDS for part in subshapes(shape, wanted, outside)]


def _rows(transform: gp_Trsf, scale: float) -> tuple[float, ...]:
    rows = matrix(transform) * (1.0, 1.0, 1.0, scale)
    return tuple(rounding.significant(value) + 0.0 for value in rows.ravel().tolist())
