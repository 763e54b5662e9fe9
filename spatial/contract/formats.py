"""The formats table: one row per format.

The extension selects the row (spec: CadExtractRequest.file_name); `sniff` recognises a format from the content, regardless of the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from spatial.errors import InvalidRequest, UnsupportedFileType

SNIFF_BYTES: Final = 8192
"""How many leading bytes `sniff` examines."""


@dataclass(frozen=True)
class Format:
    """One row: how a format is named, recognised and read."""

    name: str
    extensions: tuple[str, ...]
    title: str
    media_type: str
    kind: str
    """Value of `structure.kind` in its documents."""
    looks_like: Callable[[bytes], bool]
    """Whether leading bytes (at most SNIFF_BYTES) are of this format."""
    reader: str
    """Module with `read(data, file_name)`, which returns a model (spatial.models) of a file."""
    optional_parts: tuple[str, ...] = ()
    """What the reader leaves out on request, by an argument `without`: a file with which the parser dies is read again without."""


_STEP = re.compile(rb"(?>\s*(?:/\*.*?\*/\s*)*+)ISO-10303-21\s*;", re.DOTALL)
_IGES_FIRST = re.compile(rb".{72}[SC][ 0]*1\s*")
_BLANKS, _LINE_END = rb"[ \t\v\f]*+", rb"(?>\r\n|\n|\r)"
_DXF_FIRST = re.compile(
    rb"\s*+(?:999%b%b[^\r\n]*+%b%b)*+0%b%b%bSECTION%b(?:[\r\n]|\Z)"
    % (_BLANKS, _LINE_END, _LINE_END, _BLANKS, _BLANKS, _LINE_END, _BLANKS, _BLANKS)
)
_PROLOG = re.compile(rb"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*+(?:\[.*?\]\s*+)?>)*+", re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.-]++:)?([\w.-]++)")
# The content may be hostile: repeated groups are possessive, because a run of comments would otherwise take exponential time to refuse.


def _step(head: bytes) -> bool:
    return _STEP.match(_without_mark(head)) is not None


def _iges(head: bytes) -> bool:
    """Fixed 80-column records, with or without line ends; the first is S (or C, compressed) number 1 from column 73."""
    first = re.split(rb"[\r\n]", head, maxsplit=1)[0]
    return _IGES_FIRST.fullmatch(first[:80]) is not None


def _dxf(head: bytes) -> bool:
    """Pairs of lines, group code and value: any comments (999), then 0 SECTION."""
    if head.startswith(b"AutoCAD Binary DXF\r\n\x1a\0"):
        return True
    return _DXF_FIRST.match(_without_mark(head)) is not None


def _pdf(head: bytes) -> bool:
    """Readers accept the header anywhere in the first 1,024 bytes (ISO 32000-1, note to 7.5.2 in Adobe's edition)."""
    return b"%PDF-" in head[:1024]


def _png(head: bytes) -> bool:
    return head.startswith(b"\x89PNG\r\n\x1a\n")


def _markup(head: bytes) -> bytes:
    """The name of the root element, without prefix; empty if there is none in the leading bytes."""
    text = _without_mark(head).replace(b"\0", b"")
    prolog = _PROLOG.match(text)
    root = _ROOT.match(text, prolog.end() if prolog else 0)
    return root.group(1) if root else b""


def _without_mark(head: bytes) -> bytes:
    """Remove the byte order mark that some editors put before UTF-8 and UTF-16 text."""
    return re.sub(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)", b"", head)


def _svg(head: bytes) -> bool:
    return _markup(head) == b"svg"


def _drawio(head: bytes) -> bool:
    return _markup(head) in (b"mxfile", b"mxGraphModel")


def _xml(head: bytes) -> bool:
    return _markup(head) != b""


NAMES: Final = "names"
"""Optional part of a model: the names of its parts and of their placements."""

FORMATS: Final = (
    Format(
        "step",
        ("step", "stp"),
        "STEP (ISO 10303-21)",
        "model/step",
        "brep",
        _step,
        "spatial.formats.step.reader",
        optional_parts=(NAMES,),
    ),
    Format(
        "iges",
        ("iges", "igs"),
        "IGES 5.3",
        "model/iges",
        "brep",
        _iges,
        "spatial.formats.iges.reader",
        optional_parts=(NAMES,),
    ),
    Format("dxf", ("dxf",), "AutoCAD DXF", "image/vnd.dxf", "drawing2d", _dxf, "spatial.formats.dxf.reader"),
    Format(
        "pdf",
        ("pdf",),
        "PDF with vector drawings",
        "application/pdf",
        "drawing2d",
        _pdf,
        "spatial.formats.pdf.reader",
    ),
    Format(
        "drawio",
        ("drawio",),
        "draw.io diagram",
        "application/vnd.jgraph.mxfile",
        "diagram2d",
        _drawio,
        "spatial.formats.drawio.reader",
    ),
    Format("svg", ("svg",), "SVG drawing or diagram", "image/svg+xml", "drawing2d", _svg, "spatial.formats.svg.reader"),
    Format(
        "xml",
        ("xml",),
        "XML that carries a diagram",
        "application/xml",
        "diagram2d",
        _xml,
        "spatial.formats.drawio.reader",
    ),
    Format("png", ("png",), "PNG that carries a diagram", "image/png", "diagram2d", _png, "spatial.formats.drawio.png"),
)

FORMAT_NAMES: Final = tuple(row.name for row in FORMATS)

EXTENSIONS: Final = {extension: row for row in FORMATS for extension in row.extensions}


@dataclass(frozen=True)
class Family:
    """Files that are not read, for one reason and with one way out."""

    reason: str
    """Follows "<what they are> files (.<extension>) are"."""
    advice: str
    extensions: dict[str, str]
    """What the files with an extension are."""


FAMILIES: Final = (
    Family(
        "proprietary native CAD", "export STEP and send that",
        {
            "sldprt": "SolidWorks part", "sldasm": "SolidWorks assembly", "ipt": "Inventor part", "iam": "Inventor assembly",
            "catpart": "CATIA part", "catproduct": "CATIA assembly", "prt": "NX or Creo part", "asm": "Creo assembly",
            "par": "Solid Edge part", "psm": "Solid Edge sheet metal", "x_t": "Parasolid", "x_b": "Parasolid", "sat": "ACIS",
            "jt": "JT", "f3d": "Fusion", "3dm": "Rhino", "skp": "SketchUp", "fcstd": "FreeCAD", "rvt": "Revit",
        },
    ),
    Family(
        "native drawings", "export DXF or PDF of the drawing and send that, or export STEP of a solid model in it",
        {"dwg": "AutoCAD drawing", "dgn": "MicroStation drawing", "dwf": "Design Web Format", "dwfx": "Design Web Format"},
    ),
    Family(
        "native drawings of a model", "export PDF or DXF of the drawing and send that, or export STEP of its model",
        {
            "slddrw": "SolidWorks drawing", "idw": "Inventor drawing", "catdrawing": "CATIA drawing", "dft": "Solid Edge draft",
            "drw": "Creo drawing",
        },
    ),
    Family(
        "meshes without exact surfaces", "export STEP from the program that made the model and send that",
        {
            "stl": "STL", "obj": "Wavefront OBJ", "3mf": "3MF", "ply": "PLY", "off": "OFF", "amf": "AMF", "wrl": "VRML",
            "gltf": "glTF", "glb": "glTF",
        },
    ),
    Family(
        "images of pixels, which are not read", "send the vector original as PDF, DXF or SVG",
        {
            "jpg": "JPEG", "jpeg": "JPEG", "gif": "GIF", "bmp": "BMP", "tif": "TIFF", "tiff": "TIFF", "webp": "WebP", "heic": "HEIC",
        },
    ),
    Family(
        "archives or compressed", "unpack them and send what is in them",
        {
            "zip": "ZIP", "rar": "RAR", "7z": "7-Zip", "tar": "tar", "tgz": "tar", "gz": "gzip", "bz2": "bzip2", "xz": "xz",
            "stpz": "STEP", "svgz": "SVG", "dxfz": "DXF",
        },
    ),
    Family(
        "office documents", "export PDF and send that",
        {
            "doc": "Word", "docx": "Word", "xls": "Excel", "xlsx": "Excel", "ppt": "PowerPoint", "pptx": "PowerPoint",
            "odt": "OpenDocument text", "ods": "OpenDocument spreadsheet", "odp": "OpenDocument presentation",
        },
    ),
    Family(
        "building models, not CAD of parts", "export STEP of the part and send that", {"ifc": "IFC", "ifczip": "IFC"},
    ),
    Family(
        "text or data without a drawing", "send the drawing or the model that they belong to, as PDF, DXF, SVG or STEP",
        {
            "txt": "text", "md": "Markdown", "csv": "CSV", "json": "JSON", "yaml": "YAML", "yml": "YAML", "toml": "TOML",
            "html": "HTML", "htm": "HTML", "rtf": "RTF", "log": "log",
        },
    ),
    Family(
        "diagrams in words", "render them as SVG or PDF, or draw them in draw.io, and send that",
        {
            "puml": "PlantUML", "plantuml": "PlantUML", "mmd": "Mermaid", "mermaid": "Mermaid", "dot": "Graphviz", "gv": "Graphviz",
            "d2": "D2", "bpmn": "BPMN",
        },
    ),
    Family(
        "films or sounds", "send the drawing or the model as PDF, DXF, SVG or STEP",
        {"mp4": "MPEG-4", "mov": "QuickTime", "avi": "AVI", "mkv": "Matroska", "webm": "WebM", "mp3": "MP3", "wav": "WAV"},
    ),
    Family(
        "diagrams of another program", "export SVG or PDF, or save it as .drawio, and send that",
        {"vsd": "Visio", "vsdx": "Visio"},
    ),
)  # fmt: skip
"""Extensions that callers send although they are not read, so that the refusal says what to send instead."""

UNREAD: Final = {extension: family for family in FAMILIES for extension in family.extensions}


def extension_of(file_name: str) -> str:
    """The lower-case extension without its dot; empty if the name has none."""
    base = re.split(r"[/\\]", file_name)[-1].strip()
    stem, dot, extension = base.rpartition(".")
    return extension.lower() if dot and stem else ""


FEATURE_TREE: Final = Format(
    "feature_tree",
    (),
    "feature tree of a CAD partner",
    "application/json",
    "brep",
    lambda head: False,
    "spatial.formats.feature_tree.reader",
)
"""Read by the converter like a file, but imported by routes of its own: no extension selects it, and no content looks like it."""


def format_of(file_name: str) -> Format:
    """The row that the name's extension selects.

    Raises: InvalidRequest for an empty name; UnsupportedFileType for an extension without a row.
    """
    if not file_name.strip():
        raise InvalidRequest(
            "file_name is empty; send the file's name with its extension", details={"field": "file_name"}
        )
    extension = extension_of(file_name)
    row = EXTENSIONS.get(extension)
    if row is None:
        raise UnsupportedFileType(_refusal(file_name, extension), details={"file_name": file_name})
    return row


def sniff(data: bytes) -> Format | None:
    """The first row whose signature matches the leading bytes; None if no row matches."""
    head = data[:SNIFF_BYTES]
    return next((row for row in FORMATS if row.looks_like(head)), None)


def _refusal(file_name: str, extension: str) -> str:
    if not extension and (bare := extension_of("drawing" + file_name.strip())) in EXTENSIONS:
        return f"{file_name}: this is an extension without a name; put a name before it, as in drawing.{bare}"
    if not extension:
        return f"{file_name}: the name has no extension; add it, because it selects the parser"
    family = UNREAD.get(extension)
    if family is not None:
        title = family.extensions[extension]
        return f"{file_name}: {title} files (.{extension}) are {family.reason}; {family.advice}"
    return (
        f"{file_name}: .{extension} files are not supported; accepted are {', '.join(sorted(EXTENSIONS))}; "
        "send the file in one of these formats"
    )
