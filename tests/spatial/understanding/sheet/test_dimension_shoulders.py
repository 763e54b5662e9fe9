"""Texts at the shoulders of dimension lines, and at the ends of leaders from their middles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from tests.spatial.dimensioned import LENGTH, only
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


def bent(board: Board, text: str, x: float, *, on: bool) -> None:
    """Heads from outside on an upright line that ends in a level shoulder, and a text at its end or on it."""
    board.head(300, 300, -90)
    board.head(300, 294, 90)
    board.line(300, 300, 300, 330)
    board.line(300, 294, 300, 280)
    board.line(300, 330, x, 330)
    wide = 0.6 * H * len(text)
    if on:
        board.text(text, (300 + x - wide) / 2, 331)
    else:
        board.text(text, x + 1 if x > 300 else x - 1 - wide, 330 - H / 2)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize(("x", "on"), [(315, False), (285, False), (325, True), (275, True)])
def test_a_text_at_the_shoulder_of_a_dimension_line_is_its_text(angle: float, x: float, on: bool) -> None:
    board = Board(angle)
    bent(board, "2.5", x, on=on)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_a_text_beside_a_shoulder_is_not_its_text() -> None:
    board = Board()
    bent(board, "2.5", 350, on=False)
    board.texts.clear()
    board.text("12", 340, 330 + 3 * H)
    board.text("13", 340, 330 - 4 * H)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.shoulder")
def test_where_two_strokes_go_on_from_a_dimension_line_neither_is_its_shoulder() -> None:
    board = Board()
    bent(board, "2.5", 315, on=False)
    board.line(300, 330, 285, 330)
    assert find_dimensions(board.sheet()) == []


def led(board: Board, *, leaders: int) -> None:
    """Heads from outside on an upright line, leaders from the middle between them, and a text on the level end of the first."""
    board.head(300, 300, -90)
    board.head(300, 294, 90)
    board.line(300, 300, 300, 315)
    board.line(300, 294, 300, 280)
    for number in range(leaders):
        board.line(300, 297, 330, 270 - 40 * number)
        board.line(330, 270 - 40 * number, 350, 270 - 40 * number)
    board.text("2.5", 336, 271)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
def test_a_text_on_the_end_of_a_leader_from_the_middle_of_a_dimension_line_is_its_text(angle: float) -> None:
    board = Board(angle)
    led(board, leaders=1)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_where_two_leaders_begin_at_the_middle_of_a_dimension_line_neither_has_its_text() -> None:
    board = Board()
    led(board, leaders=2)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize("on", [False, True])
def test_a_leader_from_the_middle_of_a_dimension_line_comes_to_its_text(angle: float, on: bool) -> None:
    board = Board(angle)
    board.inside(200, 300, 300)
    board.line(250, 300, 270, 340)
    board.line(270, 340, 290, 340)
    board.text("40", *((276, 341) if on else (291, 340 - H / 2)))
    assert only(board).text == "40"
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_a_leader_from_elsewhere_brings_a_dimension_line_no_text() -> None:
    board = Board()
    board.inside(200, 300, 300)
    board.line(262, 303, 280, 340)
    board.line(280, 340, 300, 340)
    board.text("40", 301, 340 - H / 2)
    assert find_dimensions(board.sheet()) == []


def tailed(board: Board, text: str, *, behind: float, joint: float, tail: bool = True) -> None:
    """Heads from outside at extension lines; a line behind the upper one, if any, and a level stroke that leaves there to the text.

    behind: lengths of a head between its tip and where the upper line begins; joint: between it and the stroke.
    """
    board.head(300, 300, -90, length=LENGTH)
    board.head(300, 294, 90, length=LENGTH)
    for y in (300, 294):
        board.line(280, y, 304, y)
    board.line(300, 294 - LENGTH, 300, 270)
    if tail:
        board.line(300, 300 + behind * LENGTH, 300, 300 + joint * LENGTH)
    board.line(300, 300 + joint * LENGTH, 320, 300 + joint * LENGTH)
    board.text(text, 322, 300 + joint * LENGTH - H / 2)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize("behind", [0.0, 0.5, 1.0])
def test_a_line_that_begins_behind_its_head_has_a_shoulder_as_one_from_the_tip_has(angle: float, behind: float) -> None:
    board = Board(angle)
    tailed(board, "2.5", behind=behind, joint=5)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize("joint", [0.5, 1.0, 1.2])
def test_the_shoulder_of_a_head_without_a_line_behind_it_leaves_the_head(angle: float, joint: float) -> None:
    board = Board(angle)
    tailed(board, "2.5", behind=1, joint=joint, tail=False)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_where_two_strokes_leave_such_a_head_neither_is_its_shoulder() -> None:
    board = Board()
    tailed(board, "2.5", behind=1, joint=0.8, tail=False)
    board.line(300, 300 + 0.8 * LENGTH, 280, 300 + 0.8 * LENGTH)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
def test_a_shoulder_may_be_drawn_in_two(angle: float) -> None:
    board = Board(angle)
    bent(board, "2.5", 360, on=False)
    board.texts.clear()
    board.line(360, 330, 400, 330)
    board.text("2.5", 375, 331)
    assert only(board).value == pytest.approx(6, rel=1e-4)
