"""`data.cad_scene` of an answer: objects, relations, title block and counts of callouts, and where each fact came from.

understand, describe and compare build it with `report`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from spatial.contract.drawing import Callout, DrawingMetadata
from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.log import log_step
from spatial.reasoning.scene.build import UNKNOWN_UNITS
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.items.listing import Kind, is_down, kind_of, list_items
from spatial.reasoning.scene.model import Array, Scene
from spatial.reasoning.scene.relations.edges import loose_edges
from spatial.reasoning.scene.relations.finding import find_relations
from spatial.reasoning.scene.relations.relation import SceneRelation


@dataclass(frozen=True, eq=False)
class SceneReport:
    """A scene as answers report it.

    data: the `cad_scene` member. facts: for each object and relation, whether it came from structure or geometry.
    """

    kind: Kind
    items: tuple[Item, ...]
    relations: tuple[SceneRelation, ...]
    data: dict[str, Any]
    facts: list[dict[str, Any]]
    warnings: tuple[str, ...]


def report(scene: Scene, field_name: str = "cad_scene") -> SceneReport:
    """The report of a scene. Raises: InputRejected where the request has neither a document nor a point cloud."""
    if scene.document is None and not len(scene):
        raise InputRejected(
            f"input.{field_name} and input.point_cloud_scene are absent or empty; send one of them",
            details={"field": f"input.{field_name}"},
        )
    structure = scene.document.structure if scene.document else None
    items = list_items(scene)
    relations, warnings = find_relations(items, structure, is_down(scene))
    log_step(f"{count_of(len(items), 'object')} and {count_of(len(relations), 'relation')} found")
    data = _data(scene, structure, items, relations)
    facts = [*_object_facts(items), *_relation_facts(relations)]
    doubts = [*scene.warnings, *warnings, *_empty(items)]
    return SceneReport(kind_of(scene), tuple(items), tuple(relations), data, facts, tuple(doubts))


def _data(
    scene: Scene, structure: Structure | None, items: Iterable[Item], relations: Iterable[SceneRelation]
) -> dict[str, Any]:
    document = scene.document
    found: dict[str, Any] = {
        "kind": kind_of(scene),
        "source_format": document.source_format if document else None,
        "file_name": document.file_name if document else None,
        "units": scene.units if scene.units != UNKNOWN_UNITS else None,
        "axes": _axes(scene),
        "objects": [_object(item) for item in items],
        "relations": [_relation(place, each) for place, each in enumerate(relations, start=1)],
    }
    if structure is not None:
        found |= _stated(structure)
    return {name: value for name, value in found.items() if value is not None}


def _axes(scene: Scene) -> dict[str, str]:
    """Which way the axes point."""
    if kind_of(scene) in ("brep", "point_cloud"):
        return {"x": "right", "y": "back", "z": "up"}
    return {"x": "right", "y": "down" if is_down(scene) else "up"}


def _object(item: Item) -> dict[str, Any]:
    found = {"id": item.id, "type": item.type, "name": item.name, "parent": item.parent, "bounds": box(item)}
    return {name: value for name, value in (found | dict(item.properties)).items() if value is not None}


def box(item: Item) -> dict[str, list[float]] | None:
    """The bounds of an object as the document writes a box: two numbers per corner of a flat one, else three."""
    if item.bounds is None:
        return None
    corners: Array = item.bounds[:, :2] if item.is_flat else item.bounds
    return {"min": corners[0].tolist(), "max": corners[1].tolist()}


def _relation(place: int, relation: SceneRelation) -> dict[str, Any]:
    ends = {"id": f"relation-{place}", "type": relation.type, "subject": relation.subject, "object": relation.object}
    return ends | {name: value for name, value in relation.details.items() if value is not None}


def _stated(structure: Structure) -> dict[str, Any]:
    """What a drawing or a diagram states beyond its objects."""
    metadata = structure.drawing_metadata
    found: dict[str, Any] = {"unattached_edges": list(loose_edges(structure)) or None}
    if structure.kind == "drawing2d":
        found |= _metadata(metadata) | _callouts(structure.callouts or [])
        found["dimension_count"] = len(structure.dimensions or ())
    return found


def _metadata(metadata: DrawingMetadata | None) -> dict[str, Any]:
    if metadata is None:
        return {}
    block = metadata.title_block
    return {
        "title_block": {"fields": block.fields, "confidence": block.confidence} if block else None,
        "bom": {"columns": metadata.bom.columns, "rows": metadata.bom.rows} if metadata.bom else None,
        "revisions": {"columns": metadata.revisions.columns, "rows": metadata.revisions.rows}
        if metadata.revisions
        else None,
        "notes": [{"number": note.number, "text": note.text} for note in metadata.notes.items]
        if metadata.notes
        else None,
    }


def _callouts(callouts: list[Callout]) -> dict[str, Any]:
    """Callouts per type, and features per type: a callout without a quantity stands for one."""
    quantities: Counter[str] = Counter()
    for callout in callouts:
        quantities[callout.type] += callout.quantity or 1
    return {
        "callout_counts": dict(sorted(Counter(callout.type for callout in callouts).items())),
        "callout_quantities": dict(sorted(quantities.items())),
    }


def _object_facts(items: Iterable[Item]) -> Iterator[dict[str, Any]]:
    for item in items:
        if item.bounds is not None:
            yield {"fact": f"{item.id}: bounds", "from": item.bounds_source, "rule": item.bounds_rule}


def _relation_facts(relations: Iterable[SceneRelation]) -> Iterator[dict[str, Any]]:
    for place, relation in enumerate(relations, start=1):
        measured = {name: value for name, value in relation.measured.items() if value is not None}
        fact = {"fact": f"relation-{place}", "from": relation.source, "rule": relation.rule}
        yield fact | ({"measured": measured} if measured else {})


def _empty(items: list[Item]) -> Iterator[str]:
    if not items:
        yield "the document has no objects"
