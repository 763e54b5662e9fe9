"""The same part in every unit and format: numbers are in the file's own unit; what encloses nothing has no volume."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import pi
from pathlib import Path

import cadquery as cq
import pytest
from OCP.BRep import BRep_Builder
from OCP.gp import gp_Trsf
from OCP.IGESControl import IGESControl_Controller, IGESControl_Writer
from OCP.Interface import Interface_Static
from OCP.TopoDS import TopoDS_Solid

from spatial.document.summary import symbol_of
from spatial.errors import ParseError
from spatial.formats.iges import reader as iges
from spatial.formats.step import reader as step
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, Product
from spatial.models.reading import Reading, Units
from spatial.reasoning.prose.sentence import measure as written_measure
from spatial.reasoning.prose.sentence import size_of
from tests.spatial import parts
from tests.spatial.models.test_brep_truth import EXACT, assembly_bytes, only_solid, step_bytes, structure_of

STEP_UNITS = {
    "MM": ("millimeter", 1.0), "CM": ("centimeter", 10.0), "M": ("meter", 1e3), "KM": ("kilometer", 1e6),
    "INCH": ("inch", 25.4), "FT": ("foot", 304.8), "MI": ("mile", 1609344.0), "MIL": ("mil", 0.0254),
    "UM": ("micrometer", 1e-3),
}  # fmt: skip
"""What the kernel's writer calls a unit, what a document calls it, and how many millimetres it has."""

IGES_UNITS = {
    "MM": ("millimeter", 1.0), "CM": ("centimeter", 10.0), "M": ("meter", 1e3), "IN": ("inch", 25.4),
    "FT": ("foot", 304.8),
}  # fmt: skip

WRITTEN_DIGITS = 1e-8
"""The kernel writes ten decimals into IGES: relative error of what is read from a file in large units."""

SOLIDS, FACES = 1, 0
"""Modes of the IGES writer."""


@contextmanager
def written_in(unit: str) -> Iterator[None]:
    """Set the unit of STEP files to be written; a setting of the process."""
    before = Interface_Static.CVal_s("write.step.unit")
    assert Interface_Static.SetCVal_s("write.step.unit", unit)
    try:
        yield
    finally:
        Interface_Static.SetCVal_s("write.step.unit", before)


def iges_bytes(shape: cq.Shape, unit: str = "MM", mode: int = SOLIDS) -> bytes:
    IGESControl_Controller.Init_s()
    writer = IGESControl_Writer(unit, mode)
    writer.AddShape(shape.wrapped)
    writer.ComputeModel()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.igs"
        writer.Write(str(path))
        return path.read_bytes()


def step_in(unit: str, shape: cq.Shape) -> Reading:
    step_bytes(parts.block())  # the first use of the writer sets the unit anew
    with written_in(unit):
        data = step_bytes(shape)
    return step.read(data, "part.step").reading


def hollow_block() -> cq.Shape:
    """A block of 10 x 20 x 30 with a round hole of radius 3 along its length."""
    return parts.solid(cq.Workplane().box(10, 20, 30).cut(cq.Workplane().circle(3).extrude(30, both=True)))


@pytest.mark.requirement("brep.units-step", "extraction.units-own")
@pytest.mark.parametrize("unit", STEP_UNITS)
def test_step_is_answered_in_its_own_unit(unit: str) -> None:
    name, millimetres = STEP_UNITS[unit]
    reading = step_in(unit, hollow_block().translate(cq.Vector(50, 0, 0)))
    assert (reading.units.name, reading.units.found) == (name, "declared")
    assert reading.units.source
    solid = only_solid(reading)
    hole = [face for face in solid.faces if face.type == "cylinder"]
    volume = 30 * (200 - pi * 9)
    assert solid.volume == pytest.approx(volume / millimetres**3, rel=EXACT)
    assert [face.radius for face in hole] == pytest.approx([3 / millimetres] * len(hole), rel=EXACT)
    assert sum(face.area or 0 for face in hole) == pytest.approx(pi * 180 / millimetres**2, rel=EXACT)
    assert solid.center_of_mass == pytest.approx((50 / millimetres, 0, 0), rel=EXACT, abs=EXACT / millimetres)
    assert solid.bbox is not None
    assert solid.bbox.min == pytest.approx([c / millimetres for c in (45, -10, -15)], rel=1e-8)
    assert solid.bbox.max == pytest.approx([c / millimetres for c in (55, 10, 15)], rel=1e-8)
    assert reading.bbox == solid.bbox


