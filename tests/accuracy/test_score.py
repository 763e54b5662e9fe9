"""The scorer itself: what counts as right, wrong, missed and invented."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accuracy.board import calibration
from tests.accuracy.score import ELEMENTS, Tally, score
from tests.accuracy.spelling import numbers

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


def test_the_modifier_of_a_datum_is_of_its_frame_and_the_width_in_the_other_unit_is_no_datum() -> None:
    truth = [{"type": "gdt", "text": "⌖ Ø 0.1 A Ⓜ"}, {"type": "gdt", "text": "⌖ .0024 [0.06] Z"}]
    datum = {"datum": "A", "modifiers": ["maximum_material"]}
    position: dict[str, Any] = {"type": "gdt", "characteristic": "position"}
    first = position | {"tolerance": 0.1, "zone": "cylindrical", "datums": [datum]}
    second = position | {"tolerance": 0.0024, "zone": "parallel", "datums": [{"datum": "Z"}]}
    assert score({"callouts": truth}, {"callouts": [first, second]}).tallies["frames"] == Tally(2, 0, 0)
    without = first | {"datums": [{"datum": "A"}]}
    assert score({"callouts": truth[:1]}, {"callouts": [without]}).tallies["frames"] == Tally(0, 1, 1)


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


def test_of_elements_that_a_label_does_not_speak_of_nothing_is_missed_and_nothing_invented() -> None:
    cells = {"rows": [{"a": "1"}]}
    found = {
        "callouts": [{"type": "radius", "text": "R3"}, {"type": "datum", "text": "A", "datum": "A"}],
        "dimensions": [{"text": "40"}],
        "drawing_metadata": {
            "title_block": {"fields": {"title": "SHAFT"}}, "bom": cells, "revisions": cells, "notes": {"items": [{"text": "DEBURR"}]},
        },
    }  # fmt: skip
    truth: dict[str, Any] = {
        "callouts": [
            {"type": "hole", "text": "Ø6"},
            {"type": "gdt", "text": "⏥ 0.1"},
            {"type": "dimension", "text": "12"},
        ],
        "datums": ["B"],
        "dimensions_complete": True,
        "title_block": {"title": "BRACKET"},
        "bom": [{"rows": [["2"]]}],
        "revisions": [{"rows": [["2"]]}],
        "notes": [{"text": "PAINT ALL"}],
    }
    own = {"title_block": "title block"}
    for element in ELEMENTS:
        made = score(truth | {"labelled": [element]}, found)
        asked = {name for name, tally in made.tallies.items() if tally.asked}
        assert own.get(element, element) in asked
        assert not asked & {own.get(other, other) for other in ELEMENTS if other != element}
        assert {name for name, _ in made.missed} <= asked
    assert "datums" not in score(truth | {"labelled": ["notes"]}, found).tallies
    whole, dated = score(truth, found).tallies, score(truth | {"labelled": "2026-11-28, by hand"}, found).tallies
    assert whole == dated
    assert {own.get(each, each) for each in ELEMENTS} <= {name for name, tally in whole.items() if tally.asked}


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


def _dimensions(truth: list[dict[str, Any]], found: list[str], **label: object) -> dict[str, Tally]:
    said = {"dimensions": [{"text": text} for text in found]}
    return score({"callouts": truth, **label}, said).tallies


def test_plain_sizes_are_asked_for_as_often_as_they_stand_on_the_sheet() -> None:
    truth: list[dict[str, Any]] = [
        {"type": "dimension", "text": "12,5", "occurrences": 2},
        {"type": "dimension", "text": "(7)"},
    ]
    tallies = _dimensions(truth, ["12.5", "7", "99"])
    assert tallies["dimensions"] == Tally(1, 0, 2)
    assert tallies["dimensions of complete labels"] == Tally()


def test_a_callout_of_its_text_does_not_stand_for_a_dimension() -> None:
    truth = {"callouts": [{"type": "dimension", "text": "Ø25"}]}
    assert score(truth, {"callouts": [{"type": "hole", "text": "Ø25"}]}).tallies["dimensions"] == Tally(0, 0, 1)


def test_dimensions_are_invented_only_where_the_label_lists_all_sizes() -> None:
    truth = [{"type": "dimension", "text": "40"}, {"type": "tolerance", "text": "25 +0.1 -0.2"}]
    found = ["40", "40", "25 +0.1/-0.2", "25 +0.1/-0.2", "25"]
    assert _dimensions(truth, found, dimensions_complete=True)["dimensions of complete labels"] == Tally(1, 2, 0)
    assert _dimensions(truth, found)["sizes of callouts"] == Tally(1, 0, 0)


def test_of_a_sheet_whose_drawing_is_known_dimensions_are_compared_by_what_they_measure() -> None:
    drawn = {"type": "linear", "text": "20", "value": 40.0, "printed": 20.0, "plain": True}
    truth = {"callouts": [], "dimensions": [drawn, {**drawn, "value": 60.0, "text": "30", "printed": 30.0}]}
    found = [
        {"type": "aligned", "text": "20", "value": 40.1, "printed": 20.0},
        {"type": "linear", "text": "30", "value": 44.0, "printed": 3.0},
        {"type": "linear", "text": "7", "value": 9.0},
    ]
    tallies = score(truth, {"dimensions": found}).tallies
    assert tallies["dimensions of complete labels"] == Tally(2, 1, 0)
    assert tallies["dimension value"] == Tally(1, 0, 1)
    assert tallies["dimension type"] == Tally(1, 0, 1)
    assert tallies["dimension printed"] == Tally(1, 0, 1)


def test_what_a_text_layer_says_stands_behind_what_is_printed() -> None:
    truth = [{"type": "dimension", "text": "Ø40", "text_layer": "40"}, {"type": "dimension", "text": "40"}]
    assert _dimensions(truth, ["40", "Ø40"])["dimensions"] == Tally(2, 0, 0)
    assert _dimensions(truth, ["40", "40"])["dimensions"] == Tally(2, 0, 0)
