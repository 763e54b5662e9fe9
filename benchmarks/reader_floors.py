"""The least that reading a file costs, whatever is made of it: the calls and conversions that no reader can do without.

    dxf   decode and split the file, its group codes as numbers, its coordinates as numbers
    pdf   MuPDF's paths one by one, and a record of every page with its trace of the text and one page of text
    svg   lxml's tree, the numbers of its attributes as numbers

To each comes the JSON of our document, encoded from plain data by msgspec: the answer has that size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pymupdf as _pymupdf
from lxml import etree

from spatial.formats.pdf.recorded import RecordedPage

pymupdf: Any = _pymupdf
_NUMBER: Final = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
_COORDINATES: Final = range(10, 60)
"""Group codes of coordinates, lengths and angles (AutoCAD DXF reference, "Group codes in numerical order")."""


def _dxf(data: bytes) -> None:
    lines = data.decode().replace("\r\n", "\n").split("\n")
    codes = list(map(int, lines[: len(lines) // 2 * 2 : 2]))
    list(map(float, [value for code, value in zip(codes, lines[1::2], strict=False) if code in _COORDINATES]))


def _pass_over(path: object) -> None:
    """Take a path and leave it."""


def _pdf(data: bytes) -> None:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_cdrawings(callback=_pass_over)
            recorded = RecordedPage(page)
            recorded.trace()
            recorded.text(0)


def _svg(data: bytes) -> None:
    for element in etree.fromstring(data).iter():
        for value in element.attrib.values():
            list(map(float, _NUMBER.findall(value)))


FLOORS: Final[dict[str, Callable[[bytes], None]]] = {"dxf": _dxf, "pdf": _pdf, "svg": _svg}


def floor(name: str, data: bytes, document: bytes) -> Callable[[], object]:
    """The work of a format's floor.

    document: the bytes of our document of this file.
    """
    plain = msgspec.json.decode(document)

    def work() -> None:
        FLOORS[name](data)
        msgspec.json.encode(plain)

    return work
