"""Revisions of diagrams: each kind of edit is told apart from the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.contract.extraction import CadExtraction
from tests.spatial.diagrams import edge, points, vertex
from tests.spatial.reasoning.diff.revisions import Record, compared, diagram, difference, shuffled

FLOW = {
    "start": vertex("start", (0, 0, 40, 20), "Start"),
    "first": vertex("first", (100, 0, 40, 20), "Check"),
    "second": vertex("second", (200, 0, 40, 20), "Check"),
    "end": vertex("end", (300, 0, 40, 20), "End"),
    "e1": edge("e1", "start", "first"),
    "e2": edge("e2", "first", "second", "yes"),
    "e3": edge("e3", "second", "end"),
}
"""A flow in which one label occurs twice."""

LANE = vertex("lane", (0, 200, 300, 100), "Lane", style="swimlane;")


def flow(**changed: str | None) -> CadExtraction:
    """The flow with some cells replaced, added, or left out (None)."""
    return diagram(*(cell for cell in (FLOW | changed).values() if cell is not None))


def edited(**changed: str | None) -> Record:
    """What compare says of an edit of the flow."""
    return difference(flow(), flow(**changed))


@pytest.mark.requirement("compare.nodes")
@pytest.mark.parametrize(
    ("cell", "kind", "expected"),
    [
        (vertex("first", (100, 40, 40, 20), "Check"), "moved", {"by": [0, 40]}),
        (vertex("first", (100, 0, 60, 20), "Check"), "resized", {"size": {"previous": [40, 20], "current": [60, 20]}}),
        (vertex("first", (100, 0, 40, 20), "Verify"), "renamed", {"previous": "Check", "current": "Verify"}),
        (
            vertex("first", (100, 0, 40, 20), "Check", style="html=1;fillColor=#ff0000;"),
            "restyled",
            {"fields": {"fillColor": {"current": "#ff0000"}}},
        ),
        (
            vertex("first", (100, 0, 40, 20), "Check", style="rhombus;html=1;"),
            "changed",
            {"fields": {"shape": {"previous": "rectangle", "current": "rhombus"}}},
        ),
    ],
    ids=["moved", "resized", "renamed", "restyled", "changed"],
)
def test_one_edit_of_a_node_is_one_change_of_its_kind(cell: str, kind: str, expected: Record) -> None:
    diff = edited(first=cell)
    assert diff["summary"] == {kind: 1}
    (row,) = diff["nodes"][kind]
    assert row["id"] == "first"
    assert {name: row[name] for name in expected} == expected


@pytest.mark.requirement("compare.nodes")
def test_nodes_that_one_diagram_has_are_added_or_removed() -> None:
    diff = edited(note=vertex("note", (100, 100, 40, 20), "Remark"))
    assert diff["summary"] == {"added": 1}
    assert diff["nodes"]["added"][0]["label"] == "Remark"
    diff = edited(end=None, e3=None)
    assert diff["summary"] == {"removed": 2}
    assert diff["nodes"]["removed"][0]["label"] == "End"
    assert diff["edges"]["removed"][0]["source"] == "second"


@pytest.mark.requirement("compare.structure")
def test_equal_labels_with_new_ids_are_matched_by_what_they_are_connected_to() -> None:
    """The two nodes "Check" exchange their places, and the file lists them the other way round."""
    redrawn = diagram(
        vertex("x3", (200, 0, 40, 20), "Check"),
        vertex("x2", (100, 0, 40, 20), "Check"),
        vertex("x1", (0, 0, 40, 20), "Start"),
        vertex("x4", (300, 0, 40, 20), "End"),
        edge("y1", "x1", "x3"),
        edge("y2", "x3", "x2", "yes"),
        edge("y3", "x2", "x4"),
    )
    diff = difference(flow(), redrawn)
    assert diff["summary"] == {"moved": 2, "redrawn": 7}
    assert {row["previous_id"]: row["id"] for row in diff["nodes"]["redrawn"]} == {
        "start": "x1",
        "first": "x3",
        "second": "x2",
        "end": "x4",
    }


@pytest.mark.requirement("compare.new-ids")
def test_new_ids_alone_are_no_change() -> None:
    renumbered = [_renumbered(cell) for cell in FLOW.values()]
    found = compared(flow(), diagram(*renumbered))
    assert found["verdict"] == "same"
    assert found["data"]["cad_scene_diff"]["summary"] == {"redrawn": 7}


def _renumbered(cell: str) -> str:
    for name in FLOW:
        cell = cell.replace(f'"{name}"', f'"n-{name}"')
    return cell


@pytest.mark.requirement("compare.edges")
@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        (edge("e1", "start", "second"), "rewired"),
        (edge("e1", "start", None), "rewired"),
        (edge("e1", "start", "first", "go"), "renamed"),
        (edge("e1", "start", "first", style="html=1;strokeColor=#00ff00;"), "restyled"),
        (edge("e1", "start", "first", style="html=1;dashed=1;"), "restyled"),
        (edge("e1", "start", "first", inner=points((60, 50))), "moved"),
        (edge("e9", "start", "first"), "redrawn"),
        (edge("e1", "start", "first", style="html=1;endArrow=none;"), "changed"),
    ],
    ids=["rewired", "detached", "relabelled", "recoloured", "dashed", "rerouted", "redrawn", "without an arrow"],
)
def test_one_edit_of_an_edge_is_one_change_of_its_kind(cell: str, kind: str) -> None:
    diff = edited(e1=cell)
    assert diff["summary"] == {kind: 1}
    assert len(diff["edges"][kind]) == 1


@pytest.mark.requirement("compare.edges")
def test_a_rewired_edge_says_from_where_to_where() -> None:
    (row,) = edited(e1=edge("e1", "start", "second"))["edges"]["rewired"]
    assert row["fields"] == {"target": {"previous": "first", "current": "second"}}


@pytest.mark.requirement("compare.container")
def test_what_moved_with_its_container_has_not_moved() -> None:
    inner = vertex("inner", (20, 40, 40, 20), "Inner", parent="lane")
    moved = LANE.replace('y="200"', 'y="260"')
    diff = difference(flow(lane=LANE, inner=inner), flow(lane=moved, inner=inner))
    assert diff["summary"] == {"moved": 1}
    assert diff["nodes"]["moved"][0]["id"] == "lane"


@pytest.mark.requirement("compare.container")
def test_a_node_in_another_container_is_reparented_and_not_moved() -> None:
    inside = vertex("end", (300, -200, 40, 20), "End", parent="lane")
    diff = difference(flow(lane=LANE), flow(lane=LANE, end=inside))
    assert diff["summary"] == {"reparented": 1}
    assert diff["nodes"]["reparented"][0]["parent"] == {"current": "lane"}


@pytest.mark.requirement("compare.alignment")
def test_a_diagram_that_is_moved_as_a_whole_is_aligned() -> None:
    cells = [cell.replace('y="0"', 'y="70"') for cell in FLOW.values()]
    found = compared(flow(), diagram(*cells))
    assert found["verdict"] == "same"
    (alignment,) = found["proof"]["alignment"]["pages"].values()
    assert alignment["kind"] == "translation"
    assert alignment["translation"] == [0, 70, 0]
    assert alignment["explained"] == 4


@dataclass(frozen=True)
class Node:
    """A node of a random diagram."""

    label: str
    x: int
    y: int

    def cell(self, place: int) -> str:
        return vertex(f"n{place}", (self.x * 10, self.y * 10, 40, 20), self.label)


@dataclass(frozen=True)
class Flow:
    """A random diagram: few labels, so that most repeat."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int, str], ...]

    def document(self) -> CadExtraction:
        cells = [node.cell(place) for place, node in enumerate(self.nodes)]
        joined = enumerate(self.edges)
        cells += [edge(f"e{n}", f"n{a}", f"n{b}", label) for n, (a, b, label) in joined if max(a, b) < len(self.nodes)]
        return diagram(*cells)


