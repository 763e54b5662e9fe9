"""Memory: whether the API process grows with the extractions it serves.

python -m benchmarks memory
python -m benchmarks.memory --url http://127.0.0.1:8000 --key sk_… --pid PID [--file F]
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil

from benchmarks.http import FILE, client_of, hammer
from benchmarks.report import Table
from benchmarks.stack import Stack

MARKS = (50, 250, 500)
"""Extractions after which the process is looked at; the first is what the last is compared with."""
CLIENTS = 4
API_MODULE = "deployments.serve"


def measure(stack: Stack) -> list[Table]:
    """The API process of the stack, on the bundled part."""
    return [asyncio.run(_measure(stack.url, stack.key, api_of(stack.pid), FILE))]


async def _measure(url: str, key: str, api: psutil.Process, file: Path) -> Table:
    sizes: list[int] = []
    outcomes: Counter[str] = Counter()
    async with client_of(url, key) as client:
        served = 0
        for mark in MARKS:
            outcomes += (await hammer(client, file, clients=CLIENTS, requests=mark - served))[1]
            served = mark
            sizes.append(api.memory_info().rss)
    rows: list[tuple[str, ...]] = [
        (str(mark), f"{size / 1024**2:.1f}", f"{size / sizes[0] - 1:+.1%}")
        for mark, size in zip(MARKS, sizes, strict=True)
    ]
    said = ", ".join(f"{count} × {outcome}" for outcome, count in sorted(outcomes.items()))
    note = f"{file.name}, {CLIENTS} clients; answers: {said}. Aim: after {MARKS[-1]} within 10 % of after {MARKS[0]}."
    return Table("Resident size of the API process", ("extractions", "MiB", "growth"), rows, note)


def proportional(supervisor: int) -> tuple[float, float]:
    """MB of memory of all processes of a stack, each page divided by the processes that map it (PSS), and what of it is of no file.

    Pages of files, such as libraries, count less where another stack of the same installation runs beside. Linux only.
    """
    whole = own = 0
    for process in [psutil.Process(supervisor), *psutil.Process(supervisor).children(recursive=True)]:
        with suppress(OSError):  # it has ended since it was listed
            sizes = dict(
                line.split(":", 1) for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]
            )
            kilobytes = {name: int(size.split()[0]) for name, size in sizes.items()}
            whole += kilobytes["Pss"]
            own += kilobytes["Pss_Anon"] + kilobytes["Pss_Shmem"]
    return whole * 1.024e-3, own * 1.024e-3


def api_of(supervisor: int) -> psutil.Process:
    """The API among a supervisor's children."""
    children = psutil.Process(supervisor).children(recursive=True)
    return next(child for child in children if API_MODULE in child.cmdline())


def main() -> None:
    """Measure a stack that runs already."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--pid", type=int, required=True, help="the API process")
    parser.add_argument("--file", type=Path, default=FILE)
    chosen = parser.parse_args()
    process = psutil.Process(chosen.pid)
    print(asyncio.run(_measure(chosen.url, chosen.key, process, chosen.file)).text())


if __name__ == "__main__":
    main()
