"""What the edges of a page amount to.

The rule: text that no edge touches is a caption, and a container that no edge touches is a frame; neither counts as a node
of the graph. Every edge counts in `edge_count`; one with a loose end connects nothing. Roots, sinks and cycles follow the
arrows; an edge with two heads runs both ways and is by itself no cycle; an edge without a head has no direction. An edge
that ends on another edge connects nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def graph(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts, parts, roots, sinks, isolated nodes, and whether there is a cycle."""
    names = {node["id"] for node in nodes}
    joined = [edge for edge in edges if edge["source"] in names and edge["target"] in names]
    touched = {edge[end] for edge in edges for end in ("source", "target") if edge[end] in names}
    counted = [node["id"] for node in nodes if node["id"] in touched or not (node["is_text"] or node["is_container"])]
    arrows = [arrow for edge in joined for arrow in _arrows(edge)]
    leaves, enters = {source for source, _ in arrows}, {target for _, target in arrows}
    return {
        "node_count": len(counted),
        "edge_count": len(edges),
        "components": _components(counted, joined),
        "roots": [name for name in counted if name in leaves and name not in enters],
        "sinks": [name for name in counted if name in enters and name not in leaves],
        "isolated": [name for name in counted if name not in touched],
        "has_cycle": _has_cycle(
            [_arrows(edge)[0] for edge in joined if edge["directed"] and not edge["bidirectional"]]
        ),
    }


def _arrows(edge: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The ways an edge points: none, one or two."""
    if not edge["directed"]:
        return []
    there, back = (edge["source"], edge["target"]), (edge["target"], edge["source"])
    if edge["bidirectional"]:
        return [there, back]
    return [there if "end_arrow" in edge else back]


def _components(names: Iterable[str], edges: Iterable[Mapping[str, Any]]) -> int:
    leader = {name: name for name in names}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    parts = len(leader)
    for edge in edges:
        one, other = find(edge["source"]), find(edge["target"])
        if one != other:
            leader[one] = other
            parts -= 1
    return parts


def _has_cycle(arrows: Sequence[tuple[str, str]]) -> bool:
    """Whether something is left when sources without incoming arrows are taken away again and again (Kahn 1962)."""
    incoming: dict[str, int] = {}
    following: dict[str, list[str]] = {}
    for source, target in arrows:
        incoming[target] = incoming.get(target, 0) + 1
        incoming.setdefault(source, 0)
        following.setdefault(source, []).append(target)
    free = [name for name, count in incoming.items() if not count]
    taken = 0
    while free:
        taken += 1
        for target in following.get(free.pop(), ()):
            incoming[target] -= 1
            if not incoming[target]:
                free.append(target)
    return taken < len(incoming)
