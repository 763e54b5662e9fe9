"""describe: sentences and the facts behind them."""

from __future__ import annotations

from typing import Any

import cadquery as cq
import pytest

from spatial.reasoning.prose.sentence import figure, listing, measure
from tests.spatial.reasoning.documents import ask, extracted, part
from tests.spatial.reasoning.test_understand import box_points, clouds, diagram, document, edge, node


def text_of(found: dict[str, Any]) -> str:
    text: str = found["data"]["description"]
    return text


@pytest.mark.requirement("describe.model")
def test_a_plate_with_four_holes() -> None:
    text = text_of(ask("describe", part("plate")))
    assert "of 120 × 80 × 8 mm" in text
    assert "4 through holes of Ø9 mm along z" in text
    # 120 * 80 * 8 - 4 * pi * 4.5^2 * 8 = 74,764.25
    assert "a volume of 74,764 mm³" in text


@pytest.mark.requirement("describe.model")
def test_a_blind_hole_has_its_depth_and_one_is_singular() -> None:
    text = text_of(ask("describe", extracted(cq.Workplane().box(50, 40, 30).faces(">X").workplane().hole(6, 12))))
    assert "It has 1 blind hole of Ø6 mm, 12 mm deep, along x." in text


@pytest.mark.requirement("describe.model")
def test_fillets_are_counted_by_radius() -> None:
    block = cq.Workplane().box(50, 40, 30).edges("|Z").fillet(3).faces(">Z").edges("|X or |Y").fillet(1)
    text = text_of(ask("describe", extracted(block)))
    assert "It has 4 fillets of the radius 1 mm and 4 fillets of the radius 3 mm." in text
    assert "cylinder face" not in text


@pytest.mark.requirement("describe.model")
def test_a_shaft_has_outer_cylinders() -> None:
    text = text_of(ask("describe", part("shaft")))
    assert "It has 3 outer cylinders: Ø20 mm along z and 2 × Ø16 mm along z." in text


@pytest.mark.requirement("describe.assembly")
def test_an_assembly_names_its_parts_with_their_number() -> None:
    screw = cq.Workplane().circle(3).extrude(20)
    whole = cq.Assembly(name="clamp").add(cq.Workplane().box(80, 40, 10), name="jaw")
    for place in range(3):
        whole.add(screw, name="screw" if not place else f"screw_{place}", loc=cq.Location((place * 20 - 20, 0, 5)))
    found = ask("describe", extracted(whole))
    assert "The assembly “clamp” has 4 solids" in text_of(found)
    assert "on “jaw”" in text_of(found)


@pytest.mark.requirement("describe.drawing")
def test_a_drawing_in_sentences() -> None:
    fields = {
        "title": "Motor bracket", "drawing_number": "MB-01", "revision": "C", "material": "S235", "scale": "1:2", "drawn_by": "A. Smith",
    }  # fmt: skip
    metadata = {
        "title_block": {"fields": fields, "confidence": 0.9, "sources": {}},
        "bom": {"columns": ["POS", "NAME"], "rows": [{"POS": "1", "NAME": "Plate"}], "confidence": 0.9},
        "notes": {"items": [{"number": 1, "text": "Deburr."}, {"number": 2, "text": "Paint black"}], "confidence": 0.9},
    }
    callouts = [
        {"id": "c1", "type": "hole", "text": "4X Ø6.6", "source": "t1", "quantity": 4},
        {"id": "c2", "type": "thread", "text": "M8", "source": "t2"},
        {"id": "c3", "type": "radius", "text": "R5", "source": "t3"},
        {"id": "c4", "type": "radius", "text": "R6", "source": "t4"},
    ]
    sheet = {
        "page": 1,
        "kind": "page",
        "bbox": [0, 0, 420, 297],
        "unit": "millimeter",
        "size": "A3",
        "scale": {"value": 0.5, "found": "dimensions"},
    }
    found = ask(
        "describe",
        document("drawing2d", "millimeter", "pdf", sheets=[sheet], callouts=callouts, drawing_metadata=metadata),
    )
    assert text_of(found) == (
        "Drawing MB-01 shows “Motor bracket”, revision C. "
        "It has 1 sheet of the size A3, with the stated scale 1:2 and, measured on its dimensions, 1:2. "
        "The title block states the material “S235”. "
        "Its 4 callouts are 2 radii (“R5”, “R6”), 1 hole (“4X Ø6.6”) and 1 thread (“M8”). "
        "With their quantities, the callouts of holes and threads call for 5 features. "
        "The parts list has 1 row: “Plate”. "
        "It has 2 notes: “Deburr” and “Paint black”. "
        "It was drawn by A. Smith."
    )


