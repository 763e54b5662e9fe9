"""classify: the family of a part, an assembly, a drawing or a diagram, with probabilities and the features that decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from spatial.contract.extraction import Structure
from spatial.counting import listed
from spatial.errors import InputRejected
from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.families.bodies import judge_body
from spatial.reasoning.families.diagrams import judge_diagram
from spatial.reasoning.families.drawings import judge_drawing
from spatial.reasoning.families.scoring import Criterion, Judgement, insufficient, judge
from spatial.reasoning.question import Question
from spatial.reasoning.scene.items.diagram import prefix_of
from spatial.reasoning.scene.items.listing import list_items
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.scene.relations.edges import connections

JUDGED: Final = 50
"""Most different objects of a scene that are classified one by one: about a second."""

NAMED: Final = 5
"""Solids that a warning names."""

DECIDING: Final = 5
"""Criteria of the best families in the proof: these families."""


def solve(question: Question) -> Answer:
    """The verdict on the object of `object_id`, else on the whole scene, and on each of its objects. Raises: InputRejected."""
    scene = question.scene
    if scene.document is None and not len(scene):
        raise InputRejected(
            "input.cad_scene and input.point_cloud_scene are absent or empty; send one of them",
            details={"field": "input.cad_scene"},
        )
    structure = scene.document.structure if scene.document else None
    if question.object_id is not None:
        found = scene.find(question.object_id)
        return _answer(_judge_object(found, structure), warnings=_without_points([found]))
    if structure is not None and structure.kind == "diagram2d" and structure.pages:
        return _of_pages(structure, scene)
    if structure is not None and structure.kind != "brep":
        return _answer(judge_drawing(structure, scene.units))
    answer = _of_bodies(scene, structure)
    return replace(answer, warnings=(*answer.warnings, *_without_points(scene)))


def _without_points(objects: Iterable[SceneObject]) -> tuple[str, ...]:
    """A warning about solids whose box is known along the axes alone: turned, they measure otherwise."""
    bare = [found.id for found in objects if found.origin == "solid" and not len(found.points)]
    if not bare:
        return ()
    have = "has" if len(bare) == 1 else "have"
    warning = (
        f"{listed(bare, NAMED)} {have} no points, so that flatness and fill are those of the box along the axes, and a part that "
        "lies at an angle is misjudged; send the document with target_contract both"
    )
    return (warning,)


def _judge_object(found: SceneObject, structure: Structure | None) -> Judgement:
    if structure is not None and structure.kind != "brep" and found.origin in ("node", "sheet", "view"):
        return insufficient(
            f"{found.id} is a part of a {'diagram' if found.origin == 'node' else 'drawing'}; only the whole has a family",
            {},
        )
    return judge_body(found)


def _of_bodies(scene: Scene, structure: Structure | None) -> Answer:
    distinct = _distinct(scene, structure)
    judged = {name: judge_body(found) for name, found in list(distinct.items())[:JUDGED]}
    warnings: tuple[str, ...] = ()
    if len(distinct) > JUDGED:
        warnings = (
            f"the scene has {len(distinct):,} different objects; the first {JUDGED} are classified, name others in object_id",
        )
    objects = [{"id": name, **_brief(each)} for name, each in judged.items()]
    if len(scene) == 1:
        return _answer(next(iter(judged.values())))
    solids = [found for found in scene if found.origin == "solid"]
    if len(solids) == 1 and structure is not None and solids[0].id in judged:
        return _answer(judged[solids[0].id], objects, judged, warnings)
    whole = _judge_whole(scene, structure, len(distinct))
    return _answer(whole, objects, {name: each for name, each in judged.items() if each.features}, warnings)


def _distinct(scene: Scene, structure: Structure | None) -> dict[str, SceneObject]:
    """One object per definition that is placed several times."""
    definitions = {solid.id: solid.instance_of or solid.id for solid in (structure.solids if structure else None) or ()}
    first: dict[str, SceneObject] = {}
    for found in scene:
        first.setdefault(definitions.get(found.id, found.id), found)
    return {found.id: found for found in first.values()}


def _judge_whole(scene: Scene, structure: Structure | None, distinct: int) -> Judgement:
    """Several bodies: an assembly where a product tree places them, or a document holds several solids; clouds are a scene."""
    bodies = [found for found in scene if found.origin == "solid"]
    tree = bool(structure and structure.assembly)
    features = {
        "object_count": len(scene),
        "solid_count": len(bodies),
        "different_objects": distinct,
        "has_product_tree": tree,
    }
    if not len(scene):
        return insufficient("the document has no body with geometry", features)
    several = Criterion("object_count", len(scene), 1.0)
    return judge(
        {
            "assembly": [
                several,
                Criterion("solid_count", len(bodies), 1.0 if tree and bodies else 0.7 if len(bodies) > 1 else 0.0),
            ],
            "scene_of_objects": [
                several,
                Criterion("solid_count", len(bodies), 0.0 if tree else 0.3 if bodies else 1.0),
            ],
        },
        features,
    )


def _of_pages(structure: Structure, scene: Scene) -> Answer:
    """Each page by itself; the verdict is that of the page with the most nodes."""
    pages = structure.pages or []
    items, edges = list_items(scene), list(connections(structure))
    judged: dict[str, Judgement] = {}
    for page in pages:
        ids = {f"{prefix_of(page, pages)}{node.id}" for node in page.nodes}
        judged[page.id] = judge_diagram([item for item in items if item.id in ids], edges)
    largest = max(pages, key=lambda page: len(page.nodes))
    listed = [{"id": name, **_brief(each)} for name, each in judged.items()]
    return _answer(
        judged[largest.id], listed if len(pages) > 1 else None, judged if len(pages) > 1 else {}, name="pages"
    )


def _answer(
    judged: Judgement,
    parts: list[dict[str, Any]] | None = None,
    details: Mapping[str, Judgement] | None = None,
    warnings: tuple[str, ...] = (),
    name: str = "objects",
) -> Answer:
    data: dict[str, Any] = {"family": judged.verdict, "probabilities": _ordered(judged.probabilities)}
    if parts is not None:
        data[name] = parts
    proof = _proof(judged) | ({name: {each: _proof(found) for each, found in details.items()}} if details else {})
    return Answer(data=data, proof=proof, verdict=judged.verdict, reason=judged.reason, warnings=warnings)


def _brief(judged: Judgement) -> dict[str, Any]:
    found: dict[str, Any] = {"family": judged.verdict, "probabilities": _ordered(judged.probabilities)}
    return found | ({"reason": judged.reason} if judged.verdict == UNKNOWN else {})


def _ordered(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Most probable first."""
    return dict(sorted(probabilities.items(), key=lambda each: (-each[1], each[0])))


def _proof(judged: Judgement) -> dict[str, Any]:
    """All features, and of the families that scored best the criteria with what was measured and how well each is met."""
    best = sorted(judged.scores, key=lambda family: (-judged.scores[family], family))
    return {
        "features": judged.features,
        "families": [
            {"family": family, "score": judged.scores[family], "criteria": list(judged.criteria[family])}
            for family in best[:DECIDING]
        ],
    }