@pytest.mark.requirement("brep.units-step", "brep.assembly")
def test_placements_are_in_the_unit_of_the_file() -> None:
    places = {"a": cq.Location(), "b": cq.Location(cq.Vector(254, 0, 0))}
    step_bytes(parts.block())
    with written_in("INCH"):
        data = assembly_bytes("pair", parts.block(), places)
    reading = step.read(data, "pair.step").reading
    assert reading.units.name == "inch"
    _, second = structure_of(reading).solids or []
    assert second.transform is not None
    assert second.transform[3] == pytest.approx(10, rel=EXACT)
    assert second.center_of_mass == pytest.approx((10, 0, 0), abs=EXACT)


@pytest.mark.requirement("brep.unit-contradicted")
def test_a_unit_whose_name_and_length_contradict_each_other_is_called_by_its_length() -> None:
    step_bytes(parts.block())
    with written_in("INCH"):
        data = step_bytes(parts.block())
    wrong = re.sub(rb"(LENGTH_MEASURE_WITH_UNIT\s*\()25\.4", rb"\g<1>2.54", data)
    assert wrong != data
    reading = step.read(wrong, "wrong.step").reading
    assert reading.units.name == "2.54 mm"
    (warning,) = [each for each in reading.warnings if "is defined as" in each]
    assert "called inch" in warning
    assert only_solid(reading).volume == pytest.approx(6000 / 25.4**3, rel=EXACT)
    assert size_of((60.0, 30.0), reading.units.name) == "60 × 30 (2.54 mm)"
    assert written_measure(60.0, reading.units.name, power=3) == "60 (2.54 mm)³"
    assert symbol_of(reading.units.name) == "(2.54 mm)"


@pytest.mark.requirement("brep.units-assumed")
def test_step_without_a_unit_is_assumed_millimeter_with_a_warning() -> None:
    data = step_bytes(parts.block())
    bare = re.sub(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\([^)]*\)\s*\)\s*", b"", data)
    assert bare != data
    reading = step.read(bare, "bare.step").reading
    assert (reading.units.name, reading.units.found) == ("millimeter", "assumed")
    assert any("no unit of length" in warning for warning in reading.warnings)
    assert only_solid(reading).volume == pytest.approx(6000, rel=EXACT)


@pytest.mark.requirement("brep.units-assumed")
@pytest.mark.parametrize("length", [b"25.41E308", b"25.4E-400", b"2.E999999999", b"1.E300", b"0.", b"-25.4"])
def test_step_whose_unit_no_length_has_is_refused_with_that_reason(length: bytes) -> None:
    step_bytes(parts.block())
    with written_in("INCH"):
        data = step_bytes(parts.block())
    damaged = re.sub(rb"(LENGTH_MEASURE_WITH_UNIT\s*\()25\.4", rb"\g<1>" + length, data)
    assert damaged != data
    with pytest.raises(ParseError, match=r"'INCH'.*no unit of length"):
        step.read(damaged, "part.step")


@pytest.mark.requirement("brep.units-assumed")
def test_an_iges_file_whose_unit_the_kernel_takes_for_nothing_is_refused() -> None:
    data = iges_bytes(hollow_block())
    damaged = data.replace(b",1.,2,2HMM,", b",1.,12,2HMM,")
    assert damaged != data
    with pytest.raises(ParseError, match="unit of length is no length"):
        iges.read(damaged, "part.igs")


@pytest.mark.requirement("brep.units-iges", "extraction.units-own", "structure.solids")
@pytest.mark.parametrize("unit", IGES_UNITS)
def test_iges_is_answered_in_its_own_unit(unit: str) -> None:
    name, millimetres = IGES_UNITS[unit]
    reading = iges.read(iges_bytes(hollow_block(), unit), "part.igs").reading
    assert (reading.units.name, reading.units.found) == (name, "declared")
    solid = only_solid(reading)
    volume = 30 * (200 - pi * 9)
    accuracy = EXACT if unit == "MM" else WRITTEN_DIGITS
    assert solid.volume == pytest.approx(volume / millimetres**3, rel=accuracy)
    assert solid.bbox is not None
    assert solid.bbox.max == pytest.approx([c / millimetres for c in (5, 10, 15)], rel=1e-7)
    assert solid.is_closed is True


