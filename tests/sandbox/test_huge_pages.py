"""Memory in huge pages: the same bytes, shared with children, and copied only where a child writes."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import huge_pages

COUNT = 4
"""Huge pages of the memory that the test fills."""

CHILD = """
import mmap, os
from sandbox import huge_pages
memory = mmap.mmap(-1, 6 * huge_pages.HUGE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.write(bytes(range(256)) * (len(memory) // 256))
before = huge_pages.regions()
assert huge_pages.collapse(before) == 0
collapsed = huge_pages.collapse()
child = os.fork()
if child == 0:
    memory[5_000_000] = 7
    os._exit(0)
os.waitpid(child, 0)
assert memory[:] == bytes(range(256)) * (len(memory) // 256)
print(collapsed, sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("AnonHugePages")))
"""


@pytest.mark.requirement("converter.shared-memory")
def test_what_is_in_huge_pages_has_the_same_bytes_for_a_fork_server_whatever_its_child_writes() -> None:
    said = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True).stdout
    collapsed, kilobytes = map(int, said.split())
    if not collapsed:
        pytest.skip("this kernel brings no memory into huge pages when it is asked to (MADV_COLLAPSE, Linux 6.1)")
    assert collapsed >= COUNT
    assert kilobytes >= COUNT * huge_pages.HUGE_BYTES // 1024


@pytest.mark.requirement("converter.shared-memory")
def test_regions_are_whole_huge_pages_of_memory_without_a_file() -> None:
    with mmap.mmap(-1, (COUNT + 1) * huge_pages.HUGE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        found = huge_pages.regions()
    assert len(found) >= COUNT
    assert all(address % huge_pages.HUGE_BYTES == 0 for address in found)
    spans = [line.split() for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line]
    for span, *_ in spans:
        start, end = (int(address, 16) for address in span.split("-"))
        assert not [address for address in found if start <= address < end]
