"""The graph of a diagram page: where its flow starts and ends, where it branches, and its cycles.

As in docs/diagrams.md, text and containers that no edge touches are no nodes of it; an edge with two heads runs both ways and is by
itself no cycle; an edge without heads has no direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.relations.relation import SceneRelation

DECISIONS: Final = ("rhombus", "decision", "diamond")
"""Words in the shape of a node that draws a decision (ISO 5807 draws it as a diamond)."""


@dataclass(frozen=True, eq=False)
class Flow:
    """nodes: by id, in the order of the page. arrows: from, to. lines: pairs whose edge runs both ways or has no direction."""

    nodes: dict[str, Item]
    arrows: list[tuple[str, str]]
    both_ways: list[tuple[str, str]]
    undirected: list[tuple[str, str]]
    labels: dict[tuple[str, str], str] = field(default_factory=dict)

    @cached_property
    def following(self) -> dict[str, list[str]]:
        """What the arrows of a node lead to."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for source, target in self.arrows:
            found[source].append(target)
        return found

    @property
    def edge_count(self) -> int:
        """Edges with both ends on nodes."""
        return len(self.arrows) + len(self.both_ways) + len(self.undirected)

    @cached_property
    def starts(self) -> list[str]:
        """Nodes with outgoing arrows only."""
        return self._one_sided(0)

    @cached_property
    def ends(self) -> list[str]:
        """Nodes with incoming arrows only."""
        return self._one_sided(1)

    def _one_sided(self, side: int) -> list[str]:
        both = {end for pair in self.both_ways for end in pair}
        here, there = ({arrow[place] for arrow in self.arrows} | both for place in (side, 1 - side))
        return [name for name in self.nodes if name in here and name not in there]

    @cached_property
    def isolated(self) -> list[str]:
        """Nodes without an edge."""
        touched = {end for pair in (*self.arrows, *self.both_ways, *self.undirected) for end in pair}
        return [name for name in self.nodes if name not in touched]

    @cached_property
    def decisions(self) -> list[str]:
        """Nodes that are drawn as a decision."""
        return [name for name, item in self.nodes.items() if is_decision(item)]

    @cached_property
    def cycles(self) -> list[list[str]]:
        """Groups of nodes that the arrows lead back to: strongly connected components (Tarjan 1972), and loops."""
        loops = {source for source, target in self.arrows if source == target}
        return [group for group in _strong_components(self.following) if len(group) > 1 or group[0] in loops]

    @cached_property
    def components(self) -> int:
        """Connected parts, ignoring direction; isolated nodes count."""
        leader = {name: name for name in self.nodes}
        parts = len(leader)
        for one, other in (*self.arrows, *self.both_ways, *self.undirected):
            first, second = _leader(leader, one), _leader(leader, other)
            if first != second:
                leader[first] = second
                parts -= 1
        return parts


def is_decision(item: Item) -> bool:
    """Whether a node is drawn as a decision."""
    shape = str(item.properties.get("shape") or "").lower()
    return any(word in shape for word in DECISIONS)


def flow_of(items: Sequence[Item], relations: Iterable[SceneRelation]) -> Flow:
    """The flow of the nodes of one page. relations: of the whole scene."""
    known = {item.id: item for item in items}
    edges = [
        each for each in relations if each.type == "connected_to" and each.subject in known and each.object in known
    ]
    touched = {end for each in edges for end in (each.subject, each.object)}
    nodes = {
        name: item
        for name, item in known.items()
        if name in touched or (item.type == "node" and item.group is not None)
    }
    by_kind: dict[str, list[tuple[str, str]]] = {"directed": [], "bidirectional": [], "undirected": []}
    labels: dict[tuple[str, str], str] = {}
    for each in edges:
        pair = each.subject, each.object
        by_kind[str(each.details["direction"])].append(pair)
        if each.details.get("label"):
            labels[pair] = str(each.details["label"])
    return Flow(nodes, by_kind["directed"], by_kind["bidirectional"], by_kind["undirected"], labels)


def _leader(leader: dict[str, str], name: str) -> str:
    while leader[name] != name:
        leader[name] = name = leader[leader[name]]
    return name


def _strong_components(following: dict[str, list[str]]) -> list[list[str]]:
    """Each in the order in which it is reached; without recursion, since pages may have thousands of nodes in a row."""
    reached: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    found: list[list[str]] = []
    for root, steps in following.items():
        if root in reached:
            continue
        path = [(root, iter(steps))]
        reached[root] = lowest[root] = len(reached)
        open_nodes.append(root)
        while path:
            name, rest = path[-1]
            step = next(rest, None)
            if step is None:
                path.pop()
                _close(name, path[-1][0] if path else None, reached, lowest, open_nodes, found)
            elif step not in reached:
                reached[step] = lowest[step] = len(reached)
                open_nodes.append(step)
                path.append((step, iter(following[step])))
            elif step in open_nodes:
                lowest[name] = min(lowest[name], reached[step])
    return found


def _close(
    name: str,
    above: str | None,
    reached: dict[str, int],
    lowest: dict[str, int],
    open_nodes: list[str],
    found: list[list[str]],
) -> None:
    if lowest[name] == reached[name]:
        place = open_nodes.index(name)
        found.append(open_nodes[place:])
        del open_nodes[place:]
    if above is not None:
        lowest[above] = min(lowest[above], lowest[name])
