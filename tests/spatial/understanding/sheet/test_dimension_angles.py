"""Angular dimensions of sheets whose file names none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from tests.spatial.dimensioned import only
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


@pytest.mark.requirement("dimensioning.angular")
def test_an_arc_between_heads_is_an_angle() -> None:
    board = Board()
    board.arcs.append((300, 300, 80, 20, 70))
    for angle, way in ((20, -70), (70, 160)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    board.text("50°", 300 + 83 * math.cos(math.pi / 4) - H, 300 + 83 * math.sin(math.pi / 4))
    found = only(board)
    assert (found.type, found.text) == ("angular", "50°")
    assert found.value == pytest.approx(50, abs=0.01)


@pytest.mark.requirement("dimensioning.angular")
@pytest.mark.parametrize(("at", "found"), [(12.0, True), (26.0, False)])
def test_a_wide_text_stands_beside_its_arc_where_its_edge_is_near(at: float, found: bool) -> None:
    """Its middle is further away than the middle of a narrow one would be."""
    board = Board()
    board.arcs.append((300, 300, 80, -15, 15))
    for angle, way in ((-15, -105), (15, 105)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    text = "30° ±0.5°"
    board.text(text, 380 + at - len(text) * 0.3 * H, 300 - H / 2)
    assert [each.text for each in find_dimensions(board.sheet())] == ([text] if found else [])


def flattened_angle(board: Board, text: str, *, broken: bool) -> None:
    """An angular dimension of 40° whose arc is drawn as pieces, in two stretches where its text breaks it."""
    for begin, end in ((20, 34), (46, 60)) if broken else ((20, 60),):
        board.flattened_arc(300, 300, 80, begin, end, 6)
    for angle, way in ((20, -73), (60, 153)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way)
    away = 80 if broken else 84
    board.text(text, 300 + away * math.cos(math.radians(40)) - H, 300 + away * math.sin(math.radians(40)) - H / 2)


@pytest.mark.requirement("dimensioning.angular-flattened")
@pytest.mark.parametrize("angle", [0, 77])
@pytest.mark.parametrize("broken", [False, True])
def test_an_angle_whose_arc_is_drawn_in_short_strokes_is_measured(angle: float, broken: bool) -> None:
    board = Board(angle)
    flattened_angle(board, "40°", broken=broken)
    assert only(board).type == "angular"
    assert only(board).value == pytest.approx(40, abs=0.5)


@pytest.mark.requirement("dimensioning.angular-flattened")
def test_such_an_arc_of_another_angle_is_no_dimension() -> None:
    board = Board()
    flattened_angle(board, "55°", broken=True)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.angular")
def test_a_second_head_with_its_tip_at_the_same_place_does_not_part_the_heads_of_an_angle() -> None:
    board = Board()
    board.arcs.append((300, 300, 80, 20, 70))
    for angle, way in ((20, -73), (20, 113), (70, 163)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way)
    board.text("50°", 300 + 83 * math.cos(math.pi / 4) - H, 300 + 83 * math.sin(math.pi / 4))
    assert only(board).value == pytest.approx(50, abs=0.01)


@pytest.mark.requirement("dimensioning.angular")
@pytest.mark.parametrize("begin", [0.0, 160.0, 335.0])
def test_an_angle_over_the_zero_of_angles_is_one(begin: float) -> None:
    """Its arc ends at fewer degrees than it begins at."""
    board = Board()
    first, last = begin, (begin + 50) % 360
    board.arcs.append((300, 300, 80, first, last))
    for angle, way in ((first, first - 90), (last, last + 90)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    middle = math.radians(begin + 25)
    board.text("50°", 300 + 83 * math.cos(middle) - H, 300 + 83 * math.sin(middle) - H / 2)
    assert only(board).type == "angular"
    assert only(board).value == pytest.approx(50, abs=0.01)


@pytest.mark.requirement("dimensioning.angular")
@pytest.mark.parametrize("begin", [0.0, 330.0])
def test_an_arc_that_goes_on_behind_heads_that_point_at_each_other_is_an_angle(begin: float) -> None:
    board = Board()
    board.arcs.append((300, 300, 80, (begin - 30) % 360, (begin + 80) % 360))
    for angle, way in ((begin, begin + 90), (begin + 40, begin - 50)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    middle = math.radians(begin + 20)
    board.text("40°", 300 + 83 * math.cos(middle) - H, 300 + 83 * math.sin(middle) - H / 2)
    assert only(board).type == "angular"
    assert only(board).value == pytest.approx(40, abs=0.01)
