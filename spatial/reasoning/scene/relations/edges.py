"""connected_to: the edges of a diagram, in the direction in which their arrows point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spatial.contract.diagram import DiagramEdge
from spatial.contract.extraction import Structure
from spatial.reasoning.scene.items.diagram import prefix_of
from spatial.reasoning.scene.relations.relation import SceneRelation


def connections(structure: Structure) -> Iterator[SceneRelation]:
    """One relation per edge with both ends attached; an edge may end on another edge."""
    pages = structure.pages or []
    for page in pages:
        prefix = prefix_of(page, pages)
        for edge in page.edges:
            if edge.source is not None and edge.target is not None:
                yield _connection(edge, prefix)


def loose_edges(structure: Structure) -> Iterator[dict[str, Any]]:
    """Edges with an end that is attached to nothing; the attached end is named."""
    pages = structure.pages or []
    for page in pages:
        prefix = prefix_of(page, pages)
        for edge in page.edges:
            if edge.source is None or edge.target is None:
                ends = {"source": edge.source, "target": edge.target}
                named = {name: f"{prefix}{end}" for name, end in ends.items() if end is not None}
                yield {"id": f"{prefix}{edge.id}", **named, "label": edge.label or None}


def arrow_of(edge: DiagramEdge) -> tuple[str | None, str | None]:
    """From where to where an edge points; an edge whose only arrowhead is at its source points to its source."""
    further = edge.model_extra or {}
    if edge.directed and not edge.bidirectional and "start_arrow" in further and "end_arrow" not in further:
        return edge.target, edge.source
    return edge.source, edge.target


def _connection(edge: DiagramEdge, prefix: str) -> SceneRelation:
    source, target = arrow_of(edge)
    inferred = (edge.model_extra or {}).get("inferred")
    return SceneRelation(
        type="connected_to",
        subject=f"{prefix}{source}",
        object=f"{prefix}{target}",
        source="geometry" if inferred else "structure",
        rule=_rule(edge, bool(inferred)),
        measured={"inferred_ends": inferred},
        details={
            "direction": "bidirectional" if edge.bidirectional else "directed" if edge.directed else "undirected",
            "via_edge": f"{prefix}{edge.id}",
            "label": edge.label or None,
            "dashed": edge.dashed or None,
        },
    )


def _rule(edge: DiagramEdge, is_inferred: bool) -> str:
    if is_inferred:
        return "an edge whose loose end lies on the shape"
    heads = "at both ends" if edge.bidirectional else "at one end" if edge.directed else "at no end"
    return f"an edge that is attached to both, with arrowheads {heads}"
