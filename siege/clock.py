"""A machine whose clock jumps by a day under calls, forward and back again (libfaketime); nothing is charged wrongly or stays open.

    python -m siege clock --seconds 300

Needs libfaketime (Debian: apt-get install libfaketime, or LIBFAKETIME=/path/to/libfaketimeMT.so.1). The clock of the day jumps for every
process of the stack but the converter and Postgres, as if these were on other machines; time that only runs forward (CLOCK_MONOTONIC) and
times of files do not, as with a clock that is set. What is kept for 24 hours is rightly gone after the jump, so calls are compared with
their charges before it, after it, and after the way back, each for itself; those that are under way as it jumps may be refused, and are
answered.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from benchmarks import stack as stacks
from benchmarks.ledger import prove, shown
from benchmarks.report import Table
from benchmarks.stack import Stack
from deployments.postgres import EmbeddedPostgres
from siege import settled
from siege.full_disk import ALLOWED
from siege.recovery import is_whole, until
from spatial.contract.routes import EXTRACT_ROUTE

LIBRARY: Final = "libfaketimeMT.so.1"

CALLS: Final = 40
"""Compared with their charges in each part."""

CACHE_SECONDS: Final = 1
"""How long a process may go on with the offset that it read last."""

FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"


def library() -> Path | None:
    """libfaketime on this machine; None where there is none."""
    if (named := os.environ.get("LIBFAKETIME")) is not None:
        return Path(named)
    return next(iter(sorted(Path("/usr/lib").glob(f"*/faketime/{LIBRARY}"))), None)


def besiege(seconds: float) -> Iterator[Table]:
    """A day forward and back. Raises: RuntimeError where something was lost, or where there is no libfaketime."""
    del seconds  # its parts end by themselves
    found = library()
    if found is None:
        raise RuntimeError("a clock cannot be made to jump without libfaketime; on Debian: apt-get install libfaketime")
    rows: list[tuple[str, ...]] = []
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder:
        offset = Path(folder) / "offset"
        offset.write_text("+0")
        with (
            _postgres(Path(folder)) as url,
            stacks.running(SPATIAL_DATABASE_URL=url, **_variables(found, offset)) as stack,
        ):
            for place, (name, moved) in enumerate((("before", "+0"), ("a day later", "+1d"), ("back again", "+0"))):
                answers = _jump(stack, offset, moved, faults)
                proof = prove(stack, CALLS, seed=place, parts=())
                faults += [f"{name}: {fault}" for fault in proof.faults]
                rows.append((name, answers, str(proof.outcomes.total()), shown(proof.attempts)))
            faults += settled.check(stack)
    headings = ("clock", "answers while it jumped", "calls compared with their charges", "attempts without an answer")
    table = Table("Clock that jumps", headings, rows, "Every answer is charged once, and nothing is open or left over.")
    if faults:
        raise RuntimeError("\n".join([*faults, table.text()]))
    yield table


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """The address of a database whose server has the clock of the machine."""
    postgres = EmbeddedPostgres(folder / "postgres-home")
    postgres.start()
    try:
        for name in ("spatial", "prefect"):
            postgres.create_database(name)
        yield postgres.url("spatial")
    finally:
        postgres.stop()


def _variables(found: Path, offset: Path) -> dict[str, str]:
    """Environment of a stack whose clock is moved by what stands in a file (README of libfaketime)."""
    return {
        "LD_PRELOAD": str(found),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_CACHE_DURATION": str(CACHE_SECONDS),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DISABLE_SHM": "1",
    }


def _jump(stack: Stack, offset: Path, moved: str, faults: list[str]) -> str:
    """Move the clock under calls, and wait until the service is whole; what the calls were answered."""
    with _calling(stack, faults) as answers:
        time.sleep(CACHE_SECONDS)
        offset.write_text(moved)
        time.sleep(CACHE_SECONDS + 1)
    until(lambda: is_whole(stack), f"health after the clock was set to {moved}")
    return ", ".join(f"{count} × {answer}" for answer, count in sorted(answers.items()))


@contextmanager
def _calling(stack: Stack, faults: list[str]) -> Iterator[Counter[str]]:
    """One call after another for the length of a block; none may have an answer that is not described."""
    answers, over = Counter[str](), threading.Event()

    def call() -> None:
        said = {"Authorization": f"Bearer {stack.key}"}
        with httpx.Client(base_url=stack.url, headers=said, timeout=120, trust_env=False) as client:
            while not over.is_set():
                answer = client.post(EXTRACT_ROUTE, files={"file": (FILE.name, FILE.read_bytes())})
                answers[str(answer.status_code)] += 1
                if answer.status_code not in ALLOWED:
                    faults.append(f"while the clock jumped: {answer.status_code} {answer.text[:300]}")

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    try:
        yield answers
    finally:
        over.set()
        thread.join()
