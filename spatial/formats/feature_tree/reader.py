"""A feature tree as JSON (spec: FeatureTreeImport) to a model: one solid per body, named by the id of its first feature.

The units of a tree are those of the first feature with `units`; a tree without one is read as millimetres, and says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_ShapeEnum
from pydantic import ValidationError

from spatial.contract.feature_tree import FeatureNode, FeatureTreeImport
from spatial.counting import listed
from spatial.errors import ParseError
from spatial.formats.feature_tree.bodies import Bodies, Body
from spatial.formats.occt.units import MILLIMETER, NAMES
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import BrepModel, measure
from spatial.models.brep.product import Node, Product
from spatial.models.brep.topology import subshapes
from spatial.models.reading import Units

SOURCE_FORMAT: Final = "feature_tree"

MOST_FEATURES: Final = 5_000
"""Maximum number of features of a tree."""

NAMED: Final = 10
"""Features that a warning names."""

ALIASES: Final = {"mm": "millimeter", "cm": "centimeter", "m": "meter", "in": "inch", "ft": "foot"}


def read(data: bytes, file_name: str, without: Collection[str] = ()) -> BrepModel:
    """Build every feature. Raises: ParseError if the content is no feature tree."""
    del without
    try:
        tree = FeatureTreeImport.model_validate_json(data)
    except ValidationError as error:
        raise ParseError(
            f"{file_name}: the content is no feature tree: {error.errors()[0]['msg']}; correct it"
        ) from error
    if len(tree.feature_tree) > MOST_FEATURES:
        raise ParseError(f"{file_name}: the tree has more than {MOST_FEATURES} features; split it into parts")
    warnings: list[str] = [] if tree.feature_tree else ["the tree has no features, so that the scene is empty"]
    warnings += _loose_parents(tree.feature_tree)
    units = _units(tree.feature_tree, warnings)
    bodies = Bodies()
    for feature in tree.feature_tree:
        bodies.add(feature.id, feature.feature_type.lower(), feature.model_extra or {})
    warnings += [f"{body.id} has no solid: {body.reason}" for body in bodies.finished if body.reason is not None]
    nodes = _nodes(bodies)
    # The kernel has no unit: the tree's numbers stay as they are, and the document names their unit.
    return _with_features(measure(flatten(nodes, 1.0), units, 1.0, SOURCE_FORMAT, warnings), nodes, bodies)


def _nodes(bodies: Bodies) -> list[Node]:
    products = {body.id: Product(body.id, body.shape) for body in bodies.finished if body.shape is not None}
    nodes = [Node(name, product, gp_Trsf()) for name, product in products.items()]
    return nodes + [
        Node(placed.id, _product(products, placed.body), placed.transform)
        for placed in bodies.placements
        if placed.body.shape is not None
    ]


def _with_features(model: BrepModel, nodes: list[Node], bodies: Bodies) -> BrepModel:
    """The model with the ids of features for its solids: "plate", and "plate/2" for a second solid of the same body.

    Instances name the body that they repeat.
    """
    ids: list[str] = []
    for node in nodes:
        shape = node.product.shape
        assert shape is not None  # _nodes leaves out bodies without one
        count = len(list(subshapes(shape, TopAbs_ShapeEnum.TopAbs_SOLID)))
        ids += [node.name or "", *(f"{node.name}/{place}" for place in range(2, count + 1))][:count]
    structure = model.reading.structure
    placed = {
        each.id: {"instance_of": each.body.id, "transform": _matrix(each.transform)} for each in bodies.placements
    }
    solids = [
        solid.model_copy(update={"id": name, **placed.get(name, {})})
        for solid, name in zip(structure.solids or (), ids, strict=True)
    ]
    reading = model.reading.model_copy(update={"structure": structure.model_copy(update={"solids": solids})})
    measured = [replace(solid, id=name) for solid, name in zip(model.solids, ids, strict=True)]
    return replace(model, reading=reading, solids=measured)


def _matrix(transform: gp_Trsf) -> tuple[float, ...]:
    """3 x 4, row by row."""
    return tuple(transform.Value(row, column) + 0.0 for row in (1, 2, 3) for column in (1, 2, 3, 4))


def _loose_parents(features: list[FeatureNode]) -> list[str]:
    """Warnings about parents that are no features of the tree, and about features that are their own ancestors."""
    parents = {
        feature.id: parent
        for feature in features
        if isinstance(parent := (feature.model_extra or {}).get("parent"), str)
    }
    known = {feature.id for feature in features}
    unknown = [name for name, parent in parents.items() if parent not in known]
    return [
        *_named("the parent of {} is no feature of the tree, so it counts for nothing", unknown),
        *_named("the parents of {} form a circle, so they count for nothing", _circular(parents)),
    ]


def _named(sentence: str, names: list[str]) -> list[str]:
    return [sentence.format(listed(names, NAMED))] if names else []


def _circular(parents: Mapping[str, str]) -> list[str]:
    """Names that are their own ancestors."""
    seen_in: dict[str, str] = {}
    found: list[str] = []
    for start in parents:
        path: list[str] = []
        current = start
        while current in parents and current not in seen_in:
            seen_in[current] = start
            path.append(current)
            current = parents[current]
        if seen_in.get(current) == start:
            found += path[path.index(current) :]
    return found


def _product(products: dict[str, Product], body: Body) -> Product:
    return products.setdefault(body.id, Product(body.id, body.shape))


def _units(features: list[FeatureNode], warnings: list[str]) -> Units:
    given = next(
        (extra["units"] for feature in features if isinstance((extra := feature.model_extra or {}).get("units"), str)),
        None,
    )
    name = ALIASES.get(given.lower(), given.lower()) if given is not None else None
    if name in NAMES.values():
        return Units(name=name, found="declared", source="units of a feature")
    if given is not None:
        warnings.append(f"the unit {given!r} is unknown, so the numbers are taken as millimetres")
    return Units(name=MILLIMETER.name, found="assumed")
