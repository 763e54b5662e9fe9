"""Bodies whose faces meet in curves that the modeller approximates: the volume is as exact as docs/formats.md promises."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import cadquery as cq
import numpy as np
import pytest
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert

from spatial.formats.step import reader
from tests.spatial.models.test_brep_truth import Array, only_solid, step_bytes

AS_EXACT_AS_THE_EDGES = 1e-9
TANGENT = 1e-7
"""Where two surfaces touch, the curve between them is approximated worst."""


def cylinder(radius: float, at: tuple[float, float, float], along: tuple[float, float, float]) -> cq.Solid:
    """A cylinder of length 100 around its middle."""
    start = cq.Vector(*at) - cq.Vector(*along) * 50
    return cq.Solid.makeCylinder(radius, 100, start, cq.Vector(*along))


def integral(function: Callable[[Array], Array], start: float, stop: float) -> float:
    """By 4000 nodes that are dense at both ends, where these functions have roots."""
    nodes, weights = np.polynomial.legendre.leggauss(4000)
    angle = (nodes + 1) * pi / 2
    at = start + (stop - start) * (1 - np.cos(angle)) / 2
    return float(np.sum(weights * function(at) * np.sin(angle)) * pi / 2 * (stop - start) / 2)


def _crossing_cylinders() -> tuple[cq.Shape, float]:
    shape = cylinder(10, (0, 0, 0), (0, 0, 1)).intersect(cylinder(12, (0, 0, 0), (1, 0, 0)))
    return shape, 8 * integral(lambda x: np.sqrt(144 - x * x) * np.sqrt(100 - x * x), 0, 10)


def _viviani() -> tuple[cq.Shape, float]:
    ball = cq.Solid.makeSphere(20, cq.Vector(), cq.Vector(0, 0, 1), -90, 90, 360)
    return ball.intersect(cylinder(10, (10, 0, 0), (0, 0, 1))), 2 * 20**3 / 3 * (pi - 4 / 3)


def _torus_of_splines() -> tuple[cq.Shape, float]:
    torus = cq.Solid.makeTorus(20, 5).wrapped
    return cq.Shape.cast(BRepBuilderAPI_NurbsConvert(torus, True).Shape()), 2 * pi**2 * 20 * 25


@pytest.mark.requirement("brep.volume-approximated")
@pytest.mark.parametrize(
    ("body", "tolerance"),
    [
        (_crossing_cylinders, AS_EXACT_AS_THE_EDGES),
        (_torus_of_splines, AS_EXACT_AS_THE_EDGES),
        (_viviani, TANGENT),
    ],
)
def test_the_volume_is_as_exact_as_the_edges(body: Callable[[], tuple[cq.Shape, float]], tolerance: float) -> None:
    shape, volume = body()
    solid = only_solid(reader.read(step_bytes(shape), "part.step").reading)
    assert solid.volume == pytest.approx(volume, rel=tolerance)
