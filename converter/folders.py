"""Folders that children may write in: one root per fork server, one folder per child; both are removed at the end.

A root is locked while its service runs. The next service that starts removes what a killed one left.
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
"""A younger root may belong to a service that has not locked it yet."""

ENTRIES: Final = 1_000
"""Most files and folders of one child; with more its size counts as infinite."""

BLOCK_BYTES: Final = 4_096
"""Least size of an entry."""


_removals = ThreadPoolExecutor(max_workers=1, thread_name_prefix="removal")


class Root:
    """The folder of one fork server; the constructor creates it."""

    def __init__(self) -> None:
        _sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Remove it and its contents, after the folders whose removal has begun."""
        _removals.submit(_remove_all, self.path).result()
        os.close(self._lock)


def size_of(folder: Path) -> int:
    """Bytes that a child's files take, a block at least for each, so that many empty ones count as well."""
    total, entries = 0, 0
    try:
        for place, names, files in os.walk(folder, onerror=_unless_gone):
            entries += len(names) + len(files)
            if entries > ENTRIES:
                return sys.maxsize
            total += sum(_size_of_entry(Path(place, name)) for name in (*names, *files))
    except (OSError, RecursionError):  # locked, or nested deeper than paths or Python allow: the child hides something
        return sys.maxsize
    return total


def remove(folder: Path) -> None:
    """Remove a child's folder: an empty one at once, a full one in a thread, as it takes longer."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:
        _removals.submit(_remove_all, folder)


def wait() -> None:
    """Wait until the removals that have begun are done."""
    _removals.submit(int).result()


def _unless_gone(error: OSError) -> None:
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
