"""Hostile files over HTTP, a small part of their size; `make siege ARGS=hostile` sends them as large as the service takes them."""

from __future__ import annotations

import pytest

from benchmarks.stack import Stack
from siege.hostile import attack
from siege.hostile_files.table import COUNTED_PDF_BOMBS, FILES, NAMES
from tests.support.stack import RunningStack

SCALE = 0.002

REFUSED_NAMES = ("\0", "\n", "\x1b", "\u202e", "\ud800", "\x7f")
"""Characters with which a name is refused."""


@pytest.mark.requirement("siege.hostile")
def test_hostile_files_are_answered_and_leave_nothing_behind(stack: RunningStack) -> None:
    assault = attack(Stack(stack.url, stack.key, stack.home, stack.process.pid), SCALE, ordinary_each=10)
    assert not assault.faults, "\n".join(assault.faults)
    assert len(assault.answers) == len(FILES) + len(NAMES)
    statuses = {answer.name: answer.status for answer in assault.answers}
    assert {statuses[name] for name in FILES} == {200, 422}
    for name in NAMES:
        refused = any(mark in name for mark in REFUSED_NAMES) or len(name) > 255
        assert statuses[f"name {name!r}"] in ((400,) if refused else (200, 400, 415)), name
    assert {statuses[f"name {name!r}"] for name in ("../../etc/passwd.step", "CON.step", "<b>.step")} == {200}


@pytest.mark.requirement("siege.hostile")
def test_pages_that_stand_for_more_than_can_be_read_are_refused_at_full_size(stack: RunningStack) -> None:
    attacked = Stack(stack.url, stack.key, stack.home, stack.process.pid)
    assault = attack(attacked, 1.0, ordinary_each=10, files=COUNTED_PDF_BOMBS, names=())
    assert not assault.faults, "\n".join(assault.faults)
    assert [(answer.status, answer.type) for answer in assault.answers] == [(422, "parse_error")] * len(
        COUNTED_PDF_BOMBS
    )
