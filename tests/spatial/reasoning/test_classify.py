"""classify: families of parts, drawings and diagrams."""

from __future__ import annotations

import math
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.spatial.reasoning.documents import FAMILY, PARTS, ask, extracted, moved, part, rotation
from tests.spatial.reasoning.test_understand import box_points, clouds, diagram, document, edge, node

SAME_PROBABILITY = 0.02
"""By how much a probability may change when a part is turned: the least box of sampled points is found by trying directions."""


@pytest.mark.requirement("classify.parts")
@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_has_its_family(name: str) -> None:
    found = ask("classify", part(name))
    assert found["verdict"] == found["data"]["family"] == FAMILY[name], found["data"]["probabilities"]


@pytest.mark.requirement("classify.parts")
def test_several_bodies_are_an_assembly_and_each_part_is_classified_once() -> None:
    whole = (
        cq.Assembly(name="whole")
        .add(PARTS["plate"](), name="plate")
        .add(PARTS["bolt"](), name="bolt", loc=cq.Location((0, 0, 40)))
    )
    found = ask("classify", extracted(whole))
    assert found["verdict"] == "assembly"
    assert sorted(each["family"] for each in found["data"]["objects"]) == ["fastener", "plate"]
    assert ask("classify", extracted(whole), object_id="solid-1")["verdict"] in ("fastener", "plate")


@pytest.mark.requirement("classify.invariant")
@pytest.mark.parametrize("name", sorted(PARTS))
@settings(max_examples=8)
@given(
    axis=st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda each: math.hypot(*each) > 0.1),
    degrees=st.floats(0, 360),
    shift=st.tuples(*[st.floats(-1e3, 1e3)] * 3),
    power=st.integers(-8, 8),
)
def test_turning_moving_and_scaling_keeps_the_family(
    name: str, axis: tuple[float, float, float], degrees: float, shift: tuple[float, float, float], power: int
) -> None:
    document = part(name)
    if not (document.structure and document.structure.solids):
        return
    placed = ask("classify", moved(document, rotation(axis, degrees), shift, 2.0**power))
    before = ask("classify", document)
    assert placed["verdict"] == before["verdict"]
    for family, probability in before["data"]["probabilities"].items():
        assert placed["data"]["probabilities"][family] == pytest.approx(probability, abs=SAME_PROBABILITY)


