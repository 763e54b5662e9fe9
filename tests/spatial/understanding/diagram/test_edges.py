"""Connectors of a diagram: ends, direction, labels, kinds, waypoints."""

from __future__ import annotations

import pytest

from tests.spatial.diagrams import edge, link, node, page, point, points, vertex, warnings

A, B = vertex("a", (0, 0, 40, 20)), vertex("b", (100, 0, 40, 20))


@pytest.mark.requirement("diagram.edge-direction")
@pytest.mark.parametrize(
    ("style", "directed", "bidirectional", "heads"),
    [
        ("", True, False, (None, "classic")),
        ("endArrow=none;", False, False, (None, None)),
        ("endArrow=block;", True, False, (None, "block")),
        ("startArrow=classic;", True, True, ("classic", "classic")),
        ("startArrow=oval;endArrow=none;", True, False, ("oval", None)),
        ("startArrow=none;endArrow=none;", False, False, (None, None)),
        ("startArrow=ERmany;endArrow=ERone;", True, True, ("ERmany", "ERone")),
    ],
)
def test_direction_is_what_the_arrowheads_say(
    style: str, directed: bool, bidirectional: bool, heads: tuple[str | None, str | None]
) -> None:
    found = link("e", A, B, edge("e", "a", "b", style=style))
    assert (found["directed"], found["bidirectional"]) == (directed, bidirectional)
    assert (found.get("start_arrow"), found.get("end_arrow")) == heads


@pytest.mark.requirement("diagram.edge-labels")
def test_labels_are_joined_in_order() -> None:
    first = vertex("l1", value="<b>from</b>", style="edgeLabel;html=1;", parent="e", geometry='relative="1"')
    second = vertex("l2", value="to", style="edgeLabel;", parent="e")
    found = page(A, B, edge("e", "a", "b", "own<br>text"), first, vertex("l0", parent="e"), second)
    assert found["edges"][0]["label"] == "own\ntext\nfrom\nto"
    assert found["edges"][0]["labels"] == ["own\ntext", "from", "to"]
    assert [each["id"] for each in found["nodes"]] == ["a", "b"]
    assert "labels" not in link("e", A, B, edge("e", "a", "b", "one"))
    assert link("e", A, B, edge("e", "a", "b"), first)["label"] == "from"


@pytest.mark.requirement("diagram.edge-kinds")
@pytest.mark.parametrize(
    ("style", "connector"),
    [
        ("", "straight"),
        ("edgeStyle=orthogonalEdgeStyle;", "orthogonal"),
        ("edgeStyle=orthogonalEdgeStyle;curved=1;", "curved"),
        ("edgeStyle=elbowEdgeStyle;elbow=vertical;", "elbow"),
        ("edgeStyle=entityRelationEdgeStyle;", "entity_relation"),
        ("edgeStyle=segmentEdgeStyle;", "segment"),
        ("edgeStyle=isometricEdgeStyle;", "isometric"),
        ("edgeStyle=none;", "straight"),
        ("edgeStyle=mxgraph.unheard;", "straight"),
    ],
)
def test_connectors_and_dashes(style: str, connector: str) -> None:
    assert link("e", A, B, edge("e", "a", "b", style=style))["connector"] == connector
    assert link("e", A, B, edge("e", "a", "b", style=style))["dashed"] is False
    assert link("e", A, B, edge("e", "a", "b", style=f"{style}dashed=1;"))["dashed"] is True


@pytest.mark.requirement("diagram.edge-kinds")
def test_waypoints_in_containers_are_absolute() -> None:
    outer, inner = vertex("o", (100, 200, 300, 300)), vertex("i", (10, 20, 100, 100), parent="o")
    found = link("e", outer, inner, edge("e", parent="i", inner=points((1, 2), (3.5, -4)) + point(5, 6, "sourcePoint")))
    assert found["waypoints"] == [[111, 222], [113.5, 216]]
    assert found["source_point"] == [115, 226]
    assert found["parent"] == "i"
    assert link("e", A, edge("e", inner=points((1, 2))))["waypoints"] == [[1, 2]]


