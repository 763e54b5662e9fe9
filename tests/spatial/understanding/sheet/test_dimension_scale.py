"""What the scale of a sheet says of its dimensions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.dimensions.scales import Scale, are_alone, are_believable, common_scale
from spatial.understanding.sheet.lettering.labels import join_texts
from tests.spatial.dimensioned import TIPS
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


@pytest.mark.requirement("dimensioning.scale")
def test_no_scale_where_dimensions_disagree() -> None:
    def sized(value: float, printed: float) -> Dimensioning:
        return Dimensioning("d", "linear", 1, "", value, None, further={"printed": printed})

    assert common_scale([sized(10, 10), sized(10, 20), sized(10, 30), sized(10, 40)]) is None
    assert common_scale([]) is None
    agreed = common_scale([sized(10, 5), sized(20, 10), sized(30, 15), sized(10, 77)])
    assert agreed is not None and (agreed.printed_per_unit, agreed.count, agreed.of) == (0.5, 3, 4)


@pytest.mark.requirement("dimensioning.scale")
def test_a_length_between_the_heads_of_two_small_sizes_is_of_neither() -> None:
    board = Board()
    for x in (100, 200):  # two slots 6 wide: a head on either side of each, and lines that meet between them
        board.head(x, 100, 0)
        board.head(x + 6, 100, 180)
        board.text("6", x + 14, 100 + 0.4 * H)
    board.line(80, 100, 100, 100)
    board.line(106, 100, 200, 100)
    board.line(206, 100, 230, 100)
    for place, size in enumerate((31, 47, 58)):
        y = 200 + 30 * place
        board.inside(100, 100 + size, y)
        board.text(str(size), 100 + size / 2, y + 0.4 * H)
    found = {dimension.text: dimension.value for dimension in find_dimensions(board.sheet()) if dimension.text == "6"}
    assert found == {"6": pytest.approx(6)}


@pytest.mark.requirement("dimensioning.scale")
def test_a_length_is_longer_than_its_size_by_a_usual_factor_or_with_a_witness() -> None:
    agreed = Scale(1.0, 0.0, 6, 9)
    enlarged, alone, together, broken = (10.0, 50.0), (7.0, 25.9), [(9.0, 30.6), (20.0, 68.3)], (700.0, 90.0)
    assert are_believable([enlarged, alone, *together, broken], agreed) == [True, False, True, True, True]
    assert are_believable([alone], Scale(1.0, 0.0, 4, 9)) == [True]
    assert are_alone([enlarged, alone, *together, broken], agreed) == [False, True, False, False, True]
    assert are_alone([alone], Scale(1.0, 0.0, 4, 9)) == [False]


def taken(board: Board, text: str) -> Board:
    """Sizes to scale, and one whose text takes all of its line between one head and what is left of the line at the other."""
    for row in range(4):
        board.inside(200, 240 + 10 * row, 500 + 20 * row)
        board.text(str(40 + 10 * row), 215, 501 + 20 * row)
    board.head(200, 300, 180)
    board.head(230, 300, 0)
    board.line(218, 300, 230, 300)
    board.text(text, 205, 300 - H / 2)
    return board


@pytest.mark.requirement("dimensioning.scale")
@pytest.mark.parametrize(("printed", "is_sure"), [("30", True), ("30.6", True), ("15", True), ("22", False)])
def test_a_size_whose_scale_no_other_has_is_less_sure(printed: str, is_sure: bool) -> None:
    board = taken(Board(), "")
    board.line(200, 300, 230, 300)
    board.text(printed, 212, 301)
    (found,) = (each for each in find_dimensions(board.sheet()) if each.text == printed)
    assert (found.further["confidence"] > 0.8) is is_sure


@pytest.mark.requirement("dimensioning.parted")
@pytest.mark.parametrize(("text", "long", "printed"), [("9 8", 196, 98.0), ("98 5", 196, 98.0), ("9 8", 150, None)])
def test_the_scale_says_which_figures_of_a_parted_number_are_the_size(
    text: str, long: float, printed: float | None
) -> None:
    board = Board()
    for y, other in ((700, 60), (740, 84), (780, 97), (820, 120)):
        board.inside(600, 600 + other, y)
        board.text(f"{other / 2:g}", 600 + other / 2 - H, y + 1)
    board.inside(100, 100 + long, 300)
    board.text("77", 100 + long / 2 - H, 301)
    sheet = board.sheet()
    lettered = [replace(each, lines=(text,)) if each.text == "77" else each for each in join_texts(sheet)]
    (found,) = (each for each in find_dimensions(sheet, lettered) if each.text == text)
    assert found.further.get("printed") == printed
    assert found.value == pytest.approx(long, rel=TIPS)