def cylinder_points(radius: float, length: float, count: int = 2000) -> np.ndarray:
    random = np.random.default_rng(1)
    angle, along = random.uniform(0, 2 * np.pi, count), random.uniform(0, length, count)
    wall = np.stack([radius * np.cos(angle), radius * np.sin(angle), along], axis=1)
    far = radius * np.sqrt(random.uniform(0, 1, count // 4))
    ends = np.stack(
        [far * np.cos(angle[: len(far)]), far * np.sin(angle[: len(far)]), np.repeat([0, length], len(far) // 2)],
        axis=1,
    )
    return np.concatenate([wall, ends])


@pytest.mark.requirement("classify.clouds")
@pytest.mark.parametrize(
    ("family", "points"),
    [
        ("block", box_points((0, 0, 0), (5, 4, 3), 12)),
        ("plate", box_points((0, 0, 0), (5, 4, 0.3), 12)),
        ("bar", box_points((0, 0, 0), (20, 2, 2), 12)),
        ("shaft", cylinder_points(1, 8)),
        ("disc", cylinder_points(5, 1)),
    ],
)
def test_a_cloud_has_a_family_that_points_show(family: str, points: np.ndarray) -> None:
    turned = points @ rotation((1, 2, 3), 40).T + (7, 8, 9)
    found = ask("classify", point_cloud_scene=clouds({"a": turned}))
    assert found["verdict"] == family, found
    assert "sheet_metal" not in found["data"]["probabilities"]


def flowchart() -> dict[str, Any]:
    nodes = [node("a", 0, 0), node("b", 0, 100, shape="rhombus"), node("c", 0, 200), node("d", 200, 100)]
    return diagram({"nodes": nodes, "edges": [edge("1", "a", "b"), edge("2", "b", "c"), edge("3", "b", "d")]})


def organisation() -> dict[str, Any]:
    nodes = [node(name, 100 * place, 0, shape="rectangle") for place, name in enumerate("abcdefg")]
    lines = [
        {"id": f"{one}{other}", "source": one, "target": other} for one, other in ("ab", "ac", "bd", "be", "cf", "cg")
    ]
    return diagram({"nodes": nodes, "edges": lines})


def network() -> dict[str, Any]:
    nodes = [
        node(name, 100 * place, 0, shape=f"mxgraph.cisco.{name}")
        for place, name in enumerate(("router", "switch", "server", "firewall"))
    ]
    lines = [{"id": f"e{one}", "source": one, "target": "switch"} for one in ("router", "server", "firewall")]
    return diagram({"nodes": nodes, "edges": lines})


def part_drawing() -> dict[str, Any]:
    dimensions = [{"id": f"d{place}", "text": "12"} for place in range(8)]
    block = {"fields": {"title": "x", "material": "S235"}, "confidence": 1.0, "sources": {}}
    entities = [{"id": f"e{place}", "type": "line"} for place in range(40)]
    return document(
        "drawing2d", "millimeter", "dxf", dimensions=dimensions, entities=entities,
        annotations=[{"id": "t", "text": "x"}], drawing_metadata={"title_block": block},
    )  # fmt: skip


def profile() -> dict[str, Any]:
    return document(
        "drawing2d", "millimeter", "dxf", entities=[{"id": f"e{place}", "type": "polyline"} for place in range(12)]
    )


@pytest.mark.requirement("classify.drawings")
@pytest.mark.parametrize(
    ("family", "content"),
    [
        ("flowchart", flowchart()),
        ("organisation_chart", organisation()),
        ("network_diagram", network()),
        ("part_drawing", part_drawing()),
        ("cutting_profile", profile()),
    ],
)
def test_drawings_and_diagrams_have_families(family: str, content: dict[str, Any]) -> None:
    found = ask("classify", content)
    assert found["verdict"] == family, found["data"]


@pytest.mark.requirement("classify.proof")
def test_probabilities_add_up_and_criteria_are_listed() -> None:
    found = ask("classify", part("plate"))
    assert sum(found["data"]["probabilities"].values()) == pytest.approx(1, abs=1e-6)
    best = found["proof"]["families"][0]
    assert best["family"] == "plate"
    flatness = next(each for each in best["criteria"] if each["feature"] == "flatness")
    assert flatness["value"] == pytest.approx(8 / 80, rel=0.01)
    assert found["proof"]["features"]["hole_count"] == 4


@pytest.mark.requirement("classify.unknown")
def test_too_few_points_are_unknown() -> None:
    found = ask("classify", point_cloud_scene=clouds({"a": box_points((0, 0, 0), (1, 1, 1), 2)}))
    assert found["verdict"] == "unknown"
    assert found["reason"] == "the object has no faces and fewer than 100 points"


@pytest.mark.requirement("classify.unknown")
def test_a_shape_of_no_family_is_unknown() -> None:
    random = np.random.default_rng(3)
    blob = random.normal(size=(600, 3)) * (3, 2, 1.5)
    found = ask("classify", point_cloud_scene=clouds({"a": blob}))
    assert found["verdict"] == "unknown"
    assert "no family fits" in found["reason"]
    probabilities = found["data"]["probabilities"]
    assert max(probabilities, key=lambda family: probabilities[family]) == "other"


@pytest.mark.requirement("classify.unknown")
def test_a_flat_cloud_and_an_empty_document_are_unknown() -> None:
    flat = np.random.default_rng(2).uniform(size=(500, 3)) * (1, 1, 0)
    assert ask("classify", point_cloud_scene=clouds({"a": flat}))["verdict"] == "unknown"
    assert ask("classify", document("brep", "millimeter", "step", solids=[]))["verdict"] == "unknown"
    assert ask("classify", diagram({"nodes": [node("a", 0, 0)]}))["verdict"] == "unknown"


@pytest.mark.requirement("classify.without-points")
def test_without_points_a_part_that_lies_at_an_angle_is_unknown_and_one_along_the_axes_is_judged_with_a_warning() -> (
    None
):
    plate = cq.Workplane().box(100, 60, 10).faces(">Z").workplane().hole(20, 5)
    lying = extracted(plate).model_copy(update={"point_cloud_scene": None})
    turned = extracted(plate.rotate((0, 0, 0), (1, 1, 1), 37)).model_copy(update={"point_cloud_scene": None})
    found = ask("classify", lying)
    assert found["verdict"] == "plate"
    assert any("has no points" in warning for warning in found["warnings"])
    found = ask("classify", turned)
    assert found["verdict"] == "unknown" and "lies at an angle to the axes" in found["reason"]
