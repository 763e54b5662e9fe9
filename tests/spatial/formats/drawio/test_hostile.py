"""Diagrams that are damaged or meant to do harm: a document with warnings or a typed error, within bounds."""

from __future__ import annotations

import base64
import os
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.errors import ParseError, UnsupportedFileType
from spatial.formats import inflate
from spatial.formats.svg import walk
from tests.spatial.diagrams import (
    GROUND,
    WRAPPINGS,
    box,
    by_id,
    edge,
    itxt,
    model,
    mxfile,
    node,
    packed,
    page,
    pages,
    png,
    source,
    vertex,
    warnings,
    wrapper,
)
from tests.spatial.diagrams import svg as svg_with

DATA = Path(__file__).parents[3] / "data" / "diagrams"

CEILING = 400 * 1024 * 1024
"""Bytes that refusing a bomb may take at its worst; what it would inflate to is a gigabyte."""


@pytest.mark.requirement("diagram.damage")
def test_cells_without_their_parent_are_put_on_the_page() -> None:
    cells = [vertex("a", (5, 6, 7, 8), parent="gone"), edge("e", parent="nowhere")]
    assert box(node("a", *cells)) == (5, 6, 7, 8)
    assert node("a", *cells)["parent"] is None
    assert "parents are missing from the file" in warnings(*cells)
    assert "a, e" in warnings(*cells)


@pytest.mark.requirement("diagram.damage")
def test_ids_that_come_twice_are_renamed() -> None:
    cells = [
        vertex("a", value="first"),
        vertex("a", value="second"),
        vertex("", value="none"),
        vertex("a~2"),
        edge("a"),
    ]
    names = {each["id"]: each["label"] for each in page(*cells)["nodes"]}
    assert names["a"] == "first" and "second" in names.values() and "none" in names.values()
    assert len(names) == 4
    assert "renamed" in warnings(*cells)


@pytest.mark.requirement("diagram.damage")
def test_circles_of_parents_are_opened() -> None:
    cells = [vertex("a", parent="c"), vertex("b", parent="a"), vertex("c", parent="b"), vertex("self", parent="self")]
    found = by_id(page(*cells)["nodes"])
    assert sum(each["parent"] is None for each in found.values()) == 2
    assert "contain themselves" in warnings(*cells)
    round_edge = [edge("e1", parent="e2"), edge("e2", parent="e1"), vertex("l", value="x", parent="e1")]
    assert len(page(*round_edge)["edges"]) == 2


@pytest.mark.requirement("diagram.damage")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "1e300", "", "wide", "0x10", "1,5"])
def test_numbers_that_are_none_count_as_nothing(number: str) -> None:
    cell = vertex("a", (1, 2, 3, 4)).replace(' x="1"', f' x="{number}"').replace('width="3"', f'width="{number}"')
    assert box(node("a", cell)) == (0, 2, 0, 4)
    assert box(node("a", vertex("a", (0, 0, -5, -5)))) == (0, 0, 0, 0)


@pytest.mark.requirement("diagram.damage")
@pytest.mark.parametrize(
    "cells",
    [
        '<mxCell id="a" vertex="1" parent="1"/>',
        '<mxCell vertex="1"/><mxCell edge="1"/><mxCell/>',
        '<UserObject id="a" label="no cell"/>',
        '<UserObject><UserObject><mxCell vertex="1"/></UserObject></UserObject>',
        "<foreign/><mxCell id='a' vertex='1' edge='1' parent='1'/>",
        '<mxCell id="a" style=";;;=;x=;=y;rotation=bad;shape=" vertex="1" parent="1"><mxGeometry/></mxCell>',
        '<mxCell id="e" edge="1" parent="1"><mxGeometry><Array as="points"><x/></Array></mxGeometry></mxCell>',
        "<!-- only a comment --><?and an instruction?>",
    ],
)
def test_odd_cells_are_no_error(cells: str) -> None:
    assert page(cells)["name"]
    assert page(cells, ground="")["name"]


@pytest.mark.requirement("diagram.damage")
@pytest.mark.parametrize("text", ["<mxGraphModel/>", "<mxGraphModel><root/></mxGraphModel>", mxfile("")])
def test_empty_diagrams_are_documents(text: str) -> None:
    read = source(text).reading
    assert all(not each.nodes for each in read.structure.pages)
    assert read.bbox is None


