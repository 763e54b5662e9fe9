"""How often we are right, on generated sheets and on real ones."""

from __future__ import annotations

import pytest

from tests.accuracy.board import CORPUS, REAL, Board, generated, labelled, scored
from tests.sheets.generate import Format
from tests.support.figures import Show

AIM = {
    "callouts F1": 0.95,
    "title block precision": 0.98,
    "title block recall": 0.95,
    "parts list F1": 0.98,
    "revisions F1": 0.98,
    "notes F1": 0.98,
}
FLOORS: dict[str, dict[str, float]] = {
    "generated pdf": AIM | {"notes F1": 0.96},
    "generated dxf": AIM | {"notes F1": 0.97},
    "real": AIM,
    "corpus": AIM,
}
"""Least macro figure by board. A board that does not hold an aim yet has a floor of its own, just under what it holds."""
SHEETS, START = 25, 2000
"""Generated sheets of each format, and the first seed: always the same sheets, and none that readers were tuned on."""


@pytest.mark.requirement("drawing-accuracy.generated")
@pytest.mark.parametrize("format", ["pdf", "dxf"])
def test_generated_sheets_are_read_as_well_as_the_floors_ask(format: Format, show: Show) -> None:
    _holds(f"generated {format}", show, scored(generated(SHEETS, format, START)))


@pytest.mark.requirement("drawing-accuracy.real")
@pytest.mark.skipif(not REAL.is_dir(), reason="no real sheets in the repository")
def test_real_sheets_are_read_as_well_as_the_floors_ask(show: Show) -> None:
    _holds("real", show, scored(labelled(REAL)))


@pytest.mark.requirement("drawing-accuracy.real")
@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_sheets_of_the_corpus_are_read_as_well_as_the_floors_ask(show: Show) -> None:
    _holds("corpus", show, scored(labelled(CORPUS)))


def _holds(title: str, show: Show, board: Board) -> None:
    show(f"accuracy: {title}, {len(board.sheets)} sheets", board.lines())
    assert not board.failed
    assert board.sheets
    low = {aim: got for aim, got in board.aims().items() if got < FLOORS[title][aim]}
    assert not low, f"below the floor: {low}"
