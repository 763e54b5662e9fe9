"""Error bounds, inertia, boundaries that nearly close, and bodies that are written twice."""

from __future__ import annotations

import re
from functools import cache
from math import pi, sqrt
from pathlib import Path
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from OCP.BRep import BRep_Builder
from OCP.gp import gp_Trsf
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shell, TopoDS_Solid
from scipy.integrate import quad

from spatial.contract.extraction import Solid
from spatial.geometry.curves import at_fractions
from spatial.geometry.quadrature import integrate
from spatial.models.brep import gaps, mass
from spatial.models.brep.body import body_of
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import BrepModel, measure
from spatial.models.brep.product import Node, PartFacts, Product, StatedMeasures
from spatial.models.reading import Reading, Units
from spatial.pipeline.read import read_file
from spatial.understanding.brep.validity import validity
from tests.spatial import parts

QUADRATURE = {"epsabs": 1e-13, "epsrel": 1e-13, "limit": 500}


def model_of(shape: Any, facts: PartFacts | None = None, scale: float = 1.0) -> BrepModel:
    product = Product("part", shape, facts=facts or PartFacts())
    flattened = flatten([Node(None, product, gp_Trsf())], scale)
    return measure(flattened, Units(name="millimeter", found="declared"), scale, "step", [])


def solid_of(shape: cq.Shape, scale: float = 1.0) -> Solid:
    (found,) = model_of(shape.wrapped, scale=scale).reading.structure.solids or []
    return found


def sphere_and_cylinder(radius: float, drill: float, offset: float) -> float:
    """Volume that a sphere and a cylinder off its centre have in common, in slices along the cylinder's radius."""

    def ring(rho: float) -> float:
        def height(turn: float) -> float:
            square = radius**2 - rho**2 - offset**2 - 2 * rho * offset * np.cos(turn)
            return 2 * sqrt(max(square, 0.0)) * rho

        return 2 * float(quad(height, 0, pi, **QUADRATURE)[0])

    return float(quad(ring, 0, drill, **QUADRATURE)[0])


def crossing_cylinders() -> tuple[cq.Solid, float]:
    one = cq.Solid.makeCylinder(10, 60, cq.Vector(0, 0, -30))
    other = cq.Solid.makeCylinder(12, 60, cq.Vector(-30, 0, 0), cq.Vector(1, 0, 0))
    (common,) = one.intersect(other).Solids()

    def slice_area(y: float) -> float:
        return 4 * sqrt(max(100 - y * y, 0.0)) * sqrt(max(144 - y * y, 0.0))

    return common, float(quad(slice_area, -10, 10, **QUADRATURE)[0])


def drilled_sphere(offset: float, drill: float) -> cq.Solid:
    cylinder = cq.Solid.makeCylinder(drill, 40, cq.Vector(offset, 0, -20))
    (common,) = parts.solid(cq.Workplane().sphere(10)).intersect(cylinder).Solids()
    return common


@cache
def bodies() -> dict[str, tuple[cq.Shape, float]]:
    crossing = crossing_cylinders()
    return {
        "box": (parts.block(), 6000.0),
        "cylinder": (parts.solid(cq.Workplane().circle(3).extrude(7)), 63 * pi),
        "cone": (cq.Solid.makeCone(5, 2, 7), 7 * pi / 3 * 39),
        "sphere": (parts.ball(4), 4 / 3 * pi * 64),
        "torus": (cq.Solid.makeTorus(20, 6), 2 * pi**2 * 20 * 36),
        "crossing cylinders": crossing,
        "crossing cylinders as splines": (parts.as_splines(crossing[0]).Solids()[0], crossing[1]),
        "Viviani": (drilled_sphere(5, 5), 2 / 3 * pi * 1000 - 8 / 9 * 1000),
        "drilled sphere": (drilled_sphere(3, 4), sphere_and_cylinder(10, 4, 3)),
        "sphere as splines": (parts.as_splines(parts.ball(4)).Solids()[0], 4 / 3 * pi * 64),
        "torus as splines": (parts.as_splines(cq.Solid.makeTorus(20, 6)).Solids()[0], 2 * pi**2 * 20 * 36),
        "periodic spline": (parts.past_its_seam(0.0), 120 * pi),
        "periodic spline past its seam": (parts.past_its_seam(0.97), 120 * pi),
        "periodic spline a turn back": (parts.past_its_seam(-1.4), 120 * pi),
    }


BODIES = [
    "box", "cylinder", "cone", "sphere", "torus", "crossing cylinders", "crossing cylinders as splines", "Viviani",
    "drilled sphere", "sphere as splines", "torus as splines", "periodic spline", "periodic spline past its seam",
    "periodic spline a turn back",
]  # fmt: skip


