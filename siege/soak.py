"""A soak: half the load for a long time, while memory, descriptors, threads, tables and Prefect's rows are watched and drawn.

    python -m siege soak --seconds 3600

Half the load: each of the callers of the ledger's proof rests after a call as long as the call took. The charges of every block of
calls are compared with its answers. Before it the stack is left alone for a while: what its own schedules add to each table then, per
minute, is not counted as added by calls. The plot is docs/pictures/soak.svg; docs/operations.md says how to read it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import psutil

from benchmarks import stack as stacks
from benchmarks.ingest import count_rows
from benchmarks.ledger import prove
from benchmarks.parts import PARTS, find
from benchmarks.picture import picture
from benchmarks.report import Table
from benchmarks.stack import Stack
from storage.postgres.address import sibling_url
from storage.postgres.database import Database

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "soak.svg"

BLOCK: Final = 100
"""Calls whose charges are compared together."""

LOOK_SECONDS: Final = 10.0
"""How often the processes are looked at, and the tables counted."""

MEASURES: Final = ("memory, MiB", "descriptors", "threads", "rows")
"""What is drawn, each in a field of its own."""

GROWTH: Final = 0.2
"""By how much a process may have grown in the last quarter against the second."""

IDLE_SHARE: Final = 0.15
"""Of the time, in which nothing is called."""

TABLES_SHOWN: Final = 8
"""Tables of each database whose growth is printed, those that grow most."""

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
    """Rows of each table, by database, one count a look."""
    loaded: int = 0
    """The first look after the calls began."""


def besiege(seconds: float) -> Iterator[Table]:
    """Calls until the time is over. Raises: RuntimeError for a charge that no answer reported, and for a process that grows."""
    with stacks.running() as stack:
        watch, over = Watch(), threading.Event()
        answered = [0]
        watching = threading.Thread(target=_look, args=(stack, watch, answered, over), daemon=True)
        watching.start()
        ends = time.monotonic() + seconds
        time.sleep(seconds * IDLE_SHARE)
        watch.loaded = len(watch.moments)
        _call(stack, ends, answered)
        over.set()
        watching.join()
    draw(watch)
    yield growth(watch)
    yield table(watch)


def _call(stack: Stack, ends: float, answered: list[int]) -> None:
    """Blocks of calls until the time is over. Raises: RuntimeError for a charge that no answer reported."""
    block = 0
    while time.monotonic() < ends:
        proof = prove(stack, BLOCK, seed=block, parts=(), rest=1.0)
        if proof.faults:
            raise RuntimeError("\n".join(proof.faults))
        answered[0] += proof.outcomes.total()
        block += 1


def _look(stack: Stack, watch: Watch, answered: list[int], over: threading.Event) -> None:
    began = time.monotonic()
    while True:
        watch.moments.append((time.monotonic() - began) / 60)
        watch.calls.append(answered[0])
        for name, marker in PARTS:
            process = find(stack.pid, marker)
            assert process is not None  # nothing is killed here
            for measure, figure in zip(MEASURES, _of(process), strict=False):
                watch.seen[measure].setdefault(name, []).append(figure)
        for name, rows in asyncio.run(_rows(stack)).items():
            watch.tables.setdefault(name, []).append(rows)
            watch.seen["rows"].setdefault(name, []).append(rows.total())
        if over.wait(LOOK_SECONDS):
            return


def _of(process: psutil.Process) -> tuple[float, float, float]:
    """Memory (MiB), descriptors and threads of a process; files are read in children that come and go, and do not count."""
    return process.memory_info().rss / 1024**2, process.num_fds(), process.num_threads()


async def _rows(stack: Stack) -> dict[str, Counter[str]]:
    """Rows of each table of each database."""
    url = str(stack.addresses["database_url"])
    return {"service": await _count(url), "Prefect": await _count(sibling_url(url, "prefect"))}


async def _count(url: str) -> Counter[str]:
    database = Database(url)
    try:
        return await count_rows(database)
    finally:
        await database.close()


def table(watch: Watch) -> Table:
    """The second and the last quarter of each figure. Raises: RuntimeError where a process grows."""
    rows: list[tuple[str, ...]] = []
    grown = []
    for measure in MEASURES[:-1]:
        for name, figures in watch.seen[measure].items():
            early, late = quarters(figures[watch.loaded :])
            rows.append((name, measure, f"{early:.1f}", f"{late:.1f}"))
            if late > early * (1 + GROWTH):
                grown.append(f"{measure} of {name} grew from {early:.1f} to {late:.1f}")
    if grown:
        raise RuntimeError("\n".join(grown))
    note = f"{watch.calls[-1]:,} calls in {watch.moments[-1]:.0f} minutes at half load, each charged as its answer reported."
    return Table("Soak", ("process", "what", "second quarter", "last quarter"), rows, note)


def growth(watch: Watch) -> Table:
    """What the tables gain in a minute without calls, and from each call beside that. Raises: RuntimeError where that rises."""
    rows: list[tuple[str, ...]] = []
    risen = []
    for database, counts in watch.tables.items():
        in_all = gains(watch, [count.total() for count in counts])
        rows.append((database, "all", *(f"{figure:.2f}" for figure in in_all)))
        found = {name: gains(watch, [count[name] for count in counts]) for name in counts[-1]}
        most = sorted(found, key=lambda name: max(found[name]), reverse=True)[:TABLES_SHOWN]
        rows += [(database, name, *(f"{figure:.2f}" for figure in found[name])) for name in most]
        _, early, late = in_all
        if late > early * (1 + GROWTH) + 1:
            risen.append(f"a call adds {late:.1f} rows to the database of {database}, and added {early:.1f} before")
    headings = ("database", "table", "rows a minute, idle", "a call, first half", "a call, second half")
    found_table = Table(
        "Growth of tables", headings, rows, "What a minute adds without calls is not counted as added by a call."
    )
    if risen:
        raise RuntimeError("\n".join([*risen, found_table.text()]))
    return found_table


def gains(watch: Watch, totals: Sequence[float]) -> tuple[float, float, float]:
    """Rows a minute while nothing was called, and rows a call beside those in the first and in the second half of the calls."""
    last = len(totals) - 1
    begun = min(watch.loaded, last)
    middle = (begun + last) // 2
    idle = (totals[begun] - totals[0]) / max(watch.moments[begun] - watch.moments[0], 1e-9)

    def per_call(start: int, end: int) -> float:
        added = totals[end] - totals[start] - idle * (watch.moments[end] - watch.moments[start])
        return added / max(1, watch.calls[end] - watch.calls[start])

    return idle, per_call(begun, middle), per_call(middle, last)


def quarters(figures: Sequence[float]) -> tuple[float, float]:
    """Medians of the second and of the last quarter: the first one warms up."""
    size = max(1, len(figures) // 4)
    return float(median(figures[size : 2 * size] or figures)), float(median(figures[-size:]))


def draw(watch: Watch, file: Path = PICTURE) -> None:
    """One field a measure, one line a process, minutes to the right."""
    with picture(file, (8, 10), len(MEASURES)) as fields:
        for axes, (measure, samples) in zip(fields, watch.seen.items(), strict=True):
            for name, figures in samples.items():
                axes.plot(watch.moments, figures, label=name)
            axes.set_ylabel(measure)
            axes.set_ylim(bottom=0)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        fields[-1].set_xlabel("minutes")
