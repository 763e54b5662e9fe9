"""Makes `bracket.step`, the bundled sample part: a machined bearing bracket whose facts are known in closed form.

Run with `python examples/make_bracket.py [TARGET]`. Every run makes the same file.

    base      110 x 60 x 12 mm, vertical corners R8, top edge rounded R2, four counterbored holes for M6
    upright   64 x 16 mm, rounded top R32, foot fillets R5 on both broad sides, two gussets
    bore      diameter 26 through, bearing seat diameter 38 x 6, 1 mm chamfers, a boss behind with root fillet R3
    thread    four blind tapping holes diameter 3.3 x 12 with a 118 degree drill point, on a bolt circle of 50 mm
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import cadquery as cq
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

NAME = "Bearing bracket"

BASE_LENGTH, BASE_WIDTH, BASE_HEIGHT = 110.0, 60.0, 12.0
CORNER_RADIUS, EDGE_RADIUS = 8.0, 2.0
BASE_HOLES = [(x, y) for x in (-43.0, 43.0) for y in (-20.0, 20.0)]
HOLE, COUNTERBORE, COUNTERBORE_DEPTH = 6.6, 11.0, 6.0

UPRIGHT_WIDTH, UPRIGHT_DEPTH, AXIS_HEIGHT = 64.0, 16.0, 50.0
FOOT_RADIUS = 5.0
GUSSET_LENGTH, GUSSET_HEIGHT, GUSSET_DEPTH = 16.0, 30.0, 10.0

BOSS, BOSS_HEIGHT, BOSS_RADIUS = 44.0, 4.0, 3.0
BORE, SEAT, SEAT_DEPTH, CHAMFER = 26.0, 38.0, 6.0, 1.0
BOLT_CIRCLE, TAP, TAP_DEPTH, DRILL_POINT = 50.0, 3.3, 12.0, math.radians(118.0)

FRONT, BACK = -UPRIGHT_DEPTH / 2, UPRIGHT_DEPTH / 2
"""The upright's two broad faces: the bearing seat is in front (y = -8), the boss behind (y = +8)."""


def bracket() -> cq.Workplane:
    """The part, in millimeters: base centred on the origin and standing on z = 0, bore along y."""
    body = base().union(upright()).union(boss())
    return body.cut(bore()).cut(tapped_holes()).clean()


def base() -> cq.Workplane:
    """The plate with its counterbored holes."""
    plate = cq.Workplane().rect(BASE_LENGTH, BASE_WIDTH).extrude(BASE_HEIGHT)
    plate = plate.edges("|Z").fillet(CORNER_RADIUS).faces(">Z").edges().fillet(EDGE_RADIUS)
    return (
        plate.faces(">Z")
        .workplane(origin=(0, 0, 0))
        .pushPoints(BASE_HOLES)
        .cboreHole(HOLE, COUNTERBORE, COUNTERBORE_DEPTH)
    )


def upright() -> cq.Workplane:
    """The wall around the bore, its foot fillets and its gussets."""
    half = UPRIGHT_WIDTH / 2
    wall = (
        cq.Workplane("XZ", origin=(0, BACK, 0))
        .moveTo(-half, BASE_HEIGHT)
        .lineTo(half, BASE_HEIGHT)
        .lineTo(half, BASE_HEIGHT + AXIS_HEIGHT)
        .threePointArc((0, BASE_HEIGHT + AXIS_HEIGHT + half), (-half, BASE_HEIGHT + AXIS_HEIGHT))
        .close()
        .extrude(UPRIGHT_DEPTH)
    )
    return wall.union(foot(FRONT)).union(foot(BACK)).union(gusset(1)).union(gusset(-1))


