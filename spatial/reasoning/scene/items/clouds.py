"""The objects of a scene that are only point clouds, or that a request sends beside a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spatial.counting import count_of
from spatial.reasoning.scene.items.brep import GROUP
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.model import SceneObject


def cloud_items(objects: Iterable[SceneObject]) -> Iterator[Item]:
    """One object per cloud. objects: those of the scene that the document does not list otherwise."""
    for found in objects:
        yield Item(
            id=found.id,
            type=found.origin,
            name=found.name,
            bounds=found.bounds,
            bounds_source="geometry",
            bounds_rule=f"the box around {count_of(len(found.points), 'point')}",
            group=GROUP,
            geometry=found,
            properties={"kind": found.kind, "point_count": len(found.points)},
        )
