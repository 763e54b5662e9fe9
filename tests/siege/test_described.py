"""A few requests of every operation, made of the description; `make siege ARGS=described` makes hundreds."""

from __future__ import annotations

import pytest

from benchmarks.stack import Stack
from siege.described import Answers, ask
from tests.support.stack import RunningStack

EXAMPLES = 3


@pytest.mark.requirement("siege.described")
def test_what_the_description_allows_and_forbids_is_answered_as_it_says(stack: RunningStack) -> None:
    answers = Answers()
    ask(Stack(stack.url, stack.key, stack.home, stack.process.pid), EXAMPLES, answers)
    assert not answers.faults, "\n".join(answers.faults)
    assert len(answers.statuses) >= 20, "every operation was asked"
