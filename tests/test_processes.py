"""How a run is dealt to several processes, on a small suite of its own."""

from __future__ import annotations

import re

import pytest

CONFTEST = """
import os
from pathlib import Path
import pytest

pytest_plugins = ["tests.support.figures", "tests.support.processes"]

@pytest.fixture(scope="session")
def stack():
    Path(f"stack-of-{os.getpid()}").touch()
"""
INI = """
[pytest]
asyncio_default_fixture_loop_scope = function
"""
MODULE = """
import os
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def part():
    Path(f"part-of-{Path(__file__).stem}-{os.getpid()}").touch()

@pytest.mark.parametrize("turn", range(4))
def test_part(part, turn): pass
"""
STACK = """
from __future__ import annotations

def test_stack(stack: RunningStack): pass
"""
FIGURES = """
def test_sound(show):
    show("Products", ["2 by 2 is 4", "2 by 3 is 6"])

def test_broken(show):
    show("Sums", ["1 and 1 is 3"])
    assert 1 + 1 == 3
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project of modules that ask for a fixture of their own, and of two that ask for one of the session."""
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_first=MODULE, test_fourth=STACK, test_second=MODULE, test_third=STACK + MODULE)
    pytester.makepyfile(test_last=FIGURES)
    return pytester


@pytest.mark.requirement("processes.shared-once", "processes.figures", "processes.ends")
def test_what_tests_of_many_modules_share_is_made_in_one_of_two_processes(suite: pytest.Pytester) -> None:
    ran = suite.runpytest_inprocess("-n", "2")
    ran.assert_outcomes(passed=15, failed=1)
    assert len([*suite.path.glob("stack-of-*")]) == 1
    assert len([*suite.path.glob("part-of-*")]) == 3
    ran.stdout.fnmatch_lines(["*= Products =*", "2 by 2 is 4", "2 by 3 is 6"])
    ran.stdout.fnmatch_lines(["*= Sums =*", "1 and 1 is 3"])
    assert ran.outlines.count("1 and 1 is 3") == 1
    ended = [
        line
        for line in ran.outlines
        if re.fullmatch(r"gw[01] ended after \d+ s with test_\w+\.py; \d+ s of a processor", line)
    ]
    assert len(ended) == 2


@pytest.mark.requirement("processes.figures")
def test_one_process_keeps_the_order_of_files_and_shows_figures_too(suite: pytest.Pytester) -> None:
    ran = suite.runpytest_inprocess("-v")
    ran.assert_outcomes(passed=15, failed=1)
    files = [line.partition("::")[0] for line in ran.outlines if "PASSED" in line]
    assert files == sorted(files)
    assert ran.outlines.count("1 and 1 is 3") == 1
