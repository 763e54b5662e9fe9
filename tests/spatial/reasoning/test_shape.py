"""Convex shapes, their distances, and what clouds and faces prove."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import body_of
from spatial.reasoning.shape.convex import Convex, box, cylinder, sphere
from spatial.reasoning.shape.distance import proximity
from spatial.reasoning.shape.separation import separation
from tests.spatial.reasoning.shapes import Array, box_faces, cloud, corners, on_box, on_cylinder, on_sphere, turned

TINY = 1e-7
"""Error of a distance of shapes of size 1 to 30, from the searches' own bound."""

UNIT = box(np.zeros(3), np.ones(3))


@pytest.mark.requirement("shape.distance")
@pytest.mark.parametrize(
    ("other", "distance"),
    [
        (box(np.array([0.2, 0.3, 1.01]), np.array([0.5, 0.6, 2.0])), 0.01),
        (box(np.array([2.0, 2.0, 2.0]), np.array([3.0, 3.0, 3.0])), np.sqrt(3)),
        (sphere(np.array([3.0, 0.5, 0.5]), 1.5), 0.5),
        (cylinder(np.array([0.5, 3.0, -5.0]), np.array([0.5, 3.0, 5.0]), 0.75), 1.25),
        (Convex(np.array([[4.0, 0.5, 0.5]])), 3.0),
        (box(np.array([1.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.0])), 0.0),
    ],
)
def test_the_distance_of_disjoint_shapes_is_the_analytic_one(other: Convex, distance: float) -> None:
    found = proximity(UNIT, other)
    assert found.distance == pytest.approx(distance, abs=TINY)
    assert np.linalg.norm(found.on_first - found.on_second) == pytest.approx(distance, abs=TINY)


@pytest.mark.requirement("shape.penetration")
@pytest.mark.parametrize(
    ("other", "depth"),
    [
        (box(np.array([0.2, 0.3, 0.9]), np.array([0.5, 0.6, 2.0])), 0.1),
        (sphere(np.array([0.5, 0.5, 1.2]), 0.5), 0.3),
        (cylinder(np.array([-0.2, 0.5, -5.0]), np.array([-0.2, 0.5, 5.0]), 0.5), 0.3),
        (UNIT, 1.0),
    ],
)
def test_the_penetration_of_overlapping_shapes_is_the_analytic_one(other: Convex, depth: float) -> None:
    found = proximity(UNIT, other)
    assert found.distance == pytest.approx(-depth, abs=TINY)
    apart = proximity(UNIT.moved(np.eye(3), depth * found.direction), other)
    assert apart.distance == pytest.approx(0, abs=10 * TINY)


@pytest.mark.requirement("shape.distance")
@pytest.mark.requirement("shape.penetration")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.floats(0, 4))
def test_a_distance_is_the_same_in_either_order_and_after_any_motion(seed: int, away: float) -> None:
    chance = np.random.default_rng(seed)
    first = Convex(chance.normal(size=(int(chance.integers(4, 40)), 3)))
    second = Convex(chance.normal(size=(int(chance.integers(4, 40)), 3)) + away)
    found, back = proximity(first, second), proximity(second, first)
    rotation, shift = turned(seed), chance.normal(size=3)
    moved = proximity(first.moved(rotation, shift), second.moved(rotation, shift))
    assert back.distance == pytest.approx(found.distance, abs=TINY)
    assert moved.distance == pytest.approx(found.distance, abs=TINY)
    assert (
        moved.distance >= 0
        or np.allclose(moved.direction, rotation @ found.direction, atol=1e-5)
        or found.distance > -TINY
    )


@pytest.mark.requirement("shape.exact")
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("points", "volume"),
    [
        (corners([0, 0, 0], [10, 20, 30]), 6000.0),
        (on_box([0, 0, 0], [10, 20, 30]), 6000.0),
        (on_cylinder(5, 20), np.pi * 500),
        (on_sphere(5), np.pi * 500 / 3),
    ],
    ids=["corners", "box", "cylinder", "sphere"],
)
def test_points_on_a_simple_shape_prove_it_in_any_position(points: Array, volume: float, seed: int) -> None:
    body = body_of(cloud("a", points @ turned(seed).T + 100 * seed))
    assert body is not None
    assert body.is_convex
    assert body.volume == pytest.approx(volume, rel=1e-9)


@pytest.mark.requirement("shape.exact")
def test_faces_prove_a_box_by_its_volume_and_no_other_solid() -> None:
    faces = box_faces([0, 0, 0], [10, 20, 30])
    exact = body_of(SceneObject("a", "solid", faces=faces, volume=6000.0))
    assert exact is not None
    assert exact.basis == "faces"
    assert exact.is_convex
    pocketed = body_of(
        SceneObject("a", "solid", faces=faces, volume=5000.0, bounds=np.array([[0.0, 0, 0], [10, 20, 30]]))
    )
    assert pocketed is not None
    assert not pocketed.is_exact


@pytest.mark.requirement("shape.exact")
def test_faces_prove_a_cylinder_by_its_volume() -> None:
    axis = (0.0, 0.0, 1.0)
    faces = (
        Face(id="1", type="cylinder", origin=(1.0, 2.0, 5.0), axis=axis, radius=3.0),
        Face(id="2", type="plane", origin=(1.0, 2.0, 0.0), normal=(0.0, 0.0, -1.0)),
        Face(id="3", type="plane", origin=(1.0, 2.0, 10.0), normal=axis),
    )
    found = body_of(SceneObject("a", "solid", faces=faces, volume=90 * np.pi))
    assert found is not None
    assert found.is_convex
    assert found.outer.disc == 3.0
    assert found.outer.bounds.tolist() == pytest.approx(np.array([[-2, -1, 0], [4, 5, 10]]))


@pytest.mark.requirement("shape.bound")
def test_the_error_of_a_sampled_hull_shrinks_with_more_points_and_covers_the_surface() -> None:
    errors = []
    for count in (256, 1024, 4096):
        body = body_of(cloud("a", on_sphere(1, count) * [3, 2, 1]))
        assert body is not None
        assert body.inner is not None
        assert not body.is_exact
        assert body.fills_hull
        errors.append(body.error)
        truth = on_sphere(1, 5000, seed=9) * [3, 2, 1]
        assert body.hull is not None
        assert body.hull.heights(truth).max() <= body.error
    assert all(more > less for more, less in pairwise(errors))


@pytest.mark.requirement("shape.bound")
def test_what_lies_within_the_error_is_unknown_and_what_lies_beyond_is_decided() -> None:
    egg = on_sphere(1) * [3, 2, 1]
    states = []
    for gap in (-1.0, 0.0, 1.0):
        first, second = body_of(cloud("a", egg)), body_of(cloud("b", corners([-1, -1, 1 + gap], [1, 1, 3 + gap])))
        assert first is not None
        assert second is not None
        states.append(separation(first, second).state)
    assert states == ["overlapping", "unknown", "apart"]


@pytest.mark.requirement("shape.bound")
def test_a_flat_cloud_has_no_volume_and_an_empty_object_no_body() -> None:
    flat = body_of(cloud("a", on_box([0, 0, 0], [1, 1, 0], 100)))
    assert flat is not None
    assert flat.basis == "flat"
    assert flat.volume is None
    assert body_of(cloud("b", np.empty((0, 3)))) is None
