"""Ranges of a table of sizes, which look like limits: `6.36 to 38.10` over `38.11 to 76.20` over `76.21 to 152.40`.

Tables of general tolerances (ISO 2768-1, table 1) part all sizes into ranges, each of which begins where the one before ends. The limits of
a dimension do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.contract.drawing import Callout

FEWEST: Final = 3
"""Ranges in a row that are a table; two limits may meet by chance."""

_DECIMALS: Final = re.compile(r"[.,](\d+)")


def without_size_ranges(callouts: Sequence[Callout]) -> list[Callout]:
    """The callouts of a sheet without limits that are the ranges of a table."""
    ranges = [
        (one.id, *bounds)
        for one in callouts
        if one.type == "limit" and getattr(one, "role", None) == "free"
        for bounds in _bounds(one)
    ]
    beginning = {low: name for name, low, _ in ranges}
    following = {
        name: beginning[low] for name, _, high in ranges for low in (high, high + 1) if beginning.get(low, name) != name
    }
    taken: set[str] = set()
    for first in set(following) - set(following.values()):
        chain = [first]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        taken |= set(chain) if len(chain) >= FEWEST else set()
    return [one for one in callouts if one.id not in taken]


def _bounds(callout: Callout) -> list[tuple[int, int]]:
    """Least and greatest size in units of the last decimal; none where the callout does not have both."""
    found = callout.model_dump(include={"min", "max"})
    low, high = found.get("min"), found.get("max")
    if not (isinstance(low, (int, float)) and isinstance(high, (int, float)) and low < high):
        return []
    units = 10 ** max((len(digits) for digits in _DECIMALS.findall(callout.text)), default=0)
    return [(round(low * units), round(high * units))]
