"""Which thing of the previous scene became which thing of the current one: unique keys first, then a minimum-cost assignment.

Source: R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems",
Computing 38 (1987), as scipy.optimize.linear_sum_assignment has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from spatial.reasoning.scene.model import Array

DECIMALS: Final = 9
"""Decimals of a cost: differences below are rounding errors and must not decide between equal candidates."""


@dataclass(frozen=True)
class Match:
    """Places of a pair in the previous and in the current sequence, and its cost from 0 to 1."""

    previous: int
    current: int
    cost: float = 0.0


@dataclass(frozen=True)
class Weight:
    """The weight of one term of a cost. The weights of a cost sum to 1, so a cost is between 0 and 1."""

    value: float
    reason: str


def total_cost(weights: Mapping[str, Weight], terms: Mapping[str, Array]) -> Array:
    """(n, m) weighted sum of terms, each from 0 (agrees) to 1 (differs)."""
    rows = [weight.value * terms[name] for name, weight in weights.items()]
    found: Array = np.round(np.sum(rows, axis=0), DECIMALS)
    return found


def unique_matches(previous: Sequence[Hashable], current: Sequence[Hashable]) -> list[Match]:
    """Pairs of the keys that occur exactly once on both sides; a key None matches nothing."""
    counts, others = Counter(previous), Counter(current)
    places = {key: place for place, key in enumerate(current)}
    return [
        Match(place, places[key])
        for place, key in enumerate(previous)
        if key is not None and counts[key] == 1 and others[key] == 1
    ]


def assign(cost: Array, limit: float, *, swapped: bool = False) -> list[Match]:
    """The pairs of least total cost, none above `limit`.

    cost: (n, m). A pair above the limit costs as much as leaving both unmatched, so it never displaces a good pair.
    swapped: solve the transposed problem. Callers set it from the content of the two sides, so that equal
    alternatives are decided alike when previous and current change places.
    """
    if cost.size == 0:
        return []
    bounded = np.minimum(cost, limit + 1e-6)
    rows, columns = linear_sum_assignment(bounded.T if swapped else bounded)
    pairs = zip(columns, rows, strict=True) if swapped else zip(rows, columns, strict=True)
    found = [Match(int(row), int(column), float(cost[row, column])) for row, column in pairs]
    return sorted((each for each in found if each.cost <= limit), key=lambda match: match.previous)


def rest(size: int, taken: Sequence[int]) -> list[int]:
    """Places from 0 to size - 1 that are not taken."""
    used = set(taken)
    return [place for place in range(size) if place not in used]


def placed(matches: Sequence[Match], previous: Sequence[int], current: Sequence[int]) -> list[Match]:
    """Matches of subsequences, as matches of the whole sequences."""
    return [Match(previous[each.previous], current[each.current], each.cost) for each in matches]
