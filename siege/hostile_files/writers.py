"""The shells of the formats, into which hostile content is put.

Sources: ISO 10303-21 (Part 21), IGES 5.3, ISO 32000-1 (PDF), the DXF reference of Autodesk, the SVG 1.1 recommendation, the file format of
draw.io.
"""

from __future__ import annotations

import zlib
from typing import Final

MILLION: Final = 1_000_000

PACKED: Final = 1024**3
"""Bytes to which bombs unpack."""

SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 99 99">'

STEP_HEAD: Final = (
    "ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');"
    "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));ENDSEC;DATA;"
)


def step(data: str) -> bytes:
    return f"{STEP_HEAD}{data}ENDSEC;END-ISO-10303-21;".encode()


def dxf(entities: str, blocks: str = "") -> bytes:
    sections = f"0\nSECTION\n2\nBLOCKS\n{blocks}0\nENDSEC\n" if blocks else ""
    return f"{sections}0\nSECTION\n2\nENTITIES\n{entities}0\nENDSEC\n0\nEOF\n".encode()


def block(name: str, content: str) -> str:
    return f"0\nBLOCK\n2\n{name}\n70\n0\n10\n0\n20\n0\n{content}0\nENDBLK\n"


def insert(name: str, more: str = "") -> str:
    return f"0\nINSERT\n2\n{name}\n10\n0\n20\n0\n{more}"


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    body, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + head + rows + tail


def page(content: bytes, entries: bytes = b"", *more: bytes) -> bytes:
    """One page with a content stream; further objects begin with 5."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 842 595]/Contents 4 0 R%b>>" % entries
    catalog, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return pdf(catalog, pages, page, stream(content), *more)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return stream_of(zlib.compress(content, 9), entries)


def stream_of(packed: bytes, entries: bytes = b"") -> bytes:
    return b"<<%b/Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (entries, len(packed), packed)


def diagram(cells: str) -> bytes:
    ground = '<mxCell id="0"/><mxCell id="1" parent="0"/>'
    return f"<mxGraphModel><root>{ground}{cells}</root></mxGraphModel>".encode()


def vertex(name: str, parent: str = "1", box: str = 'x="0" y="0" width="9" height="9"', label: str = "") -> str:
    geometry = f'<mxGeometry {box} as="geometry"/>'
    return f'<mxCell id="{name}" parent="{parent}" vertex="1" value="{label}">{geometry}</mxCell>'


def scaled(scale: float, most: int) -> int:
    return max(2, int(scale * most))


def iges_line(text: str, section: str, number: int, back: int | None = None) -> str:
    body = f"{text[:72]:<72}" if back is None else f"{text[:64]:<64}{back:>8}"
    return f"{body}{section}{number:>7}\n"
