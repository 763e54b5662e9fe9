"""Files that other systems than the kernel wrote, and bodies written by hand in Part 21, against what is known of them from outside."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import pi
from pathlib import Path

import cadquery as cq
import pytest

from spatial.contract.extraction import Structure
from spatial.models.reading import Reading
from spatial.pipeline.read import read_file
from tests.spatial.models.test_brep_truth import only_solid, step_bytes
from tests.support.stack import ROOT

DATA = ROOT / "tests" / "data"
POINT = re.compile(r"#(\d+)\s*=\s*CARTESIAN_POINT\s*\(\s*'[^']*'\s*,\s*\(([^(),]+),([^(),]+),([^(),]+)\)")
VERTEX = re.compile(r"VERTEX_POINT\s*\(\s*'[^']*'\s*,\s*#(\d+)")


@dataclass(frozen=True)
class Truth:
    """What is known of the one definition of a file. source: how it is known; size: of the box, where its corners do not tell it."""

    path: str
    unit: str
    source: str
    volume: float | None = None
    precision: float = 1e-9
    size: tuple[float, float, float] | None = None
    solids: int = 1


TRUTHS = (
    Truth("solids/nist_simple_sign.stp.gz", "inch", "1 x 2 x 3 in, drilled 1/8 in along 2 in", 6 - pi / 256 * 2),
    Truth("solids/nist_ftc_07_ap242e2.stp.gz", "inch", "the file's own volume", 105.34209, 3e-6),
    Truth("pmi/nist_ctc_01_asme1_ap242-e1.stp.gz", "millimeter", "sheet of NIST CTC-01", size=(800, 450, 150)),
    Truth("solids/nist_stc_06_ap242e3.stp.gz", "millimeter", "9.75 x 12 x 3.85 in", size=(247.65, 304.8, 97.79)),
    Truth("links/MMP.03.00.00.003_Motor_bracket.step.gz", "millimeter", "its drawing", size=(146, 90, 20)),
    Truth("links/MMP.03.00.00.004_Drive_shaft.step.gz", "millimeter", "its drawing", size=(150, 30, 30)),
    Truth(
        "links/MMP.04.00.00.001_Center_bracket.step.gz",
        "millimeter",
        "its drawing, which rounds 341.2 to 341",
        size=(270, 240, 341.2),
    ),
    Truth("links/HEL-03-01010-00.step.gz", "millimeter", "one sheet and two nuts", solids=3),
)
EACH = pytest.mark.parametrize("truth", TRUTHS, ids=[Path(truth.path).name for truth in TRUTHS])


@cache
def contents(path: str) -> bytes:
    return gzip.decompress((DATA / path).read_bytes())


@cache
def reading_of(path: str) -> Reading:
    return read_file(contents(path), Path(path).name.removesuffix(".gz")).reading


def structure_of(path: str) -> Structure:
    found = reading_of(path).structure
    assert found.kind == "brep"
    return found


def count(path: str, entity: str) -> int:
    """How often the text of the file has an entity."""
    return len(re.findall(rf"\b{entity}\s*\(", contents(path).decode("latin-1")))


@pytest.mark.requirement("brep.real-files")
@EACH
def test_a_file_of_another_system_has_its_unit_and_its_solids(truth: Truth) -> None:
    assert reading_of(truth.path).units.name == truth.unit
    exact = [each for each in structure_of(truth.path).solids or () if each.representation == "exact"]
    assert len(exact) == truth.solids
    assert all(each.orientation == "forward" and each.is_closed and each.volume for each in exact)


@pytest.mark.requirement("brep.real-files")
@EACH
def test_every_face_of_the_text_is_in_the_document(truth: Truth) -> None:
    found = structure_of(truth.path)
    definitions = {each.instance_of or each.id: each for each in found.solids or () if each.representation == "exact"}
    bodies = [*definitions.values(), *(found.shells or ())]
    loose = len(found.free_faces or ())
    assert sum(len(each.faces) for each in bodies) + loose == count(truth.path, "ADVANCED_FACE")


@pytest.mark.requirement("brep.real-files")
@pytest.mark.parametrize("truth", [each for each in TRUTHS if each.volume], ids=lambda each: Path(each.path).name)
def test_the_volume_is_the_one_known_from_outside(truth: Truth) -> None:
    solid = next(each for each in structure_of(truth.path).solids or ())
    assert solid.volume == pytest.approx(truth.volume, rel=truth.precision)


@pytest.mark.requirement("brep.real-files")
@pytest.mark.parametrize("truth", [each for each in TRUTHS if each.size], ids=lambda each: Path(each.path).name)
def test_the_box_is_that_of_the_drawing(truth: Truth) -> None:
    (solid,) = structure_of(truth.path).solids or []
    assert solid.bbox
    size = [high - low for low, high in zip(solid.bbox.min, solid.bbox.max, strict=True)]
    assert size == pytest.approx(truth.size, abs=1e-5)


@pytest.mark.requirement("brep.real-files")
@pytest.mark.parametrize("truth", [each for each in TRUTHS if each.solids == 1], ids=lambda each: Path(each.path).name)
def test_the_box_holds_every_vertex_of_the_text(truth: Truth) -> None:
    """One body in its own place: its vertices are where the text has them."""
    found = structure_of(truth.path)
    bodies = [each for each in (*(found.solids or ()), *(found.shells or ())) if each.bbox]
    text = contents(truth.path).decode("latin-1")
    points = {number: tuple(map(float, place)) for number, *place in POINT.findall(text)}
    vertices = [points[number] for number in VERTEX.findall(text)]
    assert vertices
    for axis in range(3):
        low = min(each.bbox.min[axis] for each in bodies if each.bbox)
        high = max(each.bbox.max[axis] for each in bodies if each.bbox)
        assert low - 1e-6 <= min(each[axis] for each in vertices)
        assert high + 1e-6 >= max(each[axis] for each in vertices)


@pytest.mark.requirement("brep.real-files")
def test_the_assembly_of_the_implementor_forum_has_its_eighteen_parts_and_their_stated_volumes() -> None:
    """AS1: a plate, two brackets, six bolts, eight nuts and a rod; each product states its volume, of a mesh."""
    found = structure_of("solids/as1-oc-214.stp.gz")
    assert len(found.solids or ()) == 18
    assert {part.name: part.count for part in found.parts or ()} == {
        "as1": 1, "rod-assembly": 1, "l-bracket-assembly": 2, "nut-bolt-assembly": 6,
        "plate": 1, "l-bracket": 2, "bolt": 6, "nut": 8, "rod": 1,
    }  # fmt: skip
    text = contents("solids/as1-oc-214.stp.gz").decode("latin-1")
    stated = sorted(float(each) for each in re.findall(r"VOLUME_MEASURE\s*\(\s*([^\s()]+)\s*\)", text))
    volumes = {each.part: each.volume for each in found.solids or ()}
    total = sum(each.volume or 0.0 for each in found.solids or ())
    assert total == pytest.approx(stated[-1], rel=1e-4)
    assert all(any(volume == pytest.approx(each, rel=1e-4) for each in stated) for volume in volumes.values())


@pytest.mark.requirement("brep.real-files")
@pytest.mark.parametrize(
    ("path", "volume", "size"),
    [
        ("solids/cube_10x10.igs.gz", 1000.0, 10.0),
        ("solids/igesio_single_rounded_cube.iges.gz", 50.0**3 - (1 - pi / 4) * 15**2 * 50, 50.0),
    ],
)
def test_cubes_in_iges_have_the_volume_of_the_formula(path: str, volume: float, size: float) -> None:
    found = structure_of(path)
    bodies = [(each.volume, each.bbox) for each in found.solids or ()]
    bodies += [((each.model_extra or {})["enclosed_volume"], each.bbox) for each in found.shells or ()]
    ((enclosed, box),) = bodies
    assert enclosed == pytest.approx(volume, rel=1e-7)
    assert box
    assert [high - low for low, high in zip(box.min, box.max, strict=True)] == pytest.approx([size] * 3)


@pytest.mark.requirement("brep.real-files")
@pytest.mark.parametrize(
    ("path", "warning"),
    [
        ("solids/s1-c5-214_extref.stp.gz", "TAIL.stp, HEAD.stp, MAINBODY.stp, FOOT.stp"),
        ("solids/ap209_ATS1-out.stp.gz", "finite element mesh (18 nodes)"),
    ],
)
def test_a_file_without_bodies_says_what_it_has_instead(path: str, warning: str) -> None:
    assert not structure_of(path).solids
    assert any(warning in each for each in reading_of(path).warnings)


CYLINDER = r"#(\d+) = CYLINDRICAL_SURFACE\('',#(\d+),7.\);"
AS_OFFSET = r"#\1 = OFFSET_SURFACE('',#9001,2.,.F.);#9001 = CYLINDRICAL_SURFACE('',#\2,5.);"
AS_EXTRUSION = (
    r"#\1 = SURFACE_OF_LINEAR_EXTRUSION('',#9001,#9002);#9001 = CIRCLE('',#\2,7.);"
    r"#9002 = VECTOR('',#9003,1.);#9003 = DIRECTION('',(0.,0.,1.));"
)
AS_REVOLUTION = (
    r"#\1 = SURFACE_OF_REVOLUTION('',#9001,#9005);#9001 = LINE('',#9002,#9003);#9002 = CARTESIAN_POINT('',(7.,0.,0.));"
    r"#9003 = VECTOR('',#9004,1.);#9004 = DIRECTION('',(0.,0.,1.));"
    r"#9005 = AXIS1_PLACEMENT('',#9006,#9004);#9006 = CARTESIAN_POINT('',(0.,0.,0.));"
)
PLACED = """#20=CARTESIAN_POINT('',(0.,0.,0.));#21=DIRECTION('',(0.,0.,1.));#22=DIRECTION('',(1.,0.,0.));
#23=AXIS2_PLACEMENT_3D('',#20,#21,#22);"""
CONE = f"""{PLACED}#16=CLOSED_SHELL('',(#30,#40));#24=CIRCLE('',#23,12.);#25=CARTESIAN_POINT('',(12.,0.,0.));
#26=VERTEX_POINT('',#25);#27=EDGE_CURVE('',#26,#26,#24,.T.);#28=CARTESIAN_POINT('',(0.,0.,20.));#29=VERTEX_POINT('',#28);
#30=ADVANCED_FACE('',(#31,#34),#37,.T.);#31=FACE_BOUND('',#32,.T.);#32=EDGE_LOOP('',(#33));#33=ORIENTED_EDGE('',*,*,#27,.T.);
#34=FACE_BOUND('',#35,.T.);#35=VERTEX_LOOP('',#29);#36=DIRECTION('',(0.,0.,-1.));#38=AXIS2_PLACEMENT_3D('',#20,#36,#22);
#37=CONICAL_SURFACE('',#38,12.,0.5404195002705842);#40=ADVANCED_FACE('',(#41),#44,.F.);#41=FACE_OUTER_BOUND('',#42,.T.);
#42=EDGE_LOOP('',(#43));#43=ORIENTED_EDGE('',*,*,#27,.F.);#44=PLANE('',#23);
"""
BALL = f"""{PLACED}#16=CLOSED_SHELL('',(#30));#28=CARTESIAN_POINT('',(0.,0.,9.));#29=VERTEX_POINT('',#28);
#30=ADVANCED_FACE('',(#34),#37,.T.);#34=FACE_BOUND('',#35,.T.);#35=VERTEX_LOOP('',#29);#37=SPHERICAL_SURFACE('',#23,9.);
"""


