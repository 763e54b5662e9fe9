"""Results of the stages of a run: in memory, and written where a retry may need them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from prefect.filesystems import LocalFileSystem

from prefect_runtime.result_storage import WRITE_AFTER_SECONDS, HeldResults

pytestmark = pytest.mark.requirement("host.held-results")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def held(folder: Path, *, is_new: bool = True) -> HeldResults:
    return HeldResults.of(LocalFileSystem(basepath=str(folder)), is_new=is_new)


async def test_results_of_a_run_are_read_from_memory_and_leave_no_file(tmp_path: Path) -> None:
    results = held(tmp_path)
    await results.write_path("stage", b"one")
    assert await results.read_path("stage") == b"one"
    assert files(tmp_path) == {}


async def test_what_a_failed_run_wrote_is_found_by_its_retry(tmp_path: Path) -> None:
    results = held(tmp_path)
    await results.write_path("stage", b"one")
    await results.write_held()
    again = held(tmp_path, is_new=False)
    assert await again.read_path("stage") == b"one"
    with pytest.raises(ValueError, match="does not exist"):
        await again.read_path("another")


async def test_a_new_run_does_not_look_for_results(tmp_path: Path) -> None:
    (tmp_path / "stage").write_bytes(b"of another run")
    with pytest.raises(FileNotFoundError):
        await held(tmp_path).read_path("stage")


async def test_a_run_that_lasts_writes_at_once_what_it_has_held_before(tmp_path: Path) -> None:
    results = held(tmp_path)
    await results.write_path("first", b"1")
    results._began = time.monotonic() - WRITE_AFTER_SECONDS - 1.0
    await results.write_path("second", b"2")
    assert files(tmp_path) == {"first": b"1", "second": b"2"}
