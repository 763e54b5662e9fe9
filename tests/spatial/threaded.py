"""Threads made for tests, from known sizes."""

from __future__ import annotations

from math import cos, pi, radians, sin, tan

import cadquery as cq


def rod(
    major: float,
    minor: float,
    pitch: float,
    length: float,
    *,
    hand: str = "right",
    starts: int = 1,
    angle: float = 60.0,
) -> cq.Solid:
    """A threaded rod from the origin up, by turning its cross-section as it goes up; cut out of a block it is the thread of a hole.

    Args:
        major, minor: diameters of crest and root, millimetres.
        angle: degrees between the flanks; crest and root share evenly what the flanks leave of the pitch.
    """
    high, low = major / 2.0, minor / 2.0
    flank = (high - low) * tan(radians(angle / 2.0)) / pitch
    flat = 0.5 - flank

    def point(radius: float, part: float, start: int) -> cq.Vector:
        turn = 2.0 * pi * (start + part) / starts
        return cq.Vector(radius * cos(turn), radius * sin(turn), 0.0)

    edges: list[cq.Edge] = []
    for start in range(starts):
        for begin, radius, other in ((0.0, high, low), (flat + flank, low, high)):
            arc = [point(radius, begin + part * flat, start) for part in (0.0, 0.5, 1.0)]
            slope = [
                point(radius + (other - radius) * step / 12.0, begin + flat + flank * step / 12.0, start)
                for step in range(13)
            ]
            edges += [cq.Edge.makeThreePointArc(*arc), cq.Edge.makeSpline(slope)]
    turn = 360.0 * length / (pitch * starts) * (1.0 if hand == "right" else -1.0)
    made = cq.Solid.extrudeLinearWithRotation(
        cq.Wire.assembleEdges(edges), [], cq.Vector(), cq.Vector(0, 0, length), turn
    )
    (only,) = made.Solids()
    return only


def swept_cutter(crest: float, root: float, pitch: float, length: float, *, hand: str = "right") -> cq.Shape:
    """What cuts an inner metric thread: a profile swept along a helix, as CAD programs do. crest, root: diameters, millimetres."""
    helix = cq.Wire.makeHelix(pitch, length, crest / 2.0, lefthand=hand == "left")
    slope, at_root, beyond = tan(radians(30.0)), pitch / 16.0, 0.05
    at_crest = at_root + (root / 2.0 - crest / 2.0 + beyond) * slope
    inside, outside = crest / 2.0 - beyond, root / 2.0
    profile = [(inside, -at_crest), (outside, -at_root), (outside, at_root), (inside, at_crest)]
    swept = cq.Workplane("XZ").polyline(profile).close().sweep(helix, isFrenet=True).val()
    assert isinstance(swept, cq.Shape)
    return swept.rotate(cq.Vector(), cq.Vector(0, 0, 1), 10)