@pytest.mark.requirement("brep.error-bound")
@pytest.mark.parametrize("name", BODIES)
def test_the_true_volume_is_within_the_bound(name: str) -> None:
    shape, volume = bodies()[name]
    found = solid_of(shape)
    assert found.volume is not None
    assert found.volume_error is not None
    assert abs(found.volume - volume) <= found.volume_error + 1e-12 * volume
    assert found.volume_error <= 1e-5 * volume


@pytest.mark.requirement("brep.error-bound")
def test_an_integral_that_does_not_settle_is_none() -> None:
    def torn(interval: Any, at: Any) -> Any:
        return np.where(interval[:, None] == 0, np.sign(np.sin(1e9 * at)) * 1e12, at)[..., None]

    found = integrate(torn, np.zeros(2), np.ones(2), 1e-12)
    assert np.isnan(found[0, 0])
    assert found[1, 0] == pytest.approx(0.5)


@pytest.mark.requirement("brep.error-bound")
def test_bounds_are_in_the_units_of_the_document() -> None:
    shape, _ = bodies()["crossing cylinders"]
    millimetres, inches = solid_of(shape), solid_of(shape, 1 / 25.4)
    assert inches.volume_error == pytest.approx((millimetres.volume_error or 0) / 25.4**3, rel=0.1)
    assert inches.surface_area_error == pytest.approx((millimetres.surface_area_error or 0) / 25.4**2, rel=0.1)


@pytest.mark.requirement("brep.error-bound")
def test_the_curves_of_bodies_measured_together_are_followed_as_often_for_many_as_for_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def times(faces: int) -> int:
        seen: list[int] = []

        def noted(groups: Any, fractions: Any, count: int) -> Any:
            seen.append(count)
            return at_fractions(groups, fractions, count)

        monkeypatch.setattr(gaps, "at_fractions", noted)
        sheets = [cq.Face.makePlane(10, 20, (30.0 * n, 0, 0)) for n in range(faces)]
        found = mass.measure_together([body_of(sheet.wrapped) for sheet in sheets])
        assert [each.area for each in found] == pytest.approx([200.0] * faces)
        return len(seen)

    assert times(30) == times(3)


@pytest.mark.requirement("brep.inertia")
def test_the_inertia_of_a_turned_block_is_that_of_the_formula() -> None:
    a, b, c = 10.0, 20.0, 30.0
    moments = sorted(a * b * c / 12 * pair for pair in (b * b + c * c, a * a + c * c, a * a + b * b))
    found = solid_of(parts.turned_block())
    assert found.principal_moments == pytest.approx(moments, rel=1e-9)
    axes = np.array(found.principal_axes)
    tensor = np.reshape(found.inertia or (), (3, 3))
    assert axes.T @ np.diag(moments) @ axes == pytest.approx(tensor, rel=1e-6, abs=1e-3)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@pytest.mark.requirement("brep.inertia")
@pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])
def test_the_inertia_of_round_bodies_is_that_of_the_formula(as_written: Any) -> None:
    r, h = 3.0, 7.0
    mass = pi * r * r * h
    cylinder = solid_of(as_written(parts.solid(cq.Workplane().circle(r).extrude(h))))
    assert cylinder.principal_moments == pytest.approx(
        sorted([mass * r * r / 2, *(mass * (3 * r * r + h * h) / 12,) * 2]), rel=1e-9
    )
    assert cylinder.principal_axes is None
    ball = solid_of(as_written(parts.ball(4)))
    assert ball.principal_moments == pytest.approx([0.4 * 4 / 3 * pi * 64 * 16] * 3, rel=1e-9)
    big, small = 20.0, 6.0
    volume = 2 * pi**2 * big * small**2
    torus = solid_of(as_written(cq.Solid.makeTorus(big, small)))
    across = volume * (big * big / 2 + 5 * small * small / 8)
    assert torus.principal_moments == pytest.approx([across, across, volume * (big * big + 0.75 * small**2)], rel=1e-9)


def lifted_lid(gap: float) -> TopoDS_Solid:
    """A block of 10 x 20 x 30 whose top hovers above its walls."""
    builder, shell, made = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in parts.block().Faces():
        lift = gap if face.Center().z > 14.9 else 0.0
        builder.Add(shell, face.translate(cq.Vector(0, 0, lift)).wrapped if lift else face.wrapped)
    builder.MakeSolid(made)
    builder.Add(made, shell)
    return made


@pytest.mark.requirement("brep.nearly-closed")
def test_a_boundary_with_a_narrow_gap_has_a_volume_with_its_bound() -> None:
    model = model_of(lifted_lid(0.005))
    (solid,) = model.reading.structure.solids or []
    assert solid.is_closed is False
    assert solid.volume is not None
    assert solid.volume_error is not None
    assert solid.volume + solid.volume_error >= 6000.0
    assert solid.volume - solid.volume_error <= 6001.0
    assert solid.volume_error <= 0.01 * solid.volume
    assert any("gaps of up to 0.005" in warning for warning in model.reading.warnings)


