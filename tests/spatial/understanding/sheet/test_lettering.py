"""Texts and symbols joined to what a person reads as one piece."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Dimensioning, Text
from spatial.understanding.sheet.dimensions import find_dimensions as dimensioning
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.labels import find_labels, join_texts
from spatial.understanding.sheet.lettering.ruled import MANY, Rules
from tests.spatial.lettered import HEIGHT, LETTER, Board, read

H = HEIGHT
SECONDS_OF_A_HEAP = 60.0
"""Of CPU time, which a busy machine does not lengthen."""


def quantity(board: Board) -> None:
    x = board.text("6 x", 100, 100)
    x = board.symbol("Ø", x + 0.5 * H, 100)
    board.text("16", x + 0.2 * H, 100)


def signed_apart(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("3.30", x + 0.2 * H, 100) + 0.5 * H
    board.text("+", x, 100 + 1.3 * H)
    board.text("-", x, 100)
    board.text("0.20", x + 0.6 * H, 100 + 1.3 * H)
    board.text("0.10", x + 0.6 * H, 100)


def small_deviations(board: Board) -> None:
    x = board.text("25 js6", 100, 100)
    board.text("+0,007", x + 0.3 * H, 100 + 0.9 * H, 0.7 * H)
    board.text("-0,007", x + 0.3 * H, 100 - 0.1 * H, 0.7 * H)


def upper_without_its_sign(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("14", x, 100) + 0.3 * H
    board.text("0.05", x, 100 + 0.6 * H, 0.5 * H)
    board.text("-0.10", x, 100 - 0.2 * H, 0.5 * H)


def lone_zero(board: Board) -> None:
    x = board.symbol("Ø", 100, 100)
    x = board.text("3,99", x, 100) + 0.4 * H
    board.text("-", x, 100)
    board.text("0", x + 0.6 * H, 100 + 1.35 * H)
    board.text("0,02", x + 0.6 * H, 100)


def raised_alone(board: Board) -> None:
    x = board.text("4 H9", 100, 100)
    board.text("+0,03", x + 0.2 * H, 100 + 0.85 * H, 0.7 * H)


def fit(board: Board) -> None:
    x = board.text("2x", 100, 100)
    x = board.symbol("Ø", x + 0.4 * H, 100)
    x = board.text("6.00", x + 0.1 * H, 100)
    board.text("H7", x + 0.4 * H, 100 + 1.3 * H)
    board.text("k6", x + 0.4 * H, 100)


def gap(board: Board) -> None:
    x = board.text("4X   5.2 THRU", 100, 100)
    board.symbol("Ø", 100 + (x - 100) * 2.8 / 13, 100)


def deep(board: Board) -> None:
    x = board.text("M3x0.5 - 6H", 100, 100)
    x = board.symbol("↧", x + 0.3 * H, 100)
    board.text("6.5", x + 0.1 * H, 100)


def bracketed(board: Board) -> None:
    x = board.symbol("(", 100, 100)
    x = board.text("24 x", x, 100)
    x = board.symbol("Ø", x + 0.4 * H, 100)
    x = board.text("3.4", x + 0.4 * H, 100)
    board.symbol(")", x, 100)


def hole_stack(board: Board) -> None:
    x = board.text("4X", 100, 100)
    x = board.symbol("Ø", x + 0.4 * H, 100)
    board.text("6.6 THRU", x, 100)
    x = board.symbol("⌴", 100, 100 - 1.7 * H)
    x = board.symbol("Ø", x + 0.1 * H, 100 - 1.7 * H)
    x = board.text("11", x + 0.1 * H, 100 - 1.7 * H)
    x = board.symbol("↧", x + 0.3 * H, 100 - 1.7 * H)
    board.text("6", x + 0.1 * H, 100 - 1.7 * H)


def fraction(board: Board) -> None:
    board.text("1", 100, 100 + 0.9 * H, 0.7 * H)
    board.text("2", 100, 100 - 0.5 * H, 0.7 * H)
    board.line(100, 100 + 0.6 * H, 100 + 0.6 * H, 100 + 0.6 * H)


def raised_over_a_lower_one(board: Board) -> None:
    end = board.text("0.28 -0.03", 100, 100)
    board.text("+0.12", end - 5 * LETTER * H, 100 + 1.4 * H)


def class_over_a_class(board: Board) -> None:
    end = board.text("12.00 k6", 100, 100)
    board.text("H7", end - 2 * LETTER * H, 100 + 1.4 * H)


def full_height(board: Board) -> None:
    end = board.text("Ø20 h9 -0,05", 100, 100)
    board.text("0", end - LETTER * H, 100 + 1.3 * H)


def zero_over_digits(board: Board) -> None:
    x = board.text("37", 100, 100)
    board.text("0", x + 0.76 * H, 100 + 0.6 * H, 0.6 * H)
    board.text("-0,05", x + 0.4 * H, 100 - 0.4 * H, 0.6 * H)


def counted_in_brackets(board: Board) -> None:
    board.text("(4) Ø9 THRU", 100, 100)
    x = board.symbol("⌴", 100, 100 - 1.7 * H)
    board.text("Ø16", x + 0.1 * H, 100 - 1.7 * H)


Drawn = tuple[Callable[[Board], None], tuple[str, ...]]
DRAWN: list[Drawn] = [
    (quantity, ("6 x Ø16",)),
    (signed_apart, ("Ø3.30 +0.20 -0.10",)),
    (small_deviations, ("25 js6 +0,007 -0,007",)),
    (upper_without_its_sign, ("Ø14 0.05 -0.10",)),
    (lone_zero, ("Ø3,99 0 -0,02",)),
    (raised_alone, ("4 H9 +0,03",)),
    (fit, ("2x Ø6.00 H7/k6",)),
    (gap, ("4X Ø5.2 THRU",)),
    (deep, ("M3x0.5 - 6H ↧6.5",)),
    (bracketed, ("(24 x Ø3.4)",)),
    (hole_stack, ("4X Ø6.6 THRU", "⌴Ø11 ↧6")),
    (raised_over_a_lower_one, ("0.28 +0.12 -0.03",)),
    (class_over_a_class, ("12.00 H7/k6",)),
    (full_height, ("Ø20 h9 0 -0,05",)),
    (zero_over_digits, ("37 0 -0,05",)),
    (counted_in_brackets, ("(4) Ø9 THRU", "⌴Ø16")),
]


def close_up(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Without blanks."""
    return tuple(line.replace(" ", "") for line in lines)


