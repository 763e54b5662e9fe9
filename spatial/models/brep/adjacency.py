"""The edges of each definition as the document lists them."""

from __future__ import annotations

from functools import partial
from typing import Final

from spatial.contract.extraction import Edge
from spatial.counting import count_of
from spatial.geometry import rounding
from spatial.models.brep.edges import BodyEdge
from spatial.models.brep.instances import Instance
from spatial.models.brep.model import BrepModel
from spatial.models.guard import attempt
from spatial.models.reading import Meaning

EDGES_LISTED: Final = 20_000
"""Most edges that one document lists."""


def listed(model: BrepModel) -> Meaning:
    """The `edges` member of `structure`: those of every solid and shell, those of a definition once."""
    warnings: list[str] = []
    firsts: dict[int, Instance] = {}
    for body in model.bodies:
        firsts.setdefault(id(body.definition), body)
    found: list[Edge] = []
    left_out = 0
    none: list[Edge] = []
    for body in firsts.values():
        edges = attempt(f"edges of {body.id}", partial(_edges, body, model.scale), none, warnings)
        if len(found) + len(edges) > EDGES_LISTED:
            left_out += len(edges)
            continue
        found += edges
    if left_out:
        warnings.append(f"a document lists {EDGES_LISTED:,} edges at most: {count_of(left_out, 'edge')} left out")
    rows = [edge.model_dump(exclude_none=True) for edge in found]
    return Meaning(structure={"edges": rows} if rows else {}, warnings=warnings)


def _edges(body: Instance, scale: float) -> list[Edge]:
    definition = body.definition
    outward = -1.0 if definition.reversed else 1.0
    return [_edge(body.id, edge, scale, outward) for edge in definition.edges.edges.values()]


def _edge(body: str, edge: BodyEdge, scale: float, outward: float) -> Edge:
    """outward: -1 where the body is inside out, so that convex means the same all the same."""
    convexity = None if edge.is_seam else edge.convexity
    if outward < 0.0 and convexity in ("convex", "concave"):
        convexity = "concave" if convexity == "convex" else "convex"
    angle = None if edge.is_seam or edge.angle is None else rounding.angle(edge.angle * outward)
    return Edge(
        id=f"edge-{edge.curve + 1}",
        body=body,
        faces=[f"face-{face + 1}" for face in edge.faces],
        type=edge.type,
        length=rounding.significant(edge.length * scale),
        radius=None if edge.radius is None else rounding.significant(edge.radius * scale),
        convexity=convexity,
        angle=angle,
        seam=edge.is_seam or None,
    )