@pytest.mark.requirement("brep.nearly-closed", "brep.open-no-volume")
@pytest.mark.parametrize("gap", [0.5, 5.0])
def test_a_boundary_with_a_wide_gap_has_no_volume(gap: float) -> None:
    (solid,) = model_of(lifted_lid(gap)).reading.structure.solids or []
    assert solid.volume is None
    assert solid.volume_error is None


def half_cylinder(tmp_path: Path, radius: float) -> Reading:
    """Half a cylinder of radius 10 by its edges, whose round face is written with another radius."""
    half = (
        cq.Workplane().circle(10).extrude(30).intersect(cq.Workplane().rect(40, 40, centered=(True, False)).extrude(30))
    )
    cq.exporters.export(half, str(tmp_path / "half.step"))
    text, edited = re.subn(
        r"(CYLINDRICAL_SURFACE\('',#\d+),10\.\)", rf"\1,{radius})", (tmp_path / "half.step").read_text()
    )
    assert edited == 1
    return read_file(text.encode(), "half.step").reading


@pytest.mark.requirement("brep.nearly-closed")
def test_faces_that_miss_their_shared_edges_have_a_volume_with_its_bound(tmp_path: Path) -> None:
    reading = half_cylinder(tmp_path, 10.003)
    (solid,) = reading.structure.solids or []
    assert solid.is_closed is True
    assert solid.volume is not None
    assert solid.volume_error is not None
    assert solid.volume + solid.volume_error >= 1500 * pi
    assert solid.volume - solid.volume_error <= 15 * pi * 10.003**2
    assert solid.volume_error <= 0.01 * solid.volume
    assert any("miss the edges that they share" in warning for warning in reading.warnings)


@pytest.mark.requirement("brep.nearly-closed", "brep.open-no-volume")
def test_faces_that_miss_their_shared_edges_by_far_have_no_volume(tmp_path: Path) -> None:
    reading = half_cylinder(tmp_path, 10.5)
    (solid,) = reading.structure.solids or []
    assert solid.volume is None


def together(*shapes: cq.Shape) -> TopoDS_Compound:
    builder, compound = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(compound)
    for shape in shapes:
        builder.Add(compound, shape.wrapped)
    return compound


@pytest.mark.requirement("brep.duplicates")
def test_a_body_that_is_written_twice_is_told() -> None:
    again = parts.as_splines(parts.solid(cq.Workplane().box(10, 20, 30)))
    reading = model_of(together(parts.block(), again.Solids()[0])).reading
    first, second = reading.structure.solids or []
    assert (first.duplicate_of, second.duplicate_of) == (None, first.id)
    assert any("written twice" in warning for warning in reading.warnings)


@pytest.mark.requirement("brep.duplicates")
def test_equal_bodies_at_different_places_are_two() -> None:
    other = parts.solid(cq.Workplane().box(10, 20, 30)).translate(cq.Vector(50, 0, 0))
    reading = model_of(together(parts.block(), other)).reading
    assert [solid.duplicate_of for solid in reading.structure.solids or []] == [None, None]


@pytest.mark.requirement("brep.unit-contradicted")
def test_stated_measures_of_another_unit_say_that_a_unit_is_wrong() -> None:
    stated = StatedMeasures(volume=6000 * 25.4**3, area=2200 * 25.4**2)
    (warning,) = model_of(parts.block().wrapped, PartFacts(stated=stated)).reading.warnings
    assert "fit a geometry in inches" in warning


@pytest.mark.requirement("brep.unit-contradicted")
@pytest.mark.parametrize(("size", "is_doubted"), [(1e-3, True), (1.0, False), (1e5, False), (1e7, True)])
def test_a_size_that_no_part_has_is_doubted(size: float, is_doubted: bool) -> None:
    warnings = model_of(parts.solid(cq.Workplane().box(size, size, size)).wrapped).reading.warnings
    assert any("unit is wrong" in warning for warning in warnings) is is_doubted


@pytest.mark.requirement("brep.validity-per-solid")
def test_each_solid_has_its_own_layers() -> None:
    found = validity(model_of(together(parts.block(), cq.Shape(lifted_lid(5.0))))).structure["validity"]
    sound, open_ = found["solids"]
    assert (sound["solids"], sound["valid"]) == (["solid-1"], True)
    assert set(sound["layers"].values()) == {"passed"}
    assert (open_["solids"], open_["valid"]) == (["solid-2"], False)
    assert open_["layers"]["closed"] == "failed"
