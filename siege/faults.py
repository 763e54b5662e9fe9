"""Faults under the mixed load: bad connections between all parts, an S3 server that is busy, a Postgres that restarts or only reads.

    python -m siege faults --seconds 600

Each fault holds for a while and is then healed. The load is that of the ledger's proof, whose charges are compared with its answers.
Afterwards nothing is open, lost or left over, and the service is whole; last, disks are full.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, get_args

from benchmarks.ledger import prove
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege import breakable, full_disk, settled
from siege.breakable import Breakable
from siege.kills import is_whole, until
from siege.proxy import Fault, Proxy
from siege.read_only import reading_only

BLOCK: Final = 40
"""Calls whose charges are compared together."""

LONGEST_SECONDS: Final = 15.0
"""How long a fault holds at most, and the time after it."""

HTTP_FAULTS: Final = ("busy", "short")
"""Faults of an S3 server, which the others do not have."""

Hold = Callable[[], AbstractContextManager[None]]


@dataclass
class Endured:
    """What was done, and what came of it."""

    faults_made: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Attempts without a usable answer, which were made again."""
    faults: list[str] = field(default_factory=list)
    """What must not be, in sentences."""


def besiege(seconds: float) -> Iterator[Table]:
    """Faults of connections and of Postgres for most of the time, then full disks. Raises: RuntimeError where something was lost."""
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder, breakable.running(Path(folder)) as broken:
        kinds = faults_of(broken)
        yield _table(endure(broken.stack, kinds, min(LONGEST_SECONDS, seconds / 3 / len(kinds))))
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


def endure(stack: Stack, kinds: dict[str, Hold], seconds: float) -> Endured:
    """Load until each fault has held for so many seconds and was healed for as long."""
    endured, over = Endured(), threading.Event()
    making = threading.Thread(target=_make, args=(endured, kinds, seconds, over), daemon=True)
    making.start()
    block = 0
    while not over.is_set():
        proof = prove(stack, BLOCK, seed=block, parts=())
        endured.outcomes += proof.outcomes
        endured.lost += proof.lost
        endured.faults += proof.faults
        block += 1
    making.join()
    until(lambda: is_whole(stack), "health after the faults")
    endured.faults += settled.check(stack)
    return endured


def _make(endured: Endured, kinds: dict[str, Hold], seconds: float, over: threading.Event) -> None:
    try:
        for name, hold in kinds.items():
            with hold():
                time.sleep(seconds)
            endured.faults_made.append(name)
            time.sleep(seconds)
    except Exception as error:  # noqa: BLE001  # a thread's error is reported where the load is
        endured.faults.append(f"{len(endured.faults_made)} faults were made, then: {error!r}")
    finally:
        over.set()


def _table(endured: Endured) -> Table:
    if endured.faults:
        raise RuntimeError(
            f"after {', '.join(endured.faults_made)}, with {endured.lost} lost:\n" + "\n".join(endured.faults)
        )
    rows: list[tuple[str, ...]] = [(outcome, str(count)) for outcome, count in sorted(endured.outcomes.items())]
    rows += [("attempts without a usable answer", str(endured.lost)), ("faults", ", ".join(endured.faults_made))]
    return Table(
        "Faults under load", ("what", "number"), rows, "Every answer is charged once, and nothing is left over."
    )