@pytest.mark.requirement("diagram.damage")
def test_a_file_without_a_page_is_refused() -> None:
    with pytest.raises(ParseError, match="no page"):
        source("<mxfile></mxfile>")


@pytest.mark.requirement("diagram.damage")
def test_deep_nesting_of_containers_is_read() -> None:
    nest = [vertex(f"n{place}", (1, 1, 9, 9), parent=f"n{place - 1}" if place else "1") for place in range(5_000)]
    assert box(node("n4999", *nest)) == (5000, 5000, 9, 9)
    assert box(node("n4999", *reversed(nest))) == (5000, 5000, 9, 9)


SECRET = "file:///etc/passwd"


@pytest.mark.requirement("diagram.no-entities")
@pytest.mark.parametrize(
    "doctype",
    [
        f'<!DOCTYPE mxfile [<!ENTITY x SYSTEM "{SECRET}">]>',
        f'<!DOCTYPE mxfile SYSTEM "{SECRET}">',
        f'<!DOCTYPE mxfile [<!ENTITY % p SYSTEM "{SECRET}"> %p;]>',
        '<!DOCTYPE mxfile [<!ENTITY x "inserted">]>',
        '<!DOCTYPE mxfile SYSTEM "http://127.0.0.1:9/dtd">',
    ],
)
def test_no_entity_is_resolved(doctype: str) -> None:
    body = mxfile(model(vertex("a", value="safe"))).replace(
        "<root>", "<root>&x;" if "ENTITY x" in doctype else "<root>"
    )
    for name in ("a.drawio", "a.xml"):
        try:
            told = source(f'<?xml version="1.0"?>{doctype}{body}', name).reading.model_dump_json()
        except (ParseError, UnsupportedFileType) as refused:
            told = refused.message
        assert "root:" not in told and "inserted" not in told


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<?xml version="1.0"?><!DOCTYPE mxfile [<!ENTITY l0 "lol">{LAUGHS}]>'


@contextmanager
def below(ceiling: int) -> Iterator[None]:
    """Fails where Python held more than the ceiling at a time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < ceiling
    finally:
        tracemalloc.stop()


@pytest.mark.requirement("diagram.bombs")
@pytest.mark.parametrize(
    "body", ['<mxfile vars="&l11;"/>', "<mxfile>&l11;</mxfile>", '<mxfile><diagram name="&l11;"/></mxfile>']
)
def test_a_billion_laughs_are_not_laughed(body: str) -> None:
    with below(CEILING):
        try:
            told = source(BOMB + body).reading.model_dump_json()
        except ParseError as refused:
            told = refused.message
    assert len(told) < 100_000


@cache
def raw_bomb() -> bytes:
    """A gigabyte of blanks in a megabyte, which takes seconds to make."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join([*(packer.compress(b" " * (1 << 20)) for _ in range(1024)), packer.flush()])


def _headed(raw: bytes) -> bytes:
    """As zlib data; the checksum at its end is never reached."""
    return b"\x78\xda" + raw + b"\0\0\0\0"


@pytest.mark.requirement("diagram.bombs")
@pytest.mark.parametrize("carrier", ["drawio", "svg", "zTXt", "iTXt", "raw zTXt"])
def test_a_megabyte_that_inflates_to_a_gigabyte_is_refused(carrier: str) -> None:
    bomb = raw_bomb()
    text = base64.b64encode(bomb).decode()
    name, data = {
        "drawio": ("a.drawio", mxfile(text).encode()),
        "svg": ("a.svg", svg_with(mxfile(text)).encode()),
        "zTXt": ("a.png", png((b"zTXt", b"mxfile\0\0" + _headed(bomb)))),
        "raw zTXt": ("a.png", png((b"zTXt", b"mxGraphModel\0\0" + bomb))),
        "iTXt": ("a.png", png((b"iTXt", itxt(b"mxfile", b"", compressed=True)[1][:-8] + _headed(bomb)))),
    }[carrier]
    assert len(bomb) < 1 << 20
    with below(CEILING), pytest.raises(ParseError, match="inflates beyond") as refused:
        source(data, name)
    assert (refused.value.details or {})["limit_bytes"] == inflate.INFLATED_BYTES


@pytest.mark.requirement("diagram.bombs")
def test_what_all_pages_inflate_to_is_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inflate.InflateBudget.__init__, "__defaults__", (5_000,))
    blank = packed(model() + " " * 2_000, percent=False)
    assert len(pages(mxfile(blank))) == 1
    with pytest.raises(ParseError, match="inflates beyond"):
        source(mxfile(*[blank] * 10))


