"""Products, placements, colours and stated measures, written by the kernel as a STEP file and read back."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from math import pi
from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString, TCollection_HAsciiString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import XCAFDoc_Area, XCAFDoc_ColorType, XCAFDoc_DocumentTool, XCAFDoc_Volume

from spatial.contract.extraction import Part, Structure
from spatial.errors import ParseError
from spatial.formats.occt import assembly
from spatial.formats.step import reader, usage
from spatial.formats.step.strings import decoded
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, PartFacts, Product, StatedMeasures
from spatial.models.reading import Reading, Units
from tests.spatial import parts

RED, BLUE = (0.8, 0.2, 0.1), (0.0, 0.4, 1.0)
"""sRGB."""
RADIUS, HEIGHT, DENSITY = 4.0, 10.0, 7850.0


def color(rgb: tuple[float, float, float]) -> Quantity_Color:
    return Quantity_Color(*rgb, Quantity_TypeOfColor.Quantity_TOC_sRGB)


def hexadecimal(rgb: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb)


def named(label: TDF_Label, name: str) -> TDF_Label:
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
    return label


@cache
def machine(stated_volume: float = pi * RADIUS**2 * HEIGHT) -> bytes:
    """A pin of steel, placed twice in a pair, the second time lower; the pair, placed twice in a machine."""
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    colors = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    pin_shape = parts.solid(cq.Workplane().circle(RADIUS).extrude(HEIGHT))
    pin = named(shapes.AddShape(pin_shape.wrapped, False), "pin")
    colors.SetColor(pin, color(RED), XCAFDoc_ColorType.XCAFDoc_ColorSurf)
    top = max(pin_shape.Faces(), key=lambda face: face.Center().z)
    colors.SetColor(shapes.AddSubShape(pin, top.wrapped), color(BLUE), XCAFDoc_ColorType.XCAFDoc_ColorSurf)
    XCAFDoc_DocumentTool.MaterialTool_s(document.Main()).SetMaterial(
        pin,
        *(TCollection_HAsciiString(text) for text in ("Steel", "")),
        DENSITY * 1e-3,
        *(TCollection_HAsciiString(text) for text in ("density measure", "POSITIVE_RATIO_MEASURE")),
    )
    XCAFDoc_Volume.Set_s(pin, stated_volume)
    XCAFDoc_Area.Set_s(pin, 2 * pi * RADIUS * (RADIUS + HEIGHT))
    pair, whole = named(shapes.NewShape(), "pair"), named(shapes.NewShape(), "machine")
    for number, place in enumerate((cq.Location(), cq.Location(cq.Vector(20, 0, -3)))):
        named(shapes.AddComponent(pair, pin, place.wrapped), f"pin {number}")
    named(shapes.AddComponent(whole, pair, TopLoc_Location()), "left")
    named(shapes.AddComponent(whole, pair, cq.Location(cq.Vector(0, 100, 0)).wrapped), "right")
    shapes.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.SetPropsMode(True)
    writer.SetMaterialMode(True)
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.step"
        writer.Write(str(path))
        return with_sound_density(path.read_bytes())


def with_sound_density(written: bytes) -> bytes:
    """The kernel writes the density's unit as mass to the third power; files of CAD programs have g/cm³."""
    element, unit = r"#\d+ = DERIVED_UNIT_ELEMENT\(#\d+,", r"MASS_UNIT\(\)"
    assert re.search(element + r"3\.\);\n#\d+ = \( " + unit, written.decode())
    return re.sub(
        rf"({element})3\.(\);\n#\d+ = \( {unit}[^;]*;\n{element})2\.",
        r"\g<1>1.\g<2>-3.",
        written.decode(),
    ).encode()


@cache
def read(stated_volume: float = pi * RADIUS**2 * HEIGHT) -> Reading:
    return reader.read(machine(stated_volume), "machine.step").reading


def structure() -> Structure:
    return read().structure


def part(name: str) -> Part:
    (found,) = [each for each in structure().parts or [] if each.name == name]
    return found


@pytest.mark.requirement("brep.parts")
def test_products_are_listed_once_with_their_solids() -> None:
    assert [(each.name, each.count) for each in structure().parts or []] == [("machine", 1), ("pair", 2), ("pin", 4)]
    pin = part("pin")
    assert pin.number == "pin"
    assert pin.solids == [solid.id for solid in structure().solids or []]
    assert pin.definitions == ["definition-1"]
    assert {solid.part for solid in structure().solids or []} == {pin.id}


