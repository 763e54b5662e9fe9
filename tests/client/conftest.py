"""Keys of their own for the tests of the client: the limits of batches are of a key, and other tests submit with that of the stack."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.stack import ROOT, RunningStack


def issue_key(stack: RunningStack) -> str:
    """A new key of the account of these tests."""
    command = [
        sys.executable,
        "-m",
        "cli.main",
        "keys",
        "issue",
        "--account",
        "client tests",
        "--home",
        str(stack.home),
    ]
    issued = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert issued.returncode == 0, issued.stderr
    return issued.stdout.strip()


@pytest.fixture(scope="module")
def own_key(stack: RunningStack) -> str:
    """A key that only the tests of a module use."""
    return issue_key(stack)


@pytest.fixture
def fresh_key(stack: RunningStack) -> str:
    """A key that only one test uses."""
    return issue_key(stack)
