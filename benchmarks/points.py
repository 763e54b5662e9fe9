"""What `both` adds to `structured`: the points of a file, and what of them no reader can do without.

    python -m benchmarks points
    python -m benchmarks points --formats step --size M

In this process, warm, in processor time, the least of `readers.TURNS`, with `generate`'s files. Of STEP and IGES the kernel has to
triangulate every definition once; that alone, put to `structured`, is the floor. What the platform adds to either is `large`'s.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from benchmarks import generate
from benchmarks.readers import SIZES, SUFFIXES, least
from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import read_file

AIM: Final = 1.3
"""`both` to `structured`, at most."""
HEADINGS: Final = (
    "format",
    "size",
    "structured ms",
    "triangles ms",
    "points ms",
    "document ms",
    "both / structured",
    "floor",
    "aim",
)


def measure(stack: Stack) -> list[Table]:
    """One row a format. The stack is not used: what is measured is the engine."""
    return [_table(list(SIZES), "L")]


def main(options: list[str]) -> None:
    """Chosen formats and one size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks points")
    parser.add_argument("--formats", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--size", choices=["S", "M", "L"], default="L")
    chosen = parser.parse_args(options)
    print(_table(chosen.formats, chosen.size).text())


def _table(formats: Sequence[str], size: str) -> Table:
    return Table("Points, processor time", HEADINGS, [_row(name, size) for name in formats])


def _row(name: str, size: str) -> tuple[str, ...]:
    data, file_name = generate.MAKERS[name](SIZES[name][size]), f"made.{SUFFIXES.get(name, name)}"
    structured = sum(least(lambda: _parts(data, file_name, TargetContract.structured)))
    read, points, document = least(lambda: _parts(data, file_name, TargetContract.both))
    triangles = least(lambda: _triangles(data, file_name))[0] if name in ("step", "iges") else math.nan
    floor = "" if math.isnan(triangles) else f"{1 + triangles / structured:.2f}"
    spent = ["" if math.isnan(part) else f"{part * 1000:.0f}" for part in (structured, triangles, points, document)]
    return (name, size, *spent, f"{(read + points + document) / structured:.2f}", floor, f"{AIM:.2f}")


def _parts(data: bytes, name: str, target: TargetContract) -> list[float]:
    """Seconds of reading and meaning, of the points, and of the document."""
    times = [time.process_time()]
    source = read_file(data, name)
    meaning = source.interpret()
    times.append(time.process_time())
    scene = source.sample(SamplingPlan()) if target is TargetContract.both else None
    times.append(time.process_time())
    result_bytes(assemble(source.reading, meaning, scene, file_name=name, target=target, request_id="bench"))
    times.append(time.process_time())
    return [later - earlier for earlier, later in pairwise(times)]


def _triangles(data: bytes, name: str) -> list[float]:
    """Seconds in which the kernel triangulates each definition once, after the file was read and understood as it is for `structured`."""
    from spatial.models.brep.tessellation import triangulate
    from spatial.models.brep.topology import unplaced

    source: Any = read_file(data, name)
    source.interpret()
    model = source._model
    shapes = {solid.definition: unplaced(solid.shape) for solid in model.solids}
    shapes |= {shape.id: unplaced(shape.shape) for shape in model.open_shapes}
    started = time.process_time()
    for shape in shapes.values():
        triangulate(shape)
    return [time.process_time() - started]