NODES = st.builds(Node, st.sampled_from(["A", "B", "Check", ""]), st.integers(0, 60), st.integers(0, 60))
EDGES = st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["", "yes", "no"]))
FLOWS = st.builds(
    Flow,
    st.lists(NODES, min_size=1, max_size=9, unique=True).map(tuple),
    st.lists(EDGES, max_size=10).map(tuple),
)


@pytest.mark.requirement("compare.nothing")
@given(FLOWS, st.integers(0, 99))
def test_a_diagram_compared_with_itself_in_any_order_has_no_change(found: Flow, seed: int) -> None:
    made = found.document()
    diff = difference(made, shuffled(made, seed))
    assert diff["summary"] == {}
    assert diff["verdict"] == "same"


@pytest.mark.requirement("compare.mirrored")
@given(FLOWS, FLOWS)
def test_with_the_diagrams_exchanged_added_and_removed_are_exchanged(first: Flow, second: Flow) -> None:
    before, after = first.document(), second.document()
    there, back = difference(before, after), difference(after, before)
    names = {"added": "removed", "removed": "added"}
    assert {names.get(kind, kind): number for kind, number in there["summary"].items()} == back["summary"]
    for section in ("nodes", "edges"):
        added, removed = (
            {row["id"] for row in diff[section].get(kind, ())} for diff, kind in ((there, "added"), (back, "removed"))
        )
        assert added == removed


@pytest.mark.requirement("compare.alignment")
@given(FLOWS, st.integers(-50, 50), st.integers(-50, 50))
def test_a_random_diagram_that_is_moved_has_no_other_change(found: Flow, x: int, y: int) -> None:
    moved = replace(found, nodes=tuple(replace(node, x=node.x + x, y=node.y + y) for node in found.nodes))
    assert difference(found.document(), moved.document())["summary"] == {}
