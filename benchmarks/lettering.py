"""Drawn lettering: sheets printed without a text layer, read, and compared with what was printed, character by character.

    python -m benchmarks lettering
    python -m benchmarks lettering --files FILE.pdf … --fonts romans Lato --list

Each sheet is printed with the outlines of its own fonts, and drawn again in stroke fonts and in outline fonts of other makers
(tests/accuracy/drawn_fonts.py; the Debian packages that it names). It is read twice, turn by turn: with the reader of lines, and without
it, as where onnxruntime is not installed. Without files the sheets are those of `tests/sheets/real` and some that are made.

A character is wrong where another one was printed, or none; unread where none is reported, or U+FFFD.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.outlined import line_reader
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.accuracy.drawn_fonts import OUTLINE_FONTS, STROKE_FONTS, drawn_in
from tests.accuracy.outlined import Reading, as_outlines, compare, texts_of
from tests.sheets.generate import sheet as generated

REAL: Final = Path(__file__).resolve().parents[1] / "tests" / "sheets" / "real"
LEFT_OUT: Final = ("13_5_hinge", "BLANK_TILE", "MMP.04", "PSAS_LV3")
"""Sheets whose outlines do not lie where their texts are, and those with drawn lettering of their own or turned pages."""
SEEDS: Final = (11, 23)
"""Of the sheets that are made."""
OWN: Final = "own outlines"
FONTS: Final = {**STROKE_FONTS, **OUTLINE_FONTS}
READERS: Final = ("glyphs alone", "glyphs and lines")
MOST_LISTED: Final = 40

HEADINGS: Final = (
    "lettering", "reader", "sheets", "characters", "right", "wrong", "unread", "digits", "right", "wrong", "unread", "seconds",
)  # fmt: skip

Print = Callable[[bytes], tuple[bytes, list[Text]]]
"""Makes of a PDF one without a text layer, and what it shows."""


@dataclass
class Figures:
    """How the sheets of one lettering were read by one reader."""

    reading: Reading = field(default_factory=Reading)
    sheets: int = 0
    seconds: float = 0.0
    """Of processor time, in reading the lettering."""

    def cells(self) -> tuple[str, ...]:
        """Of the table, from the number of sheets on."""
        read = self.reading
        wrong_digits = read.digits - read.digits_right
        counts = (
            self.sheets, read.printed, read.right, len(read.wrong), read.unread,
            read.digits_printed, read.digits_right, wrong_digits, read.digits_unread,
        )  # fmt: skip
        return (*(f"{count:,}" for count in counts), f"{self.seconds:.1f}")


def measure(stack: Stack) -> list[Table]:
    """The stack is not used: what is measured is the reader."""
    return [_table(list(_sheets()), [OWN, "romans", "Lato"])[0]]


def main(options: list[str]) -> None:
    """Other sheets, other fonts, and what was read wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks lettering")
    parser.add_argument(
        "--files", nargs="+", type=Path, default=[], metavar="FILE.pdf", help="Sheets with a text layer."
    )
    parser.add_argument("--fonts", nargs="+", default=[OWN, *FONTS], choices=(OWN, *FONTS), metavar="FONT")
    parser.add_argument("--list", action="store_true", help="Print which characters were taken for which.")
    chosen = parser.parse_args(options)
    sheets = [(file.name, file.read_bytes()) for file in chosen.files] or list(_sheets())
    table, figures = _table(sheets, chosen.fonts)
    print(table.text())
    for name, found in figures.items() if chosen.list else ():
        pairs = Counter(f"{printed or 'nothing'} as {read}" for printed, read, _ in found.reading.wrong)
        print(f"\n{' · '.join(name)}: {', '.join(f'{pair} {count}' for pair, count in pairs.most_common(MOST_LISTED))}")


def _sheets() -> Iterator[tuple[str, bytes]]:
    for path in sorted(REAL.glob("*.pdf")):
        if not path.name.startswith(LEFT_OUT):
            yield path.name, path.read_bytes()
    for seed in SEEDS:
        yield f"made {seed}", generated(seed, format="pdf").data


def _table(sheets: list[tuple[str, bytes]], fonts: Sequence[str]) -> tuple[Table, dict[tuple[str, str], Figures]]:
    figures = {(name, kind): Figures() for name in fonts for kind in READERS}
    for name in fonts:
        for title, data in sheets:
            print(f"{name}: {title} …", file=sys.stderr, flush=True)
            made, printed = _printed(data) if name == OWN else drawn_in(data, FONTS[name])
            _read(made, printed, figures[name, READERS[1]])
            with _without_lines():
                _read(made, printed, figures[name, READERS[0]])
    rows = [
        (*key, *figures[key].cells())
        for key in sorted(figures, key=lambda key: (fonts.index(key[0]), READERS.index(key[1])))
    ]
    note = "Columns before the digits are of all characters. Seconds are processor time of reading lettering, the network's start included."
    return Table("drawn lettering", HEADINGS, rows, note), figures


def _printed(data: bytes) -> tuple[bytes, list[Text]]:
    return as_outlines(data, pages=1), [text for text in texts_of(data) if text.page == 1]


def _read(made: bytes, printed: list[Text], into: Figures) -> None:
    drawing = reader.read(made, "sheet.pdf")
    begin = time.process_time()
    read = with_drawn_lettering(drawing)
    into.seconds += time.process_time() - begin
    into.sheets += 1
    compare(printed, [text for sheet in read.sheets for text in sheet.texts], into.reading)


@contextmanager
def _without_lines() -> Iterator[None]:
    """As where onnxruntime is not installed."""
    loaded = sys.modules.get("onnxruntime")
    sys.modules["onnxruntime"] = None  # type: ignore[assignment]  # what makes an import of it fail
    line_reader.network.cache_clear()
    try:
        yield
    finally:
        del sys.modules["onnxruntime"]
        if loaded is not None:
            sys.modules["onnxruntime"] = loaded
        line_reader.network.cache_clear()
