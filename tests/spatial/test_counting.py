"""Counts and lists in words."""

from __future__ import annotations

import pytest

from spatial.counting import count_of, listed


@pytest.mark.requirement("messages.counts")
def test_lists_name_the_first_and_count_the_rest() -> None:
    assert listed([], 2) == ""
    assert listed(["a", "b"], 2) == "a, b"
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert listed(["a"] * 1502, 2, "; ") == "a; a and 1,500 more"
    assert count_of(1502, "face") == "1,502 faces"
