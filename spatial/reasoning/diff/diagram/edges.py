"""Which edge became which, and what changed in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.diagram import DiagramEdge
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost, unique_matches
from spatial.reasoning.diff.diagram.graph import PageGraph, style_of
from spatial.reasoning.diff.diagram.match import SAME_PLACE
from spatial.reasoning.diff.fields import changed_fields, delta, fields_text
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.diff.section import Change, Lone
from spatial.reasoning.diff.similarity import LARGE, difference, normal_text, text_distances

WEIGHTS: Final = {
    "id": Weight(0.35, "an edge that is attached elsewhere keeps its id"),
    "source": Weight(0.225, "one of the two nodes that it connects"),
    "target": Weight(0.225, "the other one"),
    "label": Weight(0.20, "tells parallel edges apart"),
}
"""Terms of the cost of a pair of edges."""

LIMIT: Final = 0.5
"""Cost above which two edges are different ones: the same id may have both ends elsewhere, another id neither end."""

DRAWN: Final = ("connector", "dashed")
"""Members that say how an edge is drawn."""

MEANT: Final = ("directed", "bidirectional")
"""Members that say what it means."""

Ends = tuple[object, object]


def match_edges(previous: PageGraph, current: PageGraph, partner: Mapping[str, str]) -> list[Match]:
    """Pairs of places in `edges`. partner: id of the current node per id of the previous one."""
    first = [_ends(edge, partner) for edge in previous.edges]
    second: list[Ends] = [(edge.source, edge.target) for edge in current.edges]
    labels = [normal_text(edge.label) for edge in previous.edges]
    others = [normal_text(edge.label) for edge in current.edges]
    ids = [edge.id for edge in previous.edges]
    found: list[Match] = []
    for keys, targets in (
        (list(zip(ids, first, strict=True)), list(zip([edge.id for edge in current.edges], second, strict=True))),
        (list(zip(first, labels, strict=True)), list(zip(second, others, strict=True))),
        (first, second),
    ):
        before, after = _open(previous, current, found)
        usable = [keys[place] if _is_attached(first[place]) else None for place in before]
        found += placed(unique_matches(usable, [targets[place] for place in after]), before, after)
    return sorted(found + _assigned(previous, current, found, first, second), key=lambda match: match.previous)


def edge_changes(
    previous: PageGraph,
    current: PageGraph,
    matches: Sequence[Match],
    partner: Mapping[str, str],
    shift: Rigid,
    page: str,
) -> Iterator[list[Change]]:
    """The changes of every pair."""
    for match in matches:
        before, after = previous.edges[match.previous], current.edges[match.current]
        found = [*_rewired(before, after, partner, current), *_relabelled(before, after, current)]
        found += _drawn(before, after, current)
        found += _rerouted(before, after, shift, current)
        yield [Change(each.kind, {**each.details, "page": page}, each.text) for each in found]


def lone(edge: DiagramEdge, graph: PageGraph, page: str) -> Lone:
    """An edge of one page only."""
    ends = {"source": edge.source, "target": edge.target}
    return Lone({"id": edge.id, "label": edge.label, **ends, "page": page}, edge_name(edge, graph))


def edge_name(edge: DiagramEdge, graph: PageGraph) -> str:
    """The edge in a sentence: "'yes' from 'Check' to 'Ship'"."""
    ends = f"from {_node(edge.source, graph)} to {_node(edge.target, graph)}"
    return f"{edge.label!r} {ends}" if edge.label else ends


def _node(node_id: str | None, graph: PageGraph) -> str:
    place = None if node_id is None else graph.place.get(node_id)
    if place is None:
        return "an open end"
    return repr(graph.nodes[place].label or node_id)


def _ends(edge: DiagramEdge, partner: Mapping[str, str]) -> Ends:
    """The nodes of the current page that the ends are attached to; the id in a tuple for a node without a pair."""
    return _end(edge.source, partner), _end(edge.target, partner)


def _end(node_id: str | None, partner: Mapping[str, str]) -> object:
    return None if node_id is None else partner.get(node_id, (node_id,))


def _is_attached(ends: Ends) -> bool:
    return ends[0] is not None or ends[1] is not None


def _open(previous: PageGraph, current: PageGraph, found: Sequence[Match]) -> tuple[list[int], list[int]]:
    return (
        rest(len(previous.edges), [match.previous for match in found]),
        rest(len(current.edges), [match.current for match in found]),
    )


def _assigned(
    previous: PageGraph, current: PageGraph, found: Sequence[Match], first: Sequence[Ends], second: Sequence[Ends]
) -> list[Match]:
    before, after = _open(previous, current, found)
    if not before or not after or len(before) * len(after) > LARGE:
        return []
    labels = [previous.edges[place].label for place in before], [current.edges[place].label for place in after]
    ids = [previous.edges[place].id for place in before], [current.edges[place].id for place in after]
    terms = {
        "id": difference(*ids),
        "source": difference([first[place][0] for place in before], [second[place][0] for place in after]),
        "target": difference([first[place][1] for place in before], [second[place][1] for place in after]),
        "label": text_distances(*labels),
    }
    return placed(assign(total_cost(WEIGHTS, terms), LIMIT, swapped=labels[0] > labels[1]), before, after)


def _ids(previous: DiagramEdge, current: DiagramEdge) -> dict[str, Any]:
    other = {"previous_id": previous.id} if previous.id != current.id else {}
    return {"id": current.id, **other, "label": current.label}


def _rewired(
    previous: DiagramEdge, current: DiagramEdge, partner: Mapping[str, str], graph: PageGraph
) -> Iterator[Change]:
    fields = {}
    for name in ("source", "target"):
        before, after = getattr(previous, name), getattr(current, name)
        if _end(before, partner) != after:
            fields[name] = delta(before, after)
    if fields:
        details = _ids(previous, current) | {"fields": fields}
        yield Change("rewired", details, f"edge {current.id!r} was rewired: now {edge_name(current, graph)}")


def _relabelled(previous: DiagramEdge, current: DiagramEdge, graph: PageGraph) -> Iterator[Change]:
    name = edge_name(current, graph)
    if previous.label != current.label:
        details = _ids(previous, current) | delta(previous.label, current.label)
        yield Change("renamed", details, f"edge {name} was labelled {previous.label!r} before")
    if previous.id != current.id:
        text = f"edge {name} has the id {current.id!r} instead of {previous.id!r}"
        yield Change("redrawn", _ids(previous, current), text)


def _drawn(previous: DiagramEdge, current: DiagramEdge, graph: PageGraph) -> Iterator[Change]:
    name = edge_name(current, graph)
    meant = changed_fields(*(each.model_dump(include=set(MEANT)) for each in (previous, current)))
    if meant:
        details = _ids(previous, current) | {"fields": meant}
        yield Change("changed", details, f"edge {name} changed: {fields_text(meant)}")
    drawn = [
        {**{key: getattr(each, key) for key in DRAWN}, **_arrows(each), **style_of(each)}
        for each in (previous, current)
    ]
    fields = changed_fields(*drawn)
    if fields and not (meant and set(fields) <= {"start_arrow", "end_arrow"}):
        details = _ids(previous, current) | {"fields": fields}
        yield Change("restyled", details, f"edge {name} was restyled: {fields_text(fields)}")


def _arrows(edge: DiagramEdge) -> dict[str, Any]:
    return {key: value for key, value in (edge.model_extra or {}).items() if key in ("start_arrow", "end_arrow")}


def _rerouted(previous: DiagramEdge, current: DiagramEdge, shift: Rigid, graph: PageGraph) -> Iterator[Change]:
    """Waypoints elsewhere, beyond the shift of the page."""
    before = np.array(previous.waypoints, dtype=np.float64).reshape(-1, 2) + shift.translation[:2]
    after = np.array(current.waypoints, dtype=np.float64).reshape(-1, 2)
    if before.shape == after.shape and (before.size == 0 or np.abs(before - after).max() <= SAME_PLACE):
        return
    details = _ids(previous, current) | {"waypoints": delta(previous.waypoints, current.waypoints)}
    yield Change("moved", details, f"edge {edge_name(current, graph)} was routed differently")
