"""Growth: how the engine's time grows with the elements of a file, far beyond what the service takes in one body.

    python -m benchmarks growth
    python -m benchmarks growth --formats pdf dxf --sizes S M L XL --picture docs/pictures/growth.svg

`generate`'s files of the sizes of `readers`, S to XL: a million DXF entities, 300,000 PDF paths, 50,000 faces. Processor time from bytes
to the bytes of the document, without the reference; each format in a process of its own, two at a time.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from benchmarks import generate
from benchmarks.picture import picture
from benchmarks.readers import SIZES, SUFFIXES, least, ours
from benchmarks.report import Table
from benchmarks.stack import Stack

FORMATS: Final = ("dxf", "pdf", "svg", "drawio", "step")
AIM: Final = 1.15
"""Greatest exponent."""

Point = tuple[int, float, float]
"""Elements, processor seconds, and megabytes that the process has held until then, the making of the file included."""


def measure(stack: Stack) -> list[Table]:
    """Up to L; XL takes minutes. The stack is not used: what is measured is the engine."""
    return [_table(_curves(FORMATS, ["S", "M", "L"]))]


def main(options: list[str]) -> None:
    """Chosen formats and sizes, and the picture."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth")
    parser.add_argument("--formats", nargs="+", choices=list(SIZES), default=list(FORMATS))
    parser.add_argument("--sizes", nargs="+", choices=["S", "M", "L", "XL"], default=["S", "M", "L", "XL"])
    parser.add_argument("--picture", type=Path)
    chosen = parser.parse_args(options)
    curves = _curves(chosen.formats, chosen.sizes)
    print(_table(curves).text())
    if chosen.picture is not None:
        _draw(curves, chosen.picture)


def _curves(formats: Sequence[str], sizes: Sequence[str]) -> dict[str, list[Point]]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        waiting = {name: pool.submit(_curve, name, sizes) for name in formats}
        return {name: done.result() for name, done in waiting.items()}


def _curve(name: str, sizes: Sequence[str]) -> list[Point]:
    found = []
    for size in sizes:
        data = generate.MAKERS[name](SIZES[name][size])
        seconds = sum(least(partial(ours, data, f"made.{SUFFIXES.get(name, name)}")))
        found.append((SIZES[name][size], seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3))
    return found


def _exponents(points: Sequence[Point]) -> list[float]:
    """From each size to the next."""
    return [math.log(b[1] / a[1]) / math.log(b[0] / a[0]) for a, b in pairwise(points)]


def _table(curves: dict[str, list[Point]]) -> Table:
    rows: list[tuple[str, ...]] = [
        (name, f"{elements:,}", f"{seconds:.2f}", f"{1e6 * seconds / elements:.0f}", f"{held:,.0f}", exponent)
        for name, points in curves.items()
        for (elements, seconds, held), exponent in zip(
            points, ["", *(f"{each:.2f}" for each in _exponents(points))], strict=True
        )
    ]
    headings = ("format", "elements", "seconds", "µs per element", "MB held", "exponent")
    return Table("Growth, processor time", headings, rows, f"Aim: no exponent above {AIM}.")


def _draw(curves: dict[str, list[Point]], file: Path) -> None:
    with picture(file, (7.0, 4.2)) as axes:
        for name, points in curves.items():
            elements, seconds, _ = zip(*points, strict=True)
            axes.loglog(elements, seconds, marker="o", label=f"{name}, last exponent {_exponents(points)[-1]:.2f}")
        axes.set_xlabel("elements: DXF entities, PDF paths, SVG shapes, nodes of a diagram, faces")
        axes.set_ylabel("processor time, seconds")
        axes.grid(visible=True, which="both", alpha=0.3)
        axes.legend()
