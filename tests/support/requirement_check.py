"""Ties tests to requirements: a row without a test, or a test without a row, fails the run at collection; a row that no passing
test proved fails it at the end.

A test *wears* the ids of its `requirement` markers. A *whole* run has nothing selected: no path inside the suite, no
keyword, no marker expression, nothing ignored. A partial run checks only that no test wears an unknown id.

A test that was skipped proves nothing. A row may name what its proof *needs* (`chromium`): where that is missing, the row is reported
as unproven, by name, and the run is not failed.

In a run of several processes (pytest-xdist) the *workers* collect, and their *controller*, which has no tests, refuses. The ids travel
with the reports of the tests.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.requirement_rows._row import Row

Worn = Mapping[str, frozenset[str]]
"""Test (its node id without parameters) to the ids that it wears."""

PROBLEMS: Final = "requirements"
"""Key of a worker's problems in its output to the controller."""

PROPERTY: Final = "requirement"
"""Name of the user property of a report that holds an id that its test wears."""


class RequirementCheck:
    """The pytest plugin; `tests/conftest.py` registers it with the rows of this project."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._whole = True
        self._worn: Worn = {}
        self._problems: list[str] = []
        self._passed: set[str] = set()
        """Ids worn by a test that passed."""
        self._skipped: set[str] = set()
        """Ids worn by a test that was skipped, or that failed where that was expected."""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "requirement(*ids): the rows of tests/requirements.py that the test proves")
        self._whole = _selects_nothing(config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._worn = worn_by(items)
        for item in items:
            item.user_properties += [(PROPERTY, name) for name in sorted(ids_of(item))]

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        if items:
            self._whole = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        whole = self._whole and not session.testsfailed
        problems = unknown(self._worn, self._rows) + (incomplete(self._worn, self._rows) if whole else [])
        told_to_controller: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if told_to_controller is None:
            self._problems = problems
            self._refuse()
        elif problems:
            told_to_controller[PROBLEMS] = problems
            session.items.clear()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended; one that crashed says nothing."""
        self._problems = self._problems or getattr(node, "workeroutput", {}).get(PROBLEMS, [])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        ran = yield
        self._refuse()
        return ran

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ids = {str(value) for name, value in report.user_properties if name == PROPERTY}
        if report.skipped:
            self._skipped |= ids
        elif report.when == "call" and report.passed:
            self._passed |= ids

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.OK and any(row.needs is None for row in self._unproven()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        unproven = self._unproven()
        if unproven:
            terminalreporter.section("Requirements without a proof in this run")
        for row in unproven:
            reason = (
                f"needs {row.needs}"
                if row.needs
                else "every test that wears it was skipped; let the row name what it needs"
            )
            terminalreporter.line(f"{row.id}: {reason} ({row.fact})")

    def _unproven(self) -> list[Row]:
        """Rows whose tests were all skipped; none in a partial run."""
        return [row for row in self._rows if self._whole and row.id in self._skipped - self._passed]

    def _refuse(self) -> None:
        if self._problems:
            raise pytest.UsageError("requirements and tests do not match:\n  " + "\n  ".join(self._problems))


def worn_by(items: Iterable[pytest.Item]) -> Worn:
    """What every collected test wears."""
    worn: dict[str, frozenset[str]] = {}
    for item in items:
        test = item.nodeid.split("[", 1)[0]
        worn[test] = worn.get(test, frozenset()) | ids_of(item)
    return worn


def ids_of(item: pytest.Item) -> frozenset[str]:
    """The ids that one test wears."""
    return frozenset(name for marker in item.iter_markers("requirement") for name in marker.args)


def unknown(worn: Worn, rows: Iterable[Row]) -> list[str]:
    """Tests that wear an id that no row has."""
    known = {row.id for row in rows}
    return [
        f"{test} wears {name!r}, and no row has that id: see tests/requirements.py"
        for test, ids in worn.items()
        for name in sorted(ids - known)
    ]


def incomplete(worn: Worn, rows: Iterable[Row]) -> list[str]:
    """Rows without a test, pending rows with one, and tests without a row."""
    proven = {name: test for test, ids in worn.items() for name in ids}
    without_test = [
        f"{row.id}: no test wears it ({row.fact})" for row in rows if row.id not in proven and row.pending is None
    ]
    proven_but_pending = [
        f"{row.id}: marked pending ({row.pending}), but {proven[row.id]} proves it; unmark the row"
        for row in rows
        if row.id in proven and row.pending is not None
    ]
    return without_test + proven_but_pending + [f"{test} wears no requirement" for test, ids in worn.items() if not ids]


def _selects_nothing(config: pytest.Config) -> bool:
    narrowing = ("keyword", "markexpr", "ignore", "ignore_glob", "deselect", "lf")
    narrowed = any(config.getoption(name, default=None) for name in narrowing)
    return not narrowed and all(_is_whole(config, argument) for argument in config.args)


def _is_whole(config: pytest.Config, argument: str) -> bool:
    """Whether a path argument holds the whole suite: the root, or a directory that testpaths names."""
    suites = [config.rootpath, *(config.rootpath / path for path in config.getini("testpaths"))]
    return "::" not in argument and (config.invocation_params.dir / Path(argument)).resolve() in suites
