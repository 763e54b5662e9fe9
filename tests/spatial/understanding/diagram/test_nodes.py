"""Shapes of a diagram: labels, placeholders, shapes, boxes, containers, properties, layers."""

from __future__ import annotations

import gc
import math
import subprocess
import sys

import pytest

from spatial.models.sampling_plan import SamplingPlan
from tests.spatial.diagrams import (
    GROUND,
    box,
    by_id,
    edge,
    link,
    model,
    mxfile,
    node,
    page,
    pages,
    source,
    vertex,
    wrapper,
)


@pytest.mark.requirement("diagram.label-plain")
@pytest.mark.requirement("diagram.labels")
@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("plain", "plain"),
        ("", ""),
        ("<b>bold</b> and <i>more</i>", "bold and more"),
        ("a &amp; b &lt;c&gt; &nbsp;d&#233;&#x41;", "a & b <c> déA"),
        ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<p>one</p><p><br></p><p>two</p>", "one\ntwo"),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<h1>Title</h1>text", "Title\ntext"),
        ("one\ntwo", "one\ntwo"),
        ("a<script>alert('<b>')</script>b<style>p{color:red}</style>c", "abc"),
        ("a<script>never closed", "a"),
        ("a<!-- comment <b> -->b<!-- open", "ab"),
        ('<span title="a>b" style="font: \'x\'">text</span>', "text"),
        ("<b>not closed <i>at all", "not closed at all"),
        ("closed</b></p> too often", "closed\ntoo often"),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
        ('<a href="javascript:alert(1)">here</a>', "here"),
        ("&bogus; &#xD800; &", "&bogus; \ufffd &"),
        ('<img src="http://example.com/a.png">', ""),
        ("   many    spaces\t here  ", "many spaces here"),
    ],
)
def test_labels_are_what_a_person_reads(value: str, label: str) -> None:
    assert node("a", vertex("a", value=value))["label"] == label


@pytest.mark.requirement("diagram.labels")
def test_without_html_what_is_no_element_is_text() -> None:
    assert node("a", vertex("a", value="List<String> x<br>y", style=""))["label"] == "List<String> x\ny"
    assert node("a", vertex("a", value="List<String> x"))["label"] == "List x"


@pytest.mark.requirement("diagram.labels")
def test_a_label_of_open_comments_does_not_multiply() -> None:
    assert node("a", vertex("a", value="x" + "<!--" * 40_000))["label"] == "x"
    assert len(node("a", vertex("a", value="<b>" + "y" * 100_000))["label"]) == 20_000
    assert node("a", vertex("a", value="x" + "<b>" * 60_000))["label"] == "x", (
        "a tag in the middle of which reading ends"
    )


GROUND_WITH_PROPERTIES = (
    '<object id="0" label="" everywhere="root"><mxCell/></object>'
    '<object id="1" label="Base" floor="layer" mine="of the layer"><mxCell parent="0"/></object>'
)


@pytest.mark.requirement("diagram.placeholders")
def test_placeholders_are_looked_up_outwards() -> None:
    words = "%mine% %box% %floor% %everywhere% %page% %pagenumber%/%pagecount% %file% %unknown% 5% of 10%"
    outer = wrapper(vertex("g", (0, 0, 100, 100)), label="", box="container", mine="of the box")
    inner = wrapper(vertex("a", parent="g"), label=words, mine="own", placeholders="1")
    told = mxfile(model(outer, inner, ground=GROUND_WITH_PROPERTIES), variables='{"file": "vars"}')
    assert by_id(pages(told)[0]["nodes"])["a"]["label"] == (
        "own container layer root Page-1 1/1 vars %unknown% 5% of 10%"
    )


@pytest.mark.requirement("diagram.placeholders")
def test_placeholders_are_left_alone_where_they_are_not_switched_on() -> None:
    assert node("a", wrapper(vertex("a"), label="%x%", x="1"))["label"] == "%x%"
    assert pages(mxfile(model(vertex("a")), variables="no JSON"))[0]["nodes"]


@pytest.mark.requirement("diagram.placeholders")
def test_placeholders_of_edges_and_their_labels() -> None:
    joined = wrapper(edge("e"), label="%speed%", speed="1 Gbit", placeholders="1")
    child = wrapper(vertex("l", parent="e"), label="%speed%!", placeholders="1")
    assert link("e", joined, child)["label"] == "1 Gbit\n1 Gbit!"


