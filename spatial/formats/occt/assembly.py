"""From an XCAF document, in which the kernel's translators leave what they read, to the product tree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from OCP.gp import gp_Trsf
from OCP.TCollection import TCollection_AsciiString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_LabelSequence, TDF_Tool
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS_Iterator, TopoDS_Shape
from OCP.XCAFDoc import XCAFDoc_DocumentTool, XCAFDoc_LayerTool, XCAFDoc_ShapeTool

from spatial.contract.formats import NAMES
from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.formats.occt.appearance import appearance
from spatial.models.brep.product import Node, Product
from spatial.models.brep.topology import unplaced

PLACEMENTS: Final = 20_000
"""Most placements of parts and assemblies that one document may unfold into."""

DEPTH: Final = 256
"""Deepest nesting of assemblies: recursion stays far from the interpreter's limit of 1,000 calls."""


def roots(document: TDocStd_Document) -> list[Node]:
    """The placements that nothing else places."""
    labels = TDF_LabelSequence()
    XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetFreeShapes(labels)
    tree = _Tree(XCAFDoc_DocumentTool.LayerTool_s(document.Main()))
    return [_node(labels.Value(i), tree, 0) for i in range(1, labels.Length() + 1)]


@dataclass
class _Tree:
    layers: XCAFDoc_LayerTool
    known: dict[str, Product] = field(default_factory=dict)


def _node(label: TDF_Label, tree: _Tree, depth: int) -> Node:
    if depth > DEPTH:
        raise ParseError(
            f"assemblies are nested deeper than {DEPTH} levels; send the sub-assemblies as files of their own",
            details={"phase": "assembly", "limit": DEPTH},
        )
    if not XCAFDoc_ShapeTool.IsReference_s(label):
        return Node(None, _product(label, tree, depth), gp_Trsf())
    referred = TDF_Label()
    XCAFDoc_ShapeTool.GetReferredShape_s(label, referred)
    location = XCAFDoc_ShapeTool.GetLocation_s(label)
    product = _product(referred, tree, depth)
    return Node(_name(label), product, location.Transformation(), appearance(label, tree.layers))


def _product(label: TDF_Label, tree: _Tree, depth: int) -> Product:
    entry = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, entry)
    key = entry.ToCString()
    known = tree.known
    if key not in known:
        known[key] = product = Product(_name(label), appearance=appearance(label, tree.layers))
        if XCAFDoc_ShapeTool.IsAssembly_s(label):
            components = TDF_LabelSequence()
            XCAFDoc_ShapeTool.GetComponents_s(label, components)
            product.nodes = [_node(components.Value(i), tree, depth + 1) for i in range(1, components.Length() + 1)]
        else:
            product.shape = XCAFDoc_ShapeTool.GetShape_s(label)
    return known[key]


def _name(label: TDF_Label) -> str | None:
    """The label's name, unless the kernel made it up: `SOLID`, `COMPOUND`, `=>[0:1:1:2]`."""
    # FindAttribute of OCP 7.9 ends the process where there is no attribute of the kind.
    if not label.IsAttribute(TDataStd_Name.GetID_s()):
        return None
    attribute = TDataStd_Name()
    label.FindAttribute(TDataStd_Name.GetID_s(), attribute)
    name = str(attribute.Get().ToExtString()).strip()
    return None if not name or name in _MADE_UP or name.startswith("=>[") else name


_MADE_UP: Final = frozenset(kind.removeprefix("TopAbs_") for kind in TopAbs_ShapeEnum.__members__)


def are_named(without: Collection[str], warnings: list[str]) -> bool:
    """Whether names are to be read; a warning where not."""
    if NAMES not in without:
        return True
    warnings.append("names are missing: the parser died while reading the file with them, so it was read without")
    return False


def require_bounded(found: list[Node], file_name: str) -> None:
    """Refuse a tree that unfolds into too much, before it is unfolded.

    Raises: ParseError for more than PLACEMENTS.
    """
    counted: dict[int, int] = {}
    total = sum(_placements(node.product, counted) for node in found)
    if total > PLACEMENTS:
        raise too_many(total, file_name)


def too_many(placements: int, file_name: str) -> ParseError:
    """The refusal of an assembly that unfolds into too much."""
    return ParseError(
        f"{file_name}: the assembly unfolds into {count_of(placements, 'placement')}, and at most {PLACEMENTS:,} are read; "
        "send its sub-assemblies as files of their own",
        details={"phase": "assembly", "placements": placements, "limit": PLACEMENTS},
    )


def _placements(product: Product, counted: dict[int, int]) -> int:
    if id(product) not in counted:
        counted[id(product)] = 0  # of an assembly that holds itself, which the kernel should have refused
        inner = _bodies(product.shape, {}) if product.shape is not None else 0
        counted[id(product)] = 1 + inner + sum(_placements(node.product, counted) for node in product.nodes)
    return counted[id(product)]


def _bodies(shape: TopoDS_Shape, counted: dict[int, int], depth: int = 0) -> int:
    """How many shapes a compound unfolds into; compounds can hold each other many times as assemblies can."""
    if shape.IsNull() or shape.ShapeType() not in _COMPOUNDS or depth > DEPTH:
        return 1
    key = hash(unplaced(shape))
    if key not in counted:
        counted[key] = sum(_bodies(part, counted, depth + 1) for part in _parts(shape))
    return counted[key]


def _parts(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    found: list[Any] = []
    iterator = TopoDS_Iterator(shape)
    while iterator.More():
        found.append(iterator.Value())
        iterator.Next()
    return found


_COMPOUNDS: Final = (TopAbs_ShapeEnum.TopAbs_COMPOUND, TopAbs_ShapeEnum.TopAbs_COMPSOLID)
