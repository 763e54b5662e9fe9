"""kill -9 of every process under mixed load: calls, batches, ingest and reasoning; afterwards nothing is lost, charged twice or left over.

    python -m siege kills --seconds 600

The load is that of the ledger's proof (benchmarks/ledger.py) with runs of bulk ingest beside it. Then every process is killed alone, and
the time is taken until the service is whole again; last the supervisor, whose parts end with it and which is started again.
"""

from __future__ import annotations

import base64
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks import stack as stacks
from benchmarks.ledger import Proof, prove, summary
from benchmarks.parts import PARTS, kill
from benchmarks.report import Table
from benchmarks.stack import Stack
from deployments.embedded import OPTIONAL_CHECKS
from siege import settled
from siege.ingests import Ingests, compare
from spatial.contract.routes import BATCH_ROUTE, EXTRACT_ROUTE

ROUNDS: Final = 20
"""How often each process is killed at most."""

ROUND_SECONDS: Final = 120.0
"""What a round takes: each process is killed once and comes back."""

CALLS: Final = 15
"""Sent for each kill."""

RECOVERY_SECONDS: Final = 30.0
"""How long the service may need to be whole again after one process was killed alone."""

LOOK_SECONDS: Final = 0.2
FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"


@dataclass
class Holding:
    """What was done to a stack, and what does not hold of it afterwards."""

    proof: Proof
    ingests: int
    faults: list[str] = field(default_factory=list)
    """In sentences; empty where nothing was lost."""


def hold(stack: Stack, calls: int, seed: int, parts: tuple[tuple[str, str], ...] = PARTS) -> Holding:
    """Send so many calls, ingest beside them, kill the parts one after another, and look at what is left."""
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as root:
        folder = Path(root) / "drawings"
        with Ingests(stack, folder) as ingests:
            proof = prove(stack, calls, seed, parts)
        ended = ingests.finish()
        faults = [*proof.faults, *settled.check(stack), *compare(stack, folder)]
        if ended != "COMPLETED":
            faults.append(f"the ingest after the siege ended {ended}")
        return Holding(proof, ingests.runs, faults)


def besiege(seconds: float) -> Iterator[Table]:
    """Rounds of kills under load, then recovery alone. Raises: RuntimeError where something does not hold."""
    rounds = max(1, min(ROUNDS, int(seconds / ROUND_SECONDS)))
    chance = random.Random(rounds)
    parts = tuple(part for _ in range(rounds) for part in chance.sample(PARTS, len(PARTS)))
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder:
        home, port, errors = Path(folder) / "home", stacks.free_port(), Path(folder) / "stderr"
        process = stacks.launch(home, port, errors)
        try:
            key, _ = stacks.secrets(stacks.until_ready(process, errors))
            stack = Stack(f"http://127.0.0.1:{port}", key, home, process.pid)
            yield _of(hold(stack, CALLS * len(parts), rounds, parts))
            taken = {name: _recovery(stack, name, marker) for name, marker in PARTS}
            process.kill()
            process.wait()
            began = time.monotonic()
            process = _start_again(home, port, errors)
            yield _recoveries({**taken, "supervisor, and all with it": time.monotonic() - began})
        finally:
            stacks.stop(process)


def _of(holding: Holding) -> Table:
    if holding.faults:
        raise RuntimeError("the siege has lost something:\n" + "\n".join(holding.faults))
    rows = [*summary(holding.proof), ("runs of ingest beside the calls", str(holding.ingests))]
    note = (
        "Every batch item is done or failed, every answer is charged once, every staged file belongs to a request, and the tables are "
        "those of the same files read from scratch."
    )
    return Table("Kills under load", ("what", "number"), rows, note)


def _recovery(stack: Stack, name: str, marker: str) -> float:
    """Seconds after a kill until a call and a batch succeed and every check is healthy."""
    until(lambda: is_whole(stack), f"health before {name} is killed")
    kill(stack.pid, name, marker, within=RECOVERY_SECONDS)
    began = time.monotonic()
    until(lambda: is_whole(stack), f"health after {name} was killed")
    batch = _Batch(stack)
    until(batch.is_done, f"the end of a batch after {name} was killed")
    return time.monotonic() - began


def is_whole(stack: Stack) -> bool:
    """Whether a call succeeds, a desktop worker is there, and every other check is healthy."""
    with _client(stack) as client:
        if not client.post(EXTRACT_ROUTE, json=_item()).is_success:
            return False
        checks: dict[str, Any] = client.get("/api/health").json()["checks"]
        required = {check["status"] for name, check in checks.items() if name not in OPTIONAL_CHECKS}
        return required == {"healthy"} and bool(client.get("/api/v1/models").json()["runtime_available"])


class _Batch:
    """A batch of one file, which is submitted once."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._status_url: str | None = None

    def is_done(self) -> bool:
        with _client(self._stack) as client:
            if self._status_url is None:
                answer = client.post(BATCH_ROUTE, json={"items": [_item()]})
                if not answer.is_success:
                    time.sleep(float(answer.headers.get("Retry-After", 0)))
                    return False
                self._status_url = str(answer.json()["status_url"])
            waited = client.get(self._status_url, params={"wait": 10})
            return waited.is_success and waited.json()["status"] == "done"


def _client(stack: Stack) -> httpx.Client:
    said = {"Authorization": f"Bearer {stack.key}"}
    return httpx.Client(base_url=stack.url, headers=said, timeout=30, trust_env=False)


def _item() -> dict[str, str]:
    return {"file_name": FILE.name, "content_base64": base64.b64encode(FILE.read_bytes()).decode()}


def until(condition: Callable[[], bool], what: str) -> None:
    """Ask until it is true, as long as what was interrupted may take. Raises: TimeoutError."""
    deadline = time.monotonic() + settled.PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            if condition():
                return
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"{what} did not come about")


def _start_again(home: Path, port: int, errors: Path) -> subprocess.Popen[str]:
    """The stack once more; what is left of the first one may hold its port for a while."""
    deadline = time.monotonic() + settled.PATIENCE_SECONDS
    while True:
        process = stacks.launch(home, port, errors)
        try:
            stacks.until_ready(process, errors)
        except RuntimeError:
            process.wait()
            if time.monotonic() > deadline:
                raise
            time.sleep(LOOK_SECONDS)
        else:
            return process


def _recoveries(taken: dict[str, float]) -> Table:
    """Raises: RuntimeError where one took too long."""
    rows: list[tuple[str, ...]] = [(name, f"{seconds:.1f}") for name, seconds in taken.items()]
    note = f"Until a call and a batch succeed and every check is healthy. Aim: {RECOVERY_SECONDS:.0f} s at most."
    table = Table("Recovery of one process alone", ("killed", "s"), rows, note)
    if max(taken.values()) > RECOVERY_SECONDS:
        raise RuntimeError(f"too slow:\n{table.text()}")
    return table
