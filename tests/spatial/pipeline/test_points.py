"""Points: where they are, how many there are, and which."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
from OCP.GeomAPI import GeomAPI_ProjectPointOnSurf
from OCP.gp import gp_Pln, gp_Pnt
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from examples.make_bracket import bracket
from spatial.contract.points import PointCloud
from spatial.geometry import sampling
from spatial.geometry.triangles import areas_of
from spatial.models.brep.tessellation import Tessellation, tessellate
from spatial.models.brep.topology import faces_of
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.sample import brep as sampler
from spatial.pipeline.sample.brep import generator, on_mesh, sample
from spatial.understanding.brep.kind import kind_of
from tests.spatial import parts

CHI_SQUARE_5, CHI_SQUARE_19 = 20.5, 43.8
"""A fair sample is above these in one of a thousand trials (5 and 19 degrees of freedom)."""

FLOAT = 1e-12
"""What double precision costs, as a part of the size."""


def array_of(cloud: PointCloud) -> Any:
    return np.frombuffer(cloud.flat()).reshape(-1, 3)


def cloud_of(shape: cq.Shape, **plan: int) -> PointCloud:
    (cloud,) = sample(parts.source_of(shape), SamplingPlan(**plan)).point_clouds
    return cloud


def chi_square(counts: Any, shares: Any) -> float:
    expected = np.sum(counts) * np.asarray(shares) / np.sum(shares)
    return float((((counts - expected) ** 2) / expected).sum())


def on_sides(points: Any) -> Any:
    """How many points each side of parts.block() has: -x, +x, -y, +y, -z, +z."""
    return np.array(
        [np.isclose(points[:, axis], side * half).sum() for axis, half in enumerate((5, 10, 15)) for side in (-1, 1)]
    )


SIDES = [600, 600, 300, 300, 200, 200]


@pytest.mark.requirement("sampling.area-weighted")
def test_faces_of_a_block_get_points_by_their_area() -> None:
    counts = on_sides(array_of(cloud_of(parts.block(), points_per_object=4000)))
    assert counts.sum() == 4000
    assert chi_square(counts, SIDES) < CHI_SQUARE_5


@pytest.mark.requirement("sampling.area-weighted")
def test_points_are_uniform_within_a_face() -> None:
    points = array_of(cloud_of(parts.block(), points_per_object=8000))
    side = points[np.isclose(points[:, 0], 5)]
    cells, *_ = np.histogram2d(side[:, 1], side[:, 2], bins=(4, 5), range=((-10, 10), (-15, 15)))
    assert chi_square(cells, np.ones((4, 5))) < CHI_SQUARE_19


@pytest.mark.requirement("sampling.area-weighted")
def test_each_point_by_itself_is_uniform_over_many_seeds() -> None:
    """The first point of a cloud, over 2,000 seeds: evenness is no substitute for chance."""
    mesh = tessellate(parts.block().wrapped)
    firsts = np.concatenate([on_mesh(mesh, 16, generator(seed, 0))[:1] for seed in range(2000)])
    assert chi_square(on_sides(firsts), SIDES) < CHI_SQUARE_5


@pytest.mark.requirement("sampling.area-weighted")
def test_curved_faces_get_points_by_their_area() -> None:
    """A capsule-like body: the parts of a cylinder, a cone and a sphere are known in closed form."""
    turned = cq.Workplane("XZ").moveTo(0, -6).threePointArc((6 / 2**0.5, -6 / 2**0.5), (6, 0)).lineTo(6, 20)
    body = parts.solid(turned.lineTo(0, 28).close().revolve(360, (0, 0), (0, 1)))
    heights = array_of(cloud_of(body, points_per_object=4000))[:, 2]
    counts = np.array([(heights < 0).sum(), ((heights >= 0) & (heights < 20)).sum(), (heights >= 20).sum()])
    areas = np.pi * np.array([2 * 36, 2 * 6 * 20, 6 * 10])
    assert chi_square(counts, areas) < CHI_SQUARE_5


@pytest.mark.requirement("sampling.prefix")
def test_the_first_points_are_a_fair_sample() -> None:
    points = array_of(cloud_of(parts.block(), points_per_object=4096))
    assert chi_square(on_sides(points[:512]), SIDES) < CHI_SQUARE_5


@pytest.mark.requirement("sampling.on-surface")
def test_points_of_a_machined_part_are_on_the_exact_surfaces_of_its_faces() -> None:
    """Planes, cylinders, cones, and the tori of fillets."""
    part = parts.solid(bracket())
    mesh = tessellate(part.wrapped)
    assert set(mesh.kinds) == {"plane", "cylinder", "cone", "torus"}
    points, triangles = sampling.scatter(mesh.corners, mesh.areas, 500, generator(7, 0))
    surfaces = [BRep_Tool.Surface_s(face) for face in faces_of(part.wrapped)]
    for point, face in zip(mesh.on_surface(points, triangles), mesh.face_of[triangles], strict=True):
        nearest = GeomAPI_ProjectPointOnSurf(gp_Pnt(*point), surfaces[face])
        assert nearest.LowerDistance() < FLOAT * parts.diagonal(part)


@pytest.mark.requirement("sampling.on-surface")
def test_points_are_within_the_deflection_of_the_trimmed_faces() -> None:
    """A hole in a plane is a polygon in the mesh: a point on the plane may be that little beyond the hole's edge."""
    part = parts.solid(bracket())
    mesh = tessellate(part.wrapped)
    distances = parts.distances_to_surface(part, on_mesh(mesh, 500, generator(7, 0)))
    assert max(distances) < mesh.deflection
    assert np.median(distances) < FLOAT * parts.diagonal(part)


