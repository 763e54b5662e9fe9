"""`spatial operators`: a password is printed once and opens the console until it is reset or its operator is removed."""

from __future__ import annotations

import re

import httpx
import pytest

from storage.postgres import operators
from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import RunningStack


def sign_in(stack: RunningStack, name: str, password: str) -> int:
    """What the console answers."""
    form = {"name": name, "password": password}
    return httpx.post(f"{stack.url}/console/sign-in", data=form, trust_env=False, timeout=60).status_code


@pytest.mark.requirement("console.operators")
def test_an_operator_is_added_listed_reset_and_removed(spatial: Spatial, stack: RunningStack) -> None:
    home = ("--home", stack.home)
    added = spatial("operators", "add", "ana", *home)
    assert re.fullmatch(r"[A-Za-z0-9_-]{20}\n", added.stdout), added.stderr
    assert sign_in(stack, "ana", added.stdout.strip()) == 303
    taken = spatial("operators", "add", "ana", *home)
    assert taken.returncode == 1 and "already exists" in one_sentence(taken)
    shown = spatial("operators", "list", *home).stdout
    assert "ana" in shown and operators.FIRST in shown and added.stdout.strip() not in shown
    renewed = spatial("operators", "reset", "ana", *home)
    assert sign_in(stack, "ana", added.stdout.strip()) == 401
    assert sign_in(stack, "ana", renewed.stdout.strip()) == 303
    assert spatial("operators", "remove", "ana", *home).returncode == 0
    assert sign_in(stack, "ana", renewed.stdout.strip()) == 401
    gone = spatial("operators", "remove", "ana", *home)
    assert gone.returncode == 1 and "no operator named ana" in one_sentence(gone)
