"""`spatial ingest` and `spatial reprocess` where there is nothing to ask; tests/stack/test_ingest.py has the rest."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
import typer

from cli import following
from prefect_runtime.client import RunState
from storage import settings
from storage.tables import ingest
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
    assert "does not exist" in one_sentence(answer) and "nowhere" in answer.stderr


@pytest.mark.requirement("ingest.cli")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ("ingest", ".", "--min-bytes", "1000", "--max-bytes", "10"),
            "no file has at least 1,000 and at most 10 bytes",
        ),
        (("ingest", ".", "--changed-since", "yesterday"), "--changed-since 'yesterday' is not a date or time"),
        (("reprocess", "--until", "2026-13-01"), "--until '2026-13-01' is not a date or time"),
        (
            ("reprocess", "failed", "--error-type", "bad_day"),
            "there is no failure type bad_day; choose from parse_error,",
        ),
    ],
)
def test_what_no_file_can_be_is_refused_before_anything_is_started(
    spatial: Spatial, tmp_path: Path, command: tuple[str, ...], said: str
) -> None:
    answer = spatial(*command, "--home", tmp_path / "nobody")
    assert answer.returncode == 1
    assert said in one_sentence(answer)


@pytest.mark.requirement("ingest.schedule-source")
def test_a_cron_without_a_source_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_INGEST_CRON", "0 2 * * *")
    with pytest.raises(settings.SettingsError, match=r"SPATIAL_INGEST_CRON.* needs SPATIAL_INGEST_SOURCE"):
        settings.load()
    monkeypatch.setenv("SPATIAL_INGEST_SOURCE", "s3://archive/drawings")
    assert settings.load().ingest_cron == "0 2 * * *"


@pytest.mark.requirement("ingest.cli")
@pytest.mark.parametrize(("name", "status"), [("Completed", None), (ingest.WITH_FAILURES, 3), (ingest.UNNEEDED, 1)])
def test_the_exit_status_says_how_it_ended(name: str, status: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    ended = following.Ended(RunState("COMPLETED", name, "what came of it"), run=None, report="")
    with nullcontext() if status is None else pytest.raises(typer.Exit) as raised:
        following._sum_up("ingest", "http://prefect/one", ended, None, is_dry=False)
    assert (raised.value.exit_code if raised else None) == status
    assert "what came of it" in "".join(capsys.readouterr())
