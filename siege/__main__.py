"""The sieges, each for a bounded time: `make siege`, or `python -m siege kills --seconds 300` for one of them.

A siege is load with faults that are made on purpose. It is a module of this package with

    def besiege(seconds: float) -> Iterable[Table]

which raises where something was lost, and prints figures where nothing was. It runs in a network namespace without routes: the loopback
is all that it can reach. The suite has a small form of each.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType

from benchmarks.report import machine
from siege import namespace

SIEGES = ("kills", "recovery", "reload", "hostile", "fuzz", "coverage", "described", "faults", "clock", "soak")

SECONDS = 600.0
"""How long each siege goes on, where nothing else is asked for."""

GRACE_SECONDS = 1_500.0
"""How much longer it may take to end what it has begun, before it fails: waits are longer on a busy machine (benchmarks/starvation.py)."""


def main(argv: list[str] | None = None) -> int:
    """Run the named sieges, each for so many seconds, and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m siege", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(SIEGES)} (default: all)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each goes on")
    parser.add_argument("--corpus", type=Path, help="a folder in which `coverage` keeps its inputs and hours over runs")
    chosen = parser.parse_args(argv)
    names = chosen.names or SIEGES
    unknown = sorted(set(names) - set(SIEGES))
    if unknown:
        parser.error(f"there is no siege {', '.join(unknown)}; there are {', '.join(SIEGES)}")
    if chosen.corpus and list(names) != ["coverage"]:
        parser.error("--corpus applies only to coverage: name that siege and no other")
    if not namespace.is_isolated():
        inner = [sys.executable, "-m", "siege", *(argv if argv is not None else sys.argv[1:])]
        os.execvp("unshare", namespace.command(inner))
    namespace.raise_loopback()
    print(f"{machine()}\n", flush=True)
    for name in names:
        _run(name, chosen.seconds, {"corpus": chosen.corpus} if chosen.corpus else {})
    return 0


def _run(name: str, seconds: float, options: dict[str, Path]) -> None:
    """Raises: TimeoutError where the siege does not end."""
    print(f"{name} …", file=sys.stderr, flush=True)
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(int(seconds + GRACE_SECONDS))
    for table in import_module(f"siege.{name}").besiege(seconds, **options):
        print(table.text(), end="\n\n", flush=True)
    signal.alarm(0)


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError("the siege has not ended in its time")


if __name__ == "__main__":
    sys.exit(main())
