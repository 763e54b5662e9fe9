"""Files in which nothing is: a whole one with a sheet or a page is a document that says so, any other is refused."""

from __future__ import annotations

import io

import ezdxf.filemanagement
import pymupdf
import pytest

from spatial.errors import SpatialError
from spatial.models.reading import NOTHING_FOUND
from spatial.pipeline.read import read_file
from tests.spatial.diagrams import model, mxfile, packed, png, svg, vertex

STEP = b"""ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));
ENDSEC;
DATA;
"""
END = b"ENDSEC;\nEND-ISO-10303-21;\n"
PRODUCT = b"""#1=APPLICATION_CONTEXT('automotive design');
#2=PRODUCT_CONTEXT('',#1,'mechanical');
#3=PRODUCT('P','P','',(#2));
#4=PRODUCT_DEFINITION_FORMATION('','',#3);
#5=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');
#6=PRODUCT_DEFINITION('','',#4,#5);
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
NO_PAGE = "<mxfile/>"
EMPTY_PAGE = "<mxfile><diagram/></mxfile>"


def dxf() -> bytes:
    text = io.StringIO()
    ezdxf.filemanagement.new("R2010").write(text)
    return text.getvalue().encode()


def pdf() -> bytes:
    document = pymupdf.open()
    document.new_page()
    document.new_page()
    data: bytes = document.tobytes()
    return data


def iges() -> bytes:
    """No entity: neither a directory nor a parameter section, of which the last record says the same."""
    words = "1H,,1H;,1HT,1HT,1HT,1HT,32,38,6,308,15,1HT,1.,2,2HMM,1,0.08,15H20200101.000000,1.E-06,0.,1HT,1HT,11,0;"
    pieces = [words[at : at + 72] for at in range(0, len(words), 72)]
    records = [("", "S", 1), *((piece, "G", place) for place, piece in enumerate(pieces, 1))]
    records.append((f"S{1:7}G{len(pieces):7}D{0:7}P{0:7}", "T", 1))
    return "".join(f"{text:<72}{section}{number:7}\n" for text, section, number in records).encode()


def chunk(text: str) -> bytes:
    return png((b"tEXt", b"mxfile\0" + text.encode()))


DOCUMENTS: dict[str, tuple[str, bytes]] = {
    "dxf": ("a.dxf", dxf()),
    "dxf, only a section": ("a.dxf", b"0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n"),
    "svg": ("a.svg", f"{SVG}</svg>".encode()),
    "svg, a group": ("a.svg", f"{SVG}<g/></svg>".encode()),
    "svg, nothing that can be drawn": ("a.svg", f'{SVG}<path d="?"/></svg>'.encode()),
    "svg, a diagram": ("a.svg", svg(mxfile(model())).encode()),
    "pdf": ("a.pdf", pdf()),
    "drawio": ("a.drawio", mxfile(model()).encode()),
    "drawio, no model": ("a.drawio", EMPTY_PAGE.encode()),
    "drawio, compressed": ("a.drawio", mxfile(packed(model())).encode()),
    "xml": ("a.xml", mxfile(model(), model()).encode()),
    "png": ("a.png", chunk(mxfile(model()))),
}
"""Whole files with sheets or pages, on which nothing is."""

REFUSED: dict[str, tuple[str, bytes, int, str]] = {
    "step": ("a.step", STEP + END, 422, "has no shape"),
    "step, a product": ("a.step", STEP + PRODUCT + END, 422, "has no shape"),
    "step, cut": ("a.step", STEP, 422, "truncated"),
    "iges": ("a.igs", iges(), 422, "has no shape"),
    "iges, cut": ("a.igs", iges()[:162], 422, "truncated"),
    "dxf, cut": ("a.dxf", b"0\nSECTION\n2\nENTITIES\n", 422, "cut off"),
    "svg, cut": ("a.svg", SVG.encode(), 422, "cut off"),
    "svg, a diagram without pages": ("a.svg", svg(NO_PAGE).encode(), 422, "no page"),
    "pdf, cut": ("a.pdf", b"%PDF-1.7\n", 422, "not a readable PDF"),
    "drawio": ("a.drawio", NO_PAGE.encode(), 422, "no page"),
    "drawio, cut after an empty page": (
        "a.drawio",
        b"<mxfile><diagram><mxGraphModel/></diagram><diagram>",
        422,
        "cut off",
    ),
    "drawio, a damaged page and an empty one": (
        "a.drawio",
        b"<mxfile><diagram>?</diagram><diagram/></mxfile>",
        422,
        "is not base64",
    ),
    "xml": ("a.xml", NO_PAGE.encode(), 422, "no page"),
    "xml, no diagram": ("a.xml", b"<a/>", 415, "no diagram"),
    "png": ("a.png", chunk(NO_PAGE), 422, "no page"),
    "png, no diagram": ("a.png", png(), 415, "no diagram"),
    "png, cut": ("a.png", png()[:20], 422, "cut short"),
}
"""Files without a shape, a sheet or a page; their errors."""


@pytest.mark.parametrize("name", list(DOCUMENTS))
@pytest.mark.requirement("extract.empty")
def test_empty_sheets_and_pages_are_a_document_with_the_same_warning(name: str) -> None:
    file_name, data = DOCUMENTS[name]
    reading = read_file(data, file_name).reading
    assert reading.warnings.count(NOTHING_FOUND) == 1 and not reading.partial
    assert reading.bbox is None


@pytest.mark.parametrize("name", list(REFUSED))
@pytest.mark.requirement("extract.empty", "extract.partial-empty")
def test_a_file_without_a_shape_a_sheet_or_a_page_is_refused(name: str) -> None:
    file_name, data, status, reason = REFUSED[name]
    with pytest.raises(SpatialError, match=reason) as refused:
        read_file(data, file_name)
    what, _, advice = refused.value.message.partition("; ")
    assert refused.value.status == status and what.startswith(f"{file_name}: ") and advice


@pytest.mark.requirement("extract.empty")
def test_what_is_drawn_anywhere_is_no_empty_file() -> None:
    document = pymupdf.open()
    document.new_page()
    document.new_page().draw_line((72, 72), (90, 90))
    one = mxfile(model(), model(vertex("a")))
    drawn = {"a.pdf": document.tobytes(), "a.drawio": one.encode(), "a.svg": f'{SVG}<line x2="3"/></svg>'.encode()}
    for file_name, data in drawn.items():
        assert NOTHING_FOUND not in read_file(data, file_name).reading.warnings, file_name
    assert "page 'Page-1' is empty" in read_file(one.encode(), "a.drawio").reading.warnings
