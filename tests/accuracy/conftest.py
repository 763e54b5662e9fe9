"""Shows the scoreboard at the end of a run, so that the output of CI has it."""

from __future__ import annotations

import pytest

from tests.accuracy.board import HEADINGS, Board

BOARDS = pytest.StashKey[dict[str, Board]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[BOARDS] = {}


@pytest.fixture(scope="session")
def boards(pytestconfig: pytest.Config) -> dict[str, Board]:
    """What is shown at the end, by title."""
    if BOARDS not in pytestconfig.stash:  # this file was found after pytest was configured
        pytestconfig.stash[BOARDS] = {}
    return pytestconfig.stash[BOARDS]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for title, board in config.stash.get(BOARDS, {}).items():
        terminalreporter.section(f"accuracy: {title}, {len(board.sheets)} sheets")
        for row in (HEADINGS, *board.rows()):
            terminalreporter.write_line(f"{row[0]:28}" + "".join(f"{cell:>11}" for cell in row[1:]))
        aims = ", ".join(f"{aim} {got:.3f}" for aim, got in board.aims().items())
        terminalreporter.write_line(f"macro over sheets: {aims}")
        for name, why in board.failed.items():
            terminalreporter.write_line(f"not read: {name}: {why}")