@pytest.mark.requirement("lettering.row", "lettering.deviations", "lettering.fit", "lettering.stack")
@pytest.mark.parametrize(("draw", "lines"), DRAWN)
def test_pieces_are_read_as_one(draw: Callable[[Board], None], lines: tuple[str, ...]) -> None:
    board = Board()
    draw(board)
    (found,) = read(board.sheet())
    assert close_up(found) == close_up(lines)


@pytest.mark.requirement("lettering.angle")
@settings(max_examples=60, deadline=None)
@given(angle=st.floats(0, 359.99), which=st.sampled_from(DRAWN))
def test_a_label_reads_the_same_at_any_angle(angle: float, which: Drawn) -> None:
    draw, lines = which
    board = Board(angle)
    draw(board)
    (found,) = read(board.sheet())
    assert close_up(found) == close_up(lines)


@pytest.mark.requirement("lettering.limits")
def test_limits_and_fractions_are_one() -> None:
    board = Board()
    board.text("10.2", 100, 100 + 1.4 * H)
    board.text("10.0", 100, 100)
    assert read(board.sheet()) == [("10.2", "10.0")]
    board = Board()
    fraction(board)
    assert read(board.sheet()) == [("1/2",)]


@pytest.mark.requirement("lettering.limits")
def test_a_line_goes_on_with_lettering_that_begins_with_a_small_fraction() -> None:
    board = Board()
    fraction(board)
    board.text("-13UNC 3B", 100 + 0.45 * H, 100)
    board.text("2 HOLES", 100, 100 - 1.8 * H)
    assert read(board.sheet()) == [("1/2-13UNC 3B", "2 HOLES")]


