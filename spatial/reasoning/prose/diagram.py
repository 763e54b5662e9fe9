"""A diagram in sentences: its pages, where the flow starts and ends, decisions, cycles, containers, loose nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from spatial.contract.diagram import DiagramPage
from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.reasoning.features.flow import Flow, flow_of
from spatial.reasoning.prose.sentence import Fact, Sentence, listing, quoted, sentence
from spatial.reasoning.scene.items.diagram import prefix_of
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.report import SceneReport


def diagram_sentences(structure: Structure, report: SceneReport) -> Iterator[Sentence]:
    """Each page in its turn."""
    pages = structure.pages or []
    if not pages:
        yield sentence("the diagram has no page", Fact("pages", 0, "structure", "structure.pages"))
    for page in pages:
        items = _items_of(page, pages, report)
        flow = flow_of(items, report.relations)
        yield _opening(page, items, flow)
        yield from _course(flow)
        yield from _containers(items)
        yield from _loose(flow, page, report)


def _items_of(page: DiagramPage, pages: list[DiagramPage], report: SceneReport) -> list[Item]:
    prefix = prefix_of(page, pages)
    ids = {f"{prefix}{node.id}" for node in page.nodes}
    return [item for item in report.items if item.id in ids]


def _opening(page: DiagramPage, items: list[Item], flow: Flow) -> Sentence:
    name = f"the diagram {quoted(page.name)}" if page.name else "the diagram"
    counts = {kind: sum(item.type == kind for item in items) for kind in ("node", "container", "text")}
    parts = [
        count_of(counts["node"], "node"),
        *([count_of(counts["container"], "container")] if counts["container"] else []),
        *([count_of(counts["text"], "piece of text", "pieces of text")] if counts["text"] else []),
        count_of(len(page.edges), "edge"),
    ]
    facts = [Fact(f"{kind} count", number, "structure", "objects") for kind, number in counts.items()]
    facts.append(
        Fact("edge count", len(page.edges), "structure", "relations of the type connected_to, unattached_edges")
    )
    text = f"{name} has {listing(parts)}"
    if flow.components > 1 and flow.edge_count:
        text += f", in {flow.components} unconnected parts"
        facts.append(Fact("connected parts", flow.components, "structure", "relations of the type connected_to"))
    return sentence(text, *facts)


def _course(flow: Flow) -> Iterator[Sentence]:
    """Start, end, decisions and cycles, as the arrows say."""
    where = "relations of the type connected_to"
    facts = [Fact("starts", flow.starts, "structure", where), Fact("ends", flow.ends, "structure", where)]
    if not flow.decisions:  # a chart of classes or of an organisation has arrows, and no course of events
        yield from _outermost(flow, facts)
    elif flow.starts and flow.ends:
        yield sentence(f"the flow starts at {_names(flow, flow.starts)} and ends at {_names(flow, flow.ends)}", *facts)
    elif flow.starts or flow.ends:
        verb, ends = ("starts at", flow.starts) if flow.starts else ("ends at", flow.ends)
        yield sentence(
            f"the flow {verb} {_names(flow, ends)}, and its arrows show no {'end' if flow.starts else 'start'}", *facts
        )
    if flow.decisions:
        branches = [f"{_name(flow, name)}{_outcomes(flow, name)}" for name in flow.decisions]
        yield sentence(
            f"it has {count_of(len(branches), 'decision')}: {listing(branches)}",
            Fact("decisions", flow.decisions, "structure", "objects whose shape is a diamond"),
        )
    if flow.cycles:
        rings = [_names(flow, ring) for ring in flow.cycles]
        yield sentence(
            f"it has {count_of(len(rings), 'cycle')}: " + "; ".join(rings[:3]) + ("; …" if len(rings) > 3 else ""),
            Fact("cycles", flow.cycles, "structure", where),
        )


def _outermost(flow: Flow, facts: list[Fact]) -> Iterator[Sentence]:
    """Where arrows only leave and only arrive, without the claim that something flows."""
    parts = [
        *([f"none leads to {_names(flow, flow.starts)}"] if flow.starts else []),
        *([f"none leads on from {_names(flow, flow.ends)}"] if flow.ends else []),
    ]
    if parts:
        yield sentence(f"of its arrows {' and '.join(parts)}", *facts)


def _outcomes(flow: Flow, name: str) -> str:
    """What follows a decision, by the labels of its edges."""
    steps = list(dict.fromkeys(flow.following[name]))
    outcomes = [
        f"{quoted(flow.labels[name, step])} to {_name(flow, step)}" for step in steps if (name, step) in flow.labels
    ]
    return f" ({listing(outcomes)})" if outcomes else ""


def _containers(items: list[Item]) -> Iterator[Sentence]:
    held = {item.id: sum(each.parent == item.id for each in items) for item in items if item.type == "container"}
    names = {item.id: item.name for item in items}
    named = [f"{_title(names[place])} ({count_of(number, 'object')})" for place, number in held.items()]
    if named:
        verb = "container holds" if len(named) == 1 else "containers hold"
        yield sentence(
            f"{len(named)} {verb} other objects: {listing(named)}",
            Fact("objects held", held, "structure", "objects[].parent"),
        )


def _title(name: str | None) -> str:
    return quoted(name) if name else "one without a label"


def _loose(flow: Flow, page: DiagramPage, report: SceneReport) -> Iterator[Sentence]:
    if flow.isolated:
        verb = "node has" if len(flow.isolated) == 1 else "nodes have"
        yield sentence(
            f"{len(flow.isolated)} {verb} no edge: {_names(flow, flow.isolated)}",
            Fact("isolated", flow.isolated, "structure", "relations of the type connected_to"),
        )
    loose = [edge.id for edge in page.edges if edge.source is None or edge.target is None]
    if loose:
        verb = "edge has" if len(loose) == 1 else "edges have"
        yield sentence(
            f"{len(loose)} {verb} an end that is attached to nothing",
            Fact("edges with a loose end", loose, "structure", "unattached_edges"),
        )


def _names(flow: Flow, names: Sequence[str]) -> str:
    counted = Counter(_name(flow, name) for name in names)
    return listing([name if number == 1 else f"{name} ({number} times)" for name, number in counted.items()])


def _name(flow: Flow, name: str) -> str:
    item = flow.nodes[name]
    return (
        quoted(item.name)
        if item.name
        else f"an unnamed {str(item.properties.get('shape') or 'node').rpartition('.')[2]}"
    )