@cache
def cylinder() -> str:
    return step_bytes(cq.Solid.makeCylinder(7, 25)).decode("latin-1")


def surfaced(replacement: str) -> str:
    """The cylinder, with its wall as another surface of the standard."""
    text, changed = re.subn(CYLINDER, replacement, cylinder())
    assert changed == 1
    return text


def shelled(data: str) -> str:
    """A file with the one shell #16 that `data` has."""
    text = cylinder()
    return text[: text.index("#16 = CLOSED_SHELL")] + data + text[text.index("#113 =") :]


def inside_out() -> str:
    return re.sub(
        r"MANIFOLD_SOLID_BREP\('',(#\d+)\);",
        r"MANIFOLD_SOLID_BREP('',#9001);#9001 = ORIENTED_CLOSED_SHELL('',*,\1,.F.);",
        cylinder(),
    )


@pytest.mark.requirement("brep.surface-entities")
@pytest.mark.parametrize(
    ("make", "volume", "types", "modelled_as"),
    [
        (lambda: surfaced(AS_OFFSET), pi * 49 * 25, ["cylinder", "plane", "plane"], "offset"),
        (lambda: surfaced(AS_EXTRUSION), pi * 49 * 25, ["cylinder", "plane", "plane"], "extrusion"),
        (lambda: surfaced(AS_REVOLUTION), pi * 49 * 25, ["cylinder", "plane", "plane"], "revolution"),
        (lambda: shelled(CONE), pi * 144 * 20 / 3, ["cone", "plane"], None),
        (lambda: shelled(BALL), pi * 9**3 * 4 / 3, ["sphere"], None),
        (inside_out, pi * 49 * 25, ["cylinder", "plane", "plane"], None),
    ],
    ids=["offset", "extrusion", "revolution", "apex-as-vertex-loop", "ball-with-a-vertex-loop", "inside-out"],
)
def test_surfaces_of_the_standard_are_measured_as_the_formula_says(
    make: Callable[[], str], volume: float, types: list[str], modelled_as: str | None
) -> None:
    reading = read_file(make().encode("latin-1"), "part.step").reading
    solid = only_solid(reading)
    assert solid.volume == pytest.approx(volume, rel=1e-9)
    assert sorted(str(face.type) for face in solid.faces) == types
    assert next((face.modelled_as for face in solid.faces if face.modelled_as), None) == modelled_as
    assert any("look inwards" in warning for warning in reading.warnings) == (make is inside_out)
