"""The container formats of draw.io diagrams: XML of its own, the `content` attribute of an SVG, a text chunk of a PNG.

Source: draw.io wiki, "File Format"; PNG (ISO/IEC 15948) 11.3.4 for the chunks.

Glossary
  mxfile     the root of a file: pages (`diagram`), each compressed or plain.
  model      `mxGraphModel`, one page; it may stand alone.
  chunk      a typed block of a PNG; tEXt, zTXt and iTXt hold a keyword and a text.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from spatial.counting import count_of
from spatial.errors import ParseError, SpatialError, UnsupportedFileType
from spatial.formats import markup
from spatial.formats.inflate import InflateBudget

PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"

KEYWORDS: Final = (b"mxfile", b"mxGraphModel")
"""Of text chunks; the second is what older versions wrote."""

PAGES: Final = 1_000
"""Most pages that are read per file."""

_TEXT_CHUNKS: Final = (b"tEXt", b"zTXt", b"iTXt")


@dataclass(frozen=True)
class Chunk:
    """One chunk of a PNG."""

    kind: bytes
    body: bytes
    at: int
    """Byte of the file at which it begins."""
    is_sound: bool
    """Whether its checksum is right."""


@dataclass(frozen=True)
class Page:
    """One page of the file."""

    id: str
    name: str
    model: Any
    """The `mxGraphModel` element; None of an empty page."""
    compressed: bool = False

    @property
    def is_drawn(self) -> bool:
        """Whether it has a shape or a connector."""
        cells = () if self.model is None else self.model.iter()
        return any(cell.get("vertex") == "1" or cell.get("edge") == "1" for cell in cells)


@dataclass(frozen=True)
class Container:
    """The pages of one file, and what the file itself declares."""

    pages: list[Page]
    variables: str
    """`vars` of the mxfile: a JSON object of placeholders; empty where there is none."""
    warnings: list[str]
    partial: bool = False
    """Whether pages are missing, because the file is cut off or they are damaged."""


def read_xml(data: bytes, file_name: str) -> Container:
    """The diagram of an XML file; of one that is cut off, the pages before the cut.

    Raises: ParseError; UnsupportedFileType where it carries no diagram.
    """
    try:
        root, warnings = markup.parse(data, file_name)
    except ParseError:
        found = _whole_pages(data, file_name)
        if found is None:
            raise
        return found
    return _container(root, InflateBudget(file_name), warnings)


def _whole_pages(data: bytes, file_name: str) -> Container | None:
    """The pages of an mxfile before the place where it is cut off; None where there are none."""
    cut = markup.parse_cut(data)
    if cut is None or markup.local(cut[0]) != "mxfile":
        return None
    root, unclosed = cut
    for element in unclosed[1:2]:
        root.remove(element)
    if not len(root):
        return None
    found = _container(root, InflateBudget(file_name), [])
    if not any(page.is_drawn for page in found.pages):
        return None
    missing = f"the file is cut off after {len(root)} whole page{'s' if len(root) > 1 else ''}; what follows is missing"
    return replace(found, warnings=[missing, *found.warnings], partial=True)


def read_svg_content(content: str, file_name: str) -> Container:
    """The diagram in the `content` attribute of an SVG. Raises: ParseError, UnsupportedFileType."""
    return _read_markup(content.encode("utf-8", "surrogatepass"), InflateBudget(file_name))


def read_png(data: bytes, file_name: str) -> Container:
    """The diagram in the text chunks of a PNG. Raises: ParseError where it is broken; UnsupportedFileType where it carries no diagram."""
    damaged: Chunk | None = None
    chunks = _text_chunks(data, file_name)
    for chunk in chunks:
        if chunk.body.partition(b"\0")[0] in KEYWORDS:
            found = _read_chunk(chunk, InflateBudget(file_name))
            return replace(found, warnings=[*found.warnings, *_cut_after(chunks)])
        damaged = damaged if chunk.is_sound else chunk
    if damaged is not None:  # which may be the diagram, with another keyword
        raise _damaged(damaged, file_name)
    raise UnsupportedFileType(
        f"{file_name}: the PNG carries no diagram; export it from draw.io with a copy of the diagram",
        details={"file_name": file_name},
    )


def _cut_after(chunks: Iterator[Chunk]) -> list[str]:
    """A warning where the PNG is cut short after its diagram, which is whole."""
    try:
        deque(chunks, maxlen=0)
    except ParseError as error:
        return [f"the picture of the PNG is cut short at byte {(error.details or {})['byte']}; its diagram is whole"]
    return []


def _read_chunk(chunk: Chunk, budget: InflateBudget) -> Container:
    """The diagram in a text chunk. A wrong checksum is a warning where the text proves to be a diagram: draw.io has written such."""
    warnings: list[str] = []
    try:
        found = _read_markup(_text_of(chunk, budget, warnings), budget)
    except SpatialError as error:
        if chunk.is_sound or "limit_bytes" in (error.details or {}):
            raise
        raise _damaged(chunk, budget.file_name) from error
    if not chunk.is_sound:
        warnings.append(f"the checksum of the PNG's text at byte {chunk.at} is wrong; parts of it may be damaged")
    return replace(found, warnings=[*warnings, *found.warnings])


def _damaged(chunk: Chunk, file_name: str) -> ParseError:
    return ParseError(
        f"{file_name}: the PNG is damaged at byte {chunk.at}; export it again",
        details={"phase": "read", "byte": chunk.at},
    )


def _text_chunks(data: bytes, file_name: str) -> Iterator[Chunk]:
    """Each text chunk. Raises: ParseError where a chunk before it is cut short."""
    if not data.startswith(PNG_SIGNATURE):
        raise ParseError(f"{file_name}: the file is not a PNG; export it again", details={"phase": "read"})
    at = len(PNG_SIGNATURE)
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        body, check = data[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if len(kind) < 4 or len(check) < 4:
            raise ParseError(
                f"{file_name}: the PNG is cut short at byte {at}; export it again",
                details={"phase": "read", "byte": at},
            )
        if kind in _TEXT_CHUNKS:
            yield Chunk(kind, body, at, zlib.crc32(kind + body) == int.from_bytes(check))
        if kind == b"IEND":
            return
        at += 12 + length
    raise ParseError(
        f"{file_name}: the PNG is cut short: it has no end; export it again", details={"phase": "read", "byte": at}
    )


def _text_of(chunk: Chunk, budget: InflateBudget, warnings: list[str]) -> bytes:
    """The text of a chunk, after its keyword."""
    rest = chunk.body.partition(b"\0")[2]
    if chunk.kind == b"tEXt":
        return rest
    if chunk.kind == b"zTXt":
        return budget.inflate(rest[1:], "the zTXt chunk", warnings)
    compressed = rest[:1] == b"\1"
    text = rest[2:].split(b"\0", 2)[-1]
    return budget.inflate(text, "the iTXt chunk", warnings) if compressed else text


def _read_markup(text: bytes, budget: InflateBudget) -> Container:
    """The diagram in markup that may be percent-encoded. Raises: ParseError."""
    if not text.lstrip().startswith(b"<"):
        # A bare + is a space to Java, which wrote some; encodeURIComponent and Python never leave one.
        text = unquote_to_bytes(text.replace(b"+", b" "))
    root, warnings = markup.parse(text.strip(), budget.file_name)
    return _container(root, budget, warnings)


def _container(root: Any, budget: InflateBudget, warnings: list[str]) -> Container:
    name = markup.local(root)
    if name == "mxGraphModel":
        return Container([Page("page-1", "Page-1", root)], "", warnings)
    if name != "mxfile":
        raise UnsupportedFileType(
            f"{budget.file_name}: the XML carries no diagram (its root is <{name[:40]}>); "
            "send an <mxfile> or <mxGraphModel> of draw.io",
            details={"file_name": budget.file_name},
        )
    elements = [child for child in root if markup.local(child) == "diagram"]
    if not elements:
        raise ParseError(
            f"{budget.file_name}: the diagram has no page; add one, and save it again", details={"phase": "read"}
        )
    if len(elements) > PAGES:
        warnings.append(f"the first {PAGES:,} of {count_of(len(elements), 'page')} are read")
    pages = [_page(place, element, budget, warnings) for place, element in enumerate(elements[:PAGES], start=1)]
    found = [page for page in pages if page is not None]
    if len(found) < len(pages) and not any(page.is_drawn for page in found):
        raise ParseError(f"{budget.file_name}: {warnings[-1]}", details={"phase": "read"})
    return Container(found, root.get("vars") or "", warnings, partial=len(found) < len(pages))


def _page(place: int, element: Any, budget: InflateBudget, warnings: list[str]) -> Page | None:
    """One `diagram` element; None, with a warning, where its content cannot be read."""
    identity, name = element.get("id") or f"page-{place}", element.get("name") or f"Page-{place}"
    model = next((child for child in element if markup.local(child) == "mxGraphModel"), None)
    text = (element.text or "").strip()
    if model is not None or not text:
        return Page(identity, name, model)
    try:
        plain = _decompressed(text, budget, f"page {name!r}", warnings)
        root, more = markup.parse(plain, budget.file_name)
    except SpatialError as error:
        if "limit_bytes" in (error.details or {}):
            raise
        warnings.append(f"page {name!r} could not be read: {error.message.removeprefix(f'{budget.file_name}: ')}")
        return None
    warnings.extend(more)
    if markup.local(root) != "mxGraphModel":
        warnings.append(f"page {name!r} has no diagram")
        return None
    return Page(identity, name, root, compressed=not text.startswith(("<", "%3C", "%3c")))


def _decompressed(text: str, budget: InflateBudget, what: str, warnings: list[str]) -> bytes:
    """base64, raw deflate, percent-encoding; some writers leave out one or the other. Raises: ParseError."""
    if text.startswith("<"):
        return text.encode("utf-8", "surrogatepass")
    if not text.startswith(("%3C", "%3c")):
        try:
            compact = re.sub(r"[\s=]+", "", text)
            packed = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
        except (binascii.Error, ValueError) as error:
            raise ParseError(
                f"{budget.file_name}: {what} is not base64; export it again", details={"phase": "read"}
            ) from error
        text = budget.inflate(packed, what, warnings).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    return unquote_to_bytes(text.replace("+", " ")) if not text.startswith("<") else text.encode()