@pytest.mark.requirement("sampling.on-surface")
def test_points_of_a_sphere_are_at_its_radius() -> None:
    ball = parts.ball(25).moved(cq.Location((300, -200, 100)))
    mesh = tessellate(ball.wrapped)
    radii = np.linalg.norm(on_mesh(mesh, 2000, generator(1, 0)) - (300, -200, 100), axis=1)
    assert np.abs(radii - 25).max() < FLOAT * 300


@pytest.mark.requirement("sampling.on-surface")
def test_points_of_splines_are_within_the_deflection() -> None:
    body = parts.freeform()
    mesh = tessellate(body.wrapped)
    assert "" in mesh.kinds
    distances = parts.distances_to_surface(body, on_mesh(mesh, 400, generator(7, 0)))
    assert 0 < max(distances) < mesh.deflection
    assert mesh.deflection == pytest.approx(1e-3 * parts.diagonal(body), rel=0.05)


@pytest.mark.requirement("sampling.on-surface")
def test_triangles_that_came_with_the_file_are_not_bent_onto_a_far_surface() -> None:
    """A face whose triangles are much coarser than ours keeps its points on them."""
    ball, coarse = parts.ball(25), parts.ball(25)
    coarse.mesh(8, 2)
    mesh = tessellate(ball.wrapped)
    corners = tessellate(coarse.wrapped).corners
    points, triangles = sampling.scatter(corners * 0.9, areas_of(corners * 0.9), 500, generator(3, 0))
    assert (mesh.on_surface(points, np.zeros_like(triangles)) == points).all()


@pytest.mark.requirement("sampling.seeded")
def test_the_same_plan_gives_the_same_points_and_another_seed_others() -> None:
    first, again, other = (cloud_of(parts.freeform(), points_per_object=64, seed=seed) for seed in (5, 5, 6))
    assert first == again
    assert first.points != other.points


_ELSEWHERE = """
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from spatial.pipeline.sample.brep import generator, on_mesh
from spatial.models.brep.tessellation import Tessellation, tessellate
from spatial.models.brep.topology import faces_of
print(on_mesh(tessellate(BRepPrimAPI_MakeCylinder(3.0, 7.0).Shape()), 16, generator(2**80 - 1, 4)).tolist())
"""


