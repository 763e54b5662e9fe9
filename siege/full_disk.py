"""Full disks under calls, of lake, database and temporary files: small file systems that are filled and freed again."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks import stack as stacks
from benchmarks.ledger_calls import make_calls
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege import settled
from siege.recovery import is_whole, until
from spatial.contract.routes import EXTRACT_ROUTE

SIZES: Final = {"lake": "48m", "database": "400m", "temporary files": "48m", "everything": "600m"}
"""Of the file systems, as mount(8) reads them."""

CALLS: Final = 30
"""Sent to each full disk."""

ALLOWED: Final = frozenset({200, 400, 401, 402, 415, 422, 429, 503})
"""Statuses of answers on a full disk: a 503 says what is unavailable and when to come again."""

BALLAST: Final = "ballast"
"""The file that fills a file system."""


@dataclass
class Filled:
    """What calls on a full disk were answered, by disk."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def is_possible() -> bool:
    """Whether this process may mount a small file system."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(_mount(Path(folder), "1m"), capture_output=True).returncode == 0
        if mounted:
            subprocess.run(["umount", folder], check=True)
        return mounted


def table() -> Table:
    """Three disks apart, then one that has everything.

    Raises: RuntimeError where an answer was no allowed one, or the service did not come back.
    """
    filled = Filled()
    for disks in (("lake", "database", "temporary files"), ("everything",)):
        with tempfile.TemporaryDirectory(prefix="spatial-siege-") as folder:
            fill(Path(folder), disks, filled)
    if filled.faults:
        raise RuntimeError("\n".join(filled.faults))
    rows: list[tuple[str, ...]] = [
        (disk, ", ".join(f"{count} × {outcome}" for outcome, count in sorted(counts.items())))
        for disk, counts in filled.outcomes.items()
    ]
    return Table("Full disks", ("disk", "answers while it was full"), rows, "Each was whole again once there was room.")


def fill(folder: Path, disks: Sequence[str], filled: Filled) -> None:
    """A stack of its own with its data on small file systems; each of these disks is filled under calls and freed again."""
    whole = folder / "disk"
    home = whole / "home"
    places = {
        "everything": whole,
        "lake": home / "lake",
        "database": home / "postgres",
        "temporary files": whole / "tmp",
    }
    with ExitStack() as ends:
        for disk in disks:
            ends.enter_context(_mounted(places[disk], SIZES[disk]))
        places["temporary files"].mkdir(exist_ok=True)
        port, errors = stacks.free_port(), folder / "stderr"
        process = stacks.launch(home, port, errors, TMPDIR=str(places["temporary files"]))
        ends.callback(stacks.stop, process)
        key, _ = stacks.secrets(stacks.until_ready(process, errors))
        stack = Stack(f"http://127.0.0.1:{port}", key, home, process.pid)
        until(lambda: is_whole(stack), "health before the disks are full")
        for disk in disks:
            filled.outcomes[disk] = _calls(stack, places[disk], filled)
            until(lambda: is_whole(stack), f"health after the disk of {disk} was full")
        filled.faults += settled.check(stack)


def _calls(stack: Stack, place: Path, filled: Filled) -> Counter[str]:
    """Answers to calls while the disk is full."""
    outcomes: Counter[str] = Counter()
    with (
        _full(place),
        httpx.Client(
            base_url=stack.url, headers={"Authorization": f"Bearer {stack.key}"}, timeout=120, trust_env=False
        ) as client,
    ):
        for call in make_calls(CALLS, seed=7):
            if call.route != EXTRACT_ROUTE or call.caller != "paying":
                continue
            answer = client.post(call.route, **_request(call.body, call.file))
            kind = "" if answer.is_success else f" {answer.json()['error']['type']}"
            refused = "" if answer.is_success else f" of {call.kind}"
            outcomes[f"{answer.status_code}{kind}{refused}"] += 1
            if answer.status_code not in ALLOWED or (answer.status_code == 503 and "Retry-After" not in answer.headers):
                filled.faults.append(f"{place.name}: {answer.status_code} {answer.text[:300]}")
    return outcomes


def _request(body: Any, file: tuple[str, bytes] | None) -> dict[str, Any]:
    return {"json": body} if file is None else {"files": {"file": file}}


@contextmanager
def _full(place: Path) -> Iterator[None]:
    """No room on a file system for the length of a block."""
    ballast = place / BALLAST
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 65_536)
    try:
        yield
    finally:
        ballast.unlink()


@contextmanager
def _mounted(place: Path, size: str) -> Iterator[None]:
    place.mkdir(parents=True, mode=0o700)
    subprocess.run(_mount(place, size), check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _mount(place: Path, size: str) -> list[str]:
    return ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700,uid={os.geteuid()}", "tmpfs", str(place)]
