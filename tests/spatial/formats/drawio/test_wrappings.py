"""Every wrapping of a draw.io diagram, and what is none."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.errors import ParseError, UnsupportedFileType
from tests.spatial.diagrams import (
    WRAPPINGS,
    Record,
    by_id,
    edge,
    itxt,
    model,
    mxfile,
    packed,
    pages,
    png,
    point,
    points,
    source,
    svg,
    vertex,
    wrapper,
)

DATA = Path(__file__).parents[3] / "data" / "diagrams"

SAMPLE = model(
    vertex("a", (10, 20, 80, 40), "Grüße &amp; <b>Küsse</b>\n100 % + 5"),
    vertex("c", (200, 20, 200, 200), "Lane", "swimlane;html=1;"),
    wrapper(vertex("b", (20, 60, 80, 40), parent="c"), "object", label="%who%", who="日本", placeholders="1"),
    edge("e", "a", "b", "yes", "dashed=1;"),
)


@pytest.mark.requirement("diagram.wrappings")
@pytest.mark.requirement("diagram.source-format")
@pytest.mark.requirement("diagram.units-pixel")
@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_the_same_diagram_from_every_wrapping(wrapping: str) -> None:
    name, wrapped = WRAPPINGS[wrapping]
    read = source(wrapped(SAMPLE), name).reading
    assert read.source_format == "drawio"
    assert read.units.name == "pixel"
    assert read.warnings == []
    (page,) = read.structure.model_dump(mode="json", exclude_none=True)["pages"]
    (plain,) = pages(SAMPLE)
    assert {**page, "id": plain["id"]} == plain
    assert by_id(page["nodes"])["a"]["label"] == "Grüße & Küsse\n100 % + 5"
    assert by_id(page["nodes"])["b"]["label"] == "日本"
    assert by_id(page["nodes"])["b"]["bbox"] == {"x": 220, "y": 80, "width": 80, "height": 40}


NAMES = st.sampled_from("abcdefghijkl")
NUMBERS = st.integers(-200, 800)
LABELS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12).map(
        lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
    ),
    st.sampled_from(
        ["<b>bold</b>", "one<br>two", "<p>x</p><p>y</p>", "%a%", "", "a &lt; b", "<div>1 + 1</div>", "%20"]
    ),
)
STYLES = st.sampled_from(
    ["html=1;", "ellipse;html=1;", "swimlane;html=1;startSize=30;", "text;html=1;", "rotation=30;"]
)
EDGE_STYLES = st.sampled_from(
    [
        "html=1;",
        "startArrow=oval;endArrow=none;",
        "endArrow=none;",
        "curved=1;dashed=1;",
        "edgeStyle=orthogonalEdgeStyle;",
    ]
)


@st.composite
def diagrams(draw: st.DrawFn) -> str:
    """Containers in containers, edges of all kinds, some loose."""
    names: list[str] = draw(st.lists(NAMES, unique=True, max_size=8))
    cells = []
    for place, name in enumerate(names):
        parent = draw(st.sampled_from(["1", *names[:place]]))
        frame = (draw(NUMBERS), draw(NUMBERS), draw(st.integers(0, 300)), draw(st.integers(0, 300)))
        cell = vertex(name, frame, draw(LABELS), draw(STYLES), parent)
        cells.append(wrapper(cell, label=draw(LABELS), note="1 < 2") if draw(st.booleans()) else cell)
    for place in range(draw(st.integers(0, 6))):
        source_end, target_end = (draw(st.sampled_from([None, *names])) for _ in range(2))
        inner = point(draw(NUMBERS), draw(NUMBERS), "sourcePoint") + point(draw(NUMBERS), draw(NUMBERS), "targetPoint")
        inner += points((draw(NUMBERS), draw(NUMBERS))) if draw(st.booleans()) else ""
        cells.append(
            edge(
                f"e{place}",
                source_end,
                target_end,
                draw(LABELS),
                draw(EDGE_STYLES),
                draw(st.sampled_from(["1", *names])),
                inner,
            )
        )
    return model(*cells)


@pytest.mark.requirement("diagram.wrappings")
@settings(max_examples=60, deadline=None)
@given(diagrams())
def test_any_diagram_is_the_same_from_every_wrapping(diagram: str) -> None:
    (plain,) = pages(diagram)
    for name, wrapped in WRAPPINGS.values():
        (page,) = pages(wrapped(diagram), name)
        assert {**page, "id": plain["id"]} == plain


@pytest.mark.requirement("diagram.pages-mixed")
def test_compressed_and_plain_pages_mix() -> None:
    found = pages(mxfile(SAMPLE, packed(SAMPLE), model(), ""))
    assert [len(page["nodes"]) for page in found] == [3, 3, 0, 0]
    assert [page["name"] for page in found] == ["Page-1", "Page-2", "Page-3", "Page-4"]
    assert found[0]["nodes"] == found[1]["nodes"]


@pytest.mark.requirement("diagram.pages-mixed")
@pytest.mark.parametrize(
    "broken", ["not base64!", "YWJj", packed(SAMPLE)[:60], packed("<mxGraphModel"), packed("<a/>")]
)
def test_a_page_that_cannot_be_read_is_left_out_with_a_warning(broken: str) -> None:
    read = source(mxfile(broken, SAMPLE)).reading
    assert [page.name for page in read.structure.pages] == ["Page-2"]
    assert "Page-1" in "".join(read.warnings)
    with pytest.raises(ParseError):
        source(mxfile(broken))


@pytest.mark.requirement("diagram.none-415")
@pytest.mark.requirement("service.diagram-carriers")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b"<html><body/></html>"),
        ("a.xml", b'<?xml version="1.0"?><mxlibrary>[]</mxlibrary>'),
        ("a.png", png()),
        ("a.png", png((b"tEXt", b"Software\0draw.io"))),
    ],
)
def test_xml_and_png_without_a_diagram_are_415(name: str, data: bytes) -> None:
    with pytest.raises(UnsupportedFileType) as refused:
        source(data, name)
    assert refused.value.status == 415
    assert "no diagram" in refused.value.message


PICTURE = png((b"tEXt", b"mxfile\0" + mxfile(SAMPLE).encode()))


@pytest.mark.requirement("diagram.damage")
def test_a_picture_that_is_cut_off_after_its_diagram_says_so() -> None:
    reading = source(PICTURE[:-4], "a.png").reading
    assert [warning.partition(" at byte")[0] for warning in reading.warnings] == ["the picture of the PNG is cut short"]
    assert len(reading.structure.pages[0].nodes) == 3
    assert source(PICTURE, "a.png").reading.warnings == []


@pytest.mark.requirement("diagram.broken-422")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b"<?xml version='1.0'?><mxfile><diagram></mxfile>"),
        ("a.drawio", b"<mxfile"),
        ("a.png", png()[:30]),
        ("a.png", PICTURE[:60]),
        ("a.png", PICTURE.replace(b"</root>", b"</rook>", 1)),
        ("a.png", png((b"zTXt", b"mxfile\0\0garbage"))),
        ("a.png", png((b"tEXt", b"mxfile\0nothing"))),
        ("a.svg", svg("<mxfile").encode()),
        ("a.svg", b"<svg"),
    ],
)
def test_broken_files_are_422(name: str, data: bytes) -> None:
    with pytest.raises(ParseError) as refused:
        source(data, name)
    assert refused.value.status == 422


def with_wrong_checksum(chunk: tuple[bytes, bytes]) -> bytes:
    """A PNG whose text chunk has the checksum of nothing."""
    kind, body = chunk
    return png(chunk).replace(zlib.crc32(kind + body).to_bytes(4), b"\0\0\0\0", 1)


def with_wrong_adler(text: bytes) -> bytes:
    return zlib.compress(text)[:-4] + b"\0\0\0\0"


TEXT = mxfile(SAMPLE).encode()

WRONG_CHECKSUMS = {
    "tEXt, CRC": ("a.png", with_wrong_checksum((b"tEXt", b"mxfile\0" + TEXT))),
    "zTXt, CRC": ("a.png", with_wrong_checksum((b"zTXt", b"mxfile\0\0" + zlib.compress(TEXT)))),
    "iTXt, CRC": ("a.png", with_wrong_checksum(itxt(b"mxfile", TEXT, compressed=True))),
    "zTXt, Adler": ("a.png", png((b"zTXt", b"mxfile\0\0" + with_wrong_adler(TEXT)))),
    "zTXt, Adler cut off": ("a.png", png((b"zTXt", b"mxfile\0\0" + zlib.compress(TEXT)[:-3]))),
    "iTXt, Adler": ("a.png", png((b"iTXt", b"mxfile\0\1\0en\0\0" + with_wrong_adler(TEXT)))),
    "page with a header, Adler": ("a.drawio", mxfile(b64encode(with_wrong_adler(SAMPLE.encode())).decode()).encode()),
}


@pytest.mark.requirement("diagram.checksums")
@pytest.mark.parametrize("name", WRONG_CHECKSUMS)
def test_a_wrong_checksum_is_a_warning_where_the_text_is_a_diagram(name: str) -> None:
    file_name, data = WRONG_CHECKSUMS[name]
    read, sound = source(data, file_name).reading, source(TEXT).reading
    assert read.structure.pages == sound.structure.pages
    assert [warning for warning in read.warnings if "checksum" in warning and "is wrong" in warning]


@pytest.mark.requirement("diagram.checksums")
def test_a_page_deflated_with_a_header_is_read_without_a_warning() -> None:
    headed = b64encode(zlib.compress(SAMPLE.encode())).decode()
    assert source(mxfile(headed)).reading.warnings == source(TEXT).reading.warnings


@pytest.mark.requirement("diagram.checksums", "diagram.broken-422")
def test_a_wrong_checksum_of_what_is_no_diagram_is_422() -> None:
    for chunk in ((b"tEXt", b"mxfile\0nothing"), (b"tEXt", b"mxfale\0" + TEXT)):
        with pytest.raises(ParseError, match="damaged at byte"):
            source(with_wrong_checksum(chunk), "a.png")


def truths() -> list[Path]:
    return sorted(DATA.glob("*.truth.json"))


@pytest.mark.requirement("diagram.corpus")
@pytest.mark.parametrize("truth", truths(), ids=lambda path: path.name.removesuffix(".truth.json"))
def test_public_diagrams_are_read_completely(truth: Path) -> None:
    stem = truth.name.removesuffix(".truth.json")
    file = next(path for path in DATA.glob(f"{stem}.*") if path != truth)
    wanted = json.loads(truth.read_text())["pages"]
    found = pages(file.read_bytes(), file.name)
    assert len(found) == len(wanted)
    for page, asked in zip(found, wanted, strict=True):
        assert {each["id"]: _fact(each) for each in page["nodes"]} == {
            each["id"]: _fact(each) for each in asked["nodes"]
        }
        assert {each["id"]: _ends(each) for each in page["edges"]} == {
            each["id"]: _ends(each) for each in asked["edges"]
        }
        holders = {each["id"]: each["children"] for each in page["nodes"] if each["children"]}
        assert holders == {each["id"]: each["children"] for each in asked.get("containers") or []}


def _fact(node: Record) -> tuple[str, str | None, list[int]]:
    frame = node.get("bounds_absolute") or [node["bbox"][key] for key in ("x", "y", "width", "height")]
    label = " ".join((node.get("label") or "").split())
    return label, node.get("parent"), [round(value) for value in frame]


def _ends(edge: Record) -> tuple[str | None, str | None, bool, str]:
    """Ends as the file attaches them, so without those that were inferred."""
    inferred = edge.get("inferred", [])
    source, target = (None if end in inferred else edge.get(end) for end in ("source", "target"))
    return source, target, edge["directed"], " ".join((edge.get("label") or "").replace(" | ", " ").split())