@pytest.mark.requirement("lettering.limits")
def test_sizes_on_both_sides_of_a_dimension_line_are_no_fraction() -> None:
    board = Board()
    board.text("90", 100, 100 + 0.6 * H)
    board.text("117", 100 - 0.3 * H, 100 - 1.3 * H)
    board.line(20, 100, 200, 100)
    assert read(board.sheet()) == [("90",), ("117",)]


@pytest.mark.requirement("lettering.limits")
@pytest.mark.parametrize(
    "lines",
    [
        [(99.0, 105.5), (92.0, 100.0), (105.0, 112.0)],
        [(100.0, 104.2), (20.0, 200.0)],
    ],
    ids=["drawn in parts between heads from outside", "with a line under the text that lies on it"],
)
def test_a_dimension_line_as_short_as_its_sizes_is_no_bar_of_a_fraction(lines: list[tuple[float, float]]) -> None:
    board = Board()
    board.text("40", 100, 100 + 0.6 * H)
    board.text("35", 100, 100 - 1.3 * H)
    for left, right in lines:
        board.line(left, 100, right, 100)
    assert read(board.sheet()) == [("40",), ("35",)]


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(("lines", "labels"), [(2, 2), (1, 1)])
def test_rows_for_which_dimension_lines_are_broken_are_of_two_dimensions(lines: int, labels: int) -> None:
    board = Board()
    for place, text in enumerate(("2.00 x No. of Positions", "2.00 x No. of Spaces")):
        end = board.text(text, 100, 100 - 1.8 * place * H)
        for left, right in ((40, 100 - H), (end + H, end + 60)) if place < lines else ():
            board.line(left, 100 - (1.8 * place - 0.5) * H, right, 100 - (1.8 * place - 0.5) * H)
    assert len(read(board.sheet())) == labels


@pytest.mark.requirement("lettering.apart")
@pytest.mark.parametrize(
    ("text", "ends", "labels"),
    [
        ("2.5 2.0 2.5", [98.0, 107.5, 116.0, 125.5], 3),
        ("2.5 2.0 2.5", [20.0, 200.0], 1),
        ("1 250 000", [98.0, 104.0, 112.0, 125.5], 1),
    ],
    ids=["a line each", "one line under all", "groups of one number"],
)
def test_sizes_of_a_chain_that_a_file_keeps_in_one_text_are_cut_where_their_lines_end(
    text: str, ends: list[float], labels: int
) -> None:
    board = Board()
    board.text(text, 100, 100)
    for left, right in pairwise(ends):
        board.line(left, 100 - 0.5 * H, right, 100 - 0.5 * H)
    assert len(read(board.sheet())) == labels


@pytest.mark.requirement("lettering.apart")
def test_sizes_in_two_units_side_by_side_are_each_over_their_own_second_unit() -> None:
    board = Board()
    for left, millimetres, inches in ((100, "31.8mm", "[1.250in]"), (100 + 6 * H, "27.9mm", "[1.100in]")):
        board.text(millimetres, left + 0.5 * H, 100)
        board.text(inches, left, 100 - 1.6 * H)
    assert sorted(read(board.sheet())) == [("27.9mm", "[1.100in]"), ("31.8mm", "[1.250in]")]


@pytest.mark.requirement("lettering.stack")
def test_sizes_above_each_other_stay_apart() -> None:
    board = Board()
    for place, size in enumerate(("12.5", "40", "7.25")):
        board.text(size, 100, 100 - place * 1.8 * H)
    assert read(board.sheet()) == [("12.5",), ("40",), ("7.25",)]