@pytest.mark.requirement("sampling.seeded")
def test_another_process_gives_the_same_points() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    told = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE], env=environment, capture_output=True, text=True, check=True
    )
    here = on_mesh(tessellate(cq.Solid.makeCylinder(3, 7).wrapped), 16, generator(2**80 - 1, 4))
    assert json.loads(told.stdout) == here.tolist()


@pytest.mark.requirement("sampling.seeded")
def test_a_seed_may_be_any_integer() -> None:
    assert cloud_of(parts.block(), points_per_object=8, seed=-1).points


@pytest.mark.requirement("sampling.one-cloud-an-object", "sampling.kind-surface", "points.object-id")
def test_solids_and_open_shapes_have_a_cloud_each_under_their_ids() -> None:
    source = parts.source_of(parts.block(), open_shapes=[parts.open_box(), cq.Face.makePlane(5, 5)])
    clouds = sample(source, SamplingPlan(points_per_object=10)).point_clouds
    assert [(cloud.object_id, cloud.kind) for cloud in clouds] == [
        ("solid-1", "box"), ("shell-1", "surface"), ("shell-2", "surface"),
    ]  # fmt: skip


@pytest.mark.requirement("sampling.one-cloud-an-object")
def test_what_has_no_area_has_no_cloud() -> None:
    nothing = TopoDS_Compound()
    BRep_Builder().MakeCompound(nothing)
    source = parts.source_of(parts.block(), open_shapes=[cq.Edge.makeLine((0, 0, 0), (1, 0, 0)), cq.Compound(nothing)])
    assert [cloud.object_id for cloud in sample(source, SamplingPlan()).point_clouds] == ["solid-1"]
    assert sample(parts.source_of(), SamplingPlan()).point_clouds == []


@pytest.mark.requirement("sampling.one-cloud-an-object")
def test_a_face_without_end_has_no_cloud() -> None:
    plane = cq.Face(BRepBuilderAPI_MakeFace(gp_Pln()).Face())
    source = parts.source_of(parts.block(), open_shapes=[plane])
    assert [cloud.object_id for cloud in sample(source, SamplingPlan()).point_clouds] == ["solid-1"]


@pytest.mark.requirement("sampling.instances")
def test_instances_have_the_same_points_under_their_transforms() -> None:
    place = cq.Location((100, 50, -20), (1, 2, 3), 40)
    source = parts.source_of(parts.freeform(), parts.freeform().located(place), definitions=["loft", "loft"])
    first, second = (array_of(cloud) for cloud in sample(source, SamplingPlan(points_per_object=200)).point_clouds)
    moved = [cq.Vector(*point).transform(cq.Matrix(place.wrapped.Transformation())).toTuple() for point in first]
    assert np.abs(np.array(moved) - second).max() < 2 * sampling.quantum(parts.diagonal(parts.freeform()))


@pytest.mark.requirement("sampling.instances")
def test_a_definition_is_meshed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    meshed: list[TopoDS_Shape] = []

    def counted(shape: TopoDS_Shape) -> Tessellation:
        meshed.append(shape)
        return tessellate(shape)

    monkeypatch.setattr(sampler, "tessellate", counted)
    ball = parts.ball(10)
    places = [cq.Location((40 * n, 0, 0)) for n in range(3)]
    source = parts.source_of(*(ball.moved(place) for place in places), definitions=["ball"] * 3)
    first, *others = (array_of(cloud) for cloud in sample(source, SamplingPlan(points_per_object=50)).point_clouds)
    for place, cloud in enumerate(others, start=1):
        assert np.allclose(cloud - (40 * place, 0, 0), first)
    assert len(meshed) == 1


