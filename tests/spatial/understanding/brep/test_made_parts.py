"""Features of parts that were made at random: each is found with its sizes, and nothing else is."""

from __future__ import annotations

import pytest

from tests.spatial.made_parts import made
from tests.spatial.made_scores import score
from tests.spatial.understanding.brep.test_features import features_of

SEEDS = [3, 4, 7, 26, 34, 35, 47, 242]
"""Parts in which something was missed or seen that is not there: slots and pockets that holes cross, walls in halves, broken chamfers."""


@pytest.mark.requirement("features.made")
@pytest.mark.parametrize("seed", [*SEEDS, *range(1_000, 1_012)])
def test_all_features_of_a_random_part_are_found_with_their_sizes(seed: int) -> None:
    part = made(seed)
    found = score(part.truth, features_of(part.shape))
    assert not found.missed
    assert not [(kind, each.model_dump(exclude_none=True)) for kind, each in found.false]
    assert len(found.right) == len(part.truth)
