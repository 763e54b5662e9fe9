"""Repairs of boundaries: left out at first, made where the kernel's check finds a fault, and never for faces with hundreds of holes."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import cadquery as cq
import pytest
from OCP.IGESControl import IGESControl_Writer
from OCP.Interface import Interface_Static
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

from spatial.contract.formats import NAMES, format_of
from spatial.formats.iges.text import IgesText
from spatial.formats.occt import kernel
from spatial.formats.step.part21 import Part21
from spatial.models.reading import Reading
from spatial.pipeline.read import read, read_file
from tests.spatial import parts as plates
from tests.spatial.formats.test_iges_losses import retyped
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes
from tests.support.stack import ROOT

BRACKET = (ROOT / "examples" / "bracket.step").read_text("latin-1")
VOLUME = 149178.91644125
ANGLE = plates.solid(
    cq.Workplane("XY").polyline([(0, 0), (40, 0), (40, 10), (10, 10), (10, 30), (0, 30)]).close().extrude(50)
)
"""An angle of plane faces; the kernel's writer states the curves of its edges on faces."""
CONE = cq.Solid.makeCone(3.0, 1.0, 5.0)
TIP = cq.Solid.makeCone(3.0, 0.0, 5.0)
DRILLED = plates.solid(cq.Workplane("XY").box(10, 20, 30).faces(">X").workplane().hole(6.0))


def read_with_repairs(
    monkeypatch: pytest.MonkeyPatch, data: bytes, name: str, without: tuple[str, ...] = ()
) -> tuple[Reading, list[tuple[str, ...]]]:
    """A file, and what each translation of it was made without. without: optional parts of the format."""
    seen: list[tuple[str, ...]] = []
    transfer: Callable[..., None] = kernel.transfer

    def noted(reader: object, document: object, file_name: str, without: tuple[str, ...] = ()) -> None:
        seen.append(tuple(without))
        transfer(reader, document, file_name, without)

    monkeypatch.setattr(kernel, "transfer", noted)
    return read(format_of(name), data, name, without).reading, seen


