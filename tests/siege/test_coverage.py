"""Coverage-guided fuzzing is guided: the readers, which are imported when a file needs them, are instrumented."""

from __future__ import annotations

import signal
import sys
from itertools import count
from pathlib import Path

import pytest

from siege import coverage, hours
from siege.coverage import FEWEST_PLACES, hunt
from siege.hours import Spent

SECONDS = 6.0


@pytest.mark.skipif(sys.platform != "linux", reason="atheris has wheels for Linux alone")
@pytest.mark.requirement("siege.guided")
@pytest.mark.parametrize("reader", ["part21", "drawio"])
def test_the_branches_of_a_reader_guide_its_fuzzing(reader: str, tmp_path: Path) -> None:
    counts = hunt(reader, SECONDS, tmp_path)
    assert counts.spent.places >= FEWEST_PLACES
    assert counts.spent.kept > 1, "inputs that reach new branches are kept"
    assert counts.spent.processor > 0, "what it took of a processor is told"
    assert not counts.found, counts.found
    again = hunt(reader, SECONDS, tmp_path)
    assert again.spent.places >= 0.9 * counts.spent.places, "a later turn goes on with them"


@pytest.mark.skipif(sys.platform != "linux", reason="atheris has wheels for Linux alone")
@pytest.mark.requirement("siege.guided")
def test_a_turn_ends_when_it_has_had_its_time_of_a_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "TURN_PROCESSOR", 3.0)
    counts = hunt("part21", 600.0, tmp_path)
    assert 0 < counts.spent.processor < 10
    assert counts.spent.inputs > 0, "what it did until then counts"


@pytest.mark.requirement("siege.guided")
def test_a_turn_that_gets_no_processor_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended within its imports, as on a machine that is busy with other things."""
    monkeypatch.setattr(coverage, "END_SECONDS", 0.0)
    assert hunt("drawio", 0.01, tmp_path).spent == Spent()


@pytest.mark.requirement("siege.guided")
def test_hours_of_several_runs_add_up_and_a_run_is_entered_once(tmp_path: Path) -> None:
    record = tmp_path / hours.RECORD
    hours.add(record, "one", "svg", Spent(10.0, 100, kept=5, places=50, found=1))
    hours.add(record, "one", "svg", Spent(5.0, 10, kept=7, places=60))
    hours.add(record, "two", "svg", Spent(1.0, 1, kept=6, places=55))
    hours.add(record, "two", "pdf", Spent(2.0, 3, kept=1, places=9))
    found = hours.totals(hours.load(record) | hours.load(record))
    assert found == {"svg": Spent(16.0, 111, kept=7, places=60, found=1), "pdf": Spent(2.0, 3, kept=1, places=9)}
    assert hours.table(hours.load(record)).rows[1][:3] == ("svg", "16", "0 %")


@pytest.mark.requirement("siege.guided")
def test_the_page_has_the_hours_that_are_committed() -> None:
    assert hours.PAGE.read_text() == hours.page(), "run python -m siege.hours --write"


@pytest.mark.requirement("siege.guided")
def test_an_input_that_is_read_without_end_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coverage, "PROCESSOR_SECONDS", 0.1)
    earlier = coverage.stop_long_inputs()
    try:
        found = coverage.Findings("drawio", tmp_path)
        coverage.read_once(lambda _: all(True for _ in count()), b"<mxfile/>", found)
    finally:
        signal.signal(signal.SIGVTALRM, earlier)
    assert capfd.readouterr().out.startswith("found drawio")
    assert [path.read_bytes() for path in tmp_path.glob("*.drawio")] == [b"<mxfile/>"]
