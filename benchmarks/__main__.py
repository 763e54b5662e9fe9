"""Everything we are measured by, in one run: `make bench`, or `python -m benchmarks converter http` for some of it.

A benchmark is a module of this package with

    def measure(stack: Stack) -> Iterable[Table]

One stack serves them all, one after another, so that figures of one run may be compared. Nothing here is asserted by a test.
A benchmark that needs no stack may take options of its own: `python -m benchmarks accuracy --leave-one-out` runs its `main` with them.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from benchmarks import stack
from benchmarks.report import machine

BENCHMARKS = (
    "converter",
    "http",
    "overhead",
    "burst",
    "bare",
    "large",
    "bodies",
    "batch",
    "ledger",
    "ingest",
    "tables",
    "memory",
    "corpus",
    "accuracy",
    "readers",
    "points",
    "further",
    "growth",
    "features",
    "lettering",
    "diagrams",
    "pdf",
    "reasoning",
    "console",
)
"""In running order: memory counts extractions, so it comes after those that count time."""


def main(argv: list[str] | None = None) -> int:
    """Run the named benchmarks and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)} (default: all)"
    )
    chosen, options = parser.parse_known_args(argv)
    names = chosen.names or BENCHMARKS
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if options:
        own = getattr(import_module(f"benchmarks.{names[0]}"), "main", None) if len(names) == 1 else None
        if own is None:
            parser.error(
                f"unknown options {' '.join(options)}; give options to one benchmark that has a main of its own"
            )
        own(options)
        return 0
    print(f"{machine()}\n", flush=True)
    with stack.running() as running:
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)
            for table in import_module(f"benchmarks.{name}").measure(running):
                print(table.text(), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
