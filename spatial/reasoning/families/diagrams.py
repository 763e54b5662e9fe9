"""The rules of the families of diagrams, by their shapes, edges and containers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from spatial.reasoning.families.scoring import Criterion, Judgement, insufficient, judge, ramp
from spatial.reasoning.features.flow import Flow, flow_of
from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.relations.relation import SceneRelation

FLOW_SHAPES: Final = re.compile(r"flowchart|rhombus|decision|diamond|terminator|bpmn|parallelogram|document|manual")
NETWORK_SHAPES: Final = re.compile(
    r"cisco|network|aws|azure|gcp|cloud|server|router|switch|firewall|computer|vnet|kubernetes|rack|citrix|ibm|alibaba|veeam|vmware"
)
CLASS_SHAPES: Final = re.compile(r"umlframe|swimlane|class|component|lollipop|module")
DATA_SHAPES: Final = re.compile(r"datastore|cylinder|partialrectangle|external|process\b")

LEAST_NODES: Final = 2
"""Fewest nodes of a diagram that has a family."""


@dataclass(frozen=True)
class DiagramFeatures:
    """Shares are of the nodes of the graph, or of its edges.

    lane_share: nodes in containers that lie in containers or have other containers beside them, as the lanes of a pool do.
    member_share: of the pieces of text, those in containers, as the attributes of a class are.
    """

    node_count: int
    edge_count: int
    directed_share: float
    decision_share: float
    flow_share: float
    network_share: float
    is_tree: float
    cycle_count: int
    lane_share: float
    member_share: float
    class_share: float
    data_share: float
    text_share: float
    reverse_share: float


def judge_diagram(items: Sequence[Item], relations: Sequence[SceneRelation]) -> Judgement:
    """The family of the nodes of one page."""
    flow = flow_of(items, relations)
    if len(flow.nodes) + sum(item.type == "container" for item in items) < LEAST_NODES:
        return insufficient("the page has fewer than two nodes", {})
    features = measure_diagram(items, flow)
    return judge({family: rule(features) for family, rule in RULES.items()}, asdict(features))


def measure_diagram(items: Sequence[Item], flow: Flow) -> DiagramFeatures:
    """Counts and shares of a page."""
    nodes = list(flow.nodes.values())
    texts = [item for item in items if item.type == "text"]
    containers = {item.id for item in items if item.type == "container"}
    count = max(len(nodes), 1)
    edges = max(flow.edge_count, 1)
    shapes = [str(item.properties.get("shape") or "").lower() for item in nodes]
    holders = [str(item.properties.get("shape") or "").lower() for item in items if item.type == "container"]
    pairs = set(flow.arrows)
    return DiagramFeatures(
        node_count=len(nodes),
        edge_count=flow.edge_count,
        directed_share=len(flow.arrows) / edges,
        decision_share=len(flow.decisions) / count,
        flow_share=sum(bool(FLOW_SHAPES.search(shape)) for shape in shapes) / count,
        network_share=sum(bool(NETWORK_SHAPES.search(shape)) for shape in shapes) / count,
        is_tree=float(_is_tree(flow)),
        cycle_count=len(flow.cycles),
        lane_share=sum(item.parent in containers for item in nodes) / count if len(containers) > 1 else 0.0,
        member_share=sum(item.parent in containers for item in texts) / len(texts) if texts else 0.0,
        class_share=sum(bool(CLASS_SHAPES.search(shape)) for shape in holders) / len(holders) if holders else 0.0,
        data_share=sum(bool(DATA_SHAPES.search(shape)) for shape in shapes) / count,
        text_share=len(texts) / max(len(items), 1),
        reverse_share=sum((target, source) in pairs for source, target in pairs) / max(len(pairs), 1),
    )


def _is_tree(flow: Flow) -> bool:
    """Whether every connected node but one has one predecessor, in the one direction or the other, and nothing leads back."""
    joined = len(flow.nodes) - len(flow.isolated)
    pairs = {frozenset(pair) for pair in (*flow.arrows, *flow.both_ways, *flow.undirected)}
    parts = flow.components - len(flow.isolated)
    if joined < 3 or parts != 1 or len(pairs) != joined - 1:
        return False
    targets = [target for _, target in flow.arrows]
    sources = [source for source, _ in flow.arrows]
    return not flow.arrows or len(set(targets)) == len(targets) or len(set(sources)) == len(sources)


def _criterion(name: str, value: float, none: float, full: float) -> Criterion:
    return Criterion(name, value, ramp(value, none, full))


def _flowchart(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("edge_count", features.edge_count, 0, 2),
        _criterion("directed_share", features.directed_share, 0.4, 0.8),
        _criterion("flow_share", max(features.flow_share, 2 * features.decision_share), -0.1, 0.2),
        _criterion("lane_share", features.lane_share, 1.0, 0.5),
        _criterion("network_share", features.network_share, 0.5, 0.1),
    ]


def _swimlanes(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("edge_count", features.edge_count, 0, 2),
        _criterion("directed_share", features.directed_share, 0.4, 0.8),
        _criterion("lane_share", features.lane_share, 0.3, 0.7),
        _criterion("member_share", features.member_share, 1.0, 0.5),
    ]


def _network(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("edge_count", features.edge_count, 0, 1),
        _criterion("network_share", features.network_share, 0.0, 0.3),
        _criterion("decision_share", features.decision_share, 0.2, 0.0),
    ]


def _organisation(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("edge_count", features.edge_count, 0, 2),
        _criterion("is_tree", features.is_tree, 0.0, 1.0),
        _criterion("flow_share", features.flow_share, 0.2, 0.0),
        _criterion("network_share", features.network_share, 0.2, 0.0),
    ]


def _classes(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("class_share", features.class_share, 0.0, 0.5),
        _criterion("member_share", features.member_share, 0.3, 0.8),
        _criterion("text_share", features.text_share, 0.1, 0.4),
    ]


def _data_flow(features: DiagramFeatures) -> list[Criterion]:
    return [
        _criterion("edge_count", features.edge_count, 0, 2),
        _criterion("directed_share", features.directed_share, 0.4, 0.8),
        _criterion("cycle_count", features.cycle_count, -1, 1),
        _criterion("data_share", max(features.data_share, features.reverse_share), 0.0, 0.3),
        _criterion("decision_share", features.decision_share, 0.1, 0.0),
    ]


def _illustration(features: DiagramFeatures) -> list[Criterion]:
    share = features.edge_count / max(features.node_count, 1)
    return [_criterion("edges_per_node", share, 0.4, 0.05), _criterion("member_share", features.member_share, 1.0, 0.5)]


RULES: Final[dict[str, Callable[[DiagramFeatures], list[Criterion]]]] = {
    "flowchart": _flowchart,
    "cross_functional_flowchart": _swimlanes,
    "network_diagram": _network,
    "organisation_chart": _organisation,
    "class_diagram": _classes,
    "data_flow_diagram": _data_flow,
    "illustration": _illustration,
}
"""Families of diagrams. organisation_chart: any tree of plain shapes, since nothing but its words tells what a tree is of."""
