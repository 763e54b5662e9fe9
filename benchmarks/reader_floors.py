"""The least that reading a file costs, whatever is made of it: the calls and conversions that no reader can do without.

    dxf   decode and split the file, its group codes as numbers, its coordinates as numbers
    pdf   MuPDF's paths one by one, and a record of every page with its trace of the text and one page of text
    svg   lxml's tree, the numbers of its attributes as numbers
    step  OCCT: parse, translation without any repair, the check that `validity` reports, every surface and curve taken out once
    iges  OCCT: parse, translation, sewing, the same check, every surface and curve taken out once

To each comes the JSON of our document, encoded from plain data by msgspec: the answer has that size.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
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
            page.get_cdrawings(extended=True, callback=_pass_over)
            recorded = RecordedPage(page)
            recorded.trace()
            recorded.text(0)


def _svg(data: bytes) -> None:
    for element in etree.fromstring(data).iter():
        for value in element.attrib.values():
            list(map(float, _NUMBER.findall(value)))


def _step(data: bytes) -> None:
    from OCP.STEPCAFControl import STEPCAFControl_Reader

    from spatial.formats.occt import kernel

    kernel.prepare()
    reader = STEPCAFControl_Reader()
    reader.ReadStream("floor.step", io.BytesIO(data))
    for shape in _translated(reader, kernel.SOLIDS):
        _take_out(shape)


def _iges(data: bytes) -> None:
    from OCP.IGESCAFControl import IGESCAFControl_Reader

    from spatial.formats.occt import kernel
    from spatial.models.brep.sewing import sew
    from spatial.models.brep.topology import faces_of

    kernel.prepare()
    reader = IGESCAFControl_Reader()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "floor.igs"
        path.write_bytes(data)
        reader.ReadFile(str(path))
    faces = [face for shape in _translated(reader, ()) for face in faces_of(shape)]
    for shell in sew(faces, 1e-3) or []:
        _take_out(shell)


def _translated(reader: Any, without: Collection[str]) -> list[Any]:
    """Every shape once, where it was modelled."""
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document

    from spatial.formats.occt import assembly, kernel
    from spatial.models.brep.instances import flatten

    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    kernel.transfer(reader, document, "floor", without)
    return [each.shape for each in flatten(assembly.roots(document), 1.0).definitions.values()]


def _take_out(shape: Any) -> None:
    """Check a shape, and ask for the surface of each face and the curve of each edge."""
    from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
    from OCP.BRepCheck import BRepCheck_Analyzer
    from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
    from OCP.TopExp import TopExp
    from OCP.TopoDS import TopoDS
    from OCP.TopTools import TopTools_IndexedMapOfShape

    BRepCheck_Analyzer(shape).IsValid()
    faces, edges = TopTools_IndexedMapOfShape(), TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
    TopExp.MapShapes_s(shape, TopAbs_EDGE, edges)
    for place in range(1, faces.Extent() + 1):
        BRepAdaptor_Surface(TopoDS.Face_s(faces.FindKey(place)), False).GetType()
    for place in range(1, edges.Extent() + 1):
        BRepAdaptor_Curve(TopoDS.Edge_s(edges.FindKey(place))).GetType()


FLOORS: Final[dict[str, Callable[[bytes], None]]] = {
    "dxf": _dxf,
    "pdf": _pdf,
    "svg": _svg,
    "step": _step,
    "iges": _iges,
}


def floor(name: str, data: bytes, document: bytes) -> Callable[[], object]:
    """The work of a format's floor.

    document: the bytes of our document of this file.
    """
    plain = msgspec.json.decode(document)

    def work() -> None:
        FLOORS[name](data)
        msgspec.json.encode(plain)

    return work