@pytest.mark.requirement("diagram.bombs")
def test_markup_nested_too_deep_is_refused() -> None:
    deep = "<mxfile>" + "<a>" * 5_000 + "</a>" * 5_000 + "</mxfile>"
    with pytest.raises(ParseError):
        source(deep)
    with pytest.raises(ParseError):
        source(deep.replace("mxfile", "svg"), "a.svg")


@pytest.mark.requirement("diagram.bombs")
def test_use_that_multiplies_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "STEPS", 2_000)
    monkeypatch.setattr(walk, "ENTITIES", 500)
    levels = "".join(f'<g id="g{n}">{f"<use href={chr(34)}#g{n - 1}{chr(34)}/>" * 10}</g>' for n in range(1, 20))
    for leaf, words in (("", "more than 2,000 elements"), ('<rect width="1" height="1"/>', "first 500 entities")):
        text = f'<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="g0">{leaf}</g>{levels}</defs><use href="#g19"/></svg>'
        read = source(text, "a.svg").reading
        assert words in "".join(read.warnings)
        assert len(read.structure.entities or ()) <= 500


SAMPLE = model(vertex("a", value="A"), wrapper(vertex("b", parent="a"), label="%x%"), edge("e", "a", "b", "yes"))


def whole_files() -> dict[str, tuple[str, bytes]]:
    made = {wrapping: (name, wrapped(SAMPLE)) for wrapping, (name, wrapped) in WRAPPINGS.items()}
    public = [path for path in DATA.iterdir() if path.suffix in (".drawio", ".xml", ".svg", ".png")]
    plain = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0a5 5 0 0 1 9 9zQ1 2 3 4"/><text x="1">hi</text></svg>'
    return made | {path.name: (path.name, path.read_bytes()) for path in public} | {"plain": ("a.svg", plain.encode())}


FILES = whole_files()


def harmless(data: bytes, name: str) -> None:
    try:
        read = source(data, name)
    except (ParseError, UnsupportedFileType):
        return
    assert read.reading.model_dump_json()


@pytest.mark.requirement("diagram.fuzz")
@pytest.mark.parametrize("name", FILES)
def test_files_cut_short_anywhere(name: str) -> None:
    file_name, data = FILES[name]
    for tenth in range(11):
        harmless(data[: len(data) * tenth // 10], file_name)


@pytest.mark.requirement("diagram.fuzz")
@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["a.drawio", "a.xml", "a.svg", "a.png"]), st.binary(max_size=300), st.sampled_from(sorted(FILES))
)
def test_any_bytes_at_all(name: str, noise: bytes, start: str) -> None:
    harmless(noise, name)
    harmless(FILES[start][1][:40] + noise, name)


@pytest.mark.requirement("diagram.fuzz")
@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(FILES)),
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(["drop", "flip", "copy", "number"]), st.integers(1, 255)), max_size=6
    ),
)
def test_damaged_files(name: str, damage: list[tuple[float, str, int]]) -> None:
    file_name, data = FILES[name]
    for where, how, value in damage:
        at = int(where * (len(data) - 1))
        if how == "drop":
            data = data[:at] + data[at + value :]
        elif how == "flip":
            data = data[:at] + bytes([data[at] ^ value]) + data[at + 1 :]
        elif how == "copy":
            data = data[:at] + data[at : at + value] + data[at:]
        else:
            data = data[:at] + b"1e999" + data[at:]
        data = data or os.linesep.encode()
    harmless(data, file_name)


@pytest.mark.requirement("diagram.fuzz")
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([
    "<mxCell", "</mxCell>", ' id="1"', ' id="a"', ' parent="a"', ' vertex="1"', ' edge="1"', ' source="a"', ">", "/>",
    "<mxGeometry", ' relative="1"', ' x="9"', "<UserObject>", "</UserObject>", ' style="rotation=9;swimlane"', ' value="&lt;b"',
    ' collapsed="1"', ' visible="0"', "<Array as='points'>", "</Array>", "<mxPoint/>",
]), max_size=25))  # fmt: skip
def test_any_order_of_the_words_of_a_diagram(words: list[str]) -> None:
    harmless(model("".join(words), ground=GROUND).encode(), "a.drawio")
