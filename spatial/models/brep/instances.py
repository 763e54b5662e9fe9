"""From a product tree to the bodies that stand in the world, each with the definition it is a placement of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    part: str | None = None
    """Id of the product that it is a body of."""
    instance: str | None = None
    """Id of the placement in the product tree that it stands in; None outside of a tree."""
    color: str | None = None
    """#rrggbb, sRGB."""
    face_colors: tuple[tuple[TopoDS_Shape, str], ...] = ()
    """Faces of its product that have a colour of their own."""

    @property
    def shape(self) -> TopoDS_Shape:
        """Where it stands; millimetres."""
        return self.definition.shape.Moved(TopLoc_Location(self.transform), False)


@dataclass
class PlacedProduct:
    """A product, by the id that documents give it."""

    id: str
    name: str
    product: Product
    transform: gp_Trsf
    """Of its first placement, to the world; millimetres."""
    count: int = 0
    """How often it is placed."""
    bodies: list[str] = field(default_factory=list)
    """Ids of all bodies in its first placement, those of products in it too."""


@dataclass
class FlattenedAssembly:
    """Bodies in the order in which the file has them."""

    instances: list[Instance] = field(default_factory=list)
    definitions: dict[Any, Definition] = field(default_factory=dict)
    tree: list[AssemblyNode] = field(default_factory=list)
    products: dict[int, PlacedProduct] = field(default_factory=dict)
    """By the identity of the product, in the order in which they are first placed."""

    def of_kind(self, *kinds: BodyKind) -> list[Instance]:
        """The instances of some kinds."""
        return [instance for instance in self.instances if instance.kind in kinds]


def flatten(roots: list[Node], scale: float) -> FlattenedAssembly:
    """Every body of every placement. scale: document units per millimetre, for the tree's transforms."""
    return _Flattener(scale).run(roots)


@dataclass(frozen=True)
class _Place:
    """What a placement hands down to the bodies in it."""

    transform: gp_Trsf
    name: str | None = None
    part: str | None = None
    instance: str | None = None
    color: str | None = None

    def inside(self, node: Node) -> _Place:
        """Of the bodies of a product that is placed here; a colour of the placement hides that of the product."""
        return replace(
            self,
            transform=self.transform.Multiplied(node.transform),
            name=node.product.name or node.name or self.name,
            color=node.appearance.color or node.product.appearance.color or self.color,
        )


def _is_body(node: Node) -> bool:
    """Whether a placement is a body of the product above it: then neither it nor its product has a name."""
    return node.name is None and node.product.name is None


class _Flattener:
    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._found = FlattenedAssembly()
        self._counts: dict[BodyKind, int] = {}
        self._parts: dict[int, list[tuple[BodyKind, TopoDS_Shape]]] = {}
        self._placed = 0

    def run(self, roots: list[Node]) -> FlattenedAssembly:
        for root in roots:
            if root.product.nodes and not all(map(_is_body, root.product.nodes)):
                self._found.tree.append(self._node(root, _Place(gp_Trsf())))
            else:
                self._add(root, _Place(gp_Trsf()))
        return self._found

    def _node(self, node: Node, above: _Place) -> AssemblyNode:
        """A placement that the tree lists."""
        self._placed += 1
        name = f"instance-{self._placed}"
        place, solids, children = self._add(node, replace(above, instance=name))
        return AssemblyNode(
            name=place.name or "unnamed",
            id=name,
            definition=place.part,
            transform=_rows(node.transform, self._scale),
            matrix=(*_rows(node.transform, self._scale), 0.0, 0.0, 0.0, 1.0),
            mirrored=node.transform.IsNegative() or None,
            hidden=(node.appearance.hidden or node.product.appearance.hidden) or None,
            solids=solids or None,
            children=children or None,
            **({"instance": node.name} if node.name and node.name != place.name else {}),
        )

    def _add(self, node: Node, above: _Place) -> tuple[_Place, list[str], list[AssemblyNode]]:
        """A placement's bodies, with where they are, the ids of its solids, and the placements in it."""
        product = node.product
        place = above.inside(node)
        place = replace(place, part=place.part or self._part_of(product, place))
        begin = len(self._found.instances)
        solids = [body.id for body in self._bodies(product, place) if body.kind == "solid"]
        children = []
        for child in product.nodes:
            if _is_body(child):
                # A product of several bodies comes as one placement per body; they are the product's own.
                solids += self._add(child, place)[1]
            else:
                children.append(self._node(child, replace(place, part=None)))
        placed = self._found.products.get(id(product))
        if placed is not None and not placed.bodies:
            placed.bodies = [body.id for body in self._found.instances[begin:]]
        return place, solids, children

    def _part_of(self, product: Product, place: _Place) -> str:
        """The id of a product, which is numbered when it is first placed."""
        known = self._found.products.get(id(product))
        if known is None:
            number = len(self._found.products) + 1
            known = PlacedProduct(f"product-{number}", place.name or "unnamed", product, place.transform)
            self._found.products[id(product)] = known
        known.count += 1
        return known.id

    def _bodies(self, product: Product, place: _Place) -> list[Instance]:
        found = []
        for kind, part in self._parts_of(product):
            transform = place.transform.Multiplied(part.Location().Transformation())
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            found.append(
                Instance(
                    f"{_PREFIXES.get(kind, kind)}-{number}",
                    kind,
                    place.name,
                    self._definition(part),
                    transform,
                    part=place.part,
                    instance=place.instance,
                    color=place.color,
                    face_colors=product.appearance.faces,
                )
            )
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
