"""Many claimants of one key: tasks on many connections, processes, owners killed or frozen in mid-request."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from spatial.errors import IdempotencyInProgress
from storage import ids
from storage.postgres.database import Database
from tests.storage.actors import Customer, begun, billed, claimed, completed, fetch_column, lapse, looked_up

ROOT = Path(__file__).resolve().parents[3]
LEASE_SECONDS = 1.0
"""Lease of the claimant processes."""


class Claimant:
    """`tests.storage.claimant` as a child process."""

    def __init__(self, url: str, who: Customer, lease_seconds: float = LEASE_SECONDS) -> None:
        arguments = [url, who.account_id, who.key_id, str(lease_seconds)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.claimant", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, command: str) -> None:
        assert self.process.stdin is not None
        print(command, file=self.process.stdin, flush=True)

    async def answer(self) -> str:
        assert self.process.stdout is not None
        return (await asyncio.to_thread(self.process.stdout.readline)).strip()

    async def ask(self, command: str) -> str:
        self.tell(command)
        return await self.answer()


@pytest.fixture
def claimants(postgres_url: str, who: Customer) -> Iterator[list[Claimant]]:
    """Two processes on the module's database."""
    pair = [Claimant(postgres_url, who) for _ in range(2)]
    yield pair
    for claimant in pair:
        claimant.process.kill()
        claimant.process.communicate()


async def _eventually(probe: Callable[[], Awaitable[bool]], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not await probe():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.02)


async def _is_free(database: Database, who: Customer, key: str) -> bool:
    try:
        return await looked_up(database, who, key) is None
    except IdempotencyInProgress:
        return False


@pytest.mark.requirement("idempotency.one-claimant")
async def test_of_many_claimants_one_wins(database: Database, who: Customer) -> None:
    for _ in range(8):
        key = ids.new("retry")
        payloads = ["even", "odd"] * 8
        outcomes = await asyncio.gather(*(claimed(database, who, key, payload) for payload in payloads))
        winner = next(n for n, outcome in enumerate(outcomes) if outcome.startswith("op_"))
        same = sum(payload == payloads[winner] for payload in payloads)
        others = Counter(outcome for n, outcome in enumerate(outcomes) if n != winner)
        assert others == {"idempotency_in_progress": same - 1, "idempotency_conflict": len(payloads) - same}


@pytest.mark.requirement("idempotency.one-claimant", "idempotency.owner-died")
async def test_of_many_that_would_take_over_one_wins_against_the_old_owner_too(
    database: Database, who: Customer
) -> None:
    for _ in range(8):
        key = ids.new("retry")
        old = await begun(database, who, key)
        await lapse(database, old)
        rivals = (claimed(database, who, key) for _ in range(12))
        outcomes, late = await asyncio.gather(asyncio.gather(*rivals), completed(database, who, old))
        assert sum(outcome.startswith("op_") for outcome in outcomes) == 1
        assert late is False


@pytest.mark.requirement("idempotency.one-claimant")
async def test_an_old_owner_that_ends_while_it_is_taken_over_ends_or_is_fenced(
    database: Database, who: Customer
) -> None:
    """The lease is alive when the owner completes, and ends about when the rivals look."""
    for round_ in range(12):
        key, before = ids.new("retry"), await billed(database, who)
        old = await begun(database, who, key, lease_seconds=0.001 * round_)
        rivals = (claimed(database, who, key) for _ in range(4))
        outcomes, done = await asyncio.gather(asyncio.gather(*rivals), completed(database, who, old))
        won = [outcome for outcome in outcomes if outcome.startswith("op_")]
        assert len(won) + done <= 1
        assert await billed(database, who) - before == done


@pytest.mark.requirement("idempotency.one-claimant")
async def test_of_two_processes_one_wins_every_key(
    database: Database, who: Customer, claimants: list[Claimant]
) -> None:
    keys = [ids.new("retry") for _ in range(25)]
    for claimant in claimants:
        for key in keys:
            claimant.tell(f"claim {key}")
    for _ in keys:
        outcomes = sorted([await claimant.answer() for claimant in claimants])
        assert outcomes[0] == "idempotency_in_progress"
        assert outcomes[1].startswith("op_")


@pytest.mark.requirement("idempotency.owner-died")
async def test_a_killed_owners_key_is_usable_again_when_its_lease_has_lapsed(
    database: Database, who: Customer, key: str, claimants: list[Claimant]
) -> None:
    first, second = claimants
    old = await first.ask(f"claim {key}")
    lease = "SELECT lease_until > created_at + interval '2 s' FROM operations WHERE id = :id"
    await _eventually(lambda: _true(database, lease, old))  # renewed beyond the first lease: a living owner keeps it
    assert await second.ask(f"claim {key}") == "idempotency_in_progress"
    first.process.kill()
    await _eventually(lambda: _is_free(database, who, key))
    new = await second.ask(f"claim {key}")
    assert new.startswith("op_")
    assert not await completed(database, who, old)
    assert await second.ask(f"complete {new}") == "True"
    assert await billed(database, who) == 1


@pytest.mark.requirement("idempotency.owner-died")
async def test_a_frozen_owner_that_wakes_up_after_the_takeover_is_fenced(
    database: Database, who: Customer, key: str, claimants: list[Claimant]
) -> None:
    first, second = claimants
    old = await first.ask(f"claim {key}")
    first.process.send_signal(signal.SIGSTOP)
    await _eventually(lambda: _is_free(database, who, key))
    new = await second.ask(f"claim {key}")
    while new == "billing_unavailable":  # frozen in mid-transaction, it holds a lock until the server ends the session
        new = await second.ask(f"claim {key}")
    first.process.send_signal(signal.SIGCONT)
    assert await first.ask(f"complete {old}") == "False"
    assert await second.ask(f"complete {new}") == "True"
    assert await billed(database, who) == 1


async def _true(database: Database, statement: str, operation_id: str) -> bool:
    return await fetch_column(database, statement, id=operation_id) == [True]
