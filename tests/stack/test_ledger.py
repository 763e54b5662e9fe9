"""The ledger, the batches and the tables after random calls, replays, re-runs, ingests and killed processes.

`make siege ARGS=kills` does it with twenty kills of each process, and `make bench ARGS=ledger` with a thousand calls.
"""

from __future__ import annotations

import pytest

from benchmarks.ledger import Amount
from benchmarks.parts import PARTS
from benchmarks.stack import Stack
from siege.kills import hold
from tests.support.stack import RunningStack

CALLS, SEED = 60, 606
"""Ten calls for each kill, with every kind of call among them."""


@pytest.mark.requirement("usage.ledger-proof", "siege.kills")
def test_nothing_is_lost_and_every_charge_is_one_that_an_answer_reported(stack: RunningStack) -> None:
    held = hold(Stack(stack.url, stack.key, stack.home, stack.process.pid), CALLS, seed=SEED)
    assert not held.faults, "\n".join(held.faults)
    proof = held.proof
    assert proof.outcomes.total() == CALLS and set(proof.killed) == {name for name, _ in PARTS}
    charged = {proof.routes[request_id] for request_id, amount in proof.answers.items() if amount != Amount()}
    assert len(charged) == 5, "every billed route has charged"
    assert proof.reported == proof.exported != Amount()
    assert held.ingests >= 1, "files were ingested beside the calls"
    for kind in ("replay", "conflict", "damaged", "unpaid", "run_again"):
        assert any(outcome.startswith(kind) for outcome in proof.outcomes), kind
