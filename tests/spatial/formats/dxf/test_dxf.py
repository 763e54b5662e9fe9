"""Entities, blocks, layers, sheets and units of DXF files that ezdxf made, held against ezdxf."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import ezdxf.filemanagement
import numpy as np
import pytest
from ezdxf.colors import DXF_DEFAULT_COLORS
from ezdxf.document import Drawing as Document
from hypothesis import given
from hypothesis import strategies as st

from spatial.formats.dxf import blocks as dxfblocks
from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.palette import PALETTE
from spatial.formats.dxf.reader import read
from spatial.models.sheet.drawing import Drawing
from spatial.pipeline.read import read_file
from spatial.understanding.sheet.lettering.labels import find_labels

COORDINATES = st.one_of(st.floats(-1e14, 1e14), st.floats(-10, 10), st.just(-0.0), st.just(2.0000005))
NEAR = 1e-5
FLAT = 0.05
"""How far points of a flattened curve of size 10 may be from the curve."""


def data_of(document: Document, *, binary: bool = False) -> bytes:
    if binary:
        stream = io.BytesIO()
        document.write(stream, fmt="bin")
        return stream.getvalue()
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode(document.output_encoding, "dxfreplace")


def drawing(document: Document) -> Drawing:
    return read(data_of(document), "sheet.dxf")


def new(version: str = "R2018") -> Document:
    return ezdxf.filemanagement.new(version, setup=True, units=4)


def of_type(found: Drawing, type: str) -> list[dict[str, Any]]:
    return [entity for entity in found.entities if entity["type"] == type]


def mixed(document: Document) -> Document:
    space = document.modelspace()
    space.add_line((1, 2), (3, 4, 5))
    space.add_circle((10, 10), 2.5)
    space.add_arc((20, 0), 3, 350, 80)
    space.add_polyline2d([(0, 0, 0), (5, 0, 0.5), (5, 5, 0)], format="xyb", close=True)
    space.add_solid([(0, 0), (1, 0), (0, 1), (1, 1)])
    space.add_text("Ø10 h7", height=2.5).set_placement((4, 5))
    return document


@pytest.mark.requirement("dxf.versions")
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("version", ["R12", "R2000", "R2004", "R2007", "R2010", "R2013", "R2018"])
def test_every_version_reads_alike(version: str, *, binary: bool) -> None:
    found = read(data_of(mixed(new(version)), binary=binary), "sheet.dxf")
    assert [entity["type"] for entity in found.entities] == ["line", "circle", "arc", "polyline", "solid"]
    line, circle, arc, polyline, solid = found.entities
    assert (line["start"], line["end"]) == ([1, 2], [3, 4, 5])
    assert (circle["center"], circle["radius"]) == ([10, 10], 2.5)
    assert (arc["start_angle"], arc["end_angle"]) == (350, 80)
    assert polyline["closed"]
    assert polyline["bulges"] == [0, 0.5, 0]
    assert solid["points"] == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert [text.text for text in found.sheets[0].texts] == ["Ø10 h7"]
    assert found.sheets[0].box[2] > 22.9


@pytest.mark.requirement("dxf.layouts")
def test_layouts_are_sheets() -> None:
    document = mixed(new())
    document.layouts.new("Second").add_text("on two")
    document.layouts.get("Layout1").add_text("on one")
    document.layouts.new("Empty")
    found = drawing(document)
    assert next((sheet.page, sheet.name, sheet.kind) for sheet in found.sheets) == (1, "Model", "model")
    assert {sheet.name: [text.text for text in sheet.texts] for sheet in found.sheets[1:]} == {
        "Layout1": ["on one"],
        "Second": ["on two"],
    }


@pytest.mark.requirement("dxf.layouts")
def test_an_empty_file_is_a_document() -> None:
    found = read(b"0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", "empty.dxf")
    assert (len(found.sheets), found.entities) == (1, [])
    assert read_file(data_of(new()), "empty.dxf").reading.structure.kind == "drawing2d"


@pytest.mark.requirement("dxf.curves")
def test_curves_lie_where_ezdxf_puts_them() -> None:
    document = new()
    space = document.modelspace()
    spline = space.add_spline_control_frame([(0, 0), (3, 8), (7, -2), (10, 4)])
    ellipse = space.add_ellipse((3, 3), major_axis=(4, 2), ratio=0.4, start_param=0.5, end_param=4)
    found = drawing(document)
    strokes = found.sheets[0].strokes
    assert strokes.curved.all()
    curves: list[Any] = [spline, ellipse]
    for place, entity in enumerate(curves):
        ours = strokes.ends[strokes.entity == place]
        theirs = np.array([(p.x, p.y) for p in entity.flattening(1e-4)])
        assert ours[0, :2] == pytest.approx(theirs[0], abs=NEAR)
        assert ours[-1, 2:] == pytest.approx(theirs[-1], abs=NEAR)
        away = np.hypot(*(ours[:, None, :2] - theirs[None]).transpose(2, 0, 1)).min(axis=1)
        assert away.max() < FLAT


@pytest.mark.requirement("dxf.curves")
def test_hatches_have_their_boundary_and_solid_ones_are_fills() -> None:
    document = new()
    solid = document.modelspace().add_hatch(color=2)
    solid.paths.add_polyline_path([(0, 0), (4, 0, 1), (4, 4), (0, 4)], is_closed=True)
    lined = document.modelspace().add_hatch()
    lined.set_pattern_fill("ANSI31", scale=0.01)
    edges = lined.paths.add_edge_path()
    edges.add_line((0, 0), (10, 0))
    edges.add_arc((5, 0), 5, 0, 180, ccw=True)
    found = drawing(document)
    first, second = of_type(found, "hatch")
    assert first["solid"] and not second["solid"]
    assert max(x for x, _ in first["outlines"][0]) == pytest.approx(6, abs=FLAT)
    assert max(y for _, y in second["outlines"][0]) == pytest.approx(5, abs=FLAT)
    assert len(found.sheets[0].fills) == 1
    assert not len(found.sheets[0].strokes.ends)


@pytest.mark.requirement("dxf.ocs")
@pytest.mark.parametrize("extrusion", [(0, 0, -1), (0, 1, 1), (1, 2, 3)])
def test_planes_are_resolved(extrusion: tuple[float, float, float]) -> None:
    document = new()
    space = document.modelspace()
    circle = space.add_circle((3, 4, 2), 1.5, dxfattribs={"extrusion": extrusion})
    polyline = space.add_lwpolyline([(1, 1), (4, 1), (4, 5)], dxfattribs={"extrusion": extrusion, "elevation": 2})
    found = drawing(document)
    center = circle.ocs().to_wcs(circle.dxf.center)
    assert found.entities[0]["center"][:2] == pytest.approx([center.x, center.y], abs=NEAR)
    world = [[point.x, point.y] for point in polyline.vertices_in_wcs()]
    assert np.array(found.entities[1]["points"]) == pytest.approx(np.array(world), abs=NEAR)


def nested(document: Document) -> Document:
    inner = document.blocks.new("inner", base_point=(1, 1))
    inner.add_line((1, 1), (3, 2))
    inner.add_circle((2, 2), 0.5)
    outer = document.blocks.new("outer")
    outer.add_blockref("inner", (5, 0), dxfattribs={"rotation": 30, "xscale": 2, "yscale": 2})
    outer.add_arc((0, 0), 4, 20, 70)
    document.modelspace().add_blockref("outer", (100, 50), dxfattribs={"rotation": 45, "xscale": -3, "yscale": 3})
    return document


@pytest.mark.requirement("dxf.blocks")
def test_nested_mirrored_blocks_are_exploded_as_ezdxf_does() -> None:
    document = nested(new())
    found = drawing(document)
    insert = of_type(found, "insert")
    assert [(entity["block"], entity["scale"], entity["rotation"]) for entity in insert] == [("outer", [-3, 3], 45)]
    assert all(e["insert"] == insert[0]["id"] for e in found.entities if e["type"] != "insert")
    reference = document.modelspace()[0]
    parts: list[Any] = []
    for part in reference.virtual_entities():
        parts += part.virtual_entities() if part.dxftype() == "INSERT" else [part]
    by_type = {part.dxftype(): part for part in parts}
    line = by_type["LINE"].dxf
    assert of_type(found, "line")[0]["start"] == pytest.approx([line.start.x, line.start.y], abs=NEAR)
    assert of_type(found, "line")[0]["end"] == pytest.approx([line.end.x, line.end.y], abs=NEAR)
    arc = of_type(found, "arc")[0]
    ends = sorted(
        (arc["center"][0] + arc["radius"] * math.cos(a), arc["center"][1] + arc["radius"] * math.sin(a))
        for a in (math.radians(arc["start_angle"]), math.radians(arc["end_angle"]))
    )
    theirs = sorted((point.x, point.y) for point in (by_type["ARC"].start_point, by_type["ARC"].end_point))
    assert np.array(ends) == pytest.approx(np.array(theirs), abs=1e-4)
    assert of_type(found, "circle")[0]["radius"] == pytest.approx(3)


@pytest.mark.requirement("dxf.blocks")
def test_arrays_and_uneven_scales() -> None:
    document = new()
    document.blocks.new("dot").add_circle((0, 0), 1)
    attributes = {"column_count": 3, "row_count": 2, "column_spacing": 10, "row_spacing": 20, "rotation": 90}
    document.modelspace().add_blockref("dot", (0, 0), dxfattribs={**attributes, "xscale": 2, "yscale": 1})
    ellipses = of_type(drawing(document), "ellipse")
    centers = {tuple(entity["center"]) for entity in ellipses}
    assert centers == {(-20.0 * row, 10.0 * column) for row in (0, 1) for column in (0, 1, 2)}
    assert ellipses[0]["major_axis"] == pytest.approx([0, 2], abs=NEAR)


@pytest.mark.requirement("dxf.blocks-absent")
def test_references_that_show_nothing_are_counted_and_named() -> None:
    document = new()
    document.add_xref_def("base plate.dxf", "BASE")
    for name in ("BASE", "BOLT", "BOLT"):
        document.modelspace().add_blockref(name, (0, 0))
    found = drawing(document)
    [warning] = [each for each in found.warnings if "references show nothing" in each]
    assert warning.startswith("3 references") and "'base plate.dxf'" in warning and "'BOLT'" in warning
    assert [shape["block"] for shape in of_type(found, "insert")] == ["BASE", "BOLT", "BOLT"]


@pytest.mark.requirement("dxf.bounded")
def test_blocks_within_themselves_end() -> None:
    document = new()
    block = document.blocks.new("loop")
    block.add_line((0, 0), (1, 0))
    for _ in range(3):
        block.add_blockref("loop", (1, 1))
    document.modelspace().add_blockref("loop", (0, 0))
    found = drawing(document)
    assert any("were left out" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.bounded")
def test_vast_arrays_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dxfblocks, "MAX_EXPLODED", 1000)
    document = new()
    document.blocks.new("dot").add_point((0, 0))
    attributes = {"column_count": 30000, "row_count": 30000, "column_spacing": 1, "row_spacing": 1}
    document.modelspace().add_blockref("dot", (0, 0), dxfattribs=attributes)
    found = drawing(document)
    assert len(found.entities) == 1001
    assert [entity["id"] for entity in found.entities if entity.get("incomplete")] == ["entity-1"]
    assert any("parts: 1 reference is listed without all parts" in each for each in found.warnings)


@pytest.mark.requirement("dxf.bounded")
def test_one_block_of_too_many_parts_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dxfblocks, "MAX_EXPLODED", 10)
    document = new()
    block = document.blocks.new("row")
    for number in range(20):
        block.add_point((number, 0))
    document.modelspace().add_blockref("row", (0, 0))
    found = drawing(document)
    assert [entity["id"] for entity in found.entities if entity.get("incomplete")] == ["entity-1"]
    assert any("parts: 1 reference is listed without all parts" in each for each in found.warnings)


@pytest.mark.requirement("dxf.layers")
def test_a_file_of_which_nothing_is_seen_is_read_as_if_its_layers_were_on_and_says_so() -> None:
    document = new()
    document.layers.add("off").off()
    document.modelspace().add_text("Ø8 H7", dxfattribs={"layer": "off"})
    found = drawing(document)
    assert [text.visible for text in found.sheets[0].texts] == [True]
    assert [layer["visible"] for layer in found.layers if layer["name"] == "off"] == [False]
    assert any("as if they were on" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.layers")
def test_layers_tell_how_they_look() -> None:
    document = new()
    layers = document.layers
    layers.add("seen", color=1, linetype="DASHED", lineweight=50)
    layers.add("off", color=3).off()
    layers.add("frozen").freeze()
    space = document.modelspace()
    for name in ("seen", "off", "frozen"):
        space.add_line((0, 0), (1, 1), dxfattribs={"layer": name})
        space.add_text(name, dxfattribs={"layer": name})
    found = drawing(document)
    told = {layer["name"]: layer for layer in found.layers}
    assert (told["seen"]["color"], told["seen"]["linetype"], told["seen"]["visible"]) == ("#ff0000", "DASHED", True)
    assert (told["off"]["on"], told["frozen"]["frozen"]) == (False, True)
    assert [entity.get("visible", True) for entity in found.entities] == [True, False, False]
    assert [text.visible for text in found.sheets[0].texts] == [True, False, False]
    strokes = found.sheets[0].strokes
    assert (len(strokes.ends), strokes.dashed.tolist(), strokes.width.tolist()) == (1, [True], [0.5])
    assert found.entities[0]["color"] == "#ff0000"


@pytest.mark.requirement("dxf.layers")
def test_layer_0_in_a_block_is_the_references() -> None:
    document = new()
    document.layers.add("parts", color=5)
    document.blocks.new("b").add_line((0, 0), (1, 0))
    document.modelspace().add_blockref("b", (0, 0), dxfattribs={"layer": "parts"})
    line = of_type(drawing(document), "line")[0]
    assert (line["layer"], line["color"]) == ("parts", "#0000ff")


@pytest.mark.requirement("dxf.units")
@pytest.mark.parametrize(
    ("insunits", "measurement", "unit", "how"),
    [
        (1, 1, "inch", "declared"),
        (4, 0, "millimeter", "declared"),
        (0, 0, "inch", "assumed"),
        (0, 1, "millimeter", "assumed"),
    ],
)
def test_units(insunits: int, measurement: int, unit: str, how: str) -> None:
    document = new()
    document.header["$INSUNITS"] = insunits
    document.header["$MEASUREMENT"] = measurement
    found = drawing(document)
    assert (found.units.name, found.units.found) == (unit, how)
    assert bool(found.warnings) == (how == "assumed")


@pytest.mark.requirement("dxf.attributes")
def test_attributes_have_tag_prompt_and_owner() -> None:
    document = new()
    block = document.blocks.new("title")
    block.add_attdef("DRAWN_BY", (0, 0), dxfattribs={"prompt": "Drawn by?"})
    block.add_attdef("FIXED", (0, 5), text="ACME", dxfattribs={"flags": 2})
    reference = document.modelspace().add_blockref("title", (10, 10))
    reference.add_attrib("DRAWN_BY", "J. Doe", (10, 10))
    found = drawing(document)
    insert = of_type(found, "insert")[0]
    assert insert["attributes"] == {"DRAWN_BY": "J. Doe"}
    texts = {text.text: text for text in found.sheets[0].texts}
    assert set(texts) == {"J. Doe", "ACME"}
    drawn = texts["J. Doe"]
    assert (drawn.tag, drawn.prompt, drawn.owner, drawn.kind) == ("DRAWN_BY", "Drawn by?", insert["id"], "attrib")


@pytest.mark.requirement("dxf.tables")
def test_a_table_without_block_is_read_from_its_tags() -> None:
    cells = "".join(f"171\n1\n172\n0\n173\n0\n175\n1\n176\n1\n302\n{text}\n" for text in "ABCD")
    table = (
        "0\nACAD_TABLE\n5\nA1\n8\n0\n100\nAcDbBlockReference\n10\n5\n20\n9\n100\nAcDbTable\n91\n2\n92\n2\n"
        f"141\n3\n141\n3\n142\n10\n142\n10\n{cells}"
    )
    found = read(f"0\nSECTION\n2\nENTITIES\n{table}0\nENDSEC\n0\nEOF\n".encode(), "table.dxf")
    rows = found.sheets[0].tables[0].rows
    assert [[cell and cell.text for cell in row] for row in rows] == [["A", "B"], ["C", "D"]]
    assert found.sheets[0].tables[0].box == (5, 3, 25, 9)


@pytest.mark.requirement("dxf.drawn-signs")
def test_a_sign_drawn_over_a_gap_is_read() -> None:
    document = new()
    space = document.modelspace()
    gap = r"{\ftxt;\W0.0001;\H0.0001;\~}{\ftxt;\W1.3;\H1.0; }{\ftxt;\W0.0001;\H0.0001;\~}"
    space.add_mtext(gap + "0.20", dxfattribs={"insert": (0, 0), "char_height": 1})
    for start, end in (((0.17, -0.5), (1.17, -0.5)), ((0.67, 0), (0.67, -1)), ((0.17, -1), (1.17, -1))):
        space.add_line(start, end)
    text = drawing(document).sheets[0].texts[0]
    assert text.text == "±0.20"
    assert text.repairs


@pytest.mark.requirement("dxf.drawn-signs")
def test_a_sign_that_is_not_recognised_leaves_the_other_lines_alone() -> None:
    document = new()
    space = document.modelspace()
    gap = r"{\ftxt;\W0.0001;\H0.0001;\~}{\ftxt;\W1.3;\H1.0; }{\ftxt;\W0.0001;\H0.0001;\~}"
    space.add_mtext(gap + "0.20" + r"\P" + gap + "STEP", dxfattribs={"insert": (0, 0), "char_height": 1})
    for start, end in (((0.17, -0.5), (1.17, -0.5)), ((0.67, 0), (0.67, -1)), ((0.17, -1), (1.17, -1))):
        space.add_line(start, end)
    space.add_lwpolyline([(0.2, -1.7), (1.1, -1.7), (1.1, -2.6), (0.2, -2.6)], close=True)
    assert drawing(document).sheets[0].texts[0].text == "±0.20\n STEP"


@pytest.mark.requirement("dxf.drawn-signs")
def test_a_diameter_sign_drawn_before_a_size_makes_it_a_hole() -> None:
    document = new()
    space = document.modelspace()
    space.add_text("4", height=2.4).set_placement((4.0, 0.0))
    space.add_text("22", height=2.4).set_placement((10.0, 0.0))
    space.add_circle((8.0, 1.2), 0.75)
    space.add_line((7.0, 0.2), (9.0, 2.2))
    (found,) = read_file(data_of(document), "plate.dxf").interpret().callouts or []
    assert (found.type, found.quantity, found.model_dump()["diameter"]) == ("hole", 4, 22.0)


ADDERS: dict[str, Callable[[Any], Any]] = {
    "linear": lambda space: space.add_linear_dim(base=(0, 5), p1=(0, 0), p2=(12.5, 3)),
    "aligned": lambda space: space.add_aligned_dim(p1=(0, 0), p2=(3, 4), distance=2),
    "diameter": lambda space: space.add_diameter_dim(center=(0, 0), radius=6.25, angle=30),
    "radius": lambda space: space.add_radius_dim(center=(0, 0), radius=4, angle=30),
    "angular": lambda space: space.add_angular_dim_cra((0, 0), 5, 10, 55, 7),
    "ordinate": lambda space: space.add_ordinate_x_dim((7, 2), (0, 3)),
}
VALUES = {"linear": 12.5, "aligned": 5, "diameter": 12.5, "radius": 4, "angular": 45, "ordinate": 7}


@pytest.mark.requirement("dxf.dimension-values")
@pytest.mark.parametrize("kind", ADDERS)
def test_dimensions_have_their_value(kind: str) -> None:
    document = new()
    # The style that ezdxf sets up multiplies by 100.
    for style in document.dimstyles:
        style.dxf.dimlfac = 1
    ADDERS[kind](document.modelspace()).render()
    found = drawing(document)
    dimension = found.sheets[0].dimensions[0]
    # ezdxf writes an aligned dimension as one that is rotated.
    assert dimension.type == kind.replace("aligned", "linear")
    assert dimension.value == pytest.approx(VALUES[kind])
    text = found.sheets[0].texts[0]
    assert (text.kind, text.id, text.text) == ("dimension", dimension.id, dimension.text)
    assert not found.entities
    assert set(found.sheets[0].strokes.entity.tolist()) <= {-1}


@pytest.mark.requirement("dxf.leaders")
def test_multileaders_are_read() -> None:
    from ezdxf.math import Vec2
    from ezdxf.render.mleader import ConnectionSide

    document = new()
    builder = document.modelspace().add_multileader_mtext("Standard")
    builder.set_content(r"4X %%c6.6 THRU\P2\S1#2;", char_height=2.5)
    builder.add_leader_line(ConnectionSide.left, [Vec2(-20, -15)])
    builder.build(insert=Vec2(5, 0))
    found = drawing(document)
    assert [(text.text, text.kind) for text in found.sheets[0].texts] == [("4X Ø6.6 THRU\n2 1/2", "leader")]
    assert of_type(found, "multileader")[0]["lines"][0][0] == [-20, -15]


@pytest.mark.requirement("lettering.role")
def test_a_text_at_the_last_point_of_a_leader_is_the_leaders_without_a_handle_between_them() -> None:
    document = new()
    space = document.modelspace()
    for tip, text in ((0, "C1"), (60, "SLOT 4X %%c8 THRU")):
        space.add_leader([(tip, 0), (tip + 20, 20), (tip + 25, 20)])
        space.add_mtext(text, dxfattribs={"char_height": 3.5, "insert": (tip + 27, 22)})
    found = drawing(document)
    assert found.sheets[0].native_leaders[0][-1] == (25.0, 20.0)
    roles = {label.text: label.role for label in find_labels(found.sheets[0], frozenset(), [])}
    assert roles == {"C1": "leader", "SLOT 4X Ø8 THRU": "leader"}


@pytest.mark.requirement("dxf.layers")
def test_numbered_colours_are_those_of_ezdxf() -> None:
    assert list(PALETTE) == [f"#{rgb & 0xFFFFFF:06x}" for rgb in DXF_DEFAULT_COLORS]


@pytest.mark.requirement("dxf.curves")
@given(st.lists(st.tuples(COORDINATES, COORDINATES)))
def test_points_that_are_rounded_together_are_as_each_by_itself(points: list[tuple[float, float]]) -> None:
    listed = ListedPoints()
    single, outline = [listed.point(x, y) for x, y in points], listed.points(np.array(points).reshape(-1, 2))
    listed.round()
    assert list(map(repr, [*single, *outline])) == [repr([round(x, 6), round(y, 6)]) for x, y in [*points, *points]]
