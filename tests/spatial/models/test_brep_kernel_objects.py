"""The table of OCP's objects has grown before a child is forked, so that it does not grow in the child."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import os, resource, sys
from OCP.gp import gp_Pnt
from spatial.models.brep.kernel_objects import PLACES, reserve
if sys.argv[1] == "reserved":
    reserve()
child = os.fork()
if child == 0:
    points = [gp_Pnt() for _ in range(PLACES // 2)]
    os._exit(0)
print(os.wait4(child, 0)[2].ru_minflt)
"""

FEWER = 400
"""Pages that a child no longer copies, at least: those of the enumeration values of OCP."""


@pytest.mark.requirement("converter.shared-memory")
def test_a_child_that_makes_many_objects_of_the_kernel_copies_fewer_pages_of_the_fork_server() -> None:
    reserved, bare = (
        int(subprocess.run([sys.executable, "-c", SCRIPT, each], capture_output=True, text=True, check=True).stdout)
        for each in ("reserved", "bare")
    )
    assert reserved < bare - FEWER
