"""Figures that a test wants seen, at the end of a run, so that the output of CI has them.

They travel with the test's report, since the test may have run in another process than the one that prints (pytest-xdist).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pytest

Show = Callable[[str, Sequence[str]], None]

FIGURES: Final = "figures"
"""Name of the property of a report that holds a title and lines."""


@pytest.fixture
def show(record_property: Callable[[str, object], None]) -> Show:
    """Show lines under a title at the end of the run, whether the test passes or not."""
    return lambda title, lines: record_property(FIGURES, [title, *lines])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for title, *lines in _shown(terminalreporter):
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.write_line(line)


def _shown(terminalreporter: pytest.TerminalReporter) -> Iterator[Any]:
    """What the reports of tests hold; a test has three of them, and the second knows all that it said."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                yield from (value for name, value in report.user_properties if name == FIGURES)