@pytest.mark.requirement("extraction.source-format")
@pytest.mark.parametrize("name", ["part.step", "PART.STP", "part.stp"])
def test_step_is_the_source_format_of_its_extensions(name: str) -> None:
    assert step.read(step_bytes(parts.block()), name).reading.source_format == "step"


@pytest.mark.requirement("extraction.source-format")
@pytest.mark.parametrize("name", ["part.iges", "PART.IGS", "part.igs"])
def test_iges_is_the_source_format_of_its_extensions(name: str) -> None:
    assert iges.read(iges_bytes(parts.block()), name).reading.source_format == "iges"


@pytest.mark.requirement("brep.surfaces-sewn")
@pytest.mark.parametrize("unit", IGES_UNITS)
def test_iges_surfaces_that_close_are_a_shell_and_no_solid(unit: str) -> None:
    name, millimetres = IGES_UNITS[unit]
    reading = iges.read(iges_bytes(parts.block(), unit, FACES), "faces.igs").reading
    structure = structure_of(reading)
    assert not structure.solids
    assert reading.units.name == name
    (shell,) = structure.shells or []
    assert shell.is_closed is True
    assert shell.area == pytest.approx(2200 / millimetres**2, rel=WRITTEN_DIGITS)
    enclosed = (shell.model_extra or {})["enclosed_volume"]
    assert enclosed == pytest.approx(6000 / millimetres**3, rel=WRITTEN_DIGITS)
    assert "volume" not in shell.model_dump(exclude_none=True)
    assert "the file has no solid" in reading.warnings
    assert any("shell-1" in warning and "sewn" in warning for warning in reading.warnings)


@pytest.mark.requirement("brep.open-no-volume")
def test_iges_surfaces_that_stay_open_are_free_faces() -> None:
    reading = iges.read(iges_bytes(parts.open_box(), mode=FACES), "faces.igs").reading
    structure = structure_of(reading)
    assert not structure.solids and not structure.shells
    free = structure.free_faces or []
    assert len(free) == 5
    assert sum(face.area or 0 for face in free) == pytest.approx(2000, rel=EXACT)
    assert "volume" not in structure.model_dump_json(exclude_none=True)
    assert any("no volume" in warning for warning in reading.warnings)


def _solid_of(shell: cq.Shape, *, turned: bool = False) -> cq.Shape:
    """A solid of just this shell, whether it closes or not."""
    builder, made = BRep_Builder(), TopoDS_Solid()
    builder.MakeSolid(made)
    builder.Add(made, shell.wrapped.Reversed() if turned else shell.wrapped)
    return cq.Shape.cast(made)


@pytest.mark.requirement("brep.open-no-volume")
@pytest.mark.parametrize("as_solid", [False, True])
def test_an_open_shell_has_no_volume_and_a_warning(as_solid: bool) -> None:
    shell = parts.open_box()
    reading = step.read(step_bytes(_solid_of(shell) if as_solid else shell), "open.step").reading
    (found,) = structure_of(reading).shells or []
    assert found.is_closed is False
    assert found.area == pytest.approx(2000, rel=EXACT)
    assert "volume" not in structure_of(reading).model_dump_json(exclude_none=True)
    assert any("bounds no volume" in warning for warning in reading.warnings)


@pytest.mark.requirement("brep.open-no-volume")
def test_a_solid_that_lacks_a_face_has_no_volume_and_a_warning() -> None:
    data = step_bytes(parts.block())
    lacking = re.sub(rb"(CLOSED_SHELL\('',\()#\d+,", rb"\1", data)
    assert lacking != data
    reading = step.read(lacking, "lacking.step").reading
    (shell,) = structure_of(reading).shells or []
    assert not structure_of(reading).solids
    assert shell.is_closed is False
    assert "volume" not in structure_of(reading).model_dump_json(exclude_none=True)
    assert any("bounds no volume" in warning for warning in reading.warnings)


def _turned_inside_out(data: bytes) -> bytes:
    """Every face and every boundary the other way round."""
    return re.sub(
        rb"((?:ADVANCED_FACE|FACE_BOUND|FACE_OUTER_BOUND)\([^;]*?)\.([TF])\.(\s*\)\s*;)",
        lambda found: found[1] + (b".F." if found[2] == b"T" else b".T.") + found[3],
        data,
    )


