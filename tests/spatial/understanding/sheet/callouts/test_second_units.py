"""Sizes that a datasheet gives in both units are no references, and a box without a frame is no basic size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.understanding.sheet.callouts.basic import without_loose_boxes
from spatial.understanding.sheet.callouts.basic_counts import with_counts_joined
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.deviations_over import with_deviations_joined
from spatial.understanding.sheet.callouts.second_units import warnings_of_second_units, without_second_units
from spatial.understanding.sheet.label import Label
from tests.spatial.understanding.sheet.callouts.test_callouts import callouts, label

BOTH = [("10.2", "(0.4)"), ("2.54", "(0.1)"), ("19.5", "(0.77)"), ("7.4 ± 0.2", "(0.291 ± 0.008)")]


def _at(text: str, x: float, y: float, height: float = 3.0) -> Label:
    box = (x, y, x + 0.6 * height * len(text), y + height)
    return replace(label(text, "free"), position=(x, y), box=box, height=height, sources=(f"{text} at {x} {y}",))


def _pairs(sizes: list[tuple[str, str]]) -> list[Label]:
    rows = ((first, second, 40.0 * number) for number, (first, second) in enumerate(sizes))
    return [each for first, second, y in rows for each in (_at(first, 0.0, y), _at(second, 0.0, y - 4.0, 2.0))]


@pytest.mark.requirement("callouts.types")
def test_brackets_that_repeat_the_size_beside_them_in_inches_are_no_references() -> None:
    kept = without_second_units(_pairs(BOTH))
    assert [each.text for each in kept] == [f"{first} {second}" for first, second in BOTH]
    over = [each for each in _pairs(BOTH) if "(" not in each.text]
    over += [_at(second, 0.0, 40.0 * number + 4.0, 2.0) for number, (_, second) in enumerate(BOTH)]
    assert [each.text for each in without_second_units(over)] == [first for first, _ in BOTH]


@pytest.mark.requirement("callouts.types")
def test_a_bracket_with_the_sign_of_its_size_and_one_of_a_limit_are_no_references() -> None:
    both = [("⌀0.035", "(⌀0,89)"), (".090 MIN TYP", "(2,29)"), (".008 ± .002", "(0,20)"), (".250", "(6.35)")]
    kept = without_second_units([*_pairs(both), _at("(0,05)", 12.0, 76.0, 2.0)])
    assert [each.text for each in kept] == [f"{first} {second}" for first, second in both]
    found = [each for size in kept for each in callouts("\n".join(size.lines), context=Context(unit="inch"))]
    assert [(each.type, each.text) for each in found] == [
        ("hole", "⌀0.035 (⌀0,89)"), ("limit", ".090 MIN TYP (2,29)"), ("tolerance", ".008 ± .002 (0,20)")
    ]  # fmt: skip
    assert found[0].model_dump()["diameter"] == 0.035


@pytest.mark.requirement("callouts.types")
def test_a_reference_stays_among_brackets_that_repeat_the_size_beside_them() -> None:
    kept = without_second_units([*_pairs(BOTH), _at("(75)", 300, 0)])
    assert [each.text for each in kept if each.text.startswith("(")] == ["(75)"]


@pytest.mark.requirement("callouts.types")
def test_a_bracket_that_may_repeat_a_size_which_was_not_read_is_left_out_with_a_warning() -> None:
    both = [("⌀0.035", "(⌀0,89)"), (".090 MIN TYP", "(2,29)"), (".250", "(6.35)")]
    labels = [*_pairs(both), _at("(3,99)", 300, 0)]
    assert [each.text for each in without_second_units(labels) if each.text.startswith("(")] == []
    reference = [*_pairs(both), _at("(.157)", 300, 0)]
    assert [each.text for each in without_second_units(reference) if each.text.startswith("(")] == ["(.157)"]
    [warning] = warnings_of_second_units(labels, 2)
    assert warning.startswith("page 2: 1 size in brackets left out")
    assert warnings_of_second_units(_pairs(both), 2) == []


@pytest.mark.requirement("callouts.types")
def test_references_stay_where_one_happens_to_be_a_size_in_the_other_unit() -> None:
    labels = _pairs([("10.2", "(0.4)"), ("30", "(12)"), ("18", "(22)"), ("5", "(7.5)")])
    assert without_second_units(labels) == labels
    apart = [each for number, pair in enumerate(BOTH) for each in (_at(pair[0], 0, 90 * number), _at(pair[1], 200, 0))]
    assert without_second_units(apart) == apart


@pytest.mark.requirement("callouts.types")
def test_a_loose_number_in_a_box_is_a_basic_size_only_beside_a_frame_or_several_that_dimension_lines_hold() -> None:
    loose = callouts("12", "free", boxed=True)
    called = callouts("12", "dimension", boxed=True)
    frame = callouts("⌖ Ø0.2 A", "frame")
    assert [each.type for each in (*loose, *called, *frame)] == ["basic", "basic", "gdt"]
    assert without_loose_boxes([*loose, *called]) == called
    assert without_loose_boxes([*loose, *frame]) == [*loose, *frame]
    assert without_loose_boxes([*loose, *called * 2]) == called * 2
    assert without_loose_boxes([*loose, *called * 3]) == [*loose, *called * 3]


@pytest.mark.requirement("callouts.types")
def test_a_word_of_places_behind_the_size_of_a_box_leaves_it_basic_and_another_word_does_not() -> None:
    texts = ("14.61 TYP", "2.54 2 PLC", "10 BIT")
    assert [each.type for text in texts for each in callouts(text, "dimension", boxed=True)] == ["basic", "basic"]


@pytest.mark.requirement("callouts.types")
def test_a_size_with_its_deviations_and_the_same_in_millimetres_behind_it_are_one() -> None:
    first = _at(".551 +.0020 -.0016", 0, 0)
    [whole] = without_second_units([first, _at("14.00 +.05 -.04", first.box[2] + 4, 0)])
    assert whole.text == ".551 +.0020 -.0016 [14.00 +.05 -.04]"
    other = [first, _at("14.00 +.15 -.04", first.box[2] + 4, 0)]
    assert without_second_units(other) == other
    second = _at("14.00 +.05 -.04", first.box[2] + 4, 0)
    third = _at(".551 +.0020 -.0016", second.box[2] + 4, 0)
    three = without_second_units([first, second, third])
    assert [each.text for each in three] == [whole.text, third.text]
    below = [first, _at("14.00 +.05 -.04", 0, -8)]
    assert without_second_units(below) == below


@pytest.mark.requirement("callouts.types")
def test_deviations_in_two_units_over_their_size_are_its_own() -> None:
    texts = ["±.015 [±0.38]", ".653 [16.59]", "±.015 [±0.38]", ".385 [9.77]"]
    labels = [_at(text, 0, 60.0 - 5 * number) for number, text in enumerate(texts)]
    joined = [".653 [16.59] ±.015 [±0.38]", ".385 [9.77] ±.015 [±0.38]"]
    assert [each.text for each in with_deviations_joined(labels)] == joined
    between = labels[1:]
    assert with_deviations_joined(between) == between
    slanted = [replace(each, angle=45.0) for each in labels]
    assert with_deviations_joined(slanted) == slanted


@pytest.mark.requirement("callouts.types")
def test_parts_of_a_code_at_a_dimension_line_are_no_deviations() -> None:
    assert callouts("5264 -15 -14", "dimension") == []
    assert [each.type for each in callouts("Ø300 -12", "dimension")] == ["tolerance"]


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(("text", "place"), [("(5X) 1.27", 85.0), ("1.27 5X", 114.0)])
def test_a_count_beside_the_box_of_a_basic_size_is_of_it(text: str, place: float) -> None:
    size = replace(_at("1.27", 100, 100), boxed=True, role="leader")
    count = _at(text.replace("1.27", "").strip(), place, 100)
    middles = [
        replace(each, position=((each.box[0] + each.box[2]) / 2, (each.box[1] + each.box[3]) / 2))
        for each in (size, count)
    ]
    [whole] = with_counts_joined(middles)
    assert whole.text == text
    [basic] = callouts(whole.text, "leader", boxed=True)
    assert (basic.type, basic.quantity) == ("basic", 5)
    apart = [middles[0], replace(middles[1], position=(60.0, 101.5))]
    assert with_counts_joined(apart) == apart


@pytest.mark.requirement("callouts.types")
def test_a_size_in_the_other_unit_in_round_brackets_is_passed_over_and_any_other_is_not() -> None:
    inches = Context(unit="inch")
    [hole] = callouts("Ø0.032\n(Ø0,81)", "free", inches)
    assert (hole.type, hole.model_dump()["diameter"]) == ("hole", 0.032)
    [size] = callouts(".008 ± .002 (0,20 ±0,05)", "free", inches)
    assert (size.type, size.model_dump()["upper_deviation"]) == ("tolerance", 0.002)
    assert not callouts("Ø0.032 (Ø0,95)", "free", inches)


@pytest.mark.requirement("callouts.types")
def test_decimals_behind_a_blank_are_of_the_size_on_a_metric_sheet_and_nothing_is_read_where_no_unit_is_known() -> None:
    [radius] = callouts("R 4 .25", context=Context(unit="millimeter"))
    assert (radius.type, radius.model_dump()["radius"]) == ("radius", 4.25)
    [fit] = callouts("Ø4 .5 H7", context=Context(unit="millimeter"))
    assert (fit.type, fit.model_dump()["diameter"], fit.model_dump()["class"]) == ("fit", 4.5, "H7")
    assert not callouts("R 4 .25")
    assert [each.model_dump()["radius"] for each in callouts("R 4 .25", context=Context(unit="inch"))] == [4.0]
