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
    ends = [(edge["source"], edge["target"]) for edge in edges]
    touched = {end for pair in ends for end in pair if end in names}
    joined = [edge for edge, (source, target) in zip(edges, ends, strict=True) if source in names and target in names]
    pairs = [(source, target) for source, target in ends if source in names and target in names]
    counted = [node["id"] for node in nodes if node["id"] in touched or not (node["is_text"] or node["is_container"])]
    one_way = [_arrow(edge) for edge in joined if edge["directed"] and not edge["bidirectional"]]
    both = {edge[end] for edge in joined if edge["bidirectional"] for end in ("source", "target")}
    leaves, enters = {source for source, _ in one_way} | both, {target for _, target in one_way} | both
    return {
        "node_count": len(counted),
        "edge_count": len(edges),
        "components": _components(counted, pairs),
        "roots": [name for name in counted if name in leaves and name not in enters],
        "sinks": [name for name in counted if name in enters and name not in leaves],
        "isolated": [name for name in counted if name not in touched],
        "has_cycle": _has_cycle(one_way),
    }


def _arrow(edge: Mapping[str, Any]) -> tuple[str, str]:
    """From where to where an edge with one head points."""
    there = edge["source"], edge["target"]
    return there if "end_arrow" in edge else there[::-1]


def _components(names: Iterable[str], ends: Iterable[tuple[str, str]]) -> int:
    """Connected parts, by sets that are joined (Tarjan 1975, paths halved)."""
    leader = {name: name for name in names}
    parts = len(leader)
    for source, target in ends:
        one, other = source, target
        while (above := leader[one]) != one:
            leader[one] = one = leader[above]
        while (above := leader[other]) != other:
            leader[other] = other = leader[above]
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
