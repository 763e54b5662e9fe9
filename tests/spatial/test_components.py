"""Connected components of graphs against a search that goes from node to node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.geometry.components import connected_components

NODES = 12


@pytest.mark.requirement("strokes.signs")
@given(st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1))))
def test_nodes_have_one_number_where_edges_lead_from_one_to_the_other(edges: list[tuple[int, int]]) -> None:
    one, other = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    assert connected_components(NODES, one, other).tolist() == searched(edges)


@pytest.mark.requirement("strokes.signs")
def test_nodes_of_a_chain_in_any_order_are_one_component() -> None:
    order = np.random.default_rng(0).permutation(500)
    assert not connected_components(500, order[:-1], order[1:]).any()


def searched(edges: list[tuple[int, int]]) -> list[int]:
    """The number of the component of each node, by a search from each node that has none yet."""
    numbers = [-1] * NODES
    for start in range(NODES):
        waiting, number = [start] if numbers[start] < 0 else [], max(numbers) + 1
        while waiting:
            node = waiting.pop()
            if numbers[node] < 0:
                numbers[node] = number
                waiting += [b if a == node else a for a, b in edges if node in (a, b)]
    return numbers