@pytest.mark.requirement("diagram.shapes")
@pytest.mark.parametrize(
    ("style", "shape"),
    [
        ("", "rectangle"),
        ("rounded=1;html=1;", "rectangle"),
        ("ellipse;html=1;", "ellipse"),
        ("rhombus", "rhombus"),
        ("triangle;", "triangle"),
        ("swimlane;startSize=20", "swimlane"),
        ("group", "group"),
        ("text;html=1;", "text"),
        ("shape=cylinder3;html=1", "cylinder3"),
        ("shape=mxgraph.aws4.ec2;fillColor=#fff", "mxgraph.aws4.ec2"),
        ("html=1;shape=stencil(rZNRb4MgFIV/)", "stencil"),
        ("unheard of;;==;=x;", "unheard of"),
    ],
)
def test_shapes_are_named_by_their_style(style: str, shape: str) -> None:
    found = node("a", vertex("a", style=style))
    assert found["shape"] == shape
    assert found["is_text"] == (shape == "text")


@pytest.mark.requirement("diagram.absolute-bbox")
@pytest.mark.requirement("diagram.boxes")
def test_offsets_of_all_containers_add_up() -> None:
    nest = [
        vertex("deep", (1, 2, 5, 5), parent="inner"),
        vertex("inner", (10, 20, 50, 50), style="group", parent="lane"),
        vertex("lane", (100, 200, 80, 90), style="swimlane;startSize=30;", parent="pool"),
        vertex("pool", (1000, 2000, 300, 300), style="swimlane;horizontal=0;"),
    ]
    found = by_id(page(*nest)["nodes"])
    assert box(found["deep"]) == (1111, 2222, 5, 5)
    assert found["deep"]["center"] == [1113.5, 2224.5]
    assert box(found["lane"]) == (1100, 2200, 80, 90)


@pytest.mark.requirement("diagram.boxes")
def test_ports_lie_in_parts_of_their_shape() -> None:
    port = vertex("p", (1, 0.5, 10, 10), parent="a", geometry='relative="1"').replace(
        'as="geometry"/>', 'as="geometry"><mxPoint x="-5" y="-5" as="offset"/></mxGeometry>'
    )
    assert box(node("p", vertex("a", (100, 100, 80, 40)), port)) == (175, 115, 10, 10)


@pytest.mark.requirement("diagram.boxes")
def test_the_box_of_a_turned_shape_is_upright_around_what_is_drawn() -> None:
    quarter = node("a", vertex("a", (0, 0, 100, 20), style="rotation=90;"))
    assert box(quarter) == (40, -40, 20, 100)
    assert quarter["rotation"] == 90
    x, y, width, height = box(node("a", vertex("a", (0, 0, 100, 20), style="rotation=-30;")))
    assert width == pytest.approx(100 * math.cos(math.pi / 6) + 10, abs=1e-3)
    assert height == pytest.approx(50 + 20 * math.cos(math.pi / 6), abs=1e-3)
    assert (x + width / 2, y + height / 2) == pytest.approx((50, 10), abs=1e-3)
    assert "rotation" not in node("a", vertex("a", style="rotation=NaN;"))


@pytest.mark.requirement("diagram.boxes")
def test_ports_go_round_with_a_turned_shape_and_children_do_not() -> None:
    turned = vertex("a", (0, 0, 100, 20), style="rotation=90;")
    port = vertex("p", (1, 0, 10, 20), parent="a", geometry='relative="1"')
    child = vertex("c", (90, 0, 10, 20), parent="a")
    # The port's middle is 55 right of the middle (50, 10); a quarter turn puts it 55 below.
    assert box(node("p", turned, port)) == (45, 55, 10, 20)
    assert box(node("c", turned, child)) == (90, 0, 10, 20)


@pytest.mark.requirement("diagram.boxes")
def test_a_collapsed_container_has_the_box_that_is_drawn_and_hides_what_is_in_it() -> None:
    folded = vertex("g", (10, 10, 30, 30), collapsed="1").replace(
        'as="geometry"/>', 'as="geometry"><mxRectangle x="10" y="10" width="300" height="300" as="alternateBounds"/></mxGeometry>'
    )  # fmt: skip
    found = by_id(page(folded, vertex("a", (50, 50, 40, 20), parent="g"))["nodes"])
    assert box(found["g"]) == (10, 10, 30, 30)
    assert found["g"]["collapsed"] is True
    assert found["a"]["visible"] is False
    assert box(found["a"]) == (60, 60, 40, 20)


@pytest.mark.requirement("diagram.containers")
def test_parents_children_and_containers() -> None:
    found = by_id(
        page(
            vertex("g", style="group"),
            vertex("a", parent="g"),
            vertex("b", parent="g"),
            vertex("lane", style="swimlane;"),
            vertex("frame", style="container=1;"),
            edge("e", "a", "b", parent="g"),
        )["nodes"]
    )
    assert found["g"]["children"] == ["a", "b"]
    assert found["a"]["parent"] == "g"
    assert found["g"]["parent"] is None
    assert {name for name, each in found.items() if each["is_container"]} == {"g", "lane", "frame"}


