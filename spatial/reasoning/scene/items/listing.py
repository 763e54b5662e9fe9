"""All objects of a scene, whatever kind of document it was built from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from spatial.contract.extraction import Structure
from spatial.reasoning.scene.items.brep import brep_items
from spatial.reasoning.scene.items.clouds import cloud_items
from spatial.reasoning.scene.items.diagram import diagram_items
from spatial.reasoning.scene.items.drawing import drawing_items, is_y_down
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.model import Scene

Kind = Literal["brep", "drawing2d", "diagram2d", "point_cloud"]
"""The kind of the document's structure; point_cloud where there is none."""


def kind_of(scene: Scene) -> Kind:
    """What a scene is a scene of."""
    structure = scene.document.structure if scene.document else None
    return structure.kind if structure else "point_cloud"


def is_down(scene: Scene) -> bool:
    """Whether y points down: in diagrams, and on sheets that say so."""
    structure = scene.document.structure if scene.document else None
    return structure is not None and (structure.kind == "diagram2d" or is_y_down(structure))


def list_items(scene: Scene) -> list[Item]:
    """The objects of the document in its order, followed by the clouds of other objects."""
    structure = scene.document.structure if scene.document else None
    items = list(_of_structure(structure, scene)) if structure else []
    listed = {item.id for item in items}
    return items + list(cloud_items(found for found in scene if found.id not in listed))


def _of_structure(structure: Structure, scene: Scene) -> Iterator[Item]:
    if structure.kind == "diagram2d":
        return diagram_items(structure)
    return drawing_items(structure) if structure.kind == "drawing2d" else brep_items(structure, scene)
