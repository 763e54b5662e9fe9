"""How tests are dealt to the processes of a run (pytest-xdist, `make test`): what takes long to start is started in one of them.

Glossary
  worker   a process that runs tests; the controller deals groups to workers and prints what they report.
  group    tests that run in one worker, in their order: those of a module, or of all modules that ask for one costly fixture.
"""

from __future__ import annotations

import os
import re
import time
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling

COSTLY: Final = {
    "stack": r"\bstack: RunningStack",
    "plain_stack": r"\bplain_stack: RunningStack",
    "prefect_server": r"\brun_flow: RunFlow",
}
"""Fixtures of a session that are many seconds to make and a good part of the machine to have, and a pattern of how tests ask for them."""

LONGEST: Final = ("stack", "tests/stack/test_fleet.py", "plain_stack")
"""Groups that are begun first: a long one that is begun last keeps one worker busy while the others have nothing to do."""

MOST: Final = 4
"""Workers of a run at most: each may start a Postgres of its own."""


@cache
def group_of(root: Path, nodeid: str) -> str:
    """The group of a module's tests; the controller has no items, so what the module asks for is read in its text."""
    module = nodeid.partition("::")[0]
    text = (root / module).read_text()
    return next((name for name, asked in COSTLY.items() if re.search(asked, text)), module)


class Groups(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Gives whoever has nothing left the next group. xdist's own `loadgroup` deals tests one by one under pytest 9.2."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(self.config.rootpath, nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    config.option.loadscopereorder = False  # the workers have put their items in order
    return Groups(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many workers `-n auto` means: one more than there are cores, since the worker with the stack waits for half of its time."""
    return min(MOST, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):  # one process has nothing to deal, and keeps the order of folders
        items.sort(key=lambda item: _place(group_of(config.rootpath, item.nodeid.partition("::")[0])))


PROCESSOR: Final = "processor_seconds"
"""Key of what a worker took, in its output to the controller."""


class Ends:
    """When each worker ended, with which module, and what it took of a processor: whether the groups are dealt well."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._last: dict[str, str] = {}
        """Worker to the module of its last test."""
        self._said: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if (node := getattr(report, "node", None)) is not None:
            self._last[node.gateway.id] = report.nodeid.partition("::")[0]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker ends once nothing is left to be dealt."""
        name, took = node.gateway.id, getattr(node, "workeroutput", {}).get(PROCESSOR, 0.0)
        when = f"{name} ended after {time.monotonic() - self._began:.0f} s"
        self._said[name] = f"{when} with {self._last.get(name, 'no test')}; {took:.0f} s of a processor"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._said:
            terminalreporter.section("processes")
            for _, said in sorted(self._said.items()):
                terminalreporter.write_line(said)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Ends(), "ends-of-processes")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[PROCESSOR] = sum(os.times()[:4])


def _place(group: str) -> int:
    return LONGEST.index(group) if group in LONGEST else len(LONGEST)
