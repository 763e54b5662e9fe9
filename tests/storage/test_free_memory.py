"""Memory between blocks that are in use goes back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.stack import ROOT

PROGRAM = """
import gc
from pathlib import Path
from storage.free_memory import give_back

def anonymous():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))

blocks = [bytes(4_000) for _ in range(10_000)]
kept = blocks[::100]
del blocks
gc.collect()
before = anonymous()
give_back()
print(before - anonymous())
"""


@pytest.mark.requirement("run.lean-processes")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="malloc_trim is glibc's")
def test_what_lies_between_blocks_in_use_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20_000
