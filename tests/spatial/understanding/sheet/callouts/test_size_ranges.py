"""Ranges of a table of sizes are no limits; the first ones are those of ISO 2768-1, table 1, as tables of inches print them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from spatial.contract.drawing import Callout
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.size_ranges import without_size_ranges
from tests.spatial.understanding.sheet.callouts.test_callouts import label

TABLE = ["6.36 to 38.10", "38.11 to 76.20", "76.21 to 152.40", "152.41 to 177.80"]
LIMITS = ["12.10 to 12.25", "40.00 to 40.05", "40.06 to 40.08"]


def read(texts: list[str], role: Literal["free", "dimension", "leader"] = "free") -> list[Callout]:
    context = Context(unit="millimeter")
    return [one for text in texts for one in extract_callouts(replace(label(text), role=role), context)]


@pytest.mark.requirement("callouts.size-ranges")
def test_ranges_that_meet_are_a_table() -> None:
    callouts = read(TABLE[::-1] + LIMITS)
    assert len(callouts) == len(TABLE) + len(LIMITS)
    assert [one.text for one in without_size_ranges(callouts)] == LIMITS


@pytest.mark.requirement("callouts.size-ranges")
def test_limits_of_dimensions_and_few_ranges_stay() -> None:
    assert len(without_size_ranges(read(TABLE[:2]))) == 2
    assert len(without_size_ranges(read(TABLE, role="dimension"))) == len(TABLE)
    apart = ["1.00 to 2.00", "2.10 to 3.00", "3.20 to 4.00"]
    assert len(without_size_ranges(read(apart))) == len(apart)
