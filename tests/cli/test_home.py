"""Commands that read, in a home that has no stack: a refusal that helps, and nothing is created."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import RunningStack

READING = (
    ("query",),
    ("query", "SELECT 1"),
    ("usage",),
    ("keys", "list"),
    ("keys", "revoke", "sk_nobody"),
    ("purge", "--account", "nobody", "--yes"),
    ("backup", "--output", "archive"),
)


@pytest.mark.requirement("cli.home.absent")
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_home_without_a_stack_is_refused_and_stays_as_it_is(
    spatial: Spatial, tmp_path: Path, command: tuple[str, ...]
) -> None:
    for home, flags in ((tmp_path / ".spatial", ()), (tmp_path / "other", ("--home", tmp_path / "other"))):
        answer = spatial(*command, *flags)
        assert answer.returncode == 1
        assert f"{home} holds no data of a stack" in one_sentence(answer)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("cli.home.absent")
def test_the_stack_that_runs_elsewhere_is_named(spatial: Spatial, stack: RunningStack, tmp_path: Path) -> None:
    for command in (("query",), ("keys", "list"), ("ingest", tmp_path)):
        assert f" in {stack.home}" in one_sentence(spatial(*command))  # and in others, where some run beside the tests
    shown = spatial("doctor").stdout
    assert f"{tmp_path / '.spatial'} holds no data of a stack" in shown and str(stack.home) in shown
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("cli.home.absent")
def test_a_bucket_is_read_without_a_home(spatial: Spatial) -> None:
    answer = spatial("query", SPATIAL_STORAGE_URL="s3://bucket/lake", SPATIAL_S3_ENDPOINT="http://127.0.0.1:9")
    assert "holds no data" not in one_sentence(answer)