@pytest.mark.requirement("sampling.units")
def test_points_are_in_the_documents_units() -> None:
    (cloud,) = sample(parts.source_of(parts.block(), scale=1 / 25.4), SamplingPlan()).point_clouds
    points = array_of(cloud)
    assert np.abs(points).max(axis=0) == pytest.approx([5 / 25.4, 10 / 25.4, 15 / 25.4], abs=1e-6)


@pytest.mark.requirement("sampling.rounded")
def test_coordinates_are_rounded_far_below_the_deflection() -> None:
    points = array_of(cloud_of(parts.freeform()))
    step = sampling.quantum(parts.diagonal(parts.freeform()))
    assert step == 1e-5
    assert (np.round(points, 5) == points).all()
    assert not np.signbit(points[points == 0]).any()


@pytest.mark.requirement("sampling.count")
def test_an_object_gets_the_points_that_the_plan_says() -> None:
    source = parts.source_of(parts.block(), parts.freeform())
    clouds = sample(source, SamplingPlan(points_per_object=321, points_total=642)).point_clouds
    assert [len(cloud.points) for cloud in clouds] == [321, 321]


@pytest.mark.requirement("sampling.share")
def test_large_objects_get_more_of_a_total_that_is_too_small() -> None:
    source = parts.source_of(parts.block().scale(10), parts.block(), parts.block().scale(3))
    clouds = sample(source, SamplingPlan(points_per_object=1000, points_total=1500)).point_clouds
    large, small, medium = (len(cloud.points) for cloud in clouds)
    assert large == 1000 and sampling.SHARE_FLOOR <= small < medium
    assert large + small + medium == 1500


@pytest.mark.requirement("sampling.share")
@given(
    areas=st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=60),
    per_object=st.integers(1, 5000),
    total=st.integers(1, 20000),
)
def test_shares_are_fair(areas: list[float], per_object: int, total: int) -> None:
    given_out = sampling.shares(np.array(areas), per_object, total)
    least = min(per_object, sampling.SHARE_LEAST)
    assert (given_out >= least).all() and (given_out <= per_object).all()
    assert given_out.sum() <= max(total, least * len(areas))
    if len(areas) * per_object >= total >= len(areas) * per_object // 2 and total >= least * len(areas):
        assert given_out.sum() == min(total, per_object * len(areas))
    order = np.argsort(areas, kind="stable")
    assert (np.diff(given_out[order]) >= -1).all()


@pytest.mark.requirement("sampling.kind-box")
@pytest.mark.parametrize("make", [parts.block, parts.split_block, parts.turned_block])
def test_a_block_is_a_box(make: Any) -> None:
    assert cloud_of(make(), points_per_object=8).kind == "box"


@pytest.mark.requirement("sampling.kind-box")
def test_a_block_of_flat_splines_is_a_box() -> None:
    (splines,) = parts.as_splines(parts.block()).Solids()
    assert cloud_of(splines, points_per_object=8).kind == "box"


@pytest.mark.requirement("sampling.kind-box")
@pytest.mark.parametrize(
    "part",
    [
        cq.Workplane().box(10, 20, 30).edges("|Z and >X and >Y").chamfer(0.05),
        cq.Workplane().box(10, 20, 30).cut(cq.Workplane().box(5, 5, 40).translate((5, 10, 0))),
        cq.Workplane().polyline([(0, 0), (10, 0), (10.01, 10), (0, 10)]).close().extrude(5),
        cq.Workplane().polyline([(0, 0), (10, 0), (0, 10)]).close().extrude(5),
        cq.Workplane().box(10, 20, 30).faces(">Z").workplane().hole(3),
        cq.Workplane().rect(10, 10).workplane(offset=10).rect(10.01, 10).loft(),
    ],
    ids=["chamfered", "notched", "skewed", "wedge", "drilled", "drafted"],
)
def test_what_is_nearly_a_block_is_unknown(part: cq.Workplane) -> None:
    assert kind_of(parts.solid(part).wrapped, tessellate(parts.solid(part).wrapped)) == "unknown"


