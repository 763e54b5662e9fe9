"""Sizes one over the other: limits of one size, or dimensions of their own."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.stacked_sizes import with_sizes_apart
from spatial.understanding.sheet.label import Label


def _stack(upper: str, lower: str, bottom: float, *, angle: float = 0.0) -> Label:
    box = (0.0, bottom, 20.0, bottom + 10.0) if angle == 0 else (-bottom - 10.0, 0.0, -bottom, 20.0)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    return Label((upper, lower), 1, middle, box, angle, 4.0, (f"{upper}-{bottom}", f"{lower}-{bottom}"), "dimension")


def _limits(*labels: Label) -> list[str]:
    return [
        found.text
        for label in with_sizes_apart(labels)
        for found in extract_callouts(label, Context())
        if found.type == "limit"
    ]


@pytest.mark.requirement("callouts.ordinates")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_two_sizes_that_stand_alone_are_limits_and_a_column_at_equal_steps_has_none(angle: float) -> None:
    pair = _stack("2.050", "2.009", 100.0, angle=angle)
    assert _limits(pair) == ["2.050 2.009"]
    assert _limits(pair, _stack("1.654", "1.614", 40.0, angle=angle)) == ["2.050 2.009", "1.654 1.614"]
    assert _limits(pair, _stack("1.654", "1.614", 88.0, angle=angle)) == []


@pytest.mark.requirement("callouts.ordinates")
def test_a_quantity_on_the_upper_size_alone_is_of_a_dimension_of_its_own() -> None:
    assert _limits(_stack("2 X 97.90", "93.40", 100.0)) == []


@pytest.mark.requirement("callouts.ordinates")
def test_sizes_that_are_taken_apart_keep_their_place_and_source() -> None:
    upper, lower = with_sizes_apart([_stack("2 X 97.90", "93.40", 100.0)])
    assert (upper.lines, upper.sources, upper.box) == (("2 X 97.90",), ("2 X 97.90-100.0",), (0.0, 106.0, 20.0, 110.0))
    assert (lower.lines, lower.sources, lower.box) == (("93.40",), ("93.40-100.0",), (0.0, 100.0, 20.0, 104.0))


@pytest.mark.requirement("callouts.ordinates")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_sizes_that_name_what_they_are_of_are_dimensions_of_their_own(angle: float) -> None:
    lines = ("56.34(board)", "55.50±0.20(LCD BL)", "55.00±0.20(panel)")
    box = (0.0, 100.0, 40.0, 140.0) if angle == 0 else (-140.0, 0.0, -100.0, 40.0)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    parts = with_sizes_apart([Label(lines, 1, middle, box, angle, 4.0, ("a", "b", "c"), "dimension")])
    assert [part.lines for part in parts] == [(line,) for line in lines]
    lows = [part.box[1] if angle == 0 else -part.box[2] for part in parts]
    assert lows == pytest.approx([136.0, 118.0, 100.0])
    two = Label(("25.4±0.1(mm)", "1.000±.004(in)"), 1, middle, box, angle, 4.0, ("a", "b"), "dimension")
    assert with_sizes_apart([two]) == [two]


@pytest.mark.requirement("callouts.ordinates")
def test_a_list_of_holes_by_letters_is_a_label_each() -> None:
    lines = ("HOLES:", "A- 8 HOLES DRILL M3 THRU (4 ON EACH SIDE)", "B- 12 HOLES C'SINK Ø6 THRU")
    whole = Label(lines, 1, (20.0, 20.0), (0.0, 0.0, 40.0, 40.0), 0.0, 4.0, ("a", "b", "c"), "free")
    found = [each for part in with_sizes_apart([whole]) for each in extract_callouts(part, Context())]
    assert [(each.type, each.quantity) for each in found] == [("thread", 8), ("countersink", 12)]
