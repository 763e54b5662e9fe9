"""Packing alone: public instances, bounds, and the check, which finds what is wrong with an arrangement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.reasoning.optimization.check import Rules, check
from spatial.reasoning.optimization.subjects import Move
from spatial.reasoning.packing.bounds import least_bins, least_height
from spatial.reasoning.packing.boxes import Array, Placed, item_of
from spatial.reasoning.packing.container import pack
from spatial.reasoning.packing.shelves import pack_shelves
from spatial.reasoning.packing.strip import pack_strip
from spatial.reasoning.shape.body import Body, body_of
from tests.spatial.reasoning.packing_instances import (
    KNAPSACK,
    KNAPSACK_OPTIMUM,
    KNAPSACK_SIZE,
    LOADINGS,
    STRIPS,
    Loading,
    StripInstance,
    boxes_of,
)
from tests.spatial.reasoning.shapes import cloud, corners

WITHIN = 1.1
"""Height over the optimum that a search of a tenth of a second keeps on the strips; published heuristics of one pass reach 1.1 to 1.3."""


def overlap(placed: tuple[Placed, ...]) -> float:
    """Depth of the deepest overlap of two placed boxes."""
    lower, upper = np.array([each.lower for each in placed]), np.array([each.upper for each in placed])
    depth = (np.minimum(upper[:, None], upper[None]) - np.maximum(lower[:, None], lower[None])).min(axis=2)
    np.fill_diagonal(depth, -np.inf)
    return float(depth.max())


@pytest.mark.requirement("optimize.instances")
@pytest.mark.parametrize("instance", STRIPS, ids=lambda instance: instance.name)
def test_a_strip_comes_near_its_optimal_height_and_never_below(instance: StripInstance) -> None:
    items = [item_of(str(i), np.array([w, 1.0, h]), "none") for i, (w, h) in enumerate(instance.sizes)]
    base = np.array([instance.width, 1.0])
    bound = least_height(items, base, 1e-6)
    assert bound.value <= instance.optimum
    found = pack_strip(items, base, 1e-6, seed=1, least=bound.value)
    assert found is not None
    assert overlap(found.placed) <= 1e-6
    assert {each.item for each in found.placed} == set(range(len(items)))
    assert instance.optimum <= found.height <= WITHIN * instance.optimum


@pytest.mark.requirement("optimize.instances")
def test_a_knapsack_comes_near_its_optimal_area_and_never_above() -> None:
    items = [item_of(str(i), np.array([w, h, 1.0]), "none") for i, (w, h) in enumerate(KNAPSACK)]
    found = pack(items, np.array([*KNAPSACK_SIZE, 1.0]), 1e-6, seed=1)
    assert overlap(found.placed) <= 1e-6
    assert 0.95 * KNAPSACK_OPTIMUM <= found.worth <= KNAPSACK_OPTIMUM


@pytest.mark.requirement("optimize.instances")
@pytest.mark.parametrize("loading", LOADINGS, ids=lambda loading: loading.name)
def test_a_container_is_filled_better_than_by_a_published_heuristic(loading: Loading) -> None:
    items, size = boxes_of(loading), np.array(loading.container, dtype=np.float64)
    found = pack(items, size, 1e-6 * size.max(), seed=1)
    assert overlap(found.placed) <= 1e-3
    assert all((each.lower >= -1e-3).all() and (each.upper <= size + 1e-3).all() for each in found.placed)
    assert loading.published <= found.worth / size.prod()
    assert found.worth <= loading.best_known * (1 + 1e-9)


SIZE = st.tuples(*[st.integers(1, 6)] * 3).map(lambda size: np.array(size, dtype=np.float64))


def pieces(width: int, depth: int, count: int, seed: int) -> list[tuple[int, int]]:
    """A rectangle cut through, again and again, into pieces that fill it; every second one is turned."""
    random = np.random.default_rng(seed)
    found = [(width, depth)]
    while len(found) < count:
        found.sort(key=lambda piece: -piece[0] * piece[1])
        long, short = found.pop(int(random.integers(min(2, len(found)))))
        if short > long:
            long, short = short, long
        cut = int(random.integers(1, long))
        found += [(cut, short), (short, long - cut)]
    return found


@pytest.mark.requirement("optimize.turns")
@pytest.mark.parametrize("seed", range(6))
def test_the_pieces_of_a_rectangle_fill_it_again(seed: int) -> None:
    cuts = pieces(9, 8, 7, seed)
    items = [item_of(str(i), np.array([w, d, 1.0]), "z") for i, (w, d) in enumerate(cuts)]
    found = pack(items, np.array([9.0, 8.0, 1.0]), 1e-6, seed=1)
    assert found.worth == 72.0 and overlap(found.placed) <= 1e-6


@pytest.mark.requirement("optimize.bounds")
@given(
    sizes=st.lists(SIZE, min_size=1, max_size=7),
    base=st.tuples(st.integers(6, 9), st.integers(6, 9)),
    seed=st.integers(0, 9),
)
@settings(max_examples=40, deadline=None)
def test_no_packing_beats_its_bound(sizes: list[Array], base: tuple[int, int], seed: int) -> None:
    items = [item_of(str(i), size, "z") for i, size in enumerate(sizes)]
    floor = np.array(base, dtype=np.float64)
    strip = pack_strip(items, floor, 1e-6, seed=seed, work=100)
    shelved = pack_shelves(items, np.array([*base, 6.0]), 1e-6, seed=seed, work=60)
    packed = pack(items, np.array([6.0, 6.0, 6.0]), 1e-6, seed=seed, work=50)
    assert strip is not None
    assert shelved is not None
    assert overlap(strip.placed) <= 1e-6 and overlap(packed.placed) <= 1e-6
    assert strip.height >= least_height(items, floor, 1e-6).value - 1e-6
    assert shelved.shelves >= least_bins(items, np.array([*base, 6.0]), 1e-6).value
    assert packed.worth <= min(6.0**3, sum(item.volume for item in items)) + 1e-6


@pytest.mark.requirement("optimize.bounds")
def test_large_items_exclude_each_other() -> None:
    items = [item_of(str(i), np.array([6.0, 6.0, 2.0]), "all") for i in range(3)]
    assert least_height(items, np.array([10.0, 10.0]), 1e-6).value == pytest.approx(216 / 100)
    flat = [item_of(str(i), np.array([6.0, 6.0, 2.0]), "z") for i in range(3)]
    bound = least_height(flat, np.array([10.0, 10.0]), 1e-6)
    assert (bound.value, bound.reason) == (6.0, "items that exclude each other")
    assert least_bins(flat, np.array([10.0, 10.0, 9.0]), 1e-6).value == 3


@pytest.mark.requirement("optimize.check")
@given(sizes=st.lists(SIZE, min_size=2, max_size=8), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_where_support_is_wanted_every_base_rests_on_one_top_or_the_floor(sizes: list[Array], seed: int) -> None:
    items = [item_of(str(i), size, "all") for i, size in enumerate(sizes)]
    found = pack(items, np.array([7.0, 7.0, 14.0]), 1e-6, seed=seed, supported=True, work=60).placed
    for each in found:
        below = [other for other in found if abs(other.upper[2] - each.lower[2]) < 1e-6]
        assert each.lower[2] < 1e-6 or any(
            (other.lower[:2] <= each.lower[:2] + 1e-6).all() and (other.upper[:2] >= each.upper[:2] - 1e-6).all()
            for other in below
        )


def body(name: str, lower: tuple[float, ...], upper: tuple[float, ...]) -> Body:
    found = body_of(cloud(name, corners(lower, upper)))
    assert found is not None
    return found


BODIES = {"a": body("a", (0, 0, 0), (4, 2, 1)), "b": body("b", (0, 0, 0), (2, 2, 2))}

TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""A quarter of a turn about z."""


