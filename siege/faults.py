"""Faults under the mixed load: bad connections between all parts, an S3 server that is busy, a Postgres that restarts or only reads.

    python -m siege faults --seconds 600

Each fault holds for a while and is then healed. The load is that of the ledger's proof, whose charges are compared with its answers.
Afterwards nothing is open, lost or left over, and the service is whole; last, disks are full.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, get_args

from benchmarks.ledger import Proof, prove_under, shown
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege import breakable, full_disk, settled
from siege.breakable import Breakable
from siege.proxy import Fault, Proxy
from siege.read_only import reading_only
from siege.recovery import is_whole, until

CALLS: Final = 40
"""Sent under each fault."""

BEFORE: Final = 4
"""Calls that have ended before a fault begins."""

LONGEST_SECONDS: Final = 15.0
"""How long a fault holds at most, and the time after it."""

HTTP_FAULTS: Final = ("busy", "short")
"""Faults of an S3 server, which the others do not have."""

Hold = Callable[[], AbstractContextManager[None]]


@dataclass
class Endured:
    """What came of the calls under one fault."""

    name: str
    proof: Proof
    seconds: float
    """From the end of the fault until all calls were answered and the service was whole."""


def besiege(seconds: float) -> Iterator[Table]:
    """Faults of connections and of Postgres for most of the time, then full disks. Raises: RuntimeError where something was lost."""
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder, breakable.running(Path(folder)) as broken:
        kinds = faults_of(broken)
        holding = min(LONGEST_SECONDS, seconds / 4 / len(kinds))
        endured = [endure(broken.stack, name, hold, holding) for name, hold in kinds.items()]
        yield _table(endured, settled.check(broken.stack))
    yield full_disk.table()


def faults_of(broken: Breakable) -> dict[str, Hold]:
    """Every fault by name, as a block for whose length it holds."""
    made: dict[str, Hold] = {}
    for name, proxy in broken.proxies.items():
        for fault in get_args(Fault)[1:]:
            if fault not in HTTP_FAULTS or name == "S3":
                made[f"{name} {fault}"] = partial(_struck, proxy, fault)
    made["Postgres restarts"] = partial(_restarting, broken)
    made["Postgres only reads"] = partial(reading_only, broken.postgres.url("spatial"))
    return made


@contextmanager
def _struck(proxy: Proxy, fault: Fault) -> Iterator[None]:
    """Raises: RuntimeError where nothing met the fault."""
    before, proxy.fault = proxy.struck, fault
    try:
        yield
    finally:
        proxy.fault = "none"
    if proxy.struck == before:
        raise RuntimeError(f"nothing met the fault {fault}")


@contextmanager
def _restarting(broken: Breakable) -> Iterator[None]:
    broken.postgres.stop()
    broken.postgres.start()
    yield


def endure(stack: Stack, name: str, hold: Hold, seconds: float, calls: int = CALLS) -> Endured:
    """Calls while a fault holds for so many seconds and after it is healed, until the service is whole."""
    healed = time.monotonic()

    async def disturb(proof: Proof) -> None:
        nonlocal healed
        while proof.outcomes.total() < BEFORE:
            await asyncio.sleep(0.1)
        await asyncio.to_thread(_held, hold, seconds)
        healed = time.monotonic()

    proof = prove_under(stack, calls, seed=len(name), disturb=disturb)
    until(lambda: is_whole(stack), f"health after {name}")
    seconds = time.monotonic() - healed
    print(
        f"{name}: whole after {seconds:.0f} s; {'; '.join(proof.faults) or 'nothing was lost'}",
        file=sys.stderr,
        flush=True,
    )
    return Endured(name, proof, seconds)


def _held(hold: Hold, seconds: float) -> None:
    with hold():
        time.sleep(seconds)


def _table(endured: list[Endured], left: list[str]) -> Table:
    """Raises: RuntimeError where something was lost or left over."""
    faults = [f"{one.name}: {fault}" for one in endured for fault in one.proof.faults] + left
    rows: list[tuple[str, ...]] = [
        (one.name, str(one.proof.outcomes.total()), shown(one.proof.attempts), f"{one.seconds:.0f}") for one in endured
    ]
    note = "Every answer is charged once, and nothing is left over."
    table = Table(
        "Faults under load",
        ("fault", "calls answered", "what callers met before", "s after it until whole"),
        rows,
        note,
    )
    if faults:
        raise RuntimeError("\n".join([*faults, table.text()]))
    return table
