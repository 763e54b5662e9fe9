"""Deviations, limits and classes that stand apart from their size, and boxes that are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.lettering.labels import find_labels, texture_values
from spatial.understanding.sheet.lettering.overprinted import with_plus_minus
from tests.spatial.lettered import HEIGHT as H
from tests.spatial.lettered import LETTER, Board


def read(board: Board) -> list[str]:
    return [" | ".join(label.lines) for label in find_labels(board.sheet(), frozenset(), [])]


def over_words(board: Board) -> None:
    end = board.text("7.35 -0.04 DEEP", 100, 100)
    board.text("+0.09", end - 10 * LETTER * H, 100 + 1.4 * H)


def over_a_zero_with_words(board: Board) -> None:
    x = board.text("3x Ø4.7", 100, 100) + 0.5 * H
    board.text("0.00 REAM", x + LETTER * H, 100)
    board.text("+0.06", x, 100 + 1.4 * H)


def far_apart(board: Board) -> None:
    x = board.text("23", 100, 100)
    board.text("+0.3", x + 0.9 * H, 100 + 1.05 * H, 0.5 * H)
    board.text("+0.07", x + 0.4 * H, 100 - 0.4 * H, 0.5 * H)


def spaced_sign(board: Board) -> None:
    x = board.text("61", 100, 100)
    board.text("- 0,7", x + 0.3 * H, 100 - 0.45 * H, 0.7 * H)


def before_a_word(board: Board) -> None:
    x = board.text("9", 100, 100)
    board.text("+0.4", x + 0.2 * H, 100 + 1.0 * H, 0.7 * H)
    x = board.text("0", x + 0.8 * H, 100, 0.7 * H)
    board.text("GEWINDE", x + 1.2 * H, 100)


def over_a_depth(board: Board) -> None:
    x = board.text("14 x Ø2.00 +0.01", 100, 100)
    board.text("+0.02", x - 5 * LETTER * H, 100 + 1.35 * H)
    x = board.symbol("↧", x + 0.4 * H, 100)
    board.text("4.50", x + 0.2 * H, 100)


def in_one_text_with_a_depth(board: Board) -> None:
    board.text("2 x Ø2.00 -0.01     3.50", 100, 100)
    board.text("+0.02", 100 + 10 * LETTER * H, 100 + 1.35 * H)
    board.symbol("↧", 100 + 17 * LETTER * H, 100)


def raised_class(board: Board) -> None:
    x = board.text("10", 100, 100)
    x = board.text("H7", x, 100 + 0.85 * H, 0.86 * H)
    board.text("(1x)", x + 0.7 * H, 100)


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize(
    ("draw", "line"),
    [
        (over_a_depth, "14 x Ø2.00 +0.02 +0.01 ↧4.50"),
        (in_one_text_with_a_depth, "2 x Ø2.00 +0.02 -0.01 ↧3.50"),
        (raised_class, "10 H7 (1x)"),
        (over_words, "7.35 +0.09 -0.04 DEEP"),
        (over_a_zero_with_words, "3x Ø4.7 +0.06 0.00 REAM"),
        (far_apart, "23 +0.3 +0.07"),
        (spaced_sign, "61 -0,7"),
        (before_a_word, "9 +0.4 0 GEWINDE"),
    ],
)
@pytest.mark.parametrize("angle", [0, 90, 344])
def test_both_deviations_are_of_the_size_before_them(draw: Callable[[Board], None], line: str, angle: float) -> None:
    board = Board(angle)
    draw(board)
    assert read(board) == [line]


@pytest.mark.requirement("lettering.deviations")
def test_a_size_over_a_size_with_a_deviation_and_words_stays_its_own() -> None:
    board = Board()
    board.text("5.5 -0.1 THRU", 100, 100)
    board.text("8.25", 130, 100 + 1.4 * H)
    assert sorted(read(board)) == ["5.5 -0.1 THRU", "8.25"]


def apart(gap: float, lines: int, angle: float, size: str = "4.82", part: str = "-1.15") -> list[str]:
    """What is read of a size and what may be its deviation, so many letter heights behind it with so many lines between."""
    board = Board(angle)
    x = board.text(size, 100, 100)
    board.text(part, x + gap * H, 100)
    for number in range(lines):
        place = x + (0.3 + 0.5 * number) * H
        board.line(place, 60, place, 140)
    return sorted(read(board))


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize("angle", [0, 90])
def test_a_row_of_a_table_between_two_figures_keeps_them_apart(angle: float) -> None:
    assert apart(1.5, 2, angle) == ["-1.15", "4.82"]
    assert apart(1.5, 1, angle) == apart(1.5, 0, angle) == apart(0.7, 2, angle) == ["4.82 -1.15"]


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize("angle", [0, 270])
def test_a_line_between_the_number_of_a_pin_and_its_name_far_behind_makes_no_fit(angle: float) -> None:
    assert apart(1.3, 1, angle, "16", "G3") == ["16", "G3"]
    assert apart(1.3, 0, angle, "16", "G3") == apart(0.7, 1, angle, "16", "G3") == ["16 G3"]


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize(
    ("size", "deviation", "is_ruled", "is_one"),
    [
        ("30", "±18", True, False),
        ("0.03", "±0.05", False, True),
        ("30", "±0.2", True, True),
    ],
)
def test_a_deviation_beyond_a_line_is_smaller_than_half_its_size(
    size: str, deviation: str, *, is_ruled: bool, is_one: bool
) -> None:
    board = Board()
    board.text(size, 100, 100 + 1.7 * H)
    board.text(deviation, 100, 100)
    if is_ruled:
        board.line(80, 100 + 1.35 * H, 160, 100 + 1.35 * H)
    assert read(board) == ([f"{size} | {deviation}"] if is_one else [size, deviation])


def limits_at(board: Board, drop: float) -> list[str]:
    board.text("7.40", 100, 100 + drop * H)
    board.text("4.40", 100, 100)
    dimension = Dimensioning("dimension-1", "linear", 1, "4.40", 4.4, (100, 100), ("annotation-2",))
    return [" | ".join(label.lines) for label in find_labels(board.sheet(), frozenset(), [dimension])]


@pytest.mark.requirement("lettering.limits")
def test_sizes_far_apart_are_limits_where_a_dimension_line_has_only_both_of_them() -> None:
    assert limits_at(Board(), 1.4) == ["7.40 | 4.40"]
    divided = Board()
    divided.line(80, 100 + 1.2 * H, 200, 100 + 1.2 * H)
    assert limits_at(divided, 1.4) == ["7.40", "4.40"]
    assert limits_at(Board(), 2.2) == ["7.40", "4.40"]


@pytest.mark.requirement("lettering.frame")
def test_lines_that_cross_round_a_size_and_go_on_are_no_box() -> None:
    crossed, framed = Board(), Board()
    for board in (crossed, framed):
        board.text("R6.5", 100, 100)
    left, right, low, high = 100 - 0.6 * H, 100 + 3.2 * H, 100 - 0.6 * H, 100 + 1.6 * H
    framed.boxes([left, right], low, high)
    for y in (low, high):
        crossed.line(left - 9 * H, y, right + 7 * H, y)
    crossed.line(left, low, left, high)
    crossed.line(right, low - 2 * H, right, high + 0.2 * H)
    boxed = [label.boxed for board in (crossed, framed) for label in find_labels(board.sheet(), frozenset(), [])]
    assert boxed == [False, True]


@pytest.mark.requirement("lettering.texture")
def test_a_roughness_on_the_line_of_its_sign_is_one() -> None:
    board = Board()
    board.symbol("√", 100, 99, 1.4 * H)
    x = board.text("125", 100 + 1.5 * H, 100)
    board.text("250", x + 3 * H, 100)
    assert texture_values(board.sheet()) == frozenset({"annotation-1"})


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize("deviations", [("±0.02",), ("+0.00", "-0.02")])
@pytest.mark.parametrize("back", [0.0, 0.9])
@pytest.mark.parametrize("size", ["19.17", "2-Ø2.7", "3x12=36", "4-R2.5"])
def test_small_deviations_over_the_end_of_a_size_are_of_it(size: str, deviations: tuple[str, ...], back: float) -> None:
    board = Board()
    end = board.text(size, 100, 100)
    for line, deviation in enumerate(reversed(deviations)):
        board.text(deviation, end - back * H, 100 + (1.2 + 0.9 * line) * H, 0.6 * H)
    assert read(board) == [" ".join((size, *deviations))]


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize(("gap", "shown"), [(1.95, ["1.22 REF"]), (2.6, ["1.22", "REF"])])
def test_a_word_alone_behind_a_size_is_of_it_where_texts_are_narrower_than_their_letters(
    gap: float, shown: list[str]
) -> None:
    board = Board()
    end = board.text("1.22", 100, 100)
    board.text("REF", end + gap * H, 100)
    assert sorted(read(board)) == shown


@pytest.mark.requirement("lettering.deviations")
def test_small_deviations_over_a_size_belong_to_the_size_in_their_line() -> None:
    board = Board()
    board.text("19.17", 100, 100)
    end = board.text("7.5", 100, 100 + 1.2 * H)
    board.text("±0.02", end + 0.2 * H, 100 + 1.2 * H, 0.6 * H)
    assert sorted(read(board)) == ["19.17", "7.5 ±0.02"]


@pytest.mark.requirement("lettering.deviations")
def test_small_deviations_over_a_line_above_a_size_are_not_of_it() -> None:
    board = Board()
    end = board.text("19.17", 100, 100)
    board.line(90, 100 + 1.1 * H, 140, 100 + 1.1 * H)
    board.text("±0.02", end - 0.5 * H, 100 + 1.2 * H, 0.6 * H)
    assert sorted(read(board)) == ["19.17", "±0.02"]


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize(("drop", "shown"), [(0.3, "±0.02"), (0.8, "±0.02"), (1.3, "+0.02"), (-0.5, "+0.02")])
@pytest.mark.parametrize("angle", [0.0, 90.0, 30.0])
def test_a_plus_with_a_loose_minus_under_it_is_one_sign(drop: float, shown: str, angle: float) -> None:
    board = Board(angle)
    board.text("+0.02", 100, 100)
    board.text("-", 100, 100 - drop * H)
    assert with_plus_minus(board.sheet()).texts[0].text == shown


@pytest.mark.requirement("lettering.stack")
def test_two_depths_over_each_other_that_have_each_a_sign_are_no_limits() -> None:
    board = Board()
    for y, before, depth in ((100 + 1.6 * H, "8X Ø.089", ".35"), (100, "4-40 UNC", ".22")):
        board.text(before, 100, y)
        x = board.symbol("↧", 100 + 8.6 * LETTER * H, y)
        board.text(depth, x + 0.5 * H, y)
    assert read(board) == ["8X Ø.089 ↧.35 | 4-40 UNC ↧.22"]


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize(("size", "whole"), [("Ø4.5 H7", ["Ø4.5 H7 +0.01 0"]), ("Ø4.5", ["Ø4.5", "+0.01 0"])])
def test_a_bracket_two_lines_high_leaves_deviations_far_behind_their_class(size: str, whole: list[str]) -> None:
    board = Board()
    x = board.text(size, 100, 100)
    board.text("+0.01", x + 2.7 * H, 100 + 0.7 * H, 0.7 * H)
    board.text("0", x + 3.4 * H, 100 - 0.6 * H, 0.7 * H)
    assert sorted(read(board), reverse=True) == whole


@pytest.mark.requirement("lettering.stack")
def test_two_diameters_over_each_other_that_have_each_the_sign_of_a_counterbore_are_no_limits() -> None:
    board = Board()
    board.text("Ø2.50", 100, 100)
    for line, diameter in ((1, "Ø7.00"), (2, "Ø4.00")):
        x = board.symbol("⌴", 100, 100 - 1.7 * H * line)
        board.text(diameter, x + 0.1 * H, 100 - 1.7 * H * line)
    assert read(board) == ["Ø2.50 | ⌴Ø7.00 | ⌴Ø4.00"]


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(
    ("upper", "lower"), [(".032 [0.81] x 45°", "CHAMFER (2) PLS"), ("2X Ø.25 THRU", "(THERMAL FUSE HOLES)")]
)
def test_what_a_callout_is_of_goes_on_under_its_size(upper: str, lower: str) -> None:
    board = Board()
    board.text(upper, 100, 100)
    board.text(lower, 100 + (len(upper) - len(lower)) / 2 * LETTER * H, 100 - 1.8 * H)
    assert read(board) == [f"{upper} | {lower}"]
