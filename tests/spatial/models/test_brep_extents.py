"""Boxes of faces that are highest where their pieces meet, or on the inner sheet of a torus; against formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cadquery as cq
import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeSolid,
    BRepBuilderAPI_Sewing,
)
from OCP.BRepPrimAPI import BRepPrimAPI_MakeRevol
from OCP.Geom import Geom_BSplineSurface
from OCP.gp import gp_Ax1, gp_Ax3, gp_Dir, gp_Pnt, gp_Torus, gp_Trsf
from OCP.TColgp import TColgp_Array2OfPnt
from OCP.TColStd import TColStd_Array1OfInteger, TColStd_Array1OfReal
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape

from spatial.contract.extraction import BoundingBox
from spatial.formats.step import reader
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, Product
from spatial.models.reading import Reading, Units
from tests.spatial.models.test_brep_truth import POSES, TIGHT, only_solid, step_bytes

Array = NDArray[np.float64]

UNITS = Units(name="millimeter", found="declared")


def reading_of(shape: TopoDS_Shape) -> Reading:
    """What a reader makes of a shape."""
    return measure(flatten([Node(None, Product("part", shape), gp_Trsf())], 1.0), UNITS, 1.0, "step", []).reading


def corners(box: BoundingBox | None) -> tuple[Sequence[float], Sequence[float]]:
    assert box is not None
    return box.min, box.max


def spline(
    poles: Array, u_knots: Sequence[float], v_knots: Sequence[float], degrees: tuple[int, int] = (1, 1)
) -> Geom_BSplineSurface:
    """A B-spline surface of poles (nu, nv, 3); every interior knot as often as the degree, so that the surface may fold there."""
    net = TColgp_Array2OfPnt(1, poles.shape[0], 1, poles.shape[1])
    for i, row in enumerate(poles, start=1):
        for j, pole in enumerate(row, start=1):
            net.SetValue(i, j, gp_Pnt(*pole.tolist()))
    knots, multiplicities = [], []
    for values, degree in zip((u_knots, v_knots), degrees, strict=True):
        knots.append(TColStd_Array1OfReal(1, len(values)))
        multiplicities.append(TColStd_Array1OfInteger(1, len(values)))
        for place, value in enumerate(values, start=1):
            end = place in (1, len(values))
            knots[-1].SetValue(place, value)
            multiplicities[-1].SetValue(place, degree + 1 if end else degree)
    return Geom_BSplineSurface(net, *knots, *multiplicities, *degrees)


def tent(apex: tuple[float, float], height: float) -> Geom_BSplineSurface:
    """Four bilinear patches over the unit square, flat at its border, with one corner above it.

    The volume below is height / 4, wherever the apex is: each patch holds a quarter of the block around it.
    """
    x, y = (np.array([0.0, at, 1.0]) for at in apex)
    z = np.zeros((3, 3))
    z[1, 1] = height
    poles = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=-1)
    return spline(poles, x.tolist(), y.tolist())


def closed(*faces: TopoDS_Shape) -> cq.Shape:
    """A solid of faces that lie edge to edge."""
    sewing = BRepBuilderAPI_Sewing(1e-6)
    for face in faces:
        sewing.Add(face)
    sewing.Perform()
    return cq.Shape.cast(BRepBuilderAPI_MakeSolid(TopoDS.Shell_s(sewing.SewedShape())).Solid())


@cache
def tent_solid(apex: tuple[float, float]) -> cq.Shape:
    roof = BRepBuilderAPI_MakeFace(tent(apex, 4.0), 1e-6).Face()
    floor = cq.Face.makeFromWires(cq.Wire.makePolygon([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], close=True))
    return closed(roof, floor.wrapped)


@pytest.mark.parametrize("pose", list(POSES))
@pytest.mark.parametrize("apex", [(0.5, 0.5), (0.1, 0.97), (0.003, 0.5)])
@pytest.mark.requirement("brep.bbox-pieces")
def test_a_tent_of_straight_patches_is_as_high_as_its_apex(apex: tuple[float, float], pose: str) -> None:
    solid = only_solid(reader.read(step_bytes(POSES[pose].place(tent_solid(apex))), "tent.step").reading)
    points = [POSES[pose].point(point) for point in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (*apex, 4.0)]]
    low, high = corners(solid.bbox)
    assert low == pytest.approx(np.min(points, axis=0), abs=TIGHT)
    assert high == pytest.approx(np.max(points, axis=0), abs=TIGHT)
    assert solid.volume == pytest.approx(1.0, rel=1e-9 * POSES[pose].farness * 100)


@pytest.mark.parametrize(("center", "radius", "top"), [((0.5, 0.5), 0.2, 4.0), ((0.5, 0.2), 0.15, None)])
@pytest.mark.requirement("brep.bbox-pieces")
def test_a_corner_counts_only_where_it_is_within_the_face(
    center: tuple[float, float], radius: float, top: float | None
) -> None:
    """A tent cut out by an upright cylinder, around its apex or beside it."""
    roof = cq.Shape.cast(BRepBuilderAPI_MakeFace(tent((0.5, 0.5), 4.0), 1e-6).Face())
    drill = cq.Workplane().center(*center).circle(radius).extrude(10).translate((0, 0, -1))
    tool = drill.val()
    assert isinstance(tool, cq.Shape)
    cut = roof.intersect(tool)
    _, high = corners(reading_of(cut.wrapped).bbox)
    # Beside the apex the height grows towards it: 4 * 2x * 2y in the lower left quarter, highest on the rim.
    angle = np.linspace(0.0, 2.0 * math.pi, 100_001)
    x, y = center[0] + radius * np.cos(angle), center[1] + radius * np.sin(angle)
    rim = 4.0 * (1.0 - 2.0 * np.abs(x - 0.5)) * (1.0 - 2.0 * np.abs(y - 0.5))
    assert high[2] == pytest.approx(top if top is not None else rim.max(), abs=1e-5)


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.requirement("brep.bbox-pieces")
def test_a_ridge_along_a_knot_is_as_high_as_its_highest_point(degree: int) -> None:
    """A roof folded at v = 0.3, with a parabola as its ridge: z = 4 x (1 - x) there, and 0 at both eaves."""
    x = np.array([0.0, 0.5, 1.0])
    across = np.array([*np.linspace(0.0, 0.3, degree + 1), *np.linspace(0.3, 1.0, degree + 1)[1:]])
    fold = np.where(across <= 0.3, across / 0.3, (1.0 - across) / 0.7)
    ridge = np.array([0.0, 2.0, 0.0])
    poles = np.stack([*np.meshgrid(x, across, indexing="ij"), ridge[:, None] * fold], axis=-1)
    face = BRepBuilderAPI_MakeFace(spline(poles, [0.0, 1.0], [0.0, 0.3, 1.0], (2, degree)), 1e-6).Face()
    low, high = corners(reading_of(face).bbox)
    assert low == pytest.approx([0, 0, 0], abs=1e-9)
    assert high == pytest.approx([1, 1, 1.0], abs=1e-9)


@pytest.mark.requirement("brep.bbox-pieces")
def test_a_narrow_fold_between_uneven_knots_is_not_missed() -> None:
    """A flat sheet with one thorn, a thousandth wide, between knots that are no even steps."""
    knots = [0.0, 0.7, 0.701, 0.702, 1.0]
    z = np.zeros((5, 5))
    z[2, 2] = 3.0
    poles = np.stack([*np.meshgrid(knots, knots, indexing="ij"), z], axis=-1)
    low, high = corners(reading_of(BRepBuilderAPI_MakeFace(spline(poles, knots, knots), 1e-6).Face()).bbox)
    assert low == pytest.approx([0, 0, 0], abs=1e-9)
    assert high == pytest.approx([1, 1, 3], abs=1e-9)


@pytest.mark.requirement("brep.bbox-pieces")
def test_a_turned_profile_with_kinks_is_as_wide_as_its_widest_kink() -> None:
    """A half turn of a zigzag: the widest ring is between two knots, and reaches across in the middle of the face."""
    heights = [0.0, 1.0, 1.02, 1.04, 7.0]
    radii = [2.0, 2.0, 9.0, 2.0, 2.0]
    profile = spline(
        np.stack(
            [
                np.stack([np.array(radii), np.zeros(5), np.array(heights)], axis=-1),
                np.stack([np.array(radii), np.ones(5), np.array(heights)], axis=-1),
            ],
            axis=1,
        ),
        [0.0, 0.5, 0.51, 0.52, 1.0],
        [0.0, 1.0],
    ).VIso(0.0)
    swept = BRepPrimAPI_MakeRevol(
        BRepBuilderAPI_MakeEdge(profile).Edge(), gp_Ax1(gp_Pnt(), gp_Dir(0, 0, 1)), math.pi
    ).Shape()
    low, high = corners(reading_of(swept).bbox)
    assert low == pytest.approx([-9, 0, 0], abs=1e-9)
    assert high == pytest.approx([9, 9, 7], abs=1e-9)


MAJOR, MINOR = 3.0, 5.0
CROSSING = math.acos(-MAJOR / MINOR)
"""The v at which a torus of these radii crosses its axis: the outer sheet is before it, the inner one after."""

FULL = 2.0 * math.pi

PATCHES = {
    "apple": (0.0, FULL, -CROSSING, CROSSING),
    "lemon": (0.0, FULL, CROSSING, FULL - CROSSING),
    "half a lemon": (0.3, 0.3 + math.pi, CROSSING, FULL - CROSSING),
    "a wedge of a lemon": (1.0, 2.2, CROSSING, FULL - CROSSING),
    "the belly of a lemon": (0.0, FULL, 2.6, 3.9),
    "a patch of a lemon": (0.4, 1.9, 2.5, 3.6),
    "a patch of an apple": (5.5, 7.0, -0.4, 1.2),
    "the dent of an apple": (0.0, FULL, 1.0, CROSSING),
}


def torus_point(u: Array, v: Array) -> Array:
    across = MAJOR + MINOR * np.cos(v)
    return np.stack([across * np.cos(u), across * np.sin(u), MINOR * np.sin(v)], axis=-1)


def support(patch: tuple[float, float, float, float], way: Array) -> float:
    """How far a patch reaches: at every v the highest u is at an end, or where the ring is level."""
    u_low, u_high, v_low, v_high = patch
    v = np.linspace(v_low, v_high, 20_001)
    level = math.atan2(way[1], way[0])
    turns = [level + k * math.pi for k in range(-6, 7)]
    candidates = [u_low, u_high, *(u for u in turns if u_low <= u <= u_high)]
    return float(max((torus_point(np.full_like(v, u), v) @ way).max() for u in candidates))


@pytest.mark.parametrize("pose", list(POSES))
@pytest.mark.parametrize("name", list(PATCHES))
@pytest.mark.requirement("brep.bbox-spindle")
def test_a_part_of_a_torus_that_crosses_its_axis_has_its_own_box(name: str, pose: str) -> None:
    face = BRepBuilderAPI_MakeFace(gp_Torus(gp_Ax3(), MAJOR, MINOR), *PATCHES[name]).Face()
    placed = POSES[pose].place(cq.Shape.cast(face))
    compound = TopoDS_Compound()
    BRep_Builder().MakeCompound(compound)
    BRep_Builder().Add(compound, placed.wrapped)
    low, high = corners(reading_of(compound).bbox)
    matrix, shift = POSES[pose].matrix, np.array(POSES[pose].shift)
    ways = [matrix.T @ way for way in np.eye(3)]
    assert high == pytest.approx([support(PATCHES[name], way) for way in ways] + shift, abs=TIGHT)
    assert low == pytest.approx([-support(PATCHES[name], -way) for way in ways] + shift, abs=TIGHT)