def plate(holes: int) -> tuple[cq.Shape, float]:
    """A plate of 3 mm with so many holes of 1 mm, and its volume."""
    side = math.ceil(math.sqrt(holes))
    places = [(2.0 * (n % side), 2.0 * (n // side)) for n in range(holes)]
    outline = cq.Wire.makePolygon(
        [cq.Vector(*at) for at in ((-1, -1), (2 * side, -1), (2 * side, 2 * side), (-1, 2 * side))], close=True
    )
    circles = [cq.Wire.makeCircle(0.5, cq.Vector(*at, 0), cq.Vector(0, 0, 1)) for at in places]
    made = cq.Solid.extrudeLinear(outline, circles, cq.Vector(0, 0, 3))
    return made, 3.0 * ((2 * side + 1) ** 2 - holes * math.pi * 0.25)


def written(shape: cq.Shape, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"plate{suffix}"
        if suffix == ".step":
            writer = STEPControl_Writer()
            writer.Transfer(shape.wrapped, STEPControl_AsIs)
            writer.Write(str(path))
        else:
            iges = IGESControl_Writer("MM", 0)
            iges.AddShape(shape.wrapped)
            iges.ComputeModel()
            iges.Write(str(path))
        return path.read_bytes()


def without_curves(shape: cq.Shape) -> bytes:
    """A STEP file that states no curve of an edge on a face, as most programs write it."""
    kernel.prepare()  # before the first use of a translator it has no parameters
    mode = "write.surfacecurve.mode"
    before = Interface_Static.IVal_s(mode)
    Interface_Static.SetIVal_s(mode, 0)
    try:
        return written(shape, ".step")
    finally:
        Interface_Static.SetIVal_s(mode, before)


def without_seam(data: bytes) -> bytes:
    """The same file with its cylinder bounded by two circles, each by itself, as some programs write a round hole."""
    edges = dict(re.findall(rb"#(\d+) = ORIENTED_EDGE\('',\*,\*,#(\d+),", data))
    for loop, members in re.findall(rb"#(\d+) = EDGE_LOOP\('',\(([#\d,]+)\)", data):
        oriented = re.findall(rb"\d+", members)
        used = [edges[each] for each in oriented]
        circles = [each for each in oriented if used.count(edges[each]) == 1]
        if len(circles) == len(used) - 2:
            return _with_circles(data, loop, members, circles)
    raise AssertionError("no face with a seam")


def _with_circles(data: bytes, loop: bytes, members: bytes, circles: list[bytes]) -> bytes:
    [bound] = re.findall(rb"#(\d+) = FACE_BOUND\('',#%s," % loop, data)
    data = data.replace(b"EDGE_LOOP('',(%s)" % members, b"EDGE_LOOP('',(#%s)" % circles[0])
    data = data.replace(b"ADVANCED_FACE('',(#%s)" % bound, b"ADVANCED_FACE('',(#%s,#99001)" % bound)
    further = b"#99001 = FACE_BOUND('',#99002,.T.);\n#99002 = EDGE_LOOP('',(#%s));\n" % circles[1]
    head, end, tail = data.rpartition(b"ENDSEC;")
    return head + further + end + tail


@pytest.mark.requirement("brep.repairs")
def test_a_sound_file_is_translated_once_and_without_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, seen = read_with_repairs(monkeypatch, BRACKET.encode("latin-1"), "bracket.step")
    (solid,) = reading.structure.solids or []
    assert solid.volume == pytest.approx(VOLUME, rel=1e-9)
    assert seen == [kernel.SOLIDS]


@pytest.mark.requirement("brep.repairs")
@pytest.mark.parametrize(
    ("shape", "volume"),
    [(ANGLE, 30000.0), (DRILLED, 6000.0 - 90.0 * math.pi), (CONE, 65.0 * math.pi / 3.0), (TIP, 15.0 * math.pi)],
    ids=["plane", "seam", "cone", "tip"],
)
def test_curves_of_edges_on_faces_that_a_file_does_not_state_are_added_without_repairs_of_solids(
    shape: cq.Shape, volume: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, seen = read_with_repairs(monkeypatch, without_curves(shape), "part.step")
    [solid] = reading.structure.solids or []
    assert solid.volume == pytest.approx(volume, rel=1e-11)
    assert (solid.is_closed, reading.warnings, seen) == (True, [], [kernel.SOLIDS])


@pytest.mark.requirement("brep.repairs")
def test_the_seam_of_a_round_face_between_two_circles_is_added_by_the_repairs_of_solids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, seen = read_with_repairs(monkeypatch, without_seam(without_curves(DRILLED)), "drilled.step")
    [solid] = reading.structure.solids or []
    assert solid.volume == pytest.approx(6000.0 - 90.0 * math.pi)
    assert (solid.is_closed, seen) == (True, [kernel.SOLIDS, kernel.BOUNDARIES])


@pytest.mark.requirement("brep.repairs")
def test_a_sound_file_that_states_the_curves_of_edges_on_faces_is_translated_without_any_repair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, seen = read_with_repairs(monkeypatch, written(ANGLE, ".step"), "angle.step")
    [solid] = reading.structure.solids or []
    assert [solid.volume, solid.surface_area] == pytest.approx([30000, 8200])
    assert (solid.is_closed, reading.warnings, seen) == (True, [], [kernel.SOLIDS])


@pytest.mark.requirement("brep.repairs")
@pytest.mark.parametrize(("shape", "without"), [(CONE, ()), (ANGLE, (NAMES,))], ids=["pole", "crashed"])
def test_the_repairs_of_solids_are_made_where_a_face_may_have_a_pole_or_the_parser_crashed_without_them(
    shape: cq.Shape, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, seen = read_with_repairs(monkeypatch, written(shape, ".step"), "part.step", without)
    assert seen == [kernel.BOUNDARIES]


@pytest.mark.requirement("brep.repairs")
@pytest.mark.parametrize("exchanged", [False, True], ids=["in-order", "exchanged"])
def test_a_seam_needs_no_repairs_of_solids_in_whichever_order_its_two_curves_stand(
    exchanged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written(DRILLED, ".step")
    seam = re.compile(rb"(SEAM_CURVE\('',#\d+,\()(#\d+),(#\d+)\)")
    assert seam.search(data)
    data = seam.sub(rb"\1\3,\2)", data) if exchanged else data
    reading, seen = read_with_repairs(monkeypatch, data, "drilled.step")
    [solid] = reading.structure.solids or []
    assert solid.volume == pytest.approx(6000.0 - 90.0 * math.pi)
    assert (solid.is_closed, reading.warnings, seen) == (True, [], [kernel.SOLIDS])


@pytest.mark.requirement("brep.repairs")
def test_the_repairs_of_solids_are_made_where_a_boundary_jumps_by_a_period_of_its_surface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = written(DRILLED, ".step")
    [cylinder] = re.findall(rb"#(\d+) = CYLINDRICAL_SURFACE", data)
    seams = b",".join(re.findall(rb"SEAM_CURVE\('',#\d+,\(([#\d,]+)\)", data)).split(b",")
    stated = re.findall(rb"(#\d+) = PCURVE\('',#%s,#(\d+)\)" % cylinder, data)
    number = next(representation for name, representation in stated if name not in seams)
    for entity in (rb"DEFINITIONAL_REPRESENTATION\('',\(", rb"LINE\('',"):
        [number] = re.findall(rb"#%s = %s#(\d+)" % (number, entity), data)
    moved = re.sub(rb"(#%s = CARTESIAN_POINT\('',\()[^,]+," % number, rb"\g<1>12.5663706143592,", data)
    reading, seen = read_with_repairs(monkeypatch, moved, "drilled.step")
    [solid] = reading.structure.solids or []
    assert solid.volume == pytest.approx(6000.0 - 90.0 * math.pi)
    assert (solid.is_closed, seen[:2]) == (True, [kernel.SOLIDS, kernel.BOUNDARIES])


@pytest.mark.requirement("brep.repairs")
def test_a_solid_that_is_inside_out_is_translated_with_all_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    turned = re.sub(
        rb"(ADVANCED_FACE\([^;]*,\.)([TF])(\.\))",
        lambda found: found[1] + (b"F" if found[2] == b"T" else b"T") + found[3],
        written(ANGLE, ".step"),
    )
    reading, seen = read_with_repairs(monkeypatch, turned, "turned.step")
    [solid] = reading.structure.solids or []
    assert solid.volume == pytest.approx(30000)
    assert any("look inwards in the file" in warning for warning in reading.warnings)
    assert seen == [kernel.SOLIDS, ()]


@pytest.mark.requirement("brep.repairs")
def test_a_solid_that_lacks_a_face_is_translated_with_all_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    open_shell = re.sub(rb"(CLOSED_SHELL\('',\()#\d+,", rb"\1", written(ANGLE, ".step"))
    reading, seen = read_with_repairs(monkeypatch, open_shell, "open.step")
    [shell] = reading.structure.shells or []
    assert (reading.structure.solids, shell.is_closed, len(shell.faces)) == ([], False, 7)
    assert seen == [kernel.SOLIDS, ()]


@pytest.mark.requirement("brep.repairs")
def test_whether_edges_state_their_curves_on_faces_is_counted() -> None:
    stated = b"DATA;#1=EDGE_CURVE('',#2,#3,#4,.T.);#4=SURFACE_CURVE('',#5,(#6,#7),.PCURVE_S1.);"
    seam = b"#8=EDGE_CURVE('',#2,#3,#9,.T.);#9=SEAM_CURVE('',#5,(#6,#7),.PCURVE_S1.);"
    assert Part21(stated).needs_no_curves
    assert Part21(stated + seam).needs_no_curves
    assert (Part21(stated).has_seams, Part21(stated + seam).has_seams) == (False, True)
    for other in (
        b"#8=EDGE_CURVE('',#2,#3,#9,.T.);",
        b"#8=CONICAL_SURFACE('',#9,1.,1.);",
    ):
        assert not Part21(stated + other).needs_no_curves
    assert not Part21(b"DATA;").needs_no_curves
    bare = b"DATA;#8=EDGE_CURVE('',#2,#3,#9,.T.);#9=LINE('',#5,#6);"
    assert [Part21(each).lacks_all_curves for each in (bare, bare + stated, b"DATA;")] == [True, False, False]
    assert not Part21(bare + b"#8=SPHERICAL_SURFACE('',#9,1.);").lacks_all_curves


@pytest.mark.requirement("brep.repairs")
def test_a_hole_whose_boundary_runs_the_wrong_way_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    found = next(re.finditer(r"FACE_BOUND\('',#\d+,\.([TF])\.\);", BRACKET))
    other = "F" if found[1] == "T" else "T"
    data = (BRACKET[: found.start(1)] + other + BRACKET[found.end(1) :]).encode("latin-1")
    reading, seen = read_with_repairs(monkeypatch, data, "bracket.step")
    (solid,) = reading.structure.solids or []
    assert solid.volume == pytest.approx(VOLUME, rel=1e-9)
    assert seen == [kernel.SOLIDS, ()]


@pytest.mark.requirement("brep.repairs")
@pytest.mark.parametrize("suffix", [".step", ".igs"])
def test_a_face_with_hundreds_of_holes_is_measured_without_a_search_for_crossings(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape, volume = plate(kernel.CROWDED + 20)
    reading, seen = read_with_repairs(monkeypatch, written(shape, suffix), f"plate{suffix}")
    found = [solid.volume for solid in reading.structure.solids or []]
    found += [shell.model_dump()["enclosed_volume"] for shell in reading.structure.shells or []]
    assert found == [pytest.approx(volume, rel=1e-7)]  # IGES has circles to eight digits
    assert seen == [kernel.CROSSINGS]


@pytest.mark.requirement("brep.repairs")
def test_bounds_are_counted_face_by_face() -> None:
    text = Part21(
        b"DATA;#1=ADVANCED_FACE('a(b',(#2,#3),#4,.T.);#5=FACE_SURFACE('',(#6),#7,.F.);#8=X_ADVANCED_FACE('',(#9,#9,#9),#4,.T.);"
    )
    assert sorted(text.bounds) == [1, 2]
    assert IgesText(b"").most_boundaries == 0


@pytest.mark.requirement("brep.repairs")
def test_the_repairs_that_a_file_was_read_without_are_made_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = retyped(iges_bytes(plates.block(), mode=SOLIDS), 190, 2)
    _, seen = read_with_repairs(monkeypatch, written(plate(kernel.CROWDED + 1)[0], ".igs"), "crowded.igs")
    assert seen == [kernel.CROSSINGS]
    [loss] = [warning for warning in read_file(damaged, "block.igs").reading.warnings if "could not be read" in warning]
    assert loss.startswith("2 of 6 faces could not be read")
