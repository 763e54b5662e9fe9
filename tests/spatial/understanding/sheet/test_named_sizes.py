"""Dimensions whose sizes a letter names."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT


def named(board: Board, text: str, y: float, *, witnesses: bool = True) -> None:
    """Put a dimension line at a height, with a text over it."""
    board.line(200, y, 300, y)
    board.head(200, y, 180)
    board.head(300, y, 0)
    board.text(text, 250 - 0.3 * H * len(text), y + 0.4 * H)
    for x in (200, 300) if witnesses else ():
        board.line(x, 100, x, y + 4)


@pytest.mark.requirement("dimensioning.named")
@pytest.mark.parametrize("names", [("A", "B"), ("d1", "d2"), ("DIM A", "DIM B"), ("ØD", "K")])
def test_letters_on_dimension_lines_name_their_lengths(names: tuple[str, str]) -> None:
    board = Board()
    for place, name in enumerate(names):
        named(board, name, 200 + 60 * place)
    found = find_dimensions(board.sheet())
    assert [dimension.text for dimension in found] == list(names)
    assert all(dimension.value == pytest.approx(100) and "printed" not in dimension.further for dimension in found)


@pytest.mark.requirement("dimensioning.named")
def test_one_letter_alone_names_no_length() -> None:
    board = Board()
    named(board, "A", 200)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.named")
def test_letters_between_arrows_that_point_at_no_extension_lines_name_no_length() -> None:
    board = Board()
    named(board, "A", 200, witnesses=False)
    named(board, "B", 260, witnesses=False)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.named")
def test_a_length_that_has_a_size_has_no_name() -> None:
    board = Board()
    for place, name in enumerate(("A", "B")):
        y = 200 + 60 * place
        named(board, name, y)
        board.text(str(40 + place), 250 - H, y - 1.4 * H)
    assert {dimension.text for dimension in find_dimensions(board.sheet())} == {"40", "41"}