@pytest.mark.requirement("lettering.stack")
def test_a_note_of_three_lines_is_one() -> None:
    board = Board()
    for place, line in enumerate(("6 x PEM nut M3", "CLA-M3-2", "according to STEP")):
        board.text(line, 100, 100 - place * 1.6 * H)
    assert read(board.sheet()) == [("6 x PEM nut M3", "CLA-M3-2", "according to STEP")]


@pytest.mark.requirement("lettering.apart")
def test_two_sizes_that_a_file_keeps_in_one_text_are_two() -> None:
    board = Board()
    board.text("7,1  10,5", 100, 100)
    board.symbol("Ø", 100 + 3.6 * LETTER * H, 100)
    assert [close_up(lines) for lines in read(board.sheet())] == [("7,1",), ("Ø10,5",)]


@pytest.mark.requirement("lettering.limits")
@pytest.mark.parametrize(("upper", "lower"), [("10.10", "9.90"), ("16,00", "15,00"), ("3,70", "3,30")])
def test_sizes_of_one_precision_above_each_other_are_limits(upper: str, lower: str) -> None:
    board = Board()
    board.text(upper, 100, 100)
    board.text(lower, 100, 100 - 2.0 * H)
    assert read(board.sheet()) == [(upper, lower)]


@pytest.mark.requirement("lettering.limits")
def test_words_beside_the_middle_of_two_limits_hold_for_both() -> None:
    def lettered(level: float) -> list[tuple[str, ...]]:
        board = Board()
        board.text("18.993", 100, 100)
        board.text("18.972", 100, 100 - 1.4 * H)
        board.text("THRU", 100 + 6.5 * LETTER * H, 100 - level * H)
        return [label.lines for label in find_labels(board.sheet(), frozenset(), [])]

    assert lettered(0.7) == [("18.993", "18.972 THRU")]
    assert ("18.993", "18.972 THRU") not in lettered(2.8)


@pytest.mark.requirement("lettering.stack")
def test_a_quantity_that_stands_alone_is_of_the_size_under_it_and_else_of_that_over_it() -> None:
    for lines, expected in (
        (("Ø40.91 +0.01 -0.05", "2X"), [("Ø40.91 +0.01 -0.05", "2X")]),
        (("M3 THRU", "2X", "Ø5 H7"), [("M3 THRU",), ("2X", "Ø5 H7")]),
        (("R0.20", "IN 4 POS."), [("R0.20", "IN 4 POS.")]),
        (("Ø8 THRU", "4 PLACES (2 @ 90°)"), [("Ø8 THRU", "4 PLACES (2 @ 90°)")]),
    ):
        board = Board()
        for row, line in enumerate(lines):
            board.text(line, 100, 100 - 1.7 * row * H)
        assert sorted(read(board.sheet())) == sorted(expected)


@pytest.mark.requirement("lettering.apart")
def test_sizes_beside_each_other_stay_apart() -> None:
    board = Board()
    x = board.text("67.75", 100, 100)
    board.text("86.5", x + 0.6 * H, 100)
    assert read(board.sheet()) == [("67.75",), ("86.5",)]


def _beside_circle(mark: str, radius: float, *, before: bool = False) -> list[tuple[str, ...]]:
    """What is read of `4X R0.5` and a text close before or behind it, in the middle of a circle."""
    board = Board()
    wide = LETTER * H * len(mark)
    x = 100.0 if before else board.text("4X R0.5", 100, 100) + 0.7 * H
    if before:
        board.text("4X R0.5", 100 + wide + 0.7 * H, 100)
    board.text(mark, x, 100)
    board.arcs.append((x + wide / 2, 100 + H / 2, radius * H, 0.0, 360.0))
    return sorted(read(board.sheet()))


