"""Folders of children: counted, removed, and swept after a service that was killed."""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from pathlib import Path

import pytest

from sandbox import folders


@pytest.mark.requirement("converter.service-death")
def test_what_a_killed_service_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, living, young = (tmp_path / f"{folders.PREFIX}{name}" for name in ("left", "living", "young"))
    for folder in (left, living, young):
        (folder / "7").mkdir(parents=True)
        (folder / "7" / "part.step").write_text("x")
    for folder in (left, living):
        os.utime(folder, (0, 0))
    holder = os.open(living, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    root = folders.Root()
    assert (left.exists(), living.exists(), young.exists(), root.path.exists()) == (False, True, True, True)
    root.remove()
    assert not root.path.exists()
    os.close(holder)


@pytest.mark.requirement("converter.memory")
def test_a_folder_counts_blocks_and_entries(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "full").write_bytes(b"x" * 100_000)
    assert 100_000 <= folders.size_of(tmp_path) < 150_000
    for number in range(folders.ENTRIES):
        (tmp_path / str(number)).touch()
    assert folders.size_of(tmp_path) == sys.maxsize


@pytest.mark.requirement("converter.no-files")
def test_a_folder_nested_deeper_than_paths_go_is_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("deep", dir_fd=descriptor)
        below = os.open("deep", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(descriptor)
    assert folders.size_of(root) == sys.maxsize
    folders.remove(root)
    folders.wait()
    assert not root.exists()
