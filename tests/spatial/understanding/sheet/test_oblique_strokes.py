"""Dimensions whose lines end in oblique strokes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT
STROKE = 6.0
"""Length of an oblique stroke."""


def stroke(board: Board, x: float, y: float, turn: float = 45.0, *, filled: bool = False) -> None:
    """Put an oblique stroke with its middle at a place."""
    c, s = STROKE / 2 * math.cos(math.radians(turn)), STROKE / 2 * math.sin(math.radians(turn))
    if not filled:
        board.line(x - c, y - s, x + c, y + s)
        return
    w = 0.1
    corners = [(x - c - w * s, y - s + w * c), (x - c + w * s, y - s - w * c), (x + c + w * s, y + s - w * c)]
    corners.append((x + c - w * s, y + s + w * c))
    board.fills.append(Fill(np.array([board.at(*corner) for corner in corners])))


def chain(board: Board, places: list[float], y: float, turn: float = 45.0, *, filled: bool = False) -> None:
    """Put a level chain at a height, with extension lines from the part."""
    board.line(places[0] - 4, y, places[-1] + 4, y)
    for x in places:
        board.line(x, 100, x, y + 4)
        stroke(board, x, y, turn, filled=filled)


@pytest.mark.requirement("dimensioning.oblique-strokes")
@pytest.mark.parametrize(("turn", "filled"), [(45.0, False), (45.0, True), (30.0, False), (135.0, False)])
def test_lengths_between_oblique_strokes_of_a_chain(turn: float, filled: bool) -> None:
    board = Board()
    chain(board, [200, 250, 330], 200, turn, filled=filled)
    board.text("50", 225 - H, 200 + 0.4 * H)
    board.text("80", 290 - H, 200 + 0.4 * H)
    found = {dimension.text: dimension.value for dimension in find_dimensions(board.sheet())}
    assert found == {"50": pytest.approx(50), "80": pytest.approx(80)}


@pytest.mark.requirement("dimensioning.oblique-strokes")
def test_an_extension_line_under_the_strokes_of_two_dimension_lines_is_no_dimension_line() -> None:
    board = Board()
    chain(board, [200, 250, 330], 200)
    chain(board, [200, 330], 240)
    board.angle = 90.0
    board.text("7", 216, 1000 - 198)  # upright beside an extension line, between the two dimension lines
    board.angle = 0.0
    board.text("130", 265 - H, 240 + 0.4 * H)
    found = {dimension.text: dimension.value for dimension in find_dimensions(board.sheet())}
    assert found == {"130": pytest.approx(130)}


@pytest.mark.requirement("dimensioning.oblique-strokes")
def test_short_strokes_where_no_lines_cross_end_nothing() -> None:
    board = Board()
    board.line(180, 200, 360, 200)
    for x in (200, 330):  # the hatching of a wall, which one line runs along
        stroke(board, x, 200)
    board.text("130", 265 - H, 200 + 0.4 * H)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.oblique-strokes")
def test_a_line_that_is_broken_for_more_than_a_text_joins_no_strokes() -> None:
    board = Board()
    for x in (200, 330):
        board.line(x - 20, 200, x + 20, 200)
        board.line(x, 100, x, 204)
        stroke(board, x, 200)
    board.text("130", 265 - H, 200 + 0.4 * H)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.none")
def test_outlines_without_a_place_are_survived() -> None:
    board = Board()
    chain(board, [200, 250], 200)
    board.fills += [Fill(np.full((4, 2), value)) for value in (math.inf, math.nan, 1e300, 0.0)]
    board.text("50", 225 - H, 200 + 0.4 * H)
    (found,) = find_dimensions(board.sheet())
    assert found.value == pytest.approx(50)
