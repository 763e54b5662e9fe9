"""Readers: bytes to the bytes of the document, against a well-known reader of each format on the same file, in one run.

    python -m benchmarks readers
    python -m benchmarks readers --formats dxf pdf --sizes S M L XL

In this process, warm, in processor time, the least of TURNS; with `generate`'s files of the sizes S, M and L (about 0.1, 0.5 and 4 MB).
Ours is reading, meaning, document and its JSON. The others:

    step, iges  OCCT through OCP: read, transfer, volume and area by their defaults, loose boxes of the faces
    dxf         ezdxf.readfile
    pdf         PyMuPDF: text and drawings of the page
    svg         svgelements, where it is installed (`uv pip install --group bench`)
    drawio      a lean reader with lxml (`benchmarks.diagrams.lean`)

The floor is what no reader of this format can do without (`benchmarks.reader_floors`), in whatever language; lean is the leanest reader in
Python that gives an entry for each thing drawn and finds nothing (`benchmarks.lean_readers`). The last column is the part of our own code's
time, the one above the floor, that the aim leaves: none where the floor alone takes more than the aim.
"""

from __future__ import annotations

import argparse
import io
import itertools
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import ezdxf.filemanagement
import pymupdf as _pymupdf

from benchmarks import generate
from benchmarks.diagrams import lean
from benchmarks.lean_readers import LEAN
from benchmarks.reader_floors import FLOORS, floor
from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.pipeline.read import read_file

pymupdf: Any = _pymupdf
TURNS: Final = 3
SLOW_SECONDS: Final = 5.0
"""Of one turn, after which there is no further one."""
SUFFIXES: Final = {"iges": "igs"}
SIZES: Final = {
    "step": {"S": 20, "M": 100, "L": 850, "XL": 50_000},
    "iges": {"S": 20, "M": 150, "L": 1_200, "XL": 10_000},
    "dxf": {"S": 400, "M": 2_600, "L": 21_000, "XL": 1_000_000},
    "pdf": {"S": 1_500, "M": 14_000, "L": 50_000, "XL": 300_000},
    "svg": {"S": 1_400, "M": 7_200, "L": 58_000, "XL": 300_000},
    "drawio": {"S": 230, "M": 1_150, "L": 9_000, "XL": 50_000},
}
"""Elements of the made file of each size."""
AIMS: Final = {
    "step": (1.0, 0.7, 1.0),
    "iges": (1.5, 1.2, 1.2),
    "dxf": (0.3, 0.5, 0.6),
    "pdf": (2.0, 1.2, 1.3),
    "svg": (0.3, 0.07, 0.2),
    "drawio": (4.0, 3.0, 3.0),
}
HEADINGS = (
    "format", "size", "bytes", "theirs ms", "floor ms", "lean ms", "read ms", "meaning ms", "document ms", "ours ms",
    "ours / theirs", "aim", "own part left",
)  # fmt: skip


def measure(stack: Stack) -> list[Table]:
    """One row a file. The stack is not used: what is measured is the engine."""
    return [table(list(SIZES), ["S", "M", "L"])]