def foot(y: float) -> cq.Workplane:
    """The concave fillet between the base and one broad face, as long as the upright is wide."""
    side = math.copysign(FOOT_RADIUS, y)
    turn = FOOT_RADIUS * (1 - math.sqrt(0.5))
    return (
        cq.Workplane("YZ", origin=(-UPRIGHT_WIDTH / 2, 0, 0))
        .moveTo(y, BASE_HEIGHT)
        .lineTo(y + side, BASE_HEIGHT)
        .threePointArc((y + math.copysign(turn, y), BASE_HEIGHT + turn), (y, BASE_HEIGHT + FOOT_RADIUS))
        .close()
        .extrude(UPRIGHT_WIDTH)
    )


def gusset(side: int) -> cq.Workplane:
    """The triangular rib on one narrow side of the upright."""
    root = side * UPRIGHT_WIDTH / 2
    corners = [(root, BASE_HEIGHT), (root + side * GUSSET_LENGTH, BASE_HEIGHT), (root, BASE_HEIGHT + GUSSET_HEIGHT)]
    return cq.Workplane("XZ", origin=(0, GUSSET_DEPTH / 2, 0)).polyline(corners).close().extrude(GUSSET_DEPTH)


def boss() -> cq.Workplane:
    """The ring behind the upright, with a concave fillet at its root."""
    radius, turn = BOSS / 2, BOSS_RADIUS * (1 - math.sqrt(0.5))
    profile = (
        cq.Workplane("XY")
        .moveTo(0, BACK)
        .lineTo(radius + BOSS_RADIUS, BACK)
        .threePointArc((radius + turn, BACK + turn), (radius, BACK + BOSS_RADIUS))
        .lineTo(radius, BACK + BOSS_HEIGHT)
        .lineTo(0, BACK + BOSS_HEIGHT)
    )
    return at_axis(profile.close().revolve(360, (0, 0, 0), (0, 1, 0)))


def bore() -> cq.Workplane:
    """What the lathe takes away: bearing seat in front, bore, and a chamfer at either end."""
    seat, hole, end = SEAT / 2, BORE / 2, BACK + BOSS_HEIGHT
    profile = cq.Workplane("XY").polyline([
        (0, FRONT), (seat + CHAMFER, FRONT), (seat, FRONT + CHAMFER), (seat, FRONT + SEAT_DEPTH), (hole, FRONT + SEAT_DEPTH),
        (hole, end - CHAMFER), (hole + CHAMFER, end), (0, end),
    ])  # fmt: skip
    return at_axis(profile.close().revolve(360, (0, 0, 0), (0, 1, 0)))


def tapped_holes() -> cq.Workplane:
    """Four blind holes from the front, as the drill leaves them."""
    radius, tip = TAP / 2, TAP / 2 / math.tan(DRILL_POINT / 2)
    profile = cq.Workplane("XY").polyline([
        (0, FRONT), (radius, FRONT), (radius, FRONT + TAP_DEPTH), (0, FRONT + TAP_DEPTH + tip),
    ])  # fmt: skip
    drill = profile.close().revolve(360, (0, 0, 0), (0, 1, 0))
    quarter = BOLT_CIRCLE / 2 * math.sqrt(0.5)
    holes = [drill.translate((x, 0, z)) for x in (-quarter, quarter) for z in (-quarter, quarter)]
    return at_axis(holes[0].union(holes[1]).union(holes[2]).union(holes[3]))


def at_axis(turned: cq.Workplane) -> cq.Workplane:
    """A body turned about the y axis, moved up to the height of the bore."""
    return turned.translate((0, 0, BASE_HEIGHT + AXIS_HEIGHT))


def true_volume() -> float:
    """The part's volume in cubic millimeters, from school geometry alone."""
    half = UPRIGHT_WIDTH / 2
    wall = (UPRIGHT_WIDTH * AXIS_HEIGHT + math.pi * half**2 / 2) * UPRIGHT_DEPTH
    feet = 2 * (1 - math.pi / 4) * FOOT_RADIUS**2 * UPRIGHT_WIDTH
    gussets = GUSSET_LENGTH * GUSSET_HEIGHT * GUSSET_DEPTH
    boss_ring = disc(BOSS) * BOSS_HEIGHT + turned_corner(BOSS / 2, BOSS_RADIUS, outside=True)
    return base_volume() + wall + feet + gussets + boss_ring - bore_volume() - 4 * tapped_volume()


