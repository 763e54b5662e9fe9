"""A diagram page as a labelled graph, with the colours of Weisfeiler-Lehman refinement.

Source: B. Weisfeiler, A. Lehman, "The reduction of a graph to canonical form and the algebra which appears therein",
Nauchno-Technicheskaya Informatsia 2 (1968); N. Shervashidze et al., "Weisfeiler-Lehman graph kernels", JMLR 12 (2011).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from spatial.contract.diagram import DiagramEdge, DiagramNode, DiagramPage
from spatial.reasoning.diff.similarity import normal_text
from spatial.reasoning.scene.model import Array

ROUNDS: Final = 3
"""Rounds of refinement: a node then knows its neighbourhood up to three edges away."""

Colours = dict[Hashable, int]
"""Colour of every description that occurred; shared by both graphs, so that equal colours mean equal descriptions."""


@dataclass(frozen=True, eq=False)
class PageGraph:
    """One page. Nodes are sorted by their content, so that the order of the file never decides."""

    page: DiagramPage

    @cached_property
    def nodes(self) -> list[DiagramNode]:
        """Nodes, sorted by label, shape, place and id."""
        return sorted(self.page.nodes, key=node_key)

    @cached_property
    def edges(self) -> list[DiagramEdge]:
        """Edges, sorted by label, ends and id."""
        return sorted(self.page.edges, key=lambda edge: (edge.label, edge.source or "", edge.target or "", edge.id))

    @cached_property
    def place(self) -> dict[str, int]:
        """Place in `nodes` of an id."""
        return {node.id: place for place, node in enumerate(self.nodes)}

    @cached_property
    def links(self) -> list[list[tuple[Hashable, int]]]:
        """Per node its connections: how it is connected (role, edge label, kind), and the place of the other end."""
        found: list[list[tuple[Hashable, int]]] = [[] for _ in self.nodes]
        for edge in self.edges:
            source, target = self.place.get(edge.source or ""), self.place.get(edge.target or "")
            if source is None or target is None:
                continue
            label, roles = normal_text(edge.label), _roles(edge)
            found[source].append(((roles[0], label), target))
            found[target].append(((roles[1], label), source))
        return found

    @cached_property
    def parents(self) -> list[int | None]:
        """Place of every node's container."""
        return [self.place.get(node.parent or "") for node in self.nodes]

    @cached_property
    def centres(self) -> Array:
        """(n, 2) centres of the nodes; nan where a node has no box."""
        return np.array([_centre(node) for node in self.nodes], dtype=np.float64).reshape(-1, 2)

    @cached_property
    def sizes(self) -> Array:
        """(n,) width + height of the nodes; 1 where a node has no box."""
        found = [node.bbox.width + node.bbox.height if node.bbox else 0.0 for node in self.nodes]
        return np.maximum(np.array(found, dtype=np.float64), 1.0)

    def colours(self, known: Colours) -> list[list[int]]:
        """Colours per round: labels and shapes alone, then with the neighbourhood of 1, 2, … edges."""
        current = [known.setdefault(own_description(node), len(known)) for node in self.nodes]
        rounds = [current]
        for _ in range(ROUNDS):
            current = [known.setdefault(self._description(place, current), len(known)) for place in range(len(current))]
            rounds.append(current)
        return rounds

    def _description(self, place: int, colours: list[int]) -> Hashable:
        parent = self.parents[place]
        around = sorted((repr(how), colours[other]) for how, other in self.links[place])
        return colours[place], -1 if parent is None else colours[parent], tuple(around)


def own_description(node: DiagramNode) -> Hashable:
    """What a node is without its connections, place and style."""
    return normal_text(node.label), node.shape, node.is_container, node.is_text


def node_key(node: DiagramNode) -> tuple[Any, ...]:
    """Content of a node, for sorting."""
    box = node.bbox
    return node.label, node.shape or "", (box.x, box.y, box.width, box.height) if box else (), node.id


def style_of(item: DiagramNode | DiagramEdge) -> Mapping[str, Any]:
    """How it is drawn, as the document has it beyond the members of the contract."""
    style = (item.model_extra or {}).get("style")
    return style if isinstance(style, Mapping) else {}


def _roles(edge: DiagramEdge) -> tuple[str, str]:
    if edge.bidirectional:
        return "both", "both"
    return ("source", "target") if edge.directed else ("end", "end")


def _centre(node: DiagramNode) -> tuple[float, float]:
    box = node.bbox
    return (box.x + box.width / 2, box.y + box.height / 2) if box else (np.nan, np.nan)
