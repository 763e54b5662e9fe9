"""Features of parts that were made at random: each is found with its sizes, and nothing else is."""

from __future__ import annotations

import pytest

from tests.spatial.made_parts import Made, made, made_further
from tests.spatial.made_scores import score
from tests.spatial.made_turned import keyed, made_turned
from tests.spatial.understanding.brep.test_features import features_of

SEEDS = [3, 4, 7, 26, 34, 35, 47, 242]
"""Parts in which something was missed or seen that is not there: slots and pockets that holes cross, walls in halves, broken chamfers."""


@pytest.mark.requirement("features.made")
@pytest.mark.parametrize("seed", [*SEEDS, *range(1_000, 1_012)])
def test_all_features_of_a_random_part_are_found_with_their_sizes(seed: int) -> None:
    check(made(seed))


@pytest.mark.requirement("features.made")
@pytest.mark.parametrize("seed", [7, 8, 9, 11, *range(2_000, 2_004)])
def test_slots_along_arcs_leaning_pockets_and_channels_that_cross_are_found(seed: int) -> None:
    check(made_further(seed))


@pytest.mark.requirement("features.made")
@pytest.mark.parametrize("seed", [5, 20, *range(2_000, 2_004)])
def test_turned_parts_have_their_grooves(seed: int) -> None:
    check(made_turned(seed))
    check(keyed(seed))


def check(part: Made) -> None:
    found = score(part.truth, features_of(part.shape))
    assert not found.missed
    assert not [(kind, each.model_dump(exclude_none=True)) for kind, each in found.false]
    assert len(found.right) == len(part.truth)
