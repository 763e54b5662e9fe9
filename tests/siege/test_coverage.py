"""Coverage-guided fuzzing is guided: the readers, which are imported when a file needs them, are instrumented."""

from __future__ import annotations

import signal
import sys
from itertools import count
from pathlib import Path

import pytest

from siege import coverage
from siege.coverage import FEWEST_PLACES, hunt

SECONDS = 6.0


@pytest.mark.skipif(sys.platform != "linux", reason="atheris has wheels for Linux alone")
@pytest.mark.requirement("siege.guided")
@pytest.mark.parametrize("reader", ["part21", "drawio"])
def test_the_branches_of_a_reader_guide_its_fuzzing(reader: str) -> None:
    counts = hunt(reader, SECONDS)
    assert counts.places >= FEWEST_PLACES
    assert counts.kept > 1, "inputs that reach new branches are kept"
    assert counts.processor > 0, "what it took of a processor is told"
    assert not counts.found, counts.found


@pytest.mark.requirement("siege.guided")
def test_an_input_that_is_read_without_end_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coverage, "PROCESSOR_SECONDS", 0.1)
    monkeypatch.setattr(coverage, "FOUND", tmp_path)
    earlier = coverage.stop_long_inputs()
    try:
        coverage.read_once("drawio", lambda _: all(True for _ in count()), b"<mxfile/>", set())
    finally:
        signal.signal(signal.SIGVTALRM, earlier)
    assert capfd.readouterr().out.startswith("found drawio")
    assert [path.read_bytes() for path in tmp_path.glob("*.drawio")] == [b"<mxfile/>"]