@pytest.mark.requirement("lettering.apart")
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("mark", ["1-14", "7", "12", "3.2", "12a"])
def test_a_number_in_a_circle_is_a_balloon_and_no_part_of_the_size_beside_it(mark: str, before: bool) -> None:
    assert _beside_circle(mark, 1.5, before=before) == sorted([("4X R0.5",), (mark,)])


@pytest.mark.requirement("lettering.apart")
@pytest.mark.parametrize(
    ("mark", "radius"),
    [
        pytest.param("7", 8.0, id="in a hole of the part"),
        pytest.param("1-14", 0.6, id="a circle smaller than the number"),
        pytest.param("TYP", 1.5, id="a word"),
    ],
)
def test_what_stands_in_another_circle_belongs_to_its_line(mark: str, radius: float) -> None:
    assert _beside_circle(mark, radius) == [(f"4X R0.5 {mark}",)]


@pytest.mark.requirement("lettering.words-under")
def test_words_and_a_count_under_a_hole_at_a_leader_are_of_it() -> None:
    def lettered(drop: float = 1.7, indent: float = 0.0, height: float = H, *, led: bool = True) -> list[str]:
        board = Board()
        x = board.symbol("Ø", 100, 100)
        board.text("4.2", x, 100, kind="leader" if led else "text")
        board.text("LOCKING KNOB", 100 + indent, 100 - drop * H, height)
        board.text("3 PLACES", 100 + indent, 100 - 2 * drop * H, height)
        return [label.text for label in find_labels(board.sheet(), frozenset(), [])]

    assert lettered() == ["Ø4.2 LOCKING KNOB 3 PLACES"]
    for apart in (lettered(drop=3.0), lettered(indent=2 * H), lettered(height=0.8 * H), lettered(led=False)):
        assert "Ø4.2" in apart


@pytest.mark.requirement("lettering.apart")
def test_words_with_a_line_between_stay_apart() -> None:
    board = Board()
    x = board.text("CHANGE", 100, 100)
    board.line(x + 0.2 * H, 90, x + 0.2 * H, 120)
    board.text("REV", x + 0.4 * H, 100)
    assert read(board.sheet()) == [("CHANGE",), ("REV",)]


@pytest.mark.requirement("lettering.stack")
def test_a_count_of_holes_stands_over_the_thread_that_they_have() -> None:
    board = Board()
    board.text("4 holes", 100, 100 + 1.6 * H)
    board.text("M4x0.7-6H", 100, 100)
    assert read(board.sheet()) == [("4 holes", "M4x0.7-6H")]


@pytest.mark.requirement("lettering.apart")
def test_a_roughness_beside_a_radius_is_a_label_of_its_own() -> None:
    board = Board()
    x = board.text("Ra3,2", 100, 100)
    board.text("R1", x + 0.6 * H, 100)
    assert read(board.sheet()) == [("Ra3,2",), ("R1",)]


@pytest.mark.requirement("lettering.texture")
def test_texture_is_a_role() -> None:
    board = Board()
    board.symbol("√", 92, 98, 3 * H)
    x = board.text("Rz 20", 92 + 3.2 * H, 100)
    board.symbol("(", x + 5, 100)
    board.symbol("√", x + 5.5, 100)
    board.symbol(")", x + 9, 100)
    (found,) = find_labels(board.sheet(), frozenset(), [])
    assert (found.role, found.lines) == ("surface_texture", ("Rz 20",))


@pytest.mark.requirement("lettering.claimed")
def test_claimed_texts_are_in_no_label() -> None:
    board = Board()
    x = board.text("6 x", 100, 100)
    board.text("16", x + H, 100)
    assert [label.lines for label in find_labels(board.sheet(), frozenset({"annotation-1"}), [])] == [("16",)]


