"""Primitives, bodies and volumes of points and of exact solids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract import examples
from spatial.contract.extraction import CadExtraction
from spatial.errors import InputRejected
from tests.spatial.reasoning import clouds
from tests.spatial.reasoning.clouds import Array, item, noisy, turned

RADIUS, HEIGHT = 10.0, 40.0

TRUTH: dict[str, tuple[Array, str, list[float], float]] = {
    "box": (clouds.box(30, 20, 10), "box", [10, 20, 30], 6000.0),
    "cube": (clouds.box(10, 10, 10), "box", [10, 10, 10], 1000.0),
    "plate": (clouds.box(100, 60, 3), "box", [3, 60, 100], 18000.0),
    "cylinder": (clouds.cylinder(RADIUS, HEIGHT), "cylinder", [RADIUS, HEIGHT], np.pi * RADIUS**2 * HEIGHT),
    "disc": (clouds.cylinder(30, 3), "cylinder", [3, 30], np.pi * 30**2 * 3),
    "sphere": (clouds.sphere(5), "sphere", [5], 4 / 3 * np.pi * 125),
    "cone": (clouds.cone(10, 25), "cone", [10, 25], np.pi * 100 * 25 / 3),
}
"""Points, body, its sizes in ascending order, and its volume."""


def only(points: Array, **members: Any) -> dict[str, Any]:
    (found,) = item("reconstruct", {"part": points}, **members)["data"]["objects"]
    return dict(found)


def sizes_of(body: dict[str, Any]) -> list[float]:
    return sorted([*body.get("size", []), *(body[name] for name in ("radius", "height") if name in body)])


@pytest.mark.requirement("reconstruct.radius")
@pytest.mark.parametrize("seed", range(5))
def test_the_radius_of_a_noisy_cylinder_is_within_one_percent(seed: int) -> None:
    points = noisy(clouds.cylinder(RADIUS, HEIGHT, count=1_000, seed=seed, caps=False), 0.02 * RADIUS, seed)
    found = only(turned(points, seed, shift=100))
    (primitive,) = found["primitives"]
    assert primitive["type"] == "cylinder"
    assert primitive["radius"] == pytest.approx(RADIUS, rel=0.01)
    assert primitive["height"] == pytest.approx(HEIGHT, rel=0.05)


@pytest.mark.requirement("reconstruct.radius")
def test_a_quarter_of_a_cylinder_has_its_radius() -> None:
    points = clouds.cylinder(RADIUS, HEIGHT, count=6_000, caps=False)
    quarter = points[(points[:, 0] > 0) & (points[:, 1] > 0)]
    (primitive,) = only(noisy(quarter, 0.005 * RADIUS))["primitives"]
    assert (primitive["type"], primitive["radius"]) == ("cylinder", pytest.approx(RADIUS, rel=0.01))


@pytest.mark.requirement("reconstruct.bodies", "reconstruct.volume-bound")
@pytest.mark.parametrize("name", TRUTH)
@pytest.mark.parametrize("noise", [0.0, 0.002, 0.01])
def test_closed_primitives_of_noisy_points(name: str, noise: float) -> None:
    points, kind, sizes, volume = TRUTH[name]
    found = only(turned(noisy(points, noise * min(sizes)), 3, shift=50))
    assert (found["verdict"], found["body"]["type"]) == ("closed", kind)
    assert sizes_of(found["body"]) == pytest.approx(sizes, rel=0.01)
    assert abs(found["volume"]["value"] - volume) <= found["volume"]["error"] + 1e-6 * volume
    assert found["volume"]["error"] < 0.05 * volume


@pytest.mark.requirement("reconstruct.bodies")
@pytest.mark.parametrize("name", TRUTH)
def test_the_mesh_is_watertight_by_another_library(name: str) -> None:
    points, _, _, volume = TRUTH[name]
    record = only(turned(points, 2))["mesh"]
    mesh = trimesh.Trimesh(record["vertices"], record["triangles"], process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(record["volume"], rel=1e-6)
    assert mesh.volume == pytest.approx(volume, rel=0.01)


@pytest.mark.requirement("reconstruct.primitives")
def test_the_surfaces_of_a_tube_and_why_it_has_no_mesh() -> None:
    found = only(turned(clouds.tube(8, 12, 40), 5))
    radii = sorted(each["radius"] for each in found["primitives"] if each["type"] == "cylinder")
    assert radii == pytest.approx([8, 12], rel=0.01)
    assert sum(each["type"] == "plane" for each in found["primitives"]) == 2
    assert (found["verdict"], "mesh" in found, "volume" in found) == ("unknown", False, False)
    assert "not convex" in found["reason"]


@pytest.mark.requirement("reconstruct.unknown")
def test_a_box_with_a_hole_is_no_box() -> None:
    block = clouds.box(60, 40, 20, count=2_000)
    in_hole = (block[:, 0] - 30) ** 2 + (block[:, 1] - 20) ** 2 < 25
    wall = clouds.cylinder(5, 20, count=70, caps=False) + np.array([30, 20, 0])
    found = only(np.vstack([block[~in_hole], wall]))
    assert found["verdict"] == "unknown"
    assert "body" not in found


@pytest.mark.requirement("reconstruct.unknown")
@pytest.mark.parametrize(
    ("points", "word"),
    [
        (clouds.cylinder(10, 40, caps=False), "faces"),
        (clouds.box(30, 20, 10)[clouds.box(30, 20, 10)[:, 2] > 0], "points"),
        (clouds.sphere(5)[clouds.sphere(5)[:, 2] > 0], "points"),
        (clouds.box(30, 20, 0), "flat"),
        (np.linspace(0, 1, 100)[:, None] * [1.0, 2.0, 3.0], "line"),
        (np.random.default_rng(0).normal(size=(500, 3)), "not convex"),
        (clouds.ellipsoid(3, 2, 1, count=25), "too few"),
    ],
    ids=["open cylinder", "open box", "dome", "sheet", "line", "fog", "few points"],
)
def test_what_is_not_known_to_be_closed_says_why(points: Array, word: str) -> None:
    found = only(points)
    assert (found["verdict"], "mesh" in found, "volume" in found) == ("unknown", False, False)
    assert word in found["reason"]


@pytest.mark.requirement("reconstruct.hull", "reconstruct.volume-bound")
@pytest.mark.parametrize("count", [500, 2_048])
def test_an_ellipsoid_has_the_mesh_of_its_hull(count: int) -> None:
    found = only(turned(clouds.ellipsoid(10, 7, 5, count=count), 4))
    assert found["verdict"] == "closed"
    mesh = trimesh.Trimesh(found["mesh"]["vertices"], found["mesh"]["triangles"], process=False)
    assert mesh.is_watertight
    assert found["volume"]["source"] == "convex_hull"
    truth = 4 / 3 * np.pi * 350
    assert mesh.volume <= truth
    assert abs(found["volume"]["value"] - truth) <= found["volume"]["error"]


@pytest.mark.requirement("reconstruct.invariant")
@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(sorted(TRUTH)),
    st.integers(0, 1_000),
    st.sampled_from([1e-3, 1.0, 25.4, 1e4]),
    st.sampled_from([0.0, 1e2]),
)
def test_moved_turned_and_scaled_points_are_the_same_body(name: str, seed: int, scale: float, shift: float) -> None:
    points, kind, sizes, volume = TRUTH[name]
    found = only(turned(points, seed, scale, shift * scale))
    assert (found["verdict"], found["body"]["type"]) == ("closed", kind)
    assert sizes_of(found["body"]) == pytest.approx([size * scale for size in sizes], rel=1e-3)
    assert found["volume"]["value"] == pytest.approx(volume * scale**3, rel=1e-3)


@pytest.mark.requirement("reconstruct.invariant")
@settings(max_examples=6, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(random: Any) -> None:
    points = noisy(clouds.cone(10, 25, count=600), 0.1)
    order = list(range(len(points)))
    random.shuffle(order)
    assert only(points[order], detail="debug") == only(points, detail="debug")


@pytest.mark.requirement("reconstruct.exact")
def test_the_primitives_of_an_exact_solid_are_its_faces() -> None:
    angle = np.linspace(0, 2 * np.pi, 50)
    document = CadExtraction.model_validate(
        {
            **examples.EXTRACTION,
            "structure": {"kind": "brep", "solids": [_pin()]},
            "point_cloud_scene": {
                "point_clouds": [
                    {
                        "object_id": "solid-1",
                        "points": [{"x": 5 * np.cos(a), "y": 5 * np.sin(a), "z": a} for a in angle],
                    }
                ]
            },
        }
    )
    answer = item("reconstruct", cad_scene=document)
    (found,) = answer["data"]["objects"]
    assert (found["source"], found["verdict"], found["body"]["type"]) == ("faces", "closed", "cylinder")
    assert [each["type"] for each in found["primitives"]] == ["cylinder", "plane", "plane"]
    assert found["primitives"][0]["faces"] == ["face-1", "face-2"]
    assert found["volume"] == {
        "value": pytest.approx(np.pi * 250),
        "error": pytest.approx(0, abs=1e-3),
        "source": "document",
    }
    (proof,) = answer["proof"]["objects"]
    assert proof["primitives"][0] == {
        "inliers": 50,
        "residual_rms": pytest.approx(0, abs=1e-9),
        "residual_max": pytest.approx(0, abs=1e-9),
    }


def _pin() -> dict[str, Any]:
    half = {"type": "cylinder", "area": 50 * np.pi, "origin": [0, 0, 0], "axis": [0, 0, 1], "radius": 5}
    ends = [
        {"type": "plane", "area": 25 * np.pi, "origin": [0, 0, z], "normal": [0, 0, -1 if z == 0 else 1]}
        for z in (0, 10)
    ]
    return {
        "id": "solid-1",
        "bbox": {"min": [-5, -5, 0], "max": [5, 5, 10]},
        "volume": np.pi * 250,
        "surface_area": 150 * np.pi,
        "is_closed": True,
        "faces": [half, half, *ends],
    }


@pytest.mark.requirement("reconstruct.exact")
def test_a_solid_that_is_no_closed_primitive_keeps_its_volume_and_has_no_mesh() -> None:
    bushing = CadExtraction.model_validate(examples.EXTRACTION)
    (found,) = item("reconstruct", cad_scene=bushing)["data"]["objects"]
    assert (found["verdict"], found["volume"]["source"]) == ("unknown", "document")
    assert "trimming curves" in found["reason"]


@pytest.mark.requirement("reconstruct.detail")
def test_the_compact_answer_has_no_vertices() -> None:
    compact = item("reconstruct", {"part": TRUTH["cube"][0]}, detail="compact")
    assert "proof" not in compact
    mesh = compact["data"]["objects"][0]["mesh"]
    assert (mesh["triangle_count"], "vertices" in mesh) == (12, False)
    whole = item("reconstruct", {"part": TRUTH["cube"][0]})
    (proof,) = whole["proof"]["objects"]
    assert sum(each["inliers"] for each in proof["primitives"]) == pytest.approx(2_048, abs=20)
    assert "debug" in item("reconstruct", {"part": TRUTH["cube"][0]}, detail="debug")


@pytest.mark.requirement("reconstruct.refusals", "inputs.too-few-points")
def test_too_few_points_and_bad_tolerances_are_refused() -> None:
    with pytest.raises(InputRejected, match="has 5 points, and the task reconstruct needs 20") as caught:
        item("reconstruct", {"part": clouds.sphere(1, count=5)})
    assert caught.value.details is not None
    assert caught.value.details["points_needed"] == 20
    for tolerance in (0, -1, "1", True):
        with pytest.raises(InputRejected, match=r"goal\.tolerance"):
            item("reconstruct", {"part": clouds.sphere(1)}, goal={"tolerance": tolerance})


@pytest.mark.requirement("reconstruct.primitives")
def test_several_objects_are_reconstructed_apart() -> None:
    parts = {"ball": clouds.sphere(5), "brick": clouds.box(3, 2, 1), "dot": clouds.sphere(1, count=3)}
    answer = item("reconstruct", parts)
    assert [each["object_id"] for each in answer["data"]["objects"]] == ["ball", "brick"]
    assert answer["verdict"] == "closed"
    assert any("1 object has neither" in each for each in answer["warnings"])
