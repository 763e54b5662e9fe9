"""Arrowheads of dimensions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.leaders.along_lines import along_lines
from spatial.understanding.sheet.leaders.arrowheads import heads as heads_of
from spatial.understanding.sheet.leaders.lines import Lines
from tests.spatial.dimensioned import LENGTH, TIPS, only
from tests.spatial.lettered import Board


def flank(board: Board, x: float, y: float, tip: float) -> None:
    """Draw a flat arc from a corner of a head to its tip on the line y = 300."""
    dx, dy = tip - x, 300 - y
    long, bulge = math.hypot(dx, dy), 3.0
    centre = ((x + tip) / 2 - dy / long * bulge * long, (y + 300) / 2 + dx / long * bulge * long)
    first, last = sorted(math.degrees(math.atan2(b - centre[1], a - centre[0])) % 360 for a, b in ((x, y), (tip, 300)))
    board.arcs.append((*centre, math.dist(centre, (tip, 300)), first, last))


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


@pytest.mark.requirement("dimensioning.open-heads")
def test_the_flanks_of_a_hollow_head_may_be_flat_arcs() -> None:
    board = Board()
    for tip, back in ((200, LENGTH), (300, -LENGTH)):
        for side in (1, -1):
            flank(board, tip + back, 300 + side * LENGTH / 4, tip)
    board.line(200 + LENGTH, 300, 300 - LENGTH, 300)
    board.text("50", 246, 301)
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.open-heads")
def test_heads_on_a_sheet_that_is_no_larger_than_its_part_are_large() -> None:
    board = Board()
    board.line(100, 300, 900, 300)
    board.head(100, 300, 180, filled=False, length=60)
    board.head(900, 300, 0, filled=False, length=60)
    board.text("50", 490, 301)
    assert only(board).value == pytest.approx(800, rel=TIPS)
    for place in range(9):  # with more heads of a usual size there, these are none
        board.head(100 + 50 * place, 100, 0)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.open-heads")
def test_a_wing_and_the_line_between_two_wings_are_no_head_beside_theirs() -> None:
    board = Board()
    for x, way in ((200, 180), (300, 0)):  # a third stroke as long as the wings lies between them
        board.head(x, 300, way, filled=False, length=LENGTH)
        board.line(x, 300, x + (LENGTH if way else -LENGTH) * 1.014, 300)
    board.line(200, 300, 300, 300)
    board.line(180, 300, 200, 300)
    board.line(300, 300, 320, 300)
    board.text("50", 246, 301)
    drawn = board.sheet()
    assert len(along_lines(heads_of(drawn), Lines(drawn))) == len(heads_of(drawn)) // 3 == 2
    assert only(board).value == pytest.approx(100, rel=TIPS)


@pytest.mark.requirement("dimensioning.open-heads")
def test_open_heads_are_heads() -> None:
    board = Board()
    board.inside(200, 300, 300, filled=False)
    board.text("50", 248, 301)
    assert only(board).value == pytest.approx(100, rel=TIPS)


@pytest.mark.requirement("dimensioning.open-heads")
def test_the_arrow_of_a_sign_is_no_head() -> None:
    board = Board()
    board.head(202, 300, 270, filled=False, length=2)
    board.line(202, 300, 202, 320)
    board.symbol("↧", 200, 300)
    board.text("R5", 205, 300)
    assert find_dimensions(board.sheet()) == []


def outlined(board: Board, x: float, way: int, outline: list[tuple[float, float]]) -> None:
    """A filled head with its tip at x, that points to the right (1) or to the left (-1); outline: back from the tip, aside."""
    board.fills.append(Fill(np.array([board.at(x - way * back, 300 + aside) for back, aside in outline])))


@pytest.mark.requirement("dimensioning.heads")
@pytest.mark.parametrize("angle", [0, 40])
@pytest.mark.parametrize(
    "outline",
    [[(0.0, 0.0), (4.0, -2.0), (4.0, 2.0)], [(0.0, 0.0), (4.0, -0.6), (4.0, 0.6)], HOLLOW_BACK],
    ids=["53 degrees", "17 degrees", "a curved hollow back"],
)
def test_heads_of_any_usual_outline_are_heads(angle: float, outline: list[tuple[float, float]]) -> None:
    board = Board(angle)
    board.line(200, 300, 300, 300)
    outlined(board, 200, -1, outline)
    outlined(board, 300, 1, outline)
    board.text("40", 248, 301)
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.heads")
def test_triangles_of_equal_sides_are_no_heads() -> None:
    board = Board()
    board.line(200, 300, 300, 300)
    for x, way in ((200, -1), (300, 1)):
        outlined(board, x, way, [(0.0, 0.0), (4 * math.sqrt(0.75), -2.0), (4 * math.sqrt(0.75), 2.0)])
    board.text("40", 248, 301)
    assert find_dimensions(board.sheet()) == []
