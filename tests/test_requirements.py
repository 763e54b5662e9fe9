"""The check that ties tests to requirements, on small suites of its own."""

from __future__ import annotations

import re

import pytest

from tests.requirement_rows._row import PARTS
from tests.requirements import ROWS

CONFTEST = """
import pytest
from tests.requirement_rows._row import Row
from tests.support.requirement_check import RequirementCheck

ROWS = (
    Row("door.opens", "The door opens.", "spec: Door"),
    Row("door.closes", "The door closes.", "spec: Door"),
    Row("bell.rings", "The bell rings.", "spec: Bell", needs="electricity"),
    Row("window.opens", "The window opens.", "spec: Window", pending="drawings"),
)

def pytest_configure(config):
    config.pluginmanager.register(RequirementCheck(ROWS))
"""
INI = """
[pytest]
testpaths = suite
addopts = --strict-markers
asyncio_default_fixture_loop_scope = function
"""
COMPLETE = """
import pytest

@pytest.mark.requirement("door.opens")
@pytest.mark.parametrize("hand", ["left", "right"])
def test_opens(hand):
    pass

@pytest.mark.requirement("door.closes", "door.opens")
def test_closes():
    pass

@pytest.mark.requirement("bell.rings")
def test_rings():
    pass
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project whose suite proves all that it should."""
    pytester.makeini(INI)
    folder = pytester.mkpydir("suite")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_door.py").write_text(COMPLETE)
    return pytester


def add(suite: pytest.Pytester, test: str) -> None:
    """One more test file in the suite."""
    (suite.path / "suite" / "test_more.py").write_text("import pytest\n" + test)


def refusal(suite: pytest.Pytester, *arguments: str) -> str:
    """What a run that does not start its tests says."""
    result = suite.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    return str(result.stderr)


@pytest.mark.requirement("requirements.row-without-test", "requirements.pending-with-test")
def test_a_complete_suite_runs(suite: pytest.Pytester) -> None:
    suite.runpytest_inprocess().assert_outcomes(passed=4)
    suite.runpytest_inprocess("suite").assert_outcomes(passed=4)
    suite.runpytest_inprocess(".").assert_outcomes(passed=4)


@pytest.mark.requirement("requirements.row-without-test")
def test_a_row_without_a_test_is_named_with_its_fact(suite: pytest.Pytester) -> None:
    (suite.path / "suite" / "test_door.py").write_text(COMPLETE.replace('"door.closes", ', ""))
    for arguments in ([], ["suite"], [str(suite.path)], ["--collect-only"], ["-x", "-v"]):
        said = refusal(suite, *arguments)
        assert "door.closes: no test wears it (The door closes.)" in said
        assert "window.opens" not in said


@pytest.mark.requirement("requirements.pending-with-test")
def test_a_pending_row_with_a_test_asks_to_be_unmarked(suite: pytest.Pytester) -> None:
    add(suite, '@pytest.mark.requirement("window.opens")\ndef test_window(): pass\n')
    said = refusal(suite)
    assert "window.opens: marked pending (drawings), but suite/test_more.py::test_window proves it; unmark" in said


@pytest.mark.requirement("requirements.unknown-id")
@pytest.mark.parametrize("arguments", [[], ["suite/test_more.py"], ["-k", "roof"], ["suite/test_more.py::test_roof"]])
def test_an_unknown_id_is_refused_in_any_run(suite: pytest.Pytester, arguments: list[str]) -> None:
    add(suite, '@pytest.mark.requirement("roof.holds")\ndef test_roof(): pass\n')
    assert "suite/test_more.py::test_roof wears 'roof.holds', and no row has that id" in refusal(suite, *arguments)


@pytest.mark.requirement("requirements.test-without-row")
@pytest.mark.parametrize("marker", ["", "@pytest.mark.requirement()\n", "@pytest.mark.parametrize('x', [1, 2])\n"])
def test_a_test_that_wears_nothing_is_named_once(suite: pytest.Pytester, marker: str) -> None:
    add(suite, f"{marker}def test_bare({'x' if 'param' in marker else ''}): pass\n")
    assert refusal(suite).count("suite/test_more.py::test_bare wears no requirement") == 1


