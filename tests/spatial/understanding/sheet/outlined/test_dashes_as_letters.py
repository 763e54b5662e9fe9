"""Dashes of the sides of frames that are read as letters."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.outlined.dashes_as_letters import without_dashes
from spatial.understanding.sheet.outlined.read import FoundLettering
from tests.spatial.lettered import HEIGHT, Board

LOW, HIGH = 98.0, 98 + 2.2 * HEIGHT


def with_letter(shown: str, box: tuple[float, float, float, float]) -> tuple[Board, FoundLettering]:
    """A dashed frame with two texts, whose leader goes on from its right side, and a letter that was read in a box."""
    board = Board()
    for y in (LOW, HIGH):
        board.dashes(100, y, 134, y)
    for x in (100, 108, 126, 134):
        board.dashes(x, LOW, x, HIGH)
    board.line(134, HIGH, 140, HIGH)
    board.line(140, HIGH, 140, HIGH + 20)
    board.text("0.2", 114, 100)
    board.text("C", 129, 100)
    letter = Text("annotation-3", shown, 1, box[:2], 0.0, box[3] - box[1], box[2] - box[0], box)
    strokes = board.sheet().strokes.ends.reshape(-1, 2, 2)
    own = np.asarray(((strokes >= box[:2]) & (strokes <= box[2:])).all(axis=(1, 2)))
    return board, FoundLettering(texts=[*board.texts, letter], strokes=own)


@pytest.mark.requirement("outlined.geometry")
def test_a_leader_with_the_dash_that_it_goes_on_from_is_no_letter() -> None:
    board, found = with_letter("J", (131.0, HIGH - 3.0, 140.5, HIGH + 20.5))
    assert found.strokes is not None
    assert found.strokes.any()
    kept = without_dashes(board.sheet(), found)
    assert [text.text for text in kept.texts] == ["0.2", "C"]
    assert kept.strokes is not None
    assert not kept.strokes.any()


@pytest.mark.requirement("outlined.geometry")
def test_a_letter_beside_the_sides_stays() -> None:
    board, found = with_letter("L", (150.0, 100.0, 153.0, 100.0 + HEIGHT))
    board.line(150, 100, 150, 103.5)
    board.line(150, 100, 153, 100)
    count = len(board.lines)
    found.strokes = np.arange(count) >= count - 2
    kept = without_dashes(board.sheet(), found)
    assert [text.text for text in kept.texts] == ["0.2", "C", "L"]


@pytest.mark.requirement("outlined.geometry")
@pytest.mark.parametrize(("bar", "is_dash"), [(0.0, True), (0.6, False)])
def test_a_letter_no_higher_than_others_is_a_dash_where_nothing_else_is_of_it(bar: float, is_dash: bool) -> None:
    """A letter with a bar across has a stroke that is of no side."""
    board, found = with_letter("I", (99.5, LOW, 101.0, LOW + 3.5))
    if bar:
        board.line(100, LOW + 1, 100 + bar, LOW + 1)
        found.strokes = np.append(found.strokes if found.strokes is not None else [], True).astype(bool)
    kept = without_dashes(board.sheet(), found)
    assert ("I" not in [text.text for text in kept.texts]) is is_dash


@pytest.mark.requirement("outlined.geometry")
def test_a_letter_of_no_strokes_or_without_a_height_is_no_dash() -> None:
    board, found = with_letter("I", (99.5, LOW, 100.5, LOW + 3.5))
    strokes, found.strokes = found.strokes, None
    assert len(without_dashes(board.sheet(), found).texts) == 3
    found.strokes, found.texts[-1].height = strokes, 0.0
    assert len(without_dashes(board.sheet(), found).texts) == 3
