"""optimize: what each objective finds, what it proves, and when it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.responses import ResponsesInput
from spatial.errors import InputRejected
from spatial.reasoning.solve import solve
from tests.spatial.reasoning.asked import about_z, ask, transformed
from tests.spatial.reasoning.shapes import Array, corners, on_box, on_cylinder, on_sphere


def boxes(*sizes: tuple[float, float, float], apart: float = 50.0) -> dict[str, Array]:
    """Boxes in a row, well apart."""
    return {f"b{i}": corners((i * apart, 0, 0), (i * apart + x, y, z)) for i, (x, y, z) in enumerate(sizes)}


EIGHTHS = boxes(*[(5.0, 5.0, 5.0)] * 8)
"""Eight cubes that fill a cube of 10 exactly."""


def applied(objects: dict[str, Array], found: dict[str, Any]) -> dict[str, Array]:
    """The points after the placements of an answer."""
    rows = {each["object_id"]: np.array(each["transform"]).reshape(3, 4) for each in found["data"]["placements"]}
    return {name: objects[name] @ row[:, :3].T + row[:, 3] for name, row in rows.items()}


@pytest.mark.requirement("optimize.pack")
def test_eight_cubes_fill_a_cube_exactly() -> None:
    found = ask("optimize", EIGHTHS, {"objective": "pack", "container": {"size": [10, 10, 10]}})
    assert found["verdict"] == "improved"
    assert found["data"]["after"] == {"value": 1000.0, "packed": 8, "filled": 1.0}
    assert found["proof"]["optimality_gap"] == 0.0
    moved = applied(EIGHTHS, found)
    assert np.concatenate(list(moved.values())).min() >= -1e-9
    assert np.concatenate(list(moved.values())).max() <= 10 + 1e-9
    lows = {tuple(np.round(points.min(axis=0), 6).tolist()) for points in moved.values()}
    assert lows == {(x, y, z) for x in (0.0, 5.0) for y in (0.0, 5.0) for z in (0.0, 5.0)}


@pytest.mark.requirement("optimize.pack")
def test_what_cannot_be_packed_is_left_out_with_the_reason() -> None:
    scene = boxes((9, 9, 9), (8, 8, 8), (11, 2, 2))
    container = {"size": [10, 10, 10], "origin": [0, 200, 0]}
    found = ask("optimize", scene, {"objective": "pack", "container": container, "rotations": "all"})
    reasons = {each["object_id"]: each["reason"] for each in found["data"]["left_out"]}
    assert found["verdict"] == "improved"
    assert set(reasons) == {"b1", "b2"}
    assert "larger than the container" in reasons["b2"] and "no place" in reasons["b1"]
    only = ask("optimize", boxes((11, 2, 2)), {"objective": "pack", "container": {"size": [10, 10, 10]}})
    assert only["verdict"] == "infeasible" and only["data"]["placements"] == []


@pytest.mark.requirement("optimize.pack")
def test_objects_are_packed_into_the_inside_of_a_container_object() -> None:
    walls = np.concatenate(
        [on_box((0, 0, 0), (12, 12, 11), open_at=5), on_box((1, 1, 1), (11, 11, 11), seed=2, open_at=5)]
    )
    scene = {"crate": walls, **transformed(boxes((10, 5, 9.9), (10, 5, 9.9)), shift=(100, 0, 0))}
    found = ask("optimize", scene, {"objective": "pack"}, secondary_id="crate", kinds={"crate": "container"})
    assert found["verdict"] == "improved", found
    assert found["data"]["container"]["source"] == "cavity of secondary_id"
    assert found["data"]["after"]["packed"] == 2
    inside = np.concatenate(list(applied(scene, found).values()))
    assert inside.min(axis=0) == pytest.approx(1, abs=1e-3)
    assert inside.max(axis=0) == pytest.approx(np.array([11, 11, 10.9]), abs=1e-3)


@pytest.mark.requirement("optimize.pack")
def test_an_arrangement_that_is_packed_already_is_not_improved() -> None:
    scene = {"a": corners((0, 0, 0), (4, 4, 4)), "b": corners((4, 0, 0), (8, 4, 4))}
    found = ask("optimize", scene, {"objective": "pack", "container": {"size": [8, 4, 4]}})
    assert found["verdict"] == "no_better"
    assert found["data"]["before"]["value"] == 128.0
    assert applied(scene, found)["b"] == pytest.approx(scene["b"])


@pytest.mark.requirement("optimize.height")
def test_the_least_height_of_a_stack() -> None:
    scene = {f"b{i}": corners((0, 0, 2 * i), (4, 4, 2 * i + 2)) for i in range(4)}
    goal = {"objective": "height", "container": {"size": [8, 4]}, "supported": True}
    found = ask("optimize", scene, goal)
    assert (found["data"]["before"]["value"], found["data"]["after"]["value"]) == (8.0, 4.0)
    assert (found["verdict"], found["proof"]["bound"]) == ("improved", {"value": 4.0, "reason": "volume"})
    assert found["proof"]["check"]["is_valid"] and set(found["proof"]["check"]["support"].values()) == {1.0}
    low = ask("optimize", scene, {**goal, "container": {"size": [8, 4, 3.9]}})
    assert (low["verdict"], low["data"]["placements"]) == ("infeasible", [])
    assert "least height is 4" in low["reason"]
    assert ask("optimize", scene, {**goal, "container": {"size": [3, 4]}})["verdict"] == "infeasible"


@pytest.mark.requirement("optimize.footprint")
def test_the_least_footprint_and_the_least_depth() -> None:
    scene = boxes((6, 2, 3), (6, 2, 3), (2, 4, 3))
    found = ask("optimize", scene, {"objective": "footprint"})
    assert found["verdict"] == "improved"
    assert found["data"]["after"]["value"] == pytest.approx(32.0)
    assert found["proof"]["optimality_gap"] == pytest.approx(0.0)
    deep = ask("optimize", scene, {"objective": "footprint", "width": 6, "rotations": "none", "gap": 0.5})
    assert deep["data"]["after"]["value"] == pytest.approx(2 + 0.5 + 2 + 0.5 + 4)
    assert deep["proof"]["check"]["least_gap"] == pytest.approx(0.5)
    assert ask("optimize", scene, {"objective": "footprint", "width": 1})["verdict"] == "infeasible"


@pytest.mark.requirement("optimize.turns")
@pytest.mark.parametrize(
    ("size", "count", "goal", "best"),
    [
        ((2, 3, 1), 4, {"objective": "footprint", "width": 4}, 6.0),
        ((3.5, 5, 1), 2, {"objective": "footprint", "width": 7}, 5.0),
        ((2, 3, 1), 5, {"objective": "footprint"}, 30.0),
        ((2, 2, 3), 6, {"objective": "height", "container": {"size": [4, 2]}, "rotations": "all"}, 9.0),
        ((2, 3, 1), 7, {"objective": "pack", "container": {"size": [6, 7, 1]}}, 42.0),
        ((2, 3, 1), 7, {"objective": "pack", "container": {"size": [6, 7, 1]}, "rotations": "all"}, 42.0),
        ((1, 2, 1), 4, {"objective": "pack", "container": {"size": [3, 3, 1]}}, 8.0),
        ((1, 2, 4), 4, {"objective": "shelf", "container": {"size": [3, 3, 4]}}, 1.0),
    ],
)
def test_single_objects_are_turned_where_that_serves(
    size: tuple[float, float, float], count: int, goal: dict[str, Any], best: float
) -> None:
    found = ask("optimize", boxes(*[size] * count), goal)
    assert found["data"]["after"]["value"] == pytest.approx(best)


@pytest.mark.requirement("optimize.turns")
@given(
    st.lists(st.tuples(*[st.integers(1, 5)] * 3), min_size=1, max_size=6),
    st.sampled_from([("pack", [6, 5, 4]), ("height", [6, 5]), ("footprint", None), ("shelf", [7, 6, 5])]),
    st.sampled_from([0.0, 45.0]),
)
@settings(max_examples=12, deadline=None)
def test_more_turns_are_never_worse(
    sizes: list[tuple[float, float, float]], objective: tuple[str, list[float] | None], degrees: float
) -> None:
    scene = {name: points @ about_z(degrees).T for name, points in boxes(*sizes).items()}
    goal = {"objective": objective[0], "effort": 0.1}
    if objective[1]:
        goal["container"] = {"size": objective[1]}
    found = [ask("optimize", scene, {**goal, "rotations": turns})["data"] for turns in ("none", "z", "all")]
    values = [each["after"]["value"] if each["after"] else None for each in found]
    sign = -1.0 if objective[0] == "pack" else 1.0
    ranks = [np.inf if value is None else sign * value for value in values]
    assert ranks == sorted(ranks, reverse=True) or np.allclose(ranks, sorted(ranks, reverse=True), rtol=1e-6)


@pytest.mark.requirement("optimize.shelf")
def test_the_fewest_shelves() -> None:
    scene = {f"b{i}": corners((0, 0, 20 * i), (5, 5, 20 * i + 8)) for i in range(6)}
    found = ask("optimize", scene, {"objective": "shelf", "container": {"size": [10, 10, 9]}})
    assert (found["data"]["before"]["value"], found["data"]["after"]["value"]) == (6.0, 2.0)
    assert found["data"]["after"]["last_width"] == 5.0
    assert found["proof"]["bound"]["value"] == 2.0
    shelves = [each["shelf"] for each in found["data"]["placements"]]
    assert sorted(shelves) == [0, 0, 0, 0, 1, 1]


WEDGE = np.array([[0, 0, 0], [8, 0, 0], [0, 4, 0], [8, 4, 0], [0, 0, 8], [0, 4, 8]], dtype=np.float64)
"""A right-angled wedge, whose slope faces +x and up."""


@pytest.mark.requirement("optimize.print")
def test_a_part_is_printed_on_the_side_with_the_least_overhang() -> None:
    over = WEDGE @ np.diag([1.0, -1.0, -1.0])
    found = ask("optimize", {"wedge": over}, {"objective": "print", "overhang_angle": 40})
    assert found["verdict"] == "improved"
    assert found["data"]["before"]["overhang_area"] == pytest.approx(4 * np.hypot(8, 8))
    assert found["data"]["after"]["overhang_area"] == 0.0
    assert found["data"]["after"]["height"] == pytest.approx(4.0)
    turned = applied({"wedge": over}, found)["wedge"]
    assert np.ptp(turned[:, 2]) == pytest.approx(4.0)
    assert turned[:, 2].min() == pytest.approx(over[:, 2].min())
    again = ask("optimize", {"wedge": turned}, {"objective": "print", "overhang_angle": 40})
    assert again["verdict"] == "no_better"


@pytest.mark.requirement("optimize.unknown")
@pytest.mark.parametrize(
    ("goal", "field"),
    [
        ({}, "objective"),
        ({"objective": "tidy"}, "objective"),
        ({"objective": "pack", "container": {"size": [1, 2]}}, "container.size"),
        ({"objective": "pack"}, "container"),
        ({"objective": "shelf"}, "container"),
        ({"objective": "pack", "container": {"size": [1, 2, 0]}}, "container.size"),
        ({"objective": "pack", "container": {}}, "container.size"),
        ({"objective": "pack", "container": {"size": [9, 9, 9]}, "objects": ["b9"]}, "goal.objects.0"),
    ],
)
def test_a_goal_that_is_wrong_is_rejected(goal: dict[str, Any], field: str) -> None:
    with pytest.raises(InputRejected, match=field.replace(".", r"\.")):
        ask("optimize", EIGHTHS, goal)


@pytest.mark.requirement("goal.typed")
@pytest.mark.parametrize(
    "wrong",
    [{"gap": -1}, {"gap": "1"}, {"gap": True}, {"rotations": 3}, {"supported": 1}, {"container": 5}, {"container": {"size": ["a"]}},
     {"objects": "b1"}, {"effort": 0}, {"width": float("nan")}],
)  # fmt: skip
def test_a_member_of_the_wrong_kind_is_rejected_and_named(wrong: dict[str, Any]) -> None:
    goal = {"objective": "pack", "container": {"size": [9, 9, 9]}, **wrong}
    with pytest.raises(InputRejected) as caught:
        ask("optimize", EIGHTHS, goal)
    assert caught.value.details is not None
    assert caught.value.details["field"].startswith(f"input.goal.{next(iter(wrong))}")


@pytest.mark.requirement("goal.typed")
def test_members_that_are_not_used_are_named() -> None:
    found = ask(
        "optimize", EIGHTHS, {"objective": "footprint", "colour": "red", "container": {"size": [9, 9], "lid": 1}}
    )
    assert "input.goal has 1 member that the task does not use: colour" in found["warnings"]
    assert "input.goal.container has 1 member that the task does not use: lid" in found["warnings"]


@pytest.mark.requirement("optimize.unknown")
def test_a_container_whose_inside_is_not_known_is_unknown() -> None:
    scene = {"crate": on_box((0, 0, 0), (9, 9, 9)), "a": corners((20, 0, 0), (21, 1, 1))}
    found = ask("optimize", scene, {"objective": "pack"}, secondary_id="crate")
    assert found["verdict"] == "unknown" and "container.size" in found["reason"]


@pytest.mark.requirement("optimize.unknown")
def test_diagram_nodes_are_arranged_in_the_plane() -> None:
    nodes = [
        {"id": f"n{i}", "label": "", "shape": "rect", "bbox": {"x": 300.0 * i, "y": 0.0, "width": 40.0, "height": 20.0}}
        for i in range(4)
    ]
    page = {"id": "p", "name": "p", "nodes": nodes, "edges": [], "relations": []}
    document = {
        "schema": "cad.extraction.v1", "source_format": "drawio", "units": "pixel", "statistics": {}, "warnings": [], "request_id": "r",
        "structure": {"kind": "diagram2d", "pages": [page]},
    }  # fmt: skip
    content = {"task_type": "optimize", "cad_scene": document, "goal": {"objective": "footprint", "rotations": "none"}}
    found = solve(ResponsesInput.model_validate(content)).output[0]
    assert found["data"]["after"]["value"] == pytest.approx(4 * 40 * 20)
    assert found["verdict"] == "improved"


@pytest.mark.requirement("optimize.deterministic")
def test_the_same_question_has_the_same_answer() -> None:
    scene = boxes(*[(3.0 + i, 4.0, 2.0 + i % 3) for i in range(7)])
    goal = {"objective": "pack", "container": {"size": [12, 9, 6]}, "seed": 5}
    assert ask("optimize", scene, goal) == ask("optimize", scene, goal)


@pytest.mark.requirement("optimize.invariant")
@given(
    degrees=st.floats(-180, 180), scale=st.sampled_from([0.01, 25.4, 1000.0]), shift=st.tuples(*[st.floats(-500, 500)] * 3),
    objective=st.sampled_from(["pack", "height", "footprint", "shelf"]), tight=st.booleans(),
)  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_moving_the_whole_scene_never_changes_the_verdict(
    degrees: float, scale: float, shift: tuple[float, float, float], objective: str, tight: bool
) -> None:
    scene = boxes((6, 2, 3), (6, 2, 3), (2, 4, 3))
    size = [5.0, 4.0, 3.0] if tight else [8.0, 8.0, 6.0]

    def verdict(objects: dict[str, Array], length: float, origin: tuple[float, float, float]) -> str:
        goal = {"objective": objective, "container": {"size": [length * each for each in size], "origin": list(origin)}}
        return str(ask("optimize", objects, goal)["verdict"])

    expected = verdict(scene, 1.0, (500.0, 500.0, 0.0))
    far = tuple(scale * each + move for each, move in zip((500.0, 500.0, 0.0), shift, strict=True))
    assert verdict(transformed(scene, scale, about_z(degrees), shift), scale, (far[0], far[1], far[2])) == expected


@pytest.mark.requirement("optimize.pack")
@pytest.mark.parametrize("rotations", ["none", "z", "all"])
@pytest.mark.parametrize("objective", ["pack", "height", "footprint", "shelf"])
def test_cylinders_and_balls_are_arranged_as_well(objective: str, rotations: str) -> None:
    scene = {
        "cylinder": on_cylinder(5, 20),
        "ball": on_sphere(5) + np.array([40, 0, 0]),
        "box": corners((60, 0, 0), (70, 10, 10)),
    }
    goal = {"objective": objective, "rotations": rotations, "container": {"size": [60, 60, 60]}}
    found = ask("optimize", scene, goal)
    assert found["verdict"] in ("improved", "no_better"), found


@pytest.mark.requirement("optimize.pack")
def test_a_cylinder_that_lies_oblique_is_turned_to_go_in() -> None:
    lying = on_cylinder(5, 40) @ np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]).T
    goal = {"objective": "pack", "container": {"size": [41, 10.1, 10.1]}}
    assert ask("optimize", {"rod": lying @ about_z(30).T}, goal)["verdict"] == "improved"


@pytest.mark.requirement("optimize.print-stands")
def test_a_part_on_its_tip_is_turned_over() -> None:
    tip_down = np.array([[-20.0, -20, 20], [20, -20, 20], [20, 20, 20], [-20, 20, 20], [0, 0, 0]])
    sides = np.concatenate([np.linspace(tip_down[4], corner, 40) for corner in tip_down[:4]])
    found = ask("optimize", {"pyramid": np.concatenate([tip_down, sides])}, {"objective": "print"})
    assert found["data"]["before"]["is_stable"] is False
    assert found["data"]["after"]["is_stable"] is True and found["data"]["after"]["contact_area"] > 0