@pytest.mark.requirement("describe.diagram")
def test_a_flowchart_in_sentences() -> None:
    page = {
        "name": "Order",
        "nodes": [
            node("start", 0, 0),
            node("ask", 0, 100, shape="rhombus", label="In stock?"),
            node("send", 0, 200),
            node("wait", 200, 100),
            node("note", 400, 0),
        ],
        "edges": [
            edge("1", "start", "ask"),
            edge("2", "ask", "send", label="yes"),
            edge("3", "ask", "wait", label="no"),
            edge("4", "wait", "ask"),
            edge("5", "send", None),
        ],
    }
    assert text_of(ask("describe", diagram(page))) == (
        "The diagram “Order” has 5 nodes and 5 edges, in 2 unconnected parts. The flow starts at “start” and ends at “send”. "
        "It has 1 decision: “In stock?” (“yes” to “send” and “no” to “wait”). It has 1 cycle: “In stock?” and “wait”. "
        "1 node has no edge: “note”. 1 edge has an end that is attached to nothing."
    )


@pytest.mark.requirement("describe.no-flow")
def test_a_chart_of_classes_is_not_said_to_flow() -> None:
    page = {
        "name": "Model",
        "nodes": [node("Shape", 0, 0), node("Circle", 0, 100), node("Square", 200, 100)],
        "edges": [edge("1", "Circle", "Shape"), edge("2", "Square", "Shape")],
    }
    text = text_of(ask("describe", diagram(page)))
    assert "flow" not in text
    assert "Of its arrows none leads to “Circle” and “Square” and none leads on from “Shape”." in text


@pytest.mark.requirement("describe.assumed-unit")
@pytest.mark.parametrize(("found", "expected"), [("assumed", True), ("declared", False)])
def test_a_unit_that_the_file_does_not_declare_is_said_to_be_assumed(found: str, expected: bool) -> None:
    scene = part("plate").model_dump(exclude_none=True) | {"units_evidence": {"name": "millimeter", "found": found}}
    said = "The file declares no unit; its numbers are taken as millimeter." in text_of(ask("describe", scene))
    assert said == expected


@pytest.mark.requirement("describe.diagram")
def test_a_long_chain_needs_no_recursion() -> None:
    names = [f"n{place}" for place in range(1_500)]
    chain = [edge(f"e{place}", *pair) for place, pair in enumerate(zip(names, [*names[1:], names[0]], strict=True))]
    text = text_of(
        ask(
            "describe",
            diagram({"nodes": [node(name, 0, 50 * place) for place, name in enumerate(names)], "edges": chain}),
        )
    )
    assert "It has 1 cycle: “n0”" in text


@pytest.mark.requirement("describe.facts")
def test_the_description_is_its_sentences_and_each_has_facts() -> None:
    for found in (
        ask("describe", part("plate")),
        ask("describe", diagram({"nodes": [node("a", 0, 0)]})),
        ask("describe", point_cloud_scene=clouds({"a": box_points((0, 0, 0), (1, 2, 3))}, {"a": "box"})),
    ):
        sentences = found["proof"]["sentences"]
        assert text_of(found) == " ".join(each["text"] for each in sentences)
        assert all(each["facts"] and each["text"].endswith(".") for each in sentences)
        assert {fact["from"] for each in sentences for fact in each["facts"]} <= {"structure", "geometry"}
        assert "cad_scene" in found["data"]


@pytest.mark.requirement("describe.numbers")
@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (12.0, "12"),
        (12.50001, "12.5"),
        (74764.2491, "74,764"),
        (0.1, "0.1"),
        (1e-7, "1e-07"),
        (-3.14159265, "-3.1416"),
        (1e6, "1,000,000"),
    ],
)
def test_figures_have_the_digits_that_count(value: float, written: str) -> None:
    assert figure(value) == written


@pytest.mark.requirement("describe.numbers")
def test_units_follow_numbers_unless_they_are_unknown() -> None:
    assert measure(2.0, "inch", 3) == "2 in³"
    assert measure(2.0, "unknown") == "2"
    assert listing([f"p{place}" for place in range(9)]) == "p0, p1, p2, p3, p4 and 4 others"
    assert listing(["a", "b"]) == "a and b"


@pytest.mark.requirement("describe.numbers")
def test_points_have_fewer_digits_than_faces() -> None:
    text = text_of(ask("describe", point_cloud_scene=clouds({"a": box_points((0, 0, 0), (1.23456, 2, 3))})))
    assert text.startswith(
        "The scene has 1 point cloud of 296 points in all, within 1.23 × 2 × 3, in a unit that the scene does not state."
    )
