"""The order of whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.geometry.ordering import stable_order

pytestmark = pytest.mark.requirement("outlined.beside-text")


@pytest.mark.parametrize("count", [0, 1, 64, 65, 4_000])
@pytest.mark.parametrize("most", [1, 40, 2**31, 2**55, 2**62])
def test_the_order_is_that_of_a_stable_sort_however_far_numbers_reach(count: int, most: int) -> None:
    numbers = np.random.default_rng(count).integers(-most, most, count)
    assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()
