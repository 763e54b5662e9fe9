"""What the embedded stack prints on the terminal while it starts: which part starts, what it waits for, and how long that took."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sandbox.patience import Patience

NOTE_SECONDS: Final = 10.0
"""How often a part that takes its time is told about."""

LINES: Final = 10
"""Of a log, in the error of a part that did not start."""


def say(line: str) -> None:
    """Print a line of progress on stderr; stdout has only `ready` and the summary."""
    print(f"  {line}", file=sys.stderr, flush=True)


@asynccontextmanager
async def step(name: str, awaited: Callable[[], str] = str, log_file: Path | None = None) -> AsyncIterator[None]:
    """Print that a part is starting, and after the block how long that took. If the block is left early, another part may be the reason.

    awaited: what is still missing, in words; log_file: that of the part.
    """
    started, carriage_return = time.monotonic(), "\r" if sys.stderr.isatty() else ""
    if carriage_return:
        print(f"  {name:<12} starting", end="", file=sys.stderr, flush=True)
    try:
        async with watched(name, awaited, log_file):
            yield
    except BaseException:
        print(f"{carriage_return}  {name:<12} not up  ", file=sys.stderr, flush=True)
        raise
    seconds = time.monotonic() - started
    print(f"{carriage_return}  {name:<12} up after {seconds:.1f} s", file=sys.stderr, flush=True)


@asynccontextmanager
async def watched(name: str, awaited: Callable[[], str] = str, log_file: Path | None = None) -> AsyncIterator[None]:
    """During a block, print what it waits for every NOTE_SECONDS. awaited, log_file: as in `step`."""
    began = Patience(0.0, lambda: [os.getpid()])
    noting = asyncio.create_task(_note(name, began, awaited, log_file))
    try:
        yield
    finally:
        noting.cancel()
        await asyncio.wait({noting})


async def _note(name: str, began: Patience, awaited: Callable[[], str], log_file: Path | None) -> None:
    while True:
        await asyncio.sleep(NOTE_SECONDS)
        missing, load = awaited(), f"the load is {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors"
        last = last_line(log_file) if log_file is not None else None
        what = f"waits for {missing}" if missing else "starting"
        said = [f"{name:<12} {what}; the stack's processes {began.describe()}", load]
        say("; ".join([*said, f"the last line of its log: {last}"] if last else said))


def describe_log(log_file: Path) -> str:
    """A log and its end, to complete the sentence that sends the user there."""
    lines = [line for line in _text_of(log_file).splitlines() if line.strip()]
    if not lines:
        return f"{log_file}, which is empty"
    return "\n    ".join([f"{log_file}, which ends:", *lines[-LINES:]])


def last_line(log_file: Path) -> str:
    """The last line of a log, which usually states what its part does, or why it ended; empty where there is none."""
    lines = _text_of(log_file).splitlines()
    return next((_message_of(line.strip()) for line in reversed(lines) if line.strip()), "")


def _text_of(log_file: Path) -> str:
    return log_file.read_text(errors="replace") if log_file.exists() else ""


def _message_of(line: str) -> str:
    """A log line as text; for JSON, its message and the last line of its exception."""
    with contextlib.suppress(ValueError, AttributeError):
        record = json.loads(line)
        cause = record.get("exception", "").strip().splitlines()[-1:]
        return ": ".join([*filter(None, [record.get("message"), *cause])])
    return line
