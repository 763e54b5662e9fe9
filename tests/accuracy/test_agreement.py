"""Two labellings of the same sheets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.agreement import LABELLED_TWICE, agreement
from tests.accuracy.board import REAL
from tests.accuracy.score import Tally

pytestmark = pytest.mark.requirement("drawing-accuracy.agreement")


def test_every_second_label_is_of_a_sheet_that_has_a_first() -> None:
    seconds = {path.name for path in LABELLED_TWICE.rglob("*.truth.json")}
    assert seconds and seconds <= {path.name for path in REAL.glob("*.truth.json")}


def test_a_label_agrees_wholly_with_itself() -> None:
    whole = LABELLED_TWICE / "fourteenth"
    tallies = agreement(whole, whole).total().tallies
    assert {tallies[name].f1 for name in ("callouts", "title block", "notes", "bom", "revisions")} == {1.0}
    assert all(tallies[name].right for name in ("callouts", "title block", "notes", "bom", "revisions"))


def test_what_one_of_two_labellings_leaves_out_is_missed_and_what_only_it_has_is_invented(tmp_path: Path) -> None:
    for name, title, note in (("first", "BRACKET", "DEBURR ALL EDGES"), ("second", "SUPPORT", "PAINT BLACK")):
        made = {"file": "sheet.pdf", "title_block": {"title": title, "scale": "1:2"}, "notes": [{"text": note}]}
        (tmp_path / name).mkdir()
        (tmp_path / name / "sheet.truth.json").write_text(json.dumps(made))
    tallies = agreement(tmp_path / "first", tmp_path / "second").total().tallies
    assert tallies["title block"] == Tally(1, 1, 1)
    assert tallies["notes"] == Tally(0, 1, 1)
