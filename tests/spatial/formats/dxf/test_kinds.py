"""Kinds of entity that few files have, as the document and the preview get them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from ezdxf.render import forms

from spatial.contract.extraction import Structure
from spatial.document.preview.sheet import picture
from spatial.formats.dxf.dimension import kind_of, text_of, value_of
from spatial.formats.dxf.dimstyle import Variables, completed
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.reader import read
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import GAP, plain_line
from spatial.pipeline.read import read_file
from tests.spatial.formats.dxf.test_dxf import data_of, drawing, new, of_type

NEAR = 1e-4


def dimension(type: str, flags: int, points: dict[int, tuple[float, float]], **further: Value) -> Record:
    pairs: list[tuple[int, Value]] = [(70, flags)]
    for code, (x, y) in points.items():
        pairs += [(code, x), (code + 10, y)]
    pairs += [(int(code.removeprefix("g")), value) for code, value in further.items()]
    return Record(type, [code for code, _ in pairs], [value for _, value in pairs])


@pytest.mark.requirement("dxf.dimension-values")
@pytest.mark.parametrize(
    ("record", "kind", "value"),
    [
        (dimension("ARC_DIMENSION", 5, {13: (5, 0), 14: (0, 5), 15: (0, 0)}), "arc_length", 2.5 * math.pi),
        (dimension("LARGE_RADIAL_DIMENSION", 4, {10: (0, 0), 15: (3, 4)}), "radius", 5),
        (dimension("DIMENSION", 2, {13: (0, 0), 14: (1, 0), 15: (0, 0), 10: (1, 1), 16: (2, 1)}), "angular", 45),
        (dimension("DIMENSION", 2, {13: (0, 0), 14: (1, 0), 15: (0, 0), 10: (1, 1), 16: (-1, 2)}), "angular", 135),
        (dimension("DIMENSION", 5, {13: (4, 0), 14: (0, 4), 15: (0, 0), 10: (3, 3)}), "angular", 90),
        (dimension("DIMENSION", 5, {13: (4, 0), 14: (0, 4), 15: (0, 0), 10: (-3, -3)}), "angular", 270),
        (dimension("DIMENSION", 6 | 64, {10: (1, 1), 13: (8, 3)}), "ordinate", 7),
        (dimension("DIMENSION", 6, {10: (1, 1), 13: (8, 3)}), "ordinate", 2),
    ],
)
def test_values_from_definition_points(record: Record, kind: str, value: float) -> None:
    if kind == "ordinate":
        # Both ends of the leader: the feature and the end of the line.
        record = Record(record.type, [*record.codes, 14, 24], [*record.values, 9.0, 9.0])
    assert kind_of(record) == kind
    assert value_of(record, kind, Variables(None, {}), paper=False)[0] == pytest.approx(value)


@pytest.mark.requirement("dxf.dimension-text")
@pytest.mark.parametrize(
    ("shown", "settings", "read"),
    [
        ("57,5", {71: 1, 47: 0.0, 48: 0.1}, "57,5 0/-0,1"),
        ("Ø8", {71: 1, 47: 0.1, 48: 0.1}, "Ø8±0.1"),
        ("72.5", {72: 1, 47: 0.1, 48: 0.2, 272: 2}, "72.60/72.30"),
        ("72.6/72.4", {72: 1, 47: 0.1, 48: 0.1}, "72.6/72.4"),
        ("8±0.1", {71: 1, 47: 0.1, 48: 0.1}, "8±0.1"),
        ("8", {71: 1}, "8"),
    ],
)
def test_tolerances_that_the_block_lacks(shown: str, settings: dict[int, Value], read: str) -> None:
    assert completed(shown, Variables(None, settings)) == read


@pytest.mark.requirement("dxf.dimension-text")
def test_signs_are_written_once() -> None:
    style = Variables(None, {271: 0})
    assert text_of(Record("DIMENSION", [1], ["R<>"]), "radius", 5.0, style, None) == "R5"
    assert text_of(Record("DIMENSION", [1], ["<> THRU"]), "diameter", 5.0, style, "O 5 THRU") == "Ø 5 THRU"


@pytest.mark.requirement("dxf.dimension-signs")
@pytest.mark.parametrize(
    ("user", "kind", "settings", "shown", "read"),
    [
        ("2x%%c<> Ad.", "diameter", {}, f"2x{GAP}3.4 Ad.", "2xØ3.4 Ad."),
        ("2x%%c<>%%p0.1", "diameter", {}, f"2x{GAP}3,4 {GAP} 0.1", f"2x{GAP}3,4 {GAP} 0.1"),
        ("<>%%p0.1", "linear", {}, f"3,4{GAP}0.1", "3,4±0.1"),
        ("", "diameter", {}, f"{GAP}2.5", "Ø2.5"),
        ("", "linear", {}, f"{GAP}2.5", f"{GAP}2.5"),
        ("", "linear", {71: 1, 47: 0.05, 48: 0.05}, "1.95 0.05", "1.95±0.05"),
        ("", "linear", {71: 1, 47: 0.05, 48: 0.1}, "1.95 0.05", "1.95 0.05"),
        ("", "linear", {71: 1, 47: 0.05, 48: 0.05}, "1.95 0.5", "1.95 0.5"),
        ("", "linear", {}, "1.95 0.05", "1.95 0.05"),
    ],
)
def test_signs_that_the_block_draws_are_those_of_the_text_the_kind_or_the_style(
    user: str, kind: str, settings: dict[int, Value], shown: str, read: str
) -> None:
    assert text_of(Record("DIMENSION", [1], [user]), kind, 3.4, Variables(None, settings), shown) == read


@pytest.mark.requirement("dxf.text-codes")
def test_a_unicode_code_has_four_digits() -> None:
    assert plain_line(r"\U+21A76 \U+00B10.1 \U+00D85") == "↧6 ±0.1 Ø5"


@pytest.mark.requirement("dxf.dimension-values")
def test_a_dimension_tells_what_it_is_drawn_with() -> None:
    document = new()
    document.modelspace().add_linear_dim(base=(0, 5), p1=(0, 0), p2=(12.5, 0), dimstyle="EZDXF").render()
    told = drawing(document).sheets[0].dimensions[0].further
    assert any(abs(line[0][1] - 5) < NEAR and abs(line[-1][1] - 5) < NEAR for line in told["lines"])
    assert told["height"] > 0
    assert told["angle"] == 0
    assert told["bbox"][0] < 6.25 < told["bbox"][2]


@pytest.mark.requirement("dxf.versions")
@pytest.mark.parametrize("version", ["AC1006", "AC1003", "AC1002", None])
def test_releases_before_12(version: str | None) -> None:
    header = f"0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\n{version}\n0\nENDSEC\n" if version else ""
    line = (
        "  0\nLINE\n  8\n0\n 10\n1.0\n 20\n2.0\n 11\n3.0\n 21\n4.0\n  0\nTEXT\n8\n0\n10\n0\n20\n0\n40\n2.5\n1\n%%c5\n"
    )
    found = read(f"{header}0\nSECTION\n2\nENTITIES\n{line}0\nENDSEC\n0\nEOF\n".encode(), "old.dxf")
    assert (found.entities[0]["start"], found.entities[0]["end"]) == ([1, 2], [3, 4])
    assert [text.text for text in found.sheets[0].texts] == ["Ø5"]


@pytest.mark.requirement("dxf.curves")
def test_curves_tell_points_and_angles_in_degrees() -> None:
    document = new()
    document.modelspace().add_ellipse((3, 3), (4, 0), ratio=0.5, start_param=0, end_param=math.pi)
    document.modelspace().add_spline_control_frame([(0, 0), (3, 8), (7, -2), (10, 4)])
    ellipse, spline = drawing(document).entities
    assert (ellipse["start_angle"], ellipse["end_angle"]) == (0, 180)
    assert (ellipse["major_axis"], ellipse["minor_axis"]) == ([4, 0], [0, 2])
    assert len(spline["points"]) > 8
    assert spline["control_points"]


@pytest.mark.requirement("dxf.curves")
def test_lines_without_end_end_at_the_sheet() -> None:
    document = new()
    space = document.modelspace()
    space.add_lwpolyline([(0, 0), (10, 0), (10, 10), (0, 10)], close=True)
    space.add_ray((5, 5), (1, 0))
    space.add_xline((0, 0), (1, 1))
    found = drawing(document)
    ray, xline = of_type(found, "ray")[0], of_type(found, "xline")[0]
    assert (ray["start"], ray["end"]) == ([5, 5], [10, 5])
    assert (xline["start"], xline["end"]) == ([0, 0], [10, 10])


@pytest.mark.requirement("dxf.curves")
def test_meshes_are_their_edges() -> None:
    document = new()
    space = document.modelspace()
    forms.cube().render_polyface(space)
    forms.cube().render_mesh(space)
    grid = space.add_polymesh((3, 4))
    for i in range(3):
        for j in range(4):
            grid.set_mesh_vertex((i, j), (i, j, 0))
    found = drawing(document)
    assert [len(entity["lines"]) for entity in of_type(found, "polyface")] == [12]
    assert [len(entity["lines"]) for entity in of_type(found, "mesh")] == [12, 7]


@pytest.mark.requirement("dxf.curves")
def test_strands_of_an_mline() -> None:
    document = new()
    document.modelspace().add_mline([(0, 0), (10, 0), (10, 10)])
    lines = of_type(drawing(document), "mline")[0]["lines"]
    assert [len(line) for line in lines] == [3, 3]
    assert abs(lines[0][0][1] - lines[1][0][1]) == pytest.approx(1)


@pytest.mark.requirement("dxf.ocs")
def test_a_paragraph_seen_from_behind_reads_to_the_left() -> None:
    document = new()
    attributes = {"char_height": 2, "width": 40, "extrusion": (0, 0, -1), "text_direction": (-1, 0, 0)}
    document.modelspace().add_mtext("seen from behind", dxfattribs=attributes)
    text = drawing(document).sheets[0].texts[0]
    assert text.angle == pytest.approx(180)
    assert text.box[2] == pytest.approx(0, abs=NEAR)
    assert text.box[3] == pytest.approx(0, abs=NEAR)


@pytest.mark.requirement("dxf.tables")
def test_a_table_is_read_from_its_block() -> None:
    document = new("R2000")
    block = document.blocks.new("*T1")
    block.add_lwpolyline([(0, 0), (20, 0), (20, -6), (0, -6)], close=True)
    for place, text in enumerate(("ITEM", "QTY", "1", "2X")):
        at = (1 + 10 * (place % 2), -1 - 3 * (place // 2))
        block.add_mtext(text, dxfattribs={"insert": at, "char_height": 1})
    data = data_of(document).decode()
    table = (
        "0\nACAD_TABLE\n5\nFFF1\n8\n0\n100\nAcDbBlockReference\n2\n*T1\n10\n5\n20\n9\n100\nAcDbTable\n91\n2\n92\n2\n"
        "141\n3\n141\n3\n142\n10\n142\n10\n" + "171\n1\n172\n0\n173\n0\n175\n1\n176\n1\n302\nstale\n" * 4
    )
    head, mark, entities = data.partition("ENTITIES\n")
    found = read((head + mark + table + entities).encode(), "table.dxf")
    rows = found.sheets[0].tables[0].rows
    assert [[cell and cell.text for cell in row] for row in rows] == [["ITEM", "QTY"], ["1", "2X"]]
    assert of_type(found, "table")[0]["lines"][0][0] == [5, 9]


@pytest.mark.requirement("dxf.tolerance-frame")
def test_a_frame_stands_in_the_drawing() -> None:
    document = new()
    document.modelspace().new_entity("TOLERANCE", {"insert": (3, 4), "content": r"{\Fgdt;j}%%v{\Fgdt;n}0.2%%vA"})
    text = drawing(document).sheets[0].texts[0]
    assert (text.text, text.kind) == ("⌖|Ø0.2|A", "tolerance")
    assert text.box[0] == pytest.approx(3)


@pytest.mark.requirement("dxf.attributes")
def test_an_attribute_on_layer_0_goes_with_its_reference() -> None:
    document = new()
    document.layers.add("hidden").off()
    document.blocks.new("b").add_attdef("TAG", (0, 0))
    reference = document.modelspace().add_blockref("b", (0, 0), dxfattribs={"layer": "hidden"})
    reference.add_attrib("TAG", "unseen", (0, 0))
    document.modelspace().add_line((0, 0), (1, 1))
    assert [text.visible for text in drawing(document).sheets[0].texts] == [False]


@pytest.mark.requirement("dxf.bounded")
def test_arrays_of_arrays_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    from spatial.formats.dxf import blocks as dxfblocks

    monkeypatch.setattr(dxfblocks, "MAX_EXPLODED", 500)
    document = new()
    document.blocks.new("a").add_line((0, 0), (1, 0))
    array = {"column_count": 100, "row_count": 100, "column_spacing": 1, "row_spacing": 1}
    document.blocks.new("b").add_blockref("a", (0, 0), dxfattribs=array)
    for place in range(300):
        document.modelspace().add_blockref("b", (place, 0), dxfattribs=array)
    found = drawing(document)
    assert len(of_type(found, "line")) <= 501
    assert any("exploded up to" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.leaders")
def test_the_preview_draws_every_kind() -> None:
    document = new()
    space: Any = document.modelspace()
    space.add_mline([(0, 0), (10, 0), (10, 10)])
    space.add_xline((0, 0), (1, 1))
    forms.cube().render_polyface(space)
    space.add_linear_dim(base=(0, 5), p1=(0, 0), p2=(12.5, 0)).render()
    space.add_mtext("one two three four five six", dxfattribs={"char_height": 1, "width": 8, "attachment_point": 5})
    read = read_file(data_of(document), "sheet.dxf").reading.structure
    drawn = picture(Structure.model_validate(read.model_dump(exclude_none=True)), 1, "sheet")
    assert drawn.count("<path") > 15
    assert drawn.count("<tspan") > 1
    assert 'text-anchor="middle"' in drawn