def bulged_block() -> cq.Solid:
    """A block with one side that is a spline, flat but for a thousandth of the size: within our deflection."""
    grid = (0, 2, 5, 8, 10)
    points = [[cq.Vector(x, y, 10.01 if x == y == 5 else 10) for y in grid] for x in grid]
    top = cq.Face.makeSplineApprox(points, tol=1e-6, minDeg=3, maxDeg=5)
    sides = parts.open_box((10, 10, 10), centered=False).Faces()
    return cq.Solid.makeSolid(cq.Shell.makeShell([*sides, top]))


@pytest.mark.requirement("sampling.kind-box")
def test_a_bulge_below_the_deflection_is_no_box() -> None:
    part = bulged_block()
    assert kind_of(part.wrapped, tessellate(part.wrapped)) == "unknown"


@pytest.mark.requirement("sampling.kind-container")
@pytest.mark.parametrize(
    "part",
    [
        parts.cup(),
        parts.cup().rotate((0, 0, 0), (1, 1, 0), 37),
        parts.cup().faces(">Z").edges().fillet(1),
        parts.tray(),
        cq.Workplane().sphere(10).cut(cq.Workplane().sphere(9)),
    ],
    ids=["cup", "turned cup", "cup with rounded edges", "tray with screw holes", "hollow ball"],
)
def test_a_body_around_one_cavity_is_a_container(part: cq.Workplane) -> None:
    assert cloud_of(parts.solid(part), points_per_object=8).kind == "container"


@pytest.mark.requirement("sampling.kind-container")
@pytest.mark.parametrize(
    "part",
    [
        cq.Workplane().box(20, 20, 20).faces(">Z").workplane().hole(6, 10),
        parts.tray().faces("<Z").workplane().hole(5),
        cq.Workplane().circle(10).circle(9).extrude(30),
        parts.cup()
        .union(parts.cup().translate((70, 0, 0)))
        .union(cq.Workplane().box(30, 10, 3).translate((35, 0, 1.5))),
        cq.Workplane().sphere(10).cut(cq.Workplane().sphere(2)),
        cq.Workplane().circle(10).extrude(5).faces(">Z").workplane().circle(5).extrude(5),
    ],
    ids=["blind hole", "tray with a drain", "tube", "two cups", "ball with a pore", "stepped disc"],
)
def test_what_does_not_hold_more_than_its_material_in_one_cavity_is_unknown(part: cq.Workplane) -> None:
    assert cloud_of(parts.solid(part), points_per_object=8).kind == "unknown"


@pytest.mark.requirement("sampling.kind-surface")
def test_a_solid_that_is_not_closed_is_a_surface() -> None:
    open_solid = cq.Solid.makeSolid(parts.open_box())
    (cloud,) = sample(parts.source_of(open_solid, closed=False), SamplingPlan(points_per_object=8)).point_clouds
    assert cloud.kind == "surface"


@pytest.mark.requirement("sampling.kind-surface", "sampling.kind-box")
def test_a_shell_that_closes_is_judged_by_what_it_encloses() -> None:
    (shell,), (round_shell,) = parts.block().Shells(), parts.ball(3).Shells()
    source = parts.source_of(open_shapes=[shell, round_shell])
    assert [cloud.kind for cloud in sample(source, SamplingPlan(points_per_object=8)).point_clouds] == [
        "box",
        "unknown",
    ]


@pytest.mark.requirement("sampling.tessellation-failure")
def test_a_face_that_cannot_be_meshed_costs_its_own_points_only() -> None:
    """A face without any boundary or triangle, beside five good ones."""
    bare = cq.Face.makePlane(5, 5).wrapped.EmptyCopied()
    together = cq.Compound.makeCompound([*parts.open_box().Faces(), cq.Face(bare)])
    mesh = tessellate(together.wrapped)
    assert mesh.bare == [5]
    (cloud,) = sample(parts.source_of(open_shapes=[together]), SamplingPlan(points_per_object=64)).point_clouds
    assert len(cloud.points) == 64
