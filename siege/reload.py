"""The converter's fork server, and the converter, killed under more calls than are served at a time: does Retry-After hold?

    python -m siege reload --seconds 300

Each caller sends one file after another, each with an Idempotency-Key of its own, and obeys: after 429 or 503 it waits for as long as
Retry-After says, then sends the same once more. What counts is how that next one was answered. A promise holds where it is served.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final
from uuid import uuid4

import httpx
import psutil

from benchmarks import stack as stacks
from benchmarks.parts import find
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege.recovery import is_whole, until
from spatial.contract.routes import EXTRACT_ROUTE

CALLERS: Final = 48
"""At the same time: more than have a place, and more than the wait for one takes in where a reload comes between."""

BEFORE_SECONDS: Final = 10.0
"""Of calls before the first kill."""

UNDER_WAY_SECONDS: Final = 0.5
"""Within which an answer may still come that the killed process had given."""

KILL_EACH_SECONDS: Final = 45.0

REFUSED: Final = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)

FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"


@dataclass(frozen=True)
class Promise:
    """One refusal, and what came of it."""

    told: float
    """Seconds of Retry-After."""
    held: bool
    """Whether the next request of this caller was served."""
    needed: float
    """Seconds from the refusal until the file was served."""
    message: str


@dataclass
class Calls:
    """What all callers met."""

    served: int = 0
    promises: list[Promise] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    away: dict[str, list[float]] = field(default_factory=dict)
    """Seconds from each kill until the next file was served, by what was killed."""


def besiege(seconds: float) -> Iterator[Table]:
    """Kills of the fork server and of the converter in turn. Raises: RuntimeError where a refusal says nothing, or an answer is another."""
    with stacks.running() as stack:
        calls = Calls()
        ends = time.monotonic() + seconds
        with calling(stack, calls, CALLERS):
            time.sleep(BEFORE_SECONDS)
            for kill in _alternately(kill_fork_server, kill_converter):
                name = kill.__name__.removeprefix("kill_").replace("_", " ")
                kill(stack)
                calls.away.setdefault(name, []).append(_until_next(calls))
                print(f"{name}: {len(calls.promises)} refusals so far", file=sys.stderr, flush=True)
                time.sleep(max(0.0, min(KILL_EACH_SECONDS, ends - time.monotonic())))
                if time.monotonic() >= ends:
                    break
        until(lambda: is_whole(stack), "health after the last kill")
    yield table(calls)


def _until_next(calls: Calls) -> float:
    """Seconds until the next file is served, but for those whose answers were on their way."""
    time.sleep(UNDER_WAY_SECONDS)
    began, before = time.monotonic() - UNDER_WAY_SECONDS, calls.served
    until(lambda: calls.served > before, "the next file that is served")
    return time.monotonic() - began


def kill_converter(stack: Stack) -> None:
    """End the converter, and with it its fork server and their children."""
    _converter(stack).kill()


def kill_fork_server(stack: Stack) -> None:
    """End the process that has loaded the readers, and with it the children that it forked."""
    (server,) = _converter(stack).children()
    os.kill(server.pid, signal.SIGKILL)


def _converter(stack: Stack) -> psutil.Process:
    found: psutil.Process | None = None

    def is_there() -> bool:
        nonlocal found
        found = find(stack, "converter.service")
        return found is not None and len(found.children()) == 1

    until(is_there, "a converter with a fork server")
    assert found is not None  # or there was no end
    return found


@contextmanager
def calling(stack: Stack, calls: Calls, callers: int) -> Iterator[None]:
    """So many callers for the length of a block, at whose end each has the answer to its last file."""
    over = threading.Event()
    threads = [threading.Thread(target=_call, args=(stack, calls, over), daemon=True) for _ in range(callers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _call(stack: Stack, calls: Calls, over: threading.Event) -> None:
    said = {"Authorization": f"Bearer {stack.key}"}
    with httpx.Client(base_url=stack.url, headers=said, timeout=300, trust_env=False) as client:
        while not over.is_set():
            _until_served(client, calls)


def _until_served(client: httpx.Client, calls: Calls) -> None:
    """One file, sent until it is served."""
    refusals: list[tuple[float, float, str]] = []
    keyed = {"Idempotency-Key": uuid4().hex}
    while True:
        answer = client.post(EXTRACT_ROUTE, files={"file": (FILE.name, FILE.read_bytes())}, headers=keyed)
        now = time.monotonic()
        if answer.status_code not in REFUSED:
            break
        told = float(answer.headers.get("Retry-After", "nan"))
        refusals.append((now, told, str(answer.json()["error"]["message"])))
        if not told > 0:
            calls.faults.append(f"{answer.status_code} without Retry-After: {answer.text[:300]}")
            return
        time.sleep(told)
    if answer.is_success:
        calls.served += 1
    else:
        calls.faults.append(f"{answer.status_code}: {answer.text[:300]}")
    for place, (at, told, message) in enumerate(refusals):
        calls.promises.append(Promise(told, place == len(refusals) - 1, now - at, message))


def _alternately(*these: Callable[[Stack], None]) -> Iterator[Callable[[Stack], None]]:
    while True:
        yield from these


def table(calls: Calls) -> Table:
    """Raises: RuntimeError where a refusal did not say when to come again, or an answer was no allowed one."""
    if calls.faults:
        raise RuntimeError("\n".join(dict.fromkeys(calls.faults)))
    kinds: dict[str, list[Promise]] = {}
    for promise in calls.promises:
        kinds.setdefault(_kind(promise.message), []).append(promise)
    rows = [_row(kind, promises) for kind, promises in sorted(kinds.items())]
    if calls.promises:
        rows.append(_row("all", calls.promises))
    headings = ("refusal", "times", "held", "told, median s", "longest", "needed, median s", "longest")
    away = "; ".join(f"{name}: {', '.join(f'{one:.0f}' for one in each)}" for name, each in calls.away.items())
    note = (
        f"Seconds from a kill until a file was served: {away}. {calls.served} files were served to {CALLERS} callers. "
        "Held: the next request of the caller was served."
    )
    return Table("Refusals while the converter reloads", headings, rows, note)


def _kind(message: str) -> str:
    """Without numbers, so that the same refusals are one kind."""
    return re.sub(r"\d+", "N", message)[:80]


def _row(kind: str, promises: Sequence[Promise]) -> tuple[str, ...]:
    told, needed = [promise.told for promise in promises], [promise.needed for promise in promises]
    figures = (median(told), max(told), median(needed), max(needed))
    held = sum(promise.held for promise in promises)
    return (kind, str(len(promises)), str(held), *(f"{figure:.0f}" for figure in figures))
