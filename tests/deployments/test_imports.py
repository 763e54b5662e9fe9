"""Processes that run for as long as the stack does import nothing that they have no use for: each megabyte is held by an idle service."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.stack import ROOT

UNUSED = {
    "deployments.embedded": ("rich", "pygments", "prefect", "sqlalchemy", "numpy", "fastapi", "httpx", "anyio"),
    "converter.service": ("rich", "pygments", "httpx", "numpy", "sqlalchemy", "prefect"),
}
"""By what is started: libraries that would be imported by others on the way."""


@pytest.mark.requirement("run.lean-processes")
@pytest.mark.parametrize("module", UNUSED)
def test_a_process_that_stays_imports_nothing_that_it_has_no_use_for(module: str) -> None:
    program = f"import sys, {module}\nprint(*(name for name in {UNUSED[module]!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
