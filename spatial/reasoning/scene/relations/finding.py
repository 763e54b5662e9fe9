"""All relations of a scene's objects, stated ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.relations.bodies import DENSE, NEAREST, Limited, body_relations
from spatial.reasoning.scene.relations.boxes import RELATED, groups_of
from spatial.reasoning.scene.relations.directions import directions
from spatial.reasoning.scene.relations.edges import connections
from spatial.reasoning.scene.relations.flat import flat_relations
from spatial.reasoning.scene.relations.relation import SceneRelation


def find_relations(
    items: Sequence[Item], structure: Structure | None, is_down: bool
) -> tuple[list[SceneRelation], list[str]]:
    """Relations, and warnings about those that were not looked for."""
    limited = Limited()
    groups, large = groups_of(items)
    found = [*_held(items), *(connections(structure) if structure else ())]
    for group in groups:
        found += flat_relations(group) if group.axes == 2 else body_relations(group, limited)
        found += directions(group, is_down)
    return found, [*_too_large(large), *_untried(limited)]


def _held(items: Sequence[Item]) -> Iterator[SceneRelation]:
    for item in items:
        if item.parent is not None:
            rule = "the document names it as the parent"
            if item.parent_source == "geometry":
                rule = "it lies on it"
            yield SceneRelation("contains", item.parent, item.id, item.parent_source, rule)


def _too_large(groups: Sequence[tuple[str, int]]) -> Iterator[str]:
    for _, size in groups:
        yield (
            f"{count_of(size, 'object')} lie side by side, more than {RELATED:,}; relations by geometry are left out for them, "
            "those that the document states are there"
        )


def _untried(limited: Limited) -> Iterator[str]:
    if limited.pairs:
        yield (
            f"the scene has more than {DENSE} bodies, so each was tried for contact with the {NEAREST} nearest bodies only; "
            f"{count_of(limited.pairs, 'pair')} farther apart whose bounds touch {'was' if limited.pairs == 1 else 'were'} not tried"
        )
