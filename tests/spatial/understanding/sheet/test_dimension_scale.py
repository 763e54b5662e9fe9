"""What the scale of a sheet says of its dimensions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.dimensions.scales import ALONE, Scale, beliefs, common_scale
from spatial.understanding.sheet.lettering.labels import join_texts
from tests.spatial.dimensioned import TIPS
from tests.spatial.lettered import HEIGHT, Board, taken

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
    assert beliefs([enlarged, alone, *together, broken], agreed) == [1.0, 0.0, 1.0, 1.0, ALONE]
    assert beliefs([enlarged, alone, *together, broken], Scale(1.0, 0.0, 4, 9)) == [1.0, ALONE, 1.0, 1.0, ALONE]
    assert beliefs([alone, alone, enlarged], agreed) == [1.0] * 3  # most are alone: it is not drawn to scale


@pytest.mark.requirement("dimensioning.scale")
@pytest.mark.parametrize(("text", "count"), [("0.00", 0), ("0.05", 1), ("0", 0)])
def test_nothing_is_measured_between_two_places_that_are_apart(text: str, count: int) -> None:
    """Lines that lie on one another, as those of a program that places them by itself: the heads are of another size."""
    board = Board()
    board.inside(100, 200, 100)
    board.text(text, 150, 100 + 0.4 * H)
    assert len(find_dimensions(board.sheet())) == count


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


def scaled() -> Board:
    """A sheet on which three dimensions agree that a unit of the sheet stands for a half."""
    board = Board()
    for number, half in enumerate((40, 55, 70)):
        board.inside(600, 600 + 2 * half, 600 + 60 * number)
        board.text(str(half), 600 + half - H / 2, 601 + 60 * number)
    return board


def further(board: Board, long: float) -> list[str | None]:
    """The texts of what is found beside the three, all of which is so long."""
    found = [each for each in find_dimensions(board.sheet()) if each.text not in {"40", "55", "70"}]
    assert all(each.value == pytest.approx(long, rel=TIPS) for each in found)
    return [each.text for each in found]


@pytest.mark.requirement("dimensioning.chain")
@pytest.mark.parametrize(("text", "is_found"), [("50", True), ("30", False)])
@pytest.mark.parametrize("ways", [(180, 180), (0, 0)])
def test_one_head_stands_for_two_of_a_chain_where_the_size_is_to_scale(
    text: str, is_found: bool, ways: tuple[int, int]
) -> None:
    board = scaled()
    board.line(200, 300, 300, 300)
    for x, way in zip((200, 300), ways, strict=True):
        board.head(x, 300, way)
        board.line(x, 270, x, 302)
    board.text(text, 245, 301)
    assert further(board, 100) == ([text] if is_found else [])


@pytest.mark.requirement("dimensioning.one-tail")
@pytest.mark.parametrize(("text", "is_found"), [("10", True), ("30", False)])
def test_the_head_of_its_neighbour_in_a_chain_stands_for_the_line_behind_one(text: str, is_found: bool) -> None:
    board = scaled()
    board.inside(280, 300, 300)
    board.text("10", 285, 301)
    board.head(320, 300, 180)
    board.line(320, 270, 320, 302)
    board.text(text, 327, 300 - H / 2)
    assert further(board, 20) == ["10", *([text] if is_found else [])]


@pytest.mark.requirement("dimensioning.running")
@pytest.mark.parametrize(("text", "is_found"), [("50", True), ("30", False)])
@pytest.mark.parametrize("gap", [0.0, 2.0])
def test_a_line_with_one_head_from_the_extension_line_of_an_origin(text: str, is_found: bool, gap: float) -> None:
    board = scaled()
    board.line(200, 250, 200, 350)
    board.line(200 + gap, 300, 300, 300)
    board.head(300, 300, 0)
    board.line(300, 250, 300, 302)
    board.text(text, 245, 301)
    assert further(board, 100) == ([text] if is_found else [])


@pytest.mark.requirement("dimensioning.running")
def test_a_line_with_one_head_that_begins_at_no_line_is_none() -> None:
    board = scaled()
    board.line(200, 300, 300, 300)
    board.head(300, 300, 0)
    board.line(300, 250, 300, 302)
    board.text("50", 245, 301)
    assert further(board, 100) == []


@pytest.mark.requirement("dimensioning.beside")
@pytest.mark.parametrize(("text", "is_found"), [("50", True), ("30", False)])
def test_a_level_text_beside_an_upright_line_is_its_text_where_it_is_to_scale(text: str, is_found: bool) -> None:
    board = scaled()
    board.line(300, 200, 300, 300)
    board.head(300, 200, -90)
    board.head(300, 300, 90)
    board.text(text, 304, 250)
    assert further(board, 100) == ([text] if is_found else [])


@pytest.mark.requirement("dimensioning.beside")
def test_a_text_to_scale_farther_from_a_line_than_a_few_letters_is_not_its_text() -> None:
    board = scaled()
    board.line(300, 200, 300, 300)
    board.head(300, 200, -90)
    board.head(300, 300, 90)
    board.text("50", 300 + 5 * H, 250)
    assert further(board, 100) == []
