"""How often we are right, on generated sheets and on real ones."""

from __future__ import annotations

import pytest

from tests.accuracy.board import CORPUS, REAL, Board, generated, labelled, readable, scored
from tests.sheets.generate import Format

FLOORS: dict[str, dict[str, float]] = {"generated pdf": {}, "generated dxf": {}, "real": {}, "corpus": {}}
"""Least macro F1 by board and what it counts."""
SHEETS = 40


@pytest.mark.requirement("drawing-accuracy.generated")
@pytest.mark.parametrize("format", ["pdf", "dxf"])
def test_generated_sheets_are_read_as_well_as_the_floors_ask(format: Format, boards: dict[str, Board]) -> None:
    if not readable(format):
        pytest.skip(f"this version has no {format} reader")
    _holds(f"generated {format}", boards, scored(generated(SHEETS, format)))


@pytest.mark.requirement("drawing-accuracy.real")
@pytest.mark.skipif(not REAL.is_dir(), reason="no real sheets in the repository")
def test_real_sheets_are_read_as_well_as_the_floors_ask(boards: dict[str, Board]) -> None:
    if not (readable("pdf") and readable("dxf")):
        pytest.skip("this version has no reader of drawings")
    _holds("real", boards, scored(labelled(REAL)))


@pytest.mark.requirement("drawing-accuracy.real")
@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_sheets_of_the_corpus_are_read_as_well_as_the_floors_ask(boards: dict[str, Board]) -> None:
    if not (readable("pdf") and readable("dxf")):
        pytest.skip("this version has no reader of drawings")
    _holds("corpus", boards, scored(labelled(CORPUS)))


def _holds(title: str, boards: dict[str, Board], board: Board) -> None:
    boards[title] = board
    assert not board.failed
    low = {name: board.macro(name) for name, floor in FLOORS[title].items() if board.macro(name) < floor}
    assert not low, f"below the floor: {low}"
