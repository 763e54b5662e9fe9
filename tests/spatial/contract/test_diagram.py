"""DiagramPage: nodes, edges, relations, graph."""

from __future__ import annotations

import json
from typing import Any

import pytest

from spatial.contract import examples
from spatial.contract.diagram import DiagramEdge, DiagramNode, DiagramPage, Graph, Relation
from spatial.contract.validation import check
from spatial.errors import InvalidRequest

NODE: dict[str, Any] = {
    "id": "n1",
    "label": "Browser",
    "shape": "ellipse",
    "bbox": {"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0},
    "center": [2.5, 4.0],
    "parent": "lane-1",
    "children": ["n2"],
    "is_container": True,
    "is_text": False,
    "link": "https://example.com",
    "attributes": {"owner": "ops"},
}
EDGE: dict[str, Any] = {
    "id": "e1",
    "source": "n1",
    "target": "n2",
    "directed": True,
    "bidirectional": False,
    "label": "HTTPS",
    "connector": "orthogonal",
    "dashed": True,
    "waypoints": [[0.0, 1.0], [2.0, 3.0]],
}


def written(document: DiagramNode | DiagramEdge | DiagramPage) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(document.model_dump_json(exclude_none=True))
    return read


def wrong_path(model: Any, value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(model, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


@pytest.mark.requirement("diagram-page.node")
def test_a_node_says_all_that_the_spec_lists() -> None:
    assert written(check(DiagramNode, NODE)) == NODE


@pytest.mark.requirement("diagram-page.node", "contract.strict")
@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("bbox", {"x": 1, "y": 2, "width": 3}, "bbox.height"),
        ("center", [1.0, 2.0, 3.0], "center"),
        ("is_text", "false", "is_text"),
        ("children", "n2", "children"),
        ("attributes", {"n": 1}, "attributes.n"),
    ],
)
def test_what_a_node_refuses(name: str, value: Any, path: str) -> None:
    assert wrong_path(DiagramNode, {**NODE, name: value}) == path


@pytest.mark.requirement("diagram-page.node-parent")
def test_a_node_on_the_page_itself_has_parent_null() -> None:
    assert written(DiagramNode(id="n1"))["parent"] is None
    assert "shape" not in written(DiagramNode(id="n1"))
    page = DiagramPage(id="p", name="", nodes=[DiagramNode(id="n1")], edges=[])
    assert written(page)["nodes"][0]["parent"] is None
    assert page.model_dump(exclude_none=True)["nodes"][0]["parent"] is None


@pytest.mark.requirement("diagram-page.edge")
def test_an_edge_says_all_that_the_spec_lists() -> None:
    assert written(check(DiagramEdge, EDGE)) == EDGE
    assert wrong_path(DiagramEdge, {**EDGE, "waypoints": [[0.0]]}) == "waypoints.0"


@pytest.mark.requirement("diagram-page.edge-ends")
def test_a_loose_edge_has_null_ends() -> None:
    loose = written(DiagramEdge(id="e1"))
    assert (loose["source"], loose["target"]) == (None, None)
    assert check(DiagramEdge, {**EDGE, "source": None}).source is None


@pytest.mark.requirement("diagram-page.node-parent", "diagram-page.edge-ends", "contract.json-schema")
def test_only_parent_and_ends_may_be_null_in_the_schema() -> None:
    definitions = DiagramPage.model_json_schema()["$defs"]
    nullable = {
        f"{model}.{name}"
        for model, schema in definitions.items()
        for name, member in schema["properties"].items()
        if {"type": "null"} in member.get("anyOf", [])
    }
    assert nullable == {"DiagramNode.parent", "DiagramEdge.source", "DiagramEdge.target"}


@pytest.mark.requirement("diagram-page.relations")
def test_the_six_relations() -> None:
    pair = {"subject": "n1", "object": "n2"}
    for kind in ("contains", "left_of", "right_of", "above", "below", "overlaps"):
        assert check(Relation, {"type": kind, **pair}).type == kind
    assert wrong_path(Relation, {"type": "near", **pair}) == "type"


@pytest.mark.requirement("diagram-page.relation-members")
def test_a_relation_names_its_ends_and_its_edge() -> None:
    whole = {"type": "contains", "subject": "n1", "object": "n2", "via_edge": "e1"}
    assert check(Relation, whole).model_dump() == whole
    assert wrong_path(Relation, {"type": "contains", "subject": "n1"}) == "object"
    assert wrong_path(Relation, {**whole, "via_edge": 1}) == "via_edge"


@pytest.mark.requirement("diagram-page.graph")
@pytest.mark.parametrize("name", ["node_count", "edge_count", "components", "roots", "sinks", "isolated", "has_cycle"])
def test_a_graph_says_all_seven_facts(name: str) -> None:
    graph = examples.DIAGRAM_PAGE["graph"]
    assert isinstance(graph, dict)
    assert check(Graph, graph).model_dump() == graph
    assert wrong_path(Graph, {key: value for key, value in graph.items() if key != name}) == name
