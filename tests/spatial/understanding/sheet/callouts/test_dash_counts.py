"""A count before a dash, or a size with one deviation: the sheet shows which."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.callouts.dash_counts import without_counted_sizes
from tests.spatial.understanding.sheet.callouts.test_callouts import callouts


def left(*shown: str, texts: tuple[str, ...] = ()) -> list[str]:
    read = [each for text in shown for each in callouts(text, "dimension")]
    read = [each.model_copy(update={"id": f"callout-{place}"}) for place, each in enumerate(read)]
    return [each.text for each in without_counted_sizes(read, texts)]


@pytest.mark.requirement("callouts.dash-counts")
@pytest.mark.parametrize("other", ["2-Ø0.70", "4-R1", "4-M3"])
def test_a_size_behind_a_dash_is_counted_on_a_sheet_that_counts_so(other: str) -> None:
    assert left("2-0.30", "16-0.30", other) == [other]


@pytest.mark.requirement("callouts.dash-counts")
def test_a_text_that_is_no_callout_shows_counts_too() -> None:
    assert left("2-0.30", texts=("2-R0.5 TYP. AT THE END",)) == []


@pytest.mark.requirement("callouts.dash-counts")
def test_a_deviation_apart_from_its_size_or_where_nothing_is_counted_so_is_one() -> None:
    assert left("40-0,2", "4X Ø5") == ["40-0,2", "4X Ø5"]
    assert left("10 -0.012", "120-0.5", "2-0.80±0.05", "4-Ø5") == ["10 -0.012", "120-0.5", "2-0.80±0.05", "4-Ø5"]
