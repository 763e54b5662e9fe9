"""Coverage-guided fuzzing is guided: the readers, which are imported when a file needs them, are instrumented."""

from __future__ import annotations

import sys

import pytest

from siege.coverage import FEWEST_PLACES, hunt

SECONDS = 6.0


@pytest.mark.skipif(sys.platform != "linux", reason="atheris has wheels for Linux alone")
@pytest.mark.requirement("siege.guided")
@pytest.mark.parametrize("reader", ["part21", "drawio"])
def test_the_branches_of_a_reader_guide_its_fuzzing(reader: str) -> None:
    counts = hunt(reader, SECONDS)
    assert counts.places >= FEWEST_PLACES
    assert counts.kept > 1, "inputs that reach new branches are kept"
    assert not counts.found, counts.found