@pytest.mark.requirement("brep.inside-out", "brep.normals-outward")
def test_a_solid_inside_out_has_a_positive_volume_and_says_reversed() -> None:
    (shell,) = parts.block().Shells()
    wrong = _solid_of(shell, turned=True).wrapped
    bodies = flatten([Node(None, Product("part", wrong), gp_Trsf())], 1.0)
    reading = measure(bodies, Units(name="millimeter", found="declared"), 1.0, "step", []).reading
    solid = only_solid(reading)
    assert solid.orientation == "reversed"
    assert solid.volume == pytest.approx(6000, rel=EXACT)
    assert solid.center_of_mass == pytest.approx((0, 0, 0), abs=EXACT)
    assert any("look inwards" in warning for warning in reading.warnings)
    for face in solid.faces:
        assert face.origin and face.normal
        assert sum(a * b for a, b in zip(face.origin, face.normal, strict=True)) > 0


@pytest.mark.requirement("brep.inside-out", "brep.normals-outward")
@pytest.mark.parametrize("make", [parts.block, hollow_block])
def test_a_file_with_its_faces_turned_keeps_its_volume(make: Callable[[], cq.Shape]) -> None:
    data = step_bytes(make())
    turned = _turned_inside_out(data)
    assert turned != data
    right, solid = (only_solid(step.read(content, "part.step").reading) for content in (data, turned))
    assert right.volume is not None
    assert solid.volume == pytest.approx(right.volume, rel=EXACT)
    assert solid.center_of_mass == pytest.approx(right.center_of_mass, abs=EXACT)


@pytest.mark.requirement("brep.inside-out")
def test_a_reversed_shell_that_the_writer_sets_right_is_forward() -> None:
    (shell,) = parts.block().Shells()
    solid = only_solid(step.read(step_bytes(_solid_of(shell, turned=True)), "part.step").reading)
    assert solid.volume == pytest.approx(6000, rel=EXACT)


@pytest.mark.requirement("brep.wireframe")
@pytest.mark.parametrize("format", ["step", "iges"])
def test_a_wireframe_is_a_document_without_solids(format: str) -> None:
    wires = cq.Compound.makeCompound(parts.block().Edges())
    read = {
        "step": lambda: step.read(step_bytes(wires), "wires.step"),
        "iges": lambda: iges.read(iges_bytes(wires, mode=FACES), "wires.igs"),
    }
    reading = read[format]().reading
    structure = structure_of(reading)
    assert not structure.solids
    curves = structure.curves or []
    assert sum(curve.length or 0 for curve in curves) == pytest.approx(240, rel=EXACT)
    assert {curve.type for curve in curves} == {"line"}
    assert reading.bbox is not None
    assert reading.bbox.max == pytest.approx((5, 10, 15), abs=1e-6)
    assert "the file has no solid" in reading.warnings


def with_shell_turned(data: bytes) -> bytes:
    """The same by a shell that turns all of its faces."""
    found = re.search(rb"MANIFOLD_SOLID_BREP\('[^']*',#(\d+)\)", data)
    assert found
    turned = data.replace(found[0], b"MANIFOLD_SOLID_BREP('',#99999)")
    head, end, tail = turned.rpartition(b"ENDSEC;")
    return head + b"#99999=ORIENTED_CLOSED_SHELL('',*,#%s,.F.);\n" % found[1] + end + tail


@pytest.mark.requirement("brep.turned")
@pytest.mark.parametrize("turned", [_turned_inside_out, with_shell_turned])
@pytest.mark.parametrize("made", [parts.block, lambda: parts.solid(parts.cup())], ids=["block", "cup"])
def test_a_solid_that_the_kernel_turns_right_is_reported(
    turned: Callable[[bytes], bytes], made: Callable[[], cq.Solid]
) -> None:
    data = step_bytes(made())
    plain, wrong = step.read(data, "part.step").reading, step.read(turned(data), "part.step").reading
    assert not [each for each in plain.warnings if "inwards" in each]
    (warning,) = [each for each in wrong.warnings if "inwards" in each]
    assert warning.startswith("solid-1: ")
    assert only_solid(wrong).volume == pytest.approx(only_solid(plain).volume, rel=EXACT)


@pytest.mark.requirement("brep.turned")
def test_a_hollow_solid_that_the_kernel_turns_right_is_reported() -> None:
    data = step_bytes(hollow_block())
    assert not [each for each in step.read(data, "part.step").reading.warnings if "inwards" in each]
    wrong = step.read(_turned_inside_out(data), "part.step").reading
    assert [each for each in wrong.warnings if "inwards" in each]
