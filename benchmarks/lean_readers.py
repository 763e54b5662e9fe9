"""The leanest readers in Python that still give the contents of a file: an entry for each thing drawn, with its numbers rounded, what it is
drawn with and its layer, a record for each text, and the JSON of both.

    dxf   an entry for each record of its entities and blocks, its coordinates as numbers
    pdf   an entry for each path of MuPDF, a record for each span of text
    svg   an entry for each element, the numbers of its attributes

They find nothing: no arcs, no frames, no blocks put in their places, no layer's colour, no style of a parent, no lines of glyphs. Damaged
files they do not read. What our readers take beyond this is that, and the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import msgspec
import numpy as np
import pymupdf as _pymupdf
from lxml import etree

pymupdf: Any = _pymupdf
_NUMBER: Final = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
_COORDINATES: Final = frozenset(range(10, 60))
"""Group codes of coordinates, lengths and angles (AutoCAD DXF reference, "Group codes in numerical order")."""
_STYLES: Final = ("class", "style", "fill", "stroke", "stroke-width", "transform", "id")
_DECIMALS: Final = 6


def dxf(data: bytes) -> bytes:
    """The entries of an ASCII DXF."""
    lines = data.decode().replace("\r\n", "\n").split("\n")
    values = lines[1::2]
    codes = list(map(int, lines[: 2 * len(values) : 2]))
    starts = [place for place, code in enumerate(codes) if code == 0]
    entries: list[dict[str, Any]] = []
    numbers: list[float] = []
    for begin, end in pairwise([*starts, len(codes)]):
        first = len(numbers)
        entry: dict[str, Any] = {"id": f"entity-{len(entries) + 1}", "type": values[begin], "layer": "0"}
        for code, value in zip(codes[begin + 1 : end], values[begin + 1 : end], strict=True):
            if code in _COORDINATES:
                numbers.append(float(value))
            elif code in (1, 8, 62):
                entry["text" if code == 1 else "layer" if code == 8 else "color"] = value
        entry["points"] = first, len(numbers)
        entries.append(entry)
    return _encoded(entries, numbers)


def pdf(data: bytes) -> bytes:
    """The entries and texts of all pages of a PDF."""
    entries: list[dict[str, Any]] = []
    numbers: list[float] = []

    def take(path: dict[str, Any]) -> None:
        first = len(numbers)
        for item in path.get("items", ()):
            for corner in item[1:]:
                if corner.__class__ is tuple:
                    numbers.extend(corner)
        get = path.get
        entries.append(
            {
                "id": f"entity-{len(entries) + 1}",
                "type": path["type"],
                "layer": get("layer"),
                "color": get("color"),
                "width": get("width"),
                "fill": get("fill"),
                "dash": get("dashes"),
                "points": (first, len(numbers)),
            }
        )

    texts: list[dict[str, Any]] = []
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_cdrawings(extended=True, callback=take)
            for block in page.get_text("dict")["blocks"]:
                for line in block.get("lines", ()):
                    texts += [
                        {"text": span["text"], "bbox": span["bbox"], "size": span["size"]} for span in line["spans"]
                    ]
    return _encoded(entries, numbers) + msgspec.json.encode(texts)


def svg(data: bytes) -> bytes:
    """The entries of an SVG."""
    entries: list[dict[str, Any]] = []
    numbers: list[float] = []
    for element in etree.fromstring(data).iter():
        first = len(numbers)
        entry: dict[str, Any] = {"id": f"entity-{len(entries) + 1}", "type": str(element.tag), "text": element.text}
        for name, value in element.attrib.items():
            if name in _STYLES:
                entry[name] = value
            else:
                numbers += map(float, _NUMBER.findall(value))
        entry["points"] = first, len(numbers)
        entries.append(entry)
    return _encoded(entries, numbers)


def _encoded(entries: list[dict[str, Any]], numbers: list[float]) -> bytes:
    """The JSON of entries, whose `points` are the place of their first number and that of the first of the next."""
    rounded = np.round(np.array(numbers, float), _DECIMALS).tolist()
    for entry in entries:
        begin, end = entry["points"]
        entry["points"] = rounded[begin:end]
    return msgspec.json.encode(entries)


LEAN: Final[dict[str, Callable[[bytes], bytes]]] = {"dxf": dxf, "pdf": pdf, "svg": svg}
