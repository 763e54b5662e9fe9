"""A soak: half the load for a long time, while memory, descriptors, threads, tables and files of the lake are watched and drawn.

    python -m siege soak --seconds 3600

Half the load: each of the callers of the ledger's proof rests after a call as long as the call took, so that the rate follows what the
machine can do at that moment. The charges of every block of calls are compared with its answers. Before the calls the stack is left alone
for a while: what its own schedules add to each table then, per minute, is not counted as added by calls. The plot is
docs/pictures/soak.svg; docs/siege.md says how to read it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks import stack as stacks
from benchmarks.ledger import prove
from benchmarks.picture import picture
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege.watching import MEASURES, OF_PROCESSES, Watch, look

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "soak.svg"

BLOCK: Final = 100
"""Calls whose charges are compared together."""

GROWTH: Final = 0.2
"""By how much a process may have grown in the last quarter against the second."""

IDLE_SHARE: Final = 1 / 12
"""Of the time of the calls, for which nothing is called before them."""

TABLES_SHOWN: Final = 8
"""Tables of each database whose growth is printed, those that grow most."""


def besiege(seconds: float) -> Iterator[Table]:
    """Calls for so long. Raises: RuntimeError for a charge that no answer reported, for a process that grows, and for more rows a call."""
    watch, over, answered = Watch(), threading.Event(), [0]
    with stacks.running() as stack, ThreadPoolExecutor() as threads:
        watching = threads.submit(look, stack, watch, answered, over)
        try:
            time.sleep(seconds * IDLE_SHARE)
            watch.loaded = len(watch.moments)
            _call(stack, time.monotonic() + seconds, answered)
        finally:
            over.set()
            watching.result()
            draw(watch)
    yield growth(watch)
    yield table(watch)
    if faults := [*risen(watch), *grown(watch)]:
        raise RuntimeError("\n".join(faults))


def _call(stack: Stack, ends: float, answered: list[int]) -> None:
    """Blocks of calls until the time is over. Raises: RuntimeError for a charge that no answer reported."""
    block = 0
    while time.monotonic() < ends:
        proof = prove(stack, BLOCK, seed=block, parts=(), rest=1.0)
        if proof.faults:
            raise RuntimeError("\n".join(proof.faults))
        answered[0] += proof.outcomes.total()
        block += 1
        print(f"{answered[0]:,} calls", file=sys.stderr, flush=True)


def table(watch: Watch) -> Table:
    """The second and the last quarter of each figure."""
    rows: list[tuple[str, ...]] = [
        (name, measure, f"{early:.1f}", f"{late:.1f}") for name, measure, early, late in _quarters(watch, MEASURES)
    ]
    minutes = watch.moments[-1] - watch.moments[min(watch.loaded, len(watch.moments) - 1)]
    note = f"{watch.calls[-1]:,} calls in {minutes:.0f} minutes at half load, each charged as its answer reported."
    return Table("Soak", ("what", "measure", "second quarter", "last quarter"), rows, note)


def grown(watch: Watch) -> list[str]:
    """Which process has grown, in sentences."""
    return [
        f"{measure} of {name} grew from {early:.1f} to {late:.1f}"
        for name, measure, early, late in _quarters(watch, OF_PROCESSES)
        if late > early * (1 + GROWTH)
    ]


def _quarters(watch: Watch, measures: Sequence[str]) -> Iterator[tuple[str, str, float, float]]:
    for measure in measures:
        for name, figures in watch.seen[measure].items():
            yield name, measure, *quarters(figures[watch.loaded :])


def growth(watch: Watch) -> Table:
    """What the tables gain in a minute without calls, and from each call beside that."""
    rows: list[tuple[str, ...]] = []
    for database, counts in watch.tables.items():
        rows.append((database, "all", *_cells(_in_all(watch, database))))
        found = {name: gains(watch, [count[name] for count in counts]) for name in counts[-1]}
        most = sorted(found, key=lambda name: max(found[name]), reverse=True)[:TABLES_SHOWN]
        rows += [(database, name, *_cells(found[name])) for name in most]
    headings = ("database", "table or folder", "a minute, idle", "a call, first half", "a call, second half")
    return Table(
        "Growth of tables and lake",
        headings,
        rows,
        "What a minute adds without calls is not counted as added by a call.",
    )


def risen(watch: Watch) -> list[str]:
    """Which database gains more from each call than before, in sentences."""
    found = []
    for database in watch.tables:
        _, early, late = _in_all(watch, database)
        if late > early * (1 + GROWTH) + 1:
            found.append(f"a call adds {late:.1f} rows or files to {database}, and added {early:.1f} before")
    return found


def _in_all(watch: Watch, database: str) -> tuple[float, float, float]:
    return gains(watch, [count.total() for count in watch.tables[database]])


def _cells(figures: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{figure:.2f}" for figure in figures)


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
    with picture(file, (8, 14), len(MEASURES)) as fields:
        for axes, (measure, samples) in zip(fields, watch.seen.items(), strict=True):
            for name, figures in samples.items():
                axes.plot(watch.moments, figures, label=name)
            axes.set_ylabel(measure)
            axes.set_ylim(bottom=0)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        fields[-1].set_xlabel("minutes")
