"""A face with many boundaries: the kernel's own ways take the square of their number."""

from __future__ import annotations

from math import pi
from typing import Final

import cadquery as cq
import pytest

from spatial.formats.step import reader
from spatial.models.brep.faults import crowded_faces
from spatial.models.brep.tessellation import tessellate
from tests.spatial.models.test_brep_truth import step_bytes

ACROSS: Final = 33
PITCH: Final = 10.0
RADIUS: Final = 2.5
THICKNESS: Final = 8.0


def perforated() -> cq.Shape:
    """A square plate with ACROSS x ACROSS holes."""
    side = ACROSS * PITCH
    places = [(PITCH * (x + 0.5), PITCH * (y + 0.5)) for x in range(ACROSS) for y in range(ACROSS)]
    outline = cq.Wire.makePolygon([cq.Vector(x, y) for x, y in ((0, 0), (side, 0), (side, side), (0, side), (0, 0))])
    holes = [cq.Wire.makeCircle(RADIUS, cq.Vector(x, y), cq.Vector(0, 0, 1)) for x, y in places]
    return cq.Solid.extrudeLinear(outline, holes, cq.Vector(0, 0, THICKNESS))


@pytest.mark.requirement("brep.many-holes")
def test_a_plate_with_a_thousand_holes_is_read_and_meshed() -> None:
    model = reader.read(step_bytes(perforated()), "plate.step")
    (solid,) = model.solids
    mesh = tessellate(solid.shape)
    assert len(mesh.kinds) == ACROSS**2 + 6 and mesh.bare == []
    side = ACROSS * PITCH
    exact = 2 * side**2 + 4 * side * THICKNESS + ACROSS**2 * 2 * pi * RADIUS * (THICKNESS - RADIUS)
    assert mesh.area == pytest.approx(exact, rel=1e-2)
    assert len(crowded_faces(solid.shape)) == 2