def main(options: list[str]) -> None:
    """Chosen formats and sizes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks readers")
    parser.add_argument("--formats", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--sizes", nargs="+", choices=["S", "M", "L", "XL"], default=["S", "M", "L"])
    chosen = parser.parse_args(options)
    print(table(chosen.formats, chosen.sizes).text())


def table(formats: Sequence[str], sizes: Sequence[str]) -> Table:
    """The figures, and how each reader grows from the smallest file to the largest."""
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    for name in formats:
        found = [_figures(name, size) for size in sizes]
        rows += [row for row, _ in found]
        if len(found) > 1:
            (fast, slow), (few, many) = (
                [seconds for _, seconds in found[-2:]],
                [SIZES[name][each] for each in sizes[-2:]],
            )
            notes.append(f"{name} {math.log(slow / fast) / math.log(many / few):.2f}")
    note = f"Time grows with elements to the power of (last two sizes): {', '.join(notes)}; aim 1.15." if notes else ""
    return Table(f"Readers, processor time, least of {TURNS}", HEADINGS, rows, note)


def _figures(name: str, size: str) -> tuple[tuple[str, ...], float]:
    """The row of a file, and the seconds that we take."""
    data = generate.MAKERS[name](SIZES[name][size])
    file_name = f"made.{SUFFIXES.get(name, name)}"
    own = least(lambda: ours(data, file_name))
    peer = PEERS[name]
    lowest = least(_timer(floor(name, data, document_of(data, file_name)))) if name in FLOORS else [math.nan]
    theirs = least(_timer(lambda: peer(data)))[0] if peer is not None else math.nan
    whole = sum(own)
    aim = AIMS[name]["SML".index(size)] if size in "SML" else math.nan
    figures = [_ms(seconds) for seconds in (theirs, *own, whole)]
    lean_reader = LEAN.get(name)
    leanest = least(_timer(lambda: lean_reader(data)))[0] if lean_reader is not None else math.nan
    figures[1:1] = ["" if math.isnan(seconds) else _ms(seconds) for seconds in (lowest[0], leanest)]
    left = _left(aim * theirs, lowest[0], whole)
    return (name, size, f"{len(data):,}", *figures, _ratio(whole / theirs), _ratio(aim), left), whole


def _left(aim: float, lowest: float, whole: float) -> str:
    """The part of what we take above the floor that an aim leaves; all are seconds."""
    part = (aim - lowest) / (whole - lowest)
    return "" if math.isnan(part) else f"{part:.0%}" if part > 0 else "none"


def document_of(data: bytes, name: str) -> bytes:
    """The bytes of a file's document."""
    source = read_file(data, name)
    made = assemble(
        source.reading,
        source.interpret(),
        None,
        file_name=name,
        target=TargetContract.structured,
        request_id="bench",
    )
    return result_bytes(made)


def ours(data: bytes, name: str) -> list[float]:
    """Seconds of reading, of finding the meaning, and of the document."""
    times = [time.process_time()]
    source = read_file(data, name)
    times.append(time.process_time())
    meaning = source.interpret()
    times.append(time.process_time())
    target = TargetContract.structured
    result_bytes(assemble(source.reading, meaning, None, file_name=name, target=target, request_id="bench"))
    times.append(time.process_time())
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _timer(work: Callable[[], object]) -> Callable[[], list[float]]:
    return lambda: [_timed(work)]


def least(work: Callable[[], list[float]]) -> list[float]:
    best = work()
    for _turn in range(TURNS - 1):
        if sum(best) > SLOW_SECONDS:
            break
        best = min(best, work(), key=sum)
    return best


def _ms(seconds: float) -> str:
    return "not installed" if math.isnan(seconds) else f"{seconds * 1000:.0f}"


def _ratio(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def _stored(data: bytes, suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(data)
        yield path


def _occt(data: bytes, suffix: str, reader: Any) -> None:
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps
    from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
    from OCP.TopExp import TopExp_Explorer

    for path in _stored(data, suffix):
        reader.ReadFile(str(path))
    reader.TransferRoots()
    shape = reader.OneShape()
    for kind, properties in (
        (TopAbs_SOLID, BRepGProp.VolumeProperties_s),
        (TopAbs_FACE, BRepGProp.SurfaceProperties_s),
    ):
        explorer = TopExp_Explorer(shape, kind)
        while explorer.More():
            measured, box = GProp_GProps(), Bnd_Box()
            properties(explorer.Current(), measured)
            BRepBndLib.Add_s(explorer.Current(), box)
            explorer.Next()


def raw_step(data: bytes) -> None:
    """A STEP file with OCCT alone: transfer, default mass properties, loose boxes."""
    from OCP.STEPControl import STEPControl_Reader

    _occt(data, ".step", STEPControl_Reader())


def _iges(data: bytes) -> None:
    from OCP.IGESControl import IGESControl_Reader

    _occt(data, ".igs", IGESControl_Reader())


def _dxf(data: bytes) -> None:
    for path in _stored(data, ".dxf"):
        ezdxf.filemanagement.readfile(path)


def _pdf(data: bytes) -> None:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_text("dict")
            page.get_drawings()


def _svg(data: bytes) -> None:
    import_module("svgelements").SVG.parse(io.BytesIO(data))


PEERS: Final[dict[str, Callable[[bytes], object] | None]] = {
    "step": raw_step,
    "iges": _iges,
    "dxf": _dxf,
    "pdf": _pdf,
    "svg": _svg if find_spec("svgelements") else None,
    "drawio": lean,
}