@pytest.mark.requirement("lettering.role")
def test_roles_come_from_dimensions_and_leaders() -> None:
    board = Board()
    board.text("40", 100, 100)
    board.text("THRU ALL", 300, 300)
    board.line(260, 260, 290, 302)
    board.head(260, 260, math.degrees(math.atan2(-42, -30)))
    board.line(290, 302, 299, 302)
    board.text("PART", 600, 600)
    dimension = Dimensioning("dimension-1", "linear", 1, "40", 40, (100, 100), ("annotation-1",))
    assert [label.role for label in find_labels(board.sheet(), frozenset(), [dimension])] == [
        "dimension",
        "leader",
        "free",
    ]


@pytest.mark.requirement("lettering.extreme")
def test_words_at_the_end_of_a_dimension_line_make_it_an_extreme() -> None:
    board = Board()
    board.inside(200, 260, 300)
    board.text("40", 228, 301)
    x = 260 + 2 * H
    board.text("MAX OPENING", x, 300 - H / 2)
    board.text("MAX LOAD", x, 200)
    sheet = board.sheet()
    assert [label.lines for label in find_labels(sheet, frozenset(), dimensioning.find_dimensions(sheet))] == [
        ("MAX OPENING", "40"),
        ("MAX LOAD",),
    ]


@pytest.mark.requirement("lettering.rules")
@pytest.mark.parametrize("longest", [3.0, 400.0])
def test_rule_lines_of_a_crowded_sheet_are_those_that_a_look_at_all_finds(longest: float) -> None:
    chance = np.random.default_rng(5)
    lines = chance.uniform(-50.0, 1000.0, (4_000, 3))
    lines[:, 2] = lines[:, 1] + chance.uniform(0.0, longest, len(lines))
    lines[:50, 2] = 1e6
    rules = Rules(lines, lines)
    ordered = sorted(map(tuple, lines.tolist()))
    for least, low in chance.uniform(-100.0, 1_100.0, (100, 2)).tolist():
        for tall, wide in ((5.0, 0.0), (20.0, 0.0), (60.0, 5.0), (30.0, 800.0), (700.0, 5.0)):
            met = [line for line in ordered if least <= line[0] < least + tall]
            found = [line for line in met if line[1] <= low + wide and line[2] >= low]
            assert rules.levels(least, least + tall, low, low + wide) == found[:MANY]


@pytest.mark.requirement("lettering.robust")
def test_texts_that_cannot_be_placed_are_left_out() -> None:
    board = Board()
    board.text("12", 100, 100)
    for field, value in (
        ("origin", (math.nan, 0.0)),
        ("angle", math.inf),
        ("height", math.nan),
        ("box", (0, 0, math.nan, 1)),
    ):
        board.text("99", 200, 200)
        setattr(board.texts[-1], field, value)
    board.text("13", 300, 300)
    board.texts[-1].height = 0.0
    board.texts[-1].width = 0.0
    sheet = board.sheet()
    sheet.strokes.ends = np.full((1, 4), np.nan)
    for name in ("width", "entity", "dashed", "curved"):
        setattr(sheet.strokes, name, np.zeros(1, getattr(sheet.strokes, name).dtype))
    assert read(sheet) == [("12",), ("13",)]