@pytest.mark.requirement("diagram.properties")
@pytest.mark.parametrize("name", ["UserObject", "object"])
def test_links_tooltips_and_properties_come_from_the_wrapper(name: str) -> None:
    cell = wrapper(vertex("a"), name, label="A <b>x</b>", link="https://example.com/", tooltip="tip", cost="5 €")
    found = node("a", cell)
    assert found["label"] == "A x"
    assert found["link"] == "https://example.com/"
    assert found["attributes"] == {"tooltip": "tip", "cost": "5 €"}
    joined = link("e", wrapper(edge("e"), name, label="w", link="data:page/id,x", note="n"))
    assert (joined["label"], joined["link"], joined["attributes"]) == ("w", "data:page/id,x", {"note": "n"})


LAYERS = GROUND + '<mxCell id="2" value="Second" parent="0" visible="0" style="locked=1"/>'


@pytest.mark.requirement("diagram.layers")
def test_hidden_layers_and_cells_are_kept_and_marked() -> None:
    found = page(
        vertex("a", (0, 0, 40, 20)),
        vertex("b", (100, 0, 40, 20), parent="2"),
        vertex("in b", (0, 0, 10, 10), parent="b"),
        vertex("c", (200, 0, 40, 20), visible="0"),
        vertex("d", (300, 0, 40, 20)),
        edge("e", "a", "b", parent="2"),
        ground=LAYERS,
    )
    assert found["layers"] == [
        {"id": "1", "name": "Background", "visible": True},
        {"id": "2", "name": "Second", "visible": False, "locked": True},
    ]
    nodes = by_id(found["nodes"])
    assert {name: each.get("visible", True) for name, each in nodes.items()} == {
        "a": True, "b": False, "in b": False, "c": False, "d": True
    }  # fmt: skip
    assert nodes["b"]["layer"] == nodes["in b"]["layer"] == "2" and nodes["a"]["layer"] == "1"
    assert found["edges"][0]["visible"] is False
    assert found["relations"] == [{"type": "left_of", "subject": "a", "object": "d"}]
    assert found["graph"] == {
        "node_count": 2, "edge_count": 0, "components": 2, "roots": [], "sinks": [], "isolated": ["a", "d"],
        "has_cycle": False,
    }  # fmt: skip


@pytest.mark.requirement("diagram.style")
def test_looks_are_told_in_draw_ios_words() -> None:
    style = "rounded=1;fillColor=#ff0000;fontSize=18;image=data:image/png,AAAA;html=1;strokeColor=" + "x" * 99
    assert node("a", vertex("a", style=style))["style"] == {"rounded": "1", "fillColor": "#ff0000", "fontSize": "18"}
    assert "style" not in node("a", vertex("a", style="html=1;"))


@pytest.mark.requirement("diagram.points")
def test_points_lie_on_outlines() -> None:
    read = source(model(vertex("a", (10, 20, 40, 20)), vertex("b", (100, 0, 10, 10)), vertex("nothing", (0, 0, 0, 0))))
    scene = read.sample(SamplingPlan(points_per_object=40, points_total=60, seed=1))
    found = {cloud.object_id: cloud.points for cloud in scene.point_clouds}
    assert list(found) == ["a", "b"]
    for x, y in ((each["x"], each["y"]) for each in found["a"]):
        assert min(abs(x - 10), abs(x - 50), abs(y - 20), abs(y - 40)) < 0.01
        assert 9.99 <= x <= 50.01 and 19.99 <= y <= 40.01
    assert source(model()).sample(SamplingPlan(points_per_object=4, points_total=6, seed=1)).point_clouds == []


@pytest.mark.requirement("diagram.boxes")
def test_a_middle_at_the_origin_has_no_negative_zero() -> None:
    found = node("a", vertex("a", box=(-0.0002, -0.0002, 0, 0)))
    assert [math.copysign(1.0, value) for value in found["center"]] == [1.0, 1.0]


@pytest.mark.requirement("diagram.style")
def test_cells_of_one_style_share_no_record_of_it() -> None:
    read = source(model(vertex("a", style="fillColor=#fff"), vertex("b", style="fillColor=#fff"))).reading
    one, other = (each["style"] for each in read.structure.pages[0].nodes)
    assert one == other == {"fillColor": "#fff"}
    assert one is not other


@pytest.mark.requirement("diagram.boxes")
def test_reading_leaves_the_cycle_collector_as_it_was() -> None:
    before = gc.isenabled(), gc.get_freeze_count()
    source(model(vertex("a")))
    assert (gc.isenabled(), gc.get_freeze_count()) == before


@pytest.mark.requirement("diagram.boxes")
def test_reading_thaws_nothing_that_was_frozen_for_forking() -> None:
    """In a process of its own: what is frozen there stays frozen."""
    script = (
        "import gc; from spatial import collector; collector.freeze(); before = gc.get_freeze_count()\n"
        "with collector.uncollected(): made = [[] for _ in range(9)]\n"
        "assert gc.get_freeze_count() >= before > 0 and gc.isenabled()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
