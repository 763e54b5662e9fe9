"""Limits that stand over each other, and what stands beside their middle."""

from __future__ import annotations

import pytest

from tests.spatial.lettered import HEIGHT as H
from tests.spatial.lettered import LETTER, Board, read


@pytest.mark.requirement("lettering.limits")
@pytest.mark.parametrize(("upper", "lower"), [("6.5", "9.5"), ("9.5", "6.5")])
@pytest.mark.parametrize("side", [-1, 1])
def test_sizes_over_and_under_the_shoulder_of_a_leader_are_its_limits(upper: str, lower: str, side: int) -> None:
    board = Board()
    board.text(upper, 100, 100)
    board.text(lower, 100, 100 - 1.4 * H)
    edge = 100 + 3 * LETTER * H + 0.3 * H if side > 0 else 100 - 0.3 * H
    level = 100 - 0.2 * H
    board.line(edge, level, edge + side * 3 * H, level)
    assert read(board.sheet()) == [(upper, lower)]


@pytest.mark.requirement("lettering.limits")
def test_sizes_far_apart_without_a_shoulder_between_them_are_two() -> None:
    board = Board()
    board.text("6.5", 100, 100)
    board.text("9.5", 100, 100 - 1.4 * H)
    board.line(100 + 3 * LETTER * H, 100 + 0.5 * H, 130 + 3 * LETTER * H, 100 + 0.5 * H)
    assert read(board.sheet()) == [("6.5",), ("9.5",)]


def _limits(board: Board, upper: str, lower: str, x: float, drop: float = 1.4) -> float:
    board.text(lower, x, 100 - drop * H)
    return board.text(upper, x, 100)


@pytest.mark.requirement("lettering.limits")
@pytest.mark.parametrize(("upper", "lower"), [("4.80", "4.20"), ("3.70", "3.10")])
def test_sizes_far_apart_are_limits_where_something_stands_beside_their_middle(upper: str, lower: str) -> None:
    board = Board()
    end = _limits(board, upper, lower, 100)
    assert sorted(read(board.sheet())) == [(lower,), (upper,)]
    board.text("THRU", end + 0.4 * H, 100 - 0.7 * H)
    assert read(board.sheet()) == [(upper, f"{lower} THRU")]


@pytest.mark.requirement("lettering.limits")
def test_a_diameter_sign_before_the_middle_of_two_limits_is_of_both() -> None:
    board = Board()
    end = board.symbol("Ø", 100, 100 - 0.7 * H)
    _limits(board, "4.80", "4.20", end + 0.4 * H)
    assert read(board.sheet()) == [("Ø4.80", "4.20")]


@pytest.mark.requirement("lettering.limits")
def test_both_sizes_of_a_slot_are_limits_with_a_sign_between() -> None:
    board = Board()
    end = _limits(board, "4.80", "4.20", 100)
    end = board.text("X", end + 0.5 * H, 100 - 0.7 * H)
    end = _limits(board, "6.50", "6.00", end + 0.5 * H)
    board.text("THRU", end + 0.4 * H, 100 - 0.7 * H)
    assert read(board.sheet()) == [("4.80", "4.20 X 6.50", "6.00 THRU")]


@pytest.mark.requirement("lettering.limits")
def test_sizes_whose_dimension_lines_are_broken_for_each_are_two() -> None:
    alone, broken = Board(), Board()
    for board in (alone, broken):
        board.text("63.50", 100, 100 + 1.6 * H)
        end = board.text("57.50", 100, 100)
    for level in (100 + 0.5 * H, 100 + 2.1 * H):
        broken.line(100 - 9 * H, level, 100 - 1.2 * H, level)
        broken.line(end + 1.2 * H, level, end + 9 * H, level)
    assert read(alone.sheet()) == [("63.50", "57.50")]
    assert sorted(read(broken.sheet())) == [("57.50",), ("63.50",)]


@pytest.mark.requirement("lettering.limits")
@pytest.mark.parametrize("off", [-1e-4, 0.0, 1e-4, 0.15 * H])
def test_limits_that_end_a_little_apart_are_found_among_sizes_that_end_between_them(off: float) -> None:
    board = Board()
    board.text("4.80", 100, 100)
    board.text("4.20", 100 + off, 100 - 1.4 * H)
    board.text("7.10", 100 + off / 2, 160)
    end = 100 + 4 * LETTER * H
    board.text("THRU", end + 0.6 * H, 100 - 0.7 * H)
    assert ("4.80", "4.20 THRU") in read(board.sheet())