def base_volume() -> float:
    plate = (BASE_LENGTH * BASE_WIDTH - (4 - math.pi) * CORNER_RADIUS**2) * BASE_HEIGHT
    straight = 2 * (BASE_LENGTH + BASE_WIDTH - 4 * CORNER_RADIUS)
    rounding = (1 - math.pi / 4) * EDGE_RADIUS**2 * straight + turned_corner(CORNER_RADIUS, EDGE_RADIUS, outside=False)
    hole = disc(HOLE) * (BASE_HEIGHT - COUNTERBORE_DEPTH) + disc(COUNTERBORE) * COUNTERBORE_DEPTH
    return plate - rounding - 4 * hole


def bore_volume() -> float:
    length = UPRIGHT_DEPTH + BOSS_HEIGHT - SEAT_DEPTH
    chamfers = sum(frustum(d / 2, CHAMFER) - disc(d) * CHAMFER for d in (SEAT, BORE))
    return disc(SEAT) * SEAT_DEPTH + disc(BORE) * length + chamfers


def tapped_volume() -> float:
    return disc(TAP) * (TAP_DEPTH + TAP / 2 / math.tan(DRILL_POINT / 2) / 3)


def disc(diameter: float) -> float:
    return math.pi * diameter**2 / 4


def frustum(radius: float, flare: float) -> float:
    """A 45 degree frustum: from `radius` to `radius + flare` over a height of `flare`."""
    outer = radius + flare
    return math.pi * flare / 3 * (radius**2 + radius * outer + outer**2)


def turned_corner(radius: float, fillet: float, *, outside: bool) -> float:
    """The sliver between a square corner and its fillet, turned fully about an axis at `radius` (Pappus)."""
    area = (1 - math.pi / 4) * fillet**2
    centroid = fillet * (10 - 3 * math.pi) / (12 - 3 * math.pi)
    reach = radius + centroid if outside else radius - centroid
    return 2 * math.pi * reach * area


def step_bytes(part: cq.Workplane, name: str = NAME) -> bytes:
    """The part as an AP214 STEP file that holds nothing that changes from run to run."""
    writer = STEPControl_Writer()
    with _written_as(name):
        writer.Transfer(part.findSolid().wrapped, STEPControl_AsIs)
    with TemporaryDirectory() as folder:
        target = Path(folder, "part.step")
        if writer.Write(str(target)) != IFSelect_ReturnStatus.IFSelect_RetDone:
            raise OSError(f"{target}: could not be written")
        text = target.read_bytes()
    return without_history(text, name)


@contextmanager
def _written_as(name: str) -> Iterator[None]:
    """The product's name, and no curves in parameter space; both are settings of the whole process."""
    before = Interface_Static.CVal_s("write.step.product.name"), Interface_Static.IVal_s("write.surfacecurve.mode")
    Interface_Static.SetCVal_s("write.step.product.name", name)
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)
    try:
        yield
    finally:
        Interface_Static.SetCVal_s("write.step.product.name", before[0])
        Interface_Static.SetIVal_s("write.surfacecurve.mode", before[1])


def without_history(text: bytes, name: str) -> bytes:
    """The STEP file under a header without a clock; the writer also counts its products: 'Bearing bracket 1'."""
    header = f"FILE_NAME('{name}','2026-01-01T00:00:00',('Spatial Geometry Service'),(''),'','','');".encode()
    text = re.sub(rb"FILE_NAME\(.*?\);", header, text, count=1, flags=re.DOTALL)
    return re.sub(rf"'{re.escape(name)} \d+'".encode(), f"'{name}'".encode(), text)


if __name__ == "__main__":
    goal = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("bracket.step")
    goal.write_bytes(step_bytes(bracket()))
    print(f"{goal}: {goal.stat().st_size:,} bytes, volume {true_volume():,.6f} mm³")
