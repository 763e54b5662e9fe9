"""A machine whose clock jumps by a day under calls, forward and back again (libfaketime); nothing is charged wrongly or stays open.

    python -m siege clock --seconds 300

Needs libfaketime (Debian: apt-get install libfaketime, or LIBFAKETIME=/path/to/libfaketimeMT.so.1). The clock of the day jumps for one
machine after another, as if Postgres and the converter were on machines of their own, and then for all of them; time that only runs forward
(CLOCK_MONOTONIC) and times of files do not, as with a clock that is set. What is kept for 24 hours is rightly gone after the jump, so calls
are compared with their charges before it, after it, and after the way back, each for itself; those that are under way as it jumps may be
refused, and are answered.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest import mock

import httpx

from benchmarks import stack as stacks
from benchmarks.ledger import prove, shown
from benchmarks.report import Table
from benchmarks.stack import Stack
from deployments import postgres_programs
from deployments.postgres import EmbeddedPostgres
from siege import breakable, settled
from siege.full_disk import ALLOWED
from siege.recovery import is_whole, until
from spatial.contract.routes import EXTRACT_ROUTE

LIBRARY: Final = "libfaketimeMT.so.1"

MACHINES: Final = ("service", "Postgres", "converter")
"""Each with a clock of its own; all that is neither of the last two has that of the first."""

CALLS: Final = 24
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
    """A day forward and back, for one machine after another and for all.

    Raises: RuntimeError where something was lost, or where there is no libfaketime.
    """
    del seconds  # its parts end by themselves
    found = library()
    if found is None:
        raise RuntimeError("a clock cannot be made to jump without libfaketime; on Debian: apt-get install libfaketime")
    rows: list[tuple[str, ...]] = []
    faults: list[str] = []
    jumps = [("all", MACHINES, "+0"), *((name, each, moved) for name, each in _whose() for moved in ("+1d", "+0"))]
    with (
        tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder,
        _stack(Path(folder), found) as (stack, offsets),
    ):
        for place, (name, machines, moved) in enumerate(jumps):
            answers = _jump(stack, [offsets[machine] for machine in machines], moved, faults)
            proof = prove(stack, CALLS, seed=place, parts=())
            faults += [f"{name} {moved}: {fault}" for fault in proof.faults if not _is_later(name, moved, fault)]
            rows.append((name, moved, answers, str(proof.outcomes.total()), shown(proof.attempts)))
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
        faults += settled.check(stack)
    headings = (
        "whose",
        "clock",
        "answers while it jumped",
        "calls compared with their charges",
        "attempts without an answer",
    )
    table = Table("Clock that jumps", headings, rows, "Every answer is charged once, and nothing is open or left over.")
    if faults:
        raise RuntimeError("\n".join([*faults, table.text()]))
    yield table


def _whose() -> list[tuple[str, Sequence[str]]]:
    return [*((machine, (machine,)) for machine in MACHINES), ("all", MACHINES)]


def _is_later(whose: str, moved: str, fault: str) -> bool:
    """Whether a charge is of a day that has not come for the API: Postgres dates it, and the API says what day is the last to be summed."""
    return whose == "Postgres" and moved != "+0" and fault.startswith("GET /api/v1/usage sums to")


@contextmanager
def _stack(folder: Path, found: Path) -> Iterator[tuple[Stack, dict[str, Path]]]:
    """A stack, and the files with the offsets of its clocks, by machine."""
    clocks = folder / "clocks"
    clocks.mkdir()
    for readable in (folder, clocks):
        readable.chmod(0o755)  # Postgres has a user of its own
    offsets = {machine: clocks / machine for machine in MACHINES}
    for offset in offsets.values():
        offset.write_text("+0")
    variables = {machine: _variables(found, offset) for machine, offset in offsets.items()}
    with (
        _postgres(folder, variables["Postgres"]) as url,
        breakable.converter(folder, variables["converter"]) as port,
        stacks.running(
            SPATIAL_DATABASE_URL=url, SPATIAL_CONVERTER_URL=f"http://127.0.0.1:{port}", **variables["service"]
        ) as stack,
    ):
        yield stack, offsets


@contextmanager
def _postgres(folder: Path, variables: dict[str, str]) -> Iterator[str]:
    """The address of a database whose server has a clock of its own."""
    postgres, environment = EmbeddedPostgres(folder / "postgres-home"), postgres_programs.environment()
    with mock.patch.object(postgres_programs, "environment", return_value={**environment, **variables}):
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


def _jump(stack: Stack, offsets: Sequence[Path], moved: str, faults: list[str]) -> str:
    """Move clocks under calls, and wait until the service is whole; what the calls were answered."""
    with _calling(stack, faults) as answers:
        time.sleep(CACHE_SECONDS)
        for offset in offsets:
            offset.write_text(moved)
        time.sleep(CACHE_SECONDS + 1)
    until(lambda: is_whole(stack), f"health after a clock was set to {moved}")
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
