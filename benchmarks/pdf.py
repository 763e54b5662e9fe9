"""PDF: our whole extraction against PyMuPDF's own calls and pdfplumber on the same files, in one run.

    python -m benchmarks pdf

Extraction is read, interpret and the document as JSON, in this process. PyMuPDF: `get_text("dict")` and `get_drawings()` of
every page. pdfplumber: words, lines, rectangles and curves of every page, where it is installed (`pip install pdfplumber`).
Files: sheets that `tests.sheets` makes, those of `shared/corpus/pdf` beside the repository, and two of LONG pages.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import pymupdf

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.limits import CONVERT_SECONDS
from spatial.contract.target import TargetContract
from spatial.document import assemble
from spatial.errors import SpatialError
from spatial.pipeline.read import read_file
from tests.sheets.generate import sheet

T = TypeVar("T")
CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "pdf"
TURNS = 5
SEEDS = range(1, 7)
"""Of the sheets that are made."""
LONG = 117
SLOWEST = 2.0
"""Seconds of a file that is measured once."""

HEADINGS = (
    "file",
    "pages",
    "PyMuPDF ms",
    "pdfplumber ms",
    "ours ms",
    "of it: read",
    "ours / PyMuPDF",
    "pdfplumber / ours",
)


def measure(stack: Stack) -> list[Table]:
    """One row a file, and one for all of them. The stack is not used: what is measured is the reader."""
    return [tables()]


def tables() -> Table:
    """PyMuPDF, pdfplumber and us, turn by turn, so that a busy machine slows all of them alike."""
    figures = [(name, figure) for name, data in _files() if (figure := _figures(name, data)) is not None]
    rows = [_row(name, *figure) for name, figure in figures]
    sheets = [figure for name, figure in figures if not name.startswith(f"{LONG} ")]
    total = [None if any(part is None for part in column) else sum(column) for column in zip(*sheets, strict=True)]
    rows.append(_row(f"all but those of {LONG} pages", *total))
    note = f"Aim: ours at most 2 times PyMuPDF, pdfplumber at least 5 times ours; {LONG} pages within {CONVERT_SECONDS:g} s."
    return Table(f"PDF, median of {TURNS}", HEADINGS, rows, note)


def _files() -> Iterator[tuple[str, bytes]]:
    made = [sheet(seed, format="pdf").data for seed in SEEDS]
    for seed, data in zip(SEEDS, made, strict=True):
        yield f"generated sheet {seed}", data
    for file in sorted(CORPUS.glob("*.pdf")) if CORPUS.is_dir() else ():
        yield file.name, file.read_bytes()
    yield f"{LONG} sheets", drawing_set(made, LONG)
    yield f"{LONG} pages of a book", book(LONG)


def drawing_set(sheets: list[bytes], pages: int) -> bytes:
    """Sheets one after another in one file, again and again."""
    whole: Any = pymupdf.open()
    parts: list[Any] = [pymupdf.open(stream=data, filetype="pdf") for data in sheets]
    while whole.page_count < pages:
        whole.insert_pdf(parts[whole.page_count % len(parts)], from_page=0, to_page=0)
    return bytes(whole.tobytes(garbage=3, deflate=True))


def book(pages: int) -> bytes:
    """Pages of running text with a figure on some."""
    whole: Any = pymupdf.open()
    sentence = "A hole is toleranced before it is drilled, and what is not toleranced is not a hole but an opinion. "
    for number in range(pages):
        page = whole.new_page()
        page.insert_textbox((60, 60, 535, 780), f"{number + 1}\n\n" + sentence * 38, fontsize=10)
        for row in range(40 if number % 10 == 0 else 0):
            page.draw_line((100, 650 + row), (400, 640 + 3 * row))
    return bytes(whole.tobytes(deflate=True))


def _figures(name: str, data: bytes) -> tuple[float | None, ...] | None:
    """Pages, seconds of PyMuPDF, pdfplumber, us, and of our reader; None of a file that is refused."""
    try:
        read = [_time(lambda: _extract(name, data))[1]]
    except SpatialError:
        return None
    pages = pymupdf.open(stream=data, filetype="pdf").page_count
    theirs: list[float] = []
    others: list[float] = []
    ours: list[float] = []
    for turn in range(TURNS):
        if turn and max(ours[0], *others[:1], 0.0) > SLOWEST:
            break
        theirs.append(_time(lambda: _pymupdf(data))[0])
        seconds, reading = _time(lambda: _extract(name, data))
        ours.append(seconds)
        read.append(reading)
        if find_spec("pdfplumber"):
            others.append(_time(lambda: _pdfplumber(data))[0])
    return float(pages), median(theirs), median(others) if others else None, median(ours), median(read[1:])


def _row(
    name: str, pages: float | None, theirs: float | None, other: float | None, ours: float | None, read: float | None
) -> tuple[str, ...]:
    if pages is None or theirs is None or ours is None or read is None:
        return (name, *[""] * (len(HEADINGS) - 1))
    slower = "" if other is None else f"{other / ours:.1f}"
    return (
        name, f"{pages:.0f}", _ms(theirs), "not installed" if other is None else _ms(other), _ms(ours), _ms(read),
        f"{ours / theirs:.2f}", slower,
    )  # fmt: skip


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def _time(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def _extract(name: str, data: bytes) -> float:
    """Seconds of reading, which is a part of it."""
    seconds, source = _time(lambda: read_file(data, name))
    document = assemble.assemble(
        source.reading, source.interpret(), None, file_name=name, target=TargetContract.structured, request_id="bench"
    )
    assemble.result_bytes(document)
    return seconds


def _pymupdf(data: bytes) -> None:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_text("dict")
            page.get_drawings()


def _pdfplumber(data: bytes) -> None:
    with import_module("pdfplumber").open(io.BytesIO(data)) as document:
        for page in document.pages:
            page.extract_words()
            _ = page.lines, page.rects, page.curves


if __name__ == "__main__":
    print(tables().text())