def move(name: str, translation: tuple[float, ...], rotation: Array | None = None) -> Move:
    return Move(name, np.eye(3) if rotation is None else rotation, np.array(translation, dtype=np.float64))


@pytest.mark.requirement("optimize.check")
@pytest.mark.parametrize(
    ("moves", "rotations", "gap", "supported", "fault"),
    [
        ((move("a", (0, 0, 0)), move("b", (4, 0, 0))), "none", 0.0, True, ""),
        ((move("a", (0, 0, 0)), move("b", (3.99, 0, 0))), "none", 0.0, False, "too close"),
        ((move("a", (0, 0, 0)), move("b", (4.5, 0, 0))), "none", 0.6, False, "too close"),
        ((move("a", (0, 0, 0)), move("b", (8.01, 0, 0))), "none", 0.0, False, "out of the bin"),
        ((move("a", (2, 0, 0), TURN), move("b", (2, 0, 0))), "none", 0.0, False, "turned"),
        ((move("a", (2, 0, 0), TURN), move("b", (2, 0, 0))), "z", 0.0, False, ""),
        ((move("a", (2, 0, 4), TURN.T[[2, 0, 1]]), move("b", (6, 0, 0))), "z", 0.0, False, "turned"),
        ((move("a", (0, 0, 0)), move("b", (3, 0, 1))), "none", 0.0, False, ""),
        ((move("a", (0, 0, 0)), move("b", (3, 0, 1))), "none", 0.0, True, "rest"),
        ((move("a", (0, 0, 0), np.diag([-1.0, 1.0, 1.0])), move("b", (4, 0, 0))), "all", 0.0, False, "turned"),
    ],
)
def test_the_check_finds_what_is_wrong(
    moves: tuple[Move, ...], rotations: str, gap: float, supported: bool, fault: str
) -> None:
    corner = np.array([-4.0, 0.0, 0.0]) if fault == "turned" else np.zeros(3)
    rules = Rules(np.eye(3), corner, np.array([10.0, 6.0, 6.0]), rotations, gap, supported, 1e-6)  # type: ignore[arg-type]  # words of a table
    found = check(moves, BODIES, rules)
    assert found.is_valid == (not fault), found.faults
    assert any(fault in each for each in found.faults) or not fault


@pytest.mark.requirement("optimize.check")
def test_the_check_measures_overlap_excess_and_support() -> None:
    rules = Rules(np.eye(3), np.zeros(3), np.array([5.0, 6.0, 6.0]), "none", 0.0, False, 1e-6)
    found = check((move("a", (0, 0, 0)), move("b", (3.5, 0, 0.5))), BODIES, rules)
    assert found.largest_overlap == pytest.approx(0.5)
    assert found.largest_excess == pytest.approx(0.5)
    assert check((move("a", (0, 0, 0)), move("b", (3, 0, 1))), BODIES, rules).support["b"] == pytest.approx(0.5)
