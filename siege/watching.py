"""What a running stack takes, looked at again and again: memory, descriptors, threads, connections, rows, files, processors, calls."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
import sqlalchemy as sa

from benchmarks.ingest import count_rows
from benchmarks.parts import PARTS, find
from benchmarks.stack import Stack
from storage.postgres.address import sibling_url
from storage.postgres.database import Database

LOOK_SECONDS: Final = 10.0
"""How often the processes are looked at, and the tables counted."""

OF_PROCESSES: Final = ("memory (PSS), MiB", "descriptors", "threads")

CONNECTIONS: Final = "connections to Postgres"

MEASURES: Final = (*OF_PROCESSES, CONNECTIONS, "rows and files", "processors busy", "calls a minute")
"""What is drawn, each in a field of its own."""

ALL: Final = "all processes"

POSTGRES: Final = "Postgres"
"""The name of its server among the parts."""

CALLS_OVER: Final = 12
"""Looks over which calls a minute are taken."""

OPEN: Final = sa.text(
    "SELECT datname, application_name, count(*) AS open FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() GROUP BY datname, application_name"
)

Samples = dict[str, list[float]]
"""By the name of a process, one figure a look."""


@dataclass
class Watch:
    """What was seen, one figure a look."""

    moments: list[float] = field(default_factory=list)
    """Minutes since the beginning."""
    calls: list[int] = field(default_factory=list)
    """Answered until then."""
    seen: dict[str, Samples] = field(default_factory=lambda: {name: {} for name in MEASURES})
    tables: dict[str, list[Counter[str]]] = field(default_factory=dict)
    """Rows of each table, by database, and files of each folder of the lake, one count a look."""
    loaded: int = 0
    """The first look after the calls began."""


def look(stack: Stack, watch: Watch, answered: list[int], over: threading.Event) -> None:
    """Add a figure of each kind every LOOK_SECONDS, until it is over. answered: calls until now."""
    began, processors = time.monotonic(), _Processors(stack.pid)
    while True:
        watch.moments.append((time.monotonic() - began) / 60)
        watch.calls.append(answered[0])
        for name, figures in _of_processes(stack).items():
            for measure, figure in zip(OF_PROCESSES, figures, strict=True):
                watch.seen[measure].setdefault(name, []).append(figure)
        for name, counts in asyncio.run(_counts(stack)).items():
            watch.tables.setdefault(name, []).append(counts)
            watch.seen["rows and files"].setdefault(name, []).append(counts.total())
        _note_connections(watch, asyncio.run(_connections(stack)))
        for name, figure in processors.busy().items():
            watch.seen["processors busy"].setdefault(name, []).append(figure)
        watch.seen["calls a minute"].setdefault("answered", []).append(_rate(watch))
        if over.wait(LOOK_SECONDS):
            return


def _of_processes(stack: Stack) -> dict[str, tuple[float, float, float]]:
    """Of each part, and of all processes together, with the converter's children, which come and go.

    Descriptors are not those of Postgres's backends: each keeps the files of the tables that it has read open, up to
    max_files_per_process (Postgres 18, 19.4.3). How many backends there are is counted as connections.
    """
    found, backends = {}, set[int]()
    for name, marker in PARTS:
        process = find(stack, marker)
        assert process is not None  # nothing is killed here
        found[name] = _of(process)
        if name == POSTGRES:
            backends = {child.pid for child in process.children()}
    each = []
    for process in _tree(stack.pid):
        with suppress(psutil.NoSuchProcess):
            pss, descriptors, threads = _of(process)
            each.append((pss, 0.0 if process.pid in backends else descriptors, threads))
    sums = [sum(column) for column in zip(*each, strict=True)]
    return {**found, ALL: (sums[0], sums[1], sums[2])}


def _of(process: psutil.Process) -> tuple[float, float, float]:
    """Memory (PSS, MiB: pages that forked processes share are divided between them), descriptors and threads of a process."""
    return process.memory_full_info().pss / 1024**2, process.num_fds(), process.num_threads()


def _tree(supervisor: int) -> list[psutil.Process]:
    parent = psutil.Process(supervisor)
    return [parent, *parent.children(recursive=True)]


class _Processors:
    """How many processors are busy between two looks: by the stack, and by everything on the machine."""

    def __init__(self, supervisor: int) -> None:
        self._supervisor = supervisor
        self._before = self._used(), time.monotonic()
        psutil.cpu_percent()  # the first call begins the measurement

    def busy(self) -> dict[str, float]:
        """Since the last look; calls and their callers are in neither but the second."""
        now = self._used(), time.monotonic()
        seconds = max(now[1] - self._before[1], 1e-9)
        stack = max(0.0, (now[0] - self._before[0]) / seconds)
        self._before = now
        return {"the stack": stack, "the machine": psutil.cpu_percent() / 100 * (os.cpu_count() or 1)}

    def _used(self) -> float:
        """Seconds of processor time of all processes of the stack, and of those that have ended and were waited for."""
        used = 0.0
        for process in _tree(self._supervisor):
            with suppress(psutil.NoSuchProcess):
                used += sum(process.cpu_times()[:4])
        return used


def _rate(watch: Watch) -> float:
    """Calls a minute over the last looks: they are counted a block at a time."""
    first = max(0, len(watch.moments) - 1 - CALLS_OVER)
    minutes = watch.moments[-1] - watch.moments[first]
    return (watch.calls[-1] - watch.calls[first]) / minutes if minutes else 0.0


def _note_connections(watch: Watch, found: Counter[str]) -> None:
    """Add a figure for each database and application that has or had connections."""
    seen, before = watch.seen[CONNECTIONS], len(watch.moments) - 1
    for name in seen.keys() | found.keys():
        seen.setdefault(name, [0.0] * before).append(found[name])


async def _connections(stack: Stack) -> Counter[str]:
    """Open connections by database and application_name, beside the one that counts them."""
    database = Database(str(stack.addresses["database_url"]))
    try:
        async with database.transaction() as connection:
            return Counter(
                {f"{row.datname} {row.application_name}": row.open for row in await connection.execute(OPEN)}
            )
    finally:
        await database.close()


async def _counts(stack: Stack) -> dict[str, Counter[str]]:
    """Rows of each table of each database, and files of each folder of the lake."""
    url = str(stack.addresses["database_url"])
    return {
        "service": await _rows(url),
        "Prefect": await _rows(sibling_url(url, "prefect")),
        "lake": _files(stack.home / "lake"),
    }


def _files(lake: Path) -> Counter[str]:
    """By the first folder; os.walk() passes over those that are deleted meanwhile."""
    counts: Counter[str] = Counter()
    for folder, _, names in os.walk(lake):
        counts[next(iter(Path(folder).relative_to(lake).parts), "")] += len(names)
    return counts


async def _rows(url: str) -> Counter[str]:
    database = Database(url)
    try:
        return await count_rows(database)
    finally:
        await database.close()
