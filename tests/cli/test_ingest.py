"""`spatial ingest` and `spatial reprocess` where there is nothing to ask; tests/stack/test_ingest.py has the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Spatial, one_sentence


@pytest.mark.requirement("ingest.cli")
def test_without_a_running_stack_they_say_how_to_start_one(spatial: Spatial, tmp_path: Path) -> None:
    for command in (("ingest", tmp_path), ("reprocess", "failed")):
        answer = spatial(*command, "--home", tmp_path / "nobody")
        assert answer.returncode == 1
        assert "start one with `spatial run`" in one_sentence(answer)


@pytest.mark.requirement("ingest.cli")
def test_a_folder_that_is_not_there_is_told_before_anything_is_asked(spatial: Spatial, tmp_path: Path) -> None:
    answer = spatial("ingest", tmp_path / "nowhere", "--home", tmp_path)
    assert answer.returncode == 1
    assert "there is no" in one_sentence(answer) and "nowhere" in answer.stderr