@pytest.mark.requirement("requirements.test-without-row")
def test_a_class_or_a_module_may_wear_for_its_tests(suite: pytest.Pytester) -> None:
    add(suite, 'pytestmark = pytest.mark.requirement("door.opens")\ndef test_bare(): pass\n')
    suite.runpytest_inprocess().assert_outcomes(passed=5)


@pytest.mark.requirement("requirements.partial-run")
@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["suite/test_door.py"], 2),
        (["suite/test_door.py::test_opens"], 2),
        (["-k", "left"], 1),
        (["-m", "requirement"], 2),
        (["--ignore=suite/test_more.py"], 2),
        (["--deselect=suite/test_more.py::test_bare"], 2),
    ],
)
def test_a_partial_run_need_not_be_complete(suite: pytest.Pytester, arguments: list[str], passed: int) -> None:
    (suite.path / "suite" / "test_door.py").write_text(
        COMPLETE.split('@pytest.mark.requirement("door.closes"', maxsplit=1)[0]
    )
    add(suite, "def test_bare(): pass\n")
    assert suite.runpytest_inprocess(*arguments).parseoutcomes()["passed"] == passed


@pytest.mark.requirement("requirements.partial-run")
def test_a_file_that_cannot_be_collected_is_the_only_complaint(suite: pytest.Pytester) -> None:
    add(suite, "import no_such_module\n")
    (suite.path / "suite" / "test_door.py").write_text("")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "no test wears it" not in str(result.stderr)


@pytest.mark.requirement("requirements.several-processes")
def test_several_processes_refuse_together_before_the_first_test(suite: pytest.Pytester) -> None:
    (suite.path / "suite" / "test_door.py").write_text(COMPLETE.replace('"door.closes", ', ""))
    result = suite.runpytest_inprocess("-n", "2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR and "passed" not in result.parseoutcomes()
    assert str(result.stderr).count("door.closes: no test wears it (The door closes.)") == 1
    add(suite, '@pytest.mark.requirement("roof.holds")\ndef test_roof(): pass\n')
    assert "test_roof wears 'roof.holds', and no row has that id" in refusal(suite, "-n", "2", "-k", "left")


SKIPPED = COMPLETE.replace("def test_rings():\n    pass", 'def test_rings():\n    pytest.skip("no electricity")')


@pytest.mark.requirement("requirements.needs")
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_row_that_needs_what_is_missing_is_named_as_unproven(suite: pytest.Pytester, processes: str) -> None:
    (suite.path / "suite" / "test_door.py").write_text(SKIPPED)
    result = suite.runpytest_inprocess("-n", processes)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["*Requirements without a proof in this run*", "bell.rings: needs electricity (The bell rings.)"]
    )


@pytest.mark.requirement("requirements.skipped")
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_skipped_test_proves_nothing(suite: pytest.Pytester, processes: str) -> None:
    (suite.path / "suite" / "test_door.py").write_text(
        SKIPPED.replace('"door.closes", ', "").replace('"bell.rings"', '"bell.rings", "door.closes"')
    )
    result = suite.runpytest_inprocess("-n", processes)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["door.closes: every test that wears it was skipped; *(The door closes.)"])
    assert suite.runpytest_inprocess("-n", processes, "suite/test_door.py").ret == pytest.ExitCode.OK


@pytest.mark.requirement("requirements.skipped")
def test_one_test_that_passes_is_a_proof_beside_one_that_is_skipped(suite: pytest.Pytester) -> None:
    (suite.path / "suite" / "test_door.py").write_text(SKIPPED.replace('"bell.rings"', '"bell.rings", "door.closes"'))
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.OK


@pytest.mark.requirement("requirements.ids-unique")
def test_rows_are_facts_with_an_id_a_sentence_and_a_source() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert re.fullmatch(r"[a-z0-9_-]+(\.[A-Za-z0-9_-]+)+", row.id), row
        assert row.fact, row
        assert row.source, row
        assert row.pending is None or row.pending in PARTS, row
