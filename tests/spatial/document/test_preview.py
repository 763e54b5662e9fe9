"""Pictures of diagrams and of plain SVG, read back as XML."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from lxml import etree

from spatial.contract.diagram import Rectangle
from spatial.contract.extraction import CadExtraction
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.document.preview import picture, route
from spatial.document.preview.route import End
from tests.spatial.diagrams import edge, model, mxfile, point, points, source, vertex

SVG = "{http://www.w3.org/2000/svg}"


def document(data: str, name: str = "a.drawio") -> CadExtraction:
    read = source(data, name)
    made = assemble(
        read.reading, read.interpret(), None, file_name=name, target=TargetContract.structured, request_id="test"
    )
    return CadExtraction.model_validate_json(result_bytes(made))


def drawn(*cells: str) -> Any:
    return etree.fromstring(picture.svg(document(model(*cells)), 1).encode())


def words(root: Any) -> list[str]:
    return [each.text for each in root.iter(f"{SVG}text")]


@pytest.mark.requirement("preview.diagram")
def test_shapes_labels_and_connectors_are_drawn() -> None:
    root = drawn(
        vertex(
            "a",
            (0, 0, 80, 40),
            "Start & <b>go</b>",
            "rounded=1;fillColor=#ff0000;fontColor=#00ff00;fontStyle=1;html=1;",
        ),
        vertex("b", (200, 0, 80, 40), "End", "ellipse;html=1;"),
        vertex("c", (200, 100, 80, 40), "Store", "shape=cylinder3;html=1;"),
        vertex("d", (0, 100, 80, 40), "Hidden", visible="0"),
        edge("e", "a", "b", "yes", "dashed=1;html=1;"),
        edge("f", "b", "c", "", "startArrow=oval;curved=1;"),
    )
    assert words(root) == ["Start & go", "End", "Store", "yes"]
    assert [each.get("rx") for each in root.iter(f"{SVG}rect")] == [None, "8"]
    assert next(root.iter(f"{SVG}text")).get("fill") == "#00ff00"
    assert len(list(root.iter(f"{SVG}ellipse"))) == 1
    dashed = [each.get("d") for each in root.iter(f"{SVG}path") if each.get("stroke-dasharray")]
    assert dashed == ["M80 20 L200 20"]
    heads = [each for each in root.iter(f"{SVG}path") if each.get("fill") == "#333333"]
    assert len(heads) == 3


@pytest.mark.requirement("preview.diagram")
def test_titles_of_lanes_stand_in_their_bars() -> None:
    root = drawn(
        vertex("p", (0, 0, 300, 200), "Pool", "swimlane;startSize=20;"),
        vertex("l", (0, 20, 300, 180), "Lane", "swimlane;horizontal=0;startSize=30;", parent="p"),
    )
    pool, lane = root.iter(f"{SVG}text")
    assert float(pool.get("y")) < 20
    assert lane.getparent().get("transform") == "rotate(-90 15 110)"


@pytest.mark.requirement("preview.diagram")
def test_labels_lie_where_the_style_puts_them() -> None:
    styles = (
        "verticalLabelPosition=bottom;verticalAlign=top;",
        "align=left;spacingLeft=10;",
        "align=right;verticalAlign=bottom;",
    )
    below, left, right = (next(drawn(vertex("a", (0, 0, 80, 40), "x", style)).iter(f"{SVG}text")) for style in styles)
    assert float(below.get("y")) > 40
    assert (left.get("text-anchor"), left.get("x")) == ("start", "10")
    assert right.get("text-anchor") == "end" and 30 < float(right.get("y")) < 40


@pytest.mark.requirement("preview.diagram")
def test_what_a_label_holds_stays_text() -> None:
    root = drawn(vertex("a", value='&lt;script&gt;alert("1")&lt;/script&gt; &#1; ]]&gt; &amp;amp;'))
    assert words(root)[0].startswith('<script>alert("1")</script>')
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.requirement("preview.diagram")
@pytest.mark.parametrize(
    "cells", [[], [vertex("a", (0, 0, 0, 0))], [edge("e")], [edge("e", inner=point(1, 2, "sourcePoint"))]]
)
def test_pages_with_next_to_nothing_are_drawn(cells: list[str]) -> None:
    assert drawn(*cells).tag == f"{SVG}svg"


@pytest.mark.requirement("preview.diagram")
def test_each_page_has_its_picture() -> None:
    read = document(mxfile(model(vertex("a", value="first")), model(vertex("a", value="second"))))
    assert picture.pages(read) == [1, 2]
    assert "second" in picture.svg(read, 2) and "first" not in picture.svg(read, 2)
    with pytest.raises(LookupError):
        picture.svg(read, 3)


@pytest.mark.requirement("preview.diagram")
@pytest.mark.parametrize(
    ("box", "inner", "wanted"),
    [
        ((200, 10, 40, 20), (), [(40, 15), (200, 15)]),  # beside: straight across
        ((10, 200, 40, 20), (), [(25, 20), (25, 200)]),  # under: straight down
        ((200, 100, 40, 20), (), [(40, 10), (120, 10), (120, 110), (200, 110)]),
        ((50, 300, 40, 20), (), [(20, 20), (20, 160), (70, 160), (70, 300)]),
        ((200, 100, 40, 20), ((100, 10), (100, 110)), [(40, 10), (100, 10), (100, 110), (200, 110)]),
        ((200, 100, 40, 20), ((100, 60),), [(20, 20), (100, 20), (100, 60), (220, 60), (220, 100)]),
    ],
)
def test_connectors_along_the_axes_bend_at_right_angles(box: Any, inner: Any, wanted: Any) -> None:
    ends = [Rectangle(x=x, y=y, width=w, height=h) for x, y, w, h in ((0.0, 0.0, 40.0, 20.0), tuple(map(float, box)))]
    found = route.trail(End(ends[0], None), list(inner), End(ends[1], None), squared=True)
    assert all(one[0] == other[0] or one[1] == other[1] for one, other in pairwise(found))
    assert (found[0], found[-1]) == (wanted[0], wanted[-1])


@pytest.mark.requirement("preview.diagram")
def test_waypoints_are_drawn_through() -> None:
    root = drawn(
        vertex("a", (0, 0, 40, 20)), vertex("b", (100, 90, 40, 20)), edge("e", "a", "b", inner=points((20, 100)))
    )
    assert "M20 20 L20 100 L100 100" in [each.get("d") for each in root.iter(f"{SVG}path")]


@pytest.mark.requirement("preview.svg")
def test_an_svg_is_drawn_from_its_entities() -> None:
    body = '<rect width="50" height="40" fill="red"/><path d="M0 0C9 9 20 9 30 0"/><circle cx="9" cy="9" r="4"/><text y="30">hi</text>'
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">{body}</svg>'
    root = etree.fromstring(picture.svg(document(text, "a.svg"), 1).encode())
    assert words(root) == ["hi"]
    assert [each.get("r") for each in root.iter(f"{SVG}circle")] == ["4"]
    assert any(each.get("fill") == "#ff0000" for each in root.iter(f"{SVG}path"))
    assert any("C" in (each.get("d") or "") for each in root.iter(f"{SVG}path"))