@pytest.mark.requirement("brep.placements")
def test_an_assembly_is_refused_by_its_text_for_as_many_placements_as_the_kernel_unfolds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = []
    for module in (usage, assembly):
        with monkeypatch.context() as patched:
            patched.setattr(module, "PLACEMENTS", 0)
            with pytest.raises(ParseError) as refused:
                reader.read(machine(), "machine.step")
        counted.append((refused.value.details or {})["placements"])
    assert counted == [11, 11]  # a machine, two pairs, four pins and their bodies


@pytest.mark.requirement("brep.parts", "brep.placements")
def test_placements_lead_from_the_document_to_each_solid() -> None:
    (root,) = structure().assembly or []
    placed = {}
    for pair in root.children or []:
        for pin in pair.children or []:
            (name,) = pin.solids or []
            matrices = [np.reshape(node.matrix or (), (4, 4)) for node in (root, pair, pin)]
            placed[name] = (pin.id, matrices[0] @ matrices[1] @ matrices[2])
    assert len({instance for instance, _ in placed.values()}) == 4
    for solid in structure().solids or []:
        instance, matrix = placed[solid.id]
        assert solid.instance == instance
        assert matrix[:3].ravel() == pytest.approx(solid.transform, abs=1e-9)
        assert solid.center_of_mass == pytest.approx(matrix[:3] @ (0, 0, HEIGHT / 2, 1), abs=1e-9)


@pytest.mark.requirement("brep.placements")
def test_a_placement_has_its_own_name_beside_that_of_its_part() -> None:
    (root,) = structure().assembly or []
    pairs = root.children or []
    assert [(pair.name, pair.instance) for pair in pairs] == [("pair", "left"), ("pair", "right")]
    assert [(pin.name, pin.instance) for pin in pairs[0].children or []] == [("pin", "pin 0"), ("pin", "pin 1")]


@pytest.mark.requirement("brep.placements")
def test_a_part_that_the_file_does_not_show_says_so() -> None:
    text = machine().decode()
    styled = re.search(r"#(\d+) = STYLED_ITEM", text)
    assert styled
    written = text.replace("ENDSEC;\nEND-ISO", f"#99000=INVISIBILITY((#{styled[1]}));\nENDSEC;\nEND-ISO")
    hidden = {each.name: each.hidden for each in reader.read(written.encode(), "a.step").reading.structure.parts or []}
    assert hidden == {"machine": None, "pair": None, "pin": True}


@pytest.mark.requirement("brep.colors")
def test_colors_are_those_that_the_designer_chose() -> None:
    assert part("pin").color == hexadecimal(RED)
    for solid in structure().solids or []:
        assert solid.color == hexadecimal(RED)
        assert [face.color for face in solid.faces].count(hexadecimal(BLUE)) == 1
        assert {face.color for face in solid.faces} == {None, hexadecimal(BLUE)}


@pytest.mark.requirement("brep.layers")
def test_the_layers_of_a_part_are_those_that_its_body_is_assigned_to() -> None:
    body = re.search(rb"(#\d+) = MANIFOLD_SOLID_BREP", machine())
    assert body is not None
    written = b"#90000=PRESENTATION_LAYER_ASSIGNMENT('outer','',(%s));\n#90001=PRESENTATION_LAYER_ASSIGNMENT('turned','',(%s));\n"
    data = machine().replace(b"DATA;\n", b"DATA;\n" + written % (body.group(1), body.group(1)), 1)
    layers = {each.name: each.layers for each in reader.read(data, "machine.step").reading.structure.parts or []}
    assert sorted(layers["pin"] or []) == ["outer", "turned"]
    assert not [name for name, found in layers.items() if found and name != "pin"]


@pytest.mark.requirement("brep.material")
def test_the_mass_follows_from_material_and_volume() -> None:
    pin = part("pin")
    assert pin.material == "Steel"
    assert pin.density == pytest.approx(DENSITY)
    one = DENSITY * pi * RADIUS**2 * HEIGHT * 1e-9
    assert pin.mass == pytest.approx(one, rel=1e-9)
    assert part("pair").mass == pytest.approx(2 * one, rel=1e-9)
    assert part("machine").mass == pytest.approx(4 * one, rel=1e-9)


@pytest.mark.requirement("brep.stated-measures")
def test_measures_that_agree_are_not_warned_of() -> None:
    stated = part("pin").stated
    assert stated is not None
    assert stated.volume == pytest.approx(pi * RADIUS**2 * HEIGHT)
    assert stated.volume_deviation == pytest.approx(0.0, abs=1e-9)
    assert stated.surface_area_deviation == pytest.approx(0.0, abs=1e-9)
    assert not [warning for warning in read().warnings if "states another" in warning]


