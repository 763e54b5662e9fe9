"""Processor time that coverage-guided fuzzing has had, by reader, over all runs.

    python -m siege.hours FOLDER            the sums, with the runs that the folder of a corpus has recorded
    python -m siege.hours FOLDER --write    enters those runs into siege/hours.json and the sums into docs/siege.md

A run has a name and is entered once, however often it is asked for: a folder that goes on growing is entered again as it is then.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from benchmarks.report import Table

ROOT: Final = Path(__file__).resolve().parents[1]
COMMITTED: Final = ROOT / "siege" / "hours.json"
"""Runs of all machines."""

RECORD: Final = "runs.json"
"""In the folder of a corpus: the runs that it has grown by."""

PAGE: Final = ROOT / "docs" / "siege.md"
BEGIN, END = "<!-- python -m siege.hours -->\n", "<!-- end -->\n"

AIM_SECONDS: Final = 3_600
"""Of a processor, for each reader."""


@dataclass
class Spent:
    """What one reader had in one run, or in all."""

    processor: float = 0.0
    """Seconds, without those of importing and of reading the seeds."""
    inputs: int = 0
    kept: int = 0
    """Inputs of the corpus that reach something of their own, at the end of the run."""
    places: int = 0
    """Branches that were reached."""
    found: int = 0
    """Defects, counted once by their place in the code."""

    def more(self, other: Spent) -> Spent:
        """Both together; a corpus and the places that it reaches grow, and are not added."""
        return Spent(
            self.processor + other.processor,
            self.inputs + other.inputs,
            max(self.kept, other.kept),
            max(self.places, other.places),
            max(self.found, other.found),
        )


Runs = dict[str, dict[str, Spent]]
"""By the run's name, then by reader."""


def load(path: Path) -> Runs:
    """The runs of a file; none where there is no file."""
    if not path.exists():
        return {}
    found = json.loads(path.read_text())
    return {run: {reader: Spent(**spent) for reader, spent in rows.items()} for run, rows in found.items()}


def save(path: Path, runs: Runs) -> None:
    """Write a file of runs at once, so that one who is killed leaves a whole one."""
    rows = {run: {reader: asdict(spent) for reader, spent in rows.items()} for run, rows in runs.items()}
    aside = path.with_suffix(".new")
    aside.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")
    aside.replace(path)


def add(path: Path, run: str, reader: str, spent: Spent) -> None:
    """What a reader had in a part of a run."""
    runs = load(path)
    rows = runs.setdefault(run, {})
    rows[reader] = rows.get(reader, Spent()).more(spent)
    save(path, runs)


def totals(runs: Runs) -> dict[str, Spent]:
    """All that each reader had."""
    found: dict[str, Spent] = {}
    for rows in runs.values():
        for reader, spent in rows.items():
            found[reader] = found.get(reader, Spent()).more(spent)
    return dict(sorted(found.items()))


def table(runs: Runs) -> Table:
    """The sums, and what of the aim they are."""
    rows: list[tuple[str, ...]] = []
    for reader, spent in totals(runs).items():
        share = f"{100 * spent.processor / AIM_SECONDS:.0f} %"
        counts = (spent.inputs, spent.kept, spent.places, spent.found)
        rows.append((reader, f"{spent.processor:,.0f}", share, *(f"{count:,}" for count in counts)))
    headings = ("reader", "processor, s", "of an hour", "inputs", "kept", "places reached", "defects")
    return Table(f"Coverage-guided fuzzing, {len(runs)} runs", headings, rows)


def page() -> str:
    """docs/siege.md with the sums of what is committed."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return f"{before}{BEGIN}\n{table(load(COMMITTED)).text()}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Print the sums, or enter a folder's runs and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="of a corpus, as `siege coverage --corpus` was given it")
    parser.add_argument("--write", action="store_true", help="enter the runs into siege/hours.json and docs/siege.md")
    chosen = parser.parse_args()
    runs = load(COMMITTED) | (load(chosen.folder / RECORD) if chosen.folder else {})
    if chosen.write:
        save(COMMITTED, runs)
        PAGE.write_text(page())
    print(table(runs).text())


if __name__ == "__main__":
    main()
