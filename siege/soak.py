"""A soak: half the load for a long time, while memory, descriptors, threads, tables and Prefect's rows are watched and drawn.

    python -m siege soak --seconds 3600

Half the load: each of the callers of the ledger's proof rests after a call as long as the call took. The charges of every block of
calls are compared with its answers. The plot is docs/pictures/soak.svg; docs/operations.md says how to read it.
"""

from __future__ import annotations

import asyncio
import threading
import time
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
from storage.postgres.database import Database
from storage.postgres.server import sibling_url

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "soak.svg"

BLOCK: Final = 100
"""Calls whose charges are compared together."""

LOOK_SECONDS: Final = 10.0
"""How often the processes are looked at, and the tables counted."""

MEASURES: Final = ("memory, MiB", "descriptors", "threads", "rows")
"""What is drawn, each in a field of its own."""

GROWTH: Final = 0.2
"""By how much a process may have grown in the last quarter against the second."""

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


def besiege(seconds: float) -> Iterator[Table]:
    """Calls until the time is over. Raises: RuntimeError for a charge that no answer reported, and for a process that grows."""
    with stacks.running() as stack:
        watch, over = Watch(), threading.Event()
        answered = [0]
        watching = threading.Thread(target=_look, args=(stack, watch, answered, over), daemon=True)
        watching.start()
        ends, block = time.monotonic() + seconds, 0
        while time.monotonic() < ends:
            proof = prove(stack, BLOCK, seed=block, parts=(), rest=1.0)
            if proof.faults:
                raise RuntimeError("\n".join(proof.faults))
            answered[0] += proof.outcomes.total()
            block += 1
        over.set()
        watching.join()
    draw(watch)
    yield table(watch)


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
            watch.seen["rows"].setdefault(name, []).append(rows)
        if over.wait(LOOK_SECONDS):
            return


def _of(process: psutil.Process) -> tuple[float, float, float]:
    """Memory (MiB), descriptors and threads of a process; files are read in children that come and go, and do not count."""
    return process.memory_info().rss / 1024**2, process.num_fds(), process.num_threads()


async def _rows(stack: Stack) -> dict[str, int]:
    """Rows of all tables of each database."""
    url = str(stack.addresses["database_url"])
    return {
        "service": await _total(url),
        "Prefect": await _total(sibling_url(url, "prefect")),
    }


async def _total(url: str) -> int:
    database = Database(url)
    try:
        return (await count_rows(database)).total()
    finally:
        await database.close()


def table(watch: Watch) -> Table:
    """The second and the last quarter of each figure. Raises: RuntimeError where a process grows."""
    rows: list[tuple[str, ...]] = []
    grown = []
    for measure, samples in watch.seen.items():
        for name, figures in samples.items():
            is_total = measure == "rows"
            early, late = _rates(figures, watch.calls) if is_total else quarters(figures)
            rows.append((name, "rows a call" if is_total else measure, f"{early:.1f}", f"{late:.1f}"))
            if late > early * (1 + GROWTH) and not is_total:
                grown.append(f"{measure} of {name} grew from {early:.1f} to {late:.1f}")
    if grown:
        raise RuntimeError("\n".join(grown))
    note = f"{watch.calls[-1]:,} calls in {watch.moments[-1]:.0f} minutes at half load, each charged as its answer reported."
    return Table("Soak", ("process or database", "what", "second quarter", "last quarter"), rows, note)


def quarters(figures: Sequence[float]) -> tuple[float, float]:
    """Medians of the second and of the last quarter: the first one warms up."""
    size = max(1, len(figures) // 4)
    return float(median(figures[size : 2 * size] or figures)), float(median(figures[-size:]))


def _rates(totals: Sequence[float], calls: Sequence[int]) -> tuple[float, float]:
    """What a call has added, in the second and in the last quarter."""
    size = max(1, len(totals) // 4)
    spans = ((size, min(2 * size, len(totals) - 1)), (-size - 1 if len(totals) > size else 0, -1))
    early, late = ((totals[end] - totals[start]) / max(1, calls[end] - calls[start]) for start, end in spans)
    return early, late


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
