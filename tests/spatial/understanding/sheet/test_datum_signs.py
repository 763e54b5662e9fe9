"""Boxed letters and boxed numbers: which are datum signs and basic sizes, and which stand in a box for another reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.lettering.labels import find_labels
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT
TALL = 2.2 * H
LOW = 98.0


def boxed_letter(board: Board, letter: str = "K") -> None:
    board.boxes([100, 100 + TALL], LOW, LOW + TALL)
    board.text(letter, 103, 100)


def triangle(board: Board, x: float, y: float, *, filled: bool) -> None:
    """A triangle that stands with its foot on a feature below y; its tip is at (x, y)."""
    corners = [(x, y), (x - 2.5, y - 4), (x + 2.5, y - 4)]
    if filled:
        board.fills.append(Fill(np.array([board.at(*corner) for corner in corners])))
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if not filled:
            board.line(x0, y0, x1, y1)


def on_a_stem(board: Board) -> None:
    board.line(104, LOW, 104, 80)
    triangle(board, 104, 80, filled=True)


def open_on_a_stem(board: Board) -> None:
    board.line(104, LOW, 104, 80)
    triangle(board, 104, 80, filled=False)


def round_a_corner(board: Board) -> None:
    board.line(100, 102, 70, 102)
    board.line(70, 102, 70, 84)
    triangle(board, 70, 84, filled=True)


def at_the_box(board: Board) -> None:
    triangle(board, 104, LOW, filled=True)


def named_by_a_frame(board: Board) -> None:
    board.line(104, LOW, 104, 80)
    board.boxes([200, 208, 226, 234], LOW, LOW + TALL)
    board.symbol("⊥", 202, 100)
    board.text("0.03", 212, 100)
    board.text("K", 229, 100)


def alone(board: Board) -> None:
    """A box of an order code: a line goes to the words that explain it."""
    board.line(104, LOW, 104, 80)
    board.line(104, 80, 140, 80)


def at_an_arrow(board: Board) -> None:
    """The letter of a section in a box, beside its arrow."""
    board.head(104, LOW - 0.2, 0)


def with_sides_that_go_on(board: Board) -> None:
    """The letter of a revision in a cell of the border, above which a triangle stands."""
    board.line(60, LOW, 160, LOW)
    board.line(60, LOW + TALL, 160, LOW + TALL)
    board.line(100, 40, 100, 160)
    board.line(100 + TALL, 40, 100 + TALL, 160)
    board.text("K", 103, 100)
    triangle(board, 104, LOW, filled=True)


def roles(board: Board) -> list[str]:
    return [label.role for label in find_labels(board.sheet(), frozenset(), []) if label.text == "K"]


@pytest.mark.requirement("lettering.datum")
@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("draw", [on_a_stem, open_on_a_stem, round_a_corner, at_the_box, named_by_a_frame])
def test_a_boxed_letter_is_a_datum_by_its_triangle_or_by_a_frame_that_names_it(
    draw: Callable[[Board], None], angle: float
) -> None:
    board = Board(angle)
    boxed_letter(board)
    draw(board)
    assert roles(board) == ["datum"]


@pytest.mark.requirement("lettering.datum")
@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("draw", [alone, at_an_arrow])
def test_a_boxed_letter_with_a_line_or_an_arrow_alone_is_none(draw: Callable[[Board], None], angle: float) -> None:
    board = Board(angle)
    boxed_letter(board)
    draw(board)
    assert roles(board) == ["free"]


@pytest.mark.requirement("lettering.datum")
def test_a_letter_in_a_cell_of_a_border_is_none() -> None:
    board = Board()
    with_sides_that_go_on(board)
    assert roles(board) == ["free"]


def box_of_its_own(board: Board) -> None:
    board.boxes([100, 112], LOW, LOW + TALL)


def outline_round_it(board: Board) -> None:
    board.boxes([80, 140], LOW, LOW + TALL)


def crossing_lines(board: Board) -> None:
    for y in (LOW, LOW + TALL):
        board.line(100, y, 150, y)
    for x in (100, 112):
        board.line(x, LOW, x, LOW + TALL)


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(
    ("draw", "is_basic"), [(box_of_its_own, True), (outline_round_it, False), (crossing_lines, False)]
)
def test_a_size_is_basic_in_a_box_of_its_own_alone(draw: Callable[[Board], None], is_basic: bool) -> None:
    board = Board()
    draw(board)
    board.text("42.7", 102, 100)
    (label,) = find_labels(board.sheet(), frozenset(), [])
    assert label.boxed == is_basic


@pytest.mark.requirement("lettering.frame")
def test_a_frame_whose_lines_are_drawn_several_times_keeps_all_its_cells() -> None:
    board = Board()
    board.boxes([100, 108, 126, 134], LOW, LOW + TALL)
    board.line(109, LOW + TALL, 125, LOW + TALL)
    board.symbol("⌖", 102, 100)
    board.text("0.4", 112, 100)
    board.text("B", 129, 100)
    (label,) = find_labels(board.sheet(), frozenset(), [])
    assert label.cells == ("⌖", "0.4", "B")


def frame_with(board: Board, y: float, datums: str) -> None:
    board.boxes([200, 208, 226, 238], y, y + TALL)
    board.symbol("⊥", 202, y + 2)
    board.text("0.03", 212, y + 2)
    board.text(datums, 229, y + 2)


@pytest.mark.requirement("lettering.datum")
@pytest.mark.parametrize(("other", "read"), [("Ж", "В"), ("D", "B")])
def test_datums_of_one_sheet_have_the_letters_of_one_alphabet(other: str, read: str) -> None:
    board = Board()
    frame_with(board, LOW, "B")
    frame_with(board, LOW + 60, other)
    assert {label.cells[2] for label in find_labels(board.sheet(), frozenset(), [])} == {read, other}
