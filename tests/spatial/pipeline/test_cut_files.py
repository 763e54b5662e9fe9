"""Files that are cut off: a document of what is whole, marked as partial, or an error; one rule for all formats."""

from __future__ import annotations

import io
from collections.abc import Callable

import ezdxf.filemanagement
import pymupdf
import pytest

from spatial.contract.extraction import Structure
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble
from spatial.errors import ParseError
from spatial.models.reading import Reading
from spatial.pipeline.read import read_file
from tests.spatial import parts
from tests.spatial.diagrams import edge, model, mxfile, packed, png, svg, vertex
from tests.spatial.models.test_brep_truth import step_bytes
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes

LINES = 40


def dxf() -> bytes:
    document = ezdxf.filemanagement.new("R2010", setup=True)
    for number in range(LINES):
        document.modelspace().add_line((number, 0), (number, 123.456))
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode()


def pdf() -> bytes:
    document = pymupdf.open()
    for number in range(3):
        page = document.new_page()
        page.insert_text((72, 72), f"SHEET {number}")
        page.draw_line((72, 100), (300, 100 + number))
    data: bytes = document.tobytes(deflate=False)
    return data


def plain_svg() -> bytes:
    lines = "".join(f'<line x1="{n}" y1="0" x2="{n}" y2="5"/>' for n in range(LINES))
    head = 'xmlns="http://www.w3.org/2000/svg" width="99" height="99"'
    return f'<svg {head}><g>{lines}</g><text x="1" y="9">whole text</text></svg>'.encode()


def page(number: int) -> str:
    return model(
        vertex(f"a{number}", value="A"), vertex(f"b{number}", (90, 0, 40, 20)), edge("e", f"a{number}", f"b{number}")
    )


def drawio(*, compressed: bool = False) -> bytes:
    return mxfile(*(packed(page(n)) if compressed else page(n) for n in range(4))).encode()


WHOLE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "dxf": ("a.dxf", dxf),
    "pdf": ("a.pdf", pdf),
    "svg": ("a.svg", plain_svg),
    "drawio": ("a.drawio", drawio),
    "drawio, compressed": ("a.drawio", lambda: drawio(compressed=True)),
    "xml": ("a.xml", drawio),
}
"""Formats of which a part can be read."""

REFUSED: dict[str, tuple[str, Callable[[], bytes]]] = {
    "step": ("a.step", lambda: step_bytes(parts.block())),
    "iges": ("a.igs", lambda: iges_bytes(parts.block(), mode=SOLIDS)),
    "png": ("a.png", lambda: png((b"tEXt", b"mxfile\0" + drawio()))),
}
"""Formats of which nothing is read unless it is whole: half a model is another model."""


def contents(reading: Reading) -> list[str]:
    """Everything that is drawn or written, comparably."""
    structure = Structure.model_validate(reading.structure.model_dump(exclude_none=True))
    nodes = [node for each in structure.pages or () for node in each.nodes]
    drawn = [*(structure.entities or ()), *(structure.annotations or ()), *nodes]
    return [record.model_dump_json(exclude={"id"}) for record in drawn]


@pytest.mark.parametrize("tenth", range(1, 10))
@pytest.mark.parametrize("name", list(WHOLE))
@pytest.mark.requirement("extract.partial")
def test_a_cut_file_is_a_marked_part_of_the_whole_or_refused(name: str, tenth: int) -> None:
    file_name, make = WHOLE[name]
    data = make()
    try:
        reading = read_file(data[: len(data) * tenth // 10], file_name).reading
    except ParseError:
        return
    assert reading.partial
    assert any("cut off" in warning for warning in reading.warnings)
    found = contents(reading)
    assert found and set(found) <= set(contents(read_file(data, file_name).reading))


@pytest.mark.parametrize("name", list(WHOLE))
@pytest.mark.requirement("extract.partial")
def test_most_of_a_file_is_read_where_little_is_cut_off(name: str) -> None:
    file_name, make = WHOLE[name]
    data = make()
    whole = read_file(data, file_name).reading
    cut = read_file(data[: len(data) * 19 // 20], file_name).reading
    assert cut.partial and not whole.partial
    assert len(contents(cut)) >= len(contents(whole)) // 2


@pytest.mark.parametrize("tenth", range(1, 10))
@pytest.mark.parametrize("name", list(REFUSED))
@pytest.mark.requirement("extract.partial")
def test_half_a_model_is_refused(name: str, tenth: int) -> None:
    file_name, make = REFUSED[name]
    data = make()
    with pytest.raises(ParseError):
        read_file(data[: len(data) * tenth // 10], file_name)


@pytest.mark.requirement("extract.partial-empty")
def test_a_cut_dxf_without_an_entity_is_refused() -> None:
    data = dxf()
    before = data.index(b"ENTITIES")
    with pytest.raises(ParseError, match="cut off") as refused:
        read_file(data[: before + 20], "a.dxf")
    assert refused.value.status == 422


@pytest.mark.requirement("extract.partial-empty")
def test_a_whole_dxf_without_an_entity_is_a_document() -> None:
    text = io.StringIO()
    ezdxf.filemanagement.new("R2010").write(text)
    assert not read_file(text.getvalue().encode(), "a.dxf").reading.partial


@pytest.mark.requirement("extract.partial")
def test_an_svg_cut_in_its_picture_has_its_whole_diagram() -> None:
    data = svg(mxfile(page(1))).encode()
    reading = read_file(data[:-8], "a.svg").reading
    assert not reading.partial and any("diagram is whole" in warning for warning in reading.warnings)
    assert contents(reading) == contents(read_file(data, "a.svg").reading)


@pytest.mark.requirement("extract.partial")
def test_text_that_is_cut_is_no_text() -> None:
    data = plain_svg()
    reading = read_file(data[: data.index(b" text</text>")], "a.svg").reading
    assert not reading.structure.annotations


@pytest.mark.requirement("extract.partial")
def test_damage_in_the_middle_is_no_cut() -> None:
    for file_name, data in (("a.svg", plain_svg()), ("a.drawio", drawio())):
        with pytest.raises(ParseError, match="well-formed"):
            read_file(data.replace(b"/>", b"/", 1), file_name)


@pytest.mark.requirement("extract.partial")
def test_the_document_says_so_only_where_it_is_partial() -> None:
    data = drawio()
    for content, partial in ((data, None), (data[:-40], True)):
        steps = read_file(content, "a.drawio")
        document = assemble(
            steps.reading,
            steps.interpret(),
            None,
            file_name="a.drawio",
            target=TargetContract.structured,
            request_id="test",
        )
        assert document.model_dump(exclude_none=True).get("partial") is partial
