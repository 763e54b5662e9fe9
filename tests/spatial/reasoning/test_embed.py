"""Embeddings: what does not change them, and what does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract import examples
from spatial.contract.extraction import CadExtraction
from spatial.errors import InputRejected
from spatial.reasoning.embedding import LENGTH, embed_points
from spatial.reasoning.solvers.embed import DUPLICATE
from tests.spatial.reasoning import clouds
from tests.spatial.reasoning.clouds import COUNT, Array, item, turned

MAKERS: dict[str, Any] = {
    "box": lambda seed: clouds.box(30, 20, 10, seed=seed),
    "flat box": lambda seed: clouds.box(30, 20, 5, seed=seed),
    "cube": lambda seed: clouds.box(10, 10, 10, seed=seed),
    "cylinder": lambda seed: clouds.cylinder(10, 40, seed=seed),
    "short cylinder": lambda seed: clouds.cylinder(10, 30, seed=seed),
    "sphere": lambda seed: clouds.sphere(5, seed=seed),
    "cone": lambda seed: clouds.cone(10, 25, seed=seed),
    "thick tube": lambda seed: clouds.tube(4, 10, 20, seed=seed),
    "thin tube": lambda seed: clouds.tube(9, 10, 20, seed=seed),
}


def vector(points: Array) -> Array:
    found = embed_points(points)
    assert found is not None
    return found.vector


def distance(one: Array, other: Array) -> float:
    return float(np.linalg.norm(vector(one) - vector(other)))


@pytest.mark.requirement("embed.invariant")
@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(sorted(MAKERS)),
    st.integers(0, 1_000),
    st.sampled_from([1e-3, 1.0, 25.4, 1e5]),
    st.integers(0, 1_000),
)
def test_rotated_duplicates_are_below_a_thousandth(name: str, seed: int, scale: float, order: int) -> None:
    points = MAKERS[name](0)
    moved = turned(points, seed, scale, 100 * scale)[np.random.default_rng(order).permutation(COUNT)]
    assert distance(points, moved) < DUPLICATE


@pytest.mark.requirement("embed.invariant")
@pytest.mark.parametrize("count", [3_000, 10_000])
def test_large_clouds_are_thinned_without_the_order_or_the_rotation(count: int) -> None:
    points = clouds.box(30, 20, 10, count=count)
    moved = turned(points, 7, 2.0, 30.0)[np.random.default_rng(3).permutation(count)]
    assert distance(points, moved) < DUPLICATE


@pytest.mark.requirement("embed.near-duplicates", "embed.different-parts")
def test_another_sample_is_nearer_than_another_part() -> None:
    first = {name: vector(make(1)) for name, make in MAKERS.items()}
    again = {name: vector(turned(make(2), 5, 3.0)) for name, make in MAKERS.items()}
    for name, found in again.items():
        away = {other: float(np.linalg.norm(found - known)) for other, known in first.items()}
        assert min(away, key=lambda other: away[other]) == name
        assert min(value for other, value in away.items() if other != name) > 10 * DUPLICATE


@pytest.mark.requirement("embed.different-parts")
def test_a_chiral_part_is_not_its_mirror_image() -> None:
    """Three arms of different lengths along x, y and z."""
    arms = [clouds.box(*size, count=700, seed=place) for place, size in enumerate([(40, 4, 4), (4, 25, 4), (4, 4, 15)])]
    part = np.vstack(arms)
    assert distance(part, turned(part, 8)) < DUPLICATE
    assert distance(part, part * [1, 1, -1]) > 10 * DUPLICATE


@pytest.mark.requirement("embed.fixed", "embed.distances")
def test_the_answer_has_vectors_scales_and_distances() -> None:
    ball, brick = clouds.sphere(5), clouds.box(30, 20, 10)
    answer = item("embed", {"ball": ball, "brick": brick, "other": turned(brick, 3, 2.0)}, object_id="brick")
    (found,) = answer["data"]["objects"]
    assert (answer["data"]["version"], answer["data"]["length"], len(found["embedding"])) == ("embed-1", LENGTH, LENGTH)
    assert np.linalg.norm(found["embedding"]) == pytest.approx(1)
    assert found["scale"] == pytest.approx(np.sqrt(((brick - brick.mean(axis=0)) ** 2).sum(axis=1).mean()))
    (row,) = answer["proof"]["distances"]
    assert [each["object_id"] for each in row["others"]] == ["other", "ball"]
    assert row["others"][0]["distance"] < DUPLICATE < row["others"][1]["distance"]
    assert row["others"][0]["scale_ratio"] == pytest.approx(2)
    assert [each["is_duplicate"] for each in row["others"]] == [True, False]


@pytest.mark.requirement("embed.fixed")
@pytest.mark.parametrize("points", [clouds.sphere(1, count=16), clouds.box(3, 2, 0), np.eye(3)[np.arange(30) % 3]])
def test_small_flat_and_repeated_clouds_have_a_vector_too(points: Array) -> None:
    assert np.isfinite(vector(points)).all()
    assert distance(points, turned(points, 4, 7.0)) < DUPLICATE


@pytest.mark.requirement("embed.surfaces")
def test_an_exact_solid_has_a_vector_of_its_surfaces() -> None:
    document = CadExtraction.model_validate(examples.EXTRACTION)
    scene = clouds.cloud_scene(**{"solid-1": clouds.tube(5, 10, 15), "twin": clouds.tube(5, 10, 15, seed=2)})
    answer = item("embed", cad_scene=document, point_cloud_scene=scene)
    solid, twin = answer["data"]["objects"]
    assert np.linalg.norm(solid["surface_embedding"]) == pytest.approx(1)
    assert "surface_embedding" not in twin
    assert len(solid["embedding"]) == len(twin["embedding"])
    assert answer["proof"]["distances"][0]["others"][0]["distance"] < 0.03


@pytest.mark.requirement("embed.refusals", "inputs.too-few-points")
def test_points_that_have_no_shape_are_refused() -> None:
    with pytest.raises(InputRejected, match="needs 16"):
        item("embed", {"part": clouds.sphere(1, count=15)})
    with pytest.raises(InputRejected, match="all at one place"):
        item("embed", {"part": np.ones((50, 3))})
    with pytest.raises(InputRejected, match="no object 'nut'; use one of part"):
        item("embed", {"part": clouds.sphere(1)}, object_id="nut")
