"""The objects of a model: its assemblies, solids, open shells and curves. z points up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from spatial.contract.extraction import AssemblyNode, BoundingBox, Shell, Solid, Structure
from spatial.counting import count_of
from spatial.reasoning.scene.build import corners
from spatial.reasoning.scene.items.item import Item, union
from spatial.reasoning.scene.items.tree import Branch, Tree, assembly_tree
from spatial.reasoning.scene.model import Array, Scene, SceneObject

GROUP: Final = "model"

STATED: Final = ("feature_type", "material", "density", "instance_of", "is_closed", "representation")
"""Members of a solid that its object repeats; feature_type, material and density come with imported feature trees."""


def brep_items(structure: Structure, scene: Scene) -> Iterator[Item]:
    """Assemblies first, then solids, open shells and curves, each in the order of the document."""
    tree = assembly_tree(structure.assembly or ())
    known = {found.id: found for found in scene}
    solids = structure.solids or []
    bounds = {solid.id: known[solid.id].bounds for solid in solids if solid.id in known}
    for branch in tree.branches:
        yield _branch(branch, bounds)
    listed = {solid.id for solid in solids} | {branch.id for branch in tree.branches}
    for solid in solids:
        yield _solid(solid, tree, listed, known.get(solid.id))
    for shell in structure.shells or ():
        yield _shell(shell, known.get(shell.id))
    for curve in structure.curves or ():
        box = corners(curve.bbox) if curve.bbox else None
        yield Item(id=curve.id, type="curve", bounds=box, properties={"curve_type": curve.type, "length": curve.length})


def _branch(branch: Branch, bounds: dict[str, Array | None]) -> Item:
    node: AssemblyNode = branch.node
    instance = (node.model_extra or {}).get("instance")
    return Item(
        id=branch.id,
        type="assembly" if branch.is_assembly else "part",
        name=node.name or None,
        parent=branch.parent,
        bounds=union(bounds.get(solid) for solid in branch.solids),
        bounds_source="geometry",
        bounds_rule=f"the box around {count_of(len(branch.solids), 'solid')} at or below it",
        properties={"instance": instance, "definition": node.definition, "solid_count": len(branch.solids)},
    )


def _solid(solid: Solid, tree: Tree, listed: set[str], found: SceneObject | None) -> Item:
    further: dict[str, Any] = solid.model_extra or {}
    parent = tree.parents.get(solid.id)
    if parent is None and further.get("parent") in listed - {solid.id}:
        parent = further["parent"]
    members = {name: further.get(name, getattr(solid, name, None)) for name in STATED}
    return Item(
        id=solid.id,
        type="solid",
        name=solid.name or None,
        parent=parent,
        bounds=found.bounds if found else None,
        **_origin(solid.bbox, found),
        group=GROUP,
        geometry=found,
        properties={
            "instance": tree.instances.get(solid.id),
            "volume": solid.volume,
            "surface_area": solid.surface_area,
            "center_of_mass": solid.center_of_mass,
            **members,
        },
    )


def _shell(shell: Shell, found: SceneObject | None) -> Item:
    bounds = corners(shell.bbox) if shell.bbox else found.bounds if found else None
    return Item(
        id=shell.id,
        type="shell",
        bounds=bounds,
        **_origin(shell.bbox, found),
        group=GROUP,
        geometry=found,
        properties={"surface_area": shell.area, "is_closed": shell.is_closed},
    )


def _origin(stated: BoundingBox | None, found: SceneObject | None) -> dict[str, Any]:
    if stated is not None or found is None:
        return {}
    return {
        "bounds_source": "geometry",
        "bounds_rule": f"the box around {count_of(len(found.points), 'sampled point')}",
    }
