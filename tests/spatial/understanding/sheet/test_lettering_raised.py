"""Classes, marks and brackets that stand above the line of their size, and lines of notes that are near but not one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.labels import find_labels
from tests.spatial.lettered import HEIGHT, LETTER, Board

H = HEIGHT
LINE = 1.4 * H
"""Between the deviations above each other."""


def read(board: Board) -> list[str]:
    return [" / ".join(label.lines) for label in find_labels(board.sheet(), frozenset(), [])]


def deviations(board: Board, x: float, upper: str, lower: str) -> None:
    """As SolidWorks writes them: in brackets as tall as both lines."""
    low, high = 100 - 0.3 * H, 100 + LINE + 1.1 * H
    end = x + 0.4 * H + LETTER * H * max(len(upper), len(lower))
    for sign, begin in (("(", x), (")", end)):
        board.symbol(sign, begin, 100)
        board.symbols[-1].box = board.box(begin, low, begin + 0.35 * H, high)
    for shown, v in ((upper, 100 + LINE), (lower, 100.0)):
        board.text(shown, end - LETTER * H * len(shown), v)


def raised_class(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("8", x, 100)
    x = board.text("H10", x + 0.4 * H, 100 + LINE)
    deviations(board, x + 0.2 * H, "+0,058", "0,000")


def raised_class_and_deviation_in_one_text(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("0.315", x, 100)
    end = board.text("H7 +0.001", x + 0.4 * H, 100 + LINE)
    board.text("0.000", end - 5 * LETTER * H, 100)


def class_a_little_raised(board: Board) -> None:
    x = board.text("ø100", 100, 100)
    board.text("H7", x + 0.05 * H, 100 + 0.4 * H, 0.86 * H)


def class_lowered_in_the_letters_of_its_size(board: Board) -> None:
    x = board.text("63", 100, 100)
    board.text("h7", x + 0.5 * H, 100 - 0.67 * H)


def class_raised_in_the_letters_of_its_size(board: Board) -> None:
    x = board.text("31,5", 100, 100)
    board.text("H7", x + 0.15 * H, 100 + 1.35 * H)


def classes_where_the_size_is_thought_to_be_wider(board: Board) -> None:
    x = board.text("Ø130", 100, 100)
    board.text("H7", x - 1.1 * H, 100 + 0.65 * H, 0.7 * H)
    board.text("h6", x - 1.1 * H, 100 - 0.2 * H, 0.7 * H)


def between_lines(board: Board) -> None:
    """A symmetric deviation of the line above stands right over the deviations of the line below."""
    x = board.text("24", 100, 100 + 1.9 * LINE)
    board.text("±0.02", x + 0.2 * H, 100 + 1.9 * LINE, 0.7 * H)
    x = board.text("14", 100, 100)
    board.text("+0.04", x + 0.2 * H, 100 + 0.8 * H, 0.7 * H)
    board.text("+0.02", x + 0.2 * H, 100 - 0.2 * H, 0.7 * H)


def raised_class_taller_than_deviations(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("16", x, 100)
    x = board.text("H7", x + 0.3 * H, 100 + 1.53 * H)
    board.text("+0.018", x + 0.3 * H, 100 + 1.15 * H, 0.74 * H)
    board.text("0", x + 0.3 * H, 100, 0.74 * H)


def unsigned_over_signed(board: Board) -> None:
    x = board.text("28", 100, 100)
    deviations(board, x + 0.2 * H, "0,0", "-0,1")


def class_on_the_line(board: Board) -> None:
    x = board.text("15 h7", 100, 100)
    deviations(board, x + 0.2 * H, "0,000", "-0,018")


def lower_without_its_sign(board: Board) -> None:
    x = board.text("Ø75 m5", 100, 100)
    deviations(board, x + 0.2 * H, "+0,024", "0,011")


def limits_round_the_middle(board: Board) -> None:
    """Limits in brackets as tall as both, with the class and its size half-way between them."""
    end = board.text("Ø12 F7", 100, 100 + 0.65 * H) + 0.3 * H
    board.text("(", end, 100 + 0.3 * H, 2 * H)
    for shown, v in (("12.034", 100 + 1.3 * H), ("12.016", 100.0)):
        after = board.text(shown, end + 1.2 * H, v)
    board.text(")", after, 100 + 0.3 * H, 2 * H)


def word_in_smaller_lettering(board: Board) -> None:
    x = board.text("73.4", 100, 100)
    board.text("MAX", x + 0.6 * H, 100 + 0.42 * H, 0.8 * H)


def tolerance_over_the_size(board: Board) -> None:
    board.text("4.8", 100, 100)
    board.text("±0.05", 100 + H, 100 + 1.2 * H, 0.8 * H)


def tolerance_over_the_middle_of_the_size(board: Board) -> None:
    board.text("3.35", 100, 100)
    board.text("±0.05", 100 - 0.3 * H, 100 + 1.3 * H, 0.8 * H)


def word_over_the_end_of_the_size(board: Board) -> None:
    x = board.text("0.37", 100, 100)
    board.text("MIN", x - H, 100 + 1.2 * H, 0.8 * H)


def deviations_over_the_size(board: Board) -> None:
    x = board.text("1.85", 100, 100)
    board.text("+0.08", x - 0.2 * H, 100 + 2.5 * H, 0.8 * H)
    board.text("-0.02", x - 0.2 * H, 100 + 1.3 * H, 0.8 * H)


def deviations_in_two_units_over_the_size(board: Board) -> None:
    end = board.text(".105 [2.67]", 100, 100)
    board.text("+.002 [+0.05]", end - 7 * H, 100 + 3.1 * H, 0.7 * H)
    board.text("-.005 [-0.13]", end - 7 * H, 100 + 1.8 * H, 0.7 * H)


def deviation_over_the_end_of_the_size(board: Board) -> None:
    x = board.text("127", 100, 100)
    board.text("-0.2", x - 0.8 * H, 100 + 1.05 * H, 0.8 * H)


def deviations_in_two_units_behind_a_sum(board: Board) -> None:
    x = board.text("(NO OF POS x .100[2.54])", 100, 100)
    board.text("+.000[0.00]", x, 100 + 0.9 * H, 0.75 * H)
    board.text("-.015[0.38]", x + 0.3 * H, 100 - 0.45 * H, 0.75 * H)


def star(board: Board) -> None:
    x = board.text("86", 100, 100)
    board.text("*", x, 100 + 0.35 * H, 0.7 * H)


@pytest.mark.requirement("lettering.deviations", "lettering.fit")
@pytest.mark.parametrize("angle", [0.0, 90.0])
@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (raised_class, "Ø8 H10 (+0,058 0,000)"),
        (raised_class_and_deviation_in_one_text, "Ø0.315 H7 +0.001 0.000"),
        (raised_class_taller_than_deviations, "Ø16 H7 +0.018 0"),
        (class_a_little_raised, "ø100 H7"),
        (class_lowered_in_the_letters_of_its_size, "63 h7"),
        (class_raised_in_the_letters_of_its_size, "31,5 H7"),
        (classes_where_the_size_is_thought_to_be_wider, "Ø130 H7/h6"),
        (unsigned_over_signed, "28 (0,0 -0,1)"),
        (class_on_the_line, "15 h7 (0,000 -0,018)"),
        (lower_without_its_sign, "Ø75 m5 (+0,024 0,011)"),
        (limits_round_the_middle, "Ø12 F7 (12.034 12.016)"),
        (word_in_smaller_lettering, "73.4 MAX"),
        (tolerance_over_the_size, "4.8 ±0.05"),
        (tolerance_over_the_middle_of_the_size, "3.35 ±0.05"),
        (word_over_the_end_of_the_size, "0.37 MIN"),
        (deviations_over_the_size, "1.85 +0.08 -0.02"),
        (deviations_in_two_units_over_the_size, ".105 [2.67] +.002 [+0.05] -.005 [-0.13]"),
        (deviation_over_the_end_of_the_size, "127 -0.2"),
        (deviations_in_two_units_behind_a_sum, "(NO OF POS x .100[2.54])+.000[0.00] -.015[0.38]"),
        (star, "86*"),
    ],
)
def test_what_stands_above_the_line_belongs_to_the_size(draw: Callable[[Board], None], text: str, angle: float) -> None:
    board = Board(angle)
    draw(board)
    assert read(board) == [text]


@pytest.mark.requirement("lettering.fit")
@pytest.mark.parametrize(
    ("name", "rise", "gap"),
    [("A1", 0.4, 0.3), ("H7", 1.0, 0.3), ("H7", 0.4, 1.2), ("B25", 0.4, 0.3), ("R8", 0.4, 0.3), ("M6", 0.4, 0.3)],
)
def test_what_stands_raised_behind_a_size_is_its_class_only_where_it_is_near_and_may_be_one(
    name: str, rise: float, gap: float
) -> None:
    board = Board()
    x = board.text("100", 100, 100)
    board.text(name, x + gap * H, 100 - rise * H)
    assert sorted(read(board)) == sorted(["100", name])


@pytest.mark.requirement("lettering.deviations")
def test_decimals_set_apart_are_no_second_size() -> None:
    assert words.second_size("Ø7,1 Ø10,5") == 5
    assert words.second_size("R4.5 .25") == 5
    assert words.second_size("R 4 .25") is None


@pytest.mark.requirement("lettering.deviations")
def test_a_symmetric_deviation_is_no_half_of_a_pair() -> None:
    board = Board()
    between_lines(board)
    assert sorted(read(board)) == ["14 +0.04 +0.02", "24 ±0.02"]


@pytest.mark.requirement("lettering.deviations")
def test_each_tolerance_over_a_size_goes_to_the_size_right_under_it() -> None:
    board = Board()
    for size, deviation, v in (("4.3", "±0.05", 100 + 5 * H), ("5.4", "±0.1", 100 + 2.5 * H), ("8.3", "±0.2", 100.0)):
        board.text(size, 100, v)
        board.text(deviation, 100 + 0.3 * H, v + 1.2 * H, 0.8 * H)
    assert sorted(read(board)) == ["4.3 ±0.05", "5.4 ±0.1", "8.3 ±0.2"]


@pytest.mark.requirement("lettering.deviations")
def test_a_tolerance_over_a_line_or_in_letters_of_its_size_is_not_of_the_size_below() -> None:
    board = Board()
    board.text("4.8", 100, 100)
    board.line(90, 100 + 1.1 * H, 140, 100 + 1.1 * H)
    board.text("±0.05", 100 + H, 100 + 1.3 * H, 0.8 * H)
    board.text("5.6", 300, 100)
    board.text("±0.05", 300 + H, 100 + 1.3 * H)
    assert sorted(read(board)) == ["4.8", "5.6", "±0.05", "±0.05"]


@pytest.mark.requirement("lettering.stack")
def test_words_stand_under_the_lower_limit_wherever_the_sign_before_both_is() -> None:
    board = Board()
    x = board.text("⌀", 100, 100 + 0.65 * H, 0.9 * H)
    for shown, v in (("11,00", 100 + 1.3 * H), ("10,50", 100.0)):
        board.text(shown, x, v)
    board.text("(both holes)", 100 - 0.5 * H, 100 - 1.9 * H)
    assert read(board) == ["⌀11,00 / 10,50 / (both holes)"]


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(("second", "found"), [("34.9", ["R1.38 [ 34.9]"]), ("62.0", ["R1.38", "[ 62.0]"])])
def test_a_size_in_drawn_square_brackets_is_one_with_that_before_it_where_it_is_the_same(
    second: str, found: list[str]
) -> None:
    board = Board()
    x = board.text("R1.38", 100, 100)
    board.symbol("]", board.text(f"[ {second}", x + 0.2 * H, 100), 100)
    assert read(board) == found


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(
    ("upper", "lower", "found"),
    [
        ("rosca", "M17x1", ["rosca / M17x1"]),
        ("Rz 10", "Rz 4", ["Rz 10 / Rz 4"]),
        (".410 [10.41]", "±.008 [±0.20]", [".410 [10.41] / ±.008 [±0.20]"]),
        ("2X Ø3.1", "±0.05", ["2X Ø3.1 / ±0.05"]),
        ("41 +0.2", "±0.05", ["41 +0.2", "±0.05"]),
        ("3/8-16 UNC", "SECTION A-A", ["3/8-16 UNC", "SECTION A-A"]),
        ("1/2-13 UNC THRU", "SECCIÓN B-B", ["1/2-13 UNC THRU", "SECCIÓN B-B"]),
        ("1/2-13 Tapped Hole", "3/8-16 Tapped Hole", ["1/2-13 Tapped Hole", "3/8-16 Tapped Hole"]),
    ],
)
def test_a_line_that_its_size_or_thread_needs_is_one_with_it_and_a_caption_is_not(
    upper: str, lower: str, found: list[str]
) -> None:
    board = Board()
    board.text(upper, 100, 100 + 1.4 * H)
    board.text(lower, 100, 100)
    assert read(board) == found


@pytest.mark.requirement("lettering.stack")
def test_words_under_a_size_may_be_smaller_than_it_and_figures_may_not() -> None:
    for below, found in (("DURCHGEHEND", ["Ø7.5 / DURCHGEHEND"]), ("x 9 TIEF", ["Ø7.5", "x 9 TIEF"])):
        board = Board()
        board.text("Ø7.5", 100, 100 + 1.4 * H)
        board.text(below, 100, 100, 0.65 * H)
        assert read(board) == found


def of_a_slanted_size(off: float) -> Board:
    """Deviations over the end of a size, turned by other angles than it."""
    board = Board(320.0)
    end = board.text("Ø259", 500, 500)
    for shown, rise in (("+0.01", 1.7), ("-0.00", 0.8)):
        board.text(shown, end + 0.2 * H, 500 + rise * H, 0.5 * H)
        board.texts[-1] = replace(board.texts[-1], angle=320.0 + off)
    return board


@pytest.mark.requirement("lettering.deviations")
@pytest.mark.parametrize("off", [-4.0, 0.8, 13.0])
def test_both_deviations_are_read_in_the_direction_of_their_slanted_size(off: float) -> None:
    assert read(of_a_slanted_size(off)) == ["Ø259 +0.01 -0.00"]


@pytest.mark.requirement("lettering.deviations")
def test_deviations_in_quite_another_direction_are_not_of_a_size() -> None:
    assert sorted(read(of_a_slanted_size(30.0))) == ["+0.01 -0.00", "Ø259"]


@pytest.mark.requirement("lettering.row")
def test_a_size_with_its_deviations_goes_on_no_line_of_words() -> None:
    board = Board()
    board.text("Sensor OD 104,6±0.2", 100, 100 + 1.9 * H)
    board.text("96,14-0.1(VA)", 100, 100)
    assert sorted(read(board)) == ["96,14-0.1(VA)", "Sensor OD 104,6±0.2"]


@pytest.mark.requirement("lettering.row")
@pytest.mark.parametrize(
    ("upper", "lower", "is_one"),
    [
        ("Ø11.2 H7x8.5Deepx2Nos", "Ø197 PCD", True),
        ("Ø13.5mm", "BOLT HOLE", True),
        ("Ø11.2", "Ø197 PCD", False),
        ("R13.5", "BOLT HOLE", False),
    ],
)
def test_the_circle_of_holes_and_what_they_are_for_stand_under_their_size(
    upper: str, lower: str, *, is_one: bool
) -> None:
    board = Board()
    board.text(upper, 100, 100 + 1.7 * H)
    board.text(lower, 100, 100)
    assert sorted(read(board)) == sorted([f"{upper} / {lower}"] if is_one else [upper, lower])
