"""kill -9 of every process under mixed load: calls, batches, ingest and reasoning; afterwards nothing is lost, charged twice or left over.

    python -m siege kills --seconds 600

The load is that of the ledger's proof (benchmarks/ledger.py) with runs of bulk ingest beside it; after each kill the time is taken until
the service is whole again. siege/recovery.py kills each process without load.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks import stack as stacks
from benchmarks.ledger import Proof, prove_under, summary
from benchmarks.parts import PARTS, kill
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege import settled
from siege.ingests import Ingests, compare
from siege.recovery import is_whole, until

ROUNDS: Final = 20
"""How often each process is killed at most."""

ROUND_SECONDS: Final = 90.0
"""What a round takes: each process is killed once and comes back."""

CALLS: Final = 8
"""Sent for each kill."""


@dataclass
class Holding:
    """What was done to a stack, and what does not hold of it afterwards."""

    proof: Proof
    ingests: int
    recoveries: dict[str, list[float]]
    """Seconds after each kill until the service was whole, by process."""
    faults: list[str] = field(default_factory=list)
    """In sentences; empty where nothing was lost."""


def hold(stack: Stack, calls: int, seed: int, parts: tuple[tuple[str, str], ...] = PARTS) -> Holding:
    """Send so many calls, ingest beside them, kill the parts one after another, and look at what is left."""
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as root:
        folder = Path(root) / "drawings"
        kills = _Kills(stack, parts, calls)
        with Ingests(stack, folder) as ingests:
            proof = prove_under(stack, calls, seed, kills.disturb)
        ended = ingests.finish()
        faults = [*proof.faults, *settled.check(stack), *compare(stack, folder)]
        if ended != "COMPLETED":
            faults.append(f"the ingest after the siege ended {ended}")
        return Holding(proof, ingests.runs, kills.recoveries, faults)


class _Kills:
    """Kills of processes under load, each once the service is whole after the one before."""

    def __init__(self, stack: Stack, parts: Sequence[tuple[str, str]], calls: int) -> None:
        self.recoveries: dict[str, list[float]] = {}
        self._stack, self._parts, self._calls = stack, parts, calls

    async def disturb(self, proof: Proof) -> None:
        """Kill each part when its share of the calls has ended. Raises: TimeoutError where the service does not come back."""
        for place, (name, marker) in enumerate(self._parts):
            while proof.outcomes.total() < (place + 1) * self._calls // (len(self._parts) + 1):
                await asyncio.sleep(0.1)
            seconds = await asyncio.to_thread(self._kill, name, marker)
            proof.killed.append(name)
            self.recoveries.setdefault(name, []).append(seconds)

    def _kill(self, name: str, marker: str) -> float:
        kill(self._stack, name, marker, within=settled.PATIENCE_SECONDS)
        began = time.monotonic()
        until(lambda: is_whole(self._stack), f"health after {name} was killed under load")
        seconds = time.monotonic() - began
        print(f"{name}: {seconds:.1f} s", file=sys.stderr, flush=True)
        return seconds


def besiege(seconds: float) -> Iterator[Table]:
    """Rounds of kills under load. Raises: RuntimeError where something does not hold."""
    rounds = max(1, min(ROUNDS, int(seconds / ROUND_SECONDS)))
    chance = random.Random(rounds)
    parts = tuple(part for _ in range(rounds) for part in chance.sample(PARTS, len(PARTS)))
    with stacks.running() as stack:
        holding = hold(stack, CALLS * len(parts), rounds, parts)
    yield from _tables(holding)


def _tables(holding: Holding) -> Iterator[Table]:
    """Raises: RuntimeError where something was lost, after both tables."""
    rows = [*summary(holding.proof), ("runs of ingest beside the calls", str(holding.ingests))]
    held = (
        "Every batch item is done or failed, every answer is charged once, every staged file belongs to a request, and the tables are "
        "those of the same files read from scratch."
    )
    note = held if not holding.faults else "Something does not hold; it is told after the tables."
    yield Table("Kills under load", ("what", "number"), rows, note)
    taken: list[tuple[str, ...]] = [
        (name, str(len(seconds)), f"{median(seconds):.1f}", f"{max(seconds):.1f}")
        for name, seconds in holding.recoveries.items()
    ]
    note = "Seconds until a call succeeds, a desktop worker is there and every check is healthy, while the calls go on."
    yield Table("Recovery under load", ("killed", "times", "median s", "longest s"), taken, note)
    if holding.faults:
        raise RuntimeError("the siege has lost something:\n" + "\n".join(holding.faults))