@pytest.mark.requirement("lettering.robust")
def test_a_heap_of_texts_takes_no_quadratic_time() -> None:
    heap, spread = Board(), Board()
    for number in range(20_000):
        heap.text(f"{number}", 100 + number % 3, 100)
        spread.text(f"{number % 90}.5", number % 200 * 5, number // 200 * 10)
    before = time.process_time()
    assert find_labels(heap.sheet(), frozenset(), [])
    assert find_labels(spread.sheet(), frozenset(), [])
    assert time.process_time() - before < SECONDS_OF_A_HEAP


pieces = st.sampled_from(
    ["6 x", "Ø", "16", "+", "-", "0.1", "H7", "k6", "THRU", "(", "A", "WORDS OF A NOTE", "\n", "1|2"]
)
places = st.floats(0, 60) | st.sampled_from([math.nan, math.inf, -1e300, 0.0])


@pytest.mark.requirement("lettering.robust")
@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(pieces, places, places, st.floats(-1, 20), st.booleans()), max_size=25))
def test_no_text_is_read_twice(drawn: list[tuple[str, float, float, float, bool]]) -> None:
    board = Board()
    for shown, x, y, height, sign in drawn:
        if sign and math.isfinite(x + y) and abs(x + y) < 1e6:
            board.symbol(shown[0], x, y, abs(height))
            board.line(x, y, x + height, y)
            board.line(x, y, x, y + height)
        else:
            board.texts.append(
                Text(f"annotation-{len(board.texts)}", shown, 1, (x, y), 0, height, height, (x, y, x, y))
            )
    sources = [source for label in find_labels(board.sheet(), frozenset(), []) for source in label.sources]
    assert len(sources) == len(set(sources))


@pytest.mark.requirement("lettering.row")
def test_a_raised_asterisk_is_its_sizes() -> None:
    board = Board()
    end = board.text("112", 100, 100)
    board.text("*", end + 0.1 * H, 100 + 0.3 * H, 0.7 * H)
    assert read(board.sheet()) == [("112*",)]


@pytest.mark.requirement("lettering.stack")
def test_a_caption_and_a_second_thread_are_no_part_of_a_thread() -> None:
    board = Board()
    for place, line in enumerate(("3/8-16 Tapped Hole", "1/2-13 Tapped Hole", "SECTION A-A")):
        board.text(line, 100, 200 - 1.4 * place * H)
    assert len(read(board.sheet())) == 3


@pytest.mark.requirement("lettering.stack")
def test_a_word_over_its_thread_and_a_recess_under_its_hole_go_on() -> None:
    board = Board()
    board.text("rosca", 100, 200)
    board.text("M17x1", 100, 200 - 1.5 * H)
    board.text("Ø6 mm through", 300, 200)
    board.text("Ø10.5 x 6 mm counterbore", 300, 200 - 1.5 * H)
    assert sorted(map(len, read(board.sheet()))) == [2, 2]


@pytest.mark.requirement("lettering.unit")
@pytest.mark.parametrize(
    ("behind", "gap", "texts"),
    [
        ("mm", 2.0, ["84.000 mm"]),
        ("in", 2.0, ["84.000 in"]),
        ("mm", 3.0, ["84.000", "mm"]),
        ("pin", 2.0, ["84.000", "pin"]),
    ],
)
def test_a_unit_alone_is_of_the_number_before_it(behind: str, gap: float, texts: list[str]) -> None:
    board = Board()
    end = board.text("84.000", 100, 100)
    board.text(behind, end + gap * HEIGHT, 100)
    assert sorted(label.text for label in join_texts(board.sheet())) == texts


@pytest.mark.requirement("lettering.unit")
def test_what_stands_behind_the_comma_of_a_unit_is_of_its_size() -> None:
    board = Board()
    end = board.text("6.60", 100, 100)
    end = board.text("mm,", end + 1.8 * HEIGHT, 100)
    end = board.text("4", end + 1.8 * HEIGHT, 100)
    board.text("PL", end + 1.5 * HEIGHT, 100)
    assert [label.text for label in join_texts(board.sheet())] == ["6.60 mm, 4 PL"]


@pytest.mark.requirement("lettering.stack")
@given(st.text("0123456789.,()° ", max_size=8))
def test_figures_alone_go_on_with_a_quantity_and_with_no_size_hole_or_word(lower: str) -> None:
    assert words.continues("4X", lower) is any(map(str.isdigit, lower))
    assert not any(
        words.continues(upper, lower) for upper in ("25.4", "Ø12", "M6 THRU", "Ø9 CBORE", "1.5 x 45°", "VIEW A")
    )
    assert not words.is_quantity(lower)
