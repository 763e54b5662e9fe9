"""DXF: our reader, our whole extraction and `ezdxf.readfile` on the same files, in one run.

    python -m benchmarks dxf

The files are those of `shared/corpus/dxf` beside the repository that are over LEAST bytes, and one that is made here.
Extraction is read, interpret and the document as JSON, in this process; times are the best of TURNS.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ezdxf.filemanagement

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.pipeline.read import read_file

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "dxf"
LEAST = 500_000
TURNS = 3
MADE = 20_000
"""Lines, arcs and texts of the file that is made."""

HEADINGS = ("file", "bytes", "ezdxf.readfile ms", "our read ms", "extraction ms", "read / ezdxf", "extraction / ezdxf")


def measure(stack: Stack) -> list[Table]:
    """One row a file."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.dxf"
        made.write_bytes(_made())
        files = sorted(CORPUS.glob("*.dxf")) if CORPUS.is_dir() else []
        rows = [_row(file) for file in [*files, made] if file.stat().st_size >= LEAST]
    return [
        Table(
            f"DXF, best of {TURNS}", HEADINGS, rows, "Aim: extraction at most 1.5 times ezdxf.readfile, then below it."
        )
    ]


def _row(file: Path) -> tuple[str, ...]:
    data = file.read_bytes()
    theirs = _best(lambda: ezdxf.filemanagement.readfile(file))
    ours = _best(lambda: read_file(data, file.name))
    whole = _best(lambda: _extract(data, file.name))
    ratios = (f"{ours / theirs:.2f}", f"{whole / theirs:.2f}")
    return (file.name, f"{len(data):,}", *(f"{seconds * 1000:.0f}" for seconds in (theirs, ours, whole)), *ratios)


def _extract(data: bytes, name: str) -> str:
    source = read_file(data, name)
    return source.reading.model_dump_json() + source.interpret().model_dump_json()


def _best(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(TURNS):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def _made() -> bytes:
    document = ezdxf.filemanagement.new("R2018")
    space = document.modelspace()
    for number in range(MADE):
        x, y = number % 200, number // 200
        space.add_line((x, y), (x + 1, y + 0.5))
        space.add_arc((x, y), 0.5, 0, 90)
        if number % 10 == 0:
            space.add_text(f"Ø{number}", height=0.2).set_placement((x, y))
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue().encode()
