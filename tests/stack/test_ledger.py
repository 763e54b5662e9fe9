"""The ledger after random calls, replays, re-runs and killed processes. `make bench ARGS=ledger` does it with a thousand calls."""

from __future__ import annotations

import pytest

from benchmarks.ledger import PARTS, Amount, prove
from benchmarks.stack import Stack
from tests.support.stack import RunningStack

CALLS = 100


@pytest.mark.requirement("usage.ledger-proof")
def test_every_charge_is_one_that_an_answer_reported(stack: RunningStack) -> None:
    proof = prove(Stack(stack.url, stack.key, stack.home, stack.process.pid), CALLS, seed=3)
    assert not proof.faults, "\n".join(proof.faults)
    assert proof.outcomes.total() == CALLS and set(proof.killed) == {name for name, _ in PARTS}
    charged = {proof.routes[request_id] for request_id, amount in proof.answers.items() if amount != Amount()}
    assert len(charged) == 5, "every billed route has charged"
    assert proof.reported == proof.exported != Amount()
    for kind in ("replay", "conflict", "damaged", "unpaid", "run_again"):
        assert any(outcome.startswith(kind) for outcome in proof.outcomes), kind
