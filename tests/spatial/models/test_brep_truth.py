"""Parts with known formulas, written as STEP and read back: measures, boxes, faces and instances."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan, cos, degrees, hypot, pi, radians, sin, sqrt
from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType, STEPControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from spatial.contract.extraction import Face, Solid, Structure
from spatial.formats.step import reader
from spatial.models.reading import Reading
from tests.spatial import parts

Array = NDArray[np.float64]
Triple = tuple[float, float, float]
Support = Callable[[Array], float]
"""How far a part reaches from its own origin in a direction."""

EXACT = 1e-9
TIGHT = 1e-6


def step_bytes(shape: cq.Shape) -> bytes:
    """The shape as the kernel writes it, in the unit that is set."""
    writer = STEPControl_Writer()
    writer.Transfer(shape.wrapped, STEPControl_StepModelType.STEPControl_AsIs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        writer.Write(str(path))
        return path.read_bytes()


def assembly_bytes(name: str, shape: cq.Shape, places: dict[str, cq.Location]) -> bytes:
    """A product that is placed several times, as the kernel writes it."""
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    part, top = tool.AddShape(shape.wrapped, False), tool.NewShape()
    TDataStd_Name.Set_s(part, TCollection_ExtendedString("part"))
    TDataStd_Name.Set_s(top, TCollection_ExtendedString(name))
    for placed, place in places.items():
        TDataStd_Name.Set_s(tool.AddComponent(top, part, place.wrapped), TCollection_ExtendedString(placed))
    tool.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "assembly.step"
        writer.Write(str(path))
        return path.read_bytes()


def structure_of(reading: Reading) -> Structure:
    assert reading.structure.kind == "brep"
    return reading.structure


def only_solid(reading: Reading) -> Solid:
    (solid,) = structure_of(reading).solids or []
    return solid


@dataclass(frozen=True)
class Pose:
    """A turn about an axis through the origin, then a shift."""

    axis: Triple = (0, 0, 1)
    angle: float = 0.0
    shift: Triple = (0, 0, 0)

    @property
    def matrix(self) -> Array:
        x, y, z = np.array(self.axis) / np.linalg.norm(self.axis)
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turn = radians(self.angle)
        return np.asarray(np.eye(3) + sin(turn) * cross + (1 - cos(turn)) * cross @ cross)

    @property
    def farness(self) -> float:
        """How many digits single faces lose: positions have fifteen in the file, twelve in the document."""
        return max(1.0, float(np.linalg.norm(self.shift)) / 1000)

    def place(self, shape: cq.Shape) -> cq.Shape:
        return shape.rotate(cq.Vector(0, 0, 0), cq.Vector(*self.axis), self.angle).translate(cq.Vector(*self.shift))

    def point(self, where: Sequence[float]) -> Array:
        return np.asarray(self.matrix @ np.array(where) + self.shift)

    def direction(self, where: Sequence[float]) -> Array:
        return np.asarray(self.matrix @ np.array(where))


POSES = {
    "as-made": Pose(),
    "turned": Pose((1, 2, 3), 33, (100, -250, 40)),
    "far-away": Pose((-2, 1, 0.5), 117, (1e4, 2e4, -3e4)),
}


@dataclass(frozen=True)
class Truth:
    """What the formulas say of a part, in its own place."""

    shape: cq.Shape
    volume: float
    area: float
    center: Triple
    types: dict[str, int]
    support: Support | None = None


def _box() -> Truth:
    half = np.array([5, 10, 15])
    return Truth(parts.block(), 6000, 2200, (0, 0, 0), {"plane": 6}, lambda way: float(np.abs(way) @ half))


def _disc(radius: float, height: float) -> Support:
    return lambda way: radius * hypot(way[0], way[1]) + height * float(way[2])


def _cylinder(r: float = 7, h: float = 25) -> Truth:
    low, high = _disc(r, 0), _disc(r, h)
    return Truth(
        cq.Solid.makeCylinder(r, h), pi * r**2 * h, 2 * pi * r * (r + h), (0, 0, h / 2),
        {"plane": 2, "cylinder": 1}, lambda way: max(low(way), high(way)),
    )  # fmt: skip


def _cone(r: float = 12, h: float = 20) -> Truth:
    low, high = _disc(r, 0), _disc(0, h)
    return Truth(
        cq.Solid.makeCone(r, 0, h), pi * r**2 * h / 3, pi * r * (r + hypot(r, h)), (0, 0, h / 4),
        {"plane": 1, "cone": 1}, lambda way: max(low(way), high(way)),
    )  # fmt: skip


def _frustum(r: float = 12, s: float = 5, h: float = 20) -> Truth:
    low, high = _disc(r, 0), _disc(s, h)
    squares = r**2 + r * s + s**2
    center = h / 4 * (r**2 + 2 * r * s + 3 * s**2) / squares
    area = pi * (r**2 + s**2 + (r + s) * hypot(r - s, h))
    return Truth(
        cq.Solid.makeCone(r, s, h), pi * h / 3 * squares, area, (0, 0, center),
        {"plane": 2, "cone": 1}, lambda way: max(low(way), high(way)),
    )  # fmt: skip


def _sphere(r: float = 9) -> Truth:
    return Truth(parts.ball(r), 4 / 3 * pi * r**3, 4 * pi * r**2, (0, 0, 0), {"sphere": 1}, lambda way: r)


def _torus(big: float = 20, r: float = 4) -> Truth:
    return Truth(
        cq.Solid.makeTorus(big, r), 2 * pi**2 * big * r**2, 4 * pi**2 * big * r, (0, 0, 0),
        {"torus": 1}, lambda way: big * hypot(way[0], way[1]) + r,
    )  # fmt: skip


def _half_torus(big: float = 20, r: float = 4) -> Truth:
    ring = cq.Workplane("XZ", origin=(0, 0, 0)).center(big, 0).circle(r).revolve(180, (-big, 0), (-big, 1))
    shape = parts.solid(ring)
    along = 2 * (big**2 + r**2 / 4) / (pi * big)
    side = 1.0 if shape.Center().y > 0 else -1.0
    area = 2 * pi**2 * big * r + 2 * pi * r**2
    return Truth(shape, pi**2 * big * r**2, area, (0, side * along, 0), {"torus": 1, "plane": 2})


HOLES = ((-30.0, -15.0, 2.5), (10.0, 12.0, 4.0), (28.0, -9.0, 3.0))
"""Where the plate is drilled, and by what radius."""


def _drilled_plate() -> Truth:
    plate = cq.Workplane().box(80, 50, 6)
    for x, y, r in HOLES:
        plate = plate.cut(cq.Workplane("XY", origin=(x, y, -3)).circle(r).extrude(6))
    drilled = sum(pi * r**2 for _, _, r in HOLES)
    volume = 6 * (80 * 50 - drilled)
    area = 2 * (80 * 50 - drilled) + 2 * 6 * (80 + 50) + sum(2 * pi * r * 6 for _, _, r in HOLES)
    center = tuple(-sum(6 * pi * hole[2] ** 2 * hole[k] for hole in HOLES) / volume for k in (0, 1))
    half = np.array([40, 25, 3])
    return Truth(
        parts.solid(plate), volume, area, (center[0], center[1], 0), {"plane": 6, "cylinder": 3},
        lambda way: float(np.abs(way) @ half),
    )  # fmt: skip


def _napkin_ring(big: float = 10, r: float = 6) -> Truth:
    h = 2 * sqrt(big**2 - r**2)
    shape = parts.solid(cq.Workplane().sphere(big).cut(cq.Workplane().circle(r).extrude(2 * big, both=True)))
    return Truth(shape, pi * h**3 / 6, 2 * pi * (big + r) * h, (0, 0, 0), {"sphere": 1, "cylinder": 2})


PROFILE = ((5.0, 0.0), (20.0, 0.0), (14.0, 10.0), (14.0, 25.0), (9.0, 30.0), (5.0, 30.0))
"""Distance from the axis and height of a turned part."""


def _turned() -> Truth:
    edges = list(zip(PROFILE, (*PROFILE[1:], PROFILE[0]), strict=True))
    first = second = area = 0.0
    for (x, z), (u, w) in edges:
        cross = x * w - u * z
        first += cross * (x + u) / 6
        second += cross * (x * (2 * z + w) + u * (z + 2 * w)) / 24
        area += pi * (x + u) * hypot(u - x, w - z)
    shape = cq.Workplane("XZ").polyline(list(PROFILE)).close().revolve(360, (0, 0), (0, 1))
    types = {"plane": 2, "cone": 2, "cylinder": 2}
    return Truth(parts.solid(shape), 2 * pi * first, area, (0, 0, second / first), types)


def _paraboloid(r: float = 10, h: float = 15) -> Truth:
    edge = cq.Edge.makeBezier([cq.Vector(0, 0, 0), cq.Vector(r / 2, 0, 0), cq.Vector(r, 0, h)])
    lid, axis = (
        cq.Edge.makeLine(cq.Vector(r, 0, h), cq.Vector(0, 0, h)),
        cq.Edge.makeLine(cq.Vector(0, 0, h), cq.Vector()),
    )
    outline = cq.Wire.assembleEdges([edge, lid, axis])
    shape = cq.Solid.revolve(outline, [], 360, cq.Vector(0, 0, 0), cq.Vector(0, 0, 1))
    area = pi * r / (6 * h**2) * ((r**2 + 4 * h**2) ** 1.5 - r**3) + pi * r**2
    return Truth(shape, pi * r**2 * h / 2, area, (0, 0, 2 * h / 3), {"revolution": 1, "plane": 1})


def _hollow(r: float = 4, at: Triple = (1, -2, 3)) -> Truth:
    shape = parts.block().cut(parts.ball(r).translate(cq.Vector(*at)))
    ball = 4 / 3 * pi * r**3
    volume = 6000 - ball
    x, y, z = (-ball * c / volume for c in at)
    only = parts.solid(cq.Workplane(obj=shape))
    return Truth(only, volume, 2200 + 4 * pi * r**2, (x, y, z), {"plane": 6, "sphere": 1})


PARTS: dict[str, Callable[[], Truth]] = {
    "box": _box, "cylinder": _cylinder, "cone": _cone, "frustum": _frustum, "sphere": _sphere, "torus": _torus,
    "half-torus": _half_torus, "drilled-plate": _drilled_plate, "napkin-ring": _napkin_ring, "turned": _turned,
    "paraboloid": _paraboloid, "hollow": _hollow,
}  # fmt: skip


@cache
def read_part(name: str, pose: str) -> tuple[Truth, Pose, Reading]:
    truth, place = PARTS[name](), POSES[pose]
    return truth, place, reader.read(step_bytes(place.place(truth.shape)), f"{name}.step").reading


REACH_KNOWN = ("box", "cylinder", "cone", "frustum", "sphere", "torus", "drilled-plate")
"""Parts whose reach in any direction has a formula."""


def faces_of_type(solid: Solid, kind: str) -> list[Face]:
    return [face for face in solid.faces if face.type == kind]


def assert_parallel(found: Sequence[float] | None, wanted: Array) -> None:
    """The same line, whichever way along it."""
    assert found is not None
    assert np.linalg.norm(found) == pytest.approx(1, abs=EXACT)
    assert abs(float(np.dot(found, wanted))) == pytest.approx(1, abs=EXACT)


def assert_on_axis(face: Face, pose: Pose, point: Triple = (0, 0, 0), way: Triple = (0, 0, 1)) -> None:
    assert_parallel(face.axis, pose.direction(way))
    assert face.origin is not None
    assert np.linalg.norm(np.cross(np.array(face.origin) - pose.point(point), pose.direction(way))) < 1e-7


@pytest.mark.requirement("brep.volume-exact", "brep.area-exact", "brep.center-exact", "structure.solids")
@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", PARTS)
def test_measures_are_those_of_the_formula(name: str, pose: str) -> None:
    truth, place, reading = read_part(name, pose)
    solid = only_solid(reading)
    assert solid.volume == pytest.approx(truth.volume, rel=EXACT)
    assert solid.surface_area == pytest.approx(truth.area, rel=EXACT)
    size = parts.diagonal(truth.shape) + float(np.linalg.norm(place.shift))
    assert solid.center_of_mass is not None
    assert np.abs(np.array(solid.center_of_mass) - place.point(truth.center)).max() <= EXACT * size
    assert sum(face.area or 0.0 for face in solid.faces) == pytest.approx(truth.area, rel=EXACT)
    assert solid.orientation == "forward"
    assert solid.is_closed is True
    assert solid.representation == "exact"
    assert solid.bbox is not None
    assert reading.warnings == []


@pytest.mark.requirement("brep.face-types")
@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", PARTS)
def test_faces_are_named_for_their_surfaces(name: str, pose: str) -> None:
    truth, _, reading = read_part(name, pose)
    solid = only_solid(reading)
    assert Counter(face.type for face in solid.faces) == truth.types
    assert [face.id for face in solid.faces] == [f"face-{n}" for n in range(1, len(solid.faces) + 1)]
    assert {kind: reading.entity_counts[f"{kind}_faces"] for kind in truth.types} == truth.types


@pytest.mark.requirement("brep.bbox-tight")
@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", REACH_KNOWN)
def test_boxes_are_tight(name: str, pose: str) -> None:
    truth, place, reading = read_part(name, pose)
    assert truth.support is not None
    back = place.matrix.T
    high = [truth.support(back @ way) for way in np.eye(3)] + np.array(place.shift)
    low = [-truth.support(back @ -way) for way in np.eye(3)] + np.array(place.shift)
    solid = only_solid(reading)
    assert solid.bbox is not None
    assert solid.bbox.min == pytest.approx(low.tolist(), rel=0, abs=TIGHT)
    assert solid.bbox.max == pytest.approx(high.tolist(), rel=0, abs=TIGHT)
    assert reading.bbox == solid.bbox


@pytest.mark.requirement("brep.normals-outward", "brep.face-parameters")
@pytest.mark.parametrize("pose", POSES)
def test_the_normals_of_a_box_point_outwards(pose: str) -> None:
    _, place, reading = read_part("box", pose)
    solid = only_solid(reading)
    found = sorted(tuple(np.round(place.matrix.T @ np.array(face.normal), 9) + 0.0) for face in solid.faces)
    assert found == sorted(tuple(sign * way) for way in np.eye(3) for sign in (1.0, -1.0))
    for face in solid.faces:
        inward = np.array(face.origin) - place.point((0, 0, 0))
        half = float(inward @ np.array(face.normal))
        assert half > 0
        assert face.area == pytest.approx(6000 / (2 * half), rel=EXACT * place.farness)


@pytest.mark.requirement("brep.face-parameters", "brep.area-exact")
@pytest.mark.parametrize("pose", POSES)
def test_drilled_holes_have_their_radius_axis_and_place(pose: str) -> None:
    _, place, reading = read_part("drilled-plate", pose)
    holes = {round(face.radius or 0, 9): face for face in faces_of_type(only_solid(reading), "cylinder")}
    assert sorted(holes) == sorted(r for _, _, r in HOLES)
    for x, y, r in HOLES:
        assert holes[r].radius == pytest.approx(r, rel=EXACT)
        assert holes[r].area == pytest.approx(2 * pi * r * 6, rel=EXACT * place.farness)
        assert_on_axis(holes[r], place, (x, y, 0))


@pytest.mark.requirement("brep.face-parameters", "brep.area-exact")
@pytest.mark.parametrize("pose", POSES)
def test_a_cone_has_its_half_angle_and_opens_along_its_axis(pose: str) -> None:
    _, place, reading = read_part("frustum", pose)
    (side,) = faces_of_type(only_solid(reading), "cone")
    assert side.half_angle == pytest.approx(degrees(atan(7 / 20)), rel=EXACT)
    assert side.area == pytest.approx(pi * 17 * hypot(7, 20), rel=EXACT)
    assert_on_axis(side, place)
    assert side.axis is not None
    assert np.array(side.axis) == pytest.approx(place.direction((0, 0, -1)), abs=EXACT)
    height = float((np.array(side.origin) - place.point((0, 0, 0))) @ place.direction((0, 0, 1)))
    assert side.radius == pytest.approx(12 - 7 / 20 * height, abs=1e-7)


@pytest.mark.requirement("brep.face-parameters")
@pytest.mark.parametrize("pose", POSES)
def test_spheres_and_tori_have_their_centre_and_radii(pose: str) -> None:
    _, place, reading = read_part("sphere", pose)
    (ball,) = only_solid(reading).faces
    assert ball.radius == pytest.approx(9, rel=EXACT)
    assert ball.origin == pytest.approx(place.point((0, 0, 0)).tolist(), abs=1e-7)
    for name in ("torus", "half-torus"):
        _, place, reading = read_part(name, pose)
        (ring,) = faces_of_type(only_solid(reading), "torus")
        assert (ring.major_radius, ring.minor_radius) == pytest.approx((20, 4), rel=EXACT)
        assert ring.origin == pytest.approx(place.point((0, 0, 0)).tolist(), abs=1e-7)
        assert_on_axis(ring, place)


@pytest.mark.requirement("brep.void")
def test_a_cavity_is_taken_off_and_listed() -> None:
    truth, _, reading = read_part("hollow", "as-made")
    solid = only_solid(reading)
    assert solid.shells is not None
    assert [shell.is_closed for shell in solid.shells] == [True, True]
    assert solid.volume == pytest.approx(truth.volume, rel=EXACT)


@pytest.mark.requirement("brep.mirrored")
def test_a_mirrored_part_keeps_its_measures() -> None:
    truth = _drilled_plate()
    solid = only_solid(reader.read(step_bytes(truth.shape.mirror("YZ", (50, 0, 0))), "plate.step").reading)
    x, y, z = truth.center
    assert solid.volume == pytest.approx(truth.volume, rel=EXACT)
    assert solid.center_of_mass == pytest.approx((100 - x, y, z), abs=1e-7)
    assert solid.orientation == "forward"
    normals = {tuple(np.round(face.normal or (), 9) + 0.0) for face in faces_of_type(solid, "plane")}
    assert len(normals) == 6
    for face in faces_of_type(solid, "plane"):
        assert float((np.array(face.origin) - (100, 0, 0)) @ np.array(face.normal)) > 0


PLACES = {
    "left": ((0.0, 0.0, 0.0), 0.0),
    "right": ((100.0, 0.0, 0.0), 0.0),
    "tilted": ((0.0, 200.0, 5.0), 30.0),
}
"""Where the part of the assembly is placed, and how far it is turned about z."""


@cache
def rack() -> Reading:
    places = {
        name: cq.Location(cq.Vector(*shift), cq.Vector(0, 0, 1), angle) for name, (shift, angle) in PLACES.items()
    }
    return reader.read(assembly_bytes("rack", _drilled_plate().shape, places), "rack.step").reading


@pytest.mark.requirement("brep.instances", "brep.bbox-tight")
def test_a_part_placed_thrice_is_one_definition_and_three_solids() -> None:
    reading, truth = rack(), _drilled_plate()
    solids = structure_of(reading).solids or []
    assert [solid.id for solid in solids] == ["solid-1", "solid-2", "solid-3"]
    assert len({solid.instance_of for solid in solids}) == 1
    assert (reading.entity_counts["definitions"], reading.entity_counts["solids"]) == (1, 3)
    for solid, (shift, angle) in zip(solids, PLACES.values(), strict=True):
        pose = Pose((0, 0, 1), angle, shift)
        assert solid.name == "part"
        assert solid.volume == pytest.approx(truth.volume, rel=EXACT)
        assert solid.center_of_mass == pytest.approx(pose.point(truth.center).tolist(), abs=1e-7)
        rows = np.array(solid.transform).reshape(3, 4)
        assert rows[:, :3] == pytest.approx(pose.matrix, abs=EXACT)
        assert rows[:, 3] == pytest.approx(np.array(shift), abs=1e-7)
        half = np.abs(pose.matrix) @ np.array([40, 25, 3])
        assert solid.bbox is not None
        assert solid.bbox.min == pytest.approx((shift - half).tolist(), abs=TIGHT)
        assert solid.bbox.max == pytest.approx((shift + half).tolist(), abs=TIGHT)


@pytest.mark.requirement("brep.instances", "brep.face-parameters")
def test_faces_of_an_instance_stand_where_it_stands() -> None:
    for solid, (shift, angle) in zip(structure_of(rack()).solids or [], PLACES.values(), strict=True):
        pose = Pose((0, 0, 1), angle, shift)
        holes = {round(face.radius or 0, 9): face for face in faces_of_type(solid, "cylinder")}
        for x, y, r in HOLES:
            assert_on_axis(holes[r], pose, (x, y, 0))
        for face in faces_of_type(solid, "plane"):
            assert float((np.array(face.origin) - shift) @ np.array(face.normal)) > 0


@pytest.mark.requirement("brep.assembly")
def test_the_product_tree_names_placements_and_their_solids() -> None:
    (root,) = structure_of(rack()).assembly or []
    children = root.children or []
    assert root.name == "rack"
    assert [child.solids for child in children] == [["solid-1"], ["solid-2"], ["solid-3"]]
    assert len({child.definition for child in children}) == 1
    named = [child.instance or child.name for child in children]
    assert named == list(PLACES)
    assert len({child.transform for child in children}) == 3
