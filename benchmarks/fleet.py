"""The fleet on paper: how many of each process a rate of files needs, what is full first, and what it costs.

    python -m benchmarks.fleet            the tables of docs/scale.md, from benchmarks/fleet.toml
    python -m benchmarks.fleet --write    writes them into that page

The figures are those of `make bench ARGS='overhead ingest'`, processor time per file and part; it depends on nothing else that the parts
are processes that can be added, but for Postgres, of which there is one. A part is sized so that it is busy for USE of its time.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table

ROOT: Final = Path(__file__).resolve().parents[1]
FIGURES: Final = ROOT / "benchmarks" / "fleet.toml"
PAGE: Final = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- python -m benchmarks.fleet -->\n", "<!-- end -->\n"

RATES: Final = (10, 100, 1_000)
"""Files per second."""

USE: Final = 0.7
"""Share of its time that a part is busy: above it queues grow long (M/M/1: the wait is 2.3 times the work at 0.7, 9 times at 0.9)."""

SECONDS_PER_HOUR: Final = 3_600


@dataclass(frozen=True)
class Way:
    """One way in which files enter: single calls, or bulk ingest."""

    name: str
    cpu_ms: dict[str, float]
    """Processor time per file, by part."""
    disk_kb: float
    """What a file leaves in lake and databases."""


@dataclass(frozen=True)
class Machine:
    """What a process has, and what things cost."""

    memory_gb: dict[str, float]
    """Of one process of each part; of the converter one core."""
    connections: dict[str, int]
    """To Postgres, of one process."""
    most_connections: int
    postgres_cores: int
    """Of the largest server that is considered."""
    usd: dict[str, float]
    """Prices: core-hour, and GB-hour of memory."""


@dataclass(frozen=True)
class Fleet:
    """What a rate needs."""

    rate: float
    processes: dict[str, int]
    postgres_cores: float
    memory_gb: float
    connections: int
    usd_per_hour: float


def load(file: Path = FIGURES) -> tuple[list[Way], Machine]:
    """The figures."""
    said: dict[str, Any] = tomllib.loads(file.read_text())
    return [Way(**way) for way in said["ways"]], Machine(**said["machine"])


def fleet(way: Way, machine: Machine, rate: float) -> Fleet:
    """The processes for a rate (files per second); a Python process has one core, and a converter as many as its machine."""
    cores = {part: rate * ms / 1000 / USE for part, ms in way.cpu_ms.items()}
    processes = {part: math.ceil(each) for part, each in cores.items() if part != "Postgres" and each > 0}
    memory = sum(machine.memory_gb[part] * count for part, count in processes.items()) + machine.memory_gb["Postgres"]
    connections = sum(machine.connections.get(part, 0) * count for part, count in processes.items())
    usd = sum(cores.values()) * machine.usd["core_hour"] + memory * machine.usd["gb_hour"]
    return Fleet(rate, processes, cores["Postgres"], memory, connections, usd)


def limits(way: Way, machine: Machine) -> dict[str, float]:
    """Files per second at which each thing of which there is only one is full; and one process of each part."""
    one = fleet(way, machine, 1_000)
    ends = {
        f"{machine.postgres_cores} cores of Postgres": 1_000 * machine.postgres_cores / one.postgres_cores,
        f"{machine.most_connections} connections of Postgres": 1_000
        * machine.most_connections
        / max(1, one.connections),
    }
    alone = {f"one {part}": USE * 1_000 / ms for part, ms in way.cpu_ms.items() if part != "Postgres" and ms > 0}
    return {**ends, **alone}


def tables() -> list[Table]:
    """Costs per file, fleets, and limits, for each way."""
    ways, machine = load()
    return [_costs(ways), *(_fleets(way, machine) for way in ways), _limits(ways, machine)]


def _costs(ways: list[Way]) -> Table:
    parts = list(ways[0].cpu_ms)
    rows = [
        (
            way.name,
            *(f"{way.cpu_ms[part]:.0f}" for part in parts),
            f"{sum(way.cpu_ms.values()):.0f}",
            f"{way.disk_kb:.0f}",
        )
        for way in ways
    ]
    headings = ("way", *parts, "all", "KB left")
    return Table("Processor time per file, ms", headings, rows)


def _fleets(way: Way, machine: Machine) -> Table:
    parts = [part for part in way.cpu_ms if part != "Postgres" and way.cpu_ms[part] > 0]
    rows = []
    for rate in RATES:
        found = fleet(way, machine, rate)
        million = found.usd_per_hour * 1e6 / (rate * SECONDS_PER_HOUR)
        rows.append(
            (
                f"{rate:,}",
                *(f"{found.processes[part]:,}" for part in parts),
                f"{found.postgres_cores:.1f}",
                f"{found.memory_gb:,.0f}",
                f"{found.connections:,}",
                f"{found.usd_per_hour:,.2f}",
                f"{million:.2f}",
            )
        )
    headings = (
        "files/s",
        *parts,
        "cores of Postgres",
        "GB",
        "connections",
        "USD/h, assumed prices",
        "USD per million files",
    )
    return Table(f"Fleet of {way.name}", headings, rows)


def _limits(ways: list[Way], machine: Machine) -> Table:
    rows: list[tuple[str, ...]] = []
    for way in ways:
        ordered = sorted(limits(way, machine).items(), key=lambda one: one[1])
        rows += [(way.name, name, f"{rate:,.0f}") for name, rate in ordered]
    return Table("What is full first", ("way", "what", "at files/s"), rows)


def text() -> str:
    """All tables, as they stand in the page."""
    return "\n\n".join(table.text() for table in tables()) + "\n"


def page() -> str:
    """docs/scale.md with the tables of now."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return f"{before}{BEGIN}\n{text()}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    if parser.parse_args().write:
        PAGE.write_text(page())
    else:
        print(text())


if __name__ == "__main__":
    main()
