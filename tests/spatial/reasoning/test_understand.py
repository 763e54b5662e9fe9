"""understand: objects, relations and their proof."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.errors import InputRejected
from spatial.reasoning.scene.model import Array
from tests.spatial.reasoning.documents import ask, extracted

INVERSE = {"left_of": "right", "below": "above", "above": "below", "in_front_of": "behind"}


def box_points(low: Iterable[float], size: Iterable[float], count: int = 8) -> Array:
    """A grid on the six sides of a box."""
    steps = np.linspace(0, 1, count)
    grid = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    on_side = ((grid == 0) | (grid == 1)).any(axis=1)
    return np.asarray(np.array(list(low)) + grid[on_side] * np.array(list(size)))


def clouds(objects: dict[str, Array], kinds: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "point_clouds": [
            {
                "object_id": name,
                "kind": (kinds or {}).get(name, "unknown"),
                "points": [dict(zip("xyz", row, strict=True)) for row in rows.tolist()],
            }
            for name, rows in objects.items()
        ]
    }


def scene_of(objects: dict[str, Array], kinds: dict[str, str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = ask("understand", point_cloud_scene=clouds(objects, kinds))
    return found


def relations(found: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(each["type"], each["subject"], each["object"]) for each in found["data"]["cad_scene"]["relations"]}


def node(name: str, x: float, y: float, **members: Any) -> dict[str, Any]:
    return {"id": name, "label": name, "bbox": {"x": x, "y": y, "width": 80, "height": 40}, "parent": None, **members}


def edge(name: str, source: str | None, target: str | None, **members: Any) -> dict[str, Any]:
    return {"id": name, "source": source, "target": target, "directed": True, "end_arrow": "classic", **members}


def diagram(*pages: dict[str, Any]) -> dict[str, Any]:
    return document(
        "diagram2d", "pixel", "drawio", pages=[{"id": "p", "name": "Page", "edges": [], **page} for page in pages]
    )


def document(kind: str, units: str, source_format: str, **structure: Any) -> dict[str, Any]:
    return {
        "schema": "cad.extraction.v1",
        "source_format": source_format,
        "units": units,
        "structure": {"kind": kind, **structure},
        "statistics": {},
        "warnings": [],
        "request_id": "test",
    }


@pytest.mark.requirement("understand.objects")
def test_an_assembly_holds_its_parts_with_absolute_bounds() -> None:
    part = cq.Workplane().box(10, 10, 10)
    inner = cq.Assembly(name="pair").add(part, name="first").add(part, name="second", loc=cq.Location((30, 0, 0)))
    whole = cq.Assembly(name="whole").add(inner, loc=cq.Location((0, 100, 0))).add(part, name="third")
    found = ask("understand", extracted(whole))["data"]["cad_scene"]
    by_name = {each["name"]: each for each in found["objects"] if each["type"] == "assembly"}
    assert by_name["pair"]["parent"] == by_name["whole"]["id"]
    np.testing.assert_allclose(by_name["pair"]["bounds"]["min"], (-5, 95, -5), atol=1e-6)
    np.testing.assert_allclose(by_name["pair"]["bounds"]["max"], (35, 105, 5), atol=1e-6)
    solids = [each for each in found["objects"] if each["type"] == "solid"]
    assert sorted(each["parent"] for each in solids) == sorted([by_name["whole"]["id"], *[by_name["pair"]["id"]] * 2])


@pytest.mark.requirement("understand.objects")
def test_the_nodes_of_several_pages_have_ids_with_their_page() -> None:
    pages = [
        {"id": name, "name": name, "nodes": [node("a", 0, 0, is_container=True), node("b", 10, 10, parent="a")]}
        for name in ("p1", "p2")
    ]
    objects = {each["id"]: each for each in ask("understand", diagram(*pages))["data"]["cad_scene"]["objects"]}
    assert list(objects) == ["p1", "p1/a", "p1/b", "p2", "p2/a", "p2/b"]
    assert objects["p2/b"]["parent"] == "p2/a"
    assert objects["p2/a"]["parent"] == "p2"
    assert objects["p1/b"]["bounds"] == {"min": [10.0, 10.0], "max": [90.0, 50.0]}


@pytest.mark.requirement("understand.edges")
def test_edges_point_where_their_arrowheads_point() -> None:
    page = {
        "nodes": [node("a", 0, 0), node("b", 200, 0)],
        "edges": [
            edge("ahead", "a", "b", label="go"),
            {"id": "back", "source": "a", "target": "b", "directed": True, "start_arrow": "classic"},
            edge("both", "a", "b", bidirectional=True, start_arrow="classic"),
            {"id": "line", "source": "a", "target": "b"},
            edge("loose", "a", None),
        ],
    }
    found = ask("understand", diagram(page))["data"]["cad_scene"]
    edges = {each["via_edge"]: each for each in found["relations"] if each["type"] == "connected_to"}
    assert {name: (each["subject"], each["object"], each["direction"]) for name, each in edges.items()} == {
        "ahead": ("a", "b", "directed"),
        "back": ("b", "a", "directed"),
        "both": ("a", "b", "bidirectional"),
        "line": ("a", "b", "undirected"),
    }
    assert edges["ahead"]["label"] == "go"
    assert found["unattached_edges"] == [{"id": "loose", "source": "a"}]


@pytest.mark.requirement("understand.neighbours")
def test_y_points_down_in_a_diagram_and_up_on_a_sheet() -> None:
    assert ("above", "a", "b") in relations(ask("understand", diagram({"nodes": [node("a", 0, 0), node("b", 0, 100)]})))
    texts = [
        {"id": f"t{n}", "text": "x", "page": 1, "bbox": [0, y, 50, y + 10], "position": [0, y]}
        for n, y in enumerate((0, 100))
    ]
    metadata = {
        "title_block": {"fields": {"title": "x"}, "confidence": 1.0, "sources": {"title": ["t0"]}},
        "notes": {"items": [{"number": 1, "text": "x", "sources": ["t1"]}], "confidence": 1.0},
    }
    sheet = document(
        "drawing2d",
        "millimeter",
        "dxf",
        sheets=[{"page": 1, "bbox": [0, 0, 200, 200]}],
        annotations=texts,
        drawing_metadata=metadata,
    )
    assert ("below", "title_block", "notes") in relations(ask("understand", sheet))


@pytest.mark.requirement("understand.neighbours")
def test_only_the_nearest_neighbour_in_a_row_is_related() -> None:
    found = relations(
        ask("understand", diagram({"nodes": [node(name, x, 0) for name, x in (("a", 0), ("b", 100), ("c", 200))]}))
    )
    assert found == {("left_of", "a", "b"), ("left_of", "b", "c")}


@pytest.mark.requirement("understand.neighbours")
def test_overlapping_and_nested_shapes_are_told_apart() -> None:
    nodes = [
        node("a", 0, 0),
        node("b", 60, 20),
        {**node("frame", 300, 0), "bbox": {"x": 300, "y": 0, "width": 200, "height": 200}},
        node("c", 320, 20),
    ]
    found = relations(ask("understand", diagram({"nodes": nodes})))
    assert ("overlaps", "a", "b") in found
    assert ("contains", "frame", "c") in found
    assert not {each for each in found if each[0] == "overlaps" and "frame" in each}


@pytest.mark.requirement("understand.contact")
def test_a_box_on_a_box_and_a_box_beside_it() -> None:
    objects = {
        "base": box_points((0, 0, 0), (10, 10, 10)),
        "top": box_points((2, 2, 10), (5, 5, 5)),
        "side": box_points((10, 0, 0), (4, 10, 10)),
    }
    found = relations(scene_of(objects, dict.fromkeys(objects, "box")))
    assert ("on", "top", "base") in found
    assert ("adjacent", "base", "side") in found
    apart = {**objects, "top": objects["top"] + (0, 0, 1)}
    assert not {each for each in relations(scene_of(apart, dict.fromkeys(objects, "box"))) if each[0] == "on"}


@pytest.mark.requirement("understand.contact")
def test_a_pin_in_a_hole_touches_it_and_one_with_play_does_not() -> None:
    plate = cq.Workplane().box(60, 60, 20).faces(">Z").workplane().hole(20)
    touching = cq.Assembly().add(plate, name="plate").add(cq.Workplane().circle(10).extrude(20, both=True), name="pin")
    found = ask("understand", extracted(touching))
    contact = next(each for each in found["data"]["cad_scene"]["relations"] if each["type"] == "adjacent")
    fact = next(each for each in found["proof"]["facts"] if each["fact"] == contact["id"])
    assert fact["from"] == "geometry"
    assert fact["measured"]["gap"] == pytest.approx(0, abs=1e-9)
    with_play = (
        cq.Assembly().add(plate, name="plate").add(cq.Workplane().circle(9.9).extrude(20, both=True), name="pin")
    )
    assert not {each for each in relations(ask("understand", extracted(with_play))) if each[0] in ("adjacent", "on")}


@pytest.mark.requirement("understand.contact")
def test_parts_whose_plane_faces_meet_stand_on_each_other() -> None:
    base = cq.Workplane().box(50, 50, 10).faces(">Z").workplane().hole(5)
    stud = cq.Workplane().circle(8).extrude(30).translate((15, 15, 5))
    stacked = cq.Assembly().add(base, name="base").add(stud, name="stud")
    document = extracted(stacked)
    names = {each.id: each.name for each in (document.structure and document.structure.solids) or ()}
    standing = [each for each in relations(ask("understand", document)) if each[0] == "on"]
    assert [(names[upper], names[lower]) for _, upper, lower in standing] == [("stud", "base")]


@pytest.mark.requirement("understand.inside")
def test_inside_means_within_the_hull() -> None:
    outer = box_points((0, 0, 0), (10, 10, 10))
    assert ("inside", "small", "big") in relations(scene_of({"big": outer, "small": box_points((4, 4, 4), (2, 2, 2))}))
    triangle = outer[outer[:, 0] + outer[:, 1] <= 10]
    assert ("inside", "small", "big") not in relations(
        scene_of({"big": triangle, "small": box_points((8, 8, 4), (1, 1, 2))})
    )


@pytest.mark.requirement("understand.drawing")
def test_a_drawing_reports_title_block_and_callouts() -> None:
    callouts = [
        {"id": "c1", "type": "hole", "text": "4X Ø6.6", "source": "t1", "quantity": 4},
        {"id": "c2", "type": "hole", "text": "Ø9", "source": "t2"},
        {"id": "c3", "type": "thread", "text": "M8", "source": "t3"},
    ]
    block = {"fields": {"title": "Bracket", "revision": "B"}, "confidence": 0.9, "sources": {}}
    found = ask(
        "understand",
        document("drawing2d", "millimeter", "pdf", callouts=callouts, drawing_metadata={"title_block": block}),
    )
    scene = found["data"]["cad_scene"]
    assert scene["title_block"]["fields"] == {"title": "Bracket", "revision": "B"}
    assert scene["callout_counts"] == {"hole": 2, "thread": 1}
    assert scene["callout_quantities"] == {"hole": 5, "thread": 1}


@pytest.mark.requirement("understand.proof")
def test_every_fact_has_its_origin() -> None:
    found = ask("understand", diagram({"nodes": [node("a", 0, 0), node("b", 0, 100)], "edges": [edge("e", "a", "b")]}))
    facts = {each["fact"]: each for each in found["proof"]["facts"]}
    for each in found["data"]["cad_scene"]["relations"]:
        assert facts[each["id"]]["from"] == ("structure" if each["type"] == "connected_to" else "geometry")
    above = next(each for each in found["data"]["cad_scene"]["relations"] if each["type"] == "above")
    assert facts[above["id"]]["measured"] == {"gap": 60.0, "shared_extent": [80.0]}
    assert facts["a: bounds"]["from"] == "structure"
    assert "proof" not in ask("understand", diagram({"nodes": [node("a", 0, 0)]}), detail="compact")


@pytest.mark.requirement("understand.bounded")
def test_relations_grow_with_the_objects_and_not_with_their_square() -> None:
    def count(side: int) -> int:
        nodes = [node(f"{x},{y}", x * 100, y * 100) for x in range(side) for y in range(side)]
        return len(relations(ask("understand", diagram({"nodes": nodes}))))

    assert count(5) == 2 * 5 * 4
    assert count(15) == 2 * 15 * 14


@pytest.mark.requirement("understand.bounded")
def test_a_dense_scene_names_what_was_not_tried() -> None:
    cube = box_points((0, 0, 0), (1, 1, 1), count=3)
    objects = {f"{x},{y},{z}": cube + np.array((x, y, z)) for x in range(5) for y in range(5) for z in range(5)}
    found = scene_of(objects)
    assert any("nearest bodies only" in warning for warning in found["warnings"])


@pytest.mark.requirement("understand.bounded")
def test_a_crowd_of_nodes_has_only_its_stated_relations() -> None:
    nodes = [node(f"n{n}", n * 100, 0) for n in range(2_001)]
    found = ask("understand", diagram({"nodes": nodes, "edges": [edge("e", "n0", "n1")]}))
    assert relations(found) == {("connected_to", "n0", "n1")}
    assert "2,001 objects lie side by side" in found["warnings"][0]


@pytest.mark.requirement("understand.nothing-422")
@pytest.mark.parametrize("task", ["understand", "describe", "classify"])
def test_a_question_about_nothing_says_what_to_send(task: str) -> None:
    with pytest.raises(InputRejected, match="absent or empty; send one of them"):
        ask(task)


SCENE = {
    "floor": box_points((0, 0, 0), (30, 20, 1)),
    "left": box_points((2, 3, 1), (4, 5, 6)),
    "right": box_points((15, 4, 1), (5, 6, 3)),
    "upper": box_points((16, 5, 4), (2.5, 2.5, 7)),
    "far": box_points((3, 40, 2), (4, 4, 4)),
}


@pytest.mark.requirement("understand.transforms")
@given(
    shift=st.tuples(*[st.integers(-1000, 1000)] * 3),
    power=st.integers(-6, 6),
)
def test_moving_and_scaling_changes_no_relation(shift: tuple[int, int, int], power: int) -> None:
    placed = {name: rows * 2.0**power + np.array(shift) * 2.0**power for name, rows in SCENE.items()}
    kinds = dict.fromkeys(SCENE, "box")
    assert relations(scene_of(placed, kinds)) == relations(scene_of(SCENE, kinds))


@pytest.mark.requirement("understand.transforms")
@given(quarters=st.integers(0, 3))
def test_turning_about_z_turns_the_relations(quarters: int) -> None:
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turned = {name: rows @ np.linalg.matrix_power(turn, quarters).T for name, rows in SCENE.items()}
    kinds = dict.fromkeys(SCENE, "box")
    before = relations(scene_of(SCENE, kinds))
    for _ in range(quarters):
        before = {_quarter(each) for each in before}
    assert {_sorted(each) for each in relations(scene_of(turned, kinds))} == {_sorted(each) for each in before}


def _quarter(relation: tuple[str, str, str]) -> tuple[str, str, str]:
    """A relation after the scene has turned by 90 degrees, from x to y: left becomes front, front becomes right."""
    kind, one, other = relation
    if kind == "left_of":
        return "in_front_of", one, other
    return ("left_of", other, one) if kind == "in_front_of" else relation


def _sorted(relation: tuple[str, str, str]) -> tuple[str, str, str]:
    kind, one, other = relation
    return (kind, *sorted((one, other))) if kind in ("adjacent", "overlaps") else relation  # type: ignore[return-value]  # three strings
