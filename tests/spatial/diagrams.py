"""Diagrams to test with: cells in a line of code each, in every wrapping."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from spatial.pipeline.read import read_file

GROUND = '<mxCell id="0"/><mxCell id="1" parent="0"/>'
"""Root and the one layer that every file has."""

Record = dict[str, Any]


def attributes(values: dict[str, Any]) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in values.items() if value is not None)


def vertex(
    id: str,
    box: tuple[float, float, float, float] = (0, 0, 40, 20),
    value: str = "",
    style: str = "html=1;",
    parent: str = "1",
    geometry: str = "",
    **further: str,
) -> str:
    """A shape. geometry: further attributes of its mxGeometry, written out."""
    x, y, width, height = box
    cell = {"id": id, "value": value, "style": style, "vertex": "1", "parent": parent, **further}
    return (
        f'<mxCell{attributes(cell)}><mxGeometry x="{x}" y="{y}" width="{width}" height="{height}" {geometry} '
        'as="geometry"/></mxCell>'
    )


def edge(
    id: str,
    source: str | None = None,
    target: str | None = None,
    value: str = "",
    style: str = "html=1;",
    parent: str = "1",
    inner: str = "",
    **further: str,
) -> str:
    """A connector. inner: what its mxGeometry holds."""
    cell = {"id": id, "value": value, "style": style, "edge": "1", "parent": parent, "source": source, "target": target}
    return f'<mxCell{attributes(cell | further)}><mxGeometry relative="1" as="geometry">{inner}</mxGeometry></mxCell>'


def point(x: float, y: float, role: str | None = None) -> str:
    return f"<mxPoint{attributes({'x': x, 'y': y, 'as': role})}/>"


def points(*places: tuple[float, float]) -> str:
    return f'<Array as="points">{"".join(point(x, y) for x, y in places)}</Array>'


def wrapper(cell: str, name: str = "UserObject", **properties: str) -> str:
    """A cell in a `UserObject` or `object`, which takes its id."""
    head, _, rest = cell.partition(' id="')
    identity, _, rest = rest.partition('"')
    return f"<{name}{attributes({'id': identity, **properties})}>{head}{rest}</{name}>"


def model(*cells: str, ground: str = GROUND) -> str:
    return f"<mxGraphModel><root>{ground}{''.join(cells)}</root></mxGraphModel>"


def packed(page: str, *, percent: bool = True) -> str:
    """draw.io's compression: percent-encoded, raw deflate, base64."""
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = quote(page, safe="~()*!.'") if percent else page
    return base64.b64encode(engine.compress(text.encode()) + engine.flush()).decode()


def mxfile(*pages: str, variables: str | None = None) -> str:
    """A file of pages, each either a model or packed."""
    body = "".join(f'<diagram id="p{n}" name="Page-{n}">{page}</diagram>' for n, page in enumerate(pages, start=1))
    return f"<mxfile{attributes({'host': 'test', 'vars': variables})}>{body}</mxfile>"


def svg(content: str) -> str:
    head = 'xmlns="http://www.w3.org/2000/svg" width="10" height="10"'
    return f'<svg {head} content={quoteattr(content)}><rect width="9" height="9"/></svg>'


def png(*texts: tuple[bytes, bytes]) -> bytes:
    """A PNG of one grey pixel with text chunks."""
    chunks = [
        (b"IHDR", bytes([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])), *texts, (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")
    ]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4) for kind, body in chunks
    )


def raw_deflated(text: bytes) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(text) + engine.flush()


def itxt(keyword: bytes, text: bytes, *, compressed: bool) -> tuple[bytes, bytes]:
    body = zlib.compress(text) if compressed else text
    return b"iTXt", keyword + b"\0" + bytes([compressed, 0]) + b"en\0\0" + body


def _percent(text: str) -> bytes:
    return quote(text, safe="~()*!.'").encode()


WRAPPINGS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "bare model": ("a.drawio", lambda page: page.encode()),
    "bare model in XML": ("a.xml", lambda page: b'<?xml version="1.0"?>\n' + page.encode()),
    "plain page": ("a.drawio", lambda page: mxfile(page).encode()),
    "compressed page": ("a.drawio", lambda page: mxfile(packed(page)).encode()),
    "compressed page, not percent-encoded": ("a.drawio", lambda page: mxfile(packed(page, percent=False)).encode()),
    "compressed page in XML": ("a.xml", lambda page: mxfile(packed(page)).encode()),
    "escaped page": ("a.xml", lambda page: mxfile(quote(page, safe="")).encode()),
    "SVG": ("a.svg", lambda page: svg(mxfile(page)).encode()),
    "SVG, compressed page": ("a.svg", lambda page: svg(mxfile(packed(page))).encode()),
    "SVG, bare model": ("a.svg", lambda page: svg(page).encode()),
    "SVG, percent-encoded": ("a.svg", lambda page: svg(_percent(mxfile(page)).decode()).encode()),
    "tEXt": ("a.png", lambda page: png((b"tEXt", b"mxfile\0" + _percent(mxfile(page))))),
    "tEXt, compressed page": ("a.png", lambda page: png((b"tEXt", b"mxfile\0" + _percent(mxfile(packed(page)))))),
    "tEXt, not percent-encoded": ("a.png", lambda page: png((b"tEXt", b"mxfile\0" + mxfile(page).encode()))),
    "tEXt mxGraphModel": ("a.png", lambda page: png((b"tEXt", b"mxGraphModel\0" + _percent(page)))),
    "zTXt": ("a.png", lambda page: png((b"zTXt", b"mxfile\0\0" + zlib.compress(_percent(mxfile(page)))))),
    "zTXt mxGraphModel, raw deflate": (
        "a.png", lambda page: png((b"zTXt", b"mxGraphModel\0\0" + raw_deflated(_percent(page).replace(b"%20", b"+"))))
    ),
    "iTXt": ("a.png", lambda page: png(itxt(b"mxfile", mxfile(page).encode(), compressed=False))),
    "iTXt, compressed": ("a.png", lambda page: png(itxt(b"mxfile", _percent(mxfile(page)), compressed=True))),
    "iTXt mxGraphModel": ("a.png", lambda page: png(itxt(b"mxGraphModel", page.encode(), compressed=True))),
}  # fmt: skip
"""Every wrapping, by what it is: a file name, and how a model becomes its bytes."""


def source(data: bytes | str, file_name: str = "a.drawio") -> Any:
    """The file after it was read."""
    content = data.encode() if isinstance(data, str) else data
    return read_file(content, file_name)


def pages(data: bytes | str, file_name: str = "a.drawio") -> list[Record]:
    """The pages as JSON has them."""
    found: list[Record] = source(data, file_name).reading.structure.model_dump(mode="json", exclude_none=True)["pages"]
    return found


def page(*cells: str, ground: str = GROUND) -> Record:
    """The page that cells make."""
    return pages(model(*cells, ground=ground))[0]


def warnings(*cells: str, ground: str = GROUND) -> str:
    """All warnings in one text."""
    return "\n".join(source(model(*cells, ground=ground)).reading.warnings)


def node(id: str, *cells: str, ground: str = GROUND) -> Record:
    return by_id(page(*cells, ground=ground)["nodes"])[id]


def link(id: str, *cells: str, ground: str = GROUND) -> Record:
    """A connector of a page."""
    return by_id(page(*cells, ground=ground)["edges"])[id]


def by_id(records: Iterable[Record]) -> dict[str, Record]:
    return {record["id"]: record for record in records}


def box(record: Record) -> tuple[float, float, float, float]:
    found = record["bbox"]
    return found["x"], found["y"], found["width"], found["height"]