@pytest.mark.requirement("diagram.edge-kinds")
def test_fixed_points_on_shapes_are_absolute() -> None:
    apart = "exitX=1;exitY=0.5;exitDx=2;exitPerimeter=0;entryX=0;entryY=1;"
    found = link("e", A, B, edge("e", "a", "b", style=apart))
    assert (found["exit_point"], found["entry_point"]) == ([42, 10], [100, 20])
    assert "exit_point" not in link("e", A, B, edge("e", None, "b", style="exitX=1;exitY=0.5;"))


@pytest.mark.requirement("diagram.edge-kinds")
@pytest.mark.parametrize(
    ("style", "there"),
    [
        ("", [40, 20]),
        ("ellipse;", [20 + 20 / 2**0.5, 10 + 10 / 2**0.5]),
        ("rhombus;", [30, 15]),
        ("shape=cloud;perimeter=ellipsePerimeter;", [20 + 20 / 2**0.5, 10 + 10 / 2**0.5]),
    ],
)
def test_a_fixed_point_lies_on_the_outline_of_its_shape(style: str, there: list[float]) -> None:
    shape = vertex("s", (0, 0, 40, 20), style=style)
    found = link("e", shape, B, edge("e", "s", "b", style="exitX=1;exitY=1;"))
    assert found["exit_point"] == pytest.approx(there, abs=1e-3)


@pytest.mark.requirement("diagram.edge-loose")
@pytest.mark.parametrize(
    ("x", "y", "target", "told"),
    [
        (20, 10, "a", ["target"]),  # on the shape
        (44.5, 10, "a", ["target"]),  # next to it
        (46, 10, None, None),  # too far
        (43, 23, None, None),  # 3 and 3 beyond a corner are 6 around it
        (60, 60, "small", ["target"]),  # on two: the smaller
    ],
)
def test_loose_ends_are_attached_to_what_they_lie_on(x: float, y: float, target: str | None, told: object) -> None:
    shapes = [A, B, vertex("large", (50, 50, 50, 50)), vertex("small", (55, 55, 10, 10))]
    found = link("e", *shapes, edge("e", "b", inner=point(x, y, "targetPoint")))
    assert found["source"] == "b"
    assert found["target"] == target
    assert found.get("inferred") == told
    assert found["target_point"] == [x, y]


@pytest.mark.requirement("diagram.edge-loose")
def test_hidden_shapes_take_no_loose_end() -> None:
    found = link("e", vertex("a", visible="0"), edge("e", inner=point(1, 1, "sourcePoint")))
    assert (found["source"], found["target"], "inferred" in found) == (None, None, False)


@pytest.mark.requirement("diagram.edge-ends")
def test_edges_may_end_on_edges_and_labels_stand_for_theirs() -> None:
    label = vertex("l", value="x", parent="e1", style="edgeLabel;")
    cells = [A, B, edge("e1", "a", "b"), label, edge("e2", "a", "e1"), edge("e3", "l", "b"), edge("e4", "a", "a")]
    assert (link("e2", *cells)["source"], link("e2", *cells)["target"]) == ("a", "e1")
    assert link("e3", *cells)["source"] == "e1"
    assert link("e4", *cells)["target"] == "a"
    assert page(*cells)["graph"]["edge_count"] == 4


@pytest.mark.requirement("diagram.edge-ends")
def test_an_end_at_nothing_is_null_with_a_warning() -> None:
    cells = [A, edge("e", "a", "gone")]
    found = link("e", *cells)
    assert found["source"] == "a" and found["target"] is None
    assert "e" in warnings(*cells) and "not there" in warnings(*cells)
    assert warnings(A, edge("e", "a")) == ""


@pytest.mark.requirement("diagram.edge-ends")
def test_edges_within_edges_have_a_place() -> None:
    found = link(
        "e2",
        A,
        B,
        edge("e1", "a", "b", parent="g"),
        vertex("g", (7, 7, 9, 9)),
        edge("e2", parent="e1", inner=points((1, 1))),
    )
    assert found["waypoints"] == [[8, 8]]
    assert node("x", edge("e1"), vertex("l", parent="e1"), vertex("x", (1, 2, 3, 4), parent="l"))["parent"] is None
