"""Folders that children may write to: one root per fork server and one folder per child, which are removed at the end.

A root is locked while its service runs. The next service that starts removes the roots of killed services.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

PREFIX: Final = "spatial-converter-"

YOUNG_SECONDS: Final = 60.0
"""Age below which an unlocked root is kept: its service may not have locked it yet."""

ENTRIES: Final = 1_000
"""Maximum number of files and folders per child; a folder with more counts as infinitely large."""

BLOCK_BYTES: Final = 4_096
"""Minimum size that is counted per entry."""


_removals = ThreadPoolExecutor(max_workers=1, thread_name_prefix="removal")


class Root:
    """The folder of one fork server; the constructor creates it."""

    def __init__(self) -> None:
        _sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Remove the folder and its contents, after all removals that have begun."""
        _removals.submit(_remove_all, self.path).result()
        os.close(self._lock)


def size_of(folder: Path) -> int:
    """Bytes of a child's files, at least one block per file, so that empty files count too."""
    total, entries = 0, 0
    try:
        for place, names, files in os.walk(folder, onerror=_raise_unless_missing):
            entries += len(names) + len(files)
            if entries > ENTRIES:
                return sys.maxsize
            total += sum(_size_of_entry(Path(place, name)) for name in (*names, *files))
    except (
        OSError,
        RecursionError,
    ):  # not readable, or nested deeper than the system or Python allows: probably on purpose
        return sys.maxsize
    return total


def remove(folder: Path) -> None:
    """Remove a child's folder: at once if it is empty, else in a thread, because that takes longer."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:
        _removals.submit(_remove_all, folder)


def wait() -> None:
    """Wait until all removals that have begun are complete."""
    _removals.submit(int).result()


def _raise_unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _size_of_entry(path: Path) -> int:
    with contextlib.suppress(OSError):
        return max(BLOCK_BYTES, path.lstat().st_blocks * 512)
    return 0


def _remove_all(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        subprocess.run(["rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)


def _sweep() -> None:
    """Remove the roots of services that were killed."""
    for root in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if root.stat().st_uid == os.geteuid() and time.time() - root.stat().st_mtime > YOUNG_SECONDS:
                _remove_unlocked(root)


def _remove_unlocked(root: Path) -> None:
    descriptor = os.open(root, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove_all(root)
    finally:
        os.close(descriptor)
