"""Our PDF reader against PyMuPDF's own text and drawings of the same pages, and pdfplumber where it is installed by hand.

    python -m benchmarks.pdf FILE...

Aim: at most twice PyMuPDF's `get_text("dict")` and `get_drawings()`, and five times faster than pdfplumber.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf

from benchmarks.report import Table
from benchmarks.stack import Stack
from converter.child import SPECIMENS
from spatial.errors import ParseError
from spatial.extraction.readers import pdf

ROUNDS = 5
CORPUS = Path(__file__).parents[2] / "shared" / "corpus" / "pdf"


def theirs(data: bytes) -> None:
    """What PyMuPDF says of every page."""
    document: Any = pymupdf.open(stream=data, filetype="pdf")  # type: ignore[no-untyped-call]  # typed in part
    for page in document:
        page.get_text("dict")
        page.get_drawings()


def plumbed(data: bytes) -> None:
    """The same by pdfplumber."""
    plumber: Any = importlib.import_module("pdfplumber")
    with plumber.open(io.BytesIO(data)) as document:
        for page in document.pages:
            page.extract_words()
            _ = page.lines, page.curves, page.rects


def ways() -> dict[str, Callable[[bytes], object]]:
    """Name of a way to what it does with a file."""
    found: dict[str, Callable[[bytes], object]] = {
        "PyMuPDF": theirs,
        "ours, read": lambda data: pdf.read(data, "sheet.pdf"),
        "ours, whole": lambda data: pdf.read(data, "sheet.pdf").interpret(),
    }
    if importlib.util.find_spec("pdfplumber"):
        found["pdfplumber"] = plumbed
    return found


def best(way: Callable[[bytes], object], data: bytes, rounds: int) -> float:
    """Milliseconds of the fastest round."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        way(data)
        taken.append(time.perf_counter() - started)
    return min(taken) * 1000


def rows(files: list[Path]) -> Iterator[tuple[str, ...]]:
    """A row a file: milliseconds of each way, and how our reading compares."""
    for file in files:
        data = file.read_bytes()
        try:
            pdf.read(data, file.name)
        except ParseError:
            continue
        times = {name: best(way, data, ROUNDS if name != "pdfplumber" else 1) for name, way in ways().items()}
        yield (
            file.name,
            *(f"{milliseconds:.1f}" for milliseconds in times.values()),
            f"{times['ours, read'] / times['PyMuPDF']:.2f}",
            f"{times['ours, whole'] / times['PyMuPDF']:.2f}",
        )


def measure(_: Stack) -> list[Table]:
    """Over the corpus where it is there, else over the specimen."""
    return [table(sorted(CORPUS.glob("*.pdf")) or [SPECIMENS / "pdf.pdf"])]


def table(files: list[Path]) -> Table:
    """All files, each by every way."""
    note = "Fastest of several rounds. Aim: at most 2 times PyMuPDF and 5 times faster than pdfplumber."
    if "pdfplumber" not in ways():
        note += " pdfplumber is not installed, so it was not compared: `uv pip install pdfplumber` adds it."
    headings = ("file", *(f"{name} ms" for name in ways()), "read / PyMuPDF", "whole / PyMuPDF")
    return Table("PDF", headings, list(rows(files)), note)


if __name__ == "__main__":
    print(table([Path(name) for name in sys.argv[1:]] or sorted(CORPUS.glob("*.pdf"))).text())
