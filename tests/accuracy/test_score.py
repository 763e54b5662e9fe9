"""The scorer itself: what counts as right, wrong, missed and invented."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accuracy.board import calibration
from tests.accuracy.score import Tally, numbers, score

pytestmark = pytest.mark.requirement("drawing-accuracy.rules")


def _callouts(truth: list[dict[str, Any]], found: list[dict[str, Any]]) -> Tally:
    return score({"callouts": truth}, {"callouts": found}).tallies["callouts"]


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("Ø12,5 H7", "⌀12.5H7"),
        ("4X Ø6.6 THRU", "4x %%c6.6 thru"),
        ("25 ±0.1", "25+/-0.1"),
        ("25 +0.2 -0.1", "25 +0.2/-0.1"),
    ],
)
def test_spelling_does_not_matter(printed: str, read: str) -> None:
    assert _callouts([{"type": "fit", "text": printed}], [{"type": "fit", "text": read}]) == Tally(1, 0, 0)


def test_a_frame_is_right_where_all_that_it_says_agrees() -> None:
    truth = [{"type": "gdt", "text": "⌖ Ø 0,2 Ⓜ A B-C"}, {"type": "gdt", "text": "⌯ T0,12 Е"}]
    position = {
        "type": "gdt", "characteristic": "position", "tolerance": 0.2, "zone": "cylindrical",
        "modifiers": ["maximum_material"], "datums": [{"datum": "A"}, {"datum": "B-C"}],
    }  # fmt: skip
    symmetry = {"type": "gdt", "characteristic": "symmetry", "tolerance": 0.12, "zone": "parallel"}
    found = [position, symmetry | {"expressed_as": "diameter", "datums": [{"datum": "Е"}]}]
    assert score({"callouts": truth}, {"callouts": found}).tallies["frames"] == Tally(2, 0, 0)
    wrong = [position | {"datums": [{"datum": "A"}]}, symmetry]
    assert score({"callouts": truth}, {"callouts": wrong}).tallies["frames"] == Tally(0, 2, 2)


def test_another_number_is_missed_and_invented() -> None:
    assert _callouts([{"type": "radius", "text": "R10"}], [{"type": "radius", "text": "R11"}]) == Tally(0, 1, 1)


def test_numbers_are_those_that_white_space_parts() -> None:
    assert numbers("72,10 71,90") == [72.1, 71.9]
    printed, read = {"type": "limit", "text": "5.380 5.370"}, {"type": "limit", "text": "5.38 5.37"}
    assert _callouts([printed], [read]) == Tally(1, 0, 0)


def test_plain_sizes_and_second_types_are_a_matter_of_taste() -> None:
    truth = [{"type": "dimension", "text": "Ø25"}, {"type": "fit", "text": "Ø6 H7"}]
    found = [{"type": "hole", "text": "Ø25"}, {"type": "fit", "text": "Ø6 H7"}, {"type": "hole", "text": "Ø6 H7"}]
    assert _callouts(truth, found) == Tally(1, 0, 0)


def test_a_stack_may_be_read_whole_or_in_parts() -> None:
    parts = [{"type": "hole", "text": "Ø6.6 THRU"}, {"type": "counterbore", "text": "⌴Ø11 ↧6"}]
    truth = [{"type": "counterbore", "text": "Ø6.6 THRU ⌴Ø11 ↧6", "parts": parts}]
    assert _callouts(truth, parts) == Tally(1, 0, 0)
    assert _callouts(truth, [truth[0]]) == Tally(1, 0, 0)


def test_stacks_that_share_a_part_ask_for_it_once_each() -> None:
    part = {"type": "spotface", "text": "SF Ø9"}
    truth = [{"type": "spotface", "text": f"{hole} SF Ø9", "parts": [part]} for hole in ("Ø4.5 THRU", "4X Ø4.5 THRU")]
    assert _callouts(truth, [part, part]) == Tally(2, 0, 0)
    assert _callouts(truth, [part]) == Tally(1, 0, 1)
    quantities = [{"quantity": 4} | truth[1], {"quantity": 1} | truth[0]]
    read = score({"callouts": quantities}, {"callouts": [part, {"quantity": 4} | part]})
    assert read.tallies["quantity"] == Tally(2, 0, 0)


def test_a_wrong_title_is_missed_and_invented() -> None:
    found = {"drawing_metadata": {"title_block": {"fields": {"title": "SHAFT", "size": "A3"}}}}
    assert score({"title_block": {"title": "BRACKET"}}, found).tallies["title block"] == Tally(0, 2, 1)


def test_cells_count_as_often_as_they_are_there() -> None:
    found = {"drawing_metadata": {"bom": {"rows": [{"a": "1", "b": "2"}]}}}
    assert score({"bom": [{"rows": [["1", "1"]]}]}, found).tallies["bom"] == Tally(1, 1, 1)


def test_calibration_compares_confidence_with_what_was_right() -> None:
    judged = [("callouts", 0.92, True), ("callouts", 0.94, False), ("notes", 1.0, True)]
    assert calibration(judged) == [(0.9, 0.95, 2, pytest.approx(0.93), 0.5), (0.95, 1.0, 1, 1.0, 1.0)]


def test_basic_sizes_and_datums_are_invented_only_where_the_label_lists_them() -> None:
    found = [
        {"type": "basic", "text": "12.5"},
        {"type": "basic", "text": "7"},
        {"type": "datum", "text": "C", "datum": "C"},
    ]
    truth: dict[str, Any] = {"callouts": [{"type": "basic", "text": "12,5"}]}
    silent = score(truth, {"callouts": found}).tallies
    assert (silent["basic"], silent["datums"]) == (Tally(1, 0, 0), Tally())
    listed = score(truth | {"datums": ["A"]}, {"callouts": found}).tallies
    assert (listed["basic"], listed["datums"]) == (Tally(1, 1, 0), Tally(0, 1, 1))