@pytest.mark.requirement("brep.stated-measures")
def test_curves_and_points_beside_a_solid_do_not_keep_its_measures_from_being_compared() -> None:
    beside = cq.Compound.makeCompound(
        [parts.block(), cq.Edge.makeLine((0, 0, 50), (9, 0, 50)), cq.Vertex.makeVertex(0, 0, 60)]
    )
    facts = PartFacts(stated=StatedMeasures(volume=6000.0), density=7850.0)
    flattened = flatten([Node(None, Product("block", beside.wrapped, facts=facts), gp_Trsf())], 1.0)
    found = measure(flattened, Units(name="millimeter", found="declared"), 1.0, "step", []).reading.structure
    (block,) = found.parts or []
    assert block.stated is not None
    assert block.stated.volume_deviation == pytest.approx(0.0, abs=1e-9)
    assert block.mass == pytest.approx(7850 * 6000e-9)


@pytest.mark.requirement("brep.stated-measures")
@pytest.mark.parametrize("solids", [1, 2])
def test_measures_stated_of_the_one_solid_are_compared_with_it_beside_open_shells(solids: int) -> None:
    bodies = [parts.block().translate((50 * number, 0, 0)) for number in range(solids)]
    beside = cq.Compound.makeCompound([*bodies, parts.open_box().translate((0, 90, 0))])
    facts = PartFacts(stated=StatedMeasures(volume=6000.0, of_one_solid=True))
    flattened = flatten([Node(None, Product("block", beside.wrapped, facts=facts), gp_Trsf())], 1.0)
    found = measure(flattened, Units(name="millimeter", found="declared"), 1.0, "step", []).reading.structure
    (block,) = found.parts or []
    assert (block.stated is not None) == (solids == 1)
    if block.stated is not None:
        assert block.stated.volume_deviation == pytest.approx(0.0, abs=1e-9)


@pytest.mark.requirement("brep.stated-measures")
def test_a_corner_of_the_bounding_box_is_no_centre_of_mass() -> None:
    """As NX writes it: NIST FTC-07, AP242."""
    volume = re.search(rb"(#\d+) = MEASURE_REPRESENTATION_ITEM\('volume measure'", machine())
    assert volume is not None
    points = (("bounding box corner point", -RADIUS, -RADIUS, 0.0), ("centre point", 0.0, 0.0, HEIGHT / 2))
    listed, written = volume.group(1), b""
    for number, (name, *place) in enumerate(points, start=90_000):
        listed = b"%s,#%d" % (listed, number) if number > 90_000 else b"#%d,%s" % (number, listed)
        written += f"#{number}=CARTESIAN_POINT('{name}',({','.join(map(str, place))}));\n".encode()
    data = re.sub(rb"\(" + volume.group(1) + rb"\)", b"(" + listed + b")", machine(), count=1)
    assert data != machine()
    data = data.replace(b"DATA;\n", b"DATA;\n" + written, 1)
    (pin,) = [each for each in reader.read(data, "machine.step").reading.structure.parts or [] if each.name == "pin"]
    assert pin.stated is not None
    assert pin.stated.center_of_mass == pytest.approx((0.0, 0.0, HEIGHT / 2))
    assert pin.stated.center_of_mass_deviation == pytest.approx(0.0, abs=1e-9)


@pytest.mark.requirement("brep.stated-measures")
def test_a_volume_that_contradicts_the_geometry_is_warned_of() -> None:
    (warning,) = [each for each in read(stated_volume=400.0).warnings if "states another" in each]
    assert "pin" in warning
    assert "volume" in warning
    assert "area" not in warning


@pytest.mark.requirement("brep.placements")
def test_a_mirrored_placement_says_so() -> None:
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 50, 0), gp_Dir(0, 1, 0)))
    block = Product("block", parts.block().wrapped)
    pair = Product("pair", nodes=[Node("left", block, gp_Trsf()), Node("right", block, mirror)])
    flattened = flatten([Node(None, pair, gp_Trsf())], 1.0)
    found = measure(flattened, Units(name="millimeter", found="declared"), 1.0, "step", []).reading.structure
    (root,) = found.assembly or []
    assert [child.mirrored for child in root.children or []] == [None, True]
    assert [solid.mirrored for solid in found.solids or []] == [None, True]


@pytest.mark.requirement("brep.part21-strings")
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb"Bolt M6x20", "Bolt M6x20"),
        (rb"it''s", "it's"),
        (rb"a\\b", "a\\b"),
        (rb"K\X2\00FC\X0\che", "Küche"),
        (rb"\X\C4rmel", "Ärmel"),
        (rb"caf\S\i", "café"),
        (rb"\X4\0001F600\X0\ ", "\U0001f600"),
    ],
)
def test_strings_of_part_21(raw: bytes, text: str) -> None:
    assert decoded(raw, "UTF8") == text
